"""Where what steps publish breaks a target: intervals of the noisy number, of whole outputs."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.breach import Breach, proved
from pfverify.decide.charts.chart import Chart, End
from pfverify.decide.charts.witness import spans
from pfverify.decide.smooth_steps.order import StepsOrder
from pfverify.exact.ball import precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.rising import rising
from pfverify.model.steps.step import SUPPRESSED

Limits = tuple[End, End]


def breach_of(order: StepsOrder, chart: Chart, first: int) -> Breach | None:
    """Return an event that a refuted order exceeds delta at, with its margin; None: none is proved.

    Single outputs are taken whole; ends within kept density are rounded to short decimals.
    """
    for bits in rising(first, order.last_bits(first)):
        with precision(bits):
            measured = order.measured(order.target.of_events())
            delta = order.target.delta.ball().raw
            items = [one for one in order.weighed(measured, chart) if one.sign == 1]
            whole = sum((one.gap for one in items), raw(0)) - delta
            hidden = any(one.segment.output == SUPPRESSED for one in items)
            limits = [(one.segment.low, one.segment.high) for one in items]
            for grid in map(Grid, (3, 6, 12, bits // 4)):
                event = _joined(_rounded(order, limits, grid))
                margin = raw(0) - delta
                for k, span in enumerate(event):
                    p, q = order.masses(measured, span, hidden=hidden and not k)
                    margin += p - measured.factor * q
                if proved(margin) and (
                    grid.digits > 12 or float(margin.mid()) >= 0.99 * float(whole.mid())
                ):
                    return Breach("event-refuted", margin, event=spans(event))
            chart = measured.chart(2.0 ** (-0.4 * bits))
    return None


def _rounded(order: StepsOrder, limits: list[Limits], grid: Grid) -> list[Limits]:
    """Round the ends of intervals that are no ends of outputs, within their parts of the line."""
    parts = order.outputs.parts
    if parts is None:
        return limits
    fixed = sorted({x for part in parts for x in (part.low, part.high) if x is not None})
    found = []
    for low, high in limits:
        left = max((x for x in fixed if low is not None and x <= low), default=None)
        right = min((x for x in fixed if high is not None and x >= high), default=None)
        a, b = (
            x if x is None or x in fixed else _within(grid.nearest(x) if x else x, left, right)
            for x in (low, high)
        )
        if a is None or b is None or a < b:
            found.append((a, b))
    return found


def _within(y: Fraction, left: End, right: End) -> Fraction:
    y = y if left is None else max(y, left)
    return y if right is None else min(y, right)


def _joined(limits: list[Limits]) -> list[Limits]:
    """Touching intervals as one."""
    found: list[Limits] = []
    for low, high in limits:
        last = found[-1][1] if found else None
        if found and low is not None and last is not None and low <= last:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return found
