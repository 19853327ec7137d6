"""The numbers that chances of choices are made of: exact entries where they are few, or balls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from pfverify.exact.ball import Ball, Raw, current_precision, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.trees import Leaf
from pfverify.model.channels.entries import Entry, product, quotient, total

_KEPT = 4  # precisions
_MORE_BITS = 64  # than are asked for: sums cancel


class EntryRing:
    """Entries, at a rate: every sum is exact."""

    def __init__(self, rate: Number) -> None:
        self.rate = rate

    def number(self, value: Fraction) -> Entry:
        """Return a rational number."""
        return value

    def power(self, distance: Fraction) -> Entry:
        """Return e**(-rate * distance)."""
        if not distance:
            return Fraction(1)
        found = (Number.of_rational(-distance) * self.rate).exp()
        return total([found])

    def length(self, distance: Fraction) -> Entry:
        """Return rate * distance."""
        return product(distance, total([self.rate]))

    def product(self, first: Entry, second: Entry) -> Entry:
        """Return the product of two."""
        return product(first, second)

    def plus(self, first: Entry, second: Entry) -> Entry:
        """Return the sum of two."""
        return total([first, second])

    def total(self, terms: Sequence[tuple[Entry, Entry]]) -> Entry:
        """Return the sum of products of two."""
        return total(product(a, b) for a, b in terms)

    def quotient(self, first: Entry, second: Entry) -> Entry:
        """Return the quotient."""
        return quotient(first, second)


class BallRing:
    """Balls at the current precision, which a caller keeps while it uses them."""

    def __init__(self, rate: Number) -> None:
        self.rate = rate.ball().raw

    def number(self, value: Fraction) -> Raw:
        """Return a rational number."""
        return raw(value)

    def power(self, distance: Fraction) -> Raw:
        """Return e**(-rate * distance)."""
        return (self.rate * raw(-distance)).exp()

    def length(self, distance: Fraction) -> Raw:
        """Return rate * distance."""
        return self.rate * raw(distance)

    def product(self, first: Raw, second: Raw) -> Raw:
        """Return the product of two."""
        return first * second

    def plus(self, first: Raw, second: Raw) -> Raw:
        """Return the sum of two."""
        return first + second

    def total(self, terms: Sequence[tuple[Raw, Raw]]) -> Raw:
        """Return the sum of products of two."""
        found = raw(0)
        for a, b in terms:
            found += a * b
        return found

    def quotient(self, first: Raw, second: Raw) -> Raw:
        """Return the quotient."""
        return first / second


class EnclosedRow:
    """Numbers that are enclosed together, once at each precision that is asked for, up to `most`.

    At more bits they are what they were at so many.
    """

    def __init__(
        self, name: object, enclose: Callable[[], Sequence[Raw]], most: int | None = None
    ) -> None:
        self.name, self._most = name, most
        self._enclose = enclose
        self._known: dict[int, Sequence[Raw]] = {}

    def at(self, place: int) -> Raw:
        """Return one of them at the current precision."""
        bits = current_precision()
        bits = bits if self._most is None else min(bits, self._most)
        if bits not in self._known:
            if len(self._known) == _KEPT:
                self._known.pop(next(iter(self._known)))
            with precision(bits + _MORE_BITS):
                self._known[bits] = self._enclose()
        return self._known[bits][place]


class EnclosedChance(Leaf):
    """One of them, as a number: those of one name and place are one."""

    def __init__(self, row: EnclosedRow, place: int) -> None:
        self.row, self.place = row, place
        self.text = f"P({place + 1})"

    def ball(self) -> Ball:
        """Return an enclosure at the current precision."""
        return Ball(self.row.at(self.place))

    def __eq__(self, other: object) -> bool:
        mine = self.row.name, self.place
        return isinstance(other, EnclosedChance) and mine == (other.row.name, other.place)

    def __hash__(self) -> int:
        return hash((self.row.name, self.place))


def enclosed_number(row: EnclosedRow, place: int) -> Number:
    """Return one number of a row, of which no exact form is known."""
    return Number(("enclosed", EnclosedChance(row, place)))
