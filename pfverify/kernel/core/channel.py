"""The inference rules for channels, whose outputs have names.  As in `finite`."""

from __future__ import annotations

from core.grammar import Malformed, shown
from core.kinds import POINTWISE, Kind, Rule
from core.masses import Finite
from core.rules import Facts, Rejected, Step
from core.shapes import array, string
from core.witness import (
    require_events,
    require_excess,
    require_pointwise,
    require_pure,
    require_ratio,
)

KIND = Kind(
    {"channel": Rule("core.channel")},
    {
        "output-refuted": Rule("core.channel"),
        "outputs-refuted": Rule("core.channel"),
        "mass-refuted": Rule("core.channel", POINTWISE),
    },
    "the rule is not for what this channel releases",
)


def _place(goal: Finite, name: object) -> list[int]:
    text = string(name, "an output")
    if text not in goal.P.names:
        raise Rejected(f"no output {shown(text)}")
    return [goal.P.names.index(text)]


def channel(goal: Finite, step: Step) -> Facts:
    """
    events:     sum over outputs y of [P(y) - e^epsilon Q(y)]_+ <= delta
    pointwise:  P(y) - e^epsilon Q(y) <= delta  for every output y
    ---------------------------------------------------------------------
    the goal holds
    """
    from core.finite import require_bounded

    require_bounded(goal, goal.delta)
    return set()


def output_refuted(goal: Finite, step: Step) -> Facts:
    """
    delta = 0     P(y) > 0     P(y) >= e^(epsilon + margin) Q(y)     margin > 0
    --------------------------------------------------------------------------
    the goal fails at the output y
    """
    require_pure(goal, step)
    require_ratio(goal, step, _place(goal, step["output"]))
    return set()


def mass_refuted(goal: Finite, step: Step) -> Facts:
    """
    P(y) - e^epsilon Q(y) - delta >= margin > 0
    -------------------------------------------
    the pointwise goal fails at the output y
    """
    require_pointwise(goal)
    require_excess(goal, step, _place(goal, step["output"]))
    return set()


def outputs_refuted(goal: Finite, step: Step) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0     B a set of outputs
    ------------------------------------------------------------------------
    the goal fails at B; the pointwise goal too where delta = 0, at one of B
    """
    require_events(goal)
    places = {name: k for k, name in enumerate(goal.P.names)}
    event = [string(name, "an output") for name in array(step["outputs"], "outputs")]
    if not event or len(set(event)) < len(event):
        raise Malformed("outputs must be different, at least one")
    if not set(event) <= places.keys():
        raise Rejected("no such output")
    require_excess(goal, step, [places[name] for name in event])
    return set()
