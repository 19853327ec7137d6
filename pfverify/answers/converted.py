"""A Renyi divergence as an (epsilon, delta): what follows from it, and what that wastes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pfverify.decide.routes import comparison
from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.ball import Raw, dyadic, fraction_of, precision, raw
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.enclosure import Enclosure, largest_of
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number, number
from pfverify.exact.published import Extended, Infinite, Real, extended, real
from pfverify.exact.written import written
from pfverify.model.notion import EVENTS, Renyi
from pfverify.model.problem import Problem
from pfverify.model.requirement import Requirement

_SPARE_BITS = 64


@dataclass(frozen=True)
class Converted(NoTruth, ask="compare .epsilon or .epsilon_exact.upper"):
    """What a divergence says of events at a delta, and what is so.

    `epsilon_simple` is the divergence + log(1/delta)/(order - 1), and `epsilon` the smaller one
    that delta <= (1 - 1/order)**(order - 1)/order * e**((order - 1)(divergence - epsilon)) gives,
    both of the largest divergence and rounded up; `epsilon_exact` the least epsilon at delta.
    Source: design fact F113.
    """

    delta: Real
    epsilon_simple: Extended
    epsilon: Extended
    epsilon_exact: Enclosure


def checked_delta(problem: Problem, delta: AnyNumber) -> Number:
    """Return a delta to which a divergence is converted.

    Raises InputError unless it is between 0 and 1, for other forms, and for an epsilon that is
    multiplied by distances.
    Example: ``checked_delta(diverging, "1e-5").text`` is ``"1/100000"``.
    """
    if not isinstance(problem.notion, Renyi):
        raise InputError(
            f"to_delta: the form is {problem.form}, expected renyi; delta = ... asks for the "
            "least epsilon of the form events"
        )
    if problem.notion.order == 1:
        raise InputError("to_delta: of order 1 no delta follows, expected an order above 1")
    if problem.protection.extended:
        raise InputError(
            f"to_delta: {problem.protection.notion} has an epsilon for every distance, expected "
            "one epsilon"
        )
    found = number(delta, "to_delta")
    if found.sign() != 1 or (found - Number.of_rational(1)).sign() != -1:
        raise InputError(f"to_delta: {shorten(delta)}, expected a number above 0 and below 1")
    return found


def converted(
    problem: Problem, divergence: Enclosure, delta: Number, digits: int
) -> Converted:
    """Return what follows at a delta from the largest divergence of a problem.

    Raises InputError where the form events is not decided of it.
    Example: ``converted(diverging, loss(diverging).divergence, number("1/8"), 9).delta`` is
    ``Fraction(1, 8)``.
    Source: design fact F113.
    """
    notion = problem.notion
    if not isinstance(notion, Renyi):
        raise InputError(f"to_delta: the form is {problem.form}, expected renyi")
    simple, sharp = _implied(divergence, notion.order, delta, digits)
    return Converted(real(delta), simple, sharp, _exact(problem, delta, digits))


def _implied(
    divergence: Enclosure, order: Fraction, delta: Number, digits: int
) -> Sequence[Extended]:
    """Both conversions of the upper end."""
    if isinstance(divergence.upper, Infinite):
        return [divergence.upper] * 2
    most = Fraction(divergence.upper)
    with precision(_SPARE_BITS + 4 * digits):
        simple = raw(most) - delta.ball().raw.log() / raw(order - 1)
        sharp = simple - raw(order).log() / raw(order - 1) + raw(1 - 1 / order).log()
        return [_rounded_up(value, digits) for value in (simple, sharp)]


def _rounded_up(value: Raw, digits: int) -> Extended:
    end = max(Fraction(0), fraction_of(dyadic(value.upper())))
    return extended(decimal_upper(end, digits))


def _exact(problem: Problem, delta: Number, digits: int) -> Enclosure:
    """The least epsilon at delta, of all ordered pairs."""
    required = problem.requirement
    held = Requirement(required.epsilon, delta, EVENTS, required.protection)
    return largest_of([
        written(order.least_epsilon(), digits)
        for item in problem.questions() for order in comparison(replace(item, requirement=held))
    ])  # fmt: skip
