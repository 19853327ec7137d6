"""The inference rules without noise: the release is X itself, and the priors have atoms only.

As in `rules`; P, Q are the laws of the release, and "the masses" their values at single outputs.
Priors with densities go through `chart`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from enclose import Arithmetic
from excess import sign_of_excess
from files import canonical_rational
from grammar import Malformed, Number, canonical, shown
from kinds import Mixture, Prior
from priors import places
from reader import Problem
from rules import Bounds, Facts, Names, Rejected, Step, arithmetic, at_most, margin_of
from spans import spans_of
from value import enclose_number, form_of
from work import product, spend
from zero import SIGN_BITS, constant, exp_form, plus


class Bare(NamedTuple):
    """One inequality to prove: P against Q, atoms that no noise is added to."""

    belief: str
    source: str  # P = prior of `source`
    target: str  # Q = prior of `target`
    P: Prior
    Q: Prior
    epsilon: Number
    delta: Number
    delta_is_zero: bool
    form: str


def goals(problem: Problem, amount: Number | None) -> Callable[..., Bare]:
    """What makes the goals of a problem without noise."""
    if amount is not None:
        raise Malformed("atoms without noise have no amount of it")

    def goal(names: Names, p: Prior, q: Prior, bounds: Bounds) -> Bare:
        belief, source, target = names
        return Bare(belief, source, target, p, q, *bounds)

    return goal


def require_law(problem: Problem, p: object, q: object) -> None:
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


def require_bounded(goal: Bare, each: Number) -> None:
    """Rejected unless P exceeds e^epsilon Q by at most delta in total (events), or at every atom by
    at most `each` (pointwise)."""
    if goal.form not in ("events", "pointwise"):
        raise Rejected(f"no rule for the form {shown(goal.form)}")
    epsilon, ar = form_of(goal.epsilon), Arithmetic(SIGN_BITS[0])
    factor = exp_form(epsilon, ar)
    bound: Number = Fraction(0) if goal.form == "events" else each
    limit = enclose_number(bound, ar)
    if goal.form == "events" and goal.delta == 1:
        return  # no probability exceeds 1
    positive_p = positive_q = Fraction(0)
    for x in places(goal.P, goal.Q):
        p, q = goal.P.get(x, Fraction(0)), goal.Q.get(x, Fraction(0))
        low, high, _ = ar.sub(ar.sub(ar.of(p), ar.mul(factor, ar.of(q))), limit)
        if high < 0 or (low <= 0 and sign_of_excess(p, q, epsilon, bound) <= 0):
            continue
        if goal.form == "pointwise":
            raise Rejected(f"the priors' ratio at {shown(canonical(x))} is too large")
        positive_p, positive_q = positive_p + p, positive_q + q
    if goal.form == "events" and sign_of_excess(positive_p, positive_q, epsilon, goal.delta) > 0:
        raise Rejected("the priors themselves exceed delta")


def no_noise(goal: Bare, step: Step) -> Facts:
    """
    events:     sum over x of [P(x) - e^epsilon Q(x)]_+ <= delta
    pointwise:  P(x) - e^epsilon Q(x) <= delta  for every x
    ----------------------------------------------------------- no noise
    the goal holds for the release X
    """
    require_bounded(goal, goal.delta)
    return {"X"}


def pure_refuted(goal: Bare, step: Step) -> Facts:
    """
    delta = 0     P(y) > 0     P(y) >= e^(epsilon + margin) Q(y)     margin > 0
    -------------------------------------------------------------------------- no noise
    the goal fails at y
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    ar, margin = arithmetic(step), margin_of(step)
    y = canonical_rational(step["y"], "y")
    p, q = goal.P.get(y, Fraction(0)), goal.Q.get(y, Fraction(0))
    factor = exp_form(plus(form_of(goal.epsilon), constant(margin)), ar)
    if p <= 0 or not at_most(ar.mul(factor, ar.of(q)), ar.of(p), ar):
        raise Rejected("no such margin is proved at y")
    return {"X"}


def pointwise_refuted(goal: Bare, step: Step) -> Facts:
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


def event_refuted(goal: Bare, step: Step) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0     B a union of disjoint closed intervals
    ------------------------------------------------------------------------ no noise
    the goal fails at B; the pointwise goal too where delta = 0, at one of the atoms in B
    """
    if goal.form != "events" and not goal.delta_is_zero:
        raise Rejected("an event does not refute the pointwise form")
    spans = spans_of(step["event"])
    masses = [Fraction(0), Fraction(0)]
    for side, prior in enumerate((goal.P, goal.Q)):
        index = 0
        for x, mass in sorted(prior.items()):  # both increase: one walk
            spend(8 + product(x.denominator.bit_length()))
            while index < len(spans) and _ends_before(spans[index], x):
                index += 1
            if index < len(spans) and _starts_by(spans[index], x):
                masses[side] += mass
    _require_excess(goal, step, masses[0], masses[1])
    return {"X"}


def _require_excess(goal: Bare, step: Step, p: Fraction, q: Fraction) -> None:
    """Rejected unless p - e^epsilon q - delta >= margin > 0 (an equality by the zero test)."""
    arithmetic(step)
    if sign_of_excess(p - margin_of(step), q, form_of(goal.epsilon), goal.delta) < 0:
        raise Rejected("no such margin is proved")


def _starts_by(span: tuple[Fraction | None, Fraction | None], x: Fraction) -> bool:
    return span[0] is None or span[0] <= x


def _ends_before(span: tuple[Fraction | None, Fraction | None], x: Fraction) -> bool:
    return span[1] is not None and span[1] < x
