"""One order of one pair with densities: pure, events and pointwise decisions, and enclosures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import log
from typing import TypeVar

from pfverify.decide.charts.chart import Chart
from pfverify.decide.charts.density import SignCell
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.plan import Edge
from pfverify.decide.charts.release import NO_NOISE, SmoothRelease, release_of
from pfverify.decide.charts.roots import sign_of
from pfverify.decide.charts.signed import Signed, power_of_two_near_root
from pfverify.decide.step import Evidence, Step
from pfverify.decide.targets import target_of
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, ByBalls, Refined
from pfverify.exact.rising import rising
from pfverify.model.notion import Bound
from pfverify.model.priors.prior import Component
from pfverify.model.question import Question
from pfverify.model.target import Target

START_BITS = 96
CAP_BITS = 1024
Found = TypeVar("Found")
TINY = Fraction(1, 10**10_000)  # a smaller divergence is only bounded
_FAR_BITS = 32  # sizes of exponents that the precision at the start allows for
_MOST_FACTOR_BITS = 1 << 11
_UNTOLD = (
    "the excess could not be told from 0 at the highest precision tried: it may be exactly 0 (a "
    "tie), for which there is no exact test here"
)
_TOLERANCE = 0.5  # brackets of zeros are as tight as this share of the working bits


@dataclass(frozen=True)
class SmoothQuestion:
    """One pair of component lists under one release, with what both orders are held to."""

    first: tuple[Component, ...]
    second: tuple[Component, ...]
    target: Target
    release: SmoothRelease

    @classmethod
    def of(cls, item: Question) -> SmoothQuestion:
        """Return the question for one pair, under its noise."""
        return cls(
            item.first_prior.components,
            item.second_prior.components,
            target_of(item),
            release_of(item.release.noise),
        )

    def at_scale(self, scale: Fraction) -> SmoothQuestion:
        """Return the question at another positive scale (b, or sigma) of the same noise.

        Raises ValueError without noise, which has no scale.
        """
        return replace(self, release=self.release.at_scale(scale))

    def without_noise(self) -> SmoothQuestion:
        """Return the question about the priors themselves."""
        return replace(self, release=NO_NOISE)

    def order(self, reverse: bool) -> OneOrder:
        """Return the order first over second, or the reverse."""
        sides = (self.second, self.first) if reverse else (self.first, self.second)
        return OneOrder(*sides, self.target, self.release)


class OneOrder:
    """P against e**epsilon Q under one release: one order of a question."""

    def __init__(
        self,
        p: tuple[Component, ...],
        q: tuple[Component, ...],
        target: Target,
        release: SmoothRelease,
    ) -> None:
        self.p, self.q, self.target, self.release = p, q, target, release

    def against(self, target: Target) -> OneOrder:
        """Return the same order, held to another target."""
        return OneOrder(self.p, self.q, target, self.release)

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.p == self.q

    @cached_property
    def unit(self) -> Fraction:
        """A power of two near the spread of both laws (for searches)."""
        return self.signed(self.target).unit

    @cached_property
    def narrowest(self) -> Fraction:
        """A power of two near the width of the narrowest law or noise (for searches)."""
        sizes = [part.variance + self.release.added for part in (*self.p, *self.q)]
        width = power_of_two_near_root(min((v for v in sizes if v), default=self.unit**2))
        peak = self.release.width()
        return width if peak is None else min(width, peak)

    @cached_property
    def plan(self) -> list[Edge] | None:
        """A coupling of components that proves the pure bound, if a simple one does (fact F8)."""
        return self.release.coupling(self.p, self.q, self.target.epsilon)

    def signed(self, target: Target) -> Signed:
        """Return the signed measure of the priors (with the variance of normal noise added)."""
        return Signed(self.p, self.q, target, self.release.added)

    def measured(self, target: Target) -> Measured:
        """Return the order against a target, at the current precision."""
        return self.release.measured(self.signed(target))

    @cached_property
    def extra_bits(self) -> int:
        """Bits that sizes of very different magnitude cost in the exponents."""
        parts = [*self.p, *self.q]
        sizes = [part.variance for part in parts if part.variance]
        smallest = min(sizes, default=self.unit**2) + self.release.added
        origin = max(abs(part.mean) for part in parts)
        far = _far_bits(parts, self.release.added) + _factor_bits(self.target.epsilon)
        return far + sum(
            max(0, _size_bits(ratio)) for ratio in (self.unit**2 / smallest, origin**2 / smallest)
        )

    def last_bits(self, first: int) -> int:
        """Return the precision at which to give up, for numbers as long as those at hand."""
        numbers = [x for part in (*self.p, *self.q) for x in part]
        longest = max(max(x.numerator.bit_length(), x.denominator.bit_length()) for x in numbers)
        # laws that much noise has made alike differ by about spread**2 / variance
        return max(CAP_BITS, 4 * first, 4 * longest, 8 * int(self.release.added).bit_length())

    def first_answer(
        self,
        target: Target,
        step: Callable[[Measured, Chart, int], Found | None],
    ) -> Found | None:
        """Return the first answer of `step` on charts at rising precision, None if there is none.

        `step` works at the precision of its chart.
        """
        return next((found for found in self._answers(target, step) if found is not None), None)

    def _answers(
        self,
        target: Target,
        step: Callable[[Measured, Chart, int], Found],
        least: int = START_BITS,
        tried: int = 0,
        known: Sequence[SignCell] = (),
    ) -> Iterator[Found]:
        """Yield what `step` says of charts at rising precision, from `least` bits, not `tried`."""
        first = least + self.extra_bits
        for bits in rising(first, self.last_bits(first)):
            if bits <= tried:
                continue
            with precision(bits):
                measured = self.measured(target)
                found = step(measured, measured.chart(2.0 ** (-_TOLERANCE * bits), known), bits)
            yield found

    def positive_place(self, measured: Measured, chart: Chart) -> Fraction | None:
        """Return an output at which p > e**epsilon q (+ delta) is proved, if the chart shows one.

        The one with the largest ratio among those at hand.
        """
        best: tuple[float, Fraction] | None = None
        for y in chart_places(chart):
            p, q = measured.values(y)
            if sign_of(p, q) == 1:
                size = float(measured.log_ratio(y).mid()) if q > 0 else float("inf")
                if best is None or size > best[0]:
                    best = size, y
        return None if best is None else best[1]

    def pure_sign(self, target: Target) -> PureSign:
        """Return the sign of the largest p - e**epsilon q, of a bound on one output also - delta.

        -1 and 0: the bound holds everywhere; None: not decided.
        """
        if self.equal:
            sign = target.epsilon.sign()
            if target.bound is Bound.EXCESS:
                sign = 1  # p <= e**epsilon p + delta is never an equality
            return PureSign(None if sign is None else -sign, Proof("equal"))
        if self.plan is not None:
            with precision(START_BITS):
                tie = target.bound is not Bound.EXCESS and self.ties_far_out(self.measured(target))
            return PureSign(0 if tie else -1, Proof("components", plan=self.plan))

        return self.first_answer(target, self.pure_from) or PureSign(None, Proof("chart"))

    def pure_from(self, measured: Measured, chart: Chart, bits: int) -> PureSign | None:
        """Return what a chart of so many bits says of the largest excess, None: nothing."""
        proof = Proof("chart", bits, chart)
        if (place := measured.worst_atom()) is not None:
            return PureSign(1, proof, place)
        if self.nothing_exceeds(measured, chart):
            return PureSign(0 if chart.tie else -1, proof)
        place = self.positive_place(measured, chart)
        return None if place is None else PureSign(1, proof, place)

    def ties_far_out(self, measured: Measured) -> bool:
        """Whether the ratio is proved to tend to e**epsilon exactly, far out."""
        return measured.ties_far_out()

    def nothing_exceeds(self, measured: Measured, chart: Chart) -> bool:
        """Whether a chart proves that P(B) <= e**epsilon Q(B) for every event B."""
        return chart.never_positive and measured.atoms_proved()

    def exact_sign(self, measured: Measured, chart: Chart) -> int | None:
        """Return the sign of divergence - delta where it is a matter of rational masses alone."""
        return measured.exact_sign(chart)

    def divergence(self, measured: Measured, chart: Chart) -> Ball:
        """Enclose the hockey-stick divergence, sup of P(B) - e**epsilon Q(B), from a chart."""
        total = measured.excess(chart.runs(1))
        for _, atom in measured.bare_atoms():
            total += positive(atom)
        unknown = raw(0)
        for low, high in chart.runs(None):
            unknown += measured.mass(low, high)[0]
        return Ball(total.union(total + unknown))

    def event(self, measured: Measured, chart: Chart) -> tuple[Raw, Raw]:
        """Return P(B) and Q(B) of the event B on which a chart proves an excess."""
        p, q = raw(0), raw(0)
        for low, high in chart.runs(1):
            a, b = measured.mass(low, high)
            p, q = p + a, q + b
        for atom, value in measured.bare_atoms():
            if value > 0:
                p, q = p + raw(atom.p), q + raw(atom.q)
        return p, q

    def charted(self, bits: int, known: Charted | None = None) -> Iterator[Ball]:
        """Yield enclosures of the hockey-stick divergence from charts, for so many bits.

        What is `known` of it comes before all others, and its cells are kept.
        """

        def step(measured: Measured, chart: Chart, bits: int) -> Ball:
            del bits
            nothing = self.nothing_exceeds(measured, chart)
            return Ball(0) if nothing else self.divergence(measured, chart)

        tried: int = 0
        cells: tuple[SignCell, ...] = ()
        if known is not None:
            yield known.ball
            tried, cells = known.bits, known.cells
        least = max(START_BITS, 2 * bits)
        yield from self._answers(self.target.of_events(), step, least, tried, cells)

    def events(self) -> SmoothEvents:
        """Decide whether the divergence is at most delta."""
        target = self.target.of_events()
        if self.equal or (target.bound is not Bound.RATIO and self.plan is not None):
            proof = Proof("equal") if self.equal else Proof("components", plan=self.plan)
            return SmoothEvents(target.sign_of_nothing, ZERO, proof)
        known = Charted(Ball(1))

        def step(measured: Measured, chart: Chart, bits: int) -> SmoothEvents | None:
            nonlocal known
            proof = Proof("chart", bits, chart)
            if self.nothing_exceeds(measured, chart):
                return SmoothEvents(target.sign_of_nothing, ZERO, proof)
            ball = self.divergence(measured, chart)
            known = Charted(ball, bits, tuple(chart.cells))
            # delta = 1 binds nothing: a divergence is at most the mass of P
            sign = -1 if target.allows_everything else (ball - target.delta.ball()).certain_sign()
            if sign is None:
                sign = self.exact_sign(measured, chart)
            return None if sign is None else SmoothEvents(sign, amount, proof)

        amount = ByBalls(lambda bits: self.charted(bits, known), Fraction(1), least=TINY)
        found = self.first_answer(target, step)
        if found is not None:
            return found
        width = known.ball.raw.rad().str(2, radius=False)
        reason = (
            "the divergence could not be told from delta: they agree within "
            f"{width} at the highest precision tried, and there is no exact test for a tie here"
        )
        return SmoothEvents(None, amount, Proof("chart"), reason)


def chart_places(chart: Chart) -> list[Fraction]:
    """Return outputs worth looking at: inside every interval of positive or unknown sign."""
    places = list(chart.places)
    span = max(places) - min(places) if places else Fraction(0)
    for low, high in [*chart.runs(1), *chart.runs(None)]:
        if low is not None and high is not None:
            places.append((low + high) / 2)
        elif high is not None:
            places += [high - (span or 1), high - 16 * (span or 1)]
        elif low is not None:
            places += [low + (span or 1), low + 16 * (span or 1)]
    return places


@dataclass(frozen=True)
class Proof(Evidence):
    """What a certificate repeats: a rule, and the chart or the plan of components it needs."""

    rule: str
    bits: int = 0
    chart: Chart | None = None
    plan: list[Edge] | None = None

    def step(self, bits: int) -> Step:
        """Return the certificate step: the rule, and the chart or plan that it repeats."""
        step: Step = {"rule": self.rule}
        if self.plan is not None:
            step["plan"] = [[i, k, str(mass)] for i, k, mass in self.plan]
        if self.chart is not None:
            step |= {"bits": max(bits, self.bits), **self.chart.step()}
        return step


@dataclass(frozen=True)
class Charted:
    """A divergence as a chart of so many bits shows it, and the chart's cells."""

    ball: Ball
    bits: int = 0
    cells: tuple[SignCell, ...] = ()


@dataclass(frozen=True)
class PureSign:
    """The sign of an excess over all outputs, its proof, and an output where it is positive."""

    sign: int | None
    proof: Proof
    y: Fraction | None = None

    @property
    def reason(self) -> str | None:
        """Why the sign is not known, where it is not."""
        return _UNTOLD if self.sign is None else None


@dataclass(frozen=True)
class SmoothEvents:
    """One order: the sign of divergence - delta, the divergence, the proof."""

    sign: int | None
    delta: Refined
    proof: Proof
    reason: str | None = None


def _size_bits(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length()


def _far_bits(parts: Sequence[Component], added: Fraction) -> int:
    """Return the bits that exponents cost where the widest law takes over from a far one.

    N(m, v) and N(m', v'), v < v', cross near m + (m - m') v'/(v' - v), far out where noise has
    made the variances nearly equal.
    """
    widest = max(parts, key=lambda part: part.variance)
    v = widest.variance + added
    far = max(
        (
            ((widest.mean - mean) * v / (widest.variance - variance)) ** 2 / v
            for _, mean, variance in parts
            if variance < widest.variance and variance + added
        ),
        default=Fraction(0),
    )
    return max(0, _size_bits(far) - _FAR_BITS) if far else 0


def _factor_bits(epsilon: Number) -> int:
    """Return the bits that a large e**epsilon costs, which multiplies a difference of masses.

    0 where they are so many that every try would take long: then nothing is gained by fewer.
    """
    with precision(START_BITS):
        bits = float(epsilon.ball().raw.mid()) / log(2) - _FAR_BITS
    return round(bits) if 0 < bits <= _MOST_FACTOR_BITS else 0


def positive(value: Raw) -> Raw:
    """Enclose max(value, 0)."""
    if value > 0:
        return value
    return raw(0) if value <= 0 else value.nonnegative_part()

