"""Normal priors under Laplace noise: the law of the release, tail quantiles, published scales.

Symbols: mu and sigma, mean and standard deviation of a normal prior (with i and j for the two
secrets of a pair); b > 0, the scale of the noise; y, the output; all in the unit of the released
quantity. delta is the additive slack of the target.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from pfverify.errors import InputError
from pfverify.model.noises.scale import positive_scale
from pfverify.model.priors.prior import Component
from pfverify.symbolic.statement import EPSILON, Statement, StatementCondition, Y, condition
from pfverify.symbolic.translate import Expr, from_fraction, from_number

MU = sympy.Symbol("mu", real=True)
"""Mean of a normal prior."""
SIGMA = sympy.Symbol("sigma", positive=True)
"""Standard deviation of a normal prior, > 0."""
B = sympy.Symbol("b", positive=True)
"""Scale of the Laplace noise."""
DELTA = sympy.Symbol("delta", positive=True)
"""The additive slack of the target."""
TAU = sympy.Symbol("tau", positive=True)
"""A quantile of the standard normal law, in standard deviations."""
MU_I, MU_J = sympy.symbols("mu_i mu_j", real=True)
"""Means given the two secrets of a pair."""
SIGMA_I, SIGMA_J = sympy.symbols("sigma_i sigma_j", nonnegative=True)
"""Standard deviations given the two secrets of a pair; 0 for a point mass."""

_MU_K = sympy.Symbol("mu_k", real=True)
_SIGMA_K, _REST = sympy.symbols("sigma_k sigma_rest", nonnegative=True)
_USERS = sympy.Symbol("K", positive=True)
_POSITIVE_EPSILON = condition(EPSILON, ">", 0)
_SLACK = condition(DELTA, ">", 0), condition(DELTA, "<", 1)
_SDS = condition(SIGMA_I, ">=", 0), condition(SIGMA_J, ">=", 0)
_LAW = "design fact F6; Gaussian-priors paper, section III"
_PURE = "design fact F8; audit row G07"


def q_function(t: Expr) -> Expr:
    """Return Q(t) = P(Z > t) = erfc(t/sqrt(2))/2 as an expression, Z standard normal.

    Example: ``q_function(sympy.Integer(0))`` is ``1/2``. Source: Gaussian-priors paper, Theorem 1.
    """
    return sympy.erfc(t / sympy.sqrt(2)) / 2


def normal_density(y: Expr = Y) -> Expr:
    """Return the density of the prior itself, N(mu, sigma**2), at y."""
    z = (y - MU) / SIGMA
    return sympy.exp(-(z**2) / 2) / (SIGMA * sympy.sqrt(2 * sympy.pi))


def release_density() -> Statement:
    """State the density of a normal prior plus Laplace noise (the normal-Laplace law), at y.

    (A + B)/(2 b), A = e**(s**2/2 - u) P(Z <= z - s), B = e**(s**2/2 + u) P(Z <= -z - s), where
    u = (y - mu)/b, z = (y - mu)/sigma, s = sigma/b. Unit: 1/unit of y. It solves
    (1 - b**2 D**2) p = `normal_density`. Conditions: sigma > 0, b > 0.
    Source: design fact F6; Reed 2006 (the normal-Laplace distribution).
    """
    right, left = _sides()
    return _law("density", "p_Y(y)", (right + left) / (2 * B))


def release_distribution() -> Statement:
    """State P(Y <= y) for a normal prior plus Laplace noise: P(Z <= z) - (A - B)/2.

    A, B and z as in `release_density`. Source: design fact F6.
    """
    right, left = _sides()
    z = (Y - MU) / SIGMA
    return _law("distribution", "F_Y(y)", q_function(-z) - (right - left) / 2)


def release_slope() -> Statement:
    """State the derivative of `release_density`: (B - A)/(2 b**2).

    Source: design fact F6.
    """
    right, left = _sides()
    return _law("slope", "p_Y'(y)", (left - right) / (2 * B**2))


def mixture_release_density(components: Iterable[Component], scale: object | None = None) -> Expr:
    """Return the density of a mixture of normal laws and atoms plus Laplace noise, in y.

    `scale` is an exact number > 0; None keeps it as the symbol b. A component of variance 0 is an
    atom. Raises InputError for a scale that is not > 0, or without components.
    Example: ``mixture_release_density(Gaussian(0, 1).components, 1)``.
    Source: design fact F6, by linearity.
    """
    b = B if scale is None else from_number(positive_scale(scale))
    parts = []
    for weight, mean, variance in components:
        centre = from_fraction(mean)
        if variance:
            law = release_density().expression.subs(
                {MU: centre, SIGMA: sympy.sqrt(from_fraction(variance)), B: b}, simultaneous=True
            )
        else:
            law = sympy.exp(-sympy.Abs(Y - centre) / b) / (2 * b)
        parts.append(from_fraction(weight) * law)
    if not parts:
        raise InputError("components: there is none, expected at least one")
    return sympy.Add(*parts)


def tau_star() -> Statement:
    """State tau* = Q**-1(delta/2) = sqrt(2) erfcinv(delta).

    Conditions: 0 < delta < 1. At delta = 0 there is no such number (audit row G08b).
    Example: ``tau_star().value(delta="1/100")`` contains 2.5758293...
    Source: Gaussian-priors paper, (20).
    """
    return _of_paper("tau", "\\tau^{*}(\\delta)", _tau(), "(20)", *_SLACK)


def tau_lambert() -> Statement:
    """State sqrt(W0(2/(pi delta**2))), which is strictly above tau*.

    Conditions: 0 < delta < 1. An upper bound only: at delta = 1/2 it is 0.98 where tau* is 0.67.
    Source: Gaussian-priors paper, (23); audit rows G09 and G35.
    """
    tau = sympy.sqrt(sympy.LambertW(2 / (sympy.pi * DELTA**2)))
    return _of_paper("tau-lambert", "\\tau_W(\\delta)", tau, "(23)", *_SLACK)


def tau_lambert_implicit() -> Statement:
    """State how far tau is inside the set of (22): tau**2 - 2 W0(tau/(sqrt(2 pi) delta)).

    The set is where this is >= 0, and its least element is the number of `tau_lambert`.
    Conditions: tau > 0, which the paper does not ask: at tau = 0 the difference is 0, so that the
    minimum as printed is 0 and no bound of tau* (audit row G34); 0 < delta < 1.
    Source: Gaussian-priors paper, (22).
    """
    inside = TAU / (sympy.sqrt(2 * sympy.pi) * DELTA)
    distance = TAU**2 - 2 * sympy.LambertW(inside)
    held = condition(TAU, ">", 0), *_SLACK
    return _of_paper("tau-lambert-implicit", "d(\\tau)", distance, "(22)", *held)


def theorem_1() -> Statement:
    """State the scale (|mu_i - mu_j| + |sigma_i - sigma_j| tau*)/epsilon of a pair of normal laws.

    Sufficient for (epsilon, delta) in both orders, not necessary (audit row G07).
    Conditions: epsilon > 0, 0 < delta < 1, standard deviations >= 0.
    Source: Gaussian-priors paper, Theorem 1, (5).
    """
    spread = sympy.Abs(SIGMA_I - SIGMA_J)
    scale = (_shift() + spread * _tau()) / EPSILON
    return _scale("theorem-1", scale, "Theorem 1, (5)", *_SLACK, *_SDS)


def theorem_1_point_masses() -> Statement:
    """State what Theorem 1 comes to for equal standard deviations: |mu_i - mu_j|/epsilon.

    Point masses are the case of standard deviations 0: the scale of differential privacy. Nothing
    of delta is left, and the scale suffices for delta = 0.
    Condition: epsilon > 0.
    Source: Gaussian-priors paper, Remark 1, (6), and section III-A; audit rows G13 and G14.
    """
    return _scale("theorem-1-point-masses", _shift() / EPSILON, "Remark 1, (6)")


def point_masses_least() -> Statement:
    """State the least scale of two point masses: |mu_i - mu_j|/(epsilon - 2 log(1 - delta)).

    Below `theorem_1_point_masses` for every delta > 0. Conditions: epsilon > 0, 0 < delta < 1.
    Source: audit row G07.
    """
    least = _shift() / (EPSILON - 2 * sympy.log(1 - DELTA))
    return _scale("point-masses-least", least, "Theorem 1, sharpened (audit row G07)", *_SLACK)


def corollary_1() -> Statement:
    """State one user's term of (9): (|mu_k| + tau* (sd with - sd without))/epsilon.

    mu_k and sigma_k belong to the user, sigma_rest to the sum of the others; the scale is the
    largest term over users. Conditions: epsilon > 0, 0 < delta < 1, standard deviations >= 0.
    Source: Gaussian-priors paper, Corollary 1(a), (9).
    """
    spread = sympy.sqrt(_REST**2 + _SIGMA_K**2) - _REST
    scale = (sympy.Abs(_MU_K) + spread * _tau()) / EPSILON
    held = *_SLACK, condition(_SIGMA_K, ">=", 0), condition(_REST, ">=", 0)
    return _scale("corollary-1", scale, "Corollary 1(a), (9)", *held, left="b_k")


def identical_users() -> Statement:
    """State (|mu| + (sqrt(K) - sqrt(K-1)) sigma tau*)/epsilon for K users of one law.

    Conditions: epsilon > 0, 0 < delta < 1, sigma > 0, K >= 1.
    Source: Gaussian-priors paper, (11).
    """
    growth = sympy.sqrt(_USERS) - sympy.sqrt(_USERS - 1)
    scale = (sympy.Abs(MU) + growth * SIGMA * _tau()) / EPSILON
    held = *_SLACK, condition(SIGMA, ">", 0), condition(_USERS, ">=", 1)
    return _scale("identical-users", scale, "(11)", *held)


def pure_tail_scale() -> Statement:
    """State the scale at which the tails of a pair of normal laws meet delta = 0.

    (m + sqrt(m**2 + 2 epsilon v))/(2 epsilon), m = |mu_i - mu_j|, v = |sigma_i**2 - sigma_j**2|:
    the root of m/b + v/(2 b**2) = epsilon. Necessary for delta = 0, and enough for the order
    of the wider law over the narrower one. Conditions: epsilon > 0, standard deviations >= 0.
    Source: design fact F8; audit row G07.
    """
    m, v = _shift(), sympy.Abs(SIGMA_I**2 - SIGMA_J**2)
    root = (m + sympy.sqrt(m**2 + 2 * EPSILON * v)) / (2 * EPSILON)
    return Statement("gaussian/pure-tail", "b", root, (_POSITIVE_EPSILON, *_SDS), _PURE)


def expected_decay() -> Statement:
    """State E e**(-|G|/b) for G ~ N(mu, sigma**2).

    With G the difference of two normal laws, mu and sigma**2 the differences of means and
    variances, e**epsilon times this is >= 1 exactly where the bound of the order of the narrower
    law over the wider one holds. Conditions: sigma > 0, b > 0. Source: design fact F8.
    """
    curve, rate, steep, centre = SIGMA**2 / (2 * B**2), MU / B, SIGMA / B, MU / SIGMA
    value = sympy.exp(curve - rate) * q_function(steep - centre) + sympy.exp(
        curve + rate
    ) * q_function(steep + centre)
    return _law("expected-decay", "E e^{-|G|/b}", value)


def _sides() -> tuple[Expr, Expr]:
    """Return A (what lies left of y, decaying to the right) and B of the normal-Laplace law."""
    u, z, s = (Y - MU) / B, (Y - MU) / SIGMA, SIGMA / B
    curve = s**2 / 2
    return (
        sympy.exp(curve - u) * q_function(s - z),
        sympy.exp(curve + u) * q_function(s + z),
    )


def _law(name: str, left: str, expression: Expr) -> Statement:
    return Statement(
        f"gaussian/{name}",
        left,
        expression,
        (condition(SIGMA, ">", 0), condition(B, ">", 0)),
        _PURE if name == "expected-decay" else _LAW,
    )


def _scale(
    name: str, expression: Expr, number: str, *held: StatementCondition, left: str = "b"
) -> Statement:
    """A scale at some epsilon > 0."""
    return _of_paper(name, left, expression, number, _POSITIVE_EPSILON, *held)


def _of_paper(
    name: str, left: str, expression: Expr, number: str, *held: StatementCondition
) -> Statement:
    source = f"Gaussian-priors paper, {number}"
    return Statement(f"gaussian/{name}", left, expression, held, source)


def _tau() -> Expr:
    return sympy.sqrt(2) * sympy.erfcinv(DELTA)


def _shift() -> Expr:
    return sympy.Abs(MU_I - MU_J)
