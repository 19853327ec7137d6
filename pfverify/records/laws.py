"""The law of the values under one secret: counted, or a normal law fitted to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm, log2
from typing import Any

from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_text

MAX_CATEGORIES = 1000
"""Of a histogram."""
MAX_ATOMS = 200_000
"""Different values under one secret that are written as atoms."""
DIGITS = 4
"""Significant digits of a fitted mean or variance."""
_FINE = 50  # a mean is written to an sd over this at least


class EmpiricalLaw(ABC):
    """What is known of the values of some rows. `rows`: how many there are."""

    fit: str | None = None
    """What was fitted to them, in words."""

    def __init__(self) -> None:
        """Start without any row."""
        self.rows = 0

    def add(self, value: int | Fraction, rows: int) -> None:
        """Take a value that so many rows have."""
        self.rows += rows
        self._take(value, rows)

    @abstractmethod
    def _take(self, value: int | Fraction, rows: int) -> None: ...

    @abstractmethod
    def merge(self, other: EmpiricalLaw) -> None:
        """Take all rows of another law of the same kind."""

    @abstractmethod
    def sum_bits(self, count: int) -> float:
        """Return about how many bits the exact law of the sum of so many such values takes."""

    @abstractmethod
    def table(self) -> dict[str, Any]:
        """Return the law as a problem file writes it, without the kind of a prior."""


class CountedLaw(EmpiricalLaw):
    """The values with how often each occurs. Example: ``CountedLaw().counts`` is ``Counter()``."""

    def __init__(self) -> None:
        """Start without any row."""
        super().__init__()
        self.counts: Counter[int | Fraction] = Counter()

    def _take(self, value: int | Fraction, rows: int) -> None:
        self.counts[value] += rows
        if len(self.counts) > MAX_ATOMS:
            raise InputError(
                f"more than {MAX_ATOMS} different values under one secret: put them into "
                "intervals (--bin-width, --bins), or fit a law (--fit gaussian)"
            )

    def merge(self, other: EmpiricalLaw) -> None:
        """Take all rows of another law."""
        if not isinstance(other, CountedLaw):
            raise TypeError(f"a counted law takes no {type(other).__name__}")
        self.rows += other.rows
        self.counts.update(other.counts)

    def sum_bits(self, count: int) -> float:
        """Return the number of values of the sum, times the bits of their denominator."""
        common = lcm(*(value.denominator for value in self.counts))
        places = [int(value * common) for value in self.counts]
        step = gcd(*(place - places[0] for place in places)) or 1
        values = count * ((max(places) - min(places)) // step) + 1
        return values * count * log2(self.rows // gcd(*self.counts.values()))

    def table(self) -> dict[str, Any]:
        """Return the counts, sorted by value."""
        values = sorted(self.counts)
        return {"counts": {decimal_text(Fraction(x)): self.counts[x] for x in values}}


class PointLaw(EmpiricalLaw):
    """The points of several columns with how often each occurs.

    Example: ``PointLaw(["income", "age"]).table()["names"]`` is ``["income", "age"]``.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Start without any row."""
        super().__init__()
        self.names = names
        self.counts: Counter[tuple[int | Fraction, ...]] = Counter()

    def add_point(self, point: tuple[int | Fraction, ...], rows: int) -> None:
        """Take a point that so many rows have; InputError where there are too many points."""
        self.rows += rows
        self.counts[point] += rows
        if len(self.counts) > MAX_ATOMS:
            raise InputError(
                f"more than {MAX_ATOMS} different points under one secret: release fewer columns, "
                "or columns of fewer values"
            )

    def _take(self, value: int | Fraction, rows: int) -> None:
        self.add_point((value,), rows)

    def merge(self, other: EmpiricalLaw) -> None:
        """Take all rows of another law."""
        if not isinstance(other, PointLaw):
            raise TypeError(f"a law of points takes no {type(other).__name__}")
        self.rows += other.rows
        self.counts.update(other.counts)

    def sum_bits(self, count: int) -> float:
        """Refuse: nothing sums points of records."""
        raise TypeError("points of records are not summed")

    def table(self) -> dict[str, Any]:
        """Return the names, and the counts sorted by point."""
        rows = [[*map(written, point), self.counts[point]] for point in sorted(self.counts)]
        return {"names": [*self.names], "counts": rows}


class CategoryLaw(EmpiricalLaw):
    """The categories of a histogram with how often each occurs.

    Example: ``CategoryLaw().counts`` is ``Counter()``.
    """

    def __init__(self) -> None:
        """Start without any row."""
        super().__init__()
        self.counts: Counter[str] = Counter()

    def add_category(self, name: str, rows: int) -> None:
        """Take a category that so many rows have; InputError where there are too many."""
        self.rows += rows
        self.counts[name] += rows
        if len(self.counts) > MAX_CATEGORIES:
            raise InputError(
                f"--release histogram: more than {MAX_CATEGORIES} categories; merge some in the "
                "data, or leave them out with --where, or count numbers in intervals (--bins)"
            )

    def _take(self, value: int | Fraction, rows: int) -> None:
        raise TypeError(f"{value} is no category, of {rows} rows")

    def merge(self, other: EmpiricalLaw) -> None:
        """Take all rows of another law."""
        if not isinstance(other, CategoryLaw):
            raise TypeError(f"a law of categories takes no {type(other).__name__}")
        for name, rows in other.counts.items():
            self.add_category(name, rows)

    def sum_bits(self, count: int) -> float:
        """Return the number of points of the grid of so many users, times their bits."""
        return float(count + 1) ** len(self.counts) * count * log2(self.rows)

    def table(self) -> dict[str, Any]:
        """Return the counts, sorted by name."""
        return {"counts": {name: self.counts[name] for name in sorted(self.counts)}}


def written(value: int | Fraction) -> int | str:
    """Return a number as a row of a problem file has it.

    Example: ``written(Fraction(1, 2))`` is ``"0.5"``.
    """
    return int(value) if value.denominator == 1 else decimal_text(Fraction(value))


class FittedNormal(EmpiricalLaw):
    """The normal law with the mean and the variance of the values, both worked out exactly."""

    fit = "gaussian: the mean and the variance of the values, rounded"

    def __init__(self) -> None:
        """Start without any row."""
        super().__init__()
        self._sums: Counter[int] = Counter()  # by denominator, of the numerators
        self._squares: Counter[int] = Counter()  # by denominator, of their squares

    def _take(self, value: int | Fraction, rows: int) -> None:
        top, bottom = value.numerator, value.denominator
        self._sums[bottom] += rows * top
        self._squares[bottom] += rows * top * top

    def merge(self, other: EmpiricalLaw) -> None:
        """Take all rows of another law."""
        if not isinstance(other, FittedNormal):
            raise TypeError(f"a normal law takes no {type(other).__name__}")
        self.rows += other.rows
        self._sums.update(other._sums)
        self._squares.update(other._squares)

    def sum_bits(self, count: int) -> float:
        """Return 0: the sum is one normal law."""
        return 0

    def table(self) -> dict[str, Any]:
        """Return mean and variance, rounded to a few digits."""
        total = sum((Fraction(top, bottom) for bottom, top in self._sums.items()), Fraction(0))
        squares = (Fraction(top, bottom**2) for bottom, top in self._squares.items())
        mean = total / self.rows
        variance = sum(squares, Fraction(0)) / self.rows - mean * mean
        if variance == 0:
            raise InputError("--fit gaussian: all values under one secret are the same number")
        return {"mean": short_mean(mean, variance), "variance": short(variance)}


def short(value: Fraction) -> str:
    """Return a number rounded to a few significant digits, as a decimal.

    Example: ``short(Fraction(2, 3))`` is ``"0.6667"``.
    """
    return _rounded(value, _unit(value))


def short_mean(mean: Fraction, variance: Fraction) -> str:
    """Return a mean rounded to a few significant digits, more where the sd asks for them.

    Example: ``short_mean(Fraction(1234567, 10), Fraction(1))`` is ``"123456.7"``.
    """
    unit = _unit(mean) if mean else _unit(variance)
    while (unit * _FINE) ** 2 > variance:
        unit /= 10
    return _rounded(mean, unit)


def _unit(value: Fraction) -> Fraction:
    """One unit of the last digit that is kept of a number other than 0."""
    unit = Fraction(1)
    while abs(value) >= 10 * unit:
        unit *= 10
    while abs(value) < unit:
        unit /= 10
    return unit / Fraction(10 ** (DIGITS - 1))


def _rounded(value: Fraction, unit: Fraction) -> str:
    return decimal_text(round(value / unit) * unit)
