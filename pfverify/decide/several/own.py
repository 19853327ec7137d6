"""Outputs behind steps that are made of one noisy number alone: the ratio there is the noisy one's.

Source: design fact F43f.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import exp, floor, fsum, inf, log, prod

from pfverify.decide.breach import Breach, proved
from pfverify.decide.comparison import Comparison, Settled, Supremum
from pfverify.exact.ball import Raw, dyadic, fraction_of, precision, raw
from pfverify.exact.refined import ANYTHING, PROBABILITY, Between, Refined
from pfverify.exact.rising import rising
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import point_text
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.step import PostStep, published
from pfverify.model.target import Target

_FIRST_BITS, _LAST_BITS = 64, 1024
_MOST = 1 << 16  # points times atoms that are looked at
_HIDDEN = "every output that was asked is made of several noisy numbers, or is within epsilon"
Point = tuple[Fraction, ...]


def is_own(chain: StepChain, x: Fraction, lattice: Fraction | None) -> bool:
    """Say whether what a number becomes is made of it alone.

    On a line: of the numbers on one side of it, each by itself.
    Example: ``is_own(StepChain([]), Fraction(2), None)`` is True.
    """
    steps = chain.steps
    if not steps or any(step.wraps for step in steps):
        return not steps
    if lattice is not None:
        others = published(steps, x - lattice), published(steps, x + lattice)
        return published(steps, x) not in others
    return any(
        part.output is None
        and (part.low is None or part.low <= x)
        and (part.high is None or x <= part.high)
        for part in chain.kept or []
    )


def _places(
    steps: Sequence[PostStep], atoms: Sequence[Fraction], lattice: Fraction | None
) -> list[Fraction]:
    """Atoms that are outputs of their own, and where steps begin or end to hide others."""
    marks = set(atoms)
    for step in steps:
        if not step.naming:
            marks |= {cut.at for cut in step.cuts or ()}
    if lattice is not None:
        near = {floor((x - atoms[0]) / lattice) + k for x in marks for k in (-1, 0, 1, 2)}
        marks = {atoms[0] + k * lattice for k in near}
    chain = StepChain(steps)
    return sorted(x for x in marks if is_own(chain, x, lattice))


def _nearest(places: Sequence[Fraction], x: Fraction) -> Fraction:
    return min(places, key=lambda place: abs(place - x))


@dataclass(frozen=True)
class OwnOutputs:
    """Two laws of points with (discrete) Laplace noise of some rates, and outputs of their own."""

    laws: tuple[Mapping[Point, Fraction], Mapping[Point, Fraction]]
    rates: Sequence[Rate]
    steps: Sequence[Sequence[PostStep]]
    lattice: Fraction | None

    @cached_property
    def found(self) -> list[Point]:
        """The points that are looked at; () where no output is known to be its own."""
        atoms = [sorted({x[k] for law in self.laws for x in law}) for k in range(len(self.rates))]
        axes = [
            _places(steps, own, self.lattice) for steps, own in zip(self.steps, atoms, strict=True)
        ]
        rows = {x for law in self.laws for x in law}
        if prod(map(len, axes)) * len(rows) <= _MOST:
            return [*product(*axes)]
        if not all(axes):
            return []
        nearest = {
            tuple(_nearest(axis, x) for axis, x in zip(axes, row, strict=True)) for row in rows
        }
        return sorted(nearest)[: _MOST // len(rows)]

    @cached_property
    def best(self) -> tuple[Point, Point] | None:
        """Where log p/q, and log q/p, are the largest in floats."""
        if not self.found:
            return None
        with precision(_FIRST_BITS):
            rates = [float(rate.ball().raw) for rate in self.rates]
        ratios = [self._near(point, rates) for point in self.found]
        return self.found[ratios.index(max(ratios))], self.found[ratios.index(min(ratios))]

    def _near(self, point: Point, rates: Sequence[float]) -> float:
        """About log p/q at a point; 0 where the numbers are beyond floats."""
        found = []
        for law in self.laws:
            logs = []
            for x, mass in law.items():
                far = (abs(a - b) for a, b in zip(x, point, strict=True))
                with suppress(OverflowError):
                    apart = sum(rate * float(d) for rate, d in zip(rates, far, strict=True))
                    logs.append(log(mass.numerator) - log(mass.denominator) - apart)
            top = max(logs, default=0.0)
            found.append(top + log(fsum(exp(one - top) for one in logs)) if logs else 0.0)
        return found[0] - found[1]

    def log_ratio(self, point: Point) -> Raw:
        """Return log p/q at a point as a ball at the current precision."""
        rates = [rate.ball().raw for rate in self.rates]
        found = []
        for law in self.laws:
            total = raw(0)
            for x, mass in law.items():
                exponent = raw(0)
                for rate, a, b in zip(rates, x, point, strict=True):
                    exponent -= rate * raw(abs(a - b))
                total += raw(mass) * exponent.exp()
            found.append(total)
        return (found[0] / found[1]).log()


class AtOwn(Comparison):
    """One order at the outputs of their own: what it is at least, and where it fails."""

    no_witness = "the excess is > 0, but no margin > 0 is proved of an output"

    def __init__(self, outputs: OwnOutputs, target: Target, *, reverse: bool) -> None:
        self.outputs, self.target, self.reverse = outputs, target, reverse

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.outputs.laws[0] == self.outputs.laws[1]

    def against(self, target: Target) -> AtOwn:
        """Return the same order, held to another target."""
        return AtOwn(self.outputs, target, reverse=self.reverse)

    @property
    def _point(self) -> Point | None:
        best = self.outputs.best
        return None if best is None else best[self.reverse]

    def _log(self, point: Point) -> Raw:
        found = self.outputs.log_ratio(point)
        return -found if self.reverse else found

    @cached_property
    def _breach(self) -> Breach | None:
        if self._point is None or self.target.bound is not Bound.RATIO:
            return None
        for bits in rising(_FIRST_BITS, _LAST_BITS):
            with precision(bits):
                margin = self._log(self._point) - self.target.epsilon.ball().raw
            if margin < 0:
                return None
            if proved(margin):
                if len(self._point) == 1:
                    return Breach("pure-refuted", margin, y=self._point[0])
                return Breach("grid-refuted", margin, point=self._point)
        return None

    def settled(self) -> Settled:
        """Decide the target: it fails, or nothing is said."""
        found = self._breach
        return Settled(None, None, _HIDDEN) if found is None else Settled(
            1, None, breach=lambda: found
        )  # fmt: skip

    def loss(self) -> Supremum:
        """Return epsilon*: at least what it is at an output."""
        point = self._point
        if point is None:
            return Supremum(ANYTHING, lambda: "")
        with precision(128):
            least = fraction_of(dyadic(self._log(point).lower()))
        place = point[0] if len(point) == 1 else point_text(point)
        return Supremum(Between(max(least, Fraction(0)), inf), lambda: place)

    def exceeding(self) -> Refined:
        """Return what delta bounds, of which single outputs tell nothing."""
        return PROBABILITY

    def least_epsilon(self) -> Refined:
        """Return the least epsilon, of which with a delta single outputs tell nothing."""
        return ANYTHING
