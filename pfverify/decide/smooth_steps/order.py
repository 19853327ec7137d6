"""One order of two laws with densities behind steps, decided by charts of the bare number.

With g = p - e**epsilon q of the noisy number, the divergence of what is published sums the positive
parts of the masses of g over all outputs, and integrates that of g where density is kept. Inside a
stretch of one sign that is the mass of the stretch; an output in which the sign changes has a mass
of its own.
Source: design facts F5 and F45.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pfverify.decide.charts.chart import Chart, End
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.order import OneOrder, Proof, PureSign, positive
from pfverify.decide.charts.plan import Edge
from pfverify.decide.charts.release import SmoothRelease
from pfverify.decide.excess import excess_sign
from pfverify.decide.smooth_steps.segments import CutPiece, segments
from pfverify.exact.ball import Ball, Raw, raw
from pfverify.exact.number import Number
from pfverify.model.priors.prior import Component
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.step import SUPPRESSED
from pfverify.model.target import Target

_NOTHING, _ALL = Number.of_rational(0), Fraction(1)


@dataclass(frozen=True)
class RowLaw:
    """A law of the number before noise, and the mass of no row at all."""

    parts: tuple[Component, ...]
    nothing: Fraction


@dataclass(frozen=True)
class Weighed:
    """A segment of a chart with the masses of both laws, and the sign of g (None: unknown)."""

    segment: CutPiece
    p: Raw
    q: Raw
    gap: Raw
    sign: int | None


class StepsOrder(OneOrder):
    """P against e**epsilon Q behind steps; `p` and `q` are what is left of them on the line."""

    def __init__(
        self,
        first: RowLaw,
        second: RowLaw,
        target: Target,
        release: SmoothRelease,
        outputs: StepChain,
    ) -> None:
        super().__init__(first.parts, second.parts, target, release)
        self.first, self.second, self.outputs = first, second, outputs

    def against(self, target: Target) -> StepsOrder:
        """Return the same order, held to another target."""
        return StepsOrder(self.first, self.second, target, self.release, self.outputs)

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.first == self.second

    @property
    def rows(self) -> bool:
        """Whether there is a row under both laws for certain."""
        return not (self.first.nothing or self.second.nothing)

    @cached_property
    def plan(self) -> list[Edge] | None:
        """A coupling that bounds the noisy number, and so what is made of it."""
        return self.release.coupling(self.p, self.q, self.target.epsilon) if self.rows else None

    def weighed(self, measured: Measured, chart: Chart) -> Iterator[Weighed]:
        """Yield the segments of a chart with their masses, at the current precision."""
        for one in segments(self.outputs, chart.pieces):
            hidden = one.output == SUPPRESSED
            sign = one.sign if self.rows or not hidden else None
            if one.low is None and one.high is None and one.output is not None:
                yield self._only(measured, one)
                continue
            p, q = self.masses(measured, (one.low, one.high), hidden=hidden)
            gap = p - measured.factor * q
            if sign is None and one.output is not None:
                sign = Ball(gap).certain_sign()
            yield Weighed(one, p, q, gap, sign)

    def masses(
        self, measured: Measured, span: tuple[End, End], *, hidden: bool
    ) -> tuple[Raw, Raw]:
        """Return P and Q of an interval, with those of no row where what is suppressed is in it."""
        p, q = measured.mass(*span)
        if hidden:
            p, q = p + raw(self.first.nothing), q + raw(self.second.nothing)
        return p, q

    def shown(self) -> Raw:
        """Return how likely a number is published under P."""
        number, measured = self.outputs.unhidden, self.measured(self.target)
        if number is None:
            return raw(0)
        return measured.mass(None if self.outputs.suppressed is None else number, None)[0]

    def _only(self, measured: Measured, one: CutPiece) -> Weighed:
        """Weigh the only output, which has all mass of both laws."""
        sign = excess_sign(_ALL, _ALL, measured.signed.target, _NOTHING)
        return Weighed(one, raw(1), raw(1), 1 - measured.factor if sign else raw(0), sign)

    def pure_from(self, measured: Measured, chart: Chart, bits: int) -> PureSign | None:
        """Return what a chart says of the largest ratio of what is published, None: nothing."""
        proof, signs = Proof("chart", bits, chart), set[int | None]()
        for one in self.weighed(measured, chart):
            if one.sign == 1 and one.gap > 0:
                return PureSign(1, proof)
            signs.add(one.sign)
        if not signs <= {-1, 0}:
            return None
        return PureSign(0 if 0 in signs or self.ties_far_out(measured) else -1, proof)

    def ties_far_out(self, measured: Measured) -> bool:
        """Whether the ratio is proved to tend to e**epsilon along infinitely many outputs."""
        sides = [side for side in (-1, 1) if not self.outputs.ends(side)]
        return measured.ties_far_out(sides)

    def nothing_exceeds(self, measured: Measured, chart: Chart) -> bool:
        """Whether a chart proves that no event of what is published exceeds."""
        return all(one.sign in (-1, 0) for one in self.weighed(measured, chart))

    def exact_sign(self, measured: Measured, chart: Chart) -> None:
        """Return None: the masses of outputs are seldom rational."""
        del measured, chart

    def divergence(self, measured: Measured, chart: Chart) -> Ball:
        """Enclose the divergence of what is published."""
        total = raw(0)
        for one in self.weighed(measured, chart):
            if one.sign == 1:
                total += one.gap
            elif one.sign is None:
                single = one.segment.output is not None
                total += positive(one.gap) if single else one.p.union(raw(0))
        return Ball(total)

    def event(self, measured: Measured, chart: Chart) -> tuple[Raw, Raw]:
        """Return P(B) and Q(B) of the event B on which a chart proves an excess."""
        p, q = raw(0), raw(0)
        for one in self.weighed(measured, chart):
            if one.sign == 1:
                p, q = p + one.p, q + one.q
        return p, q
