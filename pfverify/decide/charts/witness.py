"""Outputs and events that refute a target, with certified margins, for priors with densities."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

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
                    if proved(margin) and float(margin.mid()) >= 0.99 * best[0]:
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
    margin is then computed for exactly that event. Atoms that no noise smooths are intervals
    [a, a] of it, and those that have less than e**epsilon q are cut out of the others.
    """
    target = order.target.of_events()
    for bits in rising(first, order.last_bits(first)):
        with precision(bits):
            measured = order.measured(target)
            delta = target.delta.ball().raw
            whole = measured.excess(chart.runs(1)) - delta
            for _, atom in measured.bare_atoms():
                whole += atom if atom > 0 else raw(0)
            for grid in map(Grid, (3, 6, 12, bits // 4)):
                event = _event(measured, rounded_runs(chart.runs(1), grid), grid)
                if not event:
                    continue
                margin = _excess(measured, event) - delta
                if proved(margin) and (
                    grid.digits > 12 or float(margin.mid()) >= 0.99 * float(whole.mid())
                ):
                    return Breach("event-refuted", margin, event=spans(event))
            chart = measured.chart(2.0 ** (-0.4 * bits))
    return None


def _event(
    measured: Measured, runs: list[tuple[End, End]], grid: Grid
) -> list[tuple[End, End]]:
    """Cut the atoms with a negative excess out of intervals, and add those with a positive one."""
    event = list(runs)
    atoms = measured.bare_atoms()
    unit = min((b.mean - a.mean for (a, _), (b, _) in pairwise(atoms)), default=None)
    gap = grid.step(min(unit or measured.signed.unit, measured.signed.unit))
    for atom, value in atoms:
        kept: list[tuple[End, End]] = []
        inside = False
        for low, high in event:
            here = (low is None or low <= atom.mean) and (high is None or atom.mean <= high)
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
    return sorted(event, key=_start)


def _start(span: tuple[End, End]) -> tuple[bool, Fraction]:
    return span[0] is not None, span[0] or Fraction(0)


def _excess(measured: Measured, event: list[tuple[End, End]]) -> Raw:
    """Enclose P(B) - e**epsilon Q(B), atoms included."""
    total = raw(0)
    for low, high in event:
        if low is None or low != high:
            total += measured.excess([(low, high)])
        for atom, value in measured.bare_atoms():
            if (low is None or low <= atom.mean) and (high is None or atom.mean <= high):
                total += value
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
