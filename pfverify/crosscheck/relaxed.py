"""The exact answer of Algorithm 1: the scale of the relaxed mechanism over columns."""

from __future__ import annotations

from fractions import Fraction

from pfverify.crosscheck.case import Case
from pfverify.crosscheck.truth import DIGITS, Truth, TruthSide
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.decimals import decimal_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import least_decimal
from pfverify.model.priors.discrete import Discrete
from pfverify.scales.relaxed import RelaxedPair
from pfverify.transport.line import monotone_plan


class RelaxedColumns(Truth):
    """The least scale at which every column of the monotone plan from p to q holds.

    At a column x' the mean of e**(distance/scale) over its mass is at most e**epsilon; 0 where no
    mass moves. It is enough for privacy and mostly more than the least private scale.

    Source: the noise-reduction paper, equation (9) and Algorithm 1.
    """

    bounds = "epsilon", "delta"

    def __init__(self, case: Case) -> None:
        p, q = case.p.prior(), case.q.prior() if case.q is not None else None
        if not isinstance(p, Discrete) or not isinstance(q, Discrete) or case.epsilon is None:
            raise InputError("a case of kind relaxed_columns has two laws of atoms and an epsilon")
        if case.epsilon < 0:
            raise InputError("a case of kind relaxed_columns has an epsilon of at least 0")
        epsilon = Number.of_rational(Fraction(case.epsilon))
        self._columns = RelaxedPair(monotone_plan(p, q), epsilon).columns
        self._finite = case.epsilon > 0 or not self._columns.moves

    def against(self, answer: Fraction) -> TruthSide:
        """Decide every column at the answer; a column holds from its tight scale on."""
        if answer < 0 or not self._finite:
            return TruthSide(1)
        if not self._columns.moves:
            return TruthSide(-1 if answer else 0)
        if answer == 0:
            return TruthSide(1)
        around = self.enclosure
        if around is not None and not around.lower <= answer <= around.upper:
            return TruthSide(1 if around.lower > answer else -1)
        try:
            return TruthSide(self._columns.sign(answer))
        except UndecidedError as error:
            return TruthSide(None, str(error))

    def enclosed(self, digits: int = DIGITS) -> Enclosure | None:
        """Bracket the scale by a decimal that is too small and one at which all columns hold."""
        side = self._columns
        if not self._finite:
            return Enclosure("inf", "inf")
        if not side.moves:
            return Enclosure("0", "0")
        try:
            low, high = least_decimal(side.holds, side.polished(Grid(digits)), Grid(digits))
            if side.sign(high) == 0:
                low = high
        except UndecidedError:
            return None
        return Enclosure(decimal_text(low), decimal_text(high))

    def stated(self, answer: Fraction) -> None:
        """No verdict says whether a scale is below this one: it may be private all the same."""
        return
