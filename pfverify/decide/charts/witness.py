"""Outputs and events that refute a target, with certified margins, for priors with densities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from pfverify.decide.breach import Breach, Place, Span, proved
from pfverify.decide.charts.chart import Chart, End, Ends, joined
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.order import NO_STEPS, OneOrder
from pfverify.decide.charts.roots import sign_of
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.rising import rising
from pfverify.model.notion import Bound
from pfverify.model.steps.cells import every_cell
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.step import SUPPRESSED

_OUTWARD = 40
_NAMES = 100  # outputs that are listed one by one


def point_breach(order: OneOrder, y: Fraction, rule: str) -> Breach | None:
    """Return a short output near y (or further out) that breaks a bound at every output.

    The margin is log p/q - epsilon for a bound on the ratio, p - e**epsilon q - delta (densities)
    for one on the excess. None where no short output keeps a positive margin.
    """
    first = 128 + order.extra_bits
    for bits in rising(first, order.last_bits(first)):
        with precision(bits):
            measured = order.measured(order.target)
            places = [*_outward(y, order.unit), *_short(y, bits)]
            sizes = {
                place: float(_margin(measured, place).mid())
                for place in places
                if sign_of(*measured.values(place)) == 1
            }
            if not sizes:
                continue
            best = max(sizes, key=sizes.__getitem__)
            for place in [*_short(best, bits), best]:
                margin = _margin(measured, place)
                if proved(margin) and float(margin.mid()) >= 0.99 * sizes[best]:
                    return Breach(rule, margin, y=place)
    return None


def _margin(measured: Measured, y: Fraction) -> Raw:
    match measured.signed.target.bound:
        case Bound.RATIO:
            return measured.log_ratio(y)
        case Bound.EXCESS:
            p, q = measured.values(y)
            return p - q
        case Bound.DIVERGENCE:
            raise TypeError("an output does not break a bound on events")
        case Bound.RENYI | Bound.ZCDP:
            raise TypeError("an output does not break a bound on a divergence")


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

    The event is where the chart shows p > e**epsilon q: single outputs as they are, ends within
    kept density rounded to short decimals. The margin is then computed for exactly that event.
    Atoms that no noise smooths are intervals [a, a] of it, and those that have less than
    e**epsilon q are cut out of the others. None where no margin is proved.
    """
    target = order.target.of_events()
    for bits in rising(first, order.last_bits(first)):
        with precision(bits):
            measured = order.measured(target)
            delta = target.delta.ball().raw
            exceeding = [one for one in order.stretches(measured, chart) if one.sign == 1]
            hidden = any(one.hidden for one in exceeding)
            whole = sum((one.gap for one in exceeding), raw(0)) - delta
            for _, atom in measured.bare_atoms():
                whole += atom if atom > 0 else raw(0)
            ends = [(one.low, one.high) for one in exceeding]
            for grid in map(Grid, (3, 6, 12, bits // 4)):
                event = _with_atoms(measured, rounded(ends, grid, order.outputs), grid)
                margin = _excess(order, measured, event, hidden=hidden) - delta
                if proved(margin) and (
                    grid.digits > 12 or float(margin.mid()) >= 0.99 * float(whole.mid())
                ):
                    return _named(order.outputs, event, margin)
            chart = measured.chart(2.0 ** (-0.4 * bits))
    return None


def rounded(event: Sequence[Ends], grid: Grid, outputs: StepChain = NO_STEPS) -> list[Ends]:
    """Round the ends of intervals to decimals, but for those of outputs; drop what becomes empty.

    Without steps all ends are rounded alike, relative to the sizes at hand.
    """
    fixed: set[Fraction] = set()
    if outputs.steps:
        if outputs.kept is None:
            return joined(event)
        fixed = {x for part in outputs.kept for x in (part.low, part.high) if x is not None}
    largest = max((abs(end) for span in event for end in span if end), default=None)

    def near(end: End) -> End:
        if not end or end in fixed or largest is None:
            return end
        if not outputs.steps:
            step = grid.step(largest)
            return (end / step).__round__() * step
        below = max((x for x in fixed if x < end), default=None)
        above = min((x for x in fixed if x > end), default=None)
        y = grid.nearest(end)
        y = y if below is None else max(y, below)
        return y if above is None else min(y, above)

    ends = [(near(low), near(high)) for low, high in event]
    return joined((a, b) for a, b in ends if a is None or b is None or a < b)


def _with_atoms(measured: Measured, runs: list[Ends], grid: Grid) -> list[Ends]:
    """Cut the atoms with a negative excess out of intervals, and add those with a positive one."""
    event = list(runs)
    atoms = measured.bare_atoms()
    unit = min((b.mean - a.mean for (a, _), (b, _) in pairwise(atoms)), default=None)
    gap = grid.step(min(unit or measured.signed.unit, measured.signed.unit))
    for atom, value in atoms:
        kept: list[Ends] = []
        inside = False
        for low, high in event:
            here = _holds((low, high), atom.mean)
            inside = inside or here
            if not here or value > 0:
                kept.append((low, high))
                continue
            left, right = atom.mean - gap, atom.mean + gap
            if low is None or low < left:
                kept.append((low, left))
            if high is None or right < high:
                kept.append((right, high))
        event = kept
        if value > 0 and not inside:
            event.append((atom.mean, atom.mean))
    return sorted(event, key=lambda span: (span[0] is not None, span[0] or Fraction(0)))


def _holds(span: Ends, y: Fraction) -> bool:
    low, high = span
    return (low is None or low <= y) and (high is None or y <= high)


def _excess(
    order: OneOrder, measured: Measured, event: list[Ends], *, hidden: bool
) -> Raw:
    """Enclose P(B) - e**epsilon Q(B), bare atoms included.

    `hidden`: the first interval is suppressed, and with it what has no row.
    """
    total = raw(0)
    for k, span in enumerate(event):
        if span[0] is None or span[0] != span[1]:
            p, q = order.masses(measured, span, hidden=hidden and not k)
            total += p - measured.factor * q
        total += sum((value for atom, value in measured.bare_atoms() if _holds(span, atom.mean)),
                     raw(0))  # fmt: skip
    return total


def _named(outputs: StepChain, event: list[Ends], margin: Raw) -> Breach:
    """Say it in what is published: single outputs, and intervals of numbers or of densities."""
    noisy = spans(event)
    if not outputs.steps:
        return Breach("event-refuted", margin, event=noisy)
    if outputs.kept is not None:
        names = [one.output for one in outputs.kept if one.output and _in(one[:2], event)]
        kept = [one[:2] for one in outputs.kept if one.output is None]
        dense = joined(cut for part in kept for span in event if (cut := _both(part, span)))
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


def _in(one: Ends, event: list[Ends]) -> bool:
    """Whether an interval lies in one of the event's."""
    return any(_both(one, span) == one for span in event)


def _both(one: Ends, other: Ends) -> Ends | None:
    """What two intervals share, None where that is at most a point."""
    lows = [x for x in (one[0], other[0]) if x is not None]
    highs = [x for x in (one[1], other[1]) if x is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    return None if low is not None and high is not None and low >= high else (low, high)


def spans(event: list[Ends]) -> list[Span]:
    """Return intervals of outputs, their infinite ends as "-inf" and "inf"."""
    return [
        ("-inf" if low is None else low, "inf" if high is None else high) for low, high in event
    ]
