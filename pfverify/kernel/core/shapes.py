"""Data in the shapes that files promise: tables, lists, numbers.

Everything here either returns data in the shape it promises or raises Malformed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import lcm
from typing import Any

from core.grammar import LITERAL, Malformed, Number, bounded, canonical, literal, shown, unsigned
from core.work import price, product, spend, table_of

MAX_TEXT = 10_000  # characters of a number
MAX_MARGIN_EXPONENT = 40_000  # beyond it no margin is proved with the bits allowed
MAX_PAIRS = 1_000_000  # of secrets
MAX_COMMON_BITS = 1 << 18  # of the common denominator of one sum


class Decimal(str):
    """A decimal literal of a file, kept as its text."""


def table(value: Any, what: str, required: set[str], optional: Set[str] = frozenset()) -> Any:
    """A table with exactly these keys."""
    if type(value) is not dict:
        raise Malformed(f"{what} must be a table")
    known = required | optional
    for key in value:
        if key not in known:
            raise Malformed(f"{what} has the key {shown(key)}, not supported by this kernel")
    for key in sorted(required - value.keys()):
        raise Malformed(f"{what} lacks {shown(key)}")
    return value


def string(value: Any, what: str) -> str:
    """A string, and not a decimal."""
    if type(value) is not str:
        raise Malformed(f"{what} must be a string")
    return value


def array(value: Any, what: str) -> list[Any]:
    """A list."""
    if type(value) is not list:
        raise Malformed(f"{what} must be an array")
    return value


def integer(value: Any, what: str, low: int, high: int) -> int:
    """An integer (no bool) in a range."""
    if type(value) is not int or not low <= value <= high:
        raise Malformed(f"{what} must be an integer from {low} to {high}")
    return value


FRACTION = re.compile("(-?[0-9]{1,100})(?:/(?!0+$)([0-9]{1,100}))?")


@lru_cache(maxsize=1 << 16)  # atoms of one law are often those of the next
def _fraction(text: str) -> Fraction | None:
    """Of a text that is no more than one."""
    found = FRACTION.fullmatch(text)
    return None if found is None else Fraction(int(found[1]), int(found[2] or 1))


def parse(text: str) -> Number:
    """The number that a text stands for (whether its logarithms and divisions are defined is
    decided elsewhere)."""
    if len(text) > MAX_TEXT:
        raise Malformed(f"a number of more than {MAX_TEXT} characters")
    if (fraction := _fraction(text)) is not None:  # as most numbers of a large problem are
        return fraction
    if decimal := re.fullmatch(LITERAL, text):
        return literal(*decimal.groups())
    from core.expressions import expression

    return expression(text)


def number(value: Any, what: str) -> Number:
    """A number of a problem file: an integer, a decimal, or a string in the number grammar (whether
    it is defined is not asked here)."""
    try:
        if type(value) is int:
            return bounded(Fraction(value))
        if type(value) in (str, Decimal):
            return parse(value)
    except Malformed as reason:
        raise Malformed(f"{what}: {reason}") from None
    raise Malformed(f"{what} must be an integer, a decimal or a string")


def rational(value: Any, what: str) -> Fraction:
    """A number without exp and log."""
    if type(value) is str and (fraction := _fraction(value)) is not None:
        return fraction
    x = number(value, what)
    if not isinstance(x, Fraction):
        raise Malformed(f"{what} must be rational")
    return x


def canonical_rational(value: Any, what: str) -> Fraction:
    """A rational written as in the digest: one text per number."""
    x = rational(string(value, what), what)
    if canonical(x) != value:
        raise Malformed(f"{what} is not written canonically")
    return x


def decimal(value: Any, what: str) -> Fraction:
    """An unsigned decimal literal of a certificate."""
    return bounded(unsigned(string(value, what), what))


def margin(value: Any) -> Fraction:
    """A margin: an unsigned decimal literal that may be tiny."""
    return unsigned(string(value, "margin"), "margin", MAX_MARGIN_EXPONENT)


def common_denominator(
    values: Iterable[Fraction | int], what: str, most: int = MAX_COMMON_BITS
) -> int:
    """The least one, of at most so many bits."""
    found = 1
    for denominator, alike in groupby(m.denominator for m in values):
        if found % denominator:
            found = lcm(found, denominator)
        if found.bit_length() > most:
            raise Malformed(f"{what}: a common denominator that is too long")
        spend(len([*alike]) * (4 + (found.bit_length() >> 6)))
    spend(price(found.bit_length()))
    return found


def exact_sum(values: Sequence[Fraction | int], what: str) -> Fraction:
    """The exact sum, as integers over one common denominator of bounded size."""
    denominator = common_denominator(values, what)
    parts = (m.numerator * (denominator // m.denominator) for m in values)
    return Fraction(sum(parts), denominator)


def by_floor(x: Fraction) -> tuple[int, Fraction]:
    """As x sorts: whole numbers compare sooner than fractions."""
    return x.numerator // x.denominator, x


def places(*laws: Iterable[Fraction]) -> list[Fraction]:
    """The atoms of two priors, which have theirs in order, and further points, in order."""
    found = [x for law in laws for x in law]
    bits = [x.numerator.bit_length() + x.denominator.bit_length() for x in found]
    spend(24 * len(found) + sum(map(product, bits)))
    table_of(x for law in laws[2:] for x in law)
    return sorted(dict.fromkeys(found), key=by_floor)  # runs, which are merged
