"""The least epsilon at which one order with densities meets its delta, bracketed by decisions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from pfverify.decide.charts.bare import singular_mass
from pfverify.decide.charts.chart import Chart
from pfverify.decide.charts.laplace_order import LaplaceOrder
from pfverify.decide.charts.normal_order import NormalOrder
from pfverify.decide.charts.order import OneOrder, bare_atoms, chart_places
from pfverify.decide.exponential.pair import Target
from pfverify.decide.outcome import Enclosure
from pfverify.exact.ball import Ball, Raw, dyadic, precision, raw
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number
from pfverify.exact.search import UndecidedError, least_decimal, summit

_STEPS = 20


def least_epsilon(order: OneOrder, loss: Enclosure, digits: int) -> Enclosure:
    """Enclose the least epsilon >= 0 whose divergence (or largest excess) is at most delta.

    `loss` encloses epsilon*, where nothing is left to exceed. Where a decision on the way is
    undecided the ends are 0 and the loss: wide, but right. "inf" where P has more than delta
    outside the support of Q (without noise).
    """
    if mass := singular_mass(order):
        sign = (Number.of_rational(mass) - order.question.target.delta).sign()
        if sign != -1:
            return Enclosure("inf" if sign == 1 else "0", "inf")

    def decided(epsilon: Fraction) -> bool:
        asked = _asked(order, epsilon)
        if order.question.form == "pointwise":
            sign = asked.pure_sign(asked.question.target, "pointwise").sign
        else:
            sign = asked.events(None).sign
        if sign is None:
            raise UndecidedError("a divergence could not be told from delta")
        signs[epsilon] = sign
        return sign <= 0

    signs: dict[Fraction, int] = {}
    try:
        if order.equal or decided(Fraction(0)):
            return Enclosure("0", "0")
        lower, upper = least_decimal(decided, _proposal(order, digits), digits)
    except UndecidedError:
        return Enclosure("0", loss.upper)
    if signs.get(upper) == 0:  # the divergence falls in epsilon: delta itself is met only there
        lower = upper
    return Enclosure(decimal_text(lower, digits), decimal_text(upper, digits))


def _asked(order: OneOrder, epsilon: Fraction) -> OneOrder:
    """Return the order against another epsilon."""
    target = Target(Number.of_rational(epsilon), order.question.target.delta)
    return OneOrder(replace(order.question, target=target), order.reverse)


def _proposal(order: OneOrder, digits: int) -> Fraction:
    """Newton's iteration: the event B of one epsilon gives the next by P(B) - e**eps Q(B) = delta.

    For the pointwise form B is the output with the largest excess, and P, Q are densities.
    """
    delta, form = order.question.target.delta, order.question.form
    epsilon = Fraction(0)
    peak: Fraction | None = None
    with precision(max(128, 64 + 4 * digits) + order.extra_bits):
        for _ in range(_STEPS):
            target = Target(Number.of_rational(epsilon), delta)
            measured = order.measured(target, form)
            chart = measured.chart(2.0 ** -max(60, 2 * digits))  # errors are squared
            if form == "pointwise":
                peak = _peak(order, measured, chart, peak, digits)
                ratio = _allowed(measured, peak, delta)
            else:
                p, q = _event(measured, chart)
                ratio = (p - delta.ball().raw) / q if q > 0 else q
            if not ratio > 1:
                break
            mantissa, power = dyadic(ratio.log().mid())
            new = mantissa * Fraction(2) ** power
            if abs(new - epsilon) * 10 ** (digits + 3) < new:
                return new
            epsilon = new
    return epsilon or Fraction(1)


def _event(measured: LaplaceOrder | NormalOrder, chart: Chart) -> tuple[Raw, Raw]:
    """Return P(B) and Q(B) of the event on which the chart proves an excess."""
    p, q = raw(0), raw(0)
    for low, high in chart.runs(1):
        a, b = measured.mass(low, high)
        p, q = p + a, q + b
    if isinstance(measured, NormalOrder):
        for atom, value in zip(measured.signed.atoms, bare_atoms(measured), strict=True):
            if value > 0:
                p, q = p + raw(atom.p), q + raw(atom.q)
    return p, q


def _peak(
    order: OneOrder,
    measured: LaplaceOrder | NormalOrder,
    chart: Chart,
    known: Fraction | None,
    digits: int,
) -> Fraction:
    """Return where p - e**epsilon q is largest among the chart's places and a known one, climbed

    from there to where the density allows the least epsilon.
    """
    places = chart_places(chart) + ([] if known is None else [known])

    def excess(y: Fraction) -> float:
        p, q = measured.values(y)
        return float((p - q).mid())

    def allowed(y: Fraction) -> Ball:
        return Ball(_allowed(measured, y, order.question.target.delta).log())

    best = max(places, key=excess)
    return summit(allowed, best, order.narrowest, digits)


def _allowed(measured: LaplaceOrder | NormalOrder, y: Fraction, delta: Number) -> Raw:
    """Return (p - delta)/q, densities at y: e to the least epsilon that this output allows."""
    return (measured.p.density(y) - delta.ball().raw) / measured.q.density(y)
