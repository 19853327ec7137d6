"""The atoms of laws, in order."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from core.kinds import Prior
from core.work import product, spend, table_of


def by_floor(x: Fraction) -> tuple[int, Fraction]:
    """As x sorts: whole numbers compare sooner than fractions."""
    return x.numerator // x.denominator, x


def places(p: Prior, q: Prior, extra: Collection[Fraction] = ()) -> list[Fraction]:
    """The atoms of two priors, which have theirs in order, and further points, in order."""
    found = [*p, *q, *extra]
    bits = [x.numerator.bit_length() + x.denominator.bit_length() for x in found]
    spend(24 * len(found) + sum(map(product, bits)))
    table_of(extra)
    return sorted(dict.fromkeys(found), key=by_floor)  # runs, which are merged
