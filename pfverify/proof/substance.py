"""What a claim must be about: guards that are met, parts that differ, a repair of the same thing.

Nothing here proves anything: it refuses claims that check because they say little.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from typing import Any

from sympy.core.function import AppliedUndef

from pfverify.errors import PfverifyError
from pfverify.exact.answer import Answer
from pfverify.exact.number import Number
from pfverify.proof.arithmetic import refutation_of
from pfverify.proof.claim import Claim, Part, Proved
from pfverify.proof.meaning import Instance, truth
from pfverify.proof.normal import concluded, normal, same
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.outcome import PartFails
from pfverify.proof.poly import UNIT, Frozen, TooLarge, frozen, repr_key, scaled
from pfverify.proof.rules import Certificate
from pfverify.proof.sampling import random_instance
from pfverify.proof.terms import (
    Connective,
    Constant,
    Formula,
    Relation,
    Verdict,
    atoms_of,
    free_symbols,
    joined,
    pieces_of,
    relation,
    variables_of,
)

_FALSE = relation("<", 0, 0)
_NUMBER = re.compile(r"(?:.*\bat )?(\d+(?:[./]\d+)?)")
_NUMBERS = ("scale", "variance", "step", "bound", "epsilon", "delta")
POINTS = tuple(Fraction(n, d) for n, d in (
    (0, 1), (1, 1), (1, 2), (-1, 1), (2, 1), (3, 1), (7, 3), (-3, 1), (1, 4), (3, 4), (-1, 2),
    (10, 1), (-10, 1),
))  # fmt: skip
TRIES = 1_500  # points at which a guard is tried in an instance
INSTANCES = 60  # random instances that are tried where there is no example
EFFORT = 2_000_000  # of the solver, for a comparison that is only reported


def require_told(claim: Claim) -> None:
    """Raise PartFails where a claim says something else of its parts than they are.

    Two readings that are one; a problem that is something else than its name in a verdict says; a
    denial that neither states hypotheses of what is printed nor says which are left out.
    """
    for k, first in enumerate(claim.readings):
        if any(same_part(first, other) for other in claim.readings[:k]):
            raise PartFails(f"reading {k + 1}", "it is the same as another reading")
    for where, part in claim.parts():
        for name, problem in _named(part):
            if wrong := contradiction(name, problem):
                raise PartFails(where, wrong)
        if isinstance(part, Proved) and part.denied is not None:
            guarded = isinstance(part.denied, Connective) and part.denied.op == "implies"
            if not (part.given or guarded or "left out" in part.words):
                why = "what is printed has no hypotheses here; expected them in given, or before "
                raise PartFails(where, f"{why}implies, or words that say which are 'left out'")


def _named(part: Part) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The problems of a part that verdicts name."""
    if not isinstance(part, Proved):
        if isinstance(part.statement, Verdict) and part.problem is not None:
            yield part.statement.problem, part.problem
        return
    for step in part.all_steps():
        if isinstance(step.rule, Certificate) and isinstance(step.formula, Verdict):
            yield step.formula.problem, step.rule.problem


def contradiction(name: str, problem: Mapping[str, Any]) -> str:
    """Return how a problem is something else than its name says, or nothing.

    A name that is a number, or ends in `at` one, gives a number of the problem; one that is a kind
    of noise gives that. None tells a verdict: that is shown and not called so.
    """
    if re.search(r"\b(certified|refuted|undecided|private)\b", name.lower()):
        return f"the name {name!r} of a problem tells a verdict"
    noise = problem.get("noise", {})
    if found := _NUMBER.fullmatch(name):
        stated = {**problem, **noise}
        if Fraction(found[1]) not in (_fraction(stated[key]) for key in _NUMBERS if key in stated):
            return f"the problem that is called {name!r} has no such number"
    kind = name.lower().replace(" ", "-").removesuffix("-noise")
    if kind.endswith(("laplace", "gaussian")) and kind != noise.get("kind"):
        return f"the problem that is called {name!r} has noise of kind {noise.get('kind')}"
    return ""


def _fraction(value: Any) -> Fraction | None:
    try:
        return Fraction(str(value))
    except ValueError:
        return None  # not rational


def guards(formula: Formula, before: tuple[Formula, ...] = ()) -> Iterator[Formula]:
    """Yield what must hold for a formula to say something: its guards, with those around them."""
    if not isinstance(formula, Connective):
        return
    if formula.op == "implies":
        guard, then = formula.parts
        met = (*before, guard)
        yield Connective("and", met) if before else guard
        yield from guards(then, met)
    elif formula.op in ("and", "or"):
        for part in formula.parts:
            yield from guards(part, before)


def unmet_guard(part: Proved) -> str:
    """Return a guard inside a statement that was not seen to hold anywhere, "" if there is none.

    It is looked for in the part's example and data, at the values of variables in `meets`; random
    instances serve where there are no hypotheses.
    """
    for guard in guards(part.statement):
        if not any(_met(guard, i, part.meets) for i in _instances(part, guard)):
            return str(guard)
    return ""


def _instances(part: Proved, guard: Formula) -> Iterator[Instance]:
    for example in part.examples or (Instance(),):
        yield example if part.data is None else example.updated(part.data)
    if not part.given and part.data is None:
        rng = random.Random(0)
        for _ in range(INSTANCES):
            yield random_instance(guard, rng)


def _met(guard: Formula, instance: Instance, meets: Mapping[Any, Number]) -> bool:
    free = sorted((v for v in variables_of(guard) if v not in meets), key=str)
    own = sorted({x.fraction for x in instance.values.values() if x.fraction is not None})
    real = [*POINTS, *(x for x in own if x not in POINTS)]
    try:
        instance.require_members({v: x for v, x in meets.items() if v in variables_of(guard)})
        columns = [instance.members(v) if v.domain else real for v in free]
    except NoMeaning:
        return False
    for values in _some(columns):
        at = {**meets, **{v: Number.of_rational(x) for v, x in zip(free, values, strict=True)}}
        try:
            if truth(guard, instance, at) is Answer.YES:
                return True
        except (NoMeaning, ZeroDivisionError):
            continue
    return False


def _some(columns: list[Any]) -> Iterator[tuple[Fraction, ...]]:
    yield from islice(product(*columns), TRIES)
    rng = random.Random(1)
    if len(columns) > 2 and all(columns):
        for _ in range(TRIES):
            yield tuple(rng.choice(column) for column in columns)


def restates(part: Proved) -> bool:
    """Say whether a statement is among the hypotheses, up to logic and factors.

    What each formula that it joins by `and` gives of the hypotheses, gives it back, by logic alone.
    """
    if concluded(part.statement, [*part.given.values()]):
        return True
    numbers: dict[Frozen, Constant] = {}
    known = [_signs(k, numbers) for fact in part.given.values() for k in joined(fact)]
    wanted = [_signs(k, numbers) for k in joined(part.statement)]
    return bool(known) and all(_returns(known, formula) for formula in wanted)


def _returns(known: list[Formula], formula: Formula) -> bool:
    about = free_symbols(formula)
    given = [k for k in known if free_symbols(k) <= about and _gives([formula], k)]
    return bool(given) and _gives(given, formula) and not _gives([], formula)


def _signs(formula: Formula, numbers: dict[Frozen, Constant]) -> Formula:
    """A formula with each relation as one of 0 and a number, of which only the sign is known.

    `numbers` holds those met so far, by what stands for them up to a factor.
    """
    if isinstance(formula, Connective):
        return replace(formula, parts=tuple(_signs(p, numbers) for p in formula.parts))
    if not isinstance(formula, Relation):
        return formula
    poly = normal(formula.right - formula.left)
    if set(poly) <= {UNIT}:
        return relation(formula.op, 0, poly.get(UNIT, Fraction(0)))
    lead = poly[min(poly, key=repr_key)]
    number = numbers.setdefault(frozen(scaled(poly, 1 / lead)), Constant(f"n{len(numbers)}"))
    return relation(formula.op, 0, number if lead > 0 else -number)


def same_part(a: Part, b: Part) -> bool:
    """Say whether two parts state the same under the same hypotheses."""
    given = [{*part.given.values()} for part in (a, b)]
    return given[0] == given[1] and same(a.statement, b.statement)


def share_a_subject(a: Part, b: Part) -> bool:
    """Say whether two parts have a term in common that is more than a multiple of one symbol."""
    return bool(_subjects(a) & _subjects(b))


def _subjects(part: Part) -> set[Any]:
    formulas = part.formulas()
    if isinstance(part, Proved) and part.denied is not None:
        formulas = [part.denied]  # what is printed, not what contradicts it
    problems = {a.problem for f in formulas for a in atoms_of(f) if isinstance(a, Verdict)}
    return problems | {p for p in pieces_of(*formulas) if isinstance(p, AppliedUndef)
                       or _compound(p)}  # fmt: skip


def _compound(piece: Any) -> bool:
    if not piece.args or not piece.free_symbols:
        return False
    return not (piece.is_Mul and sum(1 for a in piece.args if not a.is_number) == 1)


def comparison(printed: Part, corrected: Part) -> str:
    """Return what a corrected claim is beside the printed one, as far as the solver decides it.

    The hypotheses of the corrected claim must give those of the printed one.
    """
    try:
        known = list(corrected.given.values())
        if all(_gives(known, fact) for fact in printed.given.values()):
            if _gives([*known, printed.statement], _FALSE):
                return "contrary to what is printed, at every instance"
            # what follows from nothing follows from what is printed, which says nothing
            if not _gives(known, corrected.statement) and _gives(
                [*known, printed.statement], corrected.statement
            ):
                return "weaker than what is printed"
    except (PfverifyError, TooLarge, TypeError, ValueError):
        pass
    return ""


def _gives(facts: list[Formula], formula: Formula) -> bool:
    return refutation_of(facts, formula, effort=EFFORT) == "unsat"
