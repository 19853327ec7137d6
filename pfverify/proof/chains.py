"""Finite chains o, o + h, ..., n, and induction along them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from pfverify.errors import InputError
from pfverify.proof.bounded import improper
from pfverify.proof.heads import AtLeastZero
from pfverify.proof.normal import same
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
    terms_of,
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
    every = type(j) is Variable and type(k) is Variable
    if not (ends and every) or j == k or len(domain) != 1 or "" in domain:
        raise InputError("a chain has two indices and two members of one domain")
    if {j, k} & free_symbols(step):  # the one of the last member could then be any
        raise InputError("the step of a chain is the same at all its members")
    next_one = Total(AtLeastZero(-sp.Abs(j - k - step)), j)
    return Connective("and", (
        relation(">", step, 0), relation("<=", first, k), relation("<=", k, last),
        Connective("implies", (relation("!=", j, k), relation(">=", sp.Abs(j - k), step))),
        Connective("implies", (relation("!=", k, last), relation(">=", next_one, 1))),
    ))  # fmt: skip


def ends_of(fact: Formula) -> tuple[IndexConstant, Term]:
    """Return the first member and the step of the chain that a fact is about.

    Raises InputError for a fact that does not say that a domain is a chain.
    """
    parts = fact.parts if isinstance(fact, Connective) else ()
    if len(parts) == 5 and isinstance(parts[3], Connective):
        found = [side for part in (*parts[:3], parts[3].parts[0]) if isinstance(part, Relation)
                 for side in (part.left, part.right)]  # fmt: skip
        if len(found) == 8:
            _, step, first, k, _, last, j, _ = found
            if fact == chain_formula(j, k, first, last, step):
                return first, step
    raise InputError("the fact does not say that a domain is a chain")


@dataclass(frozen=True)
class Induction(Rule):
    """
    X is the chain o, o + h, ..., n     F(o)     j in X, j != o, F(j - h) |- F(j)
    ------------------------------------------------------------------------------
    F(x) for every x in X

    `chain` and `base` are facts. `steps` derive F(j) from the facts, "before" (F(j - h), for all
    values of its other variables) and "not first" (j != o), for a `member` j that is in no fact;
    what they show holds for this j only, so it is not kept.
    """

    chain: str
    base: str
    over: Variable
    formula: Formula
    variable: Variable
    member: IndexConstant
    steps: tuple[Any, ...]  # of claim.Step

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        j, u = self.member, self.variable
        try:
            first, step = ends_of(context.fact(self.chain))
        except InputError as error:
            raise StepFails(f"{self.chain!r}: {error}") from None
        for symbol, kind in ((self.over, Variable), (j, IndexConstant)):
            if type(symbol) is not kind or symbol.domain != first.domain:
                raise StepFails(f"{symbol} does not run over this chain, or is no {kind.__name__}")
        if not isinstance(u, Variable) or u.domain or self.over in free_symbols(self.formula):
            raise StepFails(f"the formula must be given in a real variable, without {self.over}")
        known = {s.name for f in (*context.facts.values(), self.formula) for s in free_symbols(f)}
        if j.name in known:
            raise StepFails(f"{j} is in a fact or in the formula: it is to be any member")

        def at(value: Term) -> Formula:
            put: Formula = substituted(self.formula, {u: value})
            return put

        if formula != at(self.over):
            raise StepFails(f"the induction shows {at(self.over)}")
        if not same(context.fact(self.base), at(first)):
            raise StepFails(f"the base must be {at(first)}")
        given = {"before": at(j - step), "not first": relation("!=", j, first)}
        if taken := {*given} & {*context.facts}:
            raise StepFails(f"the name {min(taken)!r} is used twice")
        if context.prove is None:
            raise StepFails("steps cannot be checked here")
        # F(j - h) and F(j) are cases of the formula, whose integrals have been shown to exist
        areas = {a for f in (*given.values(), at(j)) for t in terms_of(f) for a in improper(t)}
        inner = replace(context, facts={**context.facts, **given}, data=None,
                        finite=context.finite | areas, lines=[])  # fmt: skip
        context.prove(self.steps, at(j), inner)
        context.lines.extend(f"at {j}: {line}" for line in inner.lines)

    @property
    def inner(self) -> Sequence[Any]:
        """The steps from one member to the next."""
        return self.steps

    def with_inner(self, steps: Sequence[Any]) -> Rule:
        """Return the rule with other steps from one member to the next."""
        return replace(self, steps=tuple(steps))
