"""One order of one pair with densities: pure, events and pointwise decisions, and enclosures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from pfverify.decide.charts.chart import Chart
from pfverify.decide.charts.laplace_order import LaplaceOrder
from pfverify.decide.charts.normal_order import NormalOrder
from pfverify.decide.charts.plan import Edge, tail_plan
from pfverify.decide.charts.roots import sign_of
from pfverify.decide.charts.signed import Signed, power_of_two_near_root
from pfverify.decide.exponential.pair import Rate, Target
from pfverify.decide.masses.order import excess_sign
from pfverify.decide.outcome import (
    DEFAULT_DIGITS,
    Enclosure,
    Verdict,
    positive_enclosure,
    verdict_of,
)
from pfverify.exact.ball import Ball, Raw, dyadic, power_of_ten, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.noise import Noise
from pfverify.model.priors.prior import Component
from pfverify.model.problem import PairOfPriors, Problem

START_BITS = 96
CAP_BITS = 1024
Found = TypeVar("Found")
_BITS_PER_DIGIT = 8
_TINY = 10_000
_FAR_BITS = 32  # sizes of exponents that the precision at the start allows for
_TOLERANCE = 0.5  # brackets of zeros are as tight as this share of the working bits


@dataclass(frozen=True)
class SmoothQuestion:
    """One pair of component lists under one noise and target, in the order of the pair.

    `rate` is 1/b for Laplace noise; `variance` the variance of Gaussian noise (0: no noise at
    all). Exactly one of them is not None.
    """

    first: tuple[Component, ...]
    second: tuple[Component, ...]
    target: Target
    form: str
    rate: Rate | None
    variance: Fraction | None

    @classmethod
    def of(
        cls, problem: Problem, item: PairOfPriors, noise: Noise | None = None
    ) -> SmoothQuestion:
        """Return the question for one pair of a problem, under its noise or another one."""
        rate, variance = _strength(noise or problem.noise)
        return cls(
            item.first_prior.components,
            item.second_prior.components,
            Target(problem.epsilon, problem.delta),
            problem.form,
            rate,
            variance,
        )

    @property
    def bare(self) -> bool:
        """Whether there is no noise: the priors themselves are compared."""
        return self.variance == 0

    def at_scale(self, scale: Fraction) -> SmoothQuestion:
        """Return the question at another positive scale (b, or sigma) of the same noise.

        Raises ValueError without noise, which has no scale.
        """
        if self.bare:
            raise ValueError("without noise there is no scale to change")
        if self.rate is None:
            return replace(self, variance=scale * scale)
        return replace(self, rate=Rate(Number.of_rational(scale)))

    def without_noise(self) -> SmoothQuestion:
        """Return the question about the priors themselves."""
        return replace(self, rate=None, variance=Fraction(0))

    def order(self, reverse: bool) -> OneOrder:
        """Return the order first over second, or the reverse."""
        return OneOrder(self, reverse)


def _strength(noise: Noise) -> tuple[Rate | None, Fraction | None]:
    if noise.adds_nothing:
        return None, Fraction(0)
    if isinstance(noise, GaussianNoise) and noise.variance is not None:
        return None, noise.variance
    if isinstance(noise, Laplace) and noise.scale is not None:
        return Rate(noise.scale), None
    raise TypeError(f"{noise!r}: no rate and no variance")


class OneOrder:
    """P against e**epsilon Q for one order of a question."""

    def __init__(self, question: SmoothQuestion, reverse: bool) -> None:
        self.question = question
        self.reverse = reverse
        sides = question.first, question.second
        self.p, self.q = sides[::-1] if reverse else sides

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.p == self.q

    @cached_property
    def unit(self) -> Fraction:
        """A power of two near the spread of both laws (for searches)."""
        return self.signed(self.question.target, self.question.form).unit

    @cached_property
    def narrowest(self) -> Fraction:
        """A power of two near the width of the narrowest law or noise (for searches)."""
        added = self.question.variance or Fraction(0)
        sizes = [part.variance + added for part in (*self.p, *self.q)]
        width = power_of_two_near_root(min((v for v in sizes if v), default=self.unit**2))
        if self.question.rate is not None:
            with precision(64):
                mantissa, exponent = dyadic(self.question.rate.scale.ball().raw.mid())
            width = min(width, mantissa * Fraction(2) ** exponent)
        return width

    @cached_property
    def plan(self) -> list[Edge] | None:
        """A coupling of components that proves the pure bound, if a simple one does (fact F8)."""
        if self.question.rate is None:
            return None
        return tail_plan(self.p, self.q, self.question.rate, self.question.target.epsilon)

    def signed(self, target: Target, form: str) -> Signed:
        """Return the signed measure of the priors (with the variance of Gaussian noise added)."""
        return Signed(self.p, self.q, target, form, self.question.variance or Fraction(0))

    def measured(self, target: Target, form: str) -> LaplaceOrder | NormalOrder:
        """Return the order against a target, at the current precision."""
        signed = self.signed(target, form)
        if self.question.rate is None:
            return NormalOrder(signed)
        return LaplaceOrder(signed, self.question.rate)

    @cached_property
    def extra_bits(self) -> int:
        """Bits that sizes of very different magnitude cost in the exponents."""
        parts = [*self.p, *self.q]
        sizes = [part.variance for part in parts if part.variance]
        smallest = min(sizes, default=self.unit**2) + (self.question.variance or Fraction(0))
        origin = max(abs(part.mean) for part in parts)
        return _far_bits(parts, self.question.variance or Fraction(0)) + sum(
            max(0, _size_bits(ratio)) for ratio in (self.unit**2 / smallest, origin**2 / smallest)
        )

    def last_bits(self, first: int) -> int:
        """Return the precision at which to give up, for numbers as long as those at hand."""
        numbers = [x for part in (*self.p, *self.q) for x in part]
        longest = max(max(x.numerator.bit_length(), x.denominator.bit_length()) for x in numbers)
        # laws that much noise has made alike differ by about spread**2 / variance
        added = self.question.variance or Fraction(0)
        return max(CAP_BITS, 4 * first, 4 * longest, 8 * int(added).bit_length())

    def first_answer(
        self,
        target: Target,
        form: str,
        step: Callable[[LaplaceOrder | NormalOrder, Chart, int], Found | None],
        digits: int | None = None,
    ) -> Found | None:
        """Return the first answer of `step` on charts at rising precision, None if there is none.

        `step` works at the precision of its chart, which is enough for `digits` digits.
        """
        first = max(START_BITS, _BITS_PER_DIGIT * (digits or 0)) + self.extra_bits
        for bits in rising(first, self.last_bits(first)):
            with precision(bits):
                order = self.measured(target, form)
                found = step(order, order.chart(2.0 ** (-_TOLERANCE * bits)), bits)
            if found is not None:
                return found
        return None

    def positive_place(
        self, order: LaplaceOrder | NormalOrder, chart: Chart
    ) -> Fraction | None:
        """Return an output at which p > e**epsilon q (+ delta) is proved, if the chart shows one.

        The one with the largest ratio among those at hand.
        """
        best: tuple[float, Fraction] | None = None
        for y in chart_places(chart):
            p, q = order.values(y)
            if sign_of(p, q) == 1:
                size = float((p / q).log().mid()) if q > 0 else float("inf")
                if best is None or size > best[0]:
                    best = size, y
        return None if best is None else best[1]

    def pure_sign(self, target: Target, form: str) -> PureSign:
        """Return the sign of sup log p/(e**epsilon q); pointwise of sup p - e**epsilon q - delta.

        -1 and 0: the bound holds everywhere; None: not decided.
        """
        if self.equal:
            sign = target.epsilon.sign()
            if form == "pointwise" and target.delta.sign() != 0:
                sign = 1  # p <= e**epsilon p + delta is never an equality
            return PureSign(None if sign is None else -sign, Proof("equal"))
        if self.plan is not None:
            with precision(START_BITS):
                tie = form != "pointwise" and _has_tie(self.measured(target, form))
            return PureSign(0 if tie else -1, Proof("components", plan=self.plan))

        def step(
            order: LaplaceOrder | NormalOrder, chart: Chart, bits: int
        ) -> PureSign | None:
            proof = Proof("chart", bits, chart)
            if isinstance(order, NormalOrder) and (place := worst_atom(order)) is not None:
                return PureSign(1, proof, place)
            if chart.never_positive and atoms_proved(order):
                return PureSign(0 if chart.tie else -1, proof)
            place = self.positive_place(order, chart)
            return None if place is None else PureSign(1, proof, place)

        return self.first_answer(target, form, step) or PureSign(None, Proof("chart"))

    def excess(
        self,
        target: Target,
        order: LaplaceOrder | NormalOrder,
        chart: Chart,
    ) -> Ball:
        """Enclose sup over B of P(B) - e**epsilon Q(B) from a chart."""
        total = raw(0)
        for low, high in chart.runs(1):
            p, q = order.mass(low, high)
            total += p - order.factor * q
        for atom in bare_atoms(order):
            total += _positive(atom)
        unknown = raw(0)
        for low, high in chart.runs(None):
            unknown += order.mass(low, high)[0]
        return Ball(total.union(total + unknown))

    def events(self, digits: int | None = DEFAULT_DIGITS) -> SmoothEvents:
        """Decide whether the divergence is at most delta, and enclose it."""
        target = self.question.target
        delta_sign = target.delta.sign()
        if self.equal or (delta_sign != 0 and self.plan is not None):
            proof = Proof("equal") if self.equal else Proof("components", plan=self.plan)
            return SmoothEvents(
                None if delta_sign is None else -delta_sign, Enclosure("0", "0"), proof
            )
        # delta = 1 binds nothing: a divergence is at most the mass of P
        sign: int | None = -1 if target.delta.fraction == 1 else None
        found: Enclosure | None = None
        proof = Proof("chart")
        ball = Ball(1)

        def step(
            order: LaplaceOrder | NormalOrder, chart: Chart, bits: int
        ) -> SmoothEvents | None:
            nonlocal sign, found, proof, ball
            if chart.never_positive and atoms_proved(order):
                held = None if delta_sign is None else -delta_sign
                return SmoothEvents(held, Enclosure("0", "0"), Proof("chart", bits, chart))
            ball = self.excess(target, order, chart)
            if sign is None:
                sign = (ball - target.delta.ball()).certain_sign()
                if sign is None and isinstance(order, NormalOrder):
                    sign = _exact_sign(order, chart, target)
            if sign is not None and proof.chart is None:
                proof = Proof("chart", bits, chart)
            if found is None:
                found = enclosed(ball, digits)
            if sign is None or found is None:
                return None
            return SmoothEvents(sign, found, proof)

        done = self.first_answer(target, "events", step, digits)
        if done is not None:
            return done
        reason = None
        if sign is None:
            width = ball.raw.rad().str(2, radius=False)
            reason = (
                "the divergence could not be told from delta: they agree within "
                f"{width} at the highest precision tried, and there is no exact test for a tie here"
            )
        known = Enclosure("0", "1") if found is None else found
        return SmoothEvents(sign, known, proof, reason)


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
class Proof:
    """What a certificate repeats: a rule, and the chart or the plan of components it needs."""

    rule: str
    bits: int = 0
    chart: Chart | None = None
    plan: list[Edge] | None = None


@dataclass(frozen=True)
class PureSign:
    """The sign of an excess over all outputs, its proof, and an output where it is positive."""

    sign: int | None
    proof: Proof
    y: Fraction | None = None


@dataclass(frozen=True)
class SmoothEvents:
    """One order: the sign of divergence - delta, the enclosed divergence, the proof."""

    sign: int | None
    delta: Enclosure
    proof: Proof
    reason: str | None = None

    @property
    def verdict(self) -> Verdict:
        """Certified when the sign is -1 or 0."""
        return verdict_of(self.sign)


def bare_atoms(order: LaplaceOrder | NormalOrder) -> list[Raw]:
    """Return p - e**epsilon q of the atoms that no noise has smoothed."""
    if isinstance(order, LaplaceOrder):
        return []
    return [atom.coefficient(order.factor) for atom in order.signed.atoms]


def enclosed(ball: Ball, digits: int | None) -> Enclosure | None:
    """Return decimals around a divergence; one too small for a plain decimal is only bounded."""
    if digits is not None and ball.raw > 0 and ball.raw < power_of_ten(-_TINY):
        return Enclosure("0", f"1e-{_TINY}")
    found = positive_enclosure(ball, digits, "1")
    if found is not None and Fraction(found.upper) > 1:
        return Enclosure(found.lower, "1")
    return found


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


def _exact_sign(order: NormalOrder, chart: Chart, target: Target) -> int | None:
    """Return the sign of divergence - delta where all masses are rational: h has one sign."""
    signs = {piece.sign for piece in chart.pieces}
    if len(signs) != 1 or None in signs:
        return None
    terms = [atom for atom in order.signed.atoms if atom.coefficient(order.factor) > 0]
    if signs == {1}:
        terms += order.signed.terms
    p = sum((term.p for term in terms), Fraction(0))
    q = sum((term.q for term in terms), Fraction(0))
    return excess_sign(p, q, target, target.delta)


def atoms_proved(order: LaplaceOrder | NormalOrder) -> bool:
    """Whether every bare atom is proved not to exceed e**epsilon q."""
    return all(value <= 0 for value in bare_atoms(order))


def worst_atom(order: NormalOrder) -> Fraction | None:
    """Return the place of a bare atom that is proved to exceed e**epsilon q, if there is one."""
    for atom in order.signed.atoms:
        if atom.coefficient(order.factor) > 0:
            return atom.mean
    return None


def _has_tie(order: LaplaceOrder | NormalOrder) -> bool:
    if isinstance(order, NormalOrder):
        return False
    return any(order.limit_sign(side)[1] for side in (-1, 1))


def _positive(value: Raw) -> Raw:
    """Enclose max(value, 0)."""
    if value > 0:
        return value
    return raw(0) if value <= 0 else value.nonnegative_part()

