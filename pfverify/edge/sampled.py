"""What the options of ``pfverify crosscheck`` ask about a sampler, and the draws that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from pfverify.crosscheck.samplers.drawing import ROUNDED, drawn
from pfverify.crosscheck.samplers.plan import LEVEL, planned, priors_of
from pfverify.crosscheck.samplers.reading import draws_of_file
from pfverify.crosscheck.samplers.result import SamplerResult
from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.problem import Problem
from pfverify.workers.function import Limits

DRAWS = 100_000
_MOST = 10**7


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
    if not 1 <= number <= _MOST:
        raise InputError(f"--draws: {number} is no number from 1 to {_MOST}")
    plan = planned(problem, kind, dict.fromkeys(keys, number), share)
    sampled = drawn(function, problem, plan.draws, start, limits, report)
    result = plan.result(sampled.draws, function, called=True, seed=start, excess=sought)
    more = [] if problem.release.named else [ROUNDED]
    if sampled.unlimited is not None:
        more.append(f"its memory was not limited: {sampled.unlimited}")
    return replace(result, assumed=[*result.assumed, *more])


def _excess(text: str) -> Fraction:
    found = rational(text, "excess")
    if not 0 < found <= 1:
        raise InputError(f"excess: {shorten(text)!r} is no number above 0 and at most 1")
    return found
