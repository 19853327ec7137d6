"""Outputs and events that refute a target, with certified margins, for priors with densities."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.breach import Breach, Span, proved
from pfverify.decide.charts.chart import Chart, End
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.order import OneOrder
from pfverify.decide.charts.roots import sign_of
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.rising import rising
from pfverify.model.notion import Bound

_OUTWARD = 40

def point_breach(order: OneOrder, y: Fraction, rule: str) -> Breach | None:
    """Return a short output near y (or further out) that breaks a bound at every output.

    The margin is log p/q - epsilon for a bound on the ratio, p - e**epsilon q - delta (densities)
    for one on the excess. None where no short output keeps a positive margin.
    """
    first = 128 + order.extra_bits
    for bits in rising(first, order.last_bits(first)):
        with precision(bits):
            measured = order.measured(order.target)
            best: tuple[float, Fraction] | None = None
            for place in [*_outward(y, order.unit), *_short(y, bits)]:
                p, q = measured.values(place)
                if sign_of(p, q) == 1:
                    size = float(_margin(measured, place).mid())
                    if best is None or size > best[0]:
                        best = size, place
            if best is not None:
                for place in [*_short(best[1], bits), best[1]]:
                    margin = _margin(measured, place)
                    if proved(margin) and _most(margin, best[0]):
                        return Breach(rule, margin, y=place)
    return None


def _most(margin: Raw, best: float) -> bool:
    """Whether rounding the output has kept most of the margin."""
    return float(margin.mid()) >= 0.99 * best


def _margin(measured: Measured, y: Fraction) -> Raw:
    match measured.signed.target.bound:
        case Bound.RATIO:
            return measured.log_ratio(y)
        case Bound.EXCESS:
            p, q = measured.values(y)
            return p - q
        case Bound.DIVERGENCE:
            raise TypeError("an output does not break a bound on events")


def _short(y: Fraction, bits: int) -> list[Fraction]:
    """Return decimals near y, shorter ones first."""
    if y == 0:
        return [y]
    return [grid.nearest(y) for grid in map(Grid, (2, 3, 4, 6, 9, 15, bits // 4))]


def _outward(y: Fraction, unit: Fraction) -> list[Fraction]:
    """Return outputs from y outward to both sides (the supremum may be a limit)."""
    steps = [unit * Fraction(2) ** k for k in range(-8, _OUTWARD // 2)]
    return [y, *(y + s for s in steps), *(y - s for s in steps)]


def event_breach(order: OneOrder, chart: Chart, first: int) -> Breach | None:
    """Return an event whose excess over delta is certified, for a refuted order.

    The event is where the chart shows p > e**epsilon q, its ends rounded to short decimals; the
    margin is then computed for exactly that event.
    """
    target = order.target.of_events()
    for bits in rising(first, order.last_bits(first)):
        with precision(bits):
            measured = order.measured(target)
            delta = target.delta.ball().raw
            for grid in map(Grid, (3, 6, 12, bits // 4)):
                event = rounded_runs(chart.runs(1), grid)
                if not event:
                    continue
                excess = raw(0)
                for low, high in event:
                    p, q = measured.mass(low, high)
                    excess += p - measured.factor * q
                margin = excess - delta
                whole = chart_excess(measured, chart) - delta
                if proved(margin) and (
                    grid.digits > 12 or float(margin.mid()) >= 0.99 * float(whole.mid())
                ):
                    return Breach("event-refuted", margin, event=spans(event))
            chart = measured.chart(2.0 ** (-0.4 * bits))
    return None


def chart_excess(measured: Measured, chart: Chart) -> Raw:
    """Return the excess of the event on which the chart proves g >= 0."""
    total = raw(0)
    for low, high in chart.runs(1):
        p, q = measured.mass(low, high)
        total += p - measured.factor * q
    return total


def rounded_runs(runs: list[tuple[End, End]], grid: Grid) -> list[tuple[End, End]]:
    """Round the ends to decimals relative to the sizes at hand; drop what becomes empty."""
    ends = [abs(end) for run in runs for end in run if end]
    if not ends:
        return runs
    step = grid.step(max(ends))
    event: list[tuple[End, End]] = []
    for low, high in runs:
        a = None if low is None else (low / step).__round__() * step
        b = None if high is None else (high / step).__round__() * step
        if a is not None and b is not None and a >= b:
            continue
        previous = event[-1][1] if event else None
        if event and a is not None and previous is not None and a <= previous:
            event[-1] = (event[-1][0], b)
        else:
            event.append((a, b))
    return event


def spans(event: list[tuple[End, End]]) -> list[Span]:
    """Return intervals of outputs, their infinite ends as "-inf" and "inf"."""
    return [
        ("-inf" if low is None else low, "inf" if high is None else high) for low, high in event
    ]
