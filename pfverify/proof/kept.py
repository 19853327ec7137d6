"""Names that a proof file gives to terms, kept on its page: F(x - 1) instead of a long sum.

Where a formula of a page would leave it, the terms that the file names are shown by these names,
wherever they stand with values that `at` or `difference` put into them when the file was read, and
what the names stand for is shown once. Nothing else changes: `KeptNames.expanded` gives the formula
that is checked, but for names of bound symbols, and a formula for which it does not is left as it
is.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from pfverify.errors import InputError
from pfverify.proof.alike import TAKEN
from pfverify.proof.claim import Claim
from pfverify.proof.loader import ProofFile
from pfverify.proof.mathml import term_markup, width
from pfverify.proof.notation import Sign, sign_of_name
from pfverify.proof.paper_notation import kinds_of, symbols_of
from pfverify.proof.terms import (
    Binder,
    Constant,
    Formula,
    Relation,
    Term,
    Variable,
    as_term,
    mapped,
    pieces_of,
    real_function,
    substituted,
)

_SHORT = 14  # a term of fewer characters is shown as it is, unless it sums or integrates
_INSTANCES = 200  # of one definition, at most


@dataclass(frozen=True)
class NamedTerm:
    """A term that a file gives a name, and the variables on which it depends, in order."""

    name: str
    parameters: tuple[Variable, ...]
    term: Term

    def at(self, values: Sequence[Term]) -> Term:
        """Return the name with arguments."""
        return real_function(self.name)(*values) if values else Constant(self.name)


class KeptNames:
    """The names of a file that are worth keeping, and formulas in which they are kept."""

    def __init__(self, file: ProofFile, text: str) -> None:
        """Find the terms that the file of this text names, and where it puts values into them."""
        self.named: list[NamedTerm] = []
        self._instances: dict[Term, list[Term]] = {}  # how terms, as `_key` gives them, are named
        symbols, taken = symbols_of(file.claim), _signs(file.claim)
        values = _values(file, text)
        for name, term in file.names.items():
            if not isinstance(term, sp.Expr) or term.is_Symbol or term.is_number:
                continue
            sign = sign_of_name(name, symbols)
            if sign in taken or {name, sign.text} & TAKEN:
                continue
            if term.has(Binder) or width(term_markup(term, symbols)) >= _SHORT:
                self._add(name, term, values)

    def _add(self, name: str, term: Term, values: Mapping[Any, Sequence[Term]]) -> None:
        free = (s for s in term.free_symbols if isinstance(s, Variable))
        one = NamedTerm(name, tuple(sorted(free, key=lambda s: s.name)), term)
        if any(all(a.is_Symbol for a in short.args) for short in self._of(term)):
            return  # another name for what has one
        self.named.append(one)
        choices = [[p, *values.get(p, ())] for p in one.parameters]
        if math.prod(map(len, choices)) > _INSTANCES:
            choices = [[p] for p in one.parameters]
        for chosen in product(*choices):
            try:
                instance = substituted(term, dict(zip(one.parameters, chosen, strict=True)))
            except (InputError, ValueError):  # it has no value there, or another domain
                continue
            self._of(instance).append(one.at(chosen))

    def _of(self, term: Term) -> list[Term]:
        return self._instances.setdefault(_key(term), [])

    def folded(self, formula: Formula) -> Formula:
        """Return the formula with names for the terms that have one."""
        return mapped(formula, lambda term: self._folded(term, self.named))

    def expanded(self, formula: Formula) -> Formula:
        """Return the formula with the terms that names stand for."""
        return mapped(formula, self._expanded)

    def used(self, formulas: Sequence[Formula]) -> list[Formula]:
        """Return what the names in formulas stand for, and those in what they stand for.

        Each is an equation, in the file's order: a name is given by names before it.
        """
        found: list[Formula] = []
        seen = {name for formula in formulas for name in _names(formula)}
        for k, one in reversed([*enumerate(self.named)]):
            if one.name in seen:
                term = self._folded(one.term, self.named[:k])
                found.append(Relation("=", one.at(one.parameters), term))
                seen |= _names(found[-1])
        return found[::-1]

    def _folded(self, term: Term, named: Sequence[NamedTerm]) -> Term:
        usable = {one.name for one in named}
        table = {
            key: last
            for key, shorts in self._instances.items()
            if (last := next((s for s in reversed(shorts) if str(_name(s)) in usable), None))
        }
        short = _short(term, table)
        return short if same(self._expanded(short), term) else term

    def _expanded(self, term: Term) -> Term:
        for one in self.named:
            if _name(term) == one.name:
                return substituted(one.term, dict(zip(one.parameters, term.args, strict=True)))
        return term.func(*map(self._expanded, term.args)) if term.args else term


def same(first: Term, second: Term) -> bool:
    """Say whether two terms are the same but for the names of bound symbols."""
    return bool(_key(first) == _key(second))


def _values(file: ProofFile, text: str) -> dict[Any, list[Term]]:
    """What `at` and `difference` put for symbols, anywhere in a file and its settings."""
    found: dict[Any, list[Term]] = {}
    for node in (n for one in (*file.settings.values(), text) for n in ast.walk(ast.parse(one))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        given = [file.expression(ast.unparse(arg)) for arg in node.args[1:]
                 if node.func.id in ("at", "difference")]  # fmt: skip
        if node.func.id == "at" and given:
            put = [*given[0].items()]
        elif node.func.id == "difference" and given[1:]:
            symbol, value, *step = given
            put = [(symbol, value), (symbol, value - (step[0] if step else 1))]
        else:
            continue
        for symbol, value in put:
            found.setdefault(symbol, []).append(as_term(value))
    return {symbol: [*dict.fromkeys(terms)] for symbol, terms in found.items()}


def _signs(claim: Claim) -> set[Sign]:
    """How the symbols of a claim look, and its sets and laws."""
    kinds, sets = kinds_of(claim)
    symbols = symbols_of(claim)
    return {sign_of_name(name, symbols) for name in kinds} | {sign_of_name(s, {}) for s in sets}


def _name(term: Term) -> str:
    """The name of a symbol or of an applied function, "" for any other term."""
    if isinstance(term, AppliedUndef):
        return str(term.func.__name__)
    return str(term.name) if term.is_Symbol else ""


def _names(formula: Formula) -> set[str]:
    return {_name(piece) for piece in pieces_of(formula)}


@lru_cache(50_000)
def _key(term: Term) -> Term:
    """The term with names for bound symbols that say only how many are bound inside."""
    if not term.args:
        return term
    if not isinstance(term, Binder):
        return term.func(*map(_key, term.args))
    body, bound, *ends = term.args
    body = _key(body)
    inside = [int(s.name[1:]) for s in body.atoms(Variable) if s.name.startswith("#")]
    fresh = type(bound)(f"#{1 + max(inside, default=0)}", bound.domain)
    return term.func(body.xreplace({bound: fresh}), fresh, *map(_key, ends))


def _short(term: Term, table: Mapping[Term, Term]) -> Term:
    key = _key(term)
    if key in table:
        return table[key]
    if not term.args:
        return term
    if term.is_Add or term.is_Mul:  # of which a named sum or product may be a part
        for whole, short in table.items():
            rest = _rest(term, whole) if whole.func is term.func else None
            if rest is not None:
                return term.func(short, *(_short(part, table) for part in rest))
    return term.func(*(_short(part, table) for part in term.args))


def _rest(term: Term, part: Term) -> list[Term] | None:
    """What a sum or product has beside a part of it, None if it has not this part.

    A number before a product may differ.
    """
    split, number = term.func.make_args, sp.Integer(1)
    if term.is_Mul:
        (number, term), (beside, part) = term.as_coeff_Mul(), part.as_coeff_Mul()
        number /= beside
    rest = list(split(term))
    keys = [_key(one) for one in rest]
    for one in split(part):
        if one not in keys:
            return None
        rest.pop(keys.index(one))
        keys.remove(one)
    return [number, *rest] if number != 1 else rest
