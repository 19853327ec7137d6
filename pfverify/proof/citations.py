"""Theorems of the literature that proofs may cite, each with the premises and what it gives.

A citation is an axiom: it is stated here once, as narrowly as the proofs need it, and its name
shows in every result that rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import exp
from sympy.core.function import UndefinedFunction

from pfverify.errors import InputError
from pfverify.proof.terms import Connective, Formula, Predicate, Total, Variable, relation

Built = tuple[list[Formula], Formula]


@dataclass(frozen=True)
class Citation:
    """A theorem: its name in results, its reference, and its formulas for symbols of a file.

    `build` returns the premises, which must be facts, and the conclusion.
    """

    words: str
    reference: str
    build: Callable[[Mapping[str, Any]], Built]


def _lindemann_weierstrass(where: Mapping[str, Any]) -> Built:
    c, r, k, other = (where[name] for name in ("c", "r", "k", "l"))
    if not (isinstance(c, UndefinedFunction) and isinstance(r, UndefinedFunction)):
        raise InputError("c and r must be functions")
    same = type(k) is type(other) is Variable and k.domain == other.domain
    if not same or k == other or not k.domain:
        raise InputError("k and l must be two indices over one domain")
    apart = Connective(
        "implies", (relation("!=", k, other), relation("!=", r(k), r(other)))
    )
    zero = relation("==", Total(c(k) * exp(r(k)), k), 0)
    premises: list[Formula] = [Predicate("rational", c(k)), Predicate("rational", r(k)), apart]
    return premises, Connective("implies", (zero, relation("==", c(k), 0)))


CITATIONS: dict[str, Citation] = {
    "Lindemann-Weierstrass": Citation(
        "Lindemann-Weierstrass",
        "A. Baker, Transcendental Number Theory (1975), Theorem 1.4: exponentials of distinct "
        "algebraic numbers are linearly independent over the algebraic numbers",
        _lindemann_weierstrass,
    ),
}
