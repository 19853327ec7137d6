"""Rational masses, as integers over one denominator: the ratio p/q is rational."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import NamedTuple

from pfverify.decide.breach import Place
from pfverify.decide.comparison import Orders
from pfverify.decide.excess import Masses, excess_sign, least_epsilon_of
from pfverify.decide.masses.finite import TIED_RATIO, Found, Indices, MassComparison, Outputs
from pfverify.exact.ball import Raw, dyadic, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.refined import Refined
from pfverify.model.channels.entries import Whole
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_PASS_BITS = 128
_FLOAT_ERROR = 2.0**-49
_ZERO = Number.of_rational(0)


def both_orders(
    first: Whole, second: Whole, outputs: Outputs, targets: tuple[Target, Target]
) -> Orders:
    """Return both orders of two laws of rational masses over the same outputs.

    Each order has a target; the laws are equal where all masses are.
    """
    whole = lcm(first[1], second[1])
    p, q = ([weight * (whole // total) for weight in law] for law, total in (first, second))
    return (
        RationalMasses(p, q, whole, outputs, targets[0]),
        RationalMasses(q, p, whole, outputs, targets[1]),
    )


class RationalMasses(MassComparison):
    """One order of two laws of rational masses: `p` and `q`, as integers over one `whole`."""

    def __init__(
        self, p: list[int], q: list[int], whole: int, outputs: Outputs, target: Target
    ) -> None:
        self.p, self.q, self.whole, self.outputs, self.target = p, q, whole, outputs, target
        self._sums: dict[Indices, Masses] = {}

    @cached_property
    def equal(self) -> bool:
        """Whether the two laws are the same."""
        return self.p == self.q

    def against(self, target: Target) -> RationalMasses:
        """Return the same laws in the same order, held to another target."""
        return RationalMasses(self.p, self.q, self.whole, self.outputs, target)

    def masses(self, index: int) -> Masses:
        """Return P and Q of one atom."""
        return Fraction(self.p[index], self.whole), Fraction(self.q[index], self.whole)

    def of(self, indices: Iterable[int]) -> Masses:
        """Return P and Q of a set of atoms."""
        chosen = tuple(indices)
        if chosen not in self._sums:  # the last is asked for again
            p, q = sum(self.p[k] for k in chosen), sum(self.q[k] for k in chosen)
            self._sums = {chosen: (Fraction(p, self.whole), Fraction(q, self.whole))}
        return self._sums[chosen]

    @cached_property
    def worst(self) -> int:
        """The atom with the largest ratio p/q (of those with q = 0 the one with the largest p)."""
        best = next(k for k, a in enumerate(self.p) if a)
        top, bottom = self.p[best], self.q[best]
        for k, (a, b) in enumerate(zip(self.p, self.q, strict=True)):
            if a * bottom > top * b or (not b and not bottom and a > top):
                best, top, bottom = k, a, b
        return best

    @property
    def unbounded(self) -> bool:
        """Whether an atom has q = 0 < p."""
        return not self.q[self.worst]

    @property
    def steepest(self) -> list[int]:
        """The atom with the largest ratio."""
        return [self.worst]

    def ratio_ball(self, index: int) -> Raw:
        """Enclose the ratio p/q of an atom with q > 0."""
        return raw(Fraction(self.p[index], self.q[index]))

    def worst_of(self, found: Found[Indices]) -> Place:
        """Return the atom that exceeds most, or has the largest ratio."""
        bounds_mass = self.target.bound is Bound.EXCESS
        return self.outputs.place(found.where[0] if bounds_mass else self.worst)

    def ratio(self) -> Found[Indices]:
        """Decide by the sign of p - e**epsilon q where the ratio p/q is largest."""
        p, q = self.p[self.worst], self.q[self.worst]
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
            sign = excess_sign(*self.masses(self.worst), self.target, _ZERO)
        return Found(sign, (self.worst,), TIED_RATIO if sign is None else None)

    def ties(self) -> tuple[Fraction, ...]:
        """Return the atoms with the largest ratio, where they are numbers."""
        p, q = self.p[self.worst], self.q[self.worst]
        pairs = enumerate(zip(self.p, self.q, strict=True))
        tied = (self.outputs.place(k) for k, (a, b) in pairs if a and a * q == p * b)
        return tuple(y for y in tied if isinstance(y, Fraction))

    @property
    def _growth(self) -> Growth | None:
        """What encloses e**epsilon; None where it is larger than every ratio p/q with q > 0."""
        return _growth(self.target.epsilon, max(self.p).bit_length())

    @cached_property
    def positive(self) -> tuple[Indices, Indices]:
        """The atoms with p > e**epsilon q, and those of which it cannot be decided."""
        pairs = enumerate(zip(self.p, self.q, strict=True))
        if (growth := self._growth) is None:
            return tuple(k for k, (a, b) in pairs if a and not b), ()
        low, high, shift = growth
        sure: list[int] = []
        near: dict[Fraction, list[int]] = {}
        for k, (a, b) in pairs:
            if (a << shift) > high * b:
                sure.append(k)
            elif b and (a << shift) >= low * b:
                near.setdefault(Fraction(a, b), []).append(k)
        unknown: list[int] = []
        for ratio, found in near.items():
            sign = excess_sign(ratio, Fraction(1), self.target, _ZERO)
            if sign is None:
                unknown += found
            elif sign == 1:
                sure += found
        return tuple(sorted(sure)), tuple(unknown)

    @cached_property
    def largest(self) -> list[int]:
        """The atoms of which p - e**epsilon q may be the largest, one of each masses."""
        chosen: dict[Masses, int] = {}
        for k in self._largest_atoms():
            chosen.setdefault(self.masses(k), k)
        return list(chosen.values())

    def least_epsilon(self) -> Refined:
        """Return the largest log((P(B) - delta)/Q(B)) of finitely many events B."""
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                sets = self._by_ratio()
            case Bound.EXCESS:
                sets = [self.masses(k) for k in range(len(self.p))]
        return least_epsilon_of(sets, self.target.delta)

    def _by_ratio(self) -> list[Masses]:
        """Return P and Q of the sets of atoms with the largest ratios that may need most epsilon.

        At every epsilon one of them is the event with the largest P(B) - e**epsilon Q(B).
        """
        infinite = [k for k, b in enumerate(self.q) if not b]
        finite = [k for k, b in enumerate(self.q) if b]
        shift = 2 * max(self.q).bit_length() + 1  # ratios that differ do so before it
        finite.sort(key=lambda k: (self.p[k] << shift) // self.q[k], reverse=True)
        p, q = sum(self.p[k] for k in infinite), 0
        sets = []
        for k in finite:
            p, q = p + self.p[k], q + self.q[k]
            sets.append((p, q))
        bare = Fraction(sum(self.p[k] for k in infinite), self.whole)
        kept = self._promising(sets)
        return [(bare, Fraction(0)), *((Fraction(a, self.whole), Fraction(b, self.whole))
                                       for a, b in kept)]  # fmt: skip

    def _promising(self, sets: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the sets of which (P(B) - delta)/Q(B) may be the largest, by floats with a bound.

        With d <= delta <= e, the quotient lies between P/Q - e/Q and P/Q - d/Q, whose floats are
        off by less than 2**-50 of P/Q + e/Q: each part by a few roundings of itself. (P/Q >= 1, so
        that a delta too small for a float is covered too.)
        """
        with precision(_PASS_BITS):
            delta = self.target.delta.ball().raw
            if not delta.is_finite():
                return sets
            least, most = float(delta.lower()), float(delta.upper())
        try:
            parts = [(p / q, self.whole / q) for p, q in sets]
        except OverflowError:
            return sets
        best = max((a - most * b - (a + most * b) * _FLOAT_ERROR for a, b in parts), default=0.0)
        return [
            both for both, (a, b) in zip(sets, parts, strict=True)
            if not a - least * b + (a + most * b) * _FLOAT_ERROR < best
        ]  # fmt: skip

    def _largest_atoms(self) -> list[int]:
        """Return the atoms of which p - e**epsilon q may be the largest."""
        if (growth := self._growth) is None:
            bare = [k for k, b in enumerate(self.q) if not b]
            return [max(bare, key=self.p.__getitem__)] if bare else [self.worst]
        low, high, shift = growth
        floor = max((a << shift) - high * b for a, b in zip(self.p, self.q, strict=True))
        pairs = enumerate(zip(self.p, self.q, strict=True))
        return [k for k, (a, b) in pairs if (a << shift) - low * b >= floor]


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
