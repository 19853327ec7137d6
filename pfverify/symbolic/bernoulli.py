"""Closed forms of the Laplace scale for two-point priors: the published ones, and the least one.

Symbols: p and q, probabilities of the upper point; h > 0, the distance of the two points;
epsilon > 0. Every scale has the unit of h. Independent finite priors that both secrets share may
be added: the forms do not change.
"""

from __future__ import annotations

import sympy

from pfverify.symbolic.statement import EPSILON, Statement, StatementCondition, chance, condition
from pfverify.symbolic.translate import Expr

P = sympy.Symbol("p", real=True)
"""Probability of the upper point under the first secret."""
Q = sympy.Symbol("q", real=True)
"""Probability of the upper point under the second secret."""
H = sympy.Symbol("h", real=True)
"""Distance between the two points, in the unit of the atoms."""
A = sympy.Symbol("a", real=True)
"""What one user reports, in the unit of the atoms."""

_GROWN = sympy.exp(EPSILON)
_KEPT = (_GROWN - 1) * sympy.Min(P, Q, 1 - P, 1 - Q)
_POSITIVE_EPSILON = condition(EPSILON, ">", 0)


def fixed_report() -> Statement:
    """State the scale that hides whether a user who would report `a` takes part: |a|/epsilon.

    Conditions: epsilon > 0, a != 0 (at a = 0 there is nothing to hide). The least scale.
    Source: multi-user paper, Theorem 2 (12); audit row M13.
    """
    held = _POSITIVE_EPSILON, condition(A, "!=", 0)
    return _scale("fixed-report", sympy.Abs(A) / EPSILON, held, "Theorem 2 (12)")


def present_or_absent() -> Statement:
    """State the scale that hides whether a Bernoulli(p) user takes part, atoms 0 and 1.

    Conditions: 0 < p <= 1, epsilon > 0. The least scale; 1/epsilon at p = 1.
    Source: multi-user paper, (15); audit row M23.
    """
    held = _POSITIVE_EPSILON, condition(P, ">", 0), condition(P, "<=", 1)
    return _scale("present-or-absent", 1 / sympy.log((_GROWN - (1 - P)) / P), held, "(15)")


def any_two() -> Statement:
    """State the scale that suffices for every two Bernoulli users, atoms 0 and 1: 1/epsilon.

    Condition: epsilon > 0. Sufficient, and the least only for point masses (p = 0, q = 1).
    Source: multi-user paper, Lemma 5 (18); audit row M28.
    """
    return _scale("any-two", 1 / EPSILON, (_POSITIVE_EPSILON,), "Lemma 5 (18)")


def relaxed_two() -> Statement:
    """State what Lemma 6 comes to for a finite rest: 1/log((E max(p,q) - min(p,q)) / |p-q|).

    E = e**epsilon, atoms 0 and 1. Conditions: p and q in [0, 1], p != q, epsilon > 0. The supremum
    in (21) runs over all outputs of the rest, and past its largest one the ratio of probabilities
    in psi is 0: so nothing about the rest is left. Sufficient.
    Source: multi-user paper, Lemma 6 (21); audit rows M32 and M37.
    """
    low, high = sympy.Min(P, Q), sympy.Max(P, Q)
    scale = 1 / sympy.log((_GROWN * high - low) / sympy.Abs(P - Q))
    held = *_two_point_conditions(), condition(P, "!=", Q)
    return _scale("relaxed-two", scale, held, "Lemma 6 (21), for a finite rest")


def prior_divergence() -> Statement:
    """State d: by how much the two priors themselves miss epsilon, in the worse order.

    d = |p-q| - (e**epsilon - 1) min(p, q, 1-p, 1-q): the largest P(X in B | s) -
    e**epsilon P(X in B | s') over the one-point events B and both orders. Where it is > 0 it is
    the hockey-stick divergence of the priors; elsewhere they need no noise.
    Conditions: p and q in [0, 1], epsilon > 0.
    Source: hockey-stick divergence (Balle, Barthe, Gaboardi 2018) of two-point priors.
    """
    return Statement(
        "bernoulli/prior-divergence",
        "d",
        _divergence(),
        _two_point_conditions(),
        "hockey-stick divergence of two-point priors",
    )


def least_scale() -> Statement:
    """State the least scale for two priors on two points at distance h.

    With d the `prior_divergence`: h / log(1 + (e**epsilon - 1)/d) where d > 0, else 0 (the priors
    need no noise). Necessary and sufficient at delta = 0, for every finite independent rest.
    Conditions: p and q in [0, 1], h > 0, epsilon > 0.

    For p < q this is the minimum in audit row M28: with E = e**epsilon, both of its bounds on
    e**(h/scale) are 1 + (E - 1)/denominator, so the larger denominator gives the minimum; it is
    the first one exactly where p + q >= 1.
    Example: ``least_scale().value(p="1/5", q="9/10", h=1, epsilon=1)`` contains 0.69075731...
    Source: multi-user paper, Lemma 5, sharpened; audit row M28; design facts F1 and F3.
    """
    scale = H / sympy.log(1 + (_GROWN - 1) / _divergence())
    needs_noise = sympy.StrictGreaterThan(sympy.Abs(P - Q), _KEPT, evaluate=False)
    least = sympy.Piecewise((scale, needs_noise), (0, sympy.true), evaluate=False)
    held = *_two_point_conditions(), condition(H, ">", 0)
    return _scale("least-scale", least, held, "Lemma 5, sharpened (audit row M28)")


def _scale(
    name: str, expression: Expr, held: tuple[StatementCondition, ...], number: str
) -> Statement:
    source = f"multi-user paper, {number}"
    return Statement(f"bernoulli/{name}", "\\theta", expression, held, source)


def _two_point_conditions() -> tuple[StatementCondition, ...]:
    return _POSITIVE_EPSILON, *chance(P), *chance(Q)


def _divergence() -> Expr:
    return sympy.Abs(P - Q) - _KEPT
