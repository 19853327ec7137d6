"""Atoms with Laplace or discrete Laplace noise, or without: released laws from prefix sums."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from pfverify.decide.exponential.pair import Pair
from pfverify.decide.exponential.pointwise import normalisation
from pfverify.decide.rate import Rate
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.model.noises.noise import Noise
from pfverify.model.priors.discrete import Discrete
from pfverify.oracle.law import EXACT_TERMS, AtPrecision, Law, Weight

_NO_MASS = "y: the released law has a density, no masses; ask for oracle.density"
_LATTICE = "y: discrete Laplace noise has masses, no density; ask for oracle.mass"
_ONE = ExpSum.constant(1)


class ExponentialAtoms(Law[Fraction]):
    """Atoms whose noise weighs a distance d by e**(-d rate): a density, or masses on a lattice."""

    def __init__(self, prior: Discrete, noise: Noise, rate: Rate) -> None:
        self.pair, self.rate, self.step = Pair(prior, prior, noise), rate, noise.step
        self.no_density, self.no_mass = (None, _NO_MASS) if self.step is None else (_LATTICE, None)

    def at_precision(self) -> _ExponentialAtPrecision:
        """Return the left and right sums at the current precision."""
        return _ExponentialAtPrecision(self)

    @cached_property
    def below_each(self) -> list[int]:
        """The weights of the atoms up to each."""
        return list(accumulate(self.pair.weights[0]))

    def known_weight(self, y: Fraction) -> Fraction | None:
        """Return 0 off the lattice."""
        return Fraction(0) if self.lattice_point(y) != y else None

    def lattice_point(self, y: Fraction) -> Fraction:
        """Return the largest output <= y."""
        if self.step is None:
            return y
        origin = self.pair.atom(0)
        return origin + ((y - origin) / self.step).__floor__() * self.step

    def index(self, y: Fraction) -> int:
        """Return the index of the last atom <= y; -1 where there is none."""
        return bisect_right(self.pair.points, y * self.pair.denominator) - 1

    def shape(self, y: Fraction) -> ExpSum | None:
        """Return the sum of mass * e**(-distance rate)."""
        return self._sum(y, lambda point: 1)

    def _sum(self, y: Fraction, factor: Callable[[Fraction], int]) -> ExpSum | None:
        """The sum of factor(atom) * mass * e**(-distance rate)."""
        formal = self.rate.formal
        if formal is None or len(self.pair) > EXACT_TERMS:
            return None
        return ExpSum.collect(
            (formal.times(-abs(atom - y)), Fraction(factor(atom) * weight, self.pair.totals[0]))
            for atom, weight in (
                (self.pair.atom(k), weight) for k, weight in enumerate(self.pair.weights[0])
            )
        )

    def weighs(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether shape(y) times the noise at 0 is the value."""
        total, front = self.shape(y), self._front()
        if total is None or front is None:
            return Answer.UNKNOWN
        top, bottom = front
        return (total * top - bottom.times(value)).is_zero()

    def _front(self) -> tuple[ExpSum, ExpSum] | None:
        """The noise at 0 as a quotient of exact sums."""
        if self.step is not None:
            return None if (s := self._decay()) is None else (_ONE - s, _ONE + s)
        if self.rate.scale.ratio is None:
            return None
        over, under = self.rate.scale.ratio
        return under, over.times(2)

    def _decay(self) -> ExpSum | None:
        """e**(-step rate)."""
        if self.rate.formal is None or self.step is None:
            return None
        return ExpSum.power(self.rate.formal.times(-self.step))

    def reaches(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether the distribution function is the value: sums over both sides of y."""
        y = self.lattice_point(y)
        k = self.index(y)
        rest = Fraction(self.below_each[k] if k >= 0 else 0, self.pair.totals[0]) - value
        left = self._sum(y, lambda atom: int(atom <= y))
        right = self._sum(y, lambda atom: int(atom > y))
        if left is None or right is None:
            return Answer.UNKNOWN
        if self.step is None:
            return (ExpSum.constant(2 * rest) - left + right).is_zero()
        s = self._decay()
        if s is None:
            return Answer.UNKNOWN
        return ((_ONE + s).times(rest) - left * s + right).is_zero()


class _ExponentialAtPrecision(AtPrecision[Fraction]):
    """Left and right sums at every atom, in balls."""

    def __init__(self, law: ExponentialAtoms) -> None:
        self.law, self.pair = law, law.pair
        self.rate = law.rate.ball().raw
        factors = self.pair.factors(self.rate)
        self.left = self.pair.left_sums(0, factors)
        self.right = self.pair.right_sums(0, factors)
        self.front = normalisation(self.pair, law.rate)

    def weight(self, y: Fraction) -> Weight:
        """Return the density or mass, the power of the nearest atom apart."""
        sides = self._sides(y)
        nearest = min(distance for distance, _ in sides)
        total = raw(0)
        for distance, mass in sides:
            apart = distance - nearest
            total += mass * (-self.rate * raw(apart)).exp() if apart else mass
        return Weight(-self.rate * raw(nearest), total * self.front / self.pair.totals[0])

    def _sides(self, y: Fraction) -> list[tuple[Fraction, Raw]]:
        """The distance of the atom on either side, with the sum beyond it."""
        k = self.law.index(y)
        found = []
        if k >= 0:
            found.append((y - self.pair.atom(k), self.left[k]))
        if k + 1 < len(self.pair):
            found.append((self.pair.atom(k + 1) - y, self.right[k + 1]))
        return found

    def below(self, y: Fraction) -> Raw:
        """Return the distribution function."""
        y = self.law.lattice_point(y)
        k, step = self.law.index(y), self.law.step
        left, right, base = raw(0), raw(0), 0
        if k >= 0:
            left = self.left[k] * (-self.rate * raw(y - self.pair.atom(k))).exp()
            base = self.law.below_each[k]
        if k + 1 < len(self.pair):
            right = self.right[k + 1] * (-self.rate * raw(self.pair.atom(k + 1) - y)).exp()
        if step is None:
            total = base - (left - right) / 2
        else:
            s = (-self.rate * raw(step)).exp()
            total = base - (left * s - right) / (1 + s)
        return total / self.pair.totals[0]


class BareAtoms(Law[Fraction]):
    """Atoms that are released as they are: rational masses."""

    no_density = "y: atoms without noise have masses, no density; ask for oracle.mass"
    no_mass = None

    def __init__(self, prior: Discrete) -> None:
        self.prior = prior
        self.masses = prior.mass
        self.below_each = list(accumulate(prior.weights))

    def at_precision(self) -> _RationalAtPrecision:
        """Return the masses as balls."""
        return _RationalAtPrecision(self)

    def known_weight(self, y: Fraction) -> Fraction:
        """Return the mass of an output, 0 for what is none."""
        return self.masses.get(y, Fraction(0))

    def known_below(self, y: Fraction) -> Fraction:
        """Return the mass up to y."""
        k = bisect_right(self.prior.points, y * self.prior.denominator)
        return Fraction(self.below_each[k - 1] if k else 0, self.prior.total)

    def shape(self, y: Fraction) -> ExpSum:
        """Return the mass."""
        return ExpSum({Exponent({}): self.known_weight(y)})


class _RationalAtPrecision(AtPrecision[Fraction]):
    """Rational masses as balls."""

    def __init__(self, law: BareAtoms) -> None:
        self.law = law

    def weight(self, y: Fraction) -> Weight:
        """Return the mass of an output."""
        return Weight(raw(0), raw(self.law.known_weight(y)))

    def below(self, y: Fraction) -> Raw:
        """Return the mass up to y."""
        return raw(self.law.known_below(y))
