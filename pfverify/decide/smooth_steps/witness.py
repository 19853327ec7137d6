"""Where what steps publish breaks a target, in outputs and in the numbers that become them."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.breach import Breach, Place, Span, proved
from pfverify.decide.charts.chart import Chart, End
from pfverify.decide.charts.witness import spans
from pfverify.decide.smooth_steps.order import StepsOrder
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.rising import rising
from pfverify.model.steps.cells import every_cell
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.step import SUPPRESSED

Limits = tuple[End, End]
_NAMES = 100  # outputs that are listed one by one


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
                    return _named(order.outputs, event, margin)
            chart = measured.chart(2.0 ** (-0.4 * bits))
    return None


def _named(outputs: StepChain, event: list[Limits], margin: Raw) -> Breach:
    """Say it in what is published: single outputs, and intervals of numbers or of densities."""
    noisy = spans(event)
    if outputs.kept is not None:
        names = [one.output for one in outputs.kept if one.output and _in(one[:2], event)]
        kept = [one[:2] for one in outputs.kept if one.output is None]
        dense = _joined([cut for part in kept for span in event if (cut := _both(part, span))])
        return Breach(
            "event-refuted", margin, event=spans(dense) or None, outputs=names, noisy=noisy
        )
    try:
        cells = every_cell(outputs.steps, Fraction(0), Fraction(0), None, _NAMES)
    except InputError:  # too many to be listed: they are numbers, above what is suppressed
        if outputs.suppressed is None or event[0] != outputs.suppressed.limits:
            told = [_numbers(outputs, *span) for span in event]
            return Breach("event-refuted", margin, event=told, noisy=noisy)
        if len(event) == 1:
            return Breach("event-refuted", margin, outputs=[SUPPRESSED], noisy=noisy)
        return Breach("event-refuted", margin, event=noisy)
    names = [one.output for one in cells if _in(one.limits, event)]
    return Breach("event-refuted", margin, outputs=names, noisy=noisy)


def _numbers(outputs: StepChain, low: End, high: End) -> Span:
    """The first and the last number that an interval of whole outputs becomes."""
    first: Place = "-inf" if low is None else Fraction(outputs.name(low))
    if high is None:
        return first, "inf"
    below = high - 1 if low is None else max(low, high - 1)
    while (found := outputs.behind(below)) is None or found.high != high:
        below = (below + high) / 2
    return first, Fraction(outputs.name(below))


def _in(one: Limits, event: list[Limits]) -> bool:
    """Whether an interval lies in one of the event's."""
    return any(_both(one, span) == one for span in event)


def _both(one: Limits, other: Limits) -> Limits | None:
    """What two intervals share, None where that is at most a point."""
    lows = [x for x in (one[0], other[0]) if x is not None]
    highs = [x for x in (one[1], other[1]) if x is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    return None if low is not None and high is not None and low >= high else (low, high)


def _rounded(order: StepsOrder, limits: list[Limits], grid: Grid) -> list[Limits]:
    """Round the ends of intervals that are no ends of outputs, within their parts of the line."""
    parts = order.outputs.kept
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
