"""Atoms without noise: the value itself is published, and its masses are compared exactly."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.comparison import Comparison, Decision, Orders, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.masses.order import BareOrder, Exceeding
from pfverify.decide.outcome import Enclosure, Witness
from pfverify.exact.decimals import decimal_lower, decimal_text
from pfverify.model.notion import Bound
from pfverify.model.problem import PairOfPriors, Problem, discrete_priors
from pfverify.model.target import Target

_PROVED = ByRule("no-noise")
_TIED = "the loss may equal epsilon, and the tie is outside the exact classes"


def compared(problem: Problem, item: PairOfPriors) -> Orders:
    """Return both orders of a pair of priors of atoms, released as they are."""
    first, second = discrete_priors(item, "only priors of atoms have masses")
    return both_orders(Pair(first, second, problem.noise), problem.targets(item))


def both_orders(pair: Pair, targets: tuple[Target, Target]) -> Orders:
    """Return both orders of a pair without its noise."""
    first, second = targets
    return (
        MassComparison(pair, first, reverse=False),
        MassComparison(pair, second, reverse=True),
    )


class MassComparison(Comparison):
    """One order of a pair of priors of atoms that are released without noise.

    Source: design, section 2 (the definition itself: nothing is released but X).
    """

    no_witness = "the excess is too small to be written as a decimal"

    def __init__(self, pair: Pair, target: Target, *, reverse: bool) -> None:
        self.pair, self.target, self.reverse = pair, target, reverse
        self.order = BareOrder(pair, target, reverse)

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.pair.equal

    def against(self, target: Target) -> MassComparison:
        """Return the same order of the same pair, held to another target."""
        return MassComparison(self.pair, target, reverse=self.reverse)

    def settled(self) -> Settled:
        """Decide the target; equal laws meet every one."""
        if self.equal:
            return Settled(-1, _PROVED)
        match self.target.bound:
            case Bound.RATIO:
                sign = self.order.pure_sign()
                return Settled(sign, _PROVED, _TIED if sign is None else None)
            case Bound.DIVERGENCE if self.target.allows_everything:
                return Settled(-1, _PROVED)
            case Bound.DIVERGENCE | Bound.EXCESS:
                found = self._exceeding(None)
                return Settled(found.sign, _PROVED, found.reason)

    def decided(self, digits: int) -> Decision:
        """Decide the target, with a witness: an output, or an event of single atoms."""
        match self.target.bound:
            case Bound.RATIO:
                return self._ratio(digits)
            case Bound.DIVERGENCE:
                found = self._exceeding(digits)
                return self._exceeded(found, digits, self.order.worst, "event-refuted")
            case Bound.EXCESS:
                found = self._exceeding(digits)
                return self._exceeded(found, digits, found.atoms[0], "pointwise-refuted")

    def _ratio(self, digits: int) -> Decision:
        order, sign = self.order, self.order.pure_sign()
        witness, refuting = self._ratio_witness() if sign == 1 else (None, "pure-refuted")
        return Decision(
            sign=sign,
            loss=order.loss(digits),
            delta=None,
            worst=self.pair.atom(order.worst),
            evidence=_PROVED,
            refuting=refuting,
            witness=witness,
            reason=_TIED if sign is None else None,
            ties=tuple(self.pair.atom(k) for k in order.ties()) if sign == 0 else (),
        )

    def _ratio_witness(self) -> tuple[Witness | None, str]:
        """Return a witness with its rule: an output, or an event of one atom (where q = 0)."""
        order = self.order
        y = decimal_text(self.pair.atom(order.worst))
        if order.ratio is None:
            p, _ = order.masses(order.worst)
            return Witness(margin=decimal_lower(p, 6), event=[[y, y]]), "event-refuted"
        margin = order.pure_margin()
        return None if margin is None else Witness(margin=margin, y=y), "pure-refuted"

    def _exceeded(self, found: Exceeding, digits: int, worst: int, refuting: str) -> Decision:
        witness: Witness | None = None
        if found.sign == 1 and found.margin is not None:
            places = [decimal_text(self.pair.atom(k)) for k in found.atoms]
            witness = (
                Witness(margin=found.margin, event=[[y, y] for y in places])
                if self.target.bound is Bound.DIVERGENCE
                else Witness(margin=found.margin, y=places[0])
            )
        return Decision(
            sign=found.sign,
            loss=self.order.loss(digits),
            delta=found.amount,
            worst=self.pair.atom(worst),
            evidence=_PROVED,
            refuting=refuting,
            witness=witness,
            reason=found.reason,
        )

    def loss(self, digits: int) -> Supremum:
        """Enclose epsilon*, the logarithm of the largest ratio of masses."""
        return Supremum(self.order.loss(digits), self.pair.atom(self.order.worst))

    def exceeding(self, digits: int) -> Enclosure:
        """Enclose the divergence, or the largest excess of one atom, at the target's epsilon."""
        return self._exceeding(digits).amount

    def _exceeding(self, digits: int | None) -> Exceeding:
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                return self.order.events(digits)
            case Bound.EXCESS:
                return self.order.pointwise(digits)

    def known_epsilon(self, digits: int) -> Enclosure:
        """Enclose the least epsilon: the largest log((P(B) - delta)/Q(B)) of finitely many B."""
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                return self.order.least_epsilon(self.order.by_ratio(), digits)
            case Bound.EXCESS:
                return self.order.least_epsilon(self.order.one_by_one(), digits)

    def proposed_epsilon(self, loss: Enclosure, digits: int) -> Fraction:
        """Return the upper end of what is known in closed form."""
        del loss
        return Fraction(self.known_epsilon(digits).upper)
