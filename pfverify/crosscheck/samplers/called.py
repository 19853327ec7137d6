"""A sampler that is called, from its draws to what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from pfverify.crosscheck.samplers.drawing import ROUNDED, drawn
from pfverify.crosscheck.samplers.plan import LEVEL, planned, priors_of
from pfverify.crosscheck.samplers.result import SamplerResult
from pfverify.errors import InputError, shorten
from pfverify.model.problem import Problem
from pfverify.workers.function import Limits

DRAWS = 100_000
"""How many draws of each secret are asked for, if nobody says."""
MOST = 10**7
"""And how many at most."""


def called(
    function: str,
    kind: str,
    problem: Problem,
    *,
    draws: int = DRAWS,
    level: Fraction = LEVEL,
    excess: Fraction | None = None,
    seed: int = 0,
    limits: Limits,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> SamplerResult:
    """Return what MODULE:FUNCTION comes to against the law of a problem, or its claim too.

    `kind` is "sampler" or "release". Raises InputError for another number of draws than 1 to 10**7,
    and for a function that does not return them.
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or not 1 <= draws <= MOST:
        raise InputError(f"draws: {shorten(draws)} is no number from 1 to {MOST}")
    plan = planned(problem, kind, dict.fromkeys(priors_of(problem), draws), level)
    sampled = drawn(function, problem, plan.draws, seed, limits, report)
    result = plan.result(sampled.draws, function, called=True, seed=seed, excess=excess)
    more = [] if problem.release.named else [ROUNDED]
    if sampled.unlimited is not None:
        more.append(f"its memory was not limited: {sampled.unlimited}")
    return replace(result, assumed=[*result.assumed, *more])
