"""Differences of two releases of atoms under (discrete) Laplace noise, exactly, for ties."""

from __future__ import annotations

from collections.abc import Iterator, Set
from fractions import Fraction
from math import lcm

from core.laplace import Atoms, support
from core.value import form_of
from core.work import price, spend, table_of
from core.zero import NIL, Form, Sum, accumulate, add, is_zero, plus, rational_value


def common_denominator(goal: Atoms) -> int:
    """Of all masses of a goal: times it they are integers, whose sums need no common divisors."""
    found = 1
    for mass in (*goal.P.values(), *goal.Q.values()):
        found = lcm(found, mass.denominator)
        spend(2 + price(found.bit_length()))
    return found


def _jumps(goal: Atoms, whole: int) -> dict[Fraction, tuple[Fraction, Fraction]]:
    """{x: (P(x), Q(x)) times a number} in increasing order, without those x where
    P(x) = e^epsilon Q(x) is proved: they do not count in p - e^epsilon q."""
    epsilon, nothing = form_of(goal.epsilon), Fraction(0)
    power = rational_value(epsilon)
    vanishes: dict[Fraction, bool] = {}
    found: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for x in support(goal):
        p, q = (law.get(x, nothing) * whole for law in (goal.P, goal.Q))
        if power is not None:
            if power == 0 and p == q:  # no other rational power of e is a fraction
                continue
        elif p and q:
            ratio = p / q
            if ratio not in vanishes:
                vanishes[ratio] = is_zero(add({NIL: ratio}, {epsilon: Fraction(1)}, Fraction(-1)))
            if vanishes[ratio]:
                continue
        found[x] = p, q
    return found


class Sides:
    """Exact one-sided sums that move along the atoms, two terms for each:

        left = sum over x <= atom of J(x) e^((x-o) rho)
        right = sum over x > atom of J(x) e^(-(x-o) rho)

    with J = P - e^epsilon Q and an origin o.  What cancels is gone: priors that agree, or are
    translations of each other, leave short sums.  All is times a whole number."""

    def __init__(self, goal: Atoms, whole: int = 1) -> None:
        self.goal, self.epsilon = goal, form_of(goal.epsilon)
        self.jumps = _jumps(goal, whole)
        self.origin = min(goal.P)
        distances = [x - self.origin for x in self.jumps]
        rate = goal.release.rate
        self.alike = max((table_of(v * d for d in distances) for _, v in rate), default=1)
        self.left: Sum = {}
        self.right: Sum = {}
        for x in self.jumps:
            self._count(self.right, x, x - self.origin, 1)

    def _count(self, total: Sum, x: Fraction, distance: Fraction, sign: int) -> None:
        p, q = self.jumps[x]
        f = self.goal.release.decay(distance)
        accumulate(total, f, sign * p)
        accumulate(total, plus(self.epsilon, f), -sign * q)

    def pass_by(self, x: Fraction) -> None:
        """Move the next atom, x, from the right to the left."""
        if x in self.jumps:
            self._count(self.right, x, x - self.origin, -1)
            self._count(self.left, x, self.origin - x, 1)

    def jump(self, x: Fraction) -> Sum:
        """J(x)."""
        total: Sum = {}
        if x in self.jumps:
            self._count(total, x, Fraction(0), 1)
        return total

    def left_at(self, y: Fraction) -> Sum:
        """sum of J(x) e^(-(y-x) rho) over the atoms on the left."""
        spend(16 * self.alike * len(self.left))
        return shifted(self.left, self.goal.release.decay(y - self.origin))

    def right_at(self, y: Fraction) -> Sum:
        """sum of J(x) e^(-(x-y) rho) over the atoms on the right."""
        spend(16 * self.alike * len(self.right))
        return shifted(self.right, self.goal.release.decay(self.origin - y))


def exact_values(
    goal: Atoms, atoms: Set[Fraction], whole: int = 1
) -> Iterator[tuple[Fraction, Sum]]:
    """(a, p - e^epsilon q at a, times a whole number and up to the noise's constant, as an
    exponential sum), for the given atoms in increasing order."""
    sides = Sides(goal, whole)
    for x in support(goal):
        sides.pass_by(x)
        if x in atoms:
            yield x, add(sides.left_at(x), sides.right_at(x))


def exact_unit(goal: Atoms) -> Sum:
    """t of the module's docstring as an exponential sum."""
    noise = goal.release
    return {NIL if noise.step is None else noise.decay(noise.step): Fraction(1)}


def shifted(s: Sum, f: Form) -> Sum:
    """The sum times e^f."""
    return {plus(h, f): c for h, c in s.items()}
