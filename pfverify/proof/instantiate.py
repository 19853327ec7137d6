"""Another file's theorem with terms in place of its symbols.

A proved part holds for all its constants (positive ones: > 0), all finite domains, all functions
(masses: >= 0) and, at each of these, for all values of its variables. So its symbols may be
replaced, at the price of `obligations`: its hypotheses, and what its declarations say. The
variables stay variables, different ones different, and none of them is in what is put in place of
another symbol: a hypothesis for every v stays one for every v.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy.core.function import AppliedUndef, UndefinedFunction

from pfverify.errors import InputError
from pfverify.proof.bounded import improper
from pfverify.proof.claim import Proved
from pfverify.proof.means import mean_key
from pfverify.proof.normal import concluded, equal
from pfverify.proof.rules import Context, Rule, StepFails, Use, need
from pfverify.proof.terms import (
    Area,
    Binder,
    Formula,
    IndexConstant,
    Predicate,
    Term,
    Variable,
    Verdict,
    as_term,
    atoms_of,
    is_mass,
    is_positive,
    mapped,
    pieces_of,
    real_term,
    rebuilt,
    relation,
    substituted,
    terms_of,
)


@dataclass(frozen=True)
class Maps:
    """A function given by a term: arguments (variables or indices) and the term."""

    arguments: tuple[Variable, ...]
    term: Term


@dataclass(frozen=True)
class Instantiated:
    """A theorem about other symbols: what it says, what must be shown first, what was put in."""

    statement: Formula
    obligations: tuple[Formula, ...]
    terms: tuple[Term, ...]


class _Binding:
    def __init__(self, part: Proved, given: Mapping[str, Any]) -> None:
        formulas = [part.statement, *part.given.values()]
        pieces = {*pieces_of(*formulas)}
        domains = {p.domain for p in pieces if isinstance(p, Variable | IndexConstant)} - {""}
        functions = {p.func.__name__: p for p in pieces if isinstance(p, AppliedUndef)}
        symbols = {p.name: p for p in pieces if p.is_Symbol}
        if unknown := {*given} - domains - {*functions} - {*symbols}:
            raise InputError(f"the theorem has no {min(unknown)!r}")
        self.domains = {name: _text(given.get(name, name)) for name in domains}
        self.functions = {name: _function(given[name], applied) if name in given else applied.func
                          for name, applied in functions.items()}  # fmt: skip
        free = {s for f in formulas for t in terms_of(f) for s in t.free_symbols}
        self.symbols = {s: self._image(s, given) for s in free}
        self.obligations: list[Formula] = []
        self.terms = [v for s, v in self.symbols.items() if not isinstance(s, Variable)]
        self.names = {s.name for v in self.terms for s in v.free_symbols}  # of what is put in
        for name, maps in self.functions.items():
            if isinstance(maps, Maps):
                self.terms.append(maps.term)
                self.names |= {s.name for s in maps.term.free_symbols - {*maps.arguments}}
                if is_mass(functions[name]):
                    self.obligations.append(relation(">=", maps.term, 0))
            elif is_mass(functions[name]) and not is_mass(maps(*functions[name].args)):
                raise InputError(f"{name}: only a mass stands for a mass")
        self.obligations += [relation(">", v, 0) for s, v in self.symbols.items() if is_positive(s)]
        self._require_variables_apart()

    def _image(self, symbol: Any, given: Mapping[str, Any]) -> Term:
        moved = self._moved(symbol)
        if symbol.name not in given:
            return moved
        value = real_term(given[symbol.name])
        if isinstance(symbol, Variable) and not isinstance(value, Variable):
            raise InputError(f"{symbol}: a variable stands for a variable (instantiate it later)")
        if isinstance(symbol, Variable | IndexConstant) and symbol.domain:
            fits = (Variable, symbol.func) if isinstance(symbol, IndexConstant) else (symbol.func,)
            if type(value) not in fits or value.domain != moved.domain:
                raise InputError(f"{symbol} runs over {moved.domain}, {value} does not")
        elif isinstance(symbol, Variable) and value.domain:
            raise InputError(f"{symbol} is a real variable, {value} is none")
        return value

    def _moved(self, symbol: Any) -> Any:
        """The symbol over the domain that stands for its own."""
        if isinstance(symbol, Variable | IndexConstant) and symbol.domain:
            return type(symbol)(symbol.name, self.domains[symbol.domain])
        return symbol

    def _require_variables_apart(self) -> None:
        images = [v for s, v in self.symbols.items() if isinstance(s, Variable)]
        names = [v.name for v in images]
        if len(set(names)) < len(names):
            raise InputError("two variables of the theorem become one")
        if clash := self.names & {*names}:
            raise InputError(f"{min(clash)} is a variable of the theorem, and in what is put in "
                             "place of another symbol: name another variable for it")

    def term(self, term: Term) -> Term:
        """The term with all symbols replaced; bound variables keep out of the way."""
        return as_term(self._term(term, dict(self.symbols)))

    def _term(self, term: Term, names: dict[Any, Term]) -> Term:
        if term.is_Symbol:
            return names[term]
        if isinstance(term, Binder):
            body, bound, *ends = term.args
            fresh = self._moved(bound)
            taken = self.names | {s.name for s in names.values() if s.is_Symbol}
            while fresh.name in taken:
                fresh = type(fresh)(fresh.name + "'", fresh.domain)
            inside = self._term(body, {**names, bound: fresh})
            return term.func(inside, fresh, *(self._term(e, names) for e in ends))
        if not term.args:
            return term
        args = [self._term(a, names) for a in term.args]
        if isinstance(term, AppliedUndef):
            return self._applied(term.func.__name__, args)
        return rebuilt(term, args)

    def _applied(self, name: str, args: list[Term]) -> Term:
        maps = self.functions[name]
        if not isinstance(maps, Maps):
            return maps(*args)
        return substituted(maps.term, dict(zip(maps.arguments, args, strict=True)))

    def formula(self, formula: Formula) -> Formula:
        """The formula with all symbols replaced."""
        if any(isinstance(atom, Verdict) for atom in atoms_of(formula)):
            raise InputError("a theorem about a problem is about that problem only")
        return mapped(formula, self.term)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InputError("a domain stands for a domain: its name as text")
    return value


def _function(value: Any, applied: Any) -> Any:
    if isinstance(value, Maps):
        if len(value.arguments) != len(applied.args):
            raise InputError(f"{applied.func} has {len(applied.args)} arguments")
        return value
    if isinstance(value, UndefinedFunction):
        return value
    raise InputError(f"{applied.func}: a function or maps(...) stands for a function")


def instantiated(part: Proved, given: Mapping[str, Any]) -> Instantiated:
    """Return a proved part about other symbols; `given` is by the names of the part's symbols.

    Symbols that are not named stay. Raises InputError for what cannot stand for a symbol.
    """
    if part.data is not None:
        raise InputError("a theorem about data is about these data only")
    binding = _Binding(part, given)
    try:
        statement = binding.formula(part.statement)
        obligations = [*binding.obligations, *(binding.formula(f) for f in part.given.values())]
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None
    return Instantiated(statement, tuple(obligations), tuple(binding.terms))


@dataclass(frozen=True)
class Theorem(Rule):
    """
    a proved part of another file     its hypotheses about these terms, from the facts used
    ----------------------------------------------------------------------------------------
    its statement about these terms (or some of the formulas that it joins with `and`)
    """

    id: str
    part: str = "printed"
    where: Mapping[str, Any] = field(default_factory=dict)
    using: tuple[str | Use, ...] = ()

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        if context.library is None:
            raise StepFails("there are no other files here")
        try:
            found = instantiated(context.library(self.id, self.part), self.where)
        except InputError as error:
            raise StepFails(f"{self.id}: {error}") from None
        for term in found.terms:
            context.require_defined(term)
            context.require_values(term)
        facts = context.all(self.using)
        for needed in found.obligations:
            context.require_values(*terms_of(needed))
            if isinstance(needed, Predicate) and needed.name == "integrable":
                continue
            if not concluded(needed, facts):
                need(facts, needed, f"{self.id} needs: {needed}")
        if not concluded(formula, [found.statement]):
            raise StepFails(f"{self.id} says: {found.statement}")
        known = self.values(found.statement)
        for new in self.values(formula) - known:  # what cancels in the formula need not exist
            areas = [old for old in known if isinstance(old, Area) and isinstance(new, Area)]
            if not any(equal(new, old) for old in areas):
                raise StepFails(f"{self.id} does not show that {new} has a value")
        context.uses.append(self.id)

    def values(self, formula: Formula) -> set[Any]:
        """The integrals of a theorem have values."""
        keys = {key for p in pieces_of(formula) if (key := mean_key(p)) is not None}
        return keys | {area for term in terms_of(formula) for area in improper(term)}

    @property
    def name(self) -> str:
        """The rule's name in reports."""
        return f"theorem {self.id}"
