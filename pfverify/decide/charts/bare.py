"""Without noise: densities and atoms side by side, where they break a bound, and by how much."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from pfverify.decide.breach import Breach, proved
from pfverify.decide.charts.chart import Chart, End
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.order import OneOrder
from pfverify.decide.charts.witness import chart_excess, rounded_runs, spans
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.rising import rising
from pfverify.model.priors.prior import Component


def infinite_place(order: OneOrder) -> Fraction | None:
    """Return an output at which p/q is infinite without noise, if there is one.

    An atom of P that is none of Q, or the mean of a normal law of P where Q has none.
    """
    return next((part.mean for part in _singular(order)), None)


def singular_mass(order: OneOrder) -> Fraction:
    """Return the mass of P where Q has none, without noise: no epsilon makes up for it."""
    return sum((part.weight for part in _singular(order)), Fraction(0))


def _singular(order: OneOrder) -> list[Component]:
    """Return the components of P where Q has no mass, atoms first; none with noise."""
    if not order.release.bare:
        return []
    theirs = {part.mean for part in order.q if not part.variance}
    found = [part for part in order.p if not part.variance and part.mean not in theirs]
    if not any(part.variance for part in order.q):
        found += [part for part in order.p if part.variance]
    return found


def needs_event(order: OneOrder) -> bool:
    """Say whether an atom, or the lack of a density of Q, breaks a bound: no output then shows it.

    Always false with noise.
    """
    if not order.release.bare:
        return False
    if not any(part.variance for part in order.q):
        return True
    with precision(128):
        return order.measured(order.target).worst_atom() is not None


def bare_event_breach(order: OneOrder, chart: Chart, first: int) -> Breach | None:
    """Return an event with a certified excess over delta: intervals, and [a, a] for single atoms.

    Atoms that have less than e**epsilon q are cut out of the intervals.
    """
    target = order.target.of_events()
    for bits in rising(first, order.last_bits(first)):
        with precision(bits):
            measured = order.measured(target)
            delta = target.delta.ball().raw
            whole = chart_excess(measured, chart) - delta
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
            p, q = measured.mass(low, high)
            total += p - measured.factor * q
        for atom, value in measured.bare_atoms():
            if (low is None or low <= atom.mean) and (high is None or atom.mean <= high):
                total += value
    return total
