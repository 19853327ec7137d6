"""Rational masses, as integers over one denominator: the ratio p/q is rational."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from pfverify.decide.breach import Place
from pfverify.decide.excess import Masses, excess_sign, least_epsilon_of
from pfverify.decide.masses.finite import TIED_RATIO, Found, Indices, MassComparison, Outputs
from pfverify.exact.ball import Raw, dyadic, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.refined import Refined
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_PASS_BITS = 128
_ZERO = Number.of_rational(0)


class Weighed(Protocol):
    """Two laws of rational masses at the same places: mass = weight / total of its law."""

    @property
    def weights(self) -> tuple[list[int], ...]:
        """Of both laws, per place."""

    @property
    def totals(self) -> tuple[int, int]:
        """Of both laws."""

    @property
    def equal(self) -> bool:
        """Whether they are the same law."""


_FLOAT_ERROR = 2.0**-49


class RationalMasses(MassComparison):
    """One order of two laws of rational masses (`reverse`: second over first)."""

    def __init__(self, pair: Weighed, outputs: Outputs, target: Target, *, reverse: bool) -> None:
        self.pair, self.outputs, self.target, self.reverse = pair, outputs, target, reverse
        self.whole = pair.totals[0] * pair.totals[1]
        self._sums: dict[Indices, Masses] = {}

    def _weights(self, which: int) -> list[int]:
        # over one common denominator
        other = self.pair.totals[1 - which]
        return [weight * other for weight in self.pair.weights[which]]

    @cached_property
    def p(self) -> list[int]:
        """The masses under P, times `whole`."""
        return self._weights(1 if self.reverse else 0)

    @cached_property
    def q(self) -> list[int]:
        """The masses under Q, times `whole`."""
        return self._weights(0 if self.reverse else 1)

    @property
    def equal(self) -> bool:
        """Whether the two laws are the same."""
        return self.pair.equal

    def against(self, target: Target) -> RationalMasses:
        """Return the same laws in the same order, held to another target."""
        return RationalMasses(self.pair, self.outputs, target, reverse=self.reverse)

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
        for k, (a, b) in enumerate(zip(self.p, self.q, strict=True)):
            gap = a * self.q[best] - self.p[best] * b
            if gap > 0 or (gap == 0 and b == 0 and a > self.p[best]):
                best = k
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
        p, q = self.masses(self.worst)
        if p == q:  # the largest ratio is 1: the priors are equal
            sign = self.target.epsilon.sign()
            sign = None if sign is None else -sign
        else:
            sign = excess_sign(p, q, self.target, _ZERO)
        return Found(sign, (self.worst,), TIED_RATIO if sign is None else None)

    def ties(self) -> tuple[Fraction, ...]:
        """Return the atoms with the largest ratio, where they are numbers."""
        p, q = self.p[self.worst], self.q[self.worst]
        pairs = enumerate(zip(self.p, self.q, strict=True))
        tied = (self.outputs.place(k) for k, (a, b) in pairs if a and a * q == p * b)
        return tuple(y for y in tied if isinstance(y, Fraction))

    def _growth(self) -> tuple[int, int, int] | None:
        """Return integers (low, high, shift) with low <= 2**shift e**epsilon <= high.

        None where e**epsilon is larger than every ratio p/q with q > 0.
        """
        most = max(self.p)
        with precision(_PASS_BITS):
            epsilon = self.target.epsilon.ball().raw
            if epsilon > most.bit_length():  # log(p/q) < bits of p, as q >= 1
                return None
            if not epsilon.is_finite() or not epsilon < 2 * most.bit_length() + 64:
                return 1, most + 1, 0  # nothing is told apart: every ratio is looked at
            growth = epsilon.exp()
            (low, a), (high, b) = dyadic(growth.lower()), dyadic(growth.upper())
        shift = max(0, -a, -b)
        return low << (a + shift), high << (b + shift), shift

    @cached_property
    def positive(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The atoms with p > e**epsilon q, and those of which it cannot be decided."""
        growth = self._growth()
        sure: list[int] = []
        near: dict[Fraction, list[int]] = {}
        for k, (a, b) in enumerate(zip(self.p, self.q, strict=True)):
            if growth is None or not b:
                if a and not b:
                    sure.append(k)
                continue
            low, high, shift = growth
            if (a << shift) > high * b:
                sure.append(k)
            elif (a << shift) >= low * b:
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
        growth = self._growth()
        if growth is None:
            bare = [k for k, b in enumerate(self.q) if not b]
            return [max(bare, key=self.p.__getitem__)] if bare else [self.worst]
        low, high, shift = growth
        floor = max((a << shift) - high * b for a, b in zip(self.p, self.q, strict=True))
        pairs = enumerate(zip(self.p, self.q, strict=True))
        return [k for k, (a, b) in pairs if (a << shift) - low * b >= floor]
