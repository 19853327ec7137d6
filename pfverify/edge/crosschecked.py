"""What the options of ``pfverify crosscheck`` ask, of functions and of samplers, and its files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from pfverify.crosscheck.curves.held import CURVE, CurveQuestion, held_called, held_table
from pfverify.crosscheck.curves.result import HeldCurve
from pfverify.crosscheck.curves.stated import places_of
from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.kinds import KINDS
from pfverify.crosscheck.maps.held import MAP, MapQuestion, held_file, held_function
from pfverify.crosscheck.maps.result import MapResult
from pfverify.crosscheck.maps.stated import distances_of, number_of, values_of_file
from pfverify.crosscheck.question import FunctionQuestion, question, question_about
from pfverify.crosscheck.replay import case_of
from pfverify.crosscheck.run import CrosscheckResult
from pfverify.crosscheck.samplers.called import DRAWS, MOST, called
from pfverify.crosscheck.samplers.plan import KINDS as SAMPLERS
from pfverify.crosscheck.samplers.plan import LEVEL, planned, priors_of
from pfverify.crosscheck.samplers.reading import draws_of_file
from pfverify.crosscheck.samplers.result import SamplerResult
from pfverify.crosscheck.vectors import write_vectors
from pfverify.edge.mistaken import same_file
from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.problem import Problem
from pfverify.workers.function import Limits

_ASKING = {
    "scale": "calibrate",
    "relaxed_columns": "calibrate",
    "loss": "loss",
    "delta": "loss",
    "plan": "coupling",
    "accountant": "loss",
}
"""Kind -> the command that answers a case of it, where the function did not."""
_KNOWN = (*KINDS, *SAMPLERS, MAP, CURVE)


def asked_question(
    kind: str | None,
    noise: str | None,
    laws: str | None,
    cases: int,
    seed: int,
    replay: str | None,
    claim: Promised,
    epsilons: str | None = None,
) -> FunctionQuestion:
    """Return what the options of the command ask; InputError where they ask nothing."""
    if replay is not None:
        if epsilons is not None:
            raise InputError("--replay: the case has its own epsilon")
        if noise is not None or laws is not None:
            raise InputError("--replay: the case has its own noise and laws")
        return question_about(case_of(replay), kind, claim)
    if kind is None:
        raise InputError(f"--kind: expected one of {', '.join(_KNOWN)}")
    if kind not in KINDS:
        known = ", ".join(_KNOWN)
        raise InputError(f"kind: {shorten(kind)!r} is unknown, expected {known}")
    return question(
        kind, noise=noise, laws=laws or "atoms", count=cases, seed=seed, claim=claim,
        epsilons=None if epsilons is None else _range(epsilons),
    )  # fmt: skip


def _range(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise InputError(
            f"--epsilons: {shorten(text)!r} is no range, expected LOW,HIGH, as in 0.1,10"
        ) from None
    return low, high


def check_outputs(
    asked: FunctionQuestion, vectors: str | None, problem: str | None, inputs: Sequence[str | None]
) -> None:
    """Refuse files that cannot be written, or are each other or an input, before any work."""
    if problem is not None and not asked.kind.pair:
        raise InputError(f"--problem: a {asked.kind.name} compares nothing, there is no problem")
    _check_written(vectors, problem, inputs)


def _check_written(
    vectors: str | None, problem: str | None, inputs: Sequence[str | None]
) -> None:
    if problem is not None and not problem.lower().endswith((".toml", ".json")):
        raise InputError(f"--problem: {shorten(problem)}: expected a name that ends in .toml")
    for option, name in (("--vectors", vectors), ("--problem", problem)):
        if name is None:
            continue
        if name in ("", "-") or not _can_be_written(Path(name)):
            raise InputError(f"{option}: cannot write {shorten(name)!r}, expected a new file")
        if any(one is not None and same_file(name, one) for one in inputs):
            raise InputError(f"{option}: {shorten(name)} is an input, expected another file")
    if vectors is not None and vectors == problem:
        raise InputError("--vectors and --problem: expected two files")


def _can_be_written(path: Path) -> bool:
    try:
        return path.parent.is_dir() and os.access(path.parent, os.W_OK) and not path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def written_vectors(asked: FunctionQuestion, name: str) -> str:
    """Write the cases with their exact answers; return the sentence about it."""
    write_vectors(asked.cases(delta=True), name)
    return f"wrote {name}: test vectors for any language, cases with their exact answers"


def failing_problem(result: CrosscheckResult, name: str) -> str:
    """Write the smallest failing case as a problem file; return the sentence about it."""
    failing = [one for one in result.smallest if one.outcome is not CaseOutcome.WASTEFUL]
    for one in failing[:1]:
        if one.problem is not None:
            one.problem.save(name)
            asking = "certify" if one.stated else _ASKING[result.kind]
            return f"wrote {name}: the first failing case above; pfverify {asking} {name}"
    return f"nothing failed, so {name} was not written"


def map_result(
    function: str,
    d_in: str | None,
    stated: str | None,
    delta: str | None,
    waste: float | None,
    problem: str | None,
    limits: Limits,
) -> MapResult:
    """Return what the map of MODULE:FUNCTION, or of a file, comes to at the distances asked.

    Raises InputError for distances that are none, what states no measurement, and a file that
    cannot be written.
    """
    loose = Promised().waste if waste is None else Promised(waste=waste).waste
    asked = MapQuestion(
        [] if d_in is None else distances_of(d_in),
        None if delta is None else float(number_of(delta, "delta")),
        None if stated is None else values_of_file(Path(stated)),
        loose, gated=waste is not None,
    )  # fmt: skip
    of_file = function.lower().endswith(".json")
    source = function if of_file else function.rpartition(":")[0]
    _check_written(None, problem, [source, stated])
    return (held_file if of_file else held_function)(function, asked, limits)


def failing_map(result: MapResult, name: str) -> str:
    """Write the first distance at which a map is wrong as a problem; return the sentence of it."""
    for one in result.values:
        if one.outcome is CaseOutcome.UNSOUND and one.problem is not None:
            one.problem.save(name)
            return f"wrote {name}: d_in = {one.d_in} above; pfverify certify {name}"
    return f"nothing failed, so {name} was not written"


def curve_result(
    name: str,
    problem: Problem,
    curve: str,
    *,
    places: str | None,
    waste: float | None,
    limits: Limits,
    report: Callable[[int, int], None],
) -> HeldCurve:
    """Return what the points of a file, or of MODULE:FUNCTION at some places, come to.

    Raises InputError for places that are none, and what states no points of the curve.
    """
    loose = Promised().waste if waste is None else Promised(waste=waste).waste
    asked = CurveQuestion(problem, curve, loose, gated=waste is not None)
    if name.lower().endswith((".csv", ".json")):
        if places is not None:
            raise InputError("--places: a file has its own places, so leave it out")
        return held_table(name, asked, report)
    if places is None:
        raise InputError(f"--kind {CURVE}: at which places? expected --places 1/2,1, or a file")
    return held_called(name, places_of(places, curve), asked, limits, report)


def sampler_result(
    function: str,
    kind: str,
    problem: Problem,
    *,
    draws: int | None,
    level: str | None,
    excess: str | None,
    seed: int | None,
    limits: Limits,
    report: Callable[[int, int], None],
) -> SamplerResult:
    """Return what MODULE:FUNCTION, or a file DRAWS.csv, comes to against the law of a problem.

    Raises InputError for numbers that are none, a file without draws, and a function that does not
    return them.
    """
    share = LEVEL if level is None else rational(level, "level")
    sought = None if excess is None else _excess(excess)
    keys = list(priors_of(problem))
    if function.lower().endswith(".csv"):
        if draws is not None or seed is not None:
            raise InputError("--draws and --seed: a file has its own draws, so leave them out")
        numeric = not problem.release.named
        found = draws_of_file(Path(function), keys, numeric=numeric)
        plan = planned(problem, kind, {key: len(found[key]) for key in keys}, share)
        return plan.result(found, function, called=False, seed=None, excess=sought)
    number, start = DRAWS if draws is None else draws, 0 if seed is None else seed
    if not 1 <= number <= MOST:
        raise InputError(f"--draws: {number} is no number from 1 to {MOST}")
    return called(
        function, kind, problem, draws=number, level=share, excess=sought, seed=start,
        limits=limits, report=report,
    )  # fmt: skip


def _excess(text: str) -> Fraction:
    found = rational(text, "excess")
    if not 0 < found <= 1:
        raise InputError(f"excess: {shorten(text)!r} is no number above 0 and at most 1")
    return found
