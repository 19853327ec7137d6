"""Rational masses, as integers over a total: the ratio p/q is rational."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from pfverify.decide.comparison import Orders, Settled
from pfverify.decide.excess import Masses, excess_sign, least_epsilon_of
from pfverify.decide.masses.finite import (
    TIED_EXCESS,
    TIED_RATIO,
    Indices,
    MassComparison,
    Outputs,
)
from pfverify.decide.masses.ranking import Output, Ranking
from pfverify.exact.ball import Raw, dyadic, precision, raw_quotient
from pfverify.exact.number import Number
from pfverify.exact.refined import Refined
from pfverify.model.channels.weighted import WeightedLaw
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_PASS_BITS = 128
_ZERO = Number.of_rational(0)


def both_orders(
    first: WeightedLaw, second: WeightedLaw, outputs: Outputs, target: Target
) -> Orders:
    """Return both orders of two laws of rational masses over the same outputs."""
    ranking = Ranking.of(first, second)
    return (
        RationalMasses(ranking, outputs, target),
        RationalMasses(ranking.turned(), outputs, target),
    )


class RationalMasses(MassComparison):
    """One order of two laws of rational masses, ranked by their ratios."""

    tied, names_excess = TIED_EXCESS, True

    def __init__(self, ranking: Ranking, outputs: Outputs, target: Target) -> None:
        self.ranking, self.outputs, self.target = ranking, outputs, target
        one, other = ranking.totals
        self.whole = one * other  # what the masses of the ranking are over

    @cached_property
    def equal(self) -> bool:
        """Whether the two laws are the same."""
        if self.ranking.differs:
            return False
        one, other = self.ranking.laws
        if one.total == other.total:
            return np.array_equal(one.weights, other.weights)
        doubtful, every = self.ranking.split(1.0, 1.0), len(self.ranking.order)
        return doubtful == (0, every) and all(a == b for _, a, b in self.ranking.outputs(0, every))

    def against(self, target: Target) -> RationalMasses:
        """Return the same laws in the same order, held to another target."""
        return RationalMasses(self.ranking, self.outputs, target)

    def masses(self, index: int) -> Masses:
        """Return P and Q of one atom."""
        return self._masses(*self.ranking.output(index)[1:])

    def of(self, indices: Iterable[int]) -> Masses:
        """Return P and Q of a set of atoms."""
        chosen = [self.ranking.output(k) for k in indices]
        return self._masses(sum(a for _, a, _ in chosen), sum(b for _, _, b in chosen))

    def _masses(self, p: int, q: int) -> Masses:
        return Fraction(p, self.whole), Fraction(q, self.whole)

    @cached_property
    def _worst(self) -> Output:
        """The atom with the largest ratio p/q (of those with q = 0 the one with the largest p)."""
        best, *others = self.ranking.outputs(0, self.ranking.steepest)
        for found in others:
            (_, a, b), (_, top, bottom) = found, best
            if a * bottom > top * b or (not b and not bottom and a > top):
                best = found
        return best

    @property
    def worst(self) -> int:
        """The atom with the largest ratio p/q (of those with q = 0 the one with the largest p)."""
        return self._worst[0]

    @property
    def unbounded(self) -> bool:
        """Whether an atom has q = 0 < p."""
        return not self._worst[2]

    @property
    def steepest(self) -> list[int]:
        """The atom with the largest ratio."""
        return [self.worst]

    def ratio_ball(self, index: int) -> Raw:
        """Enclose the ratio p/q of an atom with q > 0."""
        _, p, q = self.ranking.output(index)
        return raw_quotient(p, q)

    def told(self) -> Settled:
        """Decide the target, equal laws too: they may tie."""
        return self.answered()

    @cached_property
    def signs(self) -> Settled:
        """The sign of p - e**epsilon q where the ratio p/q is largest."""
        worst, p, q = self._worst
        growth = self._growth
        if p == q:  # the largest ratio is 1: the priors are equal
            sign = self.target.epsilon.sign()
            sign = None if sign is None else -sign
        elif growth is None:
            sign = -1 if q else 1
        elif (p << growth.shift) > growth.high * q:
            sign = 1
        elif (p << growth.shift) < growth.low * q:
            sign = -1
        else:
            sign = excess_sign(*self._masses(p, q), self.target, _ZERO)
        return Settled(
            sign, self.proved, TIED_RATIO if sign is None else None,
            self._ties() if sign == 0 else (), lambda: self.breach((worst,)),
        )  # fmt: skip

    def _ties(self) -> tuple[Fraction, ...]:
        """The atoms with the largest ratio, where they are numbers."""
        _, p, q = self._worst
        steepest = self.ranking.outputs(0, self.ranking.steepest)
        tied = (self.outputs.place(k) for k, a, b in steepest if a and a * q == p * b)
        return tuple(y for y in tied if isinstance(y, Fraction))

    @property
    def _growth(self) -> Growth | None:
        """What encloses e**epsilon; None where it is larger than every ratio p/q with q > 0."""
        return _growth(self.target.epsilon, self.ranking.totals[1].bit_length())

    @cached_property
    def _above(self) -> Above:
        """The atoms with p > e**epsilon q: floats tell most of them, whole numbers the others."""
        growth = self._growth
        sure, end = self.ranking.bare, self.ranking.bare
        if growth is not None:
            sure, end = self.ranking.split(self.target.float_growth)
        more: list[Output] = []
        near: dict[Fraction, list[Output]] = {}
        for found in self.ranking.outputs(sure, end):
            _, a, b = found
            if growth is None or (a << growth.shift) > growth.high * b:
                more.append(found)
            elif (a << growth.shift) >= growth.low * b:
                near.setdefault(Fraction(a, b), []).append(found)
        unknown: list[Output] = []
        for ratio, tied in near.items():
            sign = excess_sign(ratio, Fraction(1), self.target, _ZERO)
            if sign is None:
                unknown += tied
            elif sign == 1:
                more += tied
        p, q = self.ranking.sums(sure)
        p, q = p + sum(a for _, a, _ in more), q + sum(b for _, _, b in more)
        indices = [k for k, _, _ in more], [k for k, _, _ in unknown]
        return Above(sure, *indices, self._masses(p, q))

    @cached_property
    def positive(self) -> Indices:
        """The atoms with p > e**epsilon q."""
        above = self._above
        return tuple(sorted([*self.ranking.order[: above.sure].tolist(), *above.more]))

    @property
    def unknown(self) -> Indices:
        """The atoms of which it cannot be decided whether p > e**epsilon q."""
        return tuple(self._above.unknown)

    @property
    def above(self) -> Masses:
        """P and Q of the atoms with p > e**epsilon q."""
        return self._above.masses

    @cached_property
    def largest(self) -> list[int]:
        """The atoms of which p - e**epsilon q may be the largest, one of each masses."""
        chosen: dict[tuple[int, int], int] = {}
        for k, a, b in self._largest_atoms():
            chosen.setdefault((a, b), k)
        return list(chosen.values())

    def _largest_atoms(self) -> list[Output]:
        growth = self._growth
        if growth is None:
            bare = self.ranking.outputs(0, self.ranking.bare)
            return [max(bare, key=lambda found: found[1])] if bare else [self._worst]
        low, high, shift = growth
        found = self.ranking.largest_excesses(self.target.float_growth)
        floor = max((a << shift) - high * b for _, a, b in found)
        return [(k, a, b) for k, a, b in found if (a << shift) - low * b >= floor]

    def least_epsilon(self) -> Refined:
        """Return the largest log((P(B) - delta)/Q(B)) of finitely many events B."""
        ranking, delta = self.ranking, self.target.float_delta
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                sets = self._hardest(*ranking.hardest(delta))
            case Bound.EXCESS:
                bare = max((a for _, a, _ in ranking.outputs(0, ranking.bare)), default=0)
                sets = [(bare, 0), *{(a, b) for _, a, b in ranking.hardest_alone(delta)}]
        return least_epsilon_of([self._masses(a, b) for a, b in sets], self.target.delta)

    def _hardest(self, sure: int, end: int) -> list[tuple[int, int]]:
        """Return P and Q of all atoms with q = 0, and of the sets of atoms of largest ratios.

        These end between two places of the order of ratios, where floats do not tell the order.
        """
        doubtful = self.ranking.outputs(sure, end)
        # ratios that differ do so before this bit
        shift = 2 * max((b for _, _, b in doubtful), default=0).bit_length() + 1
        ratios: defaultdict[int, list[Output]] = defaultdict(list)
        for found in doubtful:
            ratios[(found[1] << shift) // found[2]].append(found)
        p, q = self.ranking.sums(sure)
        sets = [self.ranking.sums(self.ranking.bare), (p, q)]
        for ratio in sorted(ratios, reverse=True):  # atoms of one ratio: all of them, or none
            p += sum(a for _, a, _ in ratios[ratio])
            q += sum(b for _, _, b in ratios[ratio])
            sets.append((p, q))
        return sets


class Above(NamedTuple):
    """The atoms with p > e**epsilon q: so many first ones, more, and those that are undecided.

    `masses`: P and Q of those that are decided.
    """

    sure: int
    more: list[int]
    unknown: list[int]
    masses: Masses


class Growth(NamedTuple):
    """Integers with low <= 2**shift e**epsilon <= high."""

    low: int
    high: int
    shift: int


@lru_cache(maxsize=256)  # the same for all pairs, or for both orders of a pair
def _growth(epsilon: Number, most: int) -> Growth | None:
    """Return what encloses e**epsilon, None where it is more than every integer of `most` bits.

    Such integers over whole numbers are the ratios p/q with q > 0.
    """
    with precision(_PASS_BITS):
        exponent = epsilon.ball().raw
        if exponent > most:
            return None
        if not exponent.is_finite() or not exponent < 2 * most + 64:
            return Growth(1, 1 << most, 0)  # nothing is told apart: every ratio is looked at
        growth = exponent.exp()
        (low, a), (high, b) = dyadic(growth.lower()), dyadic(growth.upper())
    shift = max(0, -a, -b)
    return Growth(low << (a + shift), high << (b + shift), shift)
