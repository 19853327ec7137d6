"""Scales of noise that steps follow: there is no least one, as more noise may be less private."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.answers.certify import certify
from pfverify.answers.methods import CalibrateResult, Method, Minimum, spread
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.published import Infinite, extended, real
from pfverify.model.notion import Bound
from pfverify.model.priors.nothing import Nothing
from pfverify.model.problem import Problem

NO_MINIMUM = (
    "steps follow the noise, so that more noise is not always more private, and no smallest scale "
    "is looked for"
)
_BELOW = (
    "the least of the scales below that were tried one by one and are certified; what lies between "
    "is not decided"
)
_TRIED = 20  # scales below the one that is private without the steps, each 3/4 of the last


def scales_with_steps(
    problem: Problem,
    least: Callable[[Problem], Minimum],
    digits: int,
    progress: Callable[[int, int], None] | None = None,
) -> CalibrateResult:
    """Return the scale that is private without the steps, and smaller ones that are with them.

    `least` brackets the least scale of a problem without steps, of which a fact says that every
    larger scale is private too. From there up every scale is private with the steps: whatever is
    done to a private release keeps it private. Each smaller scale is decided by itself.
    Raises InputError for the pointwise form, which no step keeps, for a prior without numbers, and
    for noise of which no such fact is known.
    Source: design fact F46; post-processing.
    """
    if problem.notion.exceeding is Bound.EXCESS:
        raise InputError(
            "form: a bound of single outputs does not survive a step, which may join them, so that "
            'no scale without the steps says anything; expected form = "events"'
        )
    noise = problem.release.noise
    laws = [law for table in problem.beliefs.values() for law in table.values()]
    if any(isinstance(law, Nothing) for law in laws):
        raise InputError(
            "calibrate: a prior of kind nothing is no number, so that no scale without the steps "
            "is known; certify decides one scale"
        )
    if noise.more_scale is None:
        raise InputError(f"calibrate: no fact says that a larger scale of {noise.kind} is private")
    bare = least(problem.under(noise))
    methods: dict[str, Method] = {}
    reasons = {"minimum": NO_MINIMUM}

    def certified(scale: str) -> Method:
        sd, mean = spread(noise, scale, digits)
        return Method(extended(scale), None, Verdict.CERTIFIED, None, sd, mean)

    if bare.verdict is Verdict.CERTIFIED and not isinstance(bare.upper, Infinite):
        methods["unprocessed"] = certified(str(bare.upper))
        for tried in range(1, _TRIED + 1 if bare.upper else 1):
            text = decimal_upper(Fraction(bare.upper) * Fraction(3, 4) ** tried, digits)
            if certify(problem.replaced(scale=text), digits=1).verdict is Verdict.CERTIFIED:
                methods["below"] = certified(text)
            if progress:
                progress(tried + 1, _TRIED + 1)
        if "below" not in methods:
            reasons["below"] = "no scale below is certified, of those that were tried"
    else:
        reasons["unprocessed"] = bare.reason or "it could not be decided"
    return CalibrateResult(
        epsilon=real(problem.epsilon),
        delta=real(problem.delta),
        form=problem.form,
        noise=noise.kind,
        methods=methods,
        minimum=Minimum("0", bare.upper, NO_MINIMUM),
        not_applicable=reasons,
        assumed=[*assumed(problem), *([f"below: {_BELOW}"] if "below" in methods else [])],
        pairs_decided=len(problem.pairs) * len(problem.beliefs),
        pairs_bounded=0,
        notion=problem.named_notion,
        problem=problem,
    )
