"""How sums of normal densities are judged, with or without steps behind them.  As in `calculus`.

g = p - e^epsilon q is the density of the noisy number, with the pieces of a chart of known sign.
Steps never decrease: every output is made of the numbers of an interval, or is a number that stays
what it is; without steps all are.  Where an end of a piece is inside an output, that output is one
interval; between such outputs there are whole outputs, or kept density, of one piece.  Single
numbers have no mass, unless there is neither noise nor a step: then atoms keep theirs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from core.chart import Chart, Signed, entries_of, short_rational
from core.density import interval_text
from core.enclose import ZERO, Arithmetic, Interval, upper_end
from core.grammar import Malformed
from core.kinds import DIVERGE, DIVERGENCES, EVENTS, Kind, Mixture, Prior, Rule
from core.rules import Facts, Rejected, Step, arithmetic, at_most
from core.shapes import canonical_rational
from core.smooth import NOTHING, Normals, Smooth, Split, smooth, terms
from core.spans import SUPPRESSED, End, Part, spans_of, walk
from core.value import enclose_number, form_of
from core.zero import constant, exp_form, plus


class Segment(NamedTuple):
    """An output, or a part of the line that is kept or is whole outputs, of one piece."""

    low: End
    high: End
    output: str | None  # None: whole outputs, or kept density
    sign: int  # of g as in a piece; of an output that a piece ends in 0


class SmoothDifference:
    """g of a goal, with what a step says of it."""

    def __init__(self, goal: Normals, step: Step) -> None:
        self.goal, self.step, self.ar = goal, step, arithmetic(step)
        self.facts: Facts = set()
        self.factor = exp_form(form_of(goal.epsilon), self.ar)

    def _outputs(self, places: Sequence[Fraction]) -> list[Part]:
        post = self.goal.P.post
        return [Part(None, None, None)] if post is None else post.outputs(places)

    def _segments(self, pieces: Sequence[Signed]) -> Iterator[Segment]:
        """The pieces of a chart, cut into outputs."""
        places = [high for _, high, _ in pieces if high is not None]
        outputs = self._outputs(places)
        names = {(one.low, one.high): one.output for one in outputs}
        cuts = set(places)
        for one in outputs:
            if one.output is not None:
                cuts.difference_update(places[_inside(places, one.low, one.high)])
        cuts.update(x for one in outputs for x in (one.low, one.high) if x is not None)
        rows = not (self.goal.P.nothing or self.goal.Q.nothing)
        for low, high in pairwise([None, *sorted(cuts), None]):
            inside, output = _inside(places, low, high), names.get((low, high))
            signs = {sign for _, _, sign in pieces[inside.start : inside.stop + 1]}
            known = len(signs) == 1 and (rows or output != SUPPRESSED)
            yield Segment(low, high, output, signs.pop() if known else 0)

    def _chart(self) -> tuple[Chart, list[Segment]]:
        """The step's chart, and the segments on which g <= 0 is not known."""
        chart = Chart(self.goal, self.step)
        self.facts = chart.facts | ({"DPI"} if self.goal.P.post else set())
        return chart, [
            one for one in self._segments(chart.pieces)
            # of all numbers 1 - e^epsilon is not positive
            if one.sign != -1 and not (one.output and one.low is None and one.high is None)
        ]  # fmt: skip

    def _above(self, one: Segment, split: Split) -> Interval:
        """At least the integral of [g]_+ over a segment that is kept, or [P - e^epsilon Q]_+ of one
        that is an output: mu+ >= mu is enough where the sign of g is not known."""
        more, less = split.masses(one.low, one.high)
        found = more if not one.sign and one.output is None else self.ar.sub(more, less)
        if one.output == SUPPRESSED:
            found = self.ar.add(found, self._no_row())
        return max((ZERO, upper_end(found)), key=lambda x: x[1])

    def _no_row(self) -> Interval:
        """What no row adds to g where the output is suppressed."""
        return self._gap(self.goal.P.nothing, self.goal.Q.nothing)

    def _gap(self, p: Fraction, q: Fraction) -> Interval:
        return self.ar.sub(self.ar.of(p), self.ar.mul(self.factor, self.ar.of(q)))

    def _positive_atoms(self, split: Split) -> tuple[Fraction, Fraction]:
        """The masses under P and Q of the atoms where P > e^epsilon Q, without noise."""
        plus_atoms = {t.mean for t in split.atoms.values() if t.sign > 0 and not split.sided}
        p, q = (
            sum((w for m, v, w in law.components if not v and m in plus_atoms), NOTHING)
            for law in (self.goal.P, self.goal.Q)
        )
        return p, q

    # ------------------------------------------------------------ certified

    def positive(self) -> str | None:
        """
        g <= 0 on each segment, or on each output P <= e^epsilon Q     (F5, F6, F7; steps: DPI)
        ---------------------------------------------------------------------------------------
        P(B) <= e^epsilon Q(B) for every event B; pointwise: g <= 0 everywhere
        """
        chart, segments = self._chart()
        for one in segments:
            if self.goal.form != "events" or self._above(one, chart.split)[1] > 0:
                return f"the excess is not bounded on {interval_text(one.low, one.high)}"
        if any(self._positive_atoms(chart.split)):
            return "the priors' ratio at an atom is too large"
        return None

    def require_area(self) -> None:
        """
        sum over segments of at least the integral of [g]_+  (without noise: + the sum over atoms
        of [P(x) - e^epsilon Q(x)]_+)  <=  delta     (without noise exactly, where g has one sign)
        ------------------------------------------------------------------------------------------
        P(B) <= e^epsilon Q(B) + delta for every event B
        """
        (chart, segments), goal, ar = self._chart(), self.goal, self.ar
        p, q = self._positive_atoms(chart.split)
        signs = {sign for _, _, sign in chart.pieces}
        if goal.P.bare and signs in ({1}, {-1}):
            if signs == {1}:  # all that has a density counts as well
                p += sum((w for _, v, w in goal.P.components if v), NOTHING)
                q += sum((w for _, v, w in goal.Q.components if v), NOTHING)
            from core.masses import excess_sign

            if excess_sign(p, q, form_of(goal.epsilon), goal.delta) > 0:
                raise Rejected("the divergence exceeds delta")
            return
        total = self._gap(p, q)
        for one in segments:
            total = ar.add(total, self._above(one, chart.split))
        if not at_most(total, enclose_number(goal.delta, ar), ar):
            raise Rejected("the divergence is not bounded by delta with these cells and points")

    # ------------------------------------------------------------ refuted

    def _split(self, margin: Fraction = NOTHING) -> Split:
        """Of epsilon and a margin.  Densities and masses are known by F6, or as normal laws."""
        split = Split(self.goal, plus(form_of(self.goal.epsilon), constant(margin)), self.ar)
        self.facts = {"F6"} if split.sided else set()
        return split

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """
        p(y) >= e^(epsilon + margin) q(y), or p(y) - e^epsilon q(y) >= delta + margin
        ------------------------------------------------------------------------------
        the goal fails at y

        Without noise p and q are the densities without the atoms, of which there are finitely many;
        for a ratio P must have one.
        """
        goal, ar = self.goal, self.ar
        if ratio and goal.P.bare and not any(v for _, v, _ in goal.P.components):
            raise Rejected("the first prior has no density")
        y = short_rational(self.step["y"], "y")
        excess = ar.sub(*self._split(margin if ratio else NOTHING).density(y))
        bound = ZERO if ratio else ar.add(enclose_number(goal.delta, ar), ar.of(margin))
        if not at_most(bound, excess, ar):
            raise Rejected("no such margin is proved at y")

    def require_on(self, margin: Fraction) -> None:
        """
        P(B) - e^epsilon Q(B) - delta >= margin     B a union of intervals of the noisy number, of
                                                    which every output is in B or not
        ------------------------------------------------------------------------------------------
        the goal fails at B (without noise [a, a] is the one output a)
        """
        goal, ar, total = self.goal, self.ar, ZERO
        read = short_rational if goal.P.post is None else canonical_rational
        entries = entries_of(self.step["event"], "event")
        spans = spans_of(entries, "an interval", read, points=goal.P.bare)
        if not spans:
            raise Malformed("an event must not be empty")
        ends = [x for span in spans for x in span if x is not None]
        outputs = [] if goal.P.post is None else self._outputs(ends)
        for one in outputs:
            if one.output is not None and ends[_inside(ends, one.low, one.high)]:
                raise Rejected("the event cuts an output")
        split = self._split()
        for low, high in spans:
            if low is None or low != high:  # no noise, no atom: a point has no mass
                total = ar.add(total, ar.sub(*split.masses(low, high)))
        at = walk(spans)
        for mean, t in sorted(split.atoms.items()) if goal.P.bare else ():
            if at(mean)[2]:
                total = ar.add(total, t.weight if t.sign > 0 else ar.neg(t.weight))
        if spans[0][0] is None and any(one.output == SUPPRESSED for one in outputs):
            total = ar.add(total, self._no_row())
        if not at_most(ar.add(enclose_number(goal.delta, ar), ar.of(margin)), total, ar):
            raise Rejected("no such margin is proved for the event")


def _inside(places: Sequence[Fraction], low: End, high: End) -> slice:
    """Which of some increasing places lie between two ends."""
    start = 0 if low is None else bisect_right(places, low)
    return slice(start, len(places) if high is None else bisect_left(places, high))


def outgrows(goal: Normals) -> bool:
    """Whether at every scale of gaussian noise P outgrows e^epsilon Q in a tail: the coefficient of
    the largest variance, then of the largest (or the smallest) mean, is positive in
    P - e^epsilon Q, equal components merged."""
    found = terms(goal, form_of(goal.epsilon), Arithmetic(64)) if goal.P.spread else []
    return any(max(found, key=lambda t: (t.variance, way * t.mean)).sign > 0
               for way in (1, -1) if found)  # fmt: skip


def _laws(
    p: Prior | Mixture | Smooth, q: Prior | Mixture | Smooth, noise: object
) -> tuple[Smooth, Smooth]:
    return smooth(p, noise), smooth(q, noise)


COUPLED = {name: Rule("coupling") for name in ("equal", "components")}
CHARTED = {**COUPLED, "chart": Rule("area")}
KIND = Kind(
    {**CHARTED, **DIVERGENCES},
    {
        **DIVERGE,
        "pure-refuted": Rule("place"),
        "event-refuted": Rule("event"),
        "pointwise-refuted": Rule("place"),
    },
    "the rule is for priors of atoms with (discrete) Laplace noise",
    laws=_laws,
    unscaled={**CHARTED, **DIVERGENCES},
    hopeless={"moment": Rule("moment")},
    no_scale="INJS",
    outgrows=outgrows,
    difference=SmoothDifference,
    profile="core.profile_normals",
    moment="core.renyi_normals",
)
BEHIND = Kind(
    {name: rule._replace(forms=EVENTS) for name, rule in CHARTED.items()},
    {"event-refuted": Rule("event", EVENTS)},
    "the rule is not for steps after a density",
    difference=SmoothDifference,
    profile="core.profile_normals",
)
