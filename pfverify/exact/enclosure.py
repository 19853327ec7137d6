"""Two published numbers around an exact one: the one class of enclosures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import number
from pfverify.exact.published import (
    Exact,
    Extended,
    Infinite,
    Irrational,
    Real,
    extended,
    latex_of,
    order_keys,
)


@dataclass(frozen=True, init=False)
class Enclosure(NoTruth, ask="compare it or its .lower or .upper, or use `is None`"):
    """Two decimals, rounded outward, between which the exact number lies.

    ``<``, ``<=``, ``>`` and ``>=`` against a number (as text, too) or another enclosure are about
    the exact numbers: they answer where the ends decide, and else raise UndecidedError. ``==``
    compares the ends. ``float()`` is the middle, to plot it (nan where one end alone is infinite).
    Raises ValueError for text that is no number.
    Example: ``Enclosure("0.1", "0.2") < "log(2)"`` is True.
    """

    lower: Extended
    upper: Extended

    def __init__(self, lower: str | Extended, upper: str | Extended) -> None:
        """Take the ends as text or as numbers."""
        object.__setattr__(self, "lower", extended(lower))
        object.__setattr__(self, "upper", extended(upper))

    @property
    def text(self) -> str:
        """The number if both ends agree, else the interval."""
        return str(self.lower) if self.lower == self.upper else f"[{self.lower}, {self.upper}]"

    @property
    def width(self) -> Fraction | float:
        """The distance of the ends, exactly."""
        return Fraction(0) if self.lower == self.upper else self.upper - self.lower

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.lower)!r}, {str(self.upper)!r})"

    def _repr_latex_(self) -> str:
        low, high = latex_of(self.lower), latex_of(self.upper)
        return f"${low}$" if low == high else f"$[{low},\\ {high}]$"

    def __float__(self) -> float:
        low, high = self.lower, self.upper
        if low == high:
            return float(low)
        if isinstance(low, Infinite) or isinstance(high, Infinite):
            return float("nan")
        return float((low + high) / 2)

    def _sympy_(self) -> NoReturn:
        """Refuse to become a number of sympy, which would be the middle, and decide by it."""
        raise InputError(f"sympy reads no enclosure: write {self.text} on the left, or use an end")

    def __lt__(self, other: object) -> bool:
        """Answer whether the exact number is below the other one."""
        low, high = _ends(other)
        return self._decided(other, yes=self.upper < low, no=self.lower >= high)

    def __le__(self, other: object) -> bool:
        """Answer whether the exact number is at most the other one."""
        low, high = _ends(other)
        return self._decided(other, yes=self.upper <= low, no=self.lower > high)

    def __gt__(self, other: object) -> bool:
        """Answer whether the exact number is above the other one."""
        return not self <= other

    def __ge__(self, other: object) -> bool:
        """Answer whether the exact number is at least the other one."""
        return not self < other

    def _decided(self, other: object, *, yes: bool, no: bool) -> bool:
        if yes or no:
            return yes
        what = other.text if isinstance(other, Enclosure) else shorten(other)
        raise UndecidedError(
            f"an exact number in {self.text} cannot be compared with {what}: ask for more digits, "
            "or compare .lower or .upper"
        )


def largest_of(enclosures: Iterable[Enclosure]) -> Enclosure:
    """Return the enclosure of the maximum of enclosed numbers.

    Example: ``largest_of([Enclosure("1", "3"), Enclosure("2", "2")]).lower`` is ``"2"``.
    """
    found = list(enclosures)
    return Enclosure(_largest([e.lower for e in found]), _largest([e.upper for e in found]))


def _largest(ends: Sequence[Extended]) -> Extended:
    keys = order_keys(ends)
    return ends[max(range(len(ends)), key=keys.__getitem__)]


def _ends(value: Any) -> tuple[Real | Infinite, Real | Infinite]:
    """The ends of an enclosure, or the number twice; InputError for anything else."""
    if isinstance(value, Enclosure):
        return value.lower, value.upper
    if isinstance(value, Exact | Infinite | Irrational):
        return value, value
    if isinstance(value, float | str) and str(value) in ("inf", "-inf"):
        end = Infinite(str(value))
        return end, end
    found = number(value, "compared with an enclosure")
    exact = Irrational(found) if found.fraction is None else Exact(found.fraction)
    return exact, exact
