"""Answers: enclosures to so many digits, or floats that are correctly rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isinf, nextafter
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pfverify.errors import UndecidedError, shorten
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, Raw, current_precision, precision
from pfverify.exact.decimals import decimal_lower, decimal_upper, enclosure_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended, Infinite
from pfverify.exact.rising import rising
from pfverify.exact.written import exact_enclosure
from pfverify.oracle.arguments import Shape, Wanted

Y = TypeVar("Y")
Known = Fraction | Infinite
Ends = tuple[tuple[int, int], tuple[int, int]]
"""Both ends of a ball, as `Ball.ends` gives them."""

_FIRST_BITS = 96
_EXACT_BITS = 512  # from here on what balls do not settle is tested exactly
_MOST_BITS = 1 << 13
FEW_DIGITS = (18, 36, 72)
"""Digits that are tried for a float where more take long."""
_MANY_DIGITS = (*FEW_DIGITS, 144, 288, 576, 1000)
_SMALLEST = 5000  # decimals: an end nearer to 0 than that is moved outward to it
_WRITTEN = 10**17  # decimals: a number nearer to 0 than that is not written out
_TOP, _BOTTOM = 1025, -1080  # powers of two beyond which a float is infinite, or 0


class Enclosures(NoTruth, ask="compare its .lower and .upper"):
    """An array of enclosures: `lower` and `upper` are arrays of exact numbers, as published.

    Indexed like an array of numpy; one entry is an `Enclosure`.
    Example: ``Enclosures([Enclosure("0", "1")] * 2, (2,))[0].upper`` is 1.
    """

    lower: NDArray[np.object_]
    upper: NDArray[np.object_]

    def __init__(self, enclosures: list[Enclosure], shape: Shape) -> None:
        """Take the enclosures in order, and the shape."""
        self._ends(
            objects([found.lower for found in enclosures], shape),
            objects([found.upper for found in enclosures], shape),
        )

    def _ends(self, lower: NDArray[np.object_], upper: NDArray[np.object_]) -> None:
        self.lower, self.upper = lower, upper
        for ends in (lower, upper):
            ends.flags.writeable = False

    @property
    def shape(self) -> Shape:
        """The shape of both arrays."""
        return self.lower.shape

    def __len__(self) -> int:
        return len(self.lower)

    def __getitem__(self, index: Any) -> Any:
        """Return an `Enclosure`, or part of the array."""
        low, high = self.lower[index], self.upper[index]
        if not isinstance(low, np.ndarray):
            return Enclosure(low, high)
        part = object.__new__(Enclosures)
        part._ends(low, high)
        return part

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def floats(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return both ends as arrays of float64, rounded outward.

        Example: ``Enclosures([Enclosure("0.1", "0.1")], (1,)).floats()[1].tolist()`` is ``[0.1]``.
        """
        low = [_toward(end, -inf) for end in self.lower.ravel()]
        high = [_toward(end, inf) for end in self.upper.ravel()]
        return np.array(low).reshape(self.shape), np.array(high).reshape(self.shape)

    def __repr__(self) -> str:
        shown = ", ".join(Enclosure(low, high).text for low, high in zip(
            self.lower.ravel()[:3], self.upper.ravel()[:3], strict=True
        ))  # fmt: skip
        more = ", ..." if self.lower.size > 3 else ""
        return f"<Enclosures of shape {self.shape}: {shown}{more}>"


Enclosed = Enclosure | Enclosures
"""One enclosure, or as many as were asked for."""
Floats = float | NDArray[np.float64]
"""The same, each rounded to the nearest float."""


@dataclass(frozen=True)
class Quantity(Generic[Y]):
    """A real number for each place y, in balls at any precision.

    `name` is what it is called. `known`: the number itself where it is rational or infinite at
    sight, else None; `evaluator` makes what encloses the number of any y at the current precision;
    `equals` says whether it is exactly a number. `positive`: it is never below 0; `probability`:
    nor above 1.
    """

    name: str
    known: Callable[[Y], Known | None]
    evaluator: Callable[[], Callable[[Y], Raw]]
    equals: Callable[[Y, Fraction], Answer]
    positive: bool = True
    probability: bool = False


def answered(
    quantity: Quantity[Y], places: Sequence[Y], asked: Wanted
) -> list[Enclosure] | list[float]:
    """Return the numbers of all places, enclosed to so many digits or correctly rounded.

    Places are worked out together: what they share is worked out once at each precision.
    Raises UndecidedError where it cannot be told which float is nearest.
    """
    known = [quantity.known(y) for y in places]
    found: list[Any] = [None if value is None else given(value, asked) for value in known]
    first = _FIRST_BITS if asked.nearest else max(_FIRST_BITS, 4 * asked.digits + 48)
    for bits in rising(first, max(first, _MOST_BITS)):
        if all(one is not None for one in found):
            break
        final = bits * 2 > max(first, _MOST_BITS)
        with precision(bits):
            evaluate = quantity.evaluator()
            for k, y in enumerate(places):
                if found[k] is None:
                    found[k] = _told(quantity, y, evaluate(y), asked, final=final)
    return found


def _told(
    quantity: Quantity[Y], y: Y, ball: Raw, asked: Wanted, *, final: bool
) -> Enclosure | float | None:
    """The answer where the current precision tells it, or is the `final` one."""
    ends, nearest = Ball(ball).ends(), asked.nearest
    if ends is None:
        if final:
            raise _undecided(quantity, y, "no finite enclosure was found")
        return None
    found: Enclosure | float | None
    if nearest:
        found, tiny = _rounded(ends), False
    else:
        tiny = _are_tiny(ends)
        found = None if tiny else _text(ball, asked.digits, quantity)
    if found is None and current_precision() >= _EXACT_BITS:
        found = _tied(quantity, y, ball, ends, nearest=nearest)
    if found is not None or not (final or tiny):
        return found
    if nearest:
        raise _undecided(quantity, y, "which float is nearest is not decided")
    return _given_up(quantity, ends)


def _undecided(quantity: Quantity[Y], y: Y, why: str) -> UndecidedError:
    where = f"{quantity.name} at {shorten(y)}"
    return UndecidedError(f"{where}: {why} at {current_precision()} bits")


def given(value: Known, asked: Wanted) -> Enclosure | float:
    """Return an exact number as an answer.

    Example: ``given(Fraction(1, 4), Wanted(nearest=True))`` is ``0.25``.
    """
    if asked.nearest:
        return nearest_float(value)
    if isinstance(value, Infinite):
        return Enclosure(value, value)
    return exact_enclosure(value, asked.digits)


def refined(
    enclose: Callable[[int], Enclosure],
    name: str,
    asked: Wanted,
    tried: Sequence[int] = _MANY_DIGITS,
) -> Enclosure | float:
    """Return a number that can be enclosed to any number of digits as an answer.

    `tried` are the digits that are asked for, one after the other, until they tell a float.
    Raises UndecidedError where more digits do not tell which float it is.
    Example: ``refined(lambda digits: Enclosure("0.1", "0.1"), "x", Wanted(nearest=True))`` is
    ``0.1``.
    """
    if not asked.nearest:
        return enclose(asked.digits)
    for digits in tried:
        found = enclose(digits)
        low, high = float(found.lower), float(found.upper)
        if low == high:
            return low + 0.0
    raise UndecidedError(
        f"{name}: which float is nearest to a number in {shorten(found.text)} is not decided"
    )


def shaped(answers: list[Any], shape: Shape, *, nearest: bool) -> Enclosed | Floats:
    """Return answers in a shape: one `Enclosure` or float, `Enclosures`, or an array of floats.

    Example: ``shaped([0.5], (), nearest=True)`` is 0.5.
    """
    if shape == ():
        one: Enclosure | float = answers[0]
        return one
    return np.array(answers, dtype=float).reshape(shape) if nearest else Enclosures(answers, shape)


def nearest_float(value: Known) -> float:
    """Return the float nearest to an exact number; half-way the one with an even significand.

    Example: ``nearest_float(Fraction(1, 4))`` is 0.25.
    """
    if isinstance(value, Infinite):
        return float(value)
    return _divided(value.numerator, value.denominator)


def _divided(top: int, bottom: int) -> float:
    try:
        return top / bottom
    except OverflowError:
        return inf if top > 0 else -inf


def _dyadic_float(mantissa: int, exponent: int) -> float:
    """Return mantissa * 2**exponent, rounded to nearest."""
    top = mantissa.bit_length() + exponent
    if not mantissa or top < _BOTTOM:
        return 0.0
    if top > _TOP:
        return inf if mantissa > 0 else -inf
    return _divided(mantissa << max(exponent, 0), 1 << max(-exponent, 0))


def _rounded(ends: Ends) -> float | None:
    """The float that every number between two ends rounds to, if there is one."""
    low, high = (_dyadic_float(*end) for end in ends)
    return low + 0.0 if low == high else None  # + 0.0: never -0.0


def _text(ball: Raw, digits: int, quantity: Quantity[Any]) -> Enclosure | None:
    ends = enclosure_text(Ball(ball), digits)
    if ends is None:
        return None
    found = Enclosure(*ends)
    return Enclosure(found.lower, "1") if quantity.probability and found.upper > 1 else found


def _are_tiny(ends: Ends) -> bool:
    """Whether a number that is not told to be 0 is too near to 0 for a decimal of it."""
    return ends != ((0, 0), (0, 0)) and all(
        mantissa.bit_length() + exponent < -_WRITTEN for mantissa, exponent in ends
    )


def _tied(
    quantity: Quantity[Y], y: Y, ball: Raw, ends: Ends, *, nearest: bool
) -> float | Enclosure | None:
    """The answer where the number is exactly 0, or half-way between two floats."""
    if ball.contains(0):
        if quantity.equals(y, Fraction(0)) is not Answer.YES:
            return None
        return 0.0 if nearest else Enclosure("0", "0")
    if not nearest:
        return None
    low, high = (_dyadic_float(*end) for end in ends)
    if nextafter(low, inf) != high:
        return None
    middle = half_way(low, high)
    return nearest_float(middle) if quantity.equals(y, middle) is Answer.YES else None


def half_way(low: float, high: float) -> Fraction:
    """Return the number from which on the upper one of two neighbouring floats is nearer.

    Example: ``half_way(1.0, 1.0 + 2**-52)`` is ``1 + Fraction(1, 2**53)``.
    """
    if isinf(high):
        return Fraction(low) + (Fraction(low) - Fraction(nextafter(low, 0))) / 2
    if isinf(low):
        return -half_way(-high, -low)
    return (Fraction(low) + Fraction(high)) / 2


def _given_up(quantity: Quantity[Any], ends: Ends) -> Enclosure:
    """An enclosure of a number that is not told from 0: wide, but right."""
    smallest = Fraction(1, 10**_SMALLEST)
    low, high = (
        side * max(smallest, abs(_moderate(*end))) for side, end in zip((-1, 1), ends, strict=True)
    )
    lower = "0" if quantity.positive else decimal_lower(low, 1)
    return Enclosure(lower, decimal_upper(high, 1))


def _moderate(mantissa: int, exponent: int) -> Fraction:
    """A dyadic number; 0 in place of one that is too small to write out."""
    if mantissa.bit_length() + exponent < -4 * _SMALLEST:
        return Fraction(0)
    return mantissa * Fraction(2) ** exponent


def _toward(end: Extended, side: float) -> float:
    """The float next to an end on the side that is asked for, or the end itself."""
    found = float(end)
    if isinf(found):
        beyond = not isinstance(end, Infinite) and found != side
        return nextafter(found, side) if beyond else found
    exact = Fraction(found)
    return found if exact == end or (exact > end) == (side > 0) else nextafter(found, side)


def objects(values: Sequence[object], shape: Shape) -> NDArray[np.object_]:
    """Return an array of objects, whatever they look like to numpy.

    Example: ``objects(["a", None], (2,))[0]`` is ``"a"``.
    """
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array.reshape(shape)
