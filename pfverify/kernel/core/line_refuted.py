"""Where, and for which event, a bound of two laws on a line fails.  As in `sweep`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.enclose import ZERO, Arithmetic, Interval
from core.grammar import canonical, shown
from core.line import Lines
from core.line_masses import joined, measured, whole_of
from core.rules import Rejected, Step, at_most
from core.shapes import canonical_rational
from core.spans import End, Span, event_of
from core.sweep import density, difference_at
from core.value import enclose_number, form_of
from core.zero import constant, exp_form, plus


def _require_reached(goal: Lines, y: End, what: str) -> None:
    """Rejected unless noise on a lattice can reach y."""
    step = goal.P.noise.step
    if step is None or y is None or ((y - next(iter(goal.P.atoms))) / step).denominator == 1:
        return
    raise Rejected(f"{what} {shown(canonical(y))} is not a point of the lattice")


def require_at(goal: Lines, step: Step, ar: Arithmetic, margin: Fraction, *, ratio: bool) -> None:
    """Rejected unless g at a number, maybe of e^margin Q, is at least 0, or delta and a margin."""
    y, growth = canonical_rational(step["y"], "y"), form_of(goal.epsilon)
    _require_reached(goal, y, "the output")
    swept = difference_at(goal, plus(growth, constant(margin)) if ratio else growth, ar, [y])
    excess, bound = swept.pieces[swept.places.index(y) + 1].near(ar), ZERO
    if not ratio:
        scale, level = density(goal.P.noise, goal.delta, ar)
        excess, bound = ar.mul(scale, excess), ar.add(level, ar.of(margin))
    if not any(goal.P.atoms.values()) or not at_most(bound, excess, ar):
        raise Rejected(f"no such margin is proved at {shown(canonical(y))}")


def event_spans(goal: Lines, step: Step) -> list[Span]:
    """The event of a step, on a lattice from halves beside its points."""
    lattice = goal.P.noise.step
    spans = event_of(step["event"], points=lattice is not None)
    for end in (end for span in spans for end in span):
        _require_reached(goal, end, "the end")
    if lattice is None:
        return spans
    half = lattice / 2
    return joined([
        (None if low is None else low - half, None if high is None else high + half)
        for low, high in spans
    ])  # fmt: skip


def excess(
    goal: Lines, spans: Sequence[Span], margin: Fraction, ar: Arithmetic, *, hidden: bool = False
) -> Interval:
    """P(B) - e^epsilon Q(B) - delta - margin of spans that do not meet, in the unit of masses."""
    p, q = measured(goal, spans, ar, hidden=hidden)
    needed = ar.mul(ar.add(enclose_number(goal.delta, ar), ar.of(margin)), whole_of(goal.P, ar))
    return ar.sub(ar.sub(p, ar.mul(exp_form(form_of(goal.epsilon), ar), q)), needed)
