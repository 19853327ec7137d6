"""Masses and densities of atoms with Laplace noise, piece by piece of the line.

Between two neighbouring places (atoms, ends of parts) twice the scale times the density is
L e**-(y-a)/scale + R e**-(b-y)/scale: L sums the atoms up to a with their decay to a, R those from
b on with theirs to b. Twice the mass of the piece is (L - L') + (R - R'), with
L' = L e**-(b-a)/scale at b, R' likewise at a. All are exponential sums; balls come from one sweep
over all places.
Source: design facts F4, F12 and F45.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter

from pfverify.exact.ball import Ball, Raw, current_precision, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS, ZERO_TEST_BITS, Exponent, ExpSum
from pfverify.exact.radical import RadicalSum
from pfverify.laws.sweep.decays import Decays, decayed
from pfverify.laws.sweep.ring import running_sums
from pfverify.model.steps.chain import Limit

_TERMS = 100_000  # of a sum that is made exactly
_ROOTS = 32  # of it: many are rarely one another's


@dataclass(frozen=True)
class Amount:
    """An exponential sum by its balls at any precision; made exactly where they do not decide.

    `terms`: how many its exact sum may have, 0 where it is known to be 0.
    """

    raw: Callable[[], Raw]
    make: Callable[[], ExpSum]
    terms: int

    def __add__(self, other: Amount) -> Amount:
        return Amount.total([self, other])

    def minus(self, other: Amount, factor: ExpSum) -> Amount:
        """Return this number less a factor times the other."""
        return Amount(
            lambda: self.raw() - other.raw() * factor.ball().raw,
            lambda: self.make() - other.make() * factor,
            self.terms + other.terms * len(factor.terms),
        )

    @staticmethod
    def of(value: ExpSum) -> Amount:
        """Return the number of an exact sum."""
        return Amount(lambda: value.ball().raw, lambda: value, len(value.terms))

    @staticmethod
    def total(parts: Iterable[Amount]) -> Amount:
        """Return the sum of some numbers."""
        some = [part for part in parts if part.terms]
        return Amount(
            lambda: sum((part.raw() for part in some), raw(0)),
            lambda: ExpSum.collect(one for part in some for one in part.make().terms.items()),
            sum(part.terms for part in some),
        )

    def exact(self) -> ExpSum | None:
        """Return the exact sum, None where it would be too long."""
        return self.make() if self.terms <= _TERMS else None

    def sign(self) -> int | None:
        """Return -1, 0 or 1; None where neither balls nor the exact sum tell."""
        if not self.terms:
            return 0
        last = ZERO_TEST_BITS if self.terms <= _TERMS else CAP_BITS
        found = rising_sign(lambda: Ball(self.raw()), FIRST_BITS, last)
        return found if found is not None or self.terms > _TERMS else self.make().sign()


Atoms = Sequence[tuple[Fraction, Fraction | Amount]]
"""Atoms with their masses, or with weights that need not be rational."""


@dataclass(frozen=True)
class PieceSums:
    """The sums of one law on one piece: from the left and from the right, at either end."""

    left_low: Amount
    left_high: Amount
    right_low: Amount
    right_high: Amount

    def minus(self, other: PieceSums, factor: ExpSum) -> PieceSums:
        """Return the sums of this law less a factor times the other."""
        mine, theirs = vars(self).values(), vars(other).values()
        return PieceSums(*(a.minus(b, factor) for a, b in zip(mine, theirs, strict=True)))

    @property
    def low(self) -> Amount:
        """The density at the low end, up to a factor; 0 where there is no end."""
        return self.left_low + self.right_low

    @property
    def high(self) -> Amount:
        """The density at the high end."""
        return self.left_high + self.right_high

    @property
    def mass(self) -> Amount:
        """Twice the mass of the piece."""
        return (self.left_low + self.right_high).minus(
            self.left_high + self.right_low, ExpSum.constant(1)
        )


@dataclass(frozen=True)
class LinePiece:
    """A piece of the line with the sums of two laws."""

    start: Limit
    end: Limit
    p: PieceSums
    q: PieceSums


def line_pieces(
    p: Atoms, q: Atoms, rate: Exponent, places: Iterable[Fraction], bound: Limit = None
) -> list[LinePiece]:
    """Return the pieces between all atoms and some further places, from left to right.

    No atom reaches further than `bound`, if there is one.
    """
    atoms = {x for x, _ in (*p, *q)}
    reached = set() if bound is None else {y for x in atoms for y in (x - bound, x + bound)}
    found = sorted(atoms | set(places) | reached)
    ends: list[Limit] = [None, *found, None]
    both = [_Sweep(sorted(law, key=itemgetter(0)), rate, found, bound).pieces() for law in (p, q)]
    return [
        LinePiece(a, b, mine, theirs)
        for (a, b), mine, theirs in zip(pairwise(ends), *both, strict=True)
    ]


class _Sweep:
    """One law over all places: what its atoms add to each piece from either side."""

    def __init__(
        self, atoms: Atoms, rate: Exponent, places: Sequence[Fraction], bound: Limit
    ) -> None:
        self._atoms, self._rate, self._places, self._bound = atoms, rate, places, bound
        self._at = {x: k for k, x in enumerate(places)}
        self._rows: dict[int, list[list[Raw]]] = {}  # bits -> the four sums of every piece

    def pieces(self) -> Iterator[PieceSums]:
        """Yield the sums of every piece, from left to right."""
        ends: list[Limit] = [None, *self._places, None]
        first = last = 0  # atoms up to the piece
        for k, (a, b) in enumerate(pairwise(ends)):
            while last < len(self._atoms) and a is not None and self._atoms[last][0] <= a:
                last += 1
            left, right = (0, last), (last, len(self._atoms))
            if self._bound is not None:
                while first < last and (b is None or self._atoms[first][0] + self._bound < b):
                    first += 1
                behind = last
                while behind < right[1] and a is not None and (
                    self._atoms[behind][0] - self._bound <= a
                ):  # fmt: skip
                    behind += 1
                left, right = (first, last), (last, behind if a is not None else last)
            yield PieceSums(
                self._amount(k, 0, left, a), self._amount(k, 1, left, b),
                self._amount(k, 2, right, a), self._amount(k, 3, right, b),
            )  # fmt: skip

    def _amount(self, piece: int, which: int, some: tuple[int, int], place: Limit) -> Amount:
        if place is None or some[0] == some[1]:
            return _NONE
        masses = (m for _, m in self._atoms[slice(*some)])
        return Amount(
            lambda: self._sums()[which][piece],
            lambda: self._decayed(some, place),
            sum(m.terms if isinstance(m, Amount) else 1 for m in masses),
        )

    def _decayed(self, some: tuple[int, int], place: Fraction) -> ExpSum:
        """The sum of mass e**(-distance/scale) over a run of atoms."""
        atoms = self._atoms[slice(*some)]
        rational = [(abs(x - place), m) for x, m in atoms if isinstance(m, Fraction)]
        found = decayed(self._rate, rational)
        for x, m in atoms:
            if isinstance(m, Amount):
                found = found + m.make() * ExpSum.power(self._rate.times(-abs(x - place)))
        return found

    def _sums(self) -> list[list[Raw]]:
        """The four sums of all pieces at the current precision."""
        bits = current_precision()
        if bits not in self._rows:
            if len(self._rows) > 2:
                self._rows.pop(next(iter(self._rows)))
            self._rows[bits] = self._swept()
        return self._rows[bits]

    def _swept(self) -> list[list[Raw]]:
        """From the left every sum is the one before with its decay, and what begins or ends there:
        an atom that noise with a bound does not carry further leaves with its last share."""
        across = Decays(-self._rate.ball().raw).over(b - a for a, b in pairwise(self._places))
        left_low, left_high = self._one_way(across, 1)
        right_high, right_low = self._one_way(across[::-1], -1)
        return [left_low, left_high, right_low[::-1], right_high[::-1]]

    def _one_way(self, across: Sequence[Raw], way: int) -> tuple[list[Raw], list[Raw]]:
        """The sums where each piece begins and where it ends, going one way over all pieces."""
        size = len(self._places)
        come: list[Raw] = [raw(0) for _ in range(size)]
        last = None if self._bound is None else raw(0)
        if last is not None:
            last = (-self._rate.ball().raw * raw(self._bound or 0)).exp()
        for x, mass in self._atoms:
            at = self._at[x]
            ball = mass.raw() if isinstance(mass, Amount) else raw(mass)
            come[at if way > 0 else size - 1 - at] += ball
            if last is not None:
                end = self._at[x + way * (self._bound or 0)]
                come[end if way > 0 else size - 1 - end] -= ball * last
        sums, none = running_sums(raw(0), come, across), raw(0)
        ends = [one * decay for one, decay in zip(sums, across, strict=False)]
        return [none, *sums], [none, *ends, none]


@dataclass(frozen=True)
class Excess:
    """A sum of numbers, less twice the roots of minus the product of two numbers each."""

    sums: tuple[Amount, ...] = ()
    roots: tuple[tuple[Amount, Amount], ...] = ()

    def raw(self) -> Raw:
        """Return an enclosure at the current precision."""
        found = Amount.total(self.sums).raw()
        for one, other in self.roots:
            found -= 2 * (-(one.raw() * other.raw())).sqrt()
        return found

    @property
    def is_short(self) -> bool:
        """Whether few enough terms and roots are in the exact sum that it may be made."""
        amounts = [Amount.total(self.sums), *(one for pair in self.roots for one in pair)]
        return len(self.roots) <= _ROOTS and all(one.terms <= _TERMS for one in amounts)

    def exact(self) -> RadicalSum:
        """Return the exact sum, which may be long."""
        found = RadicalSum.of(Amount.total(self.sums).make())
        for one, other in self.roots:
            root = RadicalSum.root(-(one.make() * other.make()))
            found = found - root.times(ExpSum.constant(2))
        return found

    @staticmethod
    def total(parts: Iterable[Excess | None]) -> Excess | None:
        """Return the sum of some; None where one is not known."""
        sums: list[Amount] = []
        roots: list[tuple[Amount, Amount]] = []
        for part in parts:
            if part is None:
                return None
            sums += part.sums
            roots += part.roots
        return Excess(tuple(sums), tuple(roots))


def positive(value: Amount, factor: ExpSum | None = None) -> Excess | None:
    """Return max(value, 0), maybe times a factor > 0; None where the sign is not decided."""
    sign = value.sign()
    if sign is None or sign <= 0:
        return None if sign is None else Excess()
    return Excess((value if factor is None else Amount.of(value.make() * factor),))


def positive_parts(pieces: Iterable[LinePiece], growth: ExpSum) -> Iterator[Excess | None]:
    """Yield twice the integral of the positive part of p - growth q over every piece."""
    return (positive_part(piece.p.minus(piece.q, growth)) for piece in pieces)


def positive_part(sides: PieceSums) -> Excess | None:
    """Return twice the integral of the positive part over a piece; None: a sign is not decided."""
    low, high = sides.low.sign(), sides.high.sign()
    if low is None or high is None:
        return None
    if max(low, high) <= 0:
        return Excess()
    if min(low, high) >= 0:
        return Excess((sides.mass,))
    one = ExpSum.constant(1)
    if low > 0:
        end = sides.left_low.minus(sides.right_low, one)
    else:
        end = sides.right_high.minus(sides.left_high, one)
    return Excess((end,), ((sides.left_low, sides.right_low),))


_NONE = Amount.total([])
