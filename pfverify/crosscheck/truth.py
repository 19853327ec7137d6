"""The exact answer to a case, as what an answer in floats can be held against."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from pfverify.answers.certify import certify
from pfverify.crosscheck.case import Case
from pfverify.decide.comparison import Orders
from pfverify.decide.gap import within
from pfverify.decide.routes import at_any_scale, comparison
from pfverify.errors import UndecidedError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.enclosure import Enclosure, largest_of
from pfverify.exact.grid import Grid
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.written import written
from pfverify.model.problem import Problem
from pfverify.scales.minimum import minimum_scale

DIGITS = 20  # of an enclosure: more than a float has
_SHOWN = 6
_FAINT = Fraction(1, 10**12)  # of the least scale: next to no noise
_GAP = Fraction(1, 10**5)  # of the divergence of many releases, between its bounds
_TARGET = Fraction(1, 10**20)  # a delta beside which theirs is not looked at more closely
_BETWEEN = "it lies between the bounds of the divergence, which are not nearer each other"


@dataclass(frozen=True)
class TruthSide(NoTruth, ask="read .sign, which may be None"):
    """The sign of truth - answer, exactly (None: undecided, for this reason)."""

    sign: int | None
    reason: str = ""


class Truth(ABC):
    """One exact number: the least scale, the largest loss, or the divergence.

    `bounds` is what a log ratio and what an event exceeds that refutes an answer, in words.
    """

    bounds: tuple[str, str]

    @abstractmethod
    def against(self, answer: Fraction) -> TruthSide:
        """Decide whether the truth is above, at or below an answer."""

    @abstractmethod
    def enclosed(self, digits: int) -> Enclosure | None:
        """Enclose the truth to some significant digits; None where a search was undecided."""

    @abstractmethod
    def stated(self, answer: Fraction) -> Problem | None:
        """Return the problem that is certified exactly where the answer is not below the truth.

        None where there is no such problem. `answer` is one that the truth may have: not negative,
        and at most 1 where it is a delta.
        """

    @cached_property
    def enclosure(self) -> Enclosure | None:
        """The truth to more digits than a float has."""
        return self.enclosed(DIGITS)

    def refuted_words(self, answer: Fraction) -> str:
        """Return what refutes an answer below the truth, in words; empty where nothing is found.

        Example: ``LargestLoss(case).refuted_words(Fraction(0))[-8:]`` is ``"at y = 0"``.
        """
        stated = self.stated(answer)
        if stated is None:
            return ""
        found = certify(stated, digits=_SHOWN).pairs[0]
        witness = found.witness
        if not found.refuted or witness is None:
            return ""
        order = f"from {found.from_} to {found.to}"
        if witness.event is not None:
            return f"{order} an event exceeds {self.bounds[1]} by at least {witness.margin}"
        exceeded = f"exceeds {self.bounds[0]} by at least {witness.margin}"
        return f"{order} the log ratio {exceeded} at y = {shorten(witness.y, 30)}"


def _sign(orders: Orders) -> TruthSide:
    """The sign of what exceeds a target, of the worse order; refuted as soon as one is."""
    found = [compared.settled() for compared in orders]
    signs = [settled.sign for settled in found]
    if 1 in signs:
        return TruthSide(1)
    for settled in found:
        if settled.sign is None:
            return TruthSide(None, settled.reason or "the verdict is undecided")
    return TruthSide(max(sign for sign in signs if sign is not None))


class LeastScale(Truth):
    """The least scale that is private, infinite where none is; an answer is decided itself."""

    bounds = "epsilon", "delta"

    def __init__(self, case: Case) -> None:
        self.problem = case.problem()
        (self._pair,) = self.problem.questions()
        self._scaled = at_any_scale(self._pair)

    def against(self, answer: Fraction) -> TruthSide:
        """Decide by the bracket, and within it for both orders at the scale itself.

        The private scales are all those from the least one on (fact F2). A verdict far outside
        the bracket takes long under normal noise.
        """
        if answer < 0:
            return TruthSide(1)
        if answer == 0:
            found = _sign(self._scaled.bare())
            return TruthSide(0) if found.sign is not None and found.sign <= 0 else found
        if (sign := _outside(self.enclosure, answer)) is not None:
            return TruthSide(sign)
        return _sign(self._scaled.at(answer))

    def refuted_words(self, answer: Fraction) -> str:
        """Return what refutes a scale; nothing of one that is next to no noise, as it takes long.

        Example: ``LeastScale(case).refuted_words(Fraction(1, 10**300))`` is ``""``.
        """
        least = None if self.enclosure is None else self.enclosure.lower
        if isinstance(least, Fraction) and 0 < answer < least * _FAINT:
            return ""
        return super().refuted_words(answer)

    def enclosed(self, digits: int) -> Enclosure | None:
        """Bracket the least scale by one refuted and one certified decimal."""
        try:
            found = minimum_scale(self.problem, Grid(digits))
        except UndecidedError:
            return None
        upper = "inf" if found.upper is None else decimal_text(found.upper)
        return Enclosure(upper if found.upper is None else decimal_text(found.lower), upper)

    def stated(self, answer: Fraction) -> Problem:
        """Return the problem at the scale."""
        return self.problem.replaced(scale=answer)


class _LeastTarget(Truth):
    """The least epsilon, or delta, that both orders meet: an answer is put into the problem."""

    def __init__(self, case: Case) -> None:
        self.problem = case.problem()
        (self._pair,) = self.problem.questions()

    @abstractmethod
    def stated(self, answer: Fraction) -> Problem:
        """Return the problem with the answer as its epsilon, or delta."""

    def against(self, answer: Fraction) -> TruthSide:
        """Decide by the enclosure, and within it at the answer itself."""
        if answer < 0:
            return TruthSide(1)
        if (sign := _outside(self.enclosure, answer)) is not None:
            return TruthSide(sign)
        (stated,) = self.stated(answer).questions()
        return _sign(comparison(stated))


class LargestLoss(_LeastTarget):
    """The largest loss over both orders, infinite where a ratio is unbounded."""

    bounds = "the answer", "delta"

    def enclosed(self, digits: int) -> Enclosure | None:
        """Enclose the supremum of the log ratio over both orders."""
        return largest_of(
            [written(one.loss().value, digits) for one in comparison(self._pair)]
        )

    def stated(self, answer: Fraction) -> Problem:
        """Return the problem with the loss as its epsilon."""
        return self.problem.replaced(epsilon=answer, delta=0)


class LargestDelta(_LeastTarget):
    """The hockey-stick divergence at the case's epsilon, the larger of both orders."""

    bounds = "epsilon", "the answer"

    def against(self, answer: Fraction) -> TruthSide:
        """Decide as for a loss; no delta is above 1."""
        return TruthSide(-1) if answer > 1 else super().against(answer)

    def enclosed(self, digits: int) -> Enclosure | None:
        """Enclose the divergence of both orders; None where it is out of reach."""
        try:
            return largest_of([written(one.exceeding(), digits) for one in comparison(self._pair)])
        except UndecidedError:
            return None

    def stated(self, answer: Fraction) -> Problem:
        """Return the problem with the divergence as its delta."""
        return self.problem.replaced(delta=answer)


class ComposedDelta(LargestDelta):
    """The divergence of many releases, between two bounds; within them nothing is decided."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._case = case

    def against(self, answer: Fraction) -> TruthSide:
        """Decide by the two bounds."""
        if answer < 0 or answer > 1:
            return TruthSide(1 if answer < 0 else -1)
        sign = _outside(self.enclosure, answer)
        return TruthSide(sign, "" if sign is not None else _BETWEEN)

    def enclosed(self, digits: int) -> Enclosure | None:
        """Return the two bounds, whose digits are their own."""
        return _composed(self._case)

    def refuted_words(self, answer: Fraction) -> str:
        """Return nothing: the bound that an answer is below is all that is known."""
        return ""


@lru_cache(maxsize=256)
def _composed(case: Case) -> Enclosure | None:
    """The bounds of the divergence of a case, which many subjects are asked."""
    (pair,) = case.problem().replaced(delta=_TARGET).questions()
    with within(_GAP):
        try:
            return largest_of([written(one.exceeding(), DIGITS) for one in comparison(pair)])
        except UndecidedError:
            return None


def _outside(enclosure: Enclosure | None, answer: Fraction) -> int | None:
    """Return the sign of truth - answer where an enclosure tells it, else None."""
    if enclosure is None:
        return None
    if enclosure.lower > answer:
        return 1
    if enclosure.upper < answer:
        return -1
    return 0 if enclosure.lower == enclosure.upper else None
