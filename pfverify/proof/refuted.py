"""Counterexamples: instances in which the hypotheses hold and the statement is false."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pfverify.exact.answer import Answer
from pfverify.exact.number import Number, number
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.proof.claim import Refuted
from pfverify.proof.examples import require_declared
from pfverify.proof.meaning import Instance, false_at, truth_for_all
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.outcome import PartFails
from pfverify.proof.terms import Verdict, variables_of
from pfverify.proof.written import described
from pfverify.transport.line import monotone_plan


def check_refuted(
    part: Refuted, kernel: Callable[[Mapping[str, Any]], str],
    problems: dict[str, Mapping[str, Any]],
) -> list[str]:  # fmt: skip
    """Return what was found, as text. Raises PartFails where nothing is shown to be false."""
    where, lines = "the counterexample", []
    if part.problem is not None:
        word = kernel(part.problem)
        if word != part.verdict:
            raise PartFails(where, f"the kernel says {word}, not {part.verdict}")
        lines.append(f"the kernel accepts a certificate: {word}")
    instance = _instance(part)
    require_declared(instance, [*part.given.values(), part.statement], where)
    written = part.written or part  # what has no value in the instance is not false there
    for name, formula in written.given.items():
        try:
            holds = truth_for_all(formula, instance)
        except NoMeaning as error:
            raise PartFails(name, f"UNKNOWN: {error}") from None
        if holds is not Answer.YES:
            raise PartFails(name, "the hypothesis does not hold in the counterexample")
    if isinstance(part.statement, Verdict):
        if part.problem is None:
            raise PartFails(where, "a verdict needs its problem")
        if part.statement.word == part.verdict or part.at:
            raise PartFails(where, "the statement is not shown to be false there")
        name = part.statement.problem
        if problems.setdefault(name, part.problem) != part.problem:
            raise PartFails(where, f"the name {name!r} stands for two problems")
        return [*lines, f"{part.statement} is false: it is {part.verdict}"]
    for symbol in part.at:
        if symbol not in variables_of(part.statement):
            raise PartFails(where, f"{symbol} is no variable of the statement")
    try:
        found = false_at(written.statement, instance, part.at)
    except NoMeaning as error:
        raise PartFails(where, f"UNKNOWN: {error}") from None
    if found is None:
        raise PartFails(where, "the statement is not shown to be false there")
    return [*lines, f"false at {described(instance, found)}"]


def falsified(part: Refuted) -> tuple[Instance, dict[Any, Number]] | None:
    """Return an instance and values of variables at which a part's statement is false.

    None where none is met, and for a statement about a verdict. Raises NoMeaning where something
    has no value.
    """
    if isinstance(part.statement, Verdict):
        return None
    instance = _instance(part)
    found = false_at(part.statement, instance, part.at)
    return None if found is None else (instance, found)


def _instance(part: Refuted) -> Instance:
    """The instance of a part, with what `binds` takes from its problem."""
    instance = part.instance or Instance()
    if part.problem is None:
        return instance
    problem = Problem.from_text(json.dumps(part.problem), json_format=True)
    item = next(iter(problem.questions()))
    both = {item.first: item.first_prior, item.second: item.second_prior}
    priors = {secret: prior for secret, prior in both.items() if isinstance(prior, Discrete)}
    numbers: dict[str, Callable[[], Number]] = {
        "scale": problem.scale, "epsilon": lambda: problem.epsilon,
        "exp(epsilon)": lambda: problem.epsilon.exp(), "delta": lambda: problem.delta,
    }  # fmt: skip
    for name, what in part.binds.items():
        if any(name in known for known in vars(instance).values()):
            raise PartFails("the counterexample", f"{name} is bound twice")
        if what in ("atoms", "plan") and len(priors) < 2:
            raise PartFails("the counterexample", f"{name}: a prior has a density, no {what}")
        if what in numbers:
            more = Instance(values={name: numbers[what]()})
        elif what == "atoms":
            atoms = {x for prior in priors.values() for x in prior.mass}
            more = Instance(domains={name: tuple(sorted(atoms))})
        elif what == "plan":
            plan = monotone_plan(priors[item.first], priors[item.second])
            unit = plan.denominator
            more = Instance(tables={name: {
                (Fraction(x, unit), Fraction(z, unit)): number(Fraction(mass, plan.total))
                for x, z, mass in plan.edges
            }})  # fmt: skip
        elif what in priors:
            more = Instance(tables={name: {(x,): number(m) for x, m in priors[what].mass.items()}})
        else:
            raise PartFails("the counterexample", f"the problem has no {what!r}")
        instance = instance.updated(more)
    return instance
