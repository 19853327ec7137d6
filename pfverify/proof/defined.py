"""Where a formula makes sense: its denominators are not 0, its logarithms and roots have arguments.

Standard deviations are > 0. The normal form cancels u/u, so a formula may be used only where its
denominators are shown not to vanish, from the hypotheses and from what stands before it in the same
formula. Formulas may be as they are written, not simplified: the conditions then are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from pfverify.proof.arithmetic import EFFORT, refutation_of
from pfverify.proof.heads import head_of
from pfverify.proof.normal import normal
from pfverify.proof.poly import Poly
from pfverify.proof.terms import (
    Binder,
    Connective,
    Formula,
    Predicate,
    Relation,
    free_symbols,
    is_positive,
    mapped,
    relation,
    simplified,
    terms_of,
)

Shown = set[tuple[Formula, ...]]


def undefined_part(
    formula: Formula, facts: Sequence[Formula], shown: Shown, guards: Sequence[Formula] = ()
) -> str:
    """Return a condition that the formula needs and that is not shown, "" if there is none.

    `shown` collects the conditions that follow from the facts, each with the guards it needs.
    """
    if isinstance(formula, Relation | Predicate):
        for condition, bound in (c for term in terms_of(formula) for c in _conditions(term)):
            fit = _fitting(guards, bound)
            if {(condition,), (condition, *fit)} & shown or _obvious(condition):
                continue
            if _follows(condition, facts):
                shown.add((condition,))
            elif fit and _follows(condition, [*facts, *fit]):
                shown.add((condition, *fit))
            else:
                return str(condition)
    elif isinstance(formula, Connective):
        before = list(guards)
        for part in formula.parts:
            if missing := undefined_part(part, facts, shown, before):
                return missing
            known = mapped(part, simplified)
            before.append(Connective("not", (known,)) if formula.op == "or" else known)
    return ""


def unshown(
    term: Any, facts: Sequence[Formula], guards: Sequence[Formula] = ()
) -> list[tuple[Relation, frozenset[Any]]]:
    """Return the conditions that a term needs to have a value and that are not shown.

    With each condition come the bound variables that it is under: it is needed for all of them.
    """
    return [
        (c, bound)
        for c, bound in _conditions(term)
        if not _obvious(c) and not _follows(c, [*facts, *_fitting(guards, bound)])
    ]


def _fitting(guards: Sequence[Formula], bound: frozenset[Any]) -> list[Formula]:
    """The guards without those about a free variable that is written like a bound one.

    (A fact holds for all values of its variables, a guard for one.)
    """
    return [g for g in guards if not bound & free_symbols(g)]


def _follows(condition: Relation, facts: Sequence[Formula]) -> bool:
    return any(  # most conditions need no facts, and these can slow the solver down a lot
        refutation_of(known, condition, effort=EFFORT // 10) == "unsat"
        for known in ([], facts)[: 1 + bool(facts)]
    )


def _conditions(
    term: Any, bound: frozenset[Any] = frozenset()
) -> Iterator[tuple[Relation, frozenset[Any]]]:
    """The conditions of a term, each with the bound variables in it."""
    for needed in _own_condition(term):
        condition = relation(needed.op, simplified(needed.left), simplified(needed.right))
        yield condition, bound & free_symbols(needed)
    if isinstance(term, Binder):
        body, variable, *ends = term.args
        yield from _conditions(body, bound | {variable})
        for end in ends:
            yield from _conditions(end, bound)
    else:
        for part in term.args:
            yield from _conditions(part, bound)


def _own_condition(term: Any) -> Iterator[Relation]:
    head = head_of(term)
    if head is not None:
        if head.domain is not None:
            yield head.domain(term.args[0])
    elif term.is_Pow:
        base, exponent = term.args
        if base is sp.E:
            return
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
        c > 0
        and all(
            key[0] in ("pi", "cdf") or (key[0] == "sym" and is_positive(key[1]))
            for key, _ in powers
        )
        for (powers, _), c in poly.items()
    )
