"""X itself is released: one order of two priors of atoms, decided exactly, without any noise.

Every quantity is about the masses p = P(a), q = Q(a) at the atoms. The ratio p/q is rational, so
that epsilon* is the logarithm of a rational ("inf" where q = 0 < p); the hockey-stick divergence is
P(B) - e**epsilon Q(B) with B the atoms where p > e**epsilon q. Balls decide first, ties go to the
exact zero test.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from pfverify.decide.rational import (
    Masses,
    by_balls,
    excess_amount,
    excess_sign,
    least_epsilon_of,
    positive_margin,
)
from pfverify.exact.ball import Ball, Raw, dyadic, precision, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS
from pfverify.exact.number import Number
from pfverify.exact.refined import INFINITE, PROBABILITY, ZERO, Refined
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


@dataclass(frozen=True)
class Exceeding:
    """What exceeds e**epsilon: the sign against delta, the amount, and where.

    `atoms` is the set (of one atom in the pointwise form) that has the amount.
    """

    sign: int | None
    amount: Refined
    atoms: tuple[int, ...]
    reason: str | None = None


class BareOrder:
    """One order of two laws of masses (`reverse`: second over first)."""

    def __init__(self, pair: Weighed, target: Target, reverse: bool) -> None:
        upper, lower = (1, 0) if reverse else (0, 1)
        self.pair, self.target = pair, target
        # masses over one common denominator: integers
        self.whole = pair.totals[0] * pair.totals[1]
        self.p = [a * pair.totals[lower] for a in pair.weights[upper]]
        self.q = [b * pair.totals[upper] for b in pair.weights[lower]]

    def masses(self, index: int) -> Masses:
        """Return P and Q of one atom."""
        return Fraction(self.p[index], self.whole), Fraction(self.q[index], self.whole)

    def of(self, indices: Iterable[int]) -> Masses:
        """Return P and Q of a set of atoms."""
        chosen = tuple(indices)
        p, q = sum(self.p[k] for k in chosen), sum(self.q[k] for k in chosen)
        return Fraction(p, self.whole), Fraction(q, self.whole)

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
    def ratio(self) -> Fraction | None:
        """The largest ratio p/q, at least 1; None: infinite."""
        p, q = self.p[self.worst], self.q[self.worst]
        return Fraction(p, q) if q else None

    @property
    def loss(self) -> Refined:
        """Epsilon*, the logarithm of the largest ratio."""
        ratio = self.ratio
        if ratio is None:
            return INFINITE
        return ZERO if ratio == 1 else by_balls(lambda: raw(ratio).log())

    def pure_sign(self) -> int | None:
        """Return the sign of the largest p - e**epsilon q where its ratio p/q is largest."""
        p, q = self.masses(self.worst)
        if p == q:  # the largest ratio is 1: the priors are equal
            sign = self.target.epsilon.sign()
            return None if sign is None else -sign
        return excess_sign(p, q, self.target, _ZERO)

    def ties(self) -> tuple[int, ...]:
        """Return the atoms with the largest ratio: those with p = e**epsilon q where it ties."""
        p, q = self.p[self.worst], self.q[self.worst]
        pairs = enumerate(zip(self.p, self.q, strict=True))
        return tuple(k for k, (a, b) in pairs if a and a * q == p * b)

    def pure_margin(self, ratio: Fraction) -> Raw | None:
        """Return the logarithm of the largest ratio, less epsilon, where it is known to be > 0."""
        return positive_margin(lambda: raw(ratio).log() - self.target.epsilon.ball().raw)

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

    def events(self) -> Exceeding:
        """Decide the divergence, the largest P(B) - e**epsilon Q(B)."""
        sure, unknown = self.positive
        p, q = self.of(sure)
        sign = excess_sign(p, q, self.target, self.target.delta)
        if unknown and sign != 1:  # each may add a little more
            sign = rising_sign(lambda: self._upper(sure, unknown), FIRST_BITS, CAP_BITS)
            sign = -1 if sign == -1 else None
        amount = PROBABILITY if unknown else excess_amount(p, q, self.target, sign)
        reason = None
        if sign is None:
            reason = "the excess may equal delta, and the tie is outside the exact classes"
        return Exceeding(sign, amount, sure, reason)

    def _upper(self, sure: tuple[int, ...], unknown: tuple[int, ...]) -> Ball:
        growth = self.target.exp_epsilon()
        p, q = self.of(sure)
        total = raw(p) - growth * raw(q)
        for k in unknown:
            a, b = self.masses(k)
            total += (raw(a) - growth * raw(b)).nonnegative_part()
        return Ball(total) - self.target.delta.ball()

    def pointwise(self) -> Exceeding:
        """Decide the largest p - e**epsilon q of one atom, or 0 where none is positive."""
        chosen = self._largest_atoms()
        values = list(dict.fromkeys(self.masses(k) for k in chosen))
        signs = [excess_sign(p, q, self.target, self.target.delta) for p, q in values]
        sign = next((s for s in (1, None, 0, -1) if s in signs), None)
        top = values[signs.index(sign)]
        pure = self.pure_sign()
        if pure is None:
            amount: Refined = PROBABILITY
        elif pure <= 0:
            amount = ZERO
        elif len(values) == 1:
            amount = excess_amount(*top, self.target, sign)
        else:
            amount = by_balls(lambda: self._maximum(values), Fraction(1))
        worst = next(k for k in chosen if self.masses(k) == top)
        reason = None
        if sign is None:
            reason = "the excess may equal delta, and the tie is outside the exact classes"
        return Exceeding(sign, amount, (worst,), reason)

    def least_epsilon(self, sets: list[Masses]) -> Refined:
        """Return the least epsilon >= 0 with P(B) - e**epsilon Q(B) <= delta for every set B.

        Example: ``order.least_epsilon(order.by_ratio())``.
        """
        return least_epsilon_of(sets, self.target.delta)

    def one_by_one(self) -> list[Masses]:
        """Return P and Q of every atom."""
        return [self.masses(k) for k in range(len(self.p))]

    def by_ratio(self) -> list[Masses]:
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

    def _maximum(self, values: list[Masses]) -> Raw:
        growth = self.target.exp_epsilon()
        best = raw(values[0][0]) - growth * raw(values[0][1])
        for p, q in values[1:]:
            best = best.max(raw(p) - growth * raw(q))
        return best
