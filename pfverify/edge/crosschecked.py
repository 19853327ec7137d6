"""What the options of ``pfverify crosscheck`` ask, of functions and of samplers, and its files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from pfverify.crosscheck.curves.held import CURVE, CurveQuestion, held_called, held_table
from pfverify.crosscheck.curves.result import HeldCurve
from pfverify.crosscheck.curves.stated import places_of
from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.isolated import crosscheck_isolated
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
from pfverify.edge.commands.options import check_problem_file, load, refuse_inputs
from pfverify.edge.progress import progress
from pfverify.edge.shipped import write_page
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
_SHIPPED = {"--shipped", "--cases", "--seed", "--timeout", "--memory"}
_OF_CASES = {"--waste", "--problem", "--seed", "--timeout", "--memory"}
_ALWAYS = {"--kind", "--csv", "--json"}


class Asking(NamedTuple):
    """What was written after the options of the command; `given`: which of them were."""

    given: frozenset[str]
    function: str | None
    kind: str | None
    noise: str | None
    laws: str | None
    cases: int
    seed: int
    replay: str | None
    epsilons: str | None
    draws: int | None
    level: str | None
    excess: str | None
    d_in: str | None
    stated_map: str | None
    delta: str | None
    curve_kind: str | None
    places: str | None
    timeout: float
    memory: int
    claim: str | None
    waste: float | None
    digits: int
    absolute: float
    tolerance: float
    vectors: str | None
    problem_file: str | None
    shipped: str | None

    @property
    def limits(self) -> Limits:
        """Those of the function's process."""
        return Limits(self.timeout, self.memory)

    @property
    def wasteful(self) -> float:
        """From how many times the truth an answer is wasteful; InputError for no such number."""
        return Promised().waste if self.waste is None else Promised(waste=self.waste).waste


class Held(NamedTuple):
    """What was found, None where nothing was asked; of which problem; and what was written."""

    result: CrosscheckResult | MapResult | HeldCurve | SamplerResult | None
    problem: Problem | None = None
    done: Sequence[str] = ()


class _Kinds(NamedTuple):
    """Kinds with options of their own: `takes` are all that these have, `own` no other kind has."""

    kinds: tuple[str, ...]
    takes: tuple[str, ...]
    expected: str
    held: Callable[[Asking, str], Held]

    @property
    def own(self) -> list[str]:
        """Those of `takes` that cases do not have."""
        return [option for option in self.takes if option not in _OF_CASES]


def held(ask: Asking) -> Held:
    """Return what the options ask for; InputError where they ask nothing, or do not go together."""
    for one in _SPECIAL:
        if ask.kind in one.kinds:
            if ask.given - {*one.takes, *_ALWAYS}:
                takes = ", ".join(one.takes)
                raise InputError(f"--kind {ask.kind}: takes {takes}, and what is printed")
            if ask.function is None or (ask.problem_file is None and ask.kind != MAP):
                raise InputError(f"--kind {ask.kind}: expected MODULE:FUNCTION or {one.expected}")
            return one.held(ask, ask.function)
        if ask.given & {*one.own}:
            raise InputError(f"{', '.join(one.own)}: only with --kind {' or '.join(one.kinds)}")
    if ask.shipped is not None:
        if ask.function is not None or ask.given - _SHIPPED:
            raise InputError("--shipped: takes --cases, --seed, --timeout and --memory only")
        with progress("asking") as report:
            page = write_page(ask.shipped, ask.cases, ask.seed, ask.limits, report)
        return Held(None, done=[page])
    return _on_cases(ask)


def _on_cases(ask: Asking) -> Held:
    """What a function computes on many cases, or the cases alone."""
    if ask.replay is not None and ask.given & {"--cases", "--seed"}:
        raise InputError("--replay: asks one case, without --cases and --seed")
    asked, function = _question(ask), ask.function
    source = None if function is None else function.rpartition(":")[0]
    if ask.problem_file is not None and not asked.kind.pair:
        raise InputError(f"--problem: a {asked.kind.name} compares nothing, there is no problem")
    _check_written(ask.vectors, ask.problem_file, [source, ask.replay])
    if function is None:
        if ask.vectors is None or ask.problem_file is not None or ask.given & {"--csv", "--json"}:
            raise InputError("expected MODULE:FUNCTION, or --vectors alone to write test vectors")
        return Held(None, done=[_written_vectors(asked, ask.vectors)])
    with progress("asking") as report:
        result = crosscheck_isolated(function, asked, ask.limits, ask.waste, report)
    done = []
    if ask.vectors is not None:
        done.append(_written_vectors(asked, ask.vectors))
    if ask.problem_file is not None:
        done.append(_failing_problem(result, ask.problem_file))
    return Held(result, done=done)


def _question(ask: Asking) -> FunctionQuestion:
    claim = Promised(ask.claim, ask.digits, ask.wasteful, ask.tolerance, ask.absolute)
    kind, replay = ask.kind, ask.replay
    if replay is not None:
        if ask.epsilons is not None:
            raise InputError("--replay: the case has its own epsilon")
        if ask.noise is not None or ask.laws is not None:
            raise InputError("--replay: the case has its own noise and laws")
        return question_about(case_of(replay), kind, claim)
    known = ", ".join((*KINDS, *SAMPLERS, MAP, CURVE))
    if kind is None:
        raise InputError(f"--kind: expected one of {known}")
    if kind not in KINDS:
        raise InputError(f"kind: {shorten(kind)!r} is unknown, expected {known}")
    return question(
        kind, noise=ask.noise, laws=ask.laws or "atoms", count=ask.cases, seed=ask.seed,
        claim=claim, epsilons=None if ask.epsilons is None else _range(ask.epsilons),
    )  # fmt: skip


def _range(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise InputError(
            f"--epsilons: {shorten(text)!r} is no range, expected LOW,HIGH, as in 0.1,10"
        ) from None
    return low, high


def _check_written(
    vectors: str | None, problem: str | None, inputs: Sequence[str | None]
) -> None:
    """Refuse files that cannot be written, or are each other or an input, before any work."""
    given = [Path(one) for one in inputs if one is not None]
    check_problem_file(problem, *given, option="--problem")
    if vectors is not None:
        refuse_inputs(vectors, *given, option="--vectors")
    for option, name in (("--vectors", vectors), ("--problem", problem)):
        if name is not None and not _can_be_written(Path(name)):
            raise InputError(f"{option}: cannot write {shorten(name)!r}, expected a new file")
    if vectors is not None and vectors == problem:
        raise InputError("--vectors and --problem: expected two files")


def _can_be_written(path: Path) -> bool:
    try:
        return path.parent.is_dir() and os.access(path.parent, os.W_OK) and not path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _written_vectors(asked: FunctionQuestion, name: str) -> str:
    """Write the cases with their exact answers; return the sentence about it."""
    write_vectors(asked.cases(delta=True), name)
    return f"wrote {name}: test vectors for any language, cases with their exact answers"


def _failing_problem(result: CrosscheckResult, name: str) -> str:
    """Write the smallest failing case as a problem file; return the sentence about it."""
    failing = [one for one in result.smallest if one.outcome is not CaseOutcome.WASTEFUL]
    for one in failing[:1]:
        if one.problem is not None:
            one.problem.save(name)
            asking = "certify" if one.stated else _ASKING[result.kind]
            return f"wrote {name}: the first failing case above; pfverify {asking} {name}"
    return f"nothing failed, so {name} was not written"


def _of_map(ask: Asking, function: str) -> Held:
    """What the map of a function, or of a file, comes to at the distances asked."""
    asked = MapQuestion(
        [] if ask.d_in is None else distances_of(ask.d_in),
        None if ask.delta is None else float(number_of(ask.delta, "delta")),
        None if ask.stated_map is None else values_of_file(Path(ask.stated_map)),
        ask.wasteful, gated=ask.waste is not None,
    )  # fmt: skip
    of_file = function.lower().endswith(".json")
    source = function if of_file else function.rpartition(":")[0]
    _check_written(None, ask.problem_file, [source, ask.stated_map])
    with progress("asking"):
        found = (held_file if of_file else held_function)(function, asked, ask.limits)
    name = ask.problem_file
    return Held(found, done=[] if name is None else [_failing_map(found, name)])


def _failing_map(result: MapResult, name: str) -> str:
    """Write the first distance at which a map is wrong as a problem; return the sentence of it."""
    for one in result.values:
        if one.outcome is CaseOutcome.UNSOUND and one.problem is not None:
            one.problem.save(name)
            return f"wrote {name}: d_in = {one.d_in} above; pfverify certify {name}"
    return f"nothing failed, so {name} was not written"


def _of_curve(ask: Asking, name: str) -> Held:
    """What the points of a file, or of a function at some places, come to."""
    problem, curve = load(str(ask.problem_file)), ask.curve_kind or "profile"
    asked = CurveQuestion(problem, curve, ask.wasteful, gated=ask.waste is not None)
    of_file = name.lower().endswith((".csv", ".json"))
    if of_file and ask.places is not None:
        raise InputError("--places: a file has its own places, so leave it out")
    with progress("looking") as report:
        if of_file:
            return Held(held_table(name, asked, report), problem)
        if ask.places is None:
            raise InputError(f"--kind {CURVE}: at which places? expected --places 1/2,1, or a file")
        places = places_of(ask.places, curve)
        return Held(held_called(name, places, asked, ask.limits, report), problem)


def _of_sampler(ask: Asking, function: str) -> Held:
    """What a function draws, or a file of draws, comes to against the law of a problem."""
    problem, kind = load(str(ask.problem_file)), str(ask.kind)
    share = LEVEL if ask.level is None else rational(ask.level, "level")
    sought = None if ask.excess is None else _excess(ask.excess)
    if function.lower().endswith(".csv"):
        if ask.given & {"--draws", "--seed"}:
            raise InputError("--draws and --seed: a file has its own draws, so leave them out")
        keys, numeric = list(priors_of(problem)), not problem.release.named
        found = draws_of_file(Path(function), keys, numeric=numeric)
        plan = planned(problem, kind, {key: len(found[key]) for key in keys}, share)
        return Held(plan.result(found, function, called=False, seed=None, excess=sought), problem)
    number = DRAWS if ask.draws is None else ask.draws
    if not 1 <= number <= MOST:
        raise InputError(f"--draws: {number} is no number from 1 to {MOST}")
    with progress("drawing") as report:
        return Held(called(
            function, kind, problem, draws=number, level=share, excess=sought, seed=ask.seed,
            limits=ask.limits, report=report,
        ), problem)  # fmt: skip


def _excess(text: str) -> Fraction:
    found = rational(text, "excess")
    if not 0 < found <= 1:
        raise InputError(f"excess: {shorten(text)!r} is no number above 0 and at most 1")
    return found


_SPECIAL = (
    _Kinds(
        (MAP,),
        ("--d-in", "--map", "--delta", "--waste", "--problem", "--timeout", "--memory"),
        "MEASUREMENT.json", _of_map,
    ),
    _Kinds(
        (CURVE,),
        ("--problem", "--curve", "--places", "--waste", "--timeout", "--memory"),
        "FILE, and --problem FILE", _of_curve,
    ),
    _Kinds(
        tuple(SAMPLERS),
        ("--problem", "--draws", "--level", "--excess", "--seed", "--timeout", "--memory"),
        "DRAWS.csv, and --problem FILE", _of_sampler,
    ),
)  # fmt: skip
"""Kinds that are no cases, in the order in which their options are looked for."""
