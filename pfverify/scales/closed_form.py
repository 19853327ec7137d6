"""Scales given by a formula: the largest of several, rounded up to a candidate of a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, largest, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.exact.search import UndecidedError
from pfverify.exact.simplify import rational_value

Proposal = tuple[Fraction, Number | None]
"""A scale on the grid that was asked for, and the closed form that it rounds up (or None)."""

NONE_NEEDED: Proposal = Fraction(0), Number.of_rational(0)
"""The scale where no prior differs from another."""
NO_FINITE = "epsilon is 0 and the priors differ: this sufficient condition has no finite scale"
_LAST_BITS = (1 << 15) - 1  # a scale that no precision up to here rounds is given up
_PATIENCE = 1 << 12  # bits after which values that look equal count as equal


@dataclass(frozen=True)
class Value:
    """A real number >= 0: `ball()` encloses it at the current precision; `exact` where known."""

    ball: Callable[[], Raw]
    exact: Number | None = None

    @classmethod
    def of(cls, exact: Number) -> Value:
        """Return the value of an exact number."""
        return cls(lambda: exact.ball().raw, exact)


def largest_upper(values: Iterable[Value], grid: Grid) -> Proposal:
    """Return the largest of some values, rounded up to a candidate of the grid.

    The closed form comes with it where the largest value has one and is proved to be the
    largest. 0 without values.
    Raises UndecidedError where no enclosure becomes narrow enough.
    Example: ``largest_upper([Value.of(number("1/3"))], Grid(3))[0]`` is
    ``Fraction(167, 500)``.
    """
    left = _without_repeats(values)
    if not left:
        return NONE_NEEDED
    for bits in rising(64 + grid.bits, _LAST_BITS):
        with precision(bits):
            balls = [value.ball() for value in left]
            # a ball that is proved below another one is out; nan is below nothing
            top = left[0].ball()
            for ball in balls:
                if ball > top:
                    top = ball
            left = [v for v, ball in zip(left, balls, strict=True) if not ball < top]
            left = _without_equals(left)
            # to know which closed form is the largest, they have to be told apart
            if len(left) == 1 or bits >= _PATIENCE or all(v.exact is None for v in left):
                found = _rounded(left, grid)
                if found is not None:
                    return found
    raise UndecidedError(f"no enclosure of a scale is narrow enough at {bits} bits")


def distance_over(distance: Fraction, epsilon: Number) -> Value:
    """Return distance / epsilon, epsilon > 0."""
    exact = _quotient(Number.of_rational(distance), epsilon)
    return Value(lambda: raw(distance) / epsilon.ball().raw, exact)


def _quotient(top: Number, bottom: Number) -> Number | None:
    try:
        return top / bottom
    except InputError:  # the text would be too long
        return None


def _rounded(left: list[Value], grid: Grid) -> Proposal | None:
    """Round what is left at the current precision: one value, or several not told apart."""
    exact = left[0].exact if len(left) == 1 else None
    if exact is not None and (value := rational_value(exact)) is not None:
        return grid.above(value) if value else value, exact
    ends = grid.around(Ball(largest(value.ball() for value in left)))
    return None if ends is None else (ends[1], exact)


def _without_repeats(values: Iterable[Value]) -> list[Value]:
    """Drop values whose exact numbers are written the same, and all rationals but the largest."""
    kept: dict[object, Value] = {}
    largest: Fraction | None = None
    for value in values:
        rational = None if value.exact is None else rational_value(value.exact)
        if rational is not None:
            if largest is None or rational > largest:
                largest, kept["rational"] = rational, value
        else:
            kept.setdefault(id(value) if value.exact is None else value.exact, value)
    return list(kept.values())


def _without_equals(values: list[Value]) -> list[Value]:
    """Drop exact numbers that are proved equal to an earlier one."""
    kept: list[Value] = []
    for value in values:
        if not any(_equal(value.exact, other.exact) for other in kept):
            kept.append(value)
    return kept


def _equal(left: Number | None, right: Number | None) -> bool:
    if left is None or right is None:
        return False
    try:
        return (left - right).sign() == 0
    except InputError:  # the difference would be too long
        return False
