"""Exact entries of a channel: a Fraction wherever the value is seen to be rational, else a Number.

Numbers are folded where their exact forms show a rational value: exp(log(3))/4 becomes 3/4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import ExpSum
from pfverify.exact.number import Number, printable
from pfverify.model.channels.weighted import WeightedLaw
from pfverify.model.sums import sum_text

Entry = Fraction | Number
Whole = tuple[list[int], int]
"""Rational numbers, as whole numbers over one denominator."""

_MAX_BITS = 14_284  # of a folded number: at most 4300 digits, as in the grammar
_MAX_PRODUCTS = 1024  # of terms, where quotients of sums are added
_PLAIN = re.compile(r"([0-9]{1,400})(?:/([0-9]{1,400})|\.([0-9]{1,400}))?")


class Reader:
    """Reads the numbers of one table, each text once: large tables repeat a few numbers.

    Example: ``Reader().read("2/8", "rows[0]")`` is ``Fraction(1, 4)``.
    """

    def __init__(self) -> None:
        self._known: dict[str, Entry] = {}

    def read(self, value: object, where: str) -> Entry:
        """Return a number as it is written: a Fraction where it is written as one.

        Raises InputError that begins with `where`.
        """
        if type(value) is int and -(1 << 63) < value < 1 << 63:
            return Fraction(value)
        if type(value) is Fraction and not is_long(value):
            return value
        if type(value) is not str:
            return as_written(printable(value, where))
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = _parsed(value, where)
        return found


def _parsed(text: str, where: str) -> Entry:
    """Read a text; quotients of whole numbers, and decimals, skip the grammar."""
    if (match := _PLAIN.fullmatch(text)) is not None:
        top, bottom, decimals = match.groups()
        if decimals is not None:
            return Fraction(int(top + decimals), 10 ** len(decimals))
        if bottom is None:
            return Fraction(int(top))
        if whole := int(bottom):
            return Fraction(int(top), whole)
    return as_written(printable(text, where))


def as_written(value: Number) -> Entry:
    """Return a number that is written as a rational as a Fraction, else as it is."""
    return value if value.fraction is None else value.fraction


def folded(value: Entry) -> Entry:
    """Return a number whose exact forms show that it is rational as a Fraction, else as it is.

    Rationals of more than 4300 digits stay as they are written.
    Example: ``folded(Number.parse("exp(log(3))/4"))`` is ``Fraction(3, 4)``.
    """
    if isinstance(value, Fraction):
        return value
    if value.fraction is not None:
        return value.fraction
    rational = _proportion(*value.ratio) if value.ratio is not None else None
    if rational is None and value.linear is not None:
        rational = value.linear.as_rational()
    return value if rational is None or is_long(rational) else rational


def _proportion(top: ExpSum, bottom: ExpSum) -> Fraction | None:
    """Return top/bottom where the one is written as a rational multiple of the other."""
    if top.terms.keys() != bottom.terms.keys():
        return None
    shares = {coefficient / bottom.terms[power] for power, coefficient in top.terms.items()}
    return shares.pop() if len(shares) == 1 else None


def is_long(value: Fraction) -> bool:
    """Say whether a rational number has more digits than files do.

    Example: ``is_long(Fraction(1, 3))`` is ``False``.
    """
    return max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS


def as_number(value: Entry) -> Number:
    """Return an entry as a `Number`."""
    return Number.of_rational(value) if isinstance(value, Fraction) else value


def ball_of(value: Entry) -> Raw:
    """Return an enclosure of an entry. Example: ``ball_of(Fraction(1, 2))`` is 0.5."""
    return raw(value) if isinstance(value, Fraction) else value.ball().raw


def text_of(value: Entry) -> str:
    """Return the canonical text of a number as it is written."""
    return str(value) if isinstance(value, Fraction) else value.text


def sign_of(value: Entry) -> int | None:
    """Return -1, 0 or 1, or None where the sign cannot be decided."""
    if isinstance(value, Fraction):
        return (value.numerator > 0) - (value.numerator < 0)
    return value.sign()


def total(values: Iterable[Entry]) -> Entry:
    """Return the exact sum, folded."""
    return folded(total_as_written(values))


def total_as_written(values: Iterable[Entry]) -> Entry:
    """Return the exact sum; a Fraction where all the values are."""
    kept = list(values)
    rational = _rational_sum([value for value in kept if isinstance(value, Fraction)])
    numbers = [value for value in kept if isinstance(value, Number)]
    if not numbers:
        return rational
    if rational:
        numbers.append(Number.of_rational(rational))
    return _sum_of(numbers)


def product(first: Entry, second: Entry) -> Entry:
    """Return the exact product, folded."""
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first * second
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Fraction) and isinstance(other, Number):
            return _scaled(other, one)
    return folded(as_number(first) * as_number(second))


def _scaled(value: Number, factor: Fraction) -> Entry:
    """A number that is not rational times a rational one, however many terms it has."""
    if factor in (0, 1) or value.ratio is None:
        return value if factor == 1 else folded(value * Number.of_rational(factor))
    tree = ("*", ("rational", factor), value.tree)
    ratio = (value.ratio[0].times(factor), value.ratio[1])
    return folded(Number(tree, ratio=ratio, operands=(Number.of_rational(factor), value)))


class Products:
    """Products of entries, each of two values once: rows repeat a few values.

    Example: ``Products().of(Fraction(1, 2), Fraction(1, 3))`` is ``1/6``.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, object], Entry] = {}

    def of(self, first: Entry, second: Entry) -> Entry:
        """Return the exact product, folded."""
        if isinstance(first, Fraction) and isinstance(second, Fraction):
            return first * second
        key = (_value(first), _value(second))
        if key not in self._known:
            self._known[key] = product(first, second)
        return self._known[key]


def _value(entry: Entry) -> object:
    """What two entries of the same value have in common, where that is seen at once."""
    return entry.ratio or entry.tree if isinstance(entry, Number) else entry


def quotient(first: Entry, second: Entry) -> Entry:
    """Return the exact quotient, folded; InputError where the divisor cannot be told from 0."""
    if isinstance(first, Fraction) and isinstance(second, Fraction) and second:
        return first / second
    if second == 1:
        return first
    return folded(as_number(first) / as_number(second))


def difference(first: Entry, second: Entry) -> Entry:
    """Return the exact difference, folded."""
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first - second
    if second == 0:
        return first
    return folded(as_number(first) - as_number(second))


def largest(values: Iterable[Entry], where: str) -> Entry:
    """Return the largest of some numbers; InputError where two cannot be told apart.

    Example: ``largest([Fraction(1), Number.parse("sqrt(2)")], "scores").text`` is ``"sqrt(2)"``.
    """
    kept = list(values)
    fractions = [value for value in kept if isinstance(value, Fraction)]
    if len(fractions) == len(kept):
        return max(fractions)
    best = kept[0]
    for value in kept[1:]:
        sign = sign_of(difference(value, best))
        if sign is None:
            one, other = shorten(text_of(value), 30), shorten(text_of(best), 30)
            raise InputError(f"{where}: cannot decide whether {one} is above {other}")
        if sign > 0:
            best = value
    return best


def _rational_sum(values: list[Fraction]) -> Fraction:
    """Sum over the least common denominator, with one reduction at the end."""
    tops: dict[int, int] = {}
    for value in values:
        tops[value.denominator] = tops.get(value.denominator, 0) + value.numerator
    whole = lcm(*tops)
    return Fraction(sum(top * (whole // bottom) for bottom, top in tops.items()), whole)


def _sum_of(numbers: list[Number]) -> Number:
    """Sum those of one denominator first, then the rest by halves: the expression stays low."""
    groups: dict[object, list[Number]] = {}
    for number in numbers:
        groups.setdefault(None if number.ratio is None else number.ratio[1], []).append(number)
    return _by_halves([_over_one(group) for group in groups.values()])


def _over_one(numbers: list[Number]) -> Number:
    """The sum of numbers over one denominator, or of numbers that are no quotients."""
    ratios = [number.ratio for number in numbers if number.ratio is not None]
    if len(numbers) == 1 or not ratios:
        return _by_halves(numbers)
    terms = chain.from_iterable(top.terms.items() for top, _ in ratios)
    first, second = _halves(numbers)
    tree = ("+", first.tree, second.tree)
    return Number(tree, ratio=(ExpSum.collect(terms), ratios[0][1]), operands=(first, second))


def _by_halves(numbers: list[Number]) -> Number:
    if len(numbers) == 1:
        return numbers[0]
    half = len(numbers) // 2
    first, second = _by_halves(numbers[:half]), _by_halves(numbers[half:])
    if first.ratio is not None and second.ratio is not None:
        (top, bottom), (other_top, other_bottom) = first.ratio, second.ratio
        sizes = [len(part.terms) for part in (top, bottom, other_top, other_bottom)]
        if max(sizes[0] * sizes[3], sizes[2] * sizes[1], sizes[1] * sizes[3]) > _MAX_PRODUCTS:
            return _written_sum(first, second)  # too long to be multiplied out
    return first + second


def _halves(numbers: list[Number]) -> tuple[Number, Number]:
    """Two numbers that are written as the sums of the halves, by halves again."""
    half = len(numbers) // 2
    first, second = (
        part[0] if len(part) == 1 else _written_sum(*_halves(part))
        for part in (numbers[:half], numbers[half:])
    )
    return first, second


def _written_sum(first: Number, second: Number) -> Number:
    """A sum without exact forms: it only stands inside the expression of another."""
    return Number(("+", first.tree, second.tree), operands=(first, second))


class OutputLaw(NamedTuple):
    """The mass of every output; `weighted` is None where one is not rational."""

    entries: tuple[Entry, ...]
    weighted: WeightedLaw | None


def rational(values: Iterable[Entry]) -> list[Fraction] | None:
    """Return numbers that are all rational; None where one is not.

    Example: ``rational([Fraction(1)])`` is ``[Fraction(1, 1)]``.
    """
    kept = list(values)
    found = [value for value in kept if isinstance(value, Fraction)]
    return found if len(found) == len(kept) else None


def over_one_denominator(row: Iterable[Entry]) -> Whole | None:
    """Return a row as whole numbers over one denominator, None where an entry is not rational.

    Example: ``over_one_denominator([Fraction(1, 2), Fraction(1, 3)])`` is ``([3, 2], 6)``.
    """
    fractions = rational(row)
    if fractions is None:
        return None
    bottom = lcm(*{entry.denominator for entry in fractions})
    return [entry.numerator * (bottom // entry.denominator) for entry in fractions], bottom


def check_not_negative(value: Entry, where: str) -> None:
    """Raise InputError that begins with `where` unless an entry is proved to be >= 0."""
    sign = sign_of(value)
    if sign is None:
        raise InputError(f"{where}: cannot decide whether {shorten(text_of(value))} is >= 0")
    if sign < 0:
        raise InputError(f"{where}: {shorten(text_of(value))} is negative, expected a number >= 0")


def check_sum_is_one(values: Iterable[Entry], where: str, what: str) -> None:
    """Raise InputError unless the values sum to exactly 1, with by how much they do not.

    Example: ``check_sum_is_one([Fraction(1, 2)], "rows[0]", "the row of 'a'")`` raises
    "rows[0]: the row of 'a' sums to 1/2, which is 1/2 less than 1, expected exactly 1".
    """
    found = total(values)
    if found == 1:
        return
    gap = total([found, Fraction(-1)])
    sign = sign_of(gap)
    if sign == 0:
        return
    if sign is None:
        raise InputError(f"{where}: cannot decide whether {what} sums to 1")
    way = "more" if sign > 0 else "less"
    if isinstance(found, Fraction) and isinstance(gap, Fraction):
        size = sum_text(found)
        by = f", which is {abs(gap)} {way} than 1" if size == str(found) else ""
        raise InputError(f"{where}: {what} sums to {size}{by}, expected exactly 1")
    about = f"{float(as_number(gap).ball().raw.mid()):.3g}".lstrip("-")
    about = "less than 1e-300" if about == "0" else f"about {about}"
    raise InputError(f"{where}: {what} sums to {about} {way} than 1, expected exactly 1")
