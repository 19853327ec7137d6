"""Exact signs of p - e**epsilon q at many atoms, without writing a full sum for every atom (F3).

Equality: the sums over the atoms at or left of x_k and right of it are carried from atom to atom
as exact sums with all dependent terms collected; where both cancel, the atom is a tie. Strict
signs: the nearest atoms are summed exactly, so that what ties among them cancels, and all the
others together are bounded. Only what neither of the two settles is written out in full.

In full, on a lattice and with z = e**(-step rate): p and q at an atom are polynomials U and V in z
with weights >= 0 for coefficients, so both are > 0. What both laws share, such as the sum of all
other people, is a factor of both, and two short polynomials with u V = v U take their place: where
u != 0, v = u V/U and u - e**epsilon v = (u/U) (U - e**epsilon V). The sign that is asked for is
that of the short sum times that of u.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor, gcd

from pfverify.decide.exponential.pair import Pair
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision
from pfverify.exact.expsum import Basis, Exponent, ExpSum, Key
from pfverify.exact.polynomials import Polynomial
from pfverify.laws.sweep.decays import decayed

_WIDTHS = (2, 8, 32)  # atoms on each side that are summed before everything is
_BITS = (64, 256)
_SHORT = 64  # terms of a carried sum that are compared with a bound
_FILL = 8  # points of a lattice per atom, up to which laws on it are polynomials
_POWER_BITS = 1 << 18  # of one coefficient of a carried sum, and 4096 times as much in all

Vector = tuple[Fraction, ...]
Row = dict[Vector, Fraction]


class ExactGaps:
    """p - e**epsilon q - bound/factor at the atoms of one order, times positive numbers.

    `factor` must be positive, and `bound` that of sums of weights over the pair's `whole`.
    Example: ``ExactGaps(points, Exponent.rational(1), Exponent.rational(1), False).sign(0)`` is 0
    for point masses at 0 and 1, scale 1 and epsilon 1; at the other atom it is -1.
    """

    def __init__(
        self,
        pair: Pair,
        rate: Exponent,
        epsilon: Exponent,
        reverse: bool,
        factor: ExpSum | None = None,
        bound: ExpSum | None = None,
    ) -> None:
        self.pair = pair
        self.rate = rate
        self.epsilon = epsilon
        self.upper, self.lower = (1, 0) if reverse else (0, 1)
        self.factor = factor
        self.bound = bound
        self.known: dict[object, int | None] = {}

    def sign(self, index: int) -> int | None:
        """Return the sign at one atom from all terms; None outside the exact classes."""
        up, down = self._around(index, self.upper), self._around(index, self.lower)
        front: int | None = 1
        if self.bound is None:
            up, down = _without_shared(up, down)
            if min(up.values()) < 0:
                front = self._sum(up).sign()
        if not front:
            return None
        multiples = self.pair.multiples
        gap = self._sum(up).times(multiples[self.upper])
        gap -= ExpSum.power(self.epsilon, multiples[self.lower]) * self._sum(down)
        sign = self._against(gap).sign()
        return None if sign is None else front * sign

    def _around(self, index: int, which: int) -> dict[int, int]:
        """The weights of a prior by their distance from an atom, in integer points."""
        here, table = self.pair.points[index], dict[int, int]()
        for point, weight in zip(self.pair.points, self.pair.weights[which], strict=True):
            if weight:
                table[abs(point - here)] = table.get(abs(point - here), 0) + weight
        return table

    def _sum(self, table: Mapping[int, int]) -> ExpSum:
        """The sum of weight * e**(-distance rate)."""
        unit = self.pair.denominator
        parts = ((Fraction(d, unit), Fraction(weight)) for d, weight in table.items())
        return decayed(self.rate, parts)

    def _against(self, gap: ExpSum) -> ExpSum:
        if self.factor is not None:
            gap = gap * self.factor
        return gap if self.bound is None else gap - self.bound

    # ------------------------------------------------------------ strict signs

    def near_sign(self, index: int) -> int | None:
        """Return the sign at one atom where a few of its neighbours settle it, else None."""
        points, weights = self.pair.points, self.pair.weights
        here, last = points[index], len(points) - 1
        for width in _WIDTHS:
            low, high = max(0, index - width), min(last, index + width)
            if low == 0 and high == last:
                return None
            beyond = [abs(points[k] - here) for k in (low - 1, high + 1) if 0 <= k <= last]
            table = tuple(
                (points[k] - here, weights[0][k], weights[1][k]) for k in range(low, high + 1)
            )
            key = (table, min(beyond))
            if key not in self.known:
                self.known[key] = self._near(table, min(beyond))
            if (sign := self.known[key]) is not None:
                return sign
        return None

    def _near(self, table: Iterable[tuple[int, int, int]], beyond: int) -> int | None:
        multiples, unit = self.pair.multiples, self.pair.denominator
        terms = []
        for offset, *pair in table:
            decay = self.rate.times(Fraction(-abs(offset), unit))
            up, down = pair[self.upper], pair[self.lower]
            terms.append((decay, Fraction(up * multiples[self.upper])))
            terms.append((decay + self.epsilon, Fraction(-down * multiples[self.lower])))
        value = self._against(ExpSum.collect(terms))
        value = value.canonical() or value
        if not value.terms:
            return None
        top = value.leading()[0]
        value = ExpSum({e - top: c for e, c in value.terms.items()})
        far = self.rate.times(Fraction(-beyond, unit)) - top
        for bits in _BITS:
            with precision(bits):
                # all the other terms of either prior together have at most its whole mass
                rest = far.ball().raw.exp() * (1 + self.epsilon.ball().raw.exp())
                rest *= self.pair.whole
                if self.factor is not None:
                    rest *= self.factor.ball().raw
                sign = Ball(value.ball().raw + rest.union(-rest)).certain_sign()
            if sign is not None:
                return sign
        return None

    # ------------------------------------------------------------ equality

    def ties(self, wanted: Iterable[int]) -> set[int]:
        """Return those of the wanted atoms where the carried sums prove equality."""
        asked, found = set(wanted), set[int]()
        carried = _Carried.of(self)
        if carried is None:
            return found
        for k in range(len(self.pair)):
            carried.move(k)
            if k in asked and carried.cancels(k):
                found.add(k)
        return found


class _Carried:
    """Exact sums over the atoms up to x_k (times e**(x_k rate)) and beyond it (divided by it)."""

    def __init__(self, gaps: ExactGaps, rows: list[dict[Key, Fraction]]) -> None:
        self.gaps = gaps
        self.keys = list(dict.fromkeys(key for row in rows for key in row))
        # per key: the integer of a logarithm, whose whole powers are rational
        self.bases = [key if isinstance(key, int) else None for key in self.keys]
        self.rate, self.epsilon = (
            tuple(row.get(key, Fraction(0)) for key in self.keys) for row in rows
        )
        self.left: Row = {}
        self.right: Row = {}
        for k in range(len(gaps.pair)):
            self._add(self.right, k, -1, 1)

    @classmethod
    def of(cls, gaps: ExactGaps) -> _Carried | None:
        """Return the sums before the first atom; None where their powers would be too large."""
        exponents = (gaps.rate, gaps.epsilon)
        basis = Basis(exponents)
        rows = [basis.parts(e) for e in exponents]
        span = Fraction(gaps.pair.points[-1] - gaps.pair.points[0], gaps.pair.denominator)
        bits = sum(
            abs(rows[0].get(b, Fraction(0))) * span * b.bit_length() for b in basis.integers
        )
        if bits > _POWER_BITS or bits * len(gaps.pair) > 4096 * _POWER_BITS:
            return None
        return cls(gaps, rows)

    def _term(self, exponent: Vector, coefficient: Fraction) -> tuple[Vector, Fraction]:
        """Move the whole powers of integers into the coefficient."""
        rest = list(exponent)
        for i, b in enumerate(self.bases):
            if b is not None and (whole := floor(rest[i])):
                rest[i] -= whole
                coefficient *= Fraction(b) ** whole
        return tuple(rest), coefficient

    def _place(self, index: int) -> Fraction:
        pair = self.gaps.pair
        return Fraction(pair.points[index] - pair.points[0], pair.denominator)

    def _add(self, row: Row, index: int, way: int, times: int) -> None:
        gaps, place = self.gaps, self._place(index)
        pair, at = gaps.pair, tuple(r * place * way for r in self.rate)
        up, down = (pair.weights[which][index] for which in (gaps.upper, gaps.lower))
        for weight, which, shift in (
            (up * times, gaps.upper, None), (-down * times, gaps.lower, self.epsilon)
        ):
            if weight:
                exponent = at if shift is None else tuple(
                    a + b for a, b in zip(at, shift, strict=True)
                )
                key, c = self._term(exponent, Fraction(weight * pair.multiples[which]))
                c += row.get(key, Fraction(0))
                if c:
                    row[key] = c
                else:
                    row.pop(key, None)

    def move(self, index: int) -> None:
        """Take one more atom from the right to the left."""
        self._add(self.left, index, 1, 1)
        self._add(self.right, index, -1, -1)

    def cancels(self, index: int) -> bool:
        """Say whether the gap at this atom is proved equal to the bound."""
        left, right, place = self.left, self.right, self._place(index)
        gaps = self.gaps
        few = len(left) + len(right) <= _SHORT
        if gaps.bound is None:
            return len(left) == len(right) and all(
                right.get(key, Fraction(0)) == -value
                for key, value in (
                    self._shifted(e, c, -2 * place) for e, c in left.items()
                )
            )
        if not few:
            return False
        terms = [
            (Exponent(dict(zip(self.keys, e, strict=True))), c)
            for row, way in ((left, -1), (right, 1))
            for e, c in (self._shifted(e, c, way * place) for e, c in row.items())
        ]
        return gaps._against(ExpSum.collect(terms)).is_zero() is Answer.YES

    def _shifted(self, exponent: Vector, c: Fraction, by: Fraction) -> tuple[Vector, Fraction]:
        return self._term(
            tuple(e + r * by for e, r in zip(exponent, self.rate, strict=True)), c
        )


def _without_shared(
    up: dict[int, int], down: dict[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Tables of weights by distance, of which what both share is taken out."""
    step = gcd(*up, *down) or 1
    size = max(*up, *down) // step + 1
    if size > _FILL * (len(up) + len(down)):
        return up, down
    full = (Polynomial([table.get(k * step, 0) for k in range(size)]) for table in (up, down))
    first, second = (
        {k * step: weight for k, weight in enumerate(short.coefficients()) if weight}
        for short in next(full).lowest_terms(next(full))
    )
    return first, second


def signs_at(gaps: ExactGaps, atoms: Iterable[int], few: int, *, final: bool) -> dict[int, int]:
    """Return the signs at those atoms that are settled; up to `few`, or `final`, also in full.

    One positive sign ends the search.
    Example: ``signs_at(ExactGaps(points, Exponent.rational(1), Exponent.rational(1), False),
    [0, 1], 8, final=True)`` is ``{0: 0, 1: -1}``.
    """
    wanted = sorted(set(atoms))
    signs: dict[int, int] = {}
    if len(wanted) > few:
        for k in wanted:
            if (sign := gaps.near_sign(k)) is not None:
                signs[k] = sign
                if sign == 1:
                    return {k: 1}
        left = [k for k in wanted if k not in signs]
        if len(left) > few:
            signs |= dict.fromkeys(gaps.ties(left), 0)
    left = [k for k in wanted if k not in signs]
    if len(left) <= few or final:
        for k in left:
            if (full := gaps.sign(k)) is not None:
                signs[k] = full
                if full == 1:
                    return {k: 1}
    return signs
