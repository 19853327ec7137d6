"""`assert_sound`: a cross-check as one line of a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from pfverify.crosscheck.calling import KEYWORDS, replied
from pfverify.crosscheck.curves.held import CURVE
from pfverify.crosscheck.finding import Promised
from pfverify.crosscheck.maps.held import MAP
from pfverify.crosscheck.process import SubjectProcess
from pfverify.crosscheck.question import FunctionQuestion, question, question_about
from pfverify.crosscheck.replay import case_of
from pfverify.crosscheck.reply import Reply, reply_of
from pfverify.crosscheck.run import Callee, CrosscheckFindings, CrosscheckResult, crosscheck
from pfverify.crosscheck.samplers.called import DRAWS, called
from pfverify.crosscheck.samplers.plan import KINDS as SAMPLERS
from pfverify.crosscheck.samplers.plan import LEVEL
from pfverify.crosscheck.samplers.result import SamplerFindings
from pfverify.errors import InputError, require, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import rational
from pfverify.model.problem import Problem, as_problem
from pfverify.outward import outward
from pfverify.testing.curves import assert_curve
from pfverify.testing.maps import assert_map
from pfverify.workers.function import Limits
from pfverify.workers.loading import Function, SignatureError, taken
from pfverify.workers.place import place_of

_LIMITS = Limits()
_CLAIM = Promised()


def assert_sound(
    function: Function | str | Mapping[Any, Any],
    kind: str | None = None,
    *,
    cases: int = 200,
    noise: str | None = None,
    laws: str = "atoms",
    seed: int = 0,
    claim: str | None = None,
    digits: int = _CLAIM.digits,
    waste: float | None = None,
    tolerance: float = _CLAIM.tolerance,
    absolute: float = _CLAIM.absolute,
    epsilons: tuple[float, float] | None = None,
    case: str | None = None,
    problem: Problem | str | Path | None = None,
    draws: int = DRAWS,
    level: AnyNumber = LEVEL,
    d_in: Any = None,
    claims: Any = None,
    delta: float | None = None,
    curve: str | None = None,
    places: Any = None,
    isolated: bool = False,
    timeout: float = _LIMITS.timeout,
    memory: int = _LIMITS.memory,
) -> None:
    """Ask a function many cases; pass if every answer is sound, exactly, for its floats.

    `kind` is scale, loss, delta, density, plan, relaxed_columns or accountant (sampler and release:
    see below), and the other parameters are the options of ``pfverify crosscheck``; `epsilons`, the
    least and the largest one to ask about.
    The function runs in this process, where an error that it raises is a failure, and what ends or
    hangs the process ends or hangs the tests; with `isolated` it is imported in a process of its
    own, under `timeout` seconds per call and `memory` MiB. `case` asks one case alone, as the text
    that a failure prints. That it passes certifies no function.

    A function of kind sampler, or release, draws so many `draws` of each secret of a `problem` (or
    of the name of its file), always in a process of its own. It passes unless what it draws refutes
    its law, or its epsilon and delta too, or its digits tell a secret, at this `level`.

    Of kind map `function` is an OpenDP measurement, or a function that makes one: what its map says
    at every distance `d_in` (a number, or a list of them, or of tuples) has to be enough; `delta`
    as of `pfverify.bridges.opendp.map_verdict`. In place of `d_in` the map may be stated, as
    `claims` (``{1: 0.5}``, or ``{1: (0.5, 1e-6)}``), also of the text or dict that a measurement
    serializes to, for which OpenDP is not needed.

    Of kind curve `function` is a function of one number, or a table of points
    (``{"1/2": 0.01}``, or a list of rows as a CSV file has them), held to a `curve` of a `problem`:
    profile, trade-off, odds or renyi. A function is asked at `places` (a number, or a list).

    Raises AssertionError with what was found, the smallest failing case and how to ask it again,
    also for answers that could not be decided; InputError for arguments that ask nothing.
    Example: ``assert_sound(3, "scale")`` raises "a function: expected one, got int".
    """
    __tracebackhide__ = True
    if isinstance(kind, str) and kind == CURVE:
        _refuse_given(
            kind, cases=(cases, 200), noise=(noise, None), laws=(laws, "atoms"), seed=(seed, 0),
            claim=(claim, None), digits=(digits, _CLAIM.digits),
            tolerance=(tolerance, _CLAIM.tolerance), absolute=(absolute, _CLAIM.absolute),
            epsilons=(epsilons, None), case=(case, None), draws=(draws, DRAWS),
            level=(level, LEVEL), d_in=(d_in, None), claims=(claims, None), delta=(delta, None),
        )  # fmt: skip
        limits = Limits(timeout, memory) if isolated else None
        assert_curve(function, problem, curve, places, waste, limits)
        return
    _refuse_given(kind, curve=(curve, None), places=(places, None))
    if isinstance(kind, str) and kind == MAP:
        _refuse_given(
            kind, cases=(cases, 200), noise=(noise, None), laws=(laws, "atoms"), seed=(seed, 0),
            claim=(claim, None), digits=(digits, _CLAIM.digits),
            tolerance=(tolerance, _CLAIM.tolerance), absolute=(absolute, _CLAIM.absolute),
            epsilons=(epsilons, None), case=(case, None), problem=(problem, None),
            draws=(draws, DRAWS), level=(level, LEVEL),
        )  # fmt: skip
        limits = Limits(timeout, memory) if isolated else None
        assert_map(function, d_in, claims, delta, waste, limits)
        return
    _refuse_given(kind, d_in=(d_in, None), claims=(claims, None), delta=(delta, None))
    if not callable(function):
        raise InputError(f"a function: expected one, got {type(function).__name__}")
    if isinstance(kind, str) and kind in SAMPLERS:
        _refuse_given(
            kind, cases=(cases, 200), noise=(noise, None), laws=(laws, "atoms"),
            claim=(claim, None), digits=(digits, _CLAIM.digits), waste=(waste, None),
            tolerance=(tolerance, _CLAIM.tolerance), absolute=(absolute, _CLAIM.absolute),
            epsilons=(epsilons, None), case=(case, None),
        )  # fmt: skip
        _assert_drawn(function, kind, problem, draws, level, seed, Limits(timeout, memory))
        return
    _refuse_given(kind, problem=(problem, None), draws=(draws, DRAWS), level=(level, LEVEL))
    if claim is not None:
        require(claim, str, "claim")
    held = Promised(claim, digits, _CLAIM.waste if waste is None else waste, tolerance, absolute)
    if case is None:
        asked = question(
            _text(kind), noise=noise, laws=laws, count=cases, seed=seed, claim=held,
            epsilons=epsilons,
        )  # fmt: skip
    else:
        if epsilons is not None:
            raise InputError("epsilons: the case has its own epsilon")
        asked = question_about(case_of(case), None if kind is None else _text(kind), held)
    name = getattr(function, "__qualname__", type(function).__name__)
    subject: AbstractContextManager[Callee] = nullcontext(_Here(function, asked))
    if isolated:
        place, limits = place_of(function, ", or isolated=False"), Limits(timeout, memory)
        name = place.text
        subject = SubjectProcess(place, asked.parameters, expected=asked.signature, limits=limits)
    with subject as callee:
        result = crosscheck(callee, name, asked, gated=waste is not None)
    if result.found is not CrosscheckFindings.NOTHING:
        raise AssertionError("\n".join(_said(result)))


def _refuse_given(kind: object, **given: tuple[object, object]) -> None:
    """Raise InputError where something, beside its default, is given that a kind does not take."""
    for name, (value, default) in given.items():
        if type(value) is not type(default) or value != default:
            raise InputError(f"{name}: nothing that the kind {shorten(kind)} takes")


def _assert_drawn(
    function: Function,
    kind: str,
    problem: Problem | str | Path | None,
    draws: int,
    level: AnyNumber,
    seed: int,
    limits: Limits,
) -> None:
    """Pass unless draws refute the law, or the claim, of a problem."""
    __tracebackhide__ = True
    if problem is None:
        raise InputError(f"problem: missing, a {kind} is held to the law of one")
    result = called(
        place_of(function).text, kind, as_problem(problem), draws=draws,
        level=rational(level, "level"), seed=seed, limits=limits,
    )  # fmt: skip
    if result.found is not SamplerFindings.NOT_REFUTED:
        raise AssertionError("\n".join(outward("said_of_draws")(result)))


def _text(kind: str | None) -> str:
    """Return the name of a kind; InputError for what is no text."""
    require(kind, str, "kind")
    return str(kind)


class _Here:
    """A function in this process."""

    def __init__(self, function: Function, asked: FunctionQuestion) -> None:
        self._function = function
        try:
            self.takes = taken(function, asked.parameters, KEYWORDS)
        except SignatureError as error:
            raise InputError(f"wrong signature, expected {asked.signature}; {error}") from None

    def call(self, values: Sequence[Any], named: dict[str, float]) -> Reply:
        """Return what comes of a call; what is for the tests as a whole is raised again."""
        return reply_of(*replied(self._function, values, named, (Exception, SystemExit)))


def _said(result: CrosscheckResult) -> list[str]:
    """What was found, in lines."""
    counts = ", ".join(f"{one.count} {one.outcome}" for one in result.outcomes)
    lines = [f"{result.function} is not sound: {result.found} ({counts})"]
    for one in result.smallest:
        lines += [f"{one.outcome}: {one.words}", f"  again: assert_sound(..., case={one.text!r})"]
    return [*lines, *result.assumed]
