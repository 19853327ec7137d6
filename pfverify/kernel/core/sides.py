"""The difference of two laws on a line, exactly, for ties: exponential sums.  As in `sweep`."""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from core.enclose import Undecided
from core.grammar import canonical, shown
from core.line import NOTHING, Lines, Noisy
from core.rules import Rejected
from core.shapes import in_order
from core.spans import End
from core.value import form_of, sums_of
from core.work import price, spend, table_of
from core.zero import (
    NIL,
    Form,
    Sum,
    accumulate,
    add,
    is_zero,
    multiply,
    plus,
    rational_value,
)

if TYPE_CHECKING:
    from core.interfaces import Noise

LESS = Fraction(-1)
WHOLE: Sum = {NIL: Fraction(1)}


def common_denominator(goal: Lines) -> int:
    """Of all masses of a goal: times it they are integers, whose sums need no common divisors."""
    found = 1
    for mass in (*goal.P.atoms.values(), *goal.Q.atoms.values()):
        found = lcm(found, mass.denominator)
        spend(2 + price(found.bit_length()))
    return found


def _jumps(
    first: Noisy, second: Noisy, growth: Form, whole: int
) -> dict[Fraction, tuple[Fraction, Fraction]]:
    """{x: (P(x), Q(x)) times a number} in increasing order, without those x where
    P(x) = e^growth Q(x) is proved: they do not count in p - e^growth q."""
    power = rational_value(growth)
    vanishes: dict[Fraction, bool] = {}
    found: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for x in in_order([*first.atoms, *second.atoms]):
        p, q = (law.atoms.get(x, NOTHING) * whole for law in (first, second))
        if power is not None:
            if power == 0 and p == q:  # no other rational power of e is a fraction
                continue
        elif p and q:
            ratio = p / q
            if ratio not in vanishes:
                vanishes[ratio] = is_zero(add({NIL: ratio}, {growth: LESS}))
            if vanishes[ratio]:
                continue
        found[x] = p, q
    return found


class Sides:
    """What comes from the left and from the right of a place that moves along the line, two terms
    for each atom that reaches beyond it:

        left = sum of J(x) e^((x-o) rho)
        right = sum of J(x) e^(-(x-o) rho)

    with J = P - e^growth Q and an origin o.  What cancels is gone: priors that agree, or are
    translations of each other, leave short sums.  All is times a whole number."""

    def __init__(self, first: Noisy, second: Noisy, growth: Form, whole: int = 1) -> None:
        self.law, self.noise, self.growth = first, first.noise, growth
        self.jumps = _jumps(first, second, growth, whole)
        self.shares: dict[Fraction, Sum] = {}
        if self.noise.window is not None:
            from core.window import others

            atoms = {**first.atoms, **second.atoms}
            self.shares = {x: others(self.noise, atoms, x) for x in self.jumps}
        self.origin = next(iter(self.jumps), NOTHING)
        distances = [x - self.origin for x in self.jumps]
        rate = self.noise.rate
        self.alike = max((table_of(v * d for d in distances) for _, v in rate), default=1)
        self.left: Sum = {}
        self.right: Sum = {}
        self.turns = [(x, x, 1, -1) for x in self.jumps]  # where what of x joins the left and right
        bound = self.noise.bound
        if bound is None:
            for x in self.jumps:
                self.count(self.right, x, self.noise.decay(x - self.origin), 1)
        else:
            self.turns += [(x - bound, x, 0, 1) for x in self.jumps]
            self.turns += [(x + bound, x, -1, 0) for x in self.jumps]
        self.turns.sort(reverse=True)

    def count(self, total: Sum, x: Fraction, f: Form, sign: Fraction | int) -> None:
        """Add J(x) e^f to a sum, so many times; in a window J of the masses of F81, times the
        product of 2 C over all atoms."""
        p, q = self.jumps[x]
        for h, c in self.shares.get(x, WHOLE).items():
            there = plus(f, h)
            accumulate(total, there, sign * c * p)
            accumulate(total, plus(self.growth, there), -sign * c * q)

    def next(self) -> tuple[Fraction, Fraction, int]:
        """Pass by the next turn: where it is, of which atom, and what L less R' gains of it."""
        place, x, left, right = self.turns.pop()
        if left:
            self.count(self.left, x, self.noise.decay(self.origin - x), left)
        if right:
            self.count(self.right, x, self.noise.decay(x - self.origin), right)
        return place, x, left - right

    def pass_by(self, place: End) -> None:
        """Move on to the piece behind a place."""
        while self.turns and place is not None and self.turns[-1][0] <= place:
            self.next()

    def left_at(self, y: End) -> Sum:
        """L at the low end of the piece, L' at its high end."""
        spend(16 * self.alike * len(self.left))
        return {} if y is None else shifted(self.left, self.noise.decay(y - self.origin))

    def right_at(self, y: End) -> Sum:
        """R' at the low end, R at the high end."""
        spend(16 * self.alike * len(self.right))
        return {} if y is None else shifted(self.right, self.noise.decay(self.origin - y))

    def value_at(self, y: End) -> Sum:
        """g at an end of the piece."""
        return add(self.left_at(y), self.right_at(y))


def shifted(s: Sum, f: Form) -> Sum:
    """The sum times e^f."""
    return {plus(h, f): c for h, c in s.items()}


def require_ties(goal: Lines, ties: Set[Fraction], *, at_density: bool) -> None:
    """Rejected unless g is 0 at some atoms, or the excess of densities delta, by the zero test."""
    whole = 1 if at_density else common_denominator(goal)
    sides = Sides(goal.P, goal.Q, form_of(goal.epsilon), whole)
    for a in sorted(ties):
        sides.pass_by(a)
        value = sides.value_at(a)
        if at_density:
            (n, d), (c, e) = sums_of(goal.delta), _density(goal.P.noise)
            value = add(multiply(multiply(value, c), d), multiply(n, e), LESS)
        if not is_zero(value):
            raise Rejected(f"no tie is proved at the atom {shown(canonical(a))}")


def _density(noise: Noise) -> tuple[Sum, Sum]:
    """The noise's constant N/D as exponential sums (rho must be rational for Laplace)."""
    if noise.step is not None:
        one, t = {NIL: Fraction(1)}, {noise.decay(noise.step): Fraction(1)}
        return add(one, t, LESS), add(one, t)
    rate = rational_value(noise.rate)
    if rate is None:
        raise Undecided("a tie of densities with an irrational scale")
    return {NIL: rate}, {NIL: Fraction(2)}
