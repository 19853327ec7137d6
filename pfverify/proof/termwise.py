"""A relation of sums or means that holds term by term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from pfverify.errors import InputError
from pfverify.proof.claim import Step
from pfverify.proof.rules import Context, Rule, StepFails, Summed, guarded
from pfverify.proof.terms import (
    Connective,
    Formula,
    Relation,
    Term,
    Total,
    Variable,
)

TERM = "each term"


@dataclass(frozen=True)
class Termwise(Rule):
    """
    L(x) <= R(x) for every x, by the rule `by`     w(x) >= 0 for every x
    ---------------------------------------------------------------------
    sum over x of w L  <=  sum over x of w R

    The relation of the terms is read off the formula and shown by `by`; `integrate` then checks
    that summing it gives the formula. `term` is that step.
    """

    by: Rule
    over: tuple[Variable, ...]
    weight: Term = sp.S.One
    term: Step | None = None

    def concluding(self, formula: Formula) -> Termwise:
        """Return the rule with the step about the terms of its formula.

        Raises InputError where that is no relation.
        """
        guard, inner = guarded(formula)
        if not isinstance(inner, Relation):
            raise InputError("termwise: expected a relation of sums (a guard may stand before it)")
        of_terms: Formula = replace(inner, left=self._inside(inner.left),
                                    right=self._inside(inner.right))  # fmt: skip
        if guard is not None:
            of_terms = Connective("implies", (guard, of_terms))
        by = self.by.concluding(of_terms) if isinstance(self.by, Termwise) else self.by
        return replace(self, term=Step(TERM, of_terms, by))

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        term = self.concluding(formula).term
        if context.prove is None or term is None:
            raise StepFails("steps cannot be checked here")
        if TERM in context.facts:
            raise StepFails(f"the name {TERM!r} is used twice")
        inner = replace(context, facts=dict(context.facts), finite=set(context.finite))
        context.prove([term], term.formula, inner)
        Summed(TERM, self.over, self.weight).check(formula, inner)

    def _inside(self, side: Term) -> Term:
        """The term whose weighted sum a side is, if it is one."""
        bare = _without_sums(side, {*self.over})
        return sp.Add(*(part / self.weight for part in sp.Add.make_args(bare)))

    @property
    def inner(self) -> Sequence[Step]:
        """The step about the terms."""
        return [] if self.term is None else [self.term]

    def with_inner(self, steps: Sequence[Step]) -> Rule:
        """Return the rule with the rule of another step for the terms."""
        term = replace(steps[0], written=None)  # it is read off the sum, where it is written
        return replace(self, by=term.rule, term=term)


def _without_sums(side: Term, over: set[Any]) -> Term:
    """A side without its sums over some indices; nothing is multiplied out."""
    if isinstance(side, Total) and side.args[1] in over:
        return _without_sums(side.args[0], over - {side.args[1]})
    if isinstance(side, sp.Add | sp.Mul | Total) and not over & side.free_symbols:
        body = [_without_sums(part, over) for part in side.args]
        return side.func(*body)
    return side
