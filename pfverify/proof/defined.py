"""Where a formula makes sense: its denominators are not 0, its logarithms and roots have arguments.

The normal form cancels u/u, so a formula may be used only where its denominators are shown not to
vanish, from the hypotheses and from what stands before it in the same formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from pfverify.proof.arithmetic import EFFORT, refutation_of
from pfverify.proof.normal import Poly, normal
from pfverify.proof.terms import Connective, Formula, Relation, is_positive, relation


def undefined_part(
    formula: Formula, facts: Sequence[Formula], shown: set[Relation], guards: Sequence[Formula] = ()
) -> str:
    """Return a condition that the formula needs and that is not shown, "" if there is none.

    `shown` collects the conditions that follow from the facts alone.
    """
    if isinstance(formula, Relation):
        for condition in (*_conditions(formula.left), *_conditions(formula.right)):
            if condition in shown or _obvious(condition):
                continue
            if _follows(condition, facts):
                shown.add(condition)
            elif not (guards and _follows(condition, [*facts, *guards])):
                return str(condition)
    elif isinstance(formula, Connective):
        before = list(guards)
        for part in formula.parts:
            if missing := undefined_part(part, facts, shown, before):
                return missing
            before.append(Connective("not", (part,)) if formula.op == "or" else part)
    return ""


def _follows(condition: Relation, facts: Sequence[Formula]) -> bool:
    return refutation_of(facts, condition, effort=EFFORT // 10)[0] == "unsat"


def _conditions(term: Any) -> Iterator[Relation]:
    for part in sp.preorder_traversal(term):
        if isinstance(part, sp.log):
            yield relation(">", part.args[0], 0)
        elif part.is_Pow and not isinstance(part, sp.exp):
            base, exponent = part.args
            if base is sp.E:
                continue
            if not exponent.is_Rational:
                yield relation(">", base, 0)
            elif not exponent.is_Integer:
                yield relation("<=" if exponent > 0 else "<", 0, base)
            elif exponent < 0:
                yield relation("!=", base, 0)


def _obvious(condition: Relation) -> bool:
    """u > 0, u >= 0 or u != 0 for a sum of products of positive numbers and exponentials."""
    term = condition.left if condition.op == "!=" else condition.right
    other = condition.right if condition.op == "!=" else condition.left
    return bool(other.is_zero) and _positive(normal(term))


def _positive(poly: Poly) -> bool:
    return bool(poly) and all(
        c > 0 and all(key[0] == "sym" and is_positive(key[1]) for key, _ in powers)
        for (powers, _), c in poly.items()
    )
