"""How atoms with (discrete) Laplace noise are judged, all of whose line keeps its density.  As in
`sweep`.

The ratio of two such laws is monotone on a piece, so it is bounded by its ends (F1; on a lattice
F12).  Between atoms g is convex where it is positive, since g'' = g rho^2 there, so that it is
largest at atoms (F4b).
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from core.grammar import canonical, shown
from core.kinds import DIVERGE, DIVERGENCES, EVENTS, POINTWISE, Kind, Prior, Rule
from core.line import Lines, Noisy, noisy
from core.rules import Rejected, Step, arithmetic
from core.shapes import increasing
from core.value import form_of


def with_noise(p: Prior, q: Prior, release: Any) -> tuple[Noisy, Noisy]:
    """Laws of atoms, of which all of the line keeps its density."""
    return noisy(p, release), noisy(q, release)


class OnLine:
    """g = P - e^epsilon Q with noise, at the precision of the step."""

    def __init__(self, goal: Lines, step: Step) -> None:
        self.goal, self.step, self.facts = goal, step, set[str]()
        self.ar, self.epsilon = arithmetic(step), form_of(goal.epsilon)

    def positive(self) -> str | None:
        """As in `Difference`: at atoms, save for those that are named as ties."""
        goal, at_density = self.goal, self.step["rule"] == "pointwise"
        points: Collection[Fraction] = {*goal.P.atoms, *goal.Q.atoms}
        ties = {*increasing(self.step.get("ties", []), "ties")}
        for x in sorted(ties - {*points}):
            raise Rejected(f"the tie {shown(canonical(x))} is not an atom")
        self.facts |= {"F4b"} if at_density else {"F1"}
        if goal.P.noise.step is not None and not at_density:
            self.facts.add("F12")
        if ties:
            from core.sides import require_ties

            require_ties(goal, ties, at_density=at_density)
            self.facts.add("F3")
        if not at_density:
            if goal.P == goal.Q:
                return None
            from core.first_look import first_look

            found = first_look(goal, self.ar)
            points = points if found is None else found
        if not (points := {*points} - ties):
            return None
        from core.sweep import above

        first = above(goal, self.epsilon, points, goal.delta if at_density else None, self.ar)
        what = "excess at" if at_density else "ratio at the atom"
        return None if first is None else f"the {what} {shown(canonical(first))} is not bounded"

    def require_area(self) -> None:
        """As in `Difference`: with the upper ends of all pieces."""
        from core.line_area import is_below

        if not is_below(self.goal, self.epsilon, self.ar):
            raise Rejected("the divergence is not bounded by delta at this precision")
        self.facts.add("F4" if self.goal.P.noise.step is None else "F4L")

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """As in `Difference`: at a number, which may be between atoms."""
        from core.line_refuted import require_at

        require_at(self.goal, self.step, self.ar, margin, ratio=ratio)

    def require_on(self, margin: Fraction) -> None:
        """As in `Difference`: intervals, or points of a lattice."""
        from core.line_masses import event_spans, excess

        level, spans = (self.goal.delta, margin), event_spans(self.goal, self.step)
        if excess(self.goal, spans, self.epsilon, self.ar, level)[0] < 0:
            raise Rejected("no such margin is proved for the event")
        self.facts.add("F45" if self.goal.P.noise.step is None else "F45e")


KIND = Kind(
    {
        "pure": Rule("signs", measures=True),
        "delta-upper": Rule("area", EVENTS, measures=True),
        "delta-tie": Rule("tie", EVENTS),
        "pointwise": Rule("signs", POINTWISE, measures=True),
        **DIVERGENCES,
    },
    {
        **DIVERGE,
        "pure-refuted": Rule("place", measures=True),
        "event-refuted": Rule("event", measures=True),
        "pointwise-refuted": Rule("place", measures=True),
    },
    "the rule is for priors with densities, or gaussian noise",
    laws=with_noise,
    unscaled={"no-noise": Rule("every-scale")},
    no_scale="INJ",
    difference=OnLine,
    profile="core.profile_line",
    moment="core.renyi_line",
)
