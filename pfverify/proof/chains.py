"""Finite chains o, o + h, ..., n, and sums along them that collapse."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from pfverify.errors import InputError
from pfverify.proof.heads import AtLeastZero
from pfverify.proof.normal import cleared, normal
from pfverify.proof.poly import TooLarge
from pfverify.proof.rules import Context, Rule, StepFails
from pfverify.proof.terms import (
    Connective,
    Formula,
    IndexConstant,
    Relation,
    Term,
    Total,
    Variable,
    free_symbols,
    relation,
    substituted,
)


def chain_formula(
    j: Variable, k: Variable, first: IndexConstant, last: IndexConstant, step: Term
) -> Formula:
    """Return what makes a finite set of numbers {first, first + step, ..., last}, step > 0.

    Its members are between the ends and at least `step` apart, and each but the last has a next
    one: from the first on, as the set is finite, the nexts end at the last, and no other member
    fits between them.
    """
    domain = {s.domain for s in (j, k, first, last)}
    ends = isinstance(first, IndexConstant) and isinstance(last, IndexConstant)
    every = isinstance(j, Variable) and isinstance(k, Variable)
    if not (ends and every) or j == k or len(domain) != 1 or "" in domain:
        raise InputError("a chain has two indices and two members of one domain")
    next_one = Total(AtLeastZero(-sp.Abs(j - k - step)), j)
    return Connective("and", (
        relation(">", step, 0), relation("<=", first, k), relation("<=", k, last),
        Connective("implies", (relation("!=", j, k), relation(">=", sp.Abs(j - k), step))),
        Connective("implies", (relation("!=", k, last), relation(">=", next_one, 1))),
    ))  # fmt: skip


@dataclass(frozen=True)
class Telescope(Rule):
    """
    i runs over the chain o, o + h, ..., n     T(u) has a value for every u, i is not in T
    ---------------------------------------------------------------------------------------
    sum over i of T(i) - T(i - h)  =  T(n) - T(o - h)

    `chain` is the fact about the chain, in the two `indices` that it is written with.
    """

    chain: str
    over: Variable
    indices: tuple[Variable, Variable]
    ends: tuple[IndexConstant, IndexConstant]
    step: Term
    term: Term
    variable: Variable

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        (j, k), (first, last) = self.indices, self.ends
        try:
            if context.fact(self.chain) != chain_formula(j, k, first, last, self.step):
                raise StepFails(f"{self.chain!r} does not say that this is a chain")
        except InputError as error:
            raise StepFails(str(error)) from None
        i, u = self.over, self.variable
        if not isinstance(i, Variable) or i.domain != first.domain:
            raise StepFails(f"{i} does not run over this chain")
        if not isinstance(u, Variable) or u.domain:
            raise StepFails("the term must be given for every real number")
        if i in free_symbols(self.term) | free_symbols(self.step) or u in free_symbols(self.step):
            raise StepFails(f"the term may depend on {i} only by {u}, and the step on neither")
        context.require_defined(self.term)
        context.require_values(self.term)
        if not isinstance(formula, Relation) or formula.op != "=":
            raise StepFails("the formula must be an equation")

        def at(value: Term) -> Term:
            return substituted(self.term, {u: value})

        try:
            whole = Total(at(i) - at(i - self.step), i)
            value = at(last) - at(first - self.step)
            if cleared(normal(whole - value - formula.left + formula.right)):
                raise StepFails(f"the sum says {whole} = {value}, which is something else")
        except (TooLarge, TypeError, ValueError) as error:
            raise StepFails(str(error)) from None
