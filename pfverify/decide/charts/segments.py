"""A sign chart of the noisy number, cut where steps make outputs of it.

Steps never decrease, so that every output is an interval of the noisy number, or a number that is
kept. Where the chart's sign changes inside an output, that output is looked at as a whole; all else
is made of whole outputs, or of kept density, with one sign. So finitely many outputs are looked at,
however many there are.
Source: design facts F5 and F45.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pfverify.decide.charts.chart import End, Piece
from pfverify.model.steps.chain import Part, StepChain
from pfverify.model.steps.step import SUPPRESSED


@dataclass(frozen=True)
class CutPiece:
    """An interval of the noisy number.

    One `output` (its name), or whole outputs and kept density (None). `sign`: of g there, where it
    is known to be one.
    """

    low: End
    high: End
    output: str | None
    sign: int | None


def segments(outputs: StepChain, pieces: Sequence[Piece]) -> list[CutPiece]:
    """Return a chart cut into what steps make of it, from left to right."""
    places = [piece.high for piece in pieces if piece.high is not None]
    parts = _touched(outputs, places) if outputs.kept is None else outputs.kept
    singles = [part for part in parts if part.output is not None]
    cuts: set[Fraction] = set(places)
    for low, high, _ in singles:
        cuts.difference_update(_between(places, low, high))
        cuts |= {x for x in (low, high) if x is not None}
    limits: list[End] = [None, *sorted(cuts), None]
    names = {(low, high): name for low, high, name in singles}
    found = []
    for low, high in pairwise(limits):
        start = 0 if low is None else bisect_right(places, low)
        stop = len(places) if high is None else bisect_left(places, high)
        signs = {piece.sign for piece in pieces[start : stop + 1]}
        sign = signs.pop() if len(signs) == 1 else None
        found.append(CutPiece(low, high, names.get((low, high)), sign))
    return found


def _touched(outputs: StepChain, places: Sequence[Fraction]) -> list[Part]:
    """The outputs that hold a place inside, and what is suppressed."""
    hidden, found = outputs.suppressed, list[Part]()
    if hidden is not None:
        found.append(Part(*hidden.limits, SUPPRESSED))
    for place in places:
        if found and (found[-1].high is None or place < found[-1].high):
            continue  # inside the last one
        one = outputs.behind(place)
        if one is not None and one.low != place:
            found.append(one)
    return found


def _between(places: Sequence[Fraction], low: End, high: End) -> Sequence[Fraction]:
    """The places inside an interval, without its ends."""
    start = 0 if low is None else bisect_right(places, low)
    return places[start : len(places) if high is None else bisect_left(places, high)]
