"""Rules about integrals and means: what has a value, and which one.

An integral with an infinite end is a limit, and one of an integrand that nothing bounds may not
exist: these may stand in a formula only after a step has shown that they exist; `values` names what
a rule shows. Functions are taken to be measurable.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from pfverify.proof.arithmetic import refutation_of
from pfverify.proof.bounded import improper, may_be_unbounded
from pfverify.proof.calculus import derived, is_smooth, limit
from pfverify.proof.means import mean_key
from pfverify.proof.normal import cleared, equal, normal
from pfverify.proof.poly import Poly, add
from pfverify.proof.rules import Context, Rule, StepFails, Use, inside_fact, need
from pfverify.proof.terms import (
    INFINITE,
    Area,
    Formula,
    Mean,
    Relation,
    Term,
    between,
    free_symbols,
    is_infinite,
    relation,
    substituted,
)

MINUS = Fraction(-1)


def _equation(formula: Formula) -> tuple[Area, Term]:
    if not (
        isinstance(formula, Relation) and formula.op == "=" and isinstance(formula.left, Area)
    ):
        raise StepFails("the formula must be: an integral = a value")
    return formula.left, formula.right


@dataclass(frozen=True)
class Antiderivative(Rule):
    """
    F' = f     F made of powers of v, exponentials and normal_cdf only: smooth for every v
    --------------------------------------------------------------------------------------- calculus
    integral of f dv from a to b  =  F(b) - F(a)

    At an infinite end F must have a limit that can be shown (see `calculus.limit`): the signs of
    rates that it needs follow from the facts in `using`.
    """

    antiderivative: Term
    using: tuple[str | Use, ...] = ()

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        area, value = _equation(formula)
        body, v, low, high = area.args
        f = self.antiderivative
        poly = normal(f)
        if not is_smooth(poly, v):
            raise StepFails(
                "the antiderivative must be powers, exponentials and normal_cdf of v only"
            )
        context.require_defined(f)
        if not equal(derived(f, v), body):
            raise StepFails("the derivative of the antiderivative is not the integrand")
        ends = add(self._at(poly, v, high, context), self._at(poly, v, low, context), MINUS)
        if cleared(add(ends, normal(value), MINUS)):
            raise StepFails("the integral is F(b) - F(a), which is something else")

    def _at(self, poly: Poly, v: Any, end: Term, context: Context) -> Poly:
        if end not in INFINITE:
            return normal(substituted(self.antiderivative, {v: end}))
        facts = context.all(self.using)
        return limit(poly, v, end == sp.oo, lambda r: refutation_of(facts, r) == "unsat")

    def values(self, formula: Formula) -> set[Any]:
        """The integral has a value."""
        return {_equation(formula)[0]}


@dataclass(frozen=True)
class SplitIntegral(Rule):
    """
    integral of f from a to b exists, or both parts do     c a number
    --------------------------------------------------------------------------
    integral of f from a to b  =  integral from a to c + integral from c to b

    (an integral from -oo to oo is two limits, each of which must exist). An f that nothing bounds
    needs both parts, unless a <= c <= b follows from the facts in `using`.
    """

    at: Term
    using: tuple[str | Use, ...] = ()
    name = "split_integral"

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        area, value = _equation(formula)
        if is_infinite(self.at) or area.args[1] in free_symbols(self.at):
            raise StepFails("an integral is split at a number")
        context.require_defined(self.at)
        parts = self._parts(area)
        bounded = not may_be_unbounded(area)
        if area not in context.finite or not (bounded or self._inside(area, context)):
            context.require_values(*parts)
        _require_equal(value, parts[0] + parts[1], "the parts add up to something else")

    def _inside(self, area: Area, context: Context) -> bool:
        low, high = area.args[2:]
        if low is sp.oo or high == -sp.oo:
            return False
        facts, within = context.all(self.using), between(low, self.at, high)
        return all(refutation_of(facts, r) == "unsat" for r in within)

    def values(self, formula: Formula) -> set[Any]:
        """The whole and its parts have values."""
        area, _ = _equation(formula)
        return {area, *self._parts(area)}

    def _parts(self, area: Area) -> tuple[Area, Area]:
        body, v, low, high = area.args
        return Area(body, v, low, self.at), Area(body, v, self.at, high)


@dataclass(frozen=True)
class ChangeVariable(Rule):
    """
    v = c u + d     c > 0
    ---------------------------------------------------------------------------------
    integral of f(v) dv from c a + d to c b + d  =  integral of c f(c u + d) du from a to b

    One of the two must exist; where that is not evident, it must have been shown.
    """

    factor: Term
    shift: Term
    using: tuple[str | Use, ...] = ()
    name = "change_variable"

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        left, right = _equation(formula)
        if not isinstance(right, Area):
            raise StepFails("the formula must be: an integral = an integral")
        (f, v, *ends), (g, u, *new_ends) = left.args, right.args
        c, d = self.factor, self.shift
        if {u, v} & (free_symbols(c) | free_symbols(d)) or u in free_symbols(left):
            raise StepFails("a variable of integration is used for something else")
        context.require_defined(c)
        context.require_defined(d)
        need(context.all(self.using), relation(">", c, 0), "the factor is not shown to be > 0")
        for end, new_end in zip(ends, new_ends, strict=True):
            if end in INFINITE or new_end in INFINITE:
                if end != new_end:
                    raise StepFails("the ends do not belong together")
            else:
                _require_equal(end, c * new_end + d, "the ends do not belong together")
        _require_equal(g, c * substituted(f, {v: c * u + d}), "the integrands do not fit")
        both = {left, right}
        if both <= improper(left) | improper(right) and not both & context.finite:
            raise StepFails("no step has shown that one of the integrals has a value")

    def values(self, formula: Formula) -> set[Any]:
        """Both have a value where one has."""
        return {side for side in _equation(formula) if isinstance(side, Area)}


@dataclass(frozen=True)
class Dominated(Rule):
    """
    |f(v)| <= g(v) for every v between the ends     the integral of g exists
    -------------------------------------------------------------------------
    |integral of f|  <=  integral of g     (and the integral of f exists)

    The same for means over draws in place of v.
    """

    fact: str | Use
    using: tuple[str | Use, ...] = ()

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        small, large = self._sides(formula)
        if isinstance(small, Area):
            (f, v, low, high), (g, *others) = small.args, large.args
            guard, inner = inside_fact(context, self.fact, v, low, high, self.using)
            same = others == [v, low, high]
        else:
            (f, draws), (g, others) = _peeled(small), _peeled(large)
            guard, inner, same = None, context.fact(self.fact), draws == others
        if not same:
            raise StepFails("both sides must be over the same variables and ends")
        if guard is not None or not isinstance(inner, Relation) or inner.op not in ("<=", "<"):
            raise StepFails("the fact must be: |f| <= g, between the ends")
        _require_equal(abs(f), inner.left, "the fact bounds something else")
        _require_equal(g, inner.right, "the fact gives another bound")
        context.require_values(large)

    def _sides(self, formula: Formula) -> tuple[Term, Term]:
        if isinstance(formula, Relation) and formula.op == "<=":
            left = formula.left.args[0] if isinstance(formula.left, sp.Abs) else None
            for kind in (Area, Mean):
                if isinstance(left, kind) and isinstance(formula.right, kind):
                    return left, formula.right
        raise StepFails("the formula must be: |an integral (mean)| <= an integral (mean)")

    def values(self, formula: Formula) -> set[Any]:
        """The bounded integral (mean) has a value."""
        return {_key(self._sides(formula)[0])}


@dataclass(frozen=True)
class Tonelli(Rule):
    """
    0 <= f(v, x) for every v between the ends, every x     one of the two sides exists
    ------------------------------------------------------------------------------------
    integral over v of the mean over x of f  =  mean over x of the integral over v of f
    """

    fact: str | Use
    using: tuple[str | Use, ...] = ()

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        area, mean = self._sides(formula)
        inside, v, low, high = area.args
        guard, inner = inside_fact(context, self.fact, v, low, high, self.using)
        f, draws = _peeled(inside)
        part = Area(f, v, low, high)
        if _peeled(mean) != (part, draws):
            raise StepFails("the two sides must be of one term, over the same variables and ends")
        if {*draws} & (free_symbols(low) | free_symbols(high)):
            raise StepFails("the ends depend on a draw")
        if guard is not None or not isinstance(inner, Relation) or inner.op not in ("<=", "<"):
            raise StepFails("the fact must be: 0 <= f, between the ends")
        _require_equal(f, inner.right - inner.left, "the fact is about another term")
        context.require_values(inside, part)
        if area not in context.finite and _key(mean) not in context.finite:
            raise StepFails("no step has shown that one of the two sides has a value")

    def _sides(self, formula: Formula) -> tuple[Area, Term]:
        area, mean = _equation(formula)
        if not isinstance(mean, Mean):
            raise StepFails("the formula must be: an integral of a mean = a mean of an integral")
        return area, mean

    def values(self, formula: Formula) -> set[Any]:
        """Both sides have values."""
        return {_key(side) for side in self._sides(formula)}


def _peeled(term: Term) -> tuple[Term, list[Any]]:
    """A mean as the term that it is of, and the draws that it is over."""
    draws = []
    while isinstance(term, Mean):
        term, draw = term.args
        draws.append(draw)
    return term, draws


def _key(term: Term) -> Any:
    """What `Context.finite` holds of an integral, or of a mean, that has a value."""
    return mean_key(term) if isinstance(term, Mean) else term


def _require_equal(a: Term, b: Term, why: str) -> None:
    if not equal(a, b):
        raise StepFails(why)
