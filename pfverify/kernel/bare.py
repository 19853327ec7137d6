"""The inference rules without noise: the release is X itself, and the priors have atoms only.

As in `rules`; P, Q are the laws of the release, and "the masses" their values at single outputs.
Priors with densities go through `chart`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from grammar import combine
from reader import Mixture, Prior, Problem, canonical_rational
from rules import (
    GOAL_KEYS,
    Bare,
    Facts,
    Rejected,
    _arithmetic,
    _at_most,
    _margin,
    _sign_of_excess,
    _spans,
    require_bounded,
)
from zero import constant, exp_form, form_of, plus

FACTS = {"X": "no noise: the release is X itself"}


def require_law(problem: Problem, p: Prior | Mixture, q: Prior | Mixture) -> None:
    """Rejected where the pointwise form is about a density that there is not.

    Without noise atoms have masses, which noise of kind none and discrete Laplace noise bound;
    Laplace and gaussian noise promise densities, and so do priors with densities.
    """
    if problem.form == "events":
        return
    priors = [prior for prior in (p, q) if isinstance(prior, Mixture)]
    if not priors:
        if problem.noise not in ("none", "discrete-laplace"):
            raise Rejected("the priors' atoms have no density without noise")
    elif len(priors) < 2 or any(not v for prior in priors for _, v, _ in prior.components):
        raise Rejected("an atom has no density without noise")


def no_noise(goal: Bare, step: dict[str, Any]) -> Facts:
    """
    events:     sum over x of [P(x) - e^epsilon Q(x)]_+ <= delta
    pointwise:  P(x) - e^epsilon Q(x) <= delta  for every x
    ----------------------------------------------------------- no noise
    the goal holds for the release X
    """
    require_bounded(goal, goal.delta)
    return {"X"}


def pure_refuted(goal: Bare, step: dict[str, Any]) -> Facts:
    """
    delta = 0     P(y) > 0     P(y) >= e^(epsilon + margin) Q(y)     margin > 0
    -------------------------------------------------------------------------- no noise
    the goal fails at y
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    ar, margin = _arithmetic(step), _margin(step)
    y = canonical_rational(step["y"], "y")
    p, q = goal.P.get(y, Fraction(0)), goal.Q.get(y, Fraction(0))
    factor = exp_form(plus(form_of(goal.epsilon), constant(margin)), ar)
    if p <= 0 or not _at_most(ar.mul(factor, ar.of(q)), ar.of(p), ar):
        raise Rejected("no such margin is proved at y")
    return {"X"}


def pointwise_refuted(goal: Bare, step: dict[str, Any]) -> Facts:
    """
    P(y) - e^epsilon Q(y) - delta >= margin > 0
    ------------------------------------------- no noise
    the pointwise goal fails at y
    """
    if goal.form != "pointwise":
        raise Rejected("a mass at a point does not refute the events form: give an event")
    y = canonical_rational(step["y"], "y")
    _require_excess(goal, step, goal.P.get(y, Fraction(0)), goal.Q.get(y, Fraction(0)))
    return {"X"}


def event_refuted(goal: Bare, step: dict[str, Any]) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0     B a union of disjoint closed intervals
    ------------------------------------------------------------------------ no noise
    the goal fails at B; the pointwise goal too where delta = 0, at one of the atoms in B
    """
    if goal.form != "events" and not goal.delta_is_zero:
        raise Rejected("an event does not refute the pointwise form")
    spans = _spans(step["event"])
    masses = [Fraction(0), Fraction(0)]
    for side, prior in enumerate((goal.P, goal.Q)):
        index = 0
        for x, mass in sorted(prior.items()):  # both increase: one walk
            while index < len(spans) and _ends_before(spans[index], x):
                index += 1
            if index < len(spans) and _starts_by(spans[index], x):
                masses[side] += mass
    _require_excess(goal, step, masses[0], masses[1])
    return {"X"}


def _require_excess(goal: Bare, step: dict[str, Any], p: Fraction, q: Fraction) -> None:
    """Rejected unless p - e^epsilon q - delta >= margin > 0 (an equality by the zero test)."""
    _arithmetic(step)
    bound = combine("+", goal.delta, _margin(step))
    if _sign_of_excess(p, q, form_of(goal.epsilon), bound) < 0:
        raise Rejected("no such margin is proved")


def _starts_by(span: tuple[Fraction | None, Fraction | None], x: Fraction) -> bool:
    return span[0] is None or span[0] <= x


def _ends_before(span: tuple[Fraction | None, Fraction | None], x: Fraction) -> bool:
    return span[1] is not None and span[1] < x


Rule = Callable[[Bare, dict[str, Any]], Facts]
CERTIFIED: dict[str, tuple[Rule, set[str]]] = {"no-noise": (no_noise, GOAL_KEYS - {"bits"})}
REFUTED: dict[str, tuple[Rule, set[str]]] = {
    "pure-refuted": (pure_refuted, GOAL_KEYS | {"y", "margin"}),
    "event-refuted": (event_refuted, GOAL_KEYS | {"event", "margin"}),
    "pointwise-refuted": (pointwise_refuted, GOAL_KEYS | {"y", "margin"}),
}
