"""About the least epsilon at which one order with densities meets its delta: a proposal."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.charts.chart import Chart
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.order import OneOrder
from pfverify.exact.ball import Ball, Raw, dyadic, fraction_of, precision
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import summit
from pfverify.model.notion import Bound

_STEPS = 20


def proposed_epsilon(order: OneOrder, grid: Grid) -> Fraction:
    """Newton's iteration: the event B of one epsilon gives the next by P(B) - e**eps Q(B) = delta.

    Where delta bounds the excess of one output, B is the one with the largest, and P, Q densities.
    """
    delta = order.target.delta
    epsilon = Fraction(0)
    peak: Fraction | None = None
    with precision(max(128, 64 + grid.bits) + order.extra_bits):
        for _ in range(_STEPS):
            measured = order.measured(order.target.at_epsilon(epsilon))
            chart = measured.chart(2.0 ** -max(60, grid.bits // 2))  # errors are squared
            match order.target.notion.exceeding:
                case Bound.EXCESS:
                    peak = _peak(order, measured, chart, peak, grid)
                    ratio = _allowed(measured, peak, delta)
                case Bound.DIVERGENCE:
                    p, q = order.event(measured, chart)
                    ratio = (p - delta.ball().raw) / q if q > 0 else q
            if not ratio > 1:
                break
            new = fraction_of(dyadic(ratio.log().mid()))
            if abs(new - epsilon) * 1000 < grid.step(new):
                return new
            epsilon = new
    return epsilon or Fraction(1)


def _peak(
    order: OneOrder,
    measured: Measured,
    chart: Chart,
    known: Fraction | None,
    grid: Grid,
) -> Fraction:
    """Return where p - e**epsilon q is largest among the chart's places and a known one, climbed

    from there to where the density allows the least epsilon.
    """
    places = chart.worth_looking() + ([] if known is None else [known])

    def excess(y: Fraction) -> float:
        p, q = measured.values(y)
        return float((p - q).mid())

    def allowed(y: Fraction) -> Ball:
        return Ball(_allowed(measured, y, order.target.delta).log())

    best = max(places, key=excess)
    return summit(allowed, best, order.narrowest, grid)


def _allowed(measured: Measured, y: Fraction, delta: Number) -> Raw:
    """Return (p - delta)/q, densities at y: e to the least epsilon that this output allows."""
    return (measured.p.density(y) - delta.ball().raw) / measured.q.density(y)
