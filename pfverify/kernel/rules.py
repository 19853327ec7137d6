"""What all inference rules share: one function each, its docstring the inference figure.

A rule takes a goal (derived from the problem) and a step (from the certificate, a hint) and returns
the names of the facts it used, or raises Rejected.  Notation: P, Q the priors of the goal's two
secrets, p = K*P and q = K*Q their releases under the noise K of scale theta, rho = 1/theta,
c = rho/2 or (1-t)/(1+t) with t = e^(-step rho) the noise's constant, D the hockey-stick divergence
sup over events B of P(Y in B) - e^epsilon P'(Y in B).  Enclosures are outward; "<=" in a premise is
established by comparing the upper end on the left with the lower end on the right.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enclose import Arithmetic, Interval
from files import array, canonical_rational, integer, margin
from grammar import Malformed, Number

Facts = set[str]
Step = dict[str, Any]
Names = tuple[str, str, str]  # of a goal: belief, and the secrets `from` and `to`
Bounds = tuple[Number, Number, bool, str]  # epsilon, delta, whether delta is 0, form
Spans = list[tuple[Fraction | None, Fraction | None]]


class Rejected(Exception):  # noqa: N818
    """The step does not prove its goal."""


def arithmetic(step: Step) -> Arithmetic:
    """An arithmetic of the step's precision."""
    return Arithmetic(integer(step["bits"], "bits", 32, 200_000))


def at_most(x: Interval, y: Interval, ar: Arithmetic) -> bool:
    """Established x <= y."""
    return ar.sub(y, x)[0] >= 0


def margin_of(step: Step) -> Fraction:
    """The positive margin that a step claims."""
    value = margin(step["margin"])
    if value <= 0:
        raise Rejected("a margin must be positive")
    return value


def spans_of(value: Any) -> Spans:
    """Disjoint closed intervals in increasing order; [a, a] is the one output a."""
    spans: Spans = []
    for entry in array(value, "event"):
        ends = array(entry, "an interval")
        if len(ends) != 2:
            raise Malformed("an interval must have two ends")
        low = None if ends[0] == "-inf" else canonical_rational(ends[0], "an end")
        high = None if ends[1] == "inf" else canonical_rational(ends[1], "an end")
        if low is not None and high is not None and low > high:
            raise Malformed("an interval must not be empty")
        if spans:
            last = spans[-1][1]
            if last is None or low is None or last >= low:
                raise Malformed("intervals must be disjoint and increasing")
        spans.append((low, high))
    if not spans:
        raise Malformed("an event must not be empty")
    return spans
