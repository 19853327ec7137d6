"""The meaning of terms and formulas in an instance: exact numbers, three-valued truth.

An `Instance` gives every constant a number, every domain its members, every law its finitely many
values with their masses, and every function a table.
Signs are decided by the exact layer (exponential sums and balls), never by floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from operator import add, mul
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.number import Number
from pfverify.proof.heads import AtLeastZero, head_of
from pfverify.proof.numbers import ONE, ZERO, NoMeaning, known_fraction, known_sign, power
from pfverify.proof.terms import (
    Area,
    Connective,
    Draw,
    Formula,
    Predicate,
    Relation,
    Term,
    Total,
    Variable,
    as_term,
    is_mass,
    is_positive,
    pieces_of,
    rebuilt,
    relation,
    variables_of,
)

MAX_ASSIGNMENTS = 100_000  # of members to indices, for one formula


@dataclass(frozen=True)
class Instance:
    """Values of constants, members of domains and tables of functions.

    `tables` maps a function's name to {tuple of argument values: value}. Where there is no row a
    mass is 0; a function has the value in `elsewhere`, or none. `laws` maps a law's name to its
    values with their masses, which add up to 1.
    """

    values: Mapping[str, Number] = field(default_factory=dict)
    domains: Mapping[str, tuple[Fraction, ...]] = field(default_factory=dict)
    tables: Mapping[str, Mapping[tuple[Fraction, ...], Number]] = field(default_factory=dict)
    elsewhere: Mapping[str, Number] = field(default_factory=dict)
    laws: Mapping[str, Mapping[Fraction, Number]] = field(default_factory=dict)

    def updated(self, other: Instance) -> Instance:
        """Return two instances as one; what is in both is as in the other."""
        return Instance(*({**vars(self)[key], **known} for key, known in vars(other).items()))

    def members(self, index: Any) -> tuple[Fraction, ...]:
        """Return what an index runs over, or is drawn from (NoMeaning where it is left open)."""
        known = self.laws if isinstance(index, Draw) else self.domains
        if index.domain not in known:
            raise NoMeaning(f"no members are given for the domain {index.domain}")
        return tuple(known[index.domain])

    def require_members(self, at: Mapping[Any, Number]) -> None:
        """Raise NoMeaning unless the values of indices and draws are such."""
        for symbol, x in at.items():
            if symbol.domain and x.fraction not in self.members(symbol):
                raise NoMeaning(f"{symbol} is no member of {symbol.domain}")

    def weight(self, index: Variable, member: Fraction) -> Number:
        """Return the mass with which a member is drawn, 1 for an index that is not drawn."""
        return self.laws[index.domain][member] if isinstance(index, Draw) else ONE

    def rows(self, applied: Any) -> Mapping[tuple[Fraction, ...], Number]:
        """Return the table of an applied function. Raises NoMeaning without one that fits it."""
        name = applied.func.__name__
        if name not in self.tables:
            raise NoMeaning(f"no table is given for {name}")
        table = self.tables[name]
        if any(len(key) != len(applied.args) for key in table):
            raise NoMeaning(f"the table of {name} has rows of another number of arguments")
        return table

    def row(self, applied: Any, key: tuple[Fraction, ...]) -> Number:
        """Return the value of an applied function at a key. Raises NoMeaning where it has none."""
        found = self.rows(applied).get(key)
        return self.rest(applied) if found is None else found

    def rest(self, applied: Any) -> Number:
        """Return the value of an applied function where it has no row (NoMeaning: none)."""
        name = applied.func.__name__
        if name in self.elsewhere:
            return self.elsewhere[name]
        if is_mass(applied):
            return ZERO
        raise NoMeaning(f"the function {name} has no row for an argument, nor ELSE")


def value(term: Term, instance: Instance, at: Mapping[Any, Number] | None = None) -> Number:
    """Return the exact value of a term.

    Raises NoMeaning where the instance leaves something open or a sign is undecided.
    """
    try:
        found: Number = _evaluated(term, instance, at or {}, _number_of, lambda x: x)
    except InputError as error:
        raise NoMeaning(str(error)) from None
    return found


def expanded(term: Term, instance: Instance, at: Mapping[Any, Number]) -> Term:
    """Return a term with the finite parts of an instance written out; real variables stay.

    Sums become sums of members, tables sums of their rows. Numbers that are not rational stay
    symbols: what is shown then holds for all their values.
    Raises NoMeaning where the instance leaves something open.
    """
    return _evaluated(term, instance, at, _term_of, _rational_term)


def _evaluated(
    term: Term, i: Instance, at: Mapping[Any, Number], built: Any, leaf: Callable[[Number], Any]
) -> Any:
    """The value of a term, made of numbers (`leaf`) and from those of its parts (`built`)."""
    if isinstance(term, Area):
        raise NoMeaning("an integral is not evaluated")
    if isinstance(term, Total):
        body, index = term.args
        return sum((
            leaf(i.weight(index, member))
            * _evaluated(body, i, {**at, index: Number.of_rational(member)}, built, leaf)
            for member in i.members(index)
        ), leaf(ZERO))  # fmt: skip
    return built(term, [_evaluated(a, i, at, built, leaf) for a in term.args], i, at)


def _known(symbol: Any, i: Instance, at: Mapping[Any, Number]) -> Number | None:
    if symbol in at:
        return at[symbol]
    return None if isinstance(symbol, Variable) else i.values.get(symbol.name)


def _number_of(term: Term, args: list[Number], i: Instance, at: Mapping[Any, Number]) -> Number:
    if term.is_Rational:
        return Number.of_rational(Fraction(int(term.p), int(term.q)))
    if term.is_Symbol:
        if (known := _known(term, i, at)) is None:
            raise NoMeaning(f"no value is given for {term}")
        return known
    if term is sp.E:
        return ONE.exp()
    if term is sp.pi:
        return ONE.times_pi()
    if term.is_Add or term.is_Mul:
        return reduce(add if term.is_Add else mul, args)
    if term.is_Pow:
        if not term.args[1].is_Rational and known_sign(args[0]) <= 0:
            raise NoMeaning("a power of a number that is not > 0, whose exponent is no number")
        return power(*args)
    if head := head_of(term):
        return head.value(*args)
    if isinstance(term, AppliedUndef):
        return i.row(term, tuple(known_fraction(a) for a in args))
    raise NoMeaning(f"the term {term} is not in the language of proofs")


def _term_of(term: Term, args: list[Term], i: Instance, at: Mapping[Any, Number]) -> Term:
    if term.is_Symbol:
        known = _known(term, i, at)
        return term if known is None or known.fraction is None else _rational_term(known)
    if not isinstance(term, AppliedUndef):
        return rebuilt(term, args) if args else term
    if all(a.is_Rational for a in args):
        return _rational_term(i.row(term, tuple(Fraction(int(a.p), int(a.q)) for a in args)))
    rest = _rational_term(i.rest(term))
    rows = i.rows(term).items()  # each where the arguments are its key
    return sum((_at_key(args, key, _rational_term(x) - rest) for key, x in rows), rest)


def _at_key(args: list[Term], key: tuple[Fraction, ...], result: Term) -> Term:
    """The result where the arguments are the key, else 0."""
    for argument, k in zip(args, key, strict=True):
        away = argument - as_term(k)
        result = result * AtLeastZero(away) * AtLeastZero(-away)
    return result


def _rational_term(x: Number) -> Term:
    if x.fraction is None:
        raise NoMeaning("a table has values that are not rational")
    return as_term(x.fraction)


def truth(
    formula: Formula, instance: Instance, at: Mapping[Any, Number] | None = None
) -> Answer:
    """Decide a formula in an instance; all its free variables need values in `at`."""
    try:
        return _truth(formula, instance, at or {})
    except InputError as error:
        raise NoMeaning(str(error)) from None


def _truth(formula: Formula, i: Instance, at: Mapping[Any, Number]) -> Answer:
    if isinstance(formula, Relation):
        sign = (value(formula.right, i, at) - value(formula.left, i, at)).sign()
        if sign is None:
            return Answer.UNKNOWN
        holds = {"<=": sign >= 0, "<": sign > 0, "=": sign == 0, "!=": sign != 0}[formula.op]
        return Answer.YES if holds else Answer.NO
    if isinstance(formula, Connective):
        first, *others = formula.parts
        answers = [_truth(first, i, at)]
        if formula.op in ("not", "implies"):
            answers = [_opposite(answers[0])]
            if formula.op == "not" or answers[0] is Answer.YES:
                return answers[0]  # what follows a guard that fails need not have a meaning
        answers += [_truth(part, i, at) for part in others]
        if formula.op == "and":
            return all_of(answers)
        return _opposite(all_of(map(_opposite, answers)))
    if isinstance(formula, Predicate):
        exact = value(formula.term, i, at).fraction
        if formula.name == "integrable":
            return Answer.YES  # the laws here are finite
        if exact is None:
            return Answer.UNKNOWN
        if formula.name == "prime":
            prime = exact.denominator == 1 and bool(sp.isprime(exact.numerator))
            return Answer.YES if prime else Answer.NO
        if formula.name in ("rational", "algebraic"):
            return Answer.YES
    raise NoMeaning(f"{formula} is not evaluated")


def _opposite(a: Answer) -> Answer:
    return {Answer.YES: Answer.NO, Answer.NO: Answer.YES}.get(a, a)


def all_of(answers: Iterable[Answer]) -> Answer:
    """Return NO where one of the answers is NO, else UNKNOWN where one is, else YES."""
    found = Answer.YES
    for answer in answers:
        if answer is Answer.NO:
            return answer
        found = answer if answer is Answer.UNKNOWN else found
    return found


def assignments(
    formula: Formula, instance: Instance, at: Mapping[Any, Number] | None = None
) -> Iterator[dict[Any, Number]]:
    """Yield every assignment of the indices of a formula that `at` leaves free.

    Raises NoMeaning when a real variable is left free (it has infinitely many values), or `at` has
    an index outside its domain.
    """
    given = dict(at or {})
    instance.require_members(given)
    free = sorted((v for v in variables_of(formula) if v not in given), key=str)
    for v in free:
        if not v.domain:
            raise NoMeaning(f"{v} runs over all real numbers")
    members_of = [instance.members(v) for v in free]
    if prod(map(len, members_of)) > MAX_ASSIGNMENTS:
        raise NoMeaning("there are too many members to go through")
    for members in product(*members_of):
        yield given | {v: Number.of_rational(m) for v, m in zip(free, members, strict=True)}


def truth_for_all(
    formula: Formula, instance: Instance, at: Mapping[Any, Number] | None = None
) -> Answer:
    """Decide a formula for every value of the indices that `at` leaves free."""
    return all_of(truth(formula, instance, full) for full in assignments(formula, instance, at))


def false_at(
    formula: Formula, instance: Instance, at: Mapping[Any, Number]
) -> dict[Any, Number] | None:
    """Return values of the variables, with those in `at`, where a formula is false (None: none)."""
    return next((full for full in assignments(formula, instance, at)
                 if truth(formula, instance, full) is Answer.NO), None)  # fmt: skip


def declared(formula: Formula) -> list[Formula]:
    """Return what the declarations say of the symbols of a formula: signs of constants and masses.

    Applications inside sums are met with their bound indices, as statements for every index.
    """
    found: dict[Formula, None] = {}
    for part in pieces_of(formula):
        if is_positive(part):
            found[relation(">", part, 0)] = None
        if is_mass(part):
            found[relation(">=", part, 0)] = None
    return list(found)
