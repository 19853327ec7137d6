"""The inference rules of points that are released as they are: laws of several numbers, no noise.

As in `bare`, with points in place of atoms; an event is a list of points, as they are written.
"""

from __future__ import annotations

from typing import Any

from core.bare import facts_of
from core.finite import require_bounded
from core.grammar import Malformed, shown
from core.kinds import Kind, Rule
from core.masses import NOTHING, Finite, Outputs
from core.rules import Facts, Goal, Rejected, Step
from core.shapes import array, canonical_rational, string
from core.witness import require_events, require_excess, require_pure, require_ratio
from reader.joint import Joint, Point, in_order, texts


def laws(p: Joint, q: Joint, release: object = None) -> tuple[Outputs, Outputs]:
    """Two laws as laws of the points of both."""
    if p.names != q.names:
        raise Malformed("joint priors must have the same names in the same order")
    rows = in_order([(x, NOTHING) for law in (p, q) for x, _ in law.rows])
    names = tuple(x for k, (x, _) in enumerate(rows) if k == 0 or rows[k - 1][0] != x)
    found = []
    for law in (p, q):
        left = [*reversed(law.rows)]
        masses = [left.pop()[1] if left and left[-1][0] == x else NOTHING for x in names]
        found.append(Outputs(0, (), tuple(masses), names))
    return found[0], found[1]


KIND = Kind(
    {"no-noise": Rule("core.bare")},
    {"pure-refuted": Rule("core.points"), "outputs-refuted": Rule("core.points")},
    "the rule is not for joint priors without noise",
    laws=laws,
)


def _place(goal: Finite, value: Any) -> list[int]:
    """The place of a point, if it is one of both laws: else it has no mass."""
    point: Point = tuple(canonical_rational(x, "a point") for x in array(value, "a point"))
    if len(point) != len(goal.P.names[0]):
        raise Malformed("a point of another number of coordinates")
    return [k for k, x in enumerate(goal.P.names) if x == point]


def no_noise(goal: Goal[Joint, Any], step: Step) -> Facts:
    """
    events:     sum over x of [P(x) - e^epsilon Q(x)]_+ <= delta
    pointwise:  P(x) <= e^epsilon Q(x) for every x
    ------------------------------------------------------------- data processing
    the goal holds for all scales above 0, and for the priors themselves
    """
    p, q = laws(goal.P, goal.Q)
    require_bounded(goal.about(p, q), NOTHING)
    return {"DPI"}


def pure_refuted(goal: Finite, step: Step) -> Facts:
    """
    delta = 0     P(y) > 0     P(y) >= e^(epsilon + margin) Q(y)     margin > 0
    -------------------------------------------------------------------------- no noise
    the goal fails at y
    """
    require_pure(goal, step)
    require_ratio(goal, step, _place(goal, step["y"]))
    return facts_of(goal)


def outputs_refuted(goal: Finite, step: Step) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0     B some points, as they are written: (0, 1/2)
    -------------------------------------------------------------------------------------------
    the goal fails at B
    """
    require_events(goal)
    places = {texts(x): k for k, x in enumerate(goal.P.names)}
    found = []
    for name in array(step["outputs"], "outputs"):
        if string(name, "an output") not in places:
            raise Rejected(f"{shown(name)} is no point of the laws")
        found.append(places[name])
    if len(set(found)) < len(found):
        raise Malformed("a point stands twice")
    require_excess(goal, step, found)
    return facts_of(goal)
