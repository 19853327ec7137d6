"""Atoms with Laplace or discrete Laplace noise, compared by sums of exponentials at the atoms."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import inf

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Difference, Orders, Settled, Supremum
from pfverify.decide.evidence import AtAtoms
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.exponential.pure import PureRatios
from pfverify.decide.largest import AtPlaces
from pfverify.exact.ball import Ball, Raw, largest, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.refined import Refined, at_most
from pfverify.exact.rising import MOST_BITS
from pfverify.exact.search import float_root
from pfverify.laws.exponential import ExponentialAtoms
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_CAP_REASON = (
    "the loss may equal epsilon exactly, and epsilon or 1/scale is outside the classes with a "
    "complete zero test (a rational plus logarithms)"
)
_TIED = "the excess may equal delta, and the tie is outside the exact classes"
_CLOSE = 1e-14  # of a logarithm to 0, that of a proposal
_LEAST = 2.0**-60  # of the loss: a proposed epsilon below it is as good as any


def compared(first: ExponentialAtoms, second: ExponentialAtoms, target: Target) -> Orders:
    """Return both orders of two laws of atoms with noise of one scale."""
    return both_orders(Pair(first.prior, second.prior, first.step), first.rate, target)


def both_orders(pair: Pair, rate: Rate, target: Target) -> Orders:
    """Return both orders of a pair; what passes over the atoms tell is shared, by targets too."""
    ratios = PureRatios(pair, rate)
    return (
        ExponentialComparison(ratios, target, reverse=False),
        ExponentialComparison(ratios, target, reverse=True),
    )


class ExponentialComparison(Difference):
    """One order of a pair of priors of atoms under exponential noise.

    Source: design facts F1, F3, F4, F4b, F12.
    """

    no_witness = f"the excess is > 0, but no margin > 0 is proved at {MOST_BITS} bits"

    def __init__(self, ratios: PureRatios, target: Target, *, reverse: bool) -> None:
        self._ratios, self.target, self.reverse = ratios, target, reverse
        self.pair, self.rate = ratios.pair, ratios.rate

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.pair.equal

    def against(self, target: Target) -> ExponentialComparison:
        """Return the same order of the same pair, held to another target."""
        return ExponentialComparison(self._ratios, target, reverse=self.reverse)

    @cached_property
    def _pure(self) -> AtPlaces[int]:
        return self._ratios.order(self.target.epsilon, reverse=self.reverse)

    def _atoms(self, indices: tuple[int, ...]) -> tuple[Fraction, ...]:
        return tuple(self.pair.atom(k) for k in indices)

    always_met = False  # equal laws are decided as others are: they may tie
    proved = AtAtoms("pure", ())

    @property
    def signs(self) -> Settled:
        """The sign of the largest ratio, at the atoms."""
        pure = self._pure
        ties, why = self._atoms(pure.ties), _CAP_REASON if pure.sign is None else None
        return Settled(pure.sign, AtAtoms("pure", ties), why, ties, self._pure_breach)

    @property
    def area(self) -> Settled:
        """The sign of what delta bounds: no proof of the pure bound is looked for."""
        return self._area(None)

    def told(self) -> Settled:
        """Decide the target; where the pure bound holds it is what proves the rest."""
        return self.signs if self.target.bound is Bound.RATIO else self._area(self._pure)

    def _area(self, pure: AtPlaces[int] | None) -> Settled:
        asked = self.pair, self.rate, self.target, self.reverse
        sign = None if pure is None else pure.sign
        proof = None if pure is None or sign not in (-1, 0) else pure
        ties = () if proof is None else self._atoms(proof.ties)
        if self.target.bound is Bound.DIVERGENCE:
            from pfverify.decide.exponential.events import events_order

            events = events_order(*asked, sign)
            evidence = _below_delta(events.sign) if proof is None else AtAtoms("pure", ties)
            return Settled(
                events.sign, evidence, events.reason, ties,
                lambda: _breach_in_event(*asked), delta=events.delta,
            )  # fmt: skip
        from pfverify.decide.exponential.pointwise import pointwise_order

        point = pointwise_order(*asked, sign)
        rule, chosen = ("pointwise", point) if proof is None else ("pure", proof)
        ties, worst = self._atoms(chosen.ties), self.pair.atom(chosen.worst)
        return Settled(
            point.sign, AtAtoms(rule, ties), _TIED if point.sign is None else None, ties,
            lambda: _at("pointwise-refuted", worst, point.margin()),
            delta=point.amount, worst=worst,
        )  # fmt: skip

    def _pure_breach(self) -> Breach | None:
        return _at("pure-refuted", self.pair.atom(self._pure.worst), _less(self._pure.margin()))

    def loss(self) -> Supremum:
        """Return epsilon*, reached at an atom."""
        return Supremum(self._pure.amount, lambda: self.pair.atom(self._pure.worst))

    def exceeding(self) -> Refined:
        """Return the divergence, or the largest excess, at the target's epsilon."""
        asked = self.pair, self.rate, self.target, self.reverse, self._pure.sign
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                from pfverify.decide.exponential.events import divergence_of

                return divergence_of(*asked)
            case Bound.EXCESS:
                from pfverify.decide.exponential.pointwise import pointwise_order

                return pointwise_order(*asked).amount

    def proposed_epsilon(self, grid: Grid) -> Fraction:
        """Find the root of log(what delta bounds / delta), by midpoints at moderate precision."""
        del grid
        most = Fraction(at_most(self._pure.amount))

        def excess(part: float) -> float:
            target = self.target.at_epsilon(most * Fraction(part))
            ball = exceeding_ball(self.pair, self.rate, target, reverse=self.reverse)
            if ball.certain_sign() != 1:
                return -inf
            value = (ball.log() - log_delta).midpoint()
            return value if abs(value) > _CLOSE else 0.0

        with precision(128):
            log_delta = self.target.delta.ball().log()
            high, low = 1.0, 0.5
            while low > _LEAST and excess(low) <= 0:
                high, low = low, low / 2
            return most * Fraction(float_root(excess, low, high) if low > _LEAST else high)


def exceeding_ball(pair: Pair, rate: Rate, target: Target, *, reverse: bool) -> Ball:
    """Enclose what delta bounds, at the current precision, without a test for ties."""
    match target.notion.exceeding:
        case Bound.DIVERGENCE:
            from pfverify.decide.exponential.events import divergence

            return divergence(pair, rate, target, reverse)
        case Bound.EXCESS:
            from pfverify.decide.exponential.pointwise import values_at_atoms

            return Ball(largest(values_at_atoms(pair, rate, target, reverse)))


def below(bound: Bound) -> AtAtoms:
    """Return the evidence of a target that is met strictly: no atom ties.

    Example: ``below(Bound.RATIO).rule`` is ``'pure'``.
    """
    match bound:
        case Bound.RATIO:
            return AtAtoms("pure", ())
        case Bound.DIVERGENCE:
            return _below_delta(-1)
        case Bound.EXCESS:
            return AtAtoms("pointwise", ())
        case Bound.RENYI | Bound.ZCDP:
            raise TypeError("a divergence is proved by a rule of its own")


def _below_delta(sign: int | None) -> AtAtoms:
    return AtAtoms("delta-tie" if sign == 0 else "delta-upper")


def _breach_in_event(pair: Pair, rate: Rate, target: Target, reverse: bool) -> Breach | None:
    from pfverify.decide.exponential.witness import event_breach

    return event_breach(pair, rate, target, reverse)


def _less(margin: Raw | None) -> Raw | None:
    """A little less where it is exact, which enclosures of p and q prove."""
    if margin is None or not margin.is_exact():
        return margin
    return margin * (1 - raw(Fraction(1, 1 << 40)))


def _at(rule: str, worst: Fraction, margin: Raw | None) -> Breach | None:
    return None if margin is None else Breach(rule, margin, y=worst)
