"""Recipes that divide a largest distance by epsilon."""

from __future__ import annotations

from fractions import Fraction

from pfverify.model.priors.discrete import Discrete
from pfverify.scales.closed_form import NONE_NEEDED, Proposal, distance_over, largest_upper
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.transport.line import monotone_plan
from pfverify.transport.line_plan import LinePlan


def l1(asked: RecipeProblem) -> Proposal:
    """Largest distance between an atom of one prior and an atom of the other, / epsilon."""
    return over_epsilon(asked, max(_reach(*priors) for priors in asked.atoms))


def wasserstein(asked: RecipeProblem) -> Proposal:
    """Largest distance in the support of the monotone plan (W-infinity), / epsilon."""
    return over_epsilon(asked, max(plan.w_infinity() for plan in asked.once(plans)))


def plans(asked: RecipeProblem) -> list[LinePlan]:
    """Return the monotone plan of every pair."""
    return [monotone_plan(first, second) for first, second in asked.atoms]


def over_epsilon(asked: RecipeProblem, distance: Fraction) -> Proposal:
    """Return a distance / epsilon; nothing is needed for a distance of 0."""
    if distance == 0:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    return largest_upper([distance_over(distance, asked.epsilon)], asked.grid)


def _reach(one: Discrete, other: Discrete) -> Fraction:
    (a, b), (c, d) = (
        [Fraction(end, prior.denominator) for end in prior.ends] for prior in (one, other)
    )
    return max(abs(b - c), abs(d - a))
