"""One order of one pair with densities: pure, events and pointwise decisions, and enclosures.

With g = p - e**epsilon q of the noisy number, the divergence of what is published sums the positive
parts of the masses of g over all outputs, and integrates that of g where density is kept. Inside a
stretch of one sign that is the mass of the stretch; an output in which the sign changes has a mass
of its own. Without steps all density is kept, and atoms that no noise smooths come beside it.
Source: design facts F5 to F8 and F45.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import inf, log
from typing import TypeVar

from pfverify.decide.charts.chart import Chart, Ends
from pfverify.decide.charts.density import SignCell
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.plan import Edge
from pfverify.decide.charts.release import NO_NOISE, Parts, SmoothRelease, release_of
from pfverify.decide.charts.roots import sign_of
from pfverify.decide.charts.segments import CutPiece, segments
from pfverify.decide.charts.signed import Signed, power_of_two_near_root, size_bits
from pfverify.decide.comparison import Settled
from pfverify.decide.step import Evidence, Step
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, ByBalls
from pfverify.exact.rising import rising
from pfverify.laws.exponential import ExponentialAtoms
from pfverify.laws.forms import SmoothOutputs
from pfverify.laws.laplace import LaplaceMixture
from pfverify.laws.law import NormalForm
from pfverify.laws.masses import BareAtoms
from pfverify.laws.normal import NormalMixture
from pfverify.model.notion import Bound
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Component
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.step import SUPPRESSED
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
_NONE = Fraction(0)
NO_STEPS = StepChain(())


@dataclass(frozen=True, eq=False)
class OneOrder:
    """P against e**epsilon Q under one release: what is published of the noisy number.

    `p` and `q` are the laws of X where there is a row, and `nothing` the masses of no row at all
    under P and under Q, which is suppressed. `outputs` is what steps make of the noisy number.
    """

    p: Parts
    q: Parts
    target: Target
    release: SmoothRelease
    outputs: StepChain = NO_STEPS
    nothing: tuple[Fraction, Fraction] = (_NONE, _NONE)

    def at_scale(self, scale: Fraction) -> OneOrder:
        """Return the order at another positive scale (b, or sigma) of the same noise.

        Raises ValueError without noise, which has no scale.
        """
        return replace(self, release=self.release.at_scale(scale))

    def without_noise(self) -> OneOrder:
        """Return the order of the priors themselves."""
        return replace(self, release=NO_NOISE)

    def against(self, target: Target) -> OneOrder:
        """Return the same order, held to another target."""
        return replace(self, target=target)

    @property
    def plain(self) -> bool:
        """Whether no steps follow: every noisy number is published as it is."""
        return not self.outputs.steps

    @property
    def rows(self) -> bool:
        """Whether there is a row under both laws for certain."""
        return not any(self.nothing)

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.p == self.q and self.nothing[0] == self.nothing[1]

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
        """A coupling of components that proves the pure bound, if a simple one does (fact F8).

        It bounds the noisy number, and so what is made of it.
        """
        return self.release.coupling(self.p, self.q, self.target.epsilon) if self.rows else None

    @cached_property
    def alone(self) -> list[Component]:
        """The components of P where Q has no mass, atoms first: there p/q is infinite.

        None with noise. No epsilon makes up for their mass.
        """
        if not self.release.bare:
            return []
        theirs = {part.mean for part in self.q if not part.variance}
        found = [part for part in self.p if not part.variance and part.mean not in theirs]
        if not any(part.variance for part in self.q):
            found += [part for part in self.p if part.variance]
        return found

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
            max(0, size_bits(ratio)) for ratio in (self.unit**2 / smallest, origin**2 / smallest)
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
        sizes: dict[Fraction, float] = {}
        for y in chart.worth_looking():
            p, q = measured.values(y)
            if sign_of(p, q) == 1:
                sizes[y] = float(measured.log_ratio(y).mid()) if q > 0 else inf
        return max(sizes, key=sizes.__getitem__, default=None)

    def pure_sign(self, target: Target) -> Settled:
        """Return the sign of the largest p - e**epsilon q, of a bound on one output also - delta.

        -1 and 0: the bound holds everywhere; None: not decided.
        """
        if self.equal:
            # p <= e**epsilon p + delta is never an equality
            sign = 1 if target.bound is Bound.EXCESS else target.epsilon.sign()
            if sign is None:
                return Settled(None, Proof("equal"), _UNTOLD)
            return Settled(-sign, Proof("equal"))
        if self.plan is not None:
            with precision(START_BITS):
                tie = target.bound is not Bound.EXCESS and self.ties_far_out(self.measured(target))
            return Settled(0 if tie else -1, Proof("components", plan=self.plan))
        found = self.first_answer(target, self.pure_from)
        return Settled(None, Proof("chart"), _UNTOLD) if found is None else found

    def pure_from(self, measured: Measured, chart: Chart, bits: int) -> Settled | None:
        """Return what a chart of so many bits says of the largest excess, None: nothing."""
        proof, stretches = Proof("chart", bits, chart), self.stretches(measured, chart)
        if self.nothing_exceeds(measured, stretches):
            tie = any(one.sign == 0 for one in stretches) or self.ties_far_out(measured)
            return Settled(0 if tie else -1, proof)
        if not self.plain:
            exceeds = any(one.sign == 1 and one.gap > 0 for one in stretches)
            return Settled(1, proof) if exceeds else None
        place = measured.worst_atom()
        if place is None:
            place = self.positive_place(measured, chart)
        return None if place is None else Settled(1, replace(proof, y=place))

    def ties_far_out(self, measured: Measured) -> bool:
        """Whether the ratio is proved to tend to e**epsilon along infinitely many outputs."""
        return measured.ties_far_out([side for side in (-1, 1) if not self.outputs.ends(side)])

    def stretches(self, measured: Measured, chart: Chart) -> list[Stretch]:
        """Return a chart cut into outputs and stretches of one sign, from left to right."""
        if self.plain:
            pieces = [CutPiece(one.low, one.high, None, one.sign) for one in chart.pieces]
        else:
            pieces = segments(self.outputs, chart.pieces)
        groups = groupby(pieces, key=lambda one: (one.output, one.sign))
        return [Stretch(self, measured, list(parts)) for _, parts in groups]

    def masses(self, measured: Measured, span: Ends, *, hidden: bool) -> tuple[Raw, Raw]:
        """Return P and Q of an interval, with those of no row where what is suppressed is in it."""
        p, q = measured.mass(*span)
        if hidden:
            p, q = p + raw(self.nothing[0]), q + raw(self.nothing[1])
        return p, q

    def shown(self) -> Raw:
        """Return how likely a number is published under P."""
        number, measured = self.outputs.unhidden, self.measured(self.target)
        if number is None:
            return raw(0)
        return measured.mass(None if self.outputs.suppressed is None else number, None)[0]

    def nothing_exceeds(self, measured: Measured, stretches: list[Stretch]) -> bool:
        """Whether a chart proves that P(B) <= e**epsilon Q(B) for every event B."""
        return all(one.sign in (-1, 0) for one in stretches) and measured.atoms_proved()

    def divergence(self, measured: Measured, stretches: list[Stretch]) -> Ball:
        """Enclose the hockey-stick divergence, sup of P(B) - e**epsilon Q(B), from a chart."""
        total = raw(0)
        for one in stretches:
            if one.sign == 1:
                total += one.gap
            elif one.sign is None:
                total += one.masses[0].union(raw(0)) if one.output is None else positive(one.gap)
        for _, atom in measured.bare_atoms():
            total += positive(atom)
        return Ball(total)

    def event(self, measured: Measured, chart: Chart) -> tuple[Raw, Raw]:
        """Return P(B) and Q(B) of the event B on which a chart proves an excess."""
        p, q = raw(0), raw(0)
        for one in self.stretches(measured, chart):
            if one.sign == 1:
                p, q = p + one.masses[0], q + one.masses[1]
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
            stretches = self.stretches(measured, chart)
            nothing = self.nothing_exceeds(measured, stretches)
            return Ball(0) if nothing else self.divergence(measured, stretches)

        tried: int = 0
        cells: tuple[SignCell, ...] = ()
        if known is not None:
            yield known.ball
            tried, cells = known.bits, known.cells
        least = max(START_BITS, 2 * bits)
        yield from self._answers(self.target.of_events(), step, least, tried, cells)

    def events(self) -> Settled:
        """Decide whether the divergence is at most delta."""
        target = self.target.of_events()
        if self.equal or (target.bound is not Bound.RATIO and self.plan is not None):
            proof = Proof("equal") if self.equal else Proof("components", plan=self.plan)
            return Settled(target.sign_of_nothing, proof, delta=ZERO)
        known = Charted(Ball(1))

        def step(measured: Measured, chart: Chart, bits: int) -> Settled | None:
            nonlocal known
            proof, stretches = Proof("chart", bits, chart), self.stretches(measured, chart)
            if self.nothing_exceeds(measured, stretches):
                return Settled(target.sign_of_nothing, proof, delta=ZERO)
            ball = self.divergence(measured, stretches)
            known = Charted(ball, bits, tuple(chart.cells))
            # delta = 1 binds nothing: a divergence is at most the mass of P
            sign = -1 if target.allows_everything else (ball - target.delta.ball()).certain_sign()
            if sign is None and self.rows:
                sign = measured.exact_sign(chart)
            return None if sign is None else Settled(sign, proof, delta=amount)

        amount = ByBalls(lambda bits: self.charted(bits, known), Fraction(1), least=TINY)
        found = self.first_answer(target, step)
        if found is not None:
            return found
        width = known.ball.raw.rad().str(2, radius=False)
        reason = (
            "the divergence could not be told from delta: they agree within "
            f"{width} at the highest precision tried, and there is no exact test for a tie here"
        )
        return Settled(None, Proof("chart"), reason, delta=amount)


class Stretch:
    """An output, or numbers that are kept, or whole outputs, along which g has one sign.

    Its masses are worked out where they are asked for, at the precision at hand then.
    """

    def __init__(self, order: OneOrder, measured: Measured, parts: list[CutPiece]) -> None:
        self.order, self.measured, self.parts = order, measured, parts
        self.low, self.high, self.output = parts[0].low, parts[-1].high, parts[0].output
        self.hidden = self.output == SUPPRESSED
        everywhere = (self.low, self.high) == (None, None) and self.output is not None
        self.everything = everywhere and (order.rows or self.hidden)

    @cached_property
    def masses(self) -> tuple[Raw, Raw]:
        """P and Q."""
        if self.everything:
            return raw(1), raw(1)
        return self.order.masses(self.measured, (self.low, self.high), hidden=self.hidden)

    @cached_property
    def gap(self) -> Raw:
        """P - e**epsilon Q."""
        p, q = self.masses
        return p - self.measured.factor * q

    @cached_property
    def sign(self) -> int | None:
        """The sign of the gap of an output, else of g all along; None: unknown."""
        if self.everything:  # 1 - e**epsilon
            sign = self.measured.signed.target.epsilon.sign()
            return None if sign is None else -sign
        known = self.parts[0].sign if self.order.rows or not self.hidden else None
        if known is None and self.output is not None:
            return Ball(self.gap).certain_sign()
        return known


def orders_of(first: NormalForm, second: NormalForm, target: Target) -> tuple[OneOrder, OneOrder]:
    """Return both orders of two laws of normal laws and atoms, with noise and steps after it.

    Raises TypeError for laws that are none.
    """
    (p, no_p, release), (q, no_q, _) = map(_sums, (first, second))
    outputs = first.release.chain if isinstance(first, SmoothOutputs) else NO_STEPS
    return (
        OneOrder(p, q, target, release, outputs, (no_p, no_q)),
        OneOrder(q, p, target, release, outputs, (no_q, no_p)),
    )


def _sums(law: NormalForm) -> tuple[Parts, Fraction, SmoothRelease]:
    """Return the law of X where there is a row, the mass of no row, and what is added."""
    match law:
        case BareAtoms():
            return law.prior.components, _NONE, NO_NOISE
        case ExponentialAtoms(step=None):
            return law.prior.components, _NONE, SmoothRelease(law.rate)
        case LaplaceMixture():
            return tuple(law.components), _NONE, SmoothRelease(law.rate)
        case NormalMixture():
            return tuple(law.components), _NONE, SmoothRelease(added=law.added)
        case SmoothOutputs(prior=Nothing() as prior):
            parts = (Component(mass, atom, _NONE) for atom, mass in prior.atoms())
            return tuple(parts), 1 - prior.chance, release_of(law.release.noise)
        case SmoothOutputs():
            return law.prior.components, _NONE, release_of(law.release.noise)
        case _:
            raise TypeError(f"{law!r}: charts compare normal laws and atoms")


@dataclass(frozen=True)
class Proof(Evidence):
    """What a certificate repeats: a rule, and the chart or the plan of components it needs.

    `y` is an output at which the chart shows more than the bound.
    """

    rule: str
    bits: int = 0
    chart: Chart | None = None
    plan: list[Edge] | None = None
    y: Fraction | None = None

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
    return max(0, size_bits(far) - _FAR_BITS) if far else 0


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

