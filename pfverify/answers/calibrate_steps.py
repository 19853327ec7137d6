"""Scales where none is known to be the least: more noise may be less private.

So it is once steps follow the noise (F46), and with truncated Laplace and discrete Gaussian noise.
Every scale is decided by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from pfverify.answers.certify import certify
from pfverify.answers.methods import (
    CalibrateResult,
    Method,
    Minimum,
    method_of,
)
from pfverify.answers.stated import stated
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.published import Infinite, extended
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.notion import Bound
from pfverify.model.priors.nothing import Nothing
from pfverify.model.problem import Problem
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import Repeated
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.table import recipes_for

_STEPS = (
    "steps follow the noise, so that more noise is not always more private, and no smallest scale "
    "is looked for"
)
_KIND = (
    "more {kind} noise is not always more private, so that no smallest scale is looked for: each "
    "is decided by itself"
)
_SAID = (
    "the least of the scales{} that were tried one by one and are certified; what lies between is "
    "not decided"
)
_WHERE = {"below": " below", "tried": ""}
_DOUBLINGS = 24  # of a scale, until one is certified
_HALVINGS = 16  # between the last scale that is certified, of a choice, and the next one tried
_FINER = Fraction(3, 4)  # of a scale that is tried, the next one
_BELOW = range(1, 21)  # its powers, from the scale that is private without the steps
_AROUND = range(-6, 21)  # and from a published one


def scales_one_by_one(
    problem: Problem,
    least: Callable[[Problem], Minimum],
    digits: int,
    progress: Callable[[int, int], None] | None = None,
) -> CalibrateResult:
    """Return published scales, each decided, and others that are certified one by one.

    `least` brackets the least scale of a problem without steps, of which a fact says that every
    larger scale is private too. From there up every scale is private with the steps: whatever is
    done to a private release keeps it private. For noise without such a fact the scales are those
    of its recipes.
    Raises InputError for another kind of release, for the pointwise form where no step keeps it,
    for a prior without numbers, and for noise without a scale.
    Source: design fact F46; post-processing.
    """
    stepped = isinstance(problem.release, Stepped | Selected)
    if not stepped and not isinstance(problem.release, Noise | Coordinates | Repeated):
        raise InputError(
            f"calibrate: no fact says that a larger scale of {problem.release.kind} is never less "
            "private, nor what its noise alone says of it; certify decides one scale"
        )
    if stepped and problem.notion.exceeding is Bound.EXCESS:
        raise InputError(
            "form: a bound of single outputs does not survive a step, which may join them, so that "
            'no scale without the steps says anything; expected form = "events"'
        )
    noise = problem.release.noise
    laws = [law for table in problem.beliefs.values() for law in table.values()]
    if any(isinstance(law, Nothing) for law in laws):
        raise InputError(
            "calibrate: a prior of kind nothing is no number, so that no scale without the steps "
            "is known; certify decides one scale, and --threshold finds the least threshold at it"
        )
    reasons = {"minimum": _STEPS if stepped else _KIND.format(kind=noise.kind)}
    methods: dict[str, Method] = {}
    one = _OneByOne(problem, digits)
    chosen = isinstance(problem.release, Selected)
    if noise.more_scale is None and chosen:  # nothing is known of the noise alone
        name, powers, start = "tried", _BELOW, one.grown(_own(problem))
    elif noise.more_scale is None:
        name, powers = "tried", _AROUND
        one.published(methods, reasons)
        start = max((Fraction(row.scale) for row in methods.values()), default=_own(problem))
    else:
        name, powers, start = "below", _BELOW, Fraction(0)
        bare = least(problem.under(_before(problem.release)))
        if bare.verdict is Verdict.CERTIFIED and not isinstance(bare.upper, Infinite):
            start = Fraction(bare.upper)
            methods["unprocessed"] = one.certified(str(bare.upper))
        else:
            reasons["unprocessed"] = bare.reason or "it could not be decided"
            if chosen:
                name, start = "tried", one.grown(_own(problem))
    for done, power in enumerate(powers if start else (), 2):
        found = one.row(decimal_upper(start * _FINER**power, digits))
        if found.certified:
            methods[name] = found
        if progress:
            progress(done, len(powers) + 1)
    if name in methods and chosen:
        methods[name] = _nearer(one, methods[name], digits)
    if name not in methods and (start or chosen):
        reasons[name] = f"no scale{_WHERE[name]} is certified, of those that were tried"
    enough = [row.scale for row in methods.values() if row.certified and row.bound is None]
    upper = methods["unprocessed"].scale if "unprocessed" in methods else min(
        enough, default=extended("inf")
    )
    return CalibrateResult(
        methods=methods,
        minimum=Minimum("0", upper, reasons["minimum"]),
        not_applicable=reasons,
        pairs_decided=len(problem.pairs) * len(problem.beliefs),
        pairs_bounded=0,
        **said_of_scales(problem, methods),
        **stated(problem),
    )


def _before(release: Release) -> Release:
    """What steps, or a choice, follow: the noise."""
    return release.before if isinstance(release, Selected) else release.noise


def _nearer(one: _OneByOne, found: Method, digits: int) -> Method:
    """The least certified scale that halvings find below one; the next one tried is not."""
    low, high = Fraction(found.scale) * _FINER, Fraction(found.scale)
    for _ in range(_HALVINGS):
        row = one.row(decimal_upper((low + high) / 2, digits))
        if row.certified:
            found, high = row, Fraction(row.scale)
        else:
            low = Fraction(row.scale)
    return found


def said_of_scales(problem: Problem, names: Iterable[str]) -> dict[str, Any]:
    """Return of which of several noisy numbers scales are (`several`), and what is `assumed`.

    `names`: of the methods, some of which were tried at scales one by one.
    Example: ``said_of_scales(problem, ["l1"])["several"]`` is None.
    """
    several, of, words = problem.release.several, problem.release.whose_scale, assumed(problem)
    if problem.release.more_scale is None:
        tried = [f"{name}: {_SAID.format(_WHERE[name])}" for name in names if name in _WHERE]
        return {"several": of or several, "assumed": [*words, *tried]}
    of = "of every coordinate" if of is None and problem.numbers else of
    if of not in (None, several):  # the scales of the file are no part of it
        words = [f"scales {of}" if word == several else word for word in words]
    return {"several": of, "assumed": words}


def _own(problem: Problem) -> Fraction:
    """About the scale that the problem has; 1 without one."""
    scale = problem.release.noise.scale
    middle = Fraction(1) if scale is None else Fraction(scale.ball().midpoint())
    return middle or Fraction(1)


class _OneByOne:
    """A problem whose scales are decided each by itself."""

    def __init__(self, problem: Problem, digits: int) -> None:
        self.problem, self.digits = problem, digits
        self.noise = problem.release.noise

    def certified(self, scale: str) -> Method:
        """The row of a scale that is private without the steps."""
        return method_of(self.noise, scale, Verdict.CERTIFIED, self.digits)

    def grown(self, scale: Fraction) -> Fraction:
        """A scale above one that is certified, from this on each twice the last; 0 if none is."""
        for _ in range(_DOUBLINGS):
            if self.row(decimal_upper(scale, self.digits)).certified:
                return scale / _FINER
            scale *= 2
        return Fraction(0)

    def row(self, scale: str, exact: Number | None = None, own: Noise | None = None) -> Method:
        """The row of a scale, decided; or of noise that a recipe has of its own."""
        noise = self.noise.with_scale(scale) if own is None else own
        release = self.problem.release
        followed: Release = noise
        if isinstance(release, Stepped):
            followed = Stepped(noise, release.steps)
        elif isinstance(release, Selected):
            followed = release.with_scale(scale)
        elif isinstance(release, Coordinates):
            followed = release.of(noise)
        elif isinstance(release, Repeated):
            first = release.one
            followed = release.of(first.of(noise) if isinstance(first, Coordinates) else noise)
        found = certify(self.problem.under(followed), digits=1)
        bound = own.bound if isinstance(own, TruncatedLaplace) else None
        return method_of(
            noise,
            scale,
            found.verdict,
            self.digits,
            exact=exact,
            worst=found.pairs[0] if found.verdict is Verdict.REFUTED else None,
            bound=None if bound is None else extended(Grid(self.digits).text(bound)),
        )

    def published(self, methods: dict[str, Method], reasons: dict[str, str]) -> None:
        """Add the rows of the recipes for noise of this kind, or why they do not apply."""
        asked = RecipeProblem.of(self.problem.under(self.noise), Grid(self.digits))
        for recipe in recipes_for(asked):
            try:
                value, form = recipe.scale(asked)
            except (InputError, UndecidedError) as error:
                reasons[recipe.name] = str(error)
            else:
                scale = asked.grid.text(value)
                own = None if recipe.noise is None else recipe.noise(asked, scale)
                methods[recipe.name] = self.row(scale, form, own)
