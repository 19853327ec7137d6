"""The breaks of a claim as exercises: which step notices an edit, and where it is then false."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.proof.breaking import broken
from pfverify.proof.check import check_claim
from pfverify.proof.claim import Break, Claim, Proved
from pfverify.proof.examples import check_hypotheses
from pfverify.proof.loader import load_proof
from pfverify.proof.meaning import Instance, false_at
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.outcome import Outcome, PartFails
from pfverify.proof.run import Report, in_parallel, library_of, outcome_of, require_solver
from pfverify.proof.terms import Formula, variables_of
from pfverify.proof.written import described


@dataclass(frozen=True)
class Noticed(NoTruth, ask="read its attributes"):
    """What checking a file with one of its `breaks` gave.

    `step` noticed, because of `why`; `shows` says where something is false, in words. With an
    instance of the entry, `false` is what is false there ("the statement"), at the values `at` of
    variables. `failure` says what is wrong with the entry itself.
    """

    entry: Break
    step: str
    why: str
    shows: str = ""
    failure: str = ""
    false: str = ""
    at: Mapping[str, str] = field(default_factory=dict)


def notice(job: tuple[Path, Break]) -> Noticed:
    """Check a file with one of its breaks: the step it names has to fail.

    Where the entry has an instance, the changed hypotheses of a part and the meaning of the claim
    must hold in it, and the part's statement, or the formula of the step, be false.
    """
    path, entry = job
    try:
        changed = broken(path, entry.change)
    except InputError as error:
        return Noticed(entry, "", "", failure=str(error))
    part = library_of(path).part
    outcome = check_claim(changed, kernel_word, examples=False, library=part)
    step, why = outcome.failed_step, outcome.failure
    if not why:
        return Noticed(entry, "", "", failure="the changed claim still checks")
    if step != entry.step:
        return Noticed(entry, step, why, failure=f"it fails at {step!r}, not at {entry.step!r}")
    if entry.where is None:
        return Noticed(entry, step, why, outcome.counterexample if not changed.meaning else "")
    try:
        what, at = false_there(changed, entry)
    except InputError as error:
        return Noticed(entry, step, why, failure=str(error))
    shows = f"{what} is false at {described(entry.where, at)}"
    values = {str(variable): number.text for variable, number in at.items()}
    return Noticed(entry, step, why, shows, false=what, at=values)


@dataclass(frozen=True)
class Exercised(NoTruth, ask="read its attributes"):
    """What checking a file, and then each of its breaks, gave."""

    outcome: Outcome
    exercises: list[Noticed]


def exercised(paths: Sequence[Path], report: Report | None = None) -> list[Exercised]:
    """Check these files and every break of them, in parallel and in one pass, in their order.

    A file that cannot be read has an outcome that says so, and no exercises. Raises InputError
    where z3 is missing.
    """
    require_solver()
    jobs = [(path, entry) for path in paths for entry in (None, *_breaks(path))]
    outcomes: dict[Path, Outcome] = {}
    exercises: dict[Path, list[Noticed]] = {path: [] for path in paths}
    for (path, _), found in zip(jobs, in_parallel(_either, jobs, report), strict=True):
        if isinstance(found, Noticed):
            exercises[path].append(found)
        else:
            outcomes[path] = found
    return [Exercised(outcomes[path], exercises[path]) for path in paths]


def _either(job: tuple[Path, Break | None]) -> Outcome | Noticed:
    """Check a file as it is, or with one of its breaks."""
    path, entry = job
    return outcome_of(path) if entry is None else notice((path, entry))


def _breaks(path: Path) -> tuple[Break, ...]:
    try:
        return load_proof(path).claim.breaks
    except InputError:
        return ()


def false_there(claim: Claim, entry: Break) -> tuple[str, Mapping[Any, Number]]:
    """Return what is false in the instance of an entry, in a claim that was changed, and where.

    What is false is "the statement" or "the step"; where, the values of its variables.

    Raises InputError where a hypothesis or the meaning does not hold there, or nothing is false.
    """
    part = _part(claim, entry.step)
    given = {**part.given, **{f"of the meaning: {f}": f for f in claim.meaning}}
    steps = [step.formula for step in part.steps if step.name == entry.step]
    instance = entry.where or Instance()
    for what, formula in (("the statement", part.statement), *(("the step", f) for f in steps)):
        try:
            check_hypotheses(replace(part, statement=formula, given=given), instance)
        except PartFails as failure:
            if failure.step != "the statement":
                raise InputError(f"in the instance of {entry.change!r}: {failure}") from None
        at = _false(formula, instance, entry.at)
        if at is not None:
            return what, at
    raise InputError(f"in the instance of {entry.change!r}: nothing is seen to be false")


def _false(
    formula: Formula, instance: Instance, at: Mapping[Any, Any]
) -> Mapping[Any, Number] | None:
    """Values of its variables at which a formula is false in an instance; None if nowhere."""
    free = variables_of(formula)
    fixed = {v: value for v, value in at.items() if v in free}  # in the order of the file
    try:
        return false_at(formula, instance, fixed)
    except NoMeaning:
        return None


def _part(claim: Claim, step: str) -> Proved:
    """The proved part with a step of this name, else the first one."""
    proved = [part for _, part in claim.parts() if isinstance(part, Proved)]
    if not proved:
        raise InputError("the claim has no proved part")
    return next((p for p in proved if any(s.name == step for s in p.steps)), proved[0])
