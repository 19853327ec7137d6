"""The relaxed mechanism: average e**(|x-x'|/scale) over columns or rows of the monotone plan.

A column x' holds when sum over x of plan(x, x') e**(|x-x'|/scale) <= e**epsilon Q(x'). If every
column holds (or every row), both orders are private (fact F9).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import exp, expm1, inf, log, log1p

from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import UndecidedError, polished
from pfverify.scales.bernoulli import grown_minus
from pfverify.transport.line import LinePlan

_SPARE = 1 + 1e-9  # what floats may be off, with plenty to spare
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
    def moves(self) -> bool:
        """Whether any mass lies off the diagonal; without it every scale holds."""
        return any(distance for distance, _ in self.masses)

    def rate_bounds(self, epsilon: Fraction) -> tuple[float, float]:
        """Return about a lower and an upper bound of the tight rate: all mass moves as far as any,

        and none but what moves farthest moves at all. (0, inf) where floats do not reach.
        """
        distance, mass = max(self.masses)
        try:
            more = log1p((self.total - mass) / mass)
            return float(epsilon / distance), (float(epsilon) + more) / distance
        except OverflowError:
            return 0.0, inf

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
        """Return the tight scale in closed form when all moved mass moves equally far."""
        moved = [(d, m) for d, m in self.masses if d]
        if len(moved) != 1:
            return None
        distance, mass = moved[0]
        whole, kept = self.total, self.total - mass
        reach = Number.of_rational(distance * unit)
        if kept == 0:
            return reach / epsilon
        ratio = grown_minus(epsilon.exp(), Fraction(whole, mass), Fraction(kept, mass))
        return reach / ratio.log()

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


class PlanSide:
    """The columns, or the rows, of one pair's plan; distances in units of 1/`denominator`."""

    def __init__(self, lines: list[PlanLine], denominator: int, epsilon: Number) -> None:
        self.moving = [line for line in lines if line.moves]
        self.unit, self.epsilon = Fraction(1, denominator), epsilon

    @cached_property
    def tightest(self) -> PlanLine | None:
        """The line that asks for the largest scale (proposed), None if nothing moves."""
        about = self.epsilon.at_most()
        bounds = [line.rate_bounds(about) for line in self.moving]
        least = min((upper for _, upper in bounds), default=inf) * _SPARE
        kept = [
            line for line, (lower, _) in zip(self.moving, bounds, strict=True) if lower <= least
        ]
        return min(kept, key=lambda line: line.proposed_rate(about), default=None)

    @cached_property
    def scale(self) -> Fraction:
        """About the largest tight scale over the lines; 0 without moved mass. A proposal."""
        line = self.tightest
        rate = None if line is None else line.proposed_rate(self.epsilon.at_most())
        return Fraction(0) if rate is None else self.unit / rate

    def polished(self, grid: Grid) -> Fraction:
        """Return that scale to a candidate of a grid; still a proposal."""
        line = self.tightest
        if line is None:
            return self.scale
        return polished(lambda s: line.log_gap(s, self.epsilon, self.unit), self.scale, grid)

    def closed_form(self) -> Number | None:
        """Return the tight scale of the tightest line in closed form, where it has one."""
        line = self.tightest
        return None if line is None else line.closed_form(self.epsilon, self.unit)

    def holds(self, scale: Fraction) -> bool:
        """Decide the condition on every line."""
        return all(line.sign(scale, self.epsilon, self.unit) <= 0 for line in self.moving)

    def sign(self, scale: Fraction) -> int:
        """Return 1 where a line fails, 0 where all hold and one is tight, else -1, exactly."""
        signs = [line.sign(scale, self.epsilon, self.unit) for line in self.moving]
        return max(signs, default=-1)


class RelaxedPair:
    """Columns and rows of one pair's plan, with the scales at which they are tight."""

    def __init__(self, plan: LinePlan, epsilon: Number) -> None:
        self.plan, self.epsilon = plan, epsilon

    @cached_property
    def columns(self) -> PlanSide:
        """The lines of the second prior's atoms."""
        lines = _lines((y, abs(x - y), mass) for x, y, mass in self.plan.edges)
        return PlanSide(lines, self.plan.denominator, self.epsilon)

    @cached_property
    def rows(self) -> PlanSide:
        """The lines of the first prior's atoms."""
        lines = _lines((x, abs(x - y), mass) for x, y, mass in self.plan.edges)
        return PlanSide(lines, self.plan.denominator, self.epsilon)

    @cached_property
    def sufficient(self) -> Fraction | None:
        """The longest edge over epsilon (rounded down): every line holds there; None: unknown.

        No power exceeds e**epsilon there, so no mean of powers does.
        """
        about = self.epsilon.at_most()
        return self.plan.w_infinity() / about if about > 0 else None

    def covers(self, scale: Fraction) -> bool:
        """Say whether every line holds at a scale by the longest edge alone."""
        return self.sufficient is not None and scale >= self.sufficient


def _lines(entries: Iterable[tuple[int, int, int]]) -> list[PlanLine]:
    tables: dict[int, dict[int, int]] = {}
    for point, distance, mass in entries:
        table = tables.setdefault(point, {})
        table[distance] = table.get(distance, 0) + mass
    return [PlanLine(tuple(sorted(table.items()))) for table in tables.values()]

