"""Zero-concentrated privacy: D_a <= rho a for the Renyi divergences of all orders a > 1.

rho stands where other forms have epsilon.  With R of `renyi`

    g(a) = (a-1) D_a = log R     is convex, and g(1) = 0     (F104)

so that finitely many orders and a bound of what lies beyond them are enough.  As in `rules`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.enclose import Interval, upper_end
from core.grammar import Malformed, combine
from core.judge import apply, shaped
from core.kinds import CERTIFYING
from core.reduce import composite
from core.renyi import INFINITE, moment_of, require_above
from core.rules import Facts, Goal, Rejected, Step, arithmetic, margin_of
from core.shapes import array, canonical_rational, table
from core.value import enclose_number, sign

if TYPE_CHECKING:
    from core.interfaces import Moment

MOST = 1 << 12  # orders
MAX_ORDER = 1 << 80  # of the numerator of one
Point = tuple[Fraction, Fraction]  # an order a, and at least g(a)
START: Point = (Fraction(1), Fraction(0))


def zcdp(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    a_0 = 1 < a_1 < ... < a_m     h_0 = 0     h_i >= g(a_i)     D_a <= s + v a for all a
    between a_(i-1) and a_i the chord of h_(i-1) and h_i is at most rho a (a-1)     (F106)
    s <= (rho - v) a_m     |     P = Q
    -------------------------------------------------------------------------------
    D_a <= rho a for every a > 1     (a chord of values of at least g is at least g)
    """
    ar = arithmetic(step)
    _require_no_delta(goal)
    if goal.P == goal.Q:
        return {"F90"}
    rho, last, facts = enclose_number(goal.epsilon, ar), START, {"F104", "F106"}
    least = _fraction(rho[0], rho[2])
    orders = array(step["orders"], "orders")
    if len(orders) > MOST:
        raise Malformed(f"orders must be at most {MOST}")
    for text in orders:
        order = _order(text)
        if order <= last[0]:
            raise Malformed("orders must increase")
        of = _at(goal, order)
        found = of.enclosed(ar)
        if found is None:
            raise Rejected("a divergence is infinite")
        here = order, _above(ar.log(found))
        facts |= of.facts
        if not is_below(last, here, least):
            raise Rejected(f"no bound is proved up to the order {text}")
        last = here
    s, v, by = beyond(goal, step["beyond"])
    room = combine("*", combine("-", goal.epsilon, v), last[0])
    if sign(combine("-", room, s)) < 0:
        raise Rejected("no bound is proved beyond the last order")
    return facts | by


def zcdp_refuted(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    D_a >= (rho + margin) a     margin > 0     (of an infinite D_a no margin is asked)
    ----------------------------------------------------------------------------------
    D_a > rho a

    D_a/a comes to v as a grows, or more     v >= rho + margin     margin > 0
    ------------------------------------------------------------------------- F109
    D_a > rho a for a large a
    """
    _require_no_delta(goal)
    if step["order"] == INFINITE:
        v, facts = _limit(goal)
        if sign(combine("-", combine("-", v, goal.epsilon), margin_of(step))) < 0:
            raise Rejected("no such margin is proved of large orders")
        return facts
    order = _order(step["order"])
    of = _at(goal, order)
    bound = None
    if step["margin"] != INFINITE:
        bound = combine("*", combine("+", goal.epsilon, margin_of(step)), order)
    require_above(of, order, bound, arithmetic(step))
    return of.facts


def is_below(x: Point, y: Point, rho: Fraction) -> bool:
    """Whether the chord of two points is at most rho a (a-1) between them."""
    (low, at_low), (high, at_high) = x, y
    rise = (at_high - at_low) / (high - low)

    def room(a: Fraction) -> Fraction:
        return rho * a * (a - 1) - at_low - rise * (a - low)

    places = [low, high]
    if rho > 0 and low < (least := (rho + rise) / (2 * rho)) < high:  # where it is least
        places.append(least)
    return all(room(a) >= 0 for a in places)


def beyond(goal: Goal[Any, Any], value: Any) -> tuple[Fraction, Fraction, Facts]:
    """
    p <= e^s q
    ------------------------------------ F107
    D_a <= s for all a

    P' a law near P, v as `near` says     p' <= e^s q
    --------------------------------------------------- F108
    D_a <= s + v a for all a

    the outputs are independent     D_a <= s_i + v_i a of each part
    ----------------------------------------------------------------- F97
    D_a <= s + v a, both summed
    """
    if type(value) is dict and "parts" in value:
        return _of_parts(goal, table(value, "beyond", {"parts"})["parts"])
    if type(value) is not dict or value.get("law") not in ("itself", "inside", "other"):
        raise Malformed("beyond must be a table of parts, or of a law: itself, inside or other")
    law = value["law"]
    table(value, "beyond", {"law"} if law == "other" else {"law", "loss", "step"})
    v, facts = Fraction(0), {"F107"}
    if law != "itself":
        near = goal.kind.load_moment("near_law")
        if near is None:
            raise Malformed("laws near which no others are known here")
        goal, v = near(goal, inside=law == "inside")
        facts = {"F108"}
    if law == "other":
        return Fraction(0), v, facts
    s = canonical_rational(value["loss"], "loss")
    if s < 0:
        raise Malformed("a loss must be at least 0")
    pure = goal._replace(form="events", order=None, epsilon=s, delta=Fraction(0))
    return s, v, facts | _proved(pure, value["step"])


def _limit(goal: Goal[Any, Any]) -> tuple[Fraction, Facts]:
    """What D_a/a comes to: of normal laws d^2/(2V), d how far P reaches beyond Q; sums of parts."""
    if goal.kind.reduction is not None:
        found = composite(goal)
        total, facts = Fraction(0), {"F97"}
        for named, count in found.parts():
            one, by = found.part(named, goal.epsilon, goal.delta)
            v, more = _limit(one)
            total, facts = total + count * v, facts | by | more
        return total, facts
    near = goal.kind.load_moment("near_law")
    if near is None:
        raise Malformed("laws of which no limit is known here")
    return near(goal, inside=True)[1], {"F109"}


def _of_parts(goal: Goal[Any, Any], value: Any) -> tuple[Fraction, Fraction, Facts]:
    """That of independent outputs."""
    found, parts = composite(goal), array(value, "parts")
    due = found.parts()
    if len(parts) != len(due):
        raise Malformed("parts must be one for each different scale")
    s, v, facts = Fraction(0), Fraction(0), {"F97"}
    for (named, count), part in zip(due, parts, strict=True):
        one, by = found.part(named, goal.epsilon, goal.delta)
        loss, rise, more = beyond(one, part)
        s, v, facts = s + count * loss, v + count * rise, facts | by | more
    return s, v, facts


def _proved(goal: Goal[Any, Any], value: Any) -> Facts:
    """The facts by which a step inside another proves a goal of the same pair."""
    names = dict(zip(("belief", "from", "to"), goal.names, strict=True))
    if type(value) is not dict or not names.keys().isdisjoint(value):
        raise Malformed("a step inside another must be a table that names no pair")
    rules = CERTIFYING[goal.release.amount is None]
    return apply(goal, shaped({**value, **names}, rules), goal.kind.certified)


def _require_no_delta(goal: Goal[Any, Any]) -> None:
    if not goal.delta_is_zero:
        raise Malformed("the form zcdp has no delta")


def _at(goal: Goal[Any, Any], order: Fraction) -> Moment:
    """R of one order."""
    return moment_of(goal._replace(form="renyi", order=order))


def _order(text: Any) -> Fraction:
    """An order of a certificate."""
    order = canonical_rational(text, "an order")
    if not order > 1 or max(order.numerator, order.denominator) > MAX_ORDER:
        raise Malformed("an order must be above 1, and no number of more than 80 bits")
    return order


def _fraction(number: int, exponent: int) -> Fraction:
    return number * Fraction(2) ** exponent


def _above(x: Interval) -> Fraction:
    """The upper end."""
    _, high, exponent = upper_end(x)
    return _fraction(high, exponent)
