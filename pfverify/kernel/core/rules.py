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
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from core.enclose import Arithmetic, Interval
from core.grammar import Malformed, Number
from core.kinds import Kind
from core.shapes import integer, margin
from core.work import Check

if TYPE_CHECKING:
    from core.interfaces import Difference

Facts = set[str]
Step = dict[str, Any]
Names = tuple[str, str, str]  # of a goal: belief, and the secrets `from` and `to`
Law = TypeVar("Law")
Released = TypeVar("Released")


class Goal(NamedTuple, Generic[Law, Released]):
    """One inequality to prove: P against Q, the laws under the secrets `from` and `to`."""

    names: Names
    P: Law
    Q: Law
    epsilon: Number  # of this pair
    delta: Number  # 0 and 1 are written so
    form: str
    release: Released  # what becomes of a number with law P or Q before it is seen
    kind: Kind  # how it is judged
    enclosed: bool  # whether P and Q are bounds of the priors
    check: Check  # that it is a part of
    order: Fraction | None = None  # of the divergence, of the form renyi

    @property
    def delta_is_zero(self) -> bool:
        """Whether a bound of the ratio is meant."""
        return self.delta == 0

    def about(self, p: Any, q: Any, **changes: Any) -> Goal[Any, Any]:
        """The same goal of other laws, with other changes."""
        return self._replace(P=p, Q=q, **changes)

    def difference(self, step: Step) -> Difference:
        """That of its laws, with what a step says of it; Malformed where they have none."""
        if self.kind.difference is None:
            raise Malformed("laws that have no normal form here")
        return self.kind.difference(self, step)


def law_of_x(law: Any) -> Any:
    """That of X, of a normal form that says more of it; else it is one."""
    return getattr(law, "law_of_x", law)


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
