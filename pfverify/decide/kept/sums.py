"""Exact masses and densities of atoms with Laplace noise, piece by piece of the line.

Between two neighbouring places (atoms, ends of parts) twice the scale times the density is
L e**-(y-a)/scale + R e**-(b-y)/scale: L sums the atoms up to a with their decay to a, R those from
b on with theirs to b. Twice the mass of the piece is (L - L') + (R - R'), with
L' = L e**-(b-a)/scale at b, R' likewise at a. All are exponential sums.
Source: design facts F4 and F45.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.model.steps.kept import Limit

Atoms = Sequence[tuple[Fraction, Fraction]]
"""Atoms with their masses."""
NOTHING = ExpSum({})


@dataclass(frozen=True)
class PieceSums:
    """The sums of one law on one piece: from the left and from the right, at either end."""

    left_low: ExpSum
    left_high: ExpSum
    right_low: ExpSum
    right_high: ExpSum

    def minus(self, other: PieceSums, factor: ExpSum) -> PieceSums:
        """Return the sums of this law less a factor times the other."""
        mine, theirs = vars(self).values(), vars(other).values()
        return PieceSums(*(a - b * factor for a, b in zip(mine, theirs, strict=True)))

    @property
    def low(self) -> ExpSum:
        """The density at the low end, up to a factor; 0 where there is no end."""
        return self.left_low + self.right_low

    @property
    def high(self) -> ExpSum:
        """The density at the high end."""
        return self.left_high + self.right_high

    @property
    def mass(self) -> ExpSum:
        """Twice the mass of the piece."""
        return self.left_low - self.left_high + self.right_high - self.right_low


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
    return [
        LinePiece(a, b, _sides(p, rate, a, b, bound), _sides(q, rate, a, b, bound))
        for a, b in pairwise(ends)
    ]


def _sides(atoms: Atoms, rate: Exponent, a: Limit, b: Limit, bound: Limit) -> PieceSums:
    left = [] if a is None else [(x, m) for x, m in atoms if x <= a]
    right = [] if b is None else [(x, m) for x, m in atoms if x >= b]
    if bound is not None:
        left = [(x, m) for x, m in left if b is not None and b <= x + bound]
        right = [(x, m) for x, m in right if a is not None and a >= x - bound]
    return PieceSums(
        _decayed(left, rate, a), _decayed(left, rate, b),
        _decayed(right, rate, a), _decayed(right, rate, b),
    )  # fmt: skip


def _decayed(atoms: Atoms, rate: Exponent, place: Limit) -> ExpSum:
    """The sum of mass e**(-distance/scale); 0 infinitely far out."""
    if place is None:
        return NOTHING
    return ExpSum.collect((rate.times(-abs(x - place)), mass) for x, mass in atoms)
