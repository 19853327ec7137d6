"""The Renyi divergence of an order a > 1 against epsilon, and R of finitely many masses.

    R = integral of p^a q^(1-a) = e^((a-1) D)     infinite where q = 0 < p

What a kind of laws offers is a `Moment`.  As in `rules`.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.grammar import Malformed, Number, combine
from core.kinds import Mass
from core.masses import ONE, enclose_mass, excess_sign, masses_of
from core.rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import rational
from core.value import form_of
from core.work import price, spend
from core.zero import (
    NIL,
    Sum,
    accumulate,
    add,
    exp_form,
    is_zero,
    multiply,
    times,
)

if TYPE_CHECKING:
    from core.finite import Finite
    from core.interfaces import Moment

NOTHING = Fraction(0)
INFINITE = "inf"  # the margin of an infinite divergence
LESS = Fraction(-1)
FEW = 64  # bits that most margins are proved with
MAX_ORDER = 1 << 16  # of its numerator
OF_ALL = {  # facts about outputs, and what is so of every divergence
    "DPI", "F40k", "F40l", "F41", "F45", "F45d", "F45e", "F49", "F77", "F77b", "F80", "F82", "F83",
    "F84", "F86", "TABLE", "X",
}  # fmt: skip


def stated_order(value: Any) -> Fraction:
    """The order that a problem states."""
    order = rational(value["order"], "order")
    if not order > 1 or max(order.numerator, order.denominator) > MAX_ORDER:
        raise Malformed(f"the order must be a rational above 1, of numbers of at most {MAX_ORDER}")
    return order


def require_own(facts: Facts) -> None:
    """Rejected where goals stand for others by a fact that is not known of a divergence."""
    if not facts <= OF_ALL:
        raise Rejected("what stands for others is not known to in the form renyi")


def renyi(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    R <= e^((a-1) epsilon)     (a tie: by the zero test)     |     P = Q
    --------------------------------------------------------------------
    D <= epsilon
    """
    ar, of = arithmetic(step), moment_of(goal)
    if goal.P == goal.Q:
        return of.facts
    grown = times(form_of(goal.epsilon), order_of(goal) - 1)
    found = of.enclosed(ar)
    if found is None:
        raise Rejected("the divergence is infinite")
    bound = exp_form(grown, ar)
    if at_most(found, bound, ar):
        return of.facts
    if ar.sub(found, bound)[0] > 0:
        raise Rejected("the divergence is above epsilon")
    n, d = of.exact()
    if not is_zero(add(n, multiply({grown: Fraction(1)}, d), LESS)):
        raise Rejected("the divergence is not bounded by epsilon at this precision")
    return of.facts | {"F3"}


def renyi_refuted(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    R >= e^((a-1) (epsilon + margin))     margin > 0     (of an infinite R no margin is asked)
    ------------------------------------------------------------------------------------------
    D > epsilon
    """
    of, bound = moment_of(goal), None
    if step["margin"] != INFINITE:
        bound = combine("+", goal.epsilon, margin_of(step))
    require_above(of, order_of(goal), bound, arithmetic(step))
    return of.facts


def require_above(of: Moment, order: Fraction, bound: Number | None, ar: Arithmetic) -> None:
    """Rejected unless D of this order is at least a bound, or infinite (None)."""
    for bits in sorted({min(FEW, ar.bits), ar.bits}):
        now = Arithmetic(bits)
        with suppress(Undecided):
            found = of.enclosed(now)
            if (bound is None) != (found is None):
                raise Rejected("the margin is infinite where the divergence is, and only there")
            if bound is None or found is None:
                return
            grown = times(form_of(bound), order - 1)
            low = found[0], found[0], found[2]  # its own bits, whatever the upper end is
            if at_most(exp_form(grown, now), low, now):
                return
    raise Rejected("no such margin is proved of the divergence")


def order_of(goal: Goal[Any, Any]) -> Fraction:
    """That of the divergence which a goal bounds."""
    if goal.order is None or not goal.delta_is_zero:
        raise Malformed("a divergence has an order, and no delta beside it")
    return goal.order


def moment_of(goal: Goal[Any, Any]) -> Moment:
    """R of a goal."""
    order_of(goal)
    load = goal.kind.load_moment()
    if load is None:
        raise Malformed("laws of which no divergence is known here")
    found: Moment = load(goal)
    return found


def power(x: Interval, order: Fraction, ar: Arithmetic) -> Interval:
    """x^order of an x that is established to be positive."""
    if x[0] <= 0:
        raise Undecided("a base is not separated from 0")
    if order.denominator > 1 or order.numerator > 64:
        fine = ar.finer(order.numerator.bit_length() + 8)
        return ar.exp(fine.mul(fine.of(order), fine.log(x)))
    found = x
    for bit in bin(order.numerator)[3:]:
        found = ar.mul(found, found)
        if bit == "1":
            found = ar.mul(found, x)
    return found


def term(p: Interval, q: Interval, order: Fraction, ar: Arithmetic) -> Interval:
    """q (p/q)^order."""
    return ar.mul(q, power(ar.div(p, q), order, ar))


# ---------------------------------------------------------------- finitely many masses


class OfMasses:
    """R = sum of q (p/q)^a over the outputs with p > 0; outputs of the same masses count once."""

    def __init__(self, goal: Finite) -> None:
        self.order, self.facts = order_of(goal), {"F90", *goal.P.by}
        self.pairs: list[tuple[Mass, Mass, int]] = []
        self.infinite = False
        p, q = goal.P, goal.Q
        if p.whole and q.whole:
            spend(4 * len(p.counts))
            for (n, m), count in Counter(zip(p.counts, q.counts, strict=True)).items():
                self._count(Fraction(n, p.whole), Fraction(m, q.whole), count)
        else:
            both = [*zip(masses_of(p), masses_of(q), strict=True)]
            known = {(id(x), id(y)): (x, y) for x, y in both}
            counts = Counter((id(x), id(y)) for x, y in both)
            for key, (x, y) in known.items():
                self._count(x, y, counts[key])

    def _count(self, p: Mass, q: Mass, count: int) -> None:
        if _is_nothing(p):
            return
        if _is_nothing(q):
            self.infinite = True
        self.pairs.append((p, q, count))

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        if self.infinite:
            return None
        total = ZERO
        for p, q, count in self.pairs:
            x, y = enclose_mass(p, ar), enclose_mass(q, ar)
            total = ar.add(total, ar.mul((count, count, 0), term(x, y, self.order, ar)))
        return total

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`, of masses that are fractions."""
        total: Sum = {}
        for p, q, count in self.pairs:
            if not (isinstance(p, Fraction) and isinstance(q, Fraction)):
                raise Undecided("a tie of masses that are no fractions")
            ratio, whole = p / q, self.order.denominator == 1
            if whole:
                bits = max(ratio.numerator.bit_length(), ratio.denominator.bit_length())
                spend(16 + price(bits * self.order.numerator))
                accumulate(total, NIL, count * q * ratio**self.order.numerator)
            else:
                from core.logarithms import log_form

                accumulate(total, times(log_form(ratio), self.order), count * q)
        return total, {NIL: ONE}


def _is_nothing(x: Mass) -> bool:
    if isinstance(x, Fraction):
        return not x
    return excess_sign(x, NOTHING, NIL, NOTHING) == 0


def moment(goal: Finite) -> OfMasses:
    """That of a goal of outputs."""
    return OfMasses(goal)
