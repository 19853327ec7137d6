"""Steps that cut the line: clamp, threshold, and bins, by their names or by numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import inf
from typing import Any

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.argument import Number
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import rational
from pfverify.model.keys import NUMBER, NUMBERS, Key
from pfverify.model.steps.places import HIDDEN, Cut, Integers, PiecewiseClamp, Place, place_of
from pfverify.model.steps.step import (
    SUPPRESSED,
    AnyStep,
    Image,
    Lattice,
    PostStep,
    common_lattice,
)

_KEEP = ("at-least", "above")
_STANDS = ("lower", "middle", "upper")


class CutStep(PostStep):
    """A step that is finitely many cuts, and an image for each part between: all else follows."""

    cuts: tuple[Cut, ...]

    def _keep_parts(self, cuts: Sequence[Cut], images: Sequence[Image]) -> None:
        numbers = [*(cut.at for cut in cuts), *_numbers(images)]
        self._keep(
            cuts=tuple(cuts), images=tuple(images), numbers=numbers, reach=max(map(abs, numbers))
        )

    def apply(self, number: Fraction) -> Fraction | str:
        """Return what becomes of one number."""
        image = self.images[bisect_right(self.cuts, Cut(number))]
        return number if image is None else image

    def most(self, width: Fraction) -> int | None:
        """Return the number of parts; None where one of them stays."""
        del width
        return None if None in self.images else len(self.images)

    def lattice(self, found: Lattice) -> Lattice:
        """Return one that holds what its parts become too; None on a line."""
        if found is None:
            return None
        origin, unit = found
        return origin, common_lattice([origin, origin + unit, *_numbers(self.images)])[1]

    def moved(self, cuts: Any, unit: int) -> Any:
        """Return the cuts where they stay, else what their parts become."""
        return _maps(self, unit)[0](cuts)

    def before(self, cuts: Any, unit: int) -> Any:
        """Return where the first parts begin that do not lie before the cuts, or the cuts there."""
        return _maps(self, unit)[1](cuts)

    def breaks(self, first: int, last: int, unit: int) -> Integers:
        """Return all cuts."""
        del first, last
        return _maps(self, unit)[0].arrays[0]


def _numbers(images: Sequence[Image]) -> list[Fraction]:
    return [image for image in images if isinstance(image, Fraction)]


@lru_cache(maxsize=64)
def _maps(step: CutStep, unit: int) -> tuple[PiecewiseClamp, PiecewiseClamp]:
    """What becomes of the numbers behind a cut, and before which cut they become less than one.

    The part in which they do is the first whose images do not all lie below; if it stays, they
    do at the cut itself.
    """
    cuts = [place_of(cut, unit) for cut in step.cuts]
    begins, ends = [-inf, *cuts], [*cuts, inf]
    fixed = [_fixed(image, 2 * k, unit) for k, image in enumerate(step.images)]
    lows, highs = ([far if x is None else x for x in fixed] for far in (-inf, inf))
    tops = [end if x is None else x + 1 for x, end in zip(fixed, ends, strict=True)]
    stops = [inf if x is None else begin for x, begin in zip(fixed, begins, strict=True)]
    return (
        PiecewiseClamp(cuts, lows, highs),
        PiecewiseClamp([*accumulate(tops, max)], [*begins, inf], [*stops, inf]),
    )


def _fixed(image: Image, named: int, unit: int) -> Place | None:
    """The place that stands for an image, for a name one of its own; None: numbers stay."""
    match image:
        case None:
            return None
        case Fraction():
            return place_of(Cut(image), unit)
        case _:
            return HIDDEN if image == SUPPRESSED else named


class Clamp(CutStep):
    """Numbers below `low` become it, and those above `high` become that.

    Raises InputError unless low <= high, both rational.
    Example: ``Clamp("0", "100").apply(Fraction(-3))`` is ``0``.
    """

    key = "clamp"
    low: Fraction
    high: Fraction

    def __init__(self, low: Number, high: Number) -> None:
        least, most = rational(low, "low"), rational(high, "high")
        if least > most:
            raise InputError(f"low: {shorten(least)} is above high, which is {shorten(most)}")
        self._keep(low=least, high=most)
        self._keep_parts([Cut(least, after=least < most), Cut(most)], [least, None, most])

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return a list of two numbers."""
        return {"type": "array", "minItems": 2, "maxItems": 2, "items": NUMBER}

    @classmethod
    def from_value(cls, value: Sequence[Any]) -> Clamp:
        """Return the step of [low, high]."""
        if len(value) != 2:
            raise InputError(f"expected two numbers, low and high, got {len(value)}")
        return cls(*value)

    def canonical(self) -> Any:
        """Return [low, high]."""
        return [str(self.low), str(self.high)]

    @property
    def words(self) -> str:
        """The step and its ends."""
        return f"clamp to [{shorten(self.low, 24)}, {shorten(self.high, 24)}]"


class Threshold(CutStep):
    """Numbers that are at least `at` (or, with `keep` = above, above it) stay: the rest is hidden.

    What is hidden is published as the symbol `suppressed`.
    Raises InputError unless `at` is rational and `keep` is at-least or above.
    Example: ``Threshold(5).apply(Fraction(4))`` is ``"suppressed"``.
    """

    key = "threshold"
    keys = (
        Key("at", "the threshold", needed=True),
        Key("keep", "which numbers stay; default at-least", {"enum": list(_KEEP)}),
    )
    at: Fraction
    keep: str

    def __init__(self, at: Number, keep: str = "at-least") -> None:
        if keep not in _KEEP:
            raise InputError(f"keep: {shorten(keep)!r} is unknown, expected {' or '.join(_KEEP)}")
        self._keep(at=rational(at, "at"), keep=keep)
        self._keep_parts([Cut(self.at, after=keep == "above")], [SUPPRESSED, None])

    @property
    def words(self) -> str:
        """What stays."""
        kept = self.keep.replace("-", " ")
        at = shorten(decimal_text(self.at), 24)
        return f"threshold: what is {kept} {at} stays, the rest is {SUPPRESSED}"


def _texts(numbers: Sequence[Fraction]) -> list[str]:
    return [str(x) for x in numbers]


def _edges_key(least: int) -> Key:
    """The key of at least so many edges of bins."""
    shape = NUMBERS | {"minItems": least}
    return Key("edges", "increasing numbers", shape, needed=True, text=_texts)


class ToBins(CutStep):
    """Numbers are published as the interval that they lie in: [a, b) between neighbouring edges.

    The first and the last interval have no end. Raises InputError unless the edges increase.
    Example: ``ToBins(["0", "10"]).apply(Fraction(10))`` is ``"[10, inf)"``.
    """

    key = "bins"
    keys = (_edges_key(1),)
    naming = True
    edges: tuple[Fraction, ...]

    def __init__(self, edges: Sequence[Number]) -> None:
        found = _increasing(edges, 1)
        opens, closes = [f"[{x}" for x in found], [f"{x})" for x in found]
        names = zip(["(-inf", *opens], [*closes, "inf)"], strict=True)
        self._keep(edges=found)
        self._keep_parts([Cut(x) for x in found], [", ".join(ends) for ends in names])

    @property
    def words(self) -> str:
        """How many bins."""
        return f"one of {len(self.images)} bins"


class ToBinNumbers(AnyStep):
    """Numbers become one that stands for their bin, [a, b) between neighbouring edges.

    That is its lower end, its upper end, or the middle. A number below the first edge, or not below
    the last one, is in no bin and refused: a clamp may come first.
    Raises InputError unless at least two edges increase and `at` is one of the three.
    Example: ``ToBinNumbers(["0", "10"], "middle").apply(Fraction(3))`` is ``5``.
    """

    key = "bins"
    keys = (
        _edges_key(2),
        Key("at", "which number stands for a bin", {"enum": list(_STANDS)}, needed=True),
    )
    edges: tuple[Fraction, ...]
    at: str

    def __init__(self, edges: Sequence[Number], at: str) -> None:
        if at not in _STANDS:
            raise InputError(f"at: {shorten(at)!r} is unknown, expected lower, middle or upper")
        self._keep(edges=_increasing(edges, 2), at=at)

    @property
    def words(self) -> str:
        """How many bins, and what stands for each."""
        count = len(self.edges) - 1
        bins = "1 bin" if count == 1 else f"{count} bins"
        end = self.at if self.at == "middle" else f"{self.at} end"
        return f"the {end} of one of {bins}"

    def apply(self, number: Fraction) -> Fraction:
        """Return what stands for the bin of a number; InputError where it is in none."""
        k = bisect_right(self.edges, number)
        if not 0 < k < len(self.edges):
            first, last = (shorten(edge, 24) for edge in (self.edges[0], self.edges[-1]))
            raise InputError(
                f"bins: {shorten(number, 24)} is in none, expected numbers from {first} on and "
                f"below {last} (a clamp may come first)"
            )
        low, high = self.edges[k - 1 : k + 1]
        return {"lower": low, "middle": (low + high) / 2, "upper": high}[self.at]


def _increasing(edges: Sequence[Number], least: int) -> tuple[Fraction, ...]:
    """The edges of bins; InputError unless there are so many, and they increase."""
    listing = listed(edges, "edges", "a list of numbers")
    found = tuple(rational(x, f"edges[{k}]") for k, x in enumerate(listing))
    if len(found) < least:
        raise InputError(f"edges: {len(found)} of them, expected at least {least}")
    for k, (a, b) in enumerate(pairwise(found)):
        if a >= b:
            raise InputError(
                f"edges[{k + 1}]: {shorten(b)} is not above {shorten(a)}, expected increasing "
                "numbers"
            )
    return found
