"""Systems of independent users as statements: the law of what is released, and when it is private.

Symbols: s, the argument of a moment generating function, in one over the unit of the values;
theta > 0, the scale of Laplace noise; epsilon >= 0.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from pfverify.errors import InputError, require, shorten
from pfverify.model.priors.discrete import Discrete
from pfverify.model.systems.system import System
from pfverify.symbolic.moments import moments
from pfverify.symbolic.statement import EPSILON, THETA, Statement, condition, latex_text
from pfverify.symbolic.translate import from_fraction

S = sympy.Symbol("s", real=True)
"""Argument of a moment generating function."""

_SOURCE = "multi-user paper, (7)-(9)"


def released_law(system: System, secret: str) -> Statement:
    """State E[e^(s X) | secret], which determines the law of the released X.

    A product over the users, with one factor for each: a user who is there with chance zeta only
    adds 1 - zeta to zeta times that of the own law. For a mean, s is divided by the number of
    users. Where s does not occur (nobody is there) it is 1.
    Raises InputError for a secret that the table `user` does not name, and for several numbers.
    Example: ``released_law(system, "yes").value(s=0)`` contains 1.
    Source: multi-user paper, (7)-(9), without the factors that cancel.
    """
    if secret not in system.user:
        known = ", ".join(repr(name) for name in system.user) or "none"
        raise InputError(f"the table user has no secret {shorten(secret)!r}, it has {known}")
    if system.numbers:
        raise InputError("release: several numbers are released, expected sum or mean")
    s = S / system.size if system.release == "mean" else S
    factors = [moments(system.user[secret].law, s)]
    for one in () if system.rest == "any" else system.others:
        own = moments(one.law, s)
        if system.presence_model == "independent":
            chance = from_fraction(one.presence)
            own = chance * own + 1 - chance
        factors.append(own**one.count)
    left = f"\\mathbb{{E}}\\left[e^{{s X}} \\mid {latex_text(secret)}\\right]"
    return Statement(f"systems/law/{secret}", left, sympy.Mul(*factors), (), _SOURCE)


def present_or_absent(law: Discrete) -> Statement:
    """State E e^(|D|/theta) - e^epsilon: where it is at most 0, a user of this law is hidden.

    Hidden against absence, in both orders, whatever independent others add; where D >= 0 no
    smaller scale does. Raises InputError for a law that is no `Discrete`.
    Example: ``present_or_absent(Discrete({0: "1/2", 1: "1/2"})).value(theta="1/2", epsilon=1)``
    contains 1.476246...
    Source: multi-user paper, Theorem 3 (13); audit row M17.
    """
    require(law, Discrete, "the law")
    grown = (
        from_fraction(mass) * sympy.exp(from_fraction(abs(atom)) / THETA)
        for atom, mass in law.mass.items()
    )
    return Statement(
        "systems/present-or-absent",
        "\\mathbb{E}\\left[e^{|D|/\\theta}\\right] - e^{\\epsilon}",
        sympy.Add(*grown) - sympy.exp(EPSILON),
        (condition(THETA, ">", 0),),
        "multi-user paper, Theorem 3 (13)",
    )


def largest_value(law: Discrete) -> Statement:
    """State max |D| / epsilon, a scale that hides a user of this law against absence.

    Condition: epsilon > 0. Sufficient; for a point mass it is the least.
    Source: multi-user paper, Theorem 2 (12) and Theorem 3 (14); audit rows M13 and M18.
    """
    require(law, Discrete, "the law")
    return _over_epsilon("systems/largest-value", max(abs(atom) for atom in law.atoms), "(14)")


def two_values(first: Fraction, second: Fraction) -> Statement:
    """State |a - b| / epsilon, the scale that hides which of two values one user reports.

    Condition: epsilon > 0. The least scale, whatever finite laws the others have.
    Source: multi-user paper, Theorem 1 (10); audit row M10.
    """
    return _over_epsilon("systems/two-values", abs(first - second), "Theorem 1 (10)")


def _over_epsilon(name: str, reach: Fraction, number: str) -> Statement:
    return Statement(
        name, "\\theta", from_fraction(reach) / EPSILON, (condition(EPSILON, ">", 0),),
        f"multi-user paper, {number}",
    )  # fmt: skip
