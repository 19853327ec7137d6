"""The inference rules for steps after noise with a density that is made of normal laws: after
gaussian noise, or after Laplace noise on normal laws.  As in `rules`.

Steps never decrease: every output is made of the numbers of an interval, or is a number that stays
what it is.  g = p - e^epsilon q is the density of the noisy number, with the pieces of a chart of
known sign (`chart`).  Where an end of a piece is inside an output, that output is one interval;
between such outputs there are whole outputs, or kept density, of one piece.  Single numbers have no
mass.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from core import chart as bare
from core.density import interval_text
from core.enclose import ZERO, Interval, upper_end
from core.grammar import Malformed
from core.kinds import EVENTS, Kind, Mixture, Rule
from core.rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from core.smooth import Release, is_sided, mixture_of
from core.spans import End, Span, event_of
from core.value import enclose_number, form_of
from core.zero import exp_form
from reader.noise import Noise
from reader.steps import SUPPRESSED, Line, Part, parts_of
from reader.steps import Step as Post

KIND = Kind(
    {"equal": Rule("core.chart", EVENTS), "components": Rule("core.smooth_steps", EVENTS),
     "chart": Rule("core.smooth_steps", EVENTS)},
    {"event-refuted": Rule("core.smooth_steps", EVENTS)},
    "the rule is not for steps after a density",
)  # fmt: skip


class Behind(NamedTuple):
    """A law of X, and what becomes of it."""

    components: tuple[tuple[Fraction, Fraction, Fraction], ...]  # as of Mixture, of any total
    nothing: Fraction  # the mass of no row, which is suppressed
    noise: Noise
    steps: tuple[Post, ...]


def behind(law: Any, noise: Noise, steps: Sequence[Post]) -> Behind:
    """The law of X, atoms or normal laws, that a table states behind these steps."""
    if any(step.key == "modulo" for step in steps):
        raise Malformed("modulo after a normal law")
    if isinstance(law, Mixture):
        return Behind(law.components, Fraction(0), noise, tuple(steps))
    nothing = law.get("nothing", Fraction(0))
    line = Line(steps, Fraction(0), Fraction(0), None)
    if nothing and not line.hides_all and line.hidden is None:
        raise Malformed("nothing needs a threshold that hides numbers")
    atoms = mixture_of({x: mass for x, mass in law.items() if x != "nothing"})
    return Behind(atoms.components, nothing, noise, tuple(steps))


Behinds = Goal[Behind, Any]


def _noisy(goal: Behinds) -> Goal[Mixture, Noise]:
    """The goal about the noisy number."""
    p, q = Mixture(goal.P.components), Mixture(goal.Q.components)
    return goal.about(p, q, release=goal.P.noise)


def _rows(goal: Behinds) -> bool:
    """Whether there is a row for certain."""
    return not (goal.P.nothing or goal.Q.nothing)


def _no_row(goal: Behinds, release: Release) -> Interval:
    """What no row adds to g where the output is suppressed."""
    ar = release.ar
    factor = exp_form(form_of(goal.epsilon), ar)
    return ar.sub(ar.of(goal.P.nothing), ar.mul(factor, ar.of(goal.Q.nothing)))


def _outputs(steps: Sequence[Post], places: Sequence[Fraction]) -> list[Part]:
    """The outputs that hold one of some increasing places inside, and what is suppressed; where
    some density is kept, all outputs and the parts between."""
    if parts := parts_of(steps):
        return list(parts)
    found: list[Part] = []
    line = Line(steps, Fraction(0), Fraction(0), None)
    if line.hides_all or line.hidden is not None:
        found.append(Part(None, line.hidden and line.hidden[0], SUPPRESSED))
    for x in places:
        if found and (found[-1].high is None or x < found[-1].high):
            continue
        low, high, output = Line(steps, x, x, None).behind()
        one = Part(low and low[0], high and high[0], output)
        if one.low != x:
            found.append(one)
    return found


class _Segment(NamedTuple):
    low: End
    high: End
    output: str | None  # None: whole outputs, or kept density
    sign: int  # as of a piece of a chart


def _segments(goal: Behinds, pieces: Sequence[tuple[End, End, int]]) -> Iterator[_Segment]:
    """The pieces of a chart, cut into outputs."""
    places = [high for _, high, _ in pieces if high is not None]
    outputs = _outputs(goal.P.steps, places)
    names = {(one.low, one.high): one.output for one in outputs}
    cuts = set(places)
    for one in outputs:
        if one.output is not None:
            start = 0 if one.low is None else bisect_right(places, one.low)
            stop = len(places) if one.high is None else bisect_left(places, one.high)
            cuts.difference_update(places[start:stop])
    cuts.update(x for one in outputs for x in (one.low, one.high) if x is not None)
    ends: list[End] = [None, *sorted(cuts), None]
    for low, high in pairwise(ends):
        start = 0 if low is None else bisect_right(places, low)
        stop = len(places) if high is None else bisect_left(places, high)
        signs = {sign for _, _, sign in pieces[start : stop + 1]}
        output = names.get((low, high))
        known = len(signs) == 1 and (_rows(goal) or output != SUPPRESSED)
        yield _Segment(low, high, output, signs.pop() if known else 0)


def components(goal: Behinds, step: Step) -> Facts:
    """
    p <= e^epsilon q everywhere, by the rule of this name for the noisy number
    --------------------------------------------------------------------------- post-processing
    the goal holds
    """
    if not _rows(goal):
        raise Rejected("no row has no component")
    return bare.components(_noisy(goal), step) | {"DPI"}


def chart(goal: Behinds, step: Step) -> Facts:
    """
    delta = 0:  each output that a zero of g may lie in has P <= e^epsilon Q; g <= 0 on all others
    else:       sum over these outputs of [P - e^epsilon Q]_+, of P - e^epsilon Q where g >= 0, and
                of P where the sign of g is not known,  <= delta
    ------------------------------------------------ as for the noisy number, and post-processing
    the goal holds
    """
    if goal.delta == 1:
        return set()
    noisy = _noisy(goal)
    found = bare.Chart(noisy, step)
    ar, release, total = found.ar, found.release, ZERO
    for one in _segments(goal, found.pieces):
        if one.sign == -1 or (one.output and one.low is None and one.high is None):
            continue  # all of it: 1 - e^epsilon is not positive
        more, less = release.masses(one.low, one.high)
        gap = more if not one.sign and one.output is None else ar.sub(more, less)
        if one.output == SUPPRESSED:
            gap = ar.add(gap, _no_row(goal, release))
        above = upper_end(gap)
        if above[1] > 0:
            total = ar.add(total, above)
            if goal.delta_is_zero:
                raise Rejected(f"the excess is not bounded on {interval_text(*one[:2])}")
    if not goal.delta_is_zero and not at_most(total, enclose_number(goal.delta, ar), ar):
        raise Rejected("the divergence is not bounded by delta with these cells and points")
    return found.facts | {"DPI"}


def event_refuted(goal: Behinds, step: Step) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0      B a union of intervals of the noisy number,
                                                     of which every output is in B or not
    ----------------------------------------------------------------------------------------------
    the goal fails at B
    """
    ar, margin = arithmetic(step), margin_of(step)
    release = Release(_noisy(goal), form_of(goal.epsilon), ar)
    event: list[Span] = event_of(step["event"], points=False)
    ends = [x for span in event for x in span if x is not None]
    for one in _outputs(goal.P.steps, ends):
        if one.output is None:
            continue
        if any((one.low is None or one.low < x) and (one.high is None or x < one.high)
               for x in ends):  # fmt: skip
            raise Rejected("the event cuts an output")
    total = ZERO
    for low, high in event:
        more, less = release.masses(low, high)
        total = ar.add(total, ar.sub(more, less))
    hidden = any(one.output == SUPPRESSED for one in _outputs(goal.P.steps, ends))
    if hidden and event[0][0] is None:
        total = ar.add(total, _no_row(goal, release))
    if not at_most(ar.add(enclose_number(goal.delta, ar), ar.of(margin)), total, ar):
        raise Rejected("no such margin is proved for the event")
    return {"F6"} if is_sided(release.noise) else set()
