"""What examples are: instances in which the hypotheses of a part hold together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from sympy.core.function import AppliedUndef

from pfverify.errors import PfverifyError
from pfverify.exact.answer import Answer
from pfverify.exact.number import Number
from pfverify.proof.arithmetic import refutation_of
from pfverify.proof.claim import Proved
from pfverify.proof.meaning import Instance, all_of, assignments, expanded, truth_for_all
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.outcome import PartFails
from pfverify.proof.poly import TooLarge
from pfverify.proof.substance import unmet_guard
from pfverify.proof.terms import (
    Draw,
    Formula,
    IndexConstant,
    Variable,
    free_symbols,
    is_mass,
    is_positive,
    mapped,
    pieces_of,
    variables_of,
)
from pfverify.proof.written import described

_POINTS = (Fraction(-3), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 3))


def check_example(part: Proved) -> None:
    """Raise PartFails unless the hypotheses hold together in each example.

    So must each guard inside the statement, for some values of its variables.
    """
    if part.given and not part.examples:
        raise PartFails("the example", "hypotheses need an example in which they hold")
    for example in part.examples:
        check_hypotheses(part, example)
    if guard := unmet_guard(part):
        raise PartFails("the example", f"the guard {guard} is not seen to hold in it: the statement"
                        " may say nothing (give an example, and `meets` for its variables)")


def check_hypotheses(part: Proved, example: Instance) -> None:
    """Raise PartFails at "the example" where a hypothesis does not hold in it (or is not declared
    so), at "the statement" where that is false in it."""
    if part.data is not None:  # hypotheses and data must hold together
        for kind, theirs in vars(part.data).items():
            ours = vars(example)[kind]
            known = {*ours} & {*theirs}
            if kind == "elsewhere":  # where a table has no such row, that is a value too
                known = {*example.tables} & {*part.data.tables}
            for name in known:
                if ours.get(name) != theirs.get(name):
                    raise PartFails("the example", f"{name} is something else in the data")
    require_declared(example, [*part.given.values(), part.statement], "the example")
    for name, formula in part.given.items():
        holds = _at_points(formula, example)
        if holds is not Answer.YES or not _everywhere(formula, example):
            raise PartFails("the example", f"the hypothesis {name!r} does not hold in it")
    if _at_points(part.statement, example) is Answer.NO:
        raise PartFails("the statement", "it is false in the example", described(example))


def _at_points(formula: Formula, instance: Instance) -> Answer:
    """Decide a formula at a few values of its real variables (UNKNOWN where it has no meaning)."""
    real = sorted((v for v in variables_of(formula) if not v.domain), key=str)
    answers = []
    for k in _POINTS if real else _POINTS[:1]:
        try:
            at = {v: Number.of_rational(k + j) for j, v in enumerate(real)}
            answers.append(truth_for_all(formula, instance, at))
        except NoMeaning:
            answers.append(Answer.UNKNOWN)
    return all_of(answers)


def _everywhere(formula: Formula, instance: Instance) -> bool:
    """The solver shows that a formula holds in an instance for all values of its real variables."""
    indices = {v: Number.of_rational(0) for v in variables_of(formula) if not v.domain}
    try:
        for at in assignments(formula, instance, indices) if indices else ():
            fixed = {v: x for v, x in at.items() if v.domain}
            inside = mapped(formula, partial(expanded, instance=instance, at=fixed))
            if refutation_of([], inside) != "unsat":
                return False
    except (PfverifyError, TooLarge, TypeError, ValueError):
        return False
    return True


def require_declared(instance: Instance, formulas: Sequence[Formula], where: str) -> None:
    """Raise PartFails unless an instance is as the symbols of formulas are declared.

    Masses are not negative, positive constants positive, index constants in their domain; rows of
    tables belong to arguments that the formulas can have.
    """
    _require_rows(instance, formulas, where)
    for mass in {p.func.__name__ for p in pieces_of(*formulas) if is_mass(p)}:
        rows = {str(key): value for key, value in instance.tables.get(mass, {}).items()}
        rows |= {" elsewhere": instance.elsewhere[mass]} if mass in instance.elsewhere else {}
        for key, value in rows.items():
            if value.sign() not in (0, 1):
                raise PartFails(where, f"the mass {mass}{key} is negative or undecided")
    for symbol in {s for formula in formulas for s in free_symbols(formula)}:
        if symbol.name not in instance.values or isinstance(symbol, Variable):
            continue
        value = instance.values[symbol.name]
        if is_positive(symbol) and value.sign() != 1:
            raise PartFails(where, f"{symbol} is declared positive")
        if isinstance(symbol, IndexConstant) and (
            value.fraction not in instance.domains.get(symbol.domain, ())
        ):
            raise PartFails(where, f"{symbol} is no member of {symbol.domain}")


def _require_rows(instance: Instance, formulas: Sequence[Formula], where: str) -> None:
    """Every row has the arguments of its function, from the domains of its indices if it has only
    these."""
    places: dict[str, list[set[Fraction] | None]] = {}  # members per argument, None: any number
    for piece in pieces_of(*formulas):
        if not isinstance(piece, AppliedUndef) or piece.func.__name__ not in instance.tables:
            continue
        known = places.setdefault(piece.func.__name__, [set() for _ in piece.args])
        for k, argument in enumerate(piece.args):
            domain, here = getattr(argument, "domain", ""), known[k]
            if not domain:
                known[k] = None
            elif here is not None:
                drawn = isinstance(argument, Draw)
                here |= {*(instance.laws if drawn else instance.domains).get(domain, ())}
    for name, known in places.items():
        for key in instance.tables[name]:
            if len(key) != len(known):
                raise PartFails(where, f"a row of {name} has {len(key)} arguments")
            for place, members in zip(key, known, strict=True):
                if members is not None and place not in members:
                    raise PartFails(where, f"a row of {name} is at {place}, outside its domain")
