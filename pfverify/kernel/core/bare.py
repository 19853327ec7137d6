"""The inference rules of atoms that are released as they are: those of X without noise, or those
that a noise table makes of X, which `tabled` works out.

As in `finite`: the atoms are the outputs.  Priors with densities go through `chart`.
"""

from __future__ import annotations

from core.kinds import Kind, Prior, Rule
from core.masses import NOTHING, Finite, Outputs
from core.rules import Facts, Step
from core.shapes import canonical_rational, places
from core.witness import (
    require_events,
    require_excess,
    require_pointwise,
    require_pure,
    require_ratio,
)
from core.work import product, spend


def laws(p: Prior, q: Prior, release: object = None) -> tuple[Outputs, Outputs]:
    """Two priors as laws of the atoms of both."""
    names = tuple(places(p, q))
    first, second = (tuple(prior.get(x, NOTHING) for x in names) for prior in (p, q))
    return Outputs(0, (), first, names), Outputs(0, (), second, names)


KIND = Kind(
    {"no-noise": Rule("core.bare")},
    {name: Rule("core.bare") for name in ("pure-refuted", "event-refuted", "pointwise-refuted")},
    "the rule is for priors with densities, or gaussian noise",
    laws=laws,
)


def facts_of(goal: Finite) -> Facts:
    """Whose atoms they are."""
    return {"X"} if goal.release.kind == "none" else {"TABLE"}


def no_noise(goal: Finite, step: Step) -> Facts:
    """
    events:     sum over x of [P(x) - e^epsilon Q(x)]_+ <= delta
    pointwise:  P(x) - e^epsilon Q(x) <= delta  for every x
    ----------------------------------------------------------- no noise
    the goal holds for the release X
    """
    from core.finite import require_bounded

    require_bounded(goal, goal.delta)
    return facts_of(goal)


def _place(goal: Finite, step: Step) -> list[int]:
    """The atom of an output, if it is one: else it has no mass."""
    y = canonical_rational(step["y"], "y")
    return [goal.P.names.index(y)] if y in goal.P.names else []


def pure_refuted(goal: Finite, step: Step) -> Facts:
    """
    delta = 0     P(y) > 0     P(y) >= e^(epsilon + margin) Q(y)     margin > 0
    -------------------------------------------------------------------------- no noise
    the goal fails at y
    """
    require_pure(goal, step)
    require_ratio(goal, step, _place(goal, step))
    return facts_of(goal)


def pointwise_refuted(goal: Finite, step: Step) -> Facts:
    """
    P(y) - e^epsilon Q(y) - delta >= margin > 0
    ------------------------------------------- no noise
    the pointwise goal fails at y
    """
    require_pointwise(goal)
    require_excess(goal, step, _place(goal, step))
    return facts_of(goal)


def event_refuted(goal: Finite, step: Step) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0     B a union of disjoint closed intervals
    ------------------------------------------------------------------------ no noise
    the goal fails at B; the pointwise goal too where delta = 0, at one of the atoms in B
    """
    from core.spans import event_of, walk

    require_events(goal)
    at = walk(event_of(step["event"]))
    spend(sum(8 + product(x.denominator.bit_length()) for x in goal.P.names))
    require_excess(goal, step, [k for k, x in enumerate(goal.P.names) if at(x)[2]])
    return facts_of(goal)
