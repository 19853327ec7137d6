"""Recipes for a Renyi divergence: what a coupling of the priors says of it.

R = e^((order - 1) D) of two laws is at most the average, over a coupling, of that of two points at
the distance of what is coupled: a convex function of the distance, so that the monotone plan is the
best one. To average distances, or divergences, in its place would be wrong (design fact F95).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pfverify.decide.renyi.line import of_points
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, rising_sign
from pfverify.exact.expsum import FIRST_BITS, ZERO_TEST_BITS, Exponent, ExpSum
from pfverify.exact.number import Number
from pfverify.exact.search import float_root, least_decimal
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.notion import Renyi
from pfverify.scales.closed_form import NONE_NEEDED, Proposal, distance_over, largest_upper
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.distances import plans
from pfverify.transport.line import monotone_plan
from pfverify.transport.line_plan import LinePlan

Distances = Mapping[Fraction, Fraction]
"""Distance -> how much mass a coupling moves over it."""


def renyi_w_inf(asked: RecipeProblem) -> Proposal:
    """The scale for two points as far apart as anything that the monotone plan couples."""
    return _largest(asked, [{plan.w_infinity(): Fraction(1)} for plan in asked.once(plans)])


def renyi_coupling(asked: RecipeProblem) -> Proposal:
    """The scale at which the average of R over the monotone plan is e^((order - 1) epsilon)."""
    return _largest(asked, [_distances(plan) for plan in asked.once(plans)])


def zcdp_w_inf(asked: RecipeProblem) -> Proposal:
    """W-infinity / sqrt(2 rho): D_a <= a d^2/2 of two points at a distance of d scales.

    With Gaussian noise that is what it is, and R of priors is at most the average over a plan; with
    Laplace noise the log ratio is within d.
    """
    if type(asked.noise) not in (Laplace, DiscreteLaplace, GaussianNoise):
        kind = asked.noise.kind
        raise InputError(f"the noise is {kind}: this recipe is for Laplace and Gaussian noise")
    pairs = [item.discrete_priors("this recipe is about atoms") for item in asked.items]
    distance = max(monotone_plan(*priors).w_infinity() for priors in pairs)
    if distance == 0:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    root = (asked.epsilon * Number.of_rational(2)).sqrt()
    return largest_upper([distance_over(distance, root)], asked.grid)


def _distances(plan: LinePlan) -> Distances:
    found: dict[Fraction, Fraction] = {}
    for x, y, mass in plan.edges:
        distance = Fraction(abs(x - y), plan.denominator)
        found[distance] = found.get(distance, Fraction(0)) + Fraction(mass, plan.total)
    return found


def _largest(asked: RecipeProblem, pairs: list[Distances]) -> Proposal:
    moved = [pair for pair in pairs if max(pair) > 0]
    if not moved:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    notion, step = asked.problem.notion, asked.noise.step
    if not isinstance(notion, Renyi):
        raise InputError("this recipe is about a Renyi divergence")
    order = notion.order
    grown = asked.epsilon * Number.of_rational(order - 1)

    def over(pair: Distances, scale: Fraction) -> tuple[ExpSum, ExpSum]:
        """The average of R, as a sum over a number > 0 that all distances share."""
        rate, total, bottom = Exponent.rational(1 / scale), ExpSum({}), ExpSum.constant(1)
        for distance, mass in pair.items():
            top, bottom = of_points(distance, rate, order, step)
            total += top.times(mass)
        return total, bottom

    def holds(scale: Fraction) -> bool:
        return all(_at_most(*over(pair, scale), grown) for pair in moved)

    def gap(scale: float) -> float:
        found = []
        for pair in moved:
            top, bottom = (x.ball().raw for x in over(pair, Fraction(scale)))
            found.append(Ball((top / bottom).log() - grown.ball().raw).midpoint())
        return max(found)

    low = high = float(max(max(pair) for pair in moved))
    while gap(high) > 0:
        high *= 4
    while gap(low) <= 0:
        low /= 4
    return least_decimal(holds, Fraction(float_root(gap, low, high)), asked.grid)[1], None


def _at_most(top: ExpSum, bottom: ExpSum, grown: Number) -> bool:
    """Whether top / bottom <= e**grown; False where that is not decided."""

    def excess() -> Ball:
        return Ball(top.ball().raw - bottom.ball().raw * grown.ball().raw.exp())

    sign = rising_sign(excess, FIRST_BITS, 4 * ZERO_TEST_BITS)
    if sign is None and grown.formal is not None:
        sign = (top - bottom * ExpSum.power(grown.formal)).sign()
    return sign in (-1, 0)
