"""The largest of finitely many numbers, one for each place, against a bound.

A ratio of densities, or an excess, has its supremum at finitely many places. Balls at rising
precision drop those whose number is surely smaller; where what they leave may tie with the bound an
exact test decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic, TypeVar

from pfverify.decide.breach import no_gap
from pfverify.decide.excess import positive_margin
from pfverify.exact.ball import Ball, Raw, largest, precision
from pfverify.exact.expsum import CAP_BITS, ZERO_TEST_BITS
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.exact.refined import Between, ByBalls, exactly
from pfverify.exact.rising import MOST_BITS, rising

P = TypeVar("P")
Numbers = Callable[[Mapping[P, Raw]], dict[P, Raw]]
"""The numbers of these places at the current precision, maybe with those of others."""
Signs = Callable[[list[P], bool], dict[P, int]]
"""Exact signs of number - bound at places, as far as they are settled: one that is 1 ends it.

With True all are asked in full, else where that is cheap.
"""
FEW = 8
"""So many places are asked one by one, and in full."""
_THINNED = 7 / 8  # of the places left by a pass: so few, and the next one drops more
_MANY_BITS = 1 << 13  # where more than a few places are asked in full as well


@dataclass(frozen=True)
class AtPlaces(NoTruth, Generic[P], ask="read .sign, which may be None"):
    """The sign of a largest number less a bound, and that number.

    `ties` are the places that meet the bound exactly, where the sign is 0; `margin` is what exceeds
    it at the worst place, proved to be > 0, where the sign is 1.
    """

    sign: int | None
    amount: ByBalls | Between
    find_worst: Callable[[], P]
    margin: Callable[[], Raw | None] = no_gap
    ties: tuple[P, ...] = ()

    @cached_property
    def worst(self) -> P:
        """The worst place, found when it is asked for: a verdict alone does not need it."""
        return self.find_worst()


class Largest(Generic[P]):
    """The places that may have the largest number, as far as the precision tells.

    `found` are the numbers of places at `bits` bits, where the precision rises from what is known;
    or places alone, of which the first pass has `bits` more than are asked for. `exact` gives exact
    signs against a bound, None outside the exact classes; `settles` says whether round numbers are
    tested for being the largest.
    """

    def __init__(
        self,
        numbers: Numbers[P],
        bits: int,
        found: Mapping[P, Raw] | Sequence[P],
        exact: Callable[[Number], Signs[P] | None],
        settles: Callable[[], bool],
    ) -> None:
        self.numbers, self.exact, self.settles, self._first = numbers, exact, settles, bits
        if isinstance(found, Mapping):
            self.bits, self._spare = bits, 0
            self._keep(found)
        else:
            self.bits, self._spare = 0, bits
            self._kept = dict.fromkeys(found, Raw(0))

    @property
    def kept(self) -> dict[P, Raw]:
        """The numbers of the places that are left, from the last pass."""
        self.ball(self._first)
        return self._kept

    def _keep(self, found: Mapping[P, Raw]) -> None:
        self._enclosure = Ball(largest(found.values()))
        finite = [value for value in found.values() if value.is_finite()]
        best = largest(finite) if finite else None
        self._kept = {k: x for k, x in found.items() if best is None or not x < best}

    def refine(self, bits: int) -> None:
        """Evaluate what is left again at `bits` bits, and drop what is surely smaller."""
        self.bits = bits
        with precision(bits):
            self._keep(self.numbers(self._kept))

    @property
    def worst(self) -> P:
        """A place with about the largest number, as far as the precision tells."""
        kept = self.kept
        finite = [k for k, value in kept.items() if value.is_finite()]
        return max(finite or list(kept), key=lambda k: kept[k].mid())

    def ball(self, bits: int) -> Ball:
        """Return an enclosure of the largest at so many bits, or at more that are known."""
        if bits > self.bits:
            self.refine(bits)
        return self._enclosure

    def balls(self, bits: int) -> Iterator[Ball]:
        """Yield enclosures of the largest, from what is known on."""
        # where every pass drops places it begins with what the last one left
        first = max(self.bits, self._spare and self._spare + bits)
        for working in rising(first, 2 * CAP_BITS):
            yield self.ball(working)

    def is_exactly(self, value: Fraction) -> bool:
        """Say whether the largest is proved to be a number."""
        exact = self.exact(Number.of_rational(value)) if self.settles() else None
        return exact is not None and self._exactly(exact, final=len(self.kept) <= FEW)[0] == 0

    @property
    def amount(self) -> ByBalls:
        """The largest number, known better and better."""
        return ByBalls(self.balls, is_exactly=self.is_exactly)

    def against(self, bound: Number) -> tuple[int | None, tuple[P, ...]]:
        """Return the sign of the largest less a bound, and places that have it (of -1 none)."""
        exact = self.exact(bound)
        for bits in rising(max(self.bits, self._first), 2 * CAP_BITS):
            before = len(self._kept)
            found = self.ball(bits)
            with precision(bits):
                sign = (found - bound.ball()).certain_sign()
            if sign is not None:
                return sign, ()
            dropping = 1 < len(self.kept) <= before * _THINNED and bits < _MANY_BITS
            if bits < ZERO_TEST_BITS or dropping:
                continue  # a pass is cheaper than exact sums at the places that it drops
            final = bits >= _MANY_BITS or (exact is not None and len(self.kept) <= FEW)
            if exact is not None:
                sign, places = self._exactly(exact, final=final)
                if sign is not None:
                    return sign, places
            if final:
                break
        return None, ()

    def _exactly(self, exact: Signs[P], *, final: bool) -> tuple[int | None, tuple[P, ...]]:
        signs = exact(list(self.kept), final)
        if 1 in signs.values():
            return 1, tuple(k for k, sign in signs.items() if sign == 1)
        if len(signs) < len(self.kept):
            return None, ()
        ties = tuple(k for k in self.kept if signs[k] == 0)
        return (0 if ties else -1), ties

    def decided(self, bound: Number) -> AtPlaces[P]:
        """Return the sign against a bound with what goes with it; at a tie the bound is the number.
        """
        sign, places = self.against(bound)
        amount: ByBalls | Between = self.amount
        if sign == 0 and bound.fraction is not None:
            amount = exactly(bound.fraction)
        worst = places[0] if sign == 1 and places else self.worst
        return AtPlaces(
            sign, amount, lambda: worst, lambda: self.margin(worst, bound),
            places if sign == 0 else (),
        )  # fmt: skip

    def margin(self, place: P, bound: Number) -> Raw | None:
        """Return number - bound at a place, proved to be > 0; None if that is not found."""
        known = self.kept.get(place)

        def gap() -> Raw:
            nonlocal known
            here = self.numbers({place: Raw(0)})[place] if known is None else known
            known = None
            return here - bound.ball().raw

        return positive_margin(gap, self.bits, MOST_BITS)
