"""One column or row of a plan: the mean of e**(distance/scale) over its mass."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import exp, expm1, gcd, log

from pfverify.errors import InputError
from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.number import Number
from pfverify.exact.search import UndecidedError
from pfverify.scales.bernoulli import grown_minus

_SMALL, _LARGE = Fraction(1, 10**12), Fraction(10**6)


@dataclass(frozen=True)
class PlanLine:
    """One column or row of a plan: distance -> integer mass, distances in units of the plan."""

    masses: tuple[tuple[int, int], ...]

    @cached_property
    def total(self) -> int:
        """The mass of the whole line."""
        return sum(mass for _, mass in self.masses)

    @property
    def shape(self) -> PlanLine:
        """The line with masses in lowest terms: it holds where this one does."""
        common = gcd(*(mass for _, mass in self.masses))
        return PlanLine(tuple((distance, mass // common) for distance, mass in self.masses))

    def proposed_rate(self, epsilon: Fraction) -> Fraction:
        """Return about 1/scale (in plan units) at which the line is tight: a proposal."""
        distance, mass = max(self.masses)
        if epsilon < _SMALL:  # e**x = 1 + x to all digits of a float
            return epsilon * self.total / sum(d * m for d, m in self.masses)
        if epsilon > _LARGE:  # only the largest distance counts
            return (epsilon + Fraction(log(self.total) - log(mass))) / distance
        shares = [(d / distance, m / self.total) for d, m in self.masses if d]
        whole = log(self.total)
        logs = [(d / distance, log(m) - whole) for d, m in self.masses if d]
        goal = float(epsilon)
        rate = goal + log(self.total) - log(mass)  # at or above the root: Newton descends
        for _ in range(200):
            if rate < 1:
                value = sum(m * expm1(d * rate) for d, m in shares) - expm1(goal)
                slope = sum(m * d * exp(d * rate) for d, m in shares)
            else:
                # over the largest power: a share of mass may be smaller than any float
                top = max(m + d * rate for d, m in logs)
                powers = [(d, exp(m + d * rate - top)) for d, m in logs]
                kept = max(0.0, 1 - sum(m for _, m in shares))
                total = sum(m for _, m in powers) + kept * exp(-top)
                value = top + log(total) - goal
                slope = sum(d * m for d, m in powers) / total
            step = value / slope
            rate -= step
            if abs(step) <= 1e-16 * abs(rate):
                break
        return Fraction(rate) / distance

    def log_gap(self, scale: Fraction, epsilon: Number, unit: Fraction) -> Ball:
        """Enclose log of (sum of mass e**(distance/scale) / total) - epsilon."""
        rate, total = unit / scale, raw(0)
        for distance, mass in self.masses:
            total += raw(rate * distance).exp() * mass
        return Ball((total / self.total).log()) - epsilon.ball()

    def closed_form(self, epsilon: Number, unit: Fraction) -> Number | None:
        """Return the tight scale in closed form when all moved mass moves equally far; None
        where that has too many digits."""
        moved = [(d, m) for d, m in self.masses if d]
        if len(moved) != 1:
            return None
        distance, mass = moved[0]
        whole, kept = self.total, self.total - mass
        reach = Number.of_rational(distance * unit)
        try:
            if kept == 0:
                return reach / epsilon
            ratio = grown_minus(epsilon.exp(), Fraction(whole, mass), Fraction(kept, mass))
            return reach / ratio.log()
        except InputError:
            return None

    def sign(self, scale: Fraction, epsilon: Number, unit: Fraction) -> int:
        """Return the sign of (sum of mass e**(distance/scale)) - e**epsilon * total, exactly."""
        rate = unit / scale
        for bits in (64, 192):
            with precision(bits):
                total = raw(0)
                for distance, mass in self.masses:
                    total += raw(rate * distance).exp() * mass
                gap = Ball(total - epsilon.ball().raw.exp() * self.total)
            sign = gap.certain_sign()
            if sign is not None:
                return sign
        if epsilon.linear is None:
            raise UndecidedError("the relaxed condition ties, and epsilon is outside the classes")
        total_ = ExpSum.collect(
            (Exponent.rational(rate * distance), Fraction(mass)) for distance, mass in self.masses
        )
        sign = (total_ - ExpSum.power(epsilon.linear, self.total)).sign()
        if sign is None:
            raise UndecidedError("the relaxed condition ties outside the exact classes")
        return sign
