"""Published recipes for truncated Laplace and discrete Gaussian noise, at delta above 0.

They are stated for a query that moves by at most so much; here that is the largest distance in the
monotone plan of a pair (W-infinity), as a coupling compares the noise at its own pairs of values.
"""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import Raw, raw
from pfverify.exact.number import Number
from pfverify.exact.search import least_decimal
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise
from pfverify.scales.closed_form import NONE_NEEDED, Proposal, Value, largest_upper
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.distances import over_epsilon
from pfverify.scales.search import settled_verdict
from pfverify.transport.line import monotone_plan

_HALF = Number.of_rational(Fraction(1, 2))


def truncated_published(asked: RecipeProblem) -> Proposal:
    """W-infinity / epsilon, with the bound of `published_bound`."""
    _needs(asked, TruncatedLaplace.kind)
    if (asked.delta - _HALF).sign() not in (-1, 0):
        raise InputError("delta is above 1/2: the published bound is for at most 1/2")
    return over_epsilon(asked, asked.once(_moved))


def published_bound(asked: RecipeProblem, scale: str) -> Noise:
    """Return truncated Laplace noise with bound scale log(1 + (e^epsilon - 1)/(2 delta)).

    The bound is rounded up. Source: Geng, Ding, Guo and Kumar 2020; design fact F47.
    """

    def ball() -> Raw:
        growth = asked.epsilon.ball().raw.exp() - 1
        return raw(Fraction(scale)) * (1 + growth / (2 * asked.delta.ball().raw)).log()

    bound = largest_upper([Value(ball)], asked.grid)[0]
    return TruncatedLaplace(scale, bound or 1)


def discrete_gaussian_concentrated(asked: RecipeProblem) -> Proposal:
    """The sigma with rho + 2 sqrt(rho log(1/delta)) = epsilon, rho = W-infinity^2 / (2 sigma^2).

    Source: Canonne, Kamath and Steinke 2020, Theorem 4; Bun and Steinke 2016, Proposition 1.3.
    """
    _needs(asked, DiscreteGaussian.kind)
    distance = asked.once(_moved)
    if distance == 0:
        return NONE_NEEDED
    asked.for_a_finite_scale()
    if (asked.delta - Number.of_rational(Fraction(1))).sign() == 0:
        raise InputError("delta is 1: every scale meets it")

    def ball() -> Raw:
        epsilon, rest = asked.epsilon.ball().raw, -asked.delta.ball().raw.log()
        roots = (epsilon + rest).sqrt() + rest.sqrt()
        return raw(distance) * roots / (raw(2).sqrt() * epsilon)

    return largest_upper([Value(ball)], asked.grid)


def discrete_gaussian_exact(asked: RecipeProblem) -> Proposal:
    """A sigma from which on downward delta of two points W-infinity apart exceeds the target.

    That delta is P(N > epsilon sigma^2 / d - d/2) - e^epsilon P(N > epsilon sigma^2 / d + d/2); it
    is decided, and not monotone in sigma: this is the first change that is met.
    Source: Canonne, Kamath and Steinke 2020, Theorem 7.
    """
    start, _ = discrete_gaussian_concentrated(asked)
    if start == 0:
        return NONE_NEEDED
    points = {"0": Discrete({0: 1}), "d": Discrete({asked.once(_moved): 1})}

    def holds(sigma: Fraction) -> bool:
        noise = asked.noise.with_scale(sigma)
        problem = Problem(points, noise=noise, epsilon=asked.epsilon.text, delta=asked.delta.text)
        verdict = settled_verdict(problem)
        if verdict is Verdict.UNDECIDED:
            raise UndecidedError(f"delta at sigma {asked.grid.text(sigma)} is undecided")
        return verdict is Verdict.CERTIFIED

    return least_decimal(holds, start, asked.grid)[1], None


def _moved(asked: RecipeProblem) -> Fraction:
    """The largest distance in the monotone plans."""
    why = "this recipe is about atoms"
    return max(monotone_plan(*item.discrete_priors(why)).w_infinity() for item in asked.items)


def _needs(asked: RecipeProblem, kind: str) -> None:
    if asked.noise.kind != kind:
        raise InputError(f"the noise is {asked.noise.kind}: this recipe is for {kind} noise")
    if asked.delta.sign() == 0:
        raise InputError("delta is 0: this recipe is for delta above 0")
