"""The breaks of a claim as exercises: which step notices an edit, and where it is then false."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.exact.no_truth import NoTruth
from pfverify.proof.breaking import broken
from pfverify.proof.check import PartFails, check_claim, check_part
from pfverify.proof.claim import Break, Claim, Proved, Refuted
from pfverify.proof.loader import load_proof
from pfverify.proof.outcome import Outcome
from pfverify.proof.run import Report, in_parallel, library_of, require_solver
from pfverify.proof.terms import variables_of


@dataclass(frozen=True)
class Noticed(NoTruth, ask="read its attributes"):
    """What checking a file with one of its `breaks` gave.

    `step` noticed, because of `why`; `shows` is the part and the formula that are false in the
    entry's instance ("" without one). `failure` says what is wrong with the entry itself.
    """

    entry: Break
    step: str
    why: str
    shows: str = ""
    failure: str = ""


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
        return Noticed(entry, step, why, false_there(changed, entry))
    except InputError as error:
        return Noticed(entry, step, why, failure=str(error))


def noticed(paths: list[Path], report: Report | None = None) -> dict[Path, list[Noticed]]:
    """Check every break of these files, in parallel; a file that cannot be read has none."""
    require_solver()
    jobs = [(path, entry) for path in paths for entry in _breaks(path)]
    found: dict[Path, list[Noticed]] = {path: [] for path in paths}
    for (path, _), one in zip(jobs, in_parallel(notice, jobs, report), strict=True):
        found[path].append(one)
    return found


def _breaks(path: Path) -> tuple[Break, ...]:
    try:
        return load_proof(path).claim.breaks
    except InputError:
        return ()


def false_there(claim: Claim, entry: Break) -> str:
    """Return what is false in the instance of an entry, in a claim that was changed, and where.

    Raises InputError where a hypothesis or the meaning does not hold there, or nothing is false.
    """
    part = _part(claim, entry.step)
    given = {**part.given, **{f"the meaning, {f}": f for f in claim.meaning}}
    steps = [step.formula for step in part.steps if step.name == entry.step]
    why = ""
    for what, formula in (("the statement", part.statement), *(("the step", f) for f in steps)):
        at = {v: entry.at[v] for v in variables_of(formula) if v in entry.at}
        counterexample = Refuted(formula, entry.where, given, at)
        try:
            lines = check_part(counterexample, kernel_word, _nothing_yet(claim))
        except PartFails as failure:
            why = f"in the instance of {entry.change!r}: {failure}"
        else:
            return f"{what} is {lines[-1]}"
    raise InputError(why)


def _nothing_yet(claim: Claim) -> Outcome:
    return Outcome(claim.id, claim.words, "", claim.result)


def _part(claim: Claim, step: str) -> Proved:
    """The proved part with a step of this name, else the first one."""
    proved = [part for _, part in claim.parts() if isinstance(part, Proved)]
    if not proved:
        raise InputError("the claim has no proved part")
    return next((p for p in proved if any(s.name == step for s in p.steps)), proved[0])
