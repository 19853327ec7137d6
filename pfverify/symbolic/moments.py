"""The moment generating function of a prior: atoms and normal laws."""

from __future__ import annotations

import sympy

from pfverify.model.priors.prior import Prior
from pfverify.symbolic.translate import Expr, from_fraction


def moments(law: Prior, s: Expr) -> Expr:
    """Return E e^(s D): of a normal law it is e^(mean s + variance s^2/2).

    Example: ``moments(Discrete({0: 1}), sympy.Symbol("s"))`` is ``1``.
    """
    return sympy.Add(*(
        from_fraction(weight)
        * sympy.exp(from_fraction(mean) * s + from_fraction(variance) * s**2 / 2)
        for weight, mean, variance in law.components
    ))  # fmt: skip
