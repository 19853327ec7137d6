"""All the scales of a problem, side by side, each with its verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import cast

from pfverify.answers.calibrate_steps import said_of_scales, scales_one_by_one
from pfverify.answers.decided import DecidedScale, decided_at
from pfverify.answers.dummies import calibrate_dummies
from pfverify.answers.methods import (
    CalibrateResult,
    Minimum,
    MinimumMethod,
    method_of,
    waste_of,
)
from pfverify.answers.outcome import asked_within, checked_digits, checked_progress
from pfverify.answers.stated import stated
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.decimals import decimal_text
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.published import extended
from pfverify.exact.search import UndecidedError
from pfverify.model.alone import estimate_of
from pfverify.model.channels.tupling import Tupling
from pfverify.model.noises.none import NoNoise
from pfverify.model.problem import Problem, as_problem
from pfverify.model.sources.families import Families
from pfverify.results import DEFAULT_DIGITS
from pfverify.scales.minimum import least_of
from pfverify.scales.pairs import Pairs
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.table import recipes_for

_MEMBERS = 60  # pairs of members of families, up to which recipes are worked out for all
_TOO_MANY = f"more than {_MEMBERS} pairs of members of families: recipes are for few"


def calibrate(
    problem: Problem | str | Path,
    *,
    digits: int = DEFAULT_DIGITS,
    gap: AnyNumber | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CalibrateResult:
    """Return every noise scale that applies, with its verdict, and the least private one.

    They are those of `scales_of`. Of a tupling channel it is the least number of dummies, a
    `DummiesResult`, which no type of a problem tells apart: callers who ask about noise keep
    theirs.

    `problem` may be the name of its file; `gap` is as of `certify`. `progress(done, total)` is
    called now and then.
    Raises InputError as `scales_of` and `least_dummies` do.

    Example: ``calibrate(problem).minimum.upper``.
    """
    checked_progress(progress)
    problem, digits = as_problem(problem), checked_digits(digits)
    if isinstance(problem.release, Tupling):
        return cast("CalibrateResult", calibrate_dummies(problem, progress=progress))
    with asked_within(gap):
        return scales_of(problem, digits=digits, progress=progress)


def scales_of(
    problem: Problem | str | Path,
    *,
    digits: int = DEFAULT_DIGITS,
    progress: Callable[[int, int], None] | None = None,
) -> CalibrateResult:
    """Return every applicable noise scale with its verdict, and the bracketed minimum.

    `problem` may be the name of its file; its own scale is ignored. `scale` of each method is a
    decimal of `digits` significant digits, rounded up, and the verdict is about exactly that
    decimal; a refuted one comes with a `witness`. `progress(done, total)` is called after every
    method. Where the minimum cannot be decided its verdict is undecided, with the reason, and the
    other scales are there. Where no fact says that a larger scale is never less private, no
    minimum is looked for: the scales are those of `scales_one_by_one`.
    Raises InputError for noise of kind none, and where a channel releases.

    Example: ``scales_of(problem).minimum.upper``.
    Source: noise-reduction paper (4), (13), (26); Gaussian-priors paper (5), (6), (13), (15),
    (22), (23); design facts F2, F8, F9.
    """
    checked_progress(progress)
    problem, digits = as_problem(problem), checked_digits(digits)
    problem.release.require_scale("calibrate")
    if isinstance(problem.release.noise, NoNoise):
        raise InputError(
            "noise.kind: none has no scale to find; name a kind of noise: laplace, "
            "discrete-laplace or gaussian"
        )
    if problem.release.more_scale is None:
        return scales_one_by_one(problem, lambda bare: least_scale(bare, digits), digits, progress)
    asked = RecipeProblem.of(problem, Grid(digits))
    recipes = recipes_for(asked)
    total = len(recipes) + 1
    pairs = Pairs(problem)
    minimum = _least(pairs, digits)
    if progress:
        progress(1, total)
    found: dict[str, tuple[str, Number | None]] = {}
    not_applicable: dict[str, str] = {}
    decisions: dict[str, DecidedScale] = {}
    many = problem.source.stands_for is not None and len(asked.items) > _MEMBERS
    for done, recipe in enumerate(recipes, 2):
        if many:
            not_applicable[recipe.name] = _TOO_MANY
            continue
        try:
            least, exact = recipe.proposal(asked)
        except (InputError, UndecidedError) as error:
            not_applicable[recipe.name] = str(error)
        else:
            scale = asked.grid.text(least)
            if scale not in decisions:
                decisions[scale] = decided_at(pairs, scale)
            found[recipe.name] = scale, exact
        if progress:
            progress(done, total)
    minimum = _at_most_certified(minimum, decisions)
    methods = {
        name: method_of(
            problem.release.noise,
            scale,
            decisions[scale].verdict,
            digits,
            exact=exact,
            waste=waste_of(scale, minimum.upper),
            worst=decisions[scale].worst,
        )
        for name, (scale, exact) in found.items()
    }
    methods["minimum"] = _minimum_method(problem, minimum, digits)
    return CalibrateResult(
        methods=methods,
        minimum=minimum,
        not_applicable=not_applicable,
        decisions=decisions,
        pairs_decided=pairs.decided,
        pairs_bounded=pairs.bounded,
        estimate=estimate_scale(problem, digits),
        **said_of_scales(problem, methods),
        **stated(problem),
    )


def estimate_scale(problem: Problem, digits: int) -> Minimum | None:
    """Return the minimum for the laws alone that families are around; None where there are none.

    Example: ``estimate_scale(Problem.load("example:census"), 4)`` is None.
    """
    if not isinstance(problem.source, Families) or problem.source.estimate() is None:
        return None
    return least_scale(estimate_of(problem), digits)


def least_scale(problem: Problem, digits: int) -> Minimum:
    """Return the bracketed minimum of all beliefs and pairs; undecided with the reason.

    Example: ``least_scale(problem, 12).upper``.
    """
    return _least(Pairs(problem), digits)


def _least(pairs: Pairs, digits: int) -> Minimum:
    try:
        bracket = least_of(pairs, Grid(digits))
    except UndecidedError as error:
        return Minimum("0", "inf", str(error))
    if bracket.upper is None:
        return Minimum("inf", "inf", bracket.reason)
    lower, upper = decimal_text(bracket.lower, digits), decimal_text(bracket.upper, digits)
    return Minimum(lower, upper, bracket.reason)


def _at_most_certified(minimum: Minimum, decisions: Mapping[str, DecidedScale]) -> Minimum:
    """The minimum, not above a scale that is certified: where the search met undecided ones."""
    enough = [scale for scale, one in decisions.items() if one.verdict is Verdict.CERTIFIED]
    least = min(enough, key=Fraction, default=None)
    searched = minimum.verdict is Verdict.CERTIFIED and minimum.reason is not None
    if not searched or least is None or not extended(least) < minimum.upper:
        return minimum
    return Minimum(minimum.lower, least, minimum.reason)


def _minimum_method(problem: Problem, minimum: Minimum, digits: int) -> MinimumMethod:
    noise, waste = problem.release.noise, waste_of(minimum.upper, minimum.upper)
    row = method_of(noise, minimum.upper, minimum.verdict, digits, waste=waste)
    return MinimumMethod(
        **vars(row), lower=minimum.lower, upper=minimum.upper, reason=minimum.reason
    )
