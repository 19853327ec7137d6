"""Masses of intervals, and events, under noise on a line.  As in `sweep`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.grammar import Number
from core.line import Lines, Noisy, all_mass
from core.rules import Step
from core.spans import Span, event_of
from core.sweep import jumps_of, sweep, turns
from core.value import enclose_number
from core.zero import Form, enclose_sum, exp_form


def whole_of(law: Noisy, ar: Arithmetic) -> Interval:
    """All mass, in the unit of masses: 1 in a window."""
    return ONE if law.noise.window is not None else enclose_sum(all_mass(law), ar)


def between(
    law: Noisy, jumps: dict[Fraction, Interval], cuts: Sequence[Fraction], ar: Arithmetic
) -> list[Interval]:
    """The masses of J between neighbours of increasing cuts, -infinity and infinity."""
    noise, steady, ends = law.noise, ZERO, [*reversed(cuts)]
    if noise.step is not None:  # kappa - 2
        steady = ar.sub(whole_of(law, ar), ar.of(Fraction(2)))
    places, found = turns(noise, jumps, cuts), [ZERO]
    pieces = sweep(noise, places, jumps, ar).pieces
    for x, piece in zip([None, *places], pieces, strict=True):
        if ends and x == ends[-1]:
            found.append(ZERO)
            ends.pop()
        elif steady != ZERO and x is not None and x in jumps:
            found[-1] = ar.add(found[-1], ar.mul(steady, jumps[x]))
        found[-1] = ar.add(found[-1], piece.mass(ar))
    return found


def total(terms: Sequence[Interval], ar: Arithmetic) -> Interval:
    """Their sum."""
    found = ZERO
    for x in terms:
        found = ar.add(found, x)
    return found


def excess(
    goal: Lines, spans: Sequence[Span], growth: Form, ar: Arithmetic,
    level: Sequence[Number] = (), *, hidden: bool = False,
) -> Interval:  # fmt: skip
    """P(B) - e^growth Q(B) less a level, in the unit of masses: of increasing spans that do not
    meet, with no row if that is `hidden` in them."""
    cuts = [x for span in spans for x in span if x is not None]
    found = between(goal.P, jumps_of(goal, growth, ar), cuts, ar)
    mass = total(found[0 if spans[0][0] is None else 1 :: 2], ar)
    more = ar.neg(total([enclose_number(x, ar) for x in level], ar))
    if hidden:
        no_row = ar.mul(exp_form(growth, ar), ar.of(goal.Q.nothing))
        more = ar.add(more, ar.sub(ar.of(goal.P.nothing), no_row))
    return ar.add(mass, ar.mul(more, whole_of(goal.P, ar)))


def joined(spans: Sequence[Span]) -> list[Span]:
    """Increasing spans, of which those that touch are one."""
    found = list[Span]()
    for low, high in spans:
        if found and low is not None and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return found


def event_spans(goal: Lines, step: Step) -> list[Span]:
    """The event of a step, on a lattice from halves beside its points."""
    from core.line_refuted import require_reached

    lattice = goal.P.noise.step
    spans = event_of(step["event"], points=lattice is not None)
    for end in (end for span in spans for end in span):
        require_reached(goal, end, "the end")
    if lattice is None:
        return spans
    half = lattice / 2
    return joined([
        (None if low is None else low - half, None if high is None else high + half)
        for low, high in spans
    ])  # fmt: skip
