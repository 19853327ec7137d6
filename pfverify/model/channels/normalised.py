"""Rows that are proportional to powers of e."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.exact.number import Number
from pfverify.model.channels.entries import Entry, as_number, quotient, total_as_written


def normalised(weights: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return positive weights divided by their sum.

    Rational weights give rational entries. Otherwise every entry keeps one common denominator,
    so that entries of a row compare as their weights do.
    Example: ``normalised([Fraction(1), Fraction(3)])`` is ``(1/4, 3/4)``.
    """
    whole = total_as_written(weights)  # of positive terms: not rational where one of them is not
    known: dict[int, Entry] = {}
    for weight in weights:
        if id(weight) not in known:
            known[id(weight)] = _share(weight, whole)
    return tuple(known[id(weight)] for weight in weights)


def _share(weight: Entry, whole: Entry) -> Entry:
    if isinstance(whole, Fraction) and isinstance(weight, Fraction):
        return weight / whole
    part, bottom = as_number(weight), as_number(whole)
    if part.ratio is None or bottom.ratio is None or part.ratio[1] != bottom.ratio[1]:
        return quotient(weight, whole)
    tree = ("/", part.tree, bottom.tree)
    return Number(tree, ratio=(part.ratio[0], bottom.ratio[0]), operands=(part, bottom))
