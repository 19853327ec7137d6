"""Verdicts at many scales and epsilons of one problem, each decided as `certify` decides it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import Path

from pfverify.answers.around import epsilons_around, in_order, nearest_to, scales_around
from pfverify.answers.calibrate import least_scale
from pfverify.answers.certify import certify
from pfverify.answers.methods import Minimum
from pfverify.answers.outcome import (
    CertifyResult,
    Directed,
    checked_digits,
    checked_progress,
    target_text,
)
from pfverify.answers.stated import stated_order
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Decided, Verdict
from pfverify.errors import InputError, require, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.enclosure import Enclosure, largest_of
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import number
from pfverify.exact.published import Real, real
from pfverify.model.noises.none import NoNoise
from pfverify.model.problem import Problem, as_problem
from pfverify.results import DEFAULT_DIGITS, UNSAID, WHERE_SAID, Brief, Shown

VALUES, MOST_VALUES = 60, 1000
"""How many values are decided by default, and at most."""
_EPSILONS = 5  # different ones, where there are scales too
_ALONE = 15  # different ones, where there are none
_DIGITS = 4  # of the ends of the least scale
_KEPT = 40  # ordered pairs that are told at every value
Progress = Callable[[int, int], None]
Key = tuple[str, str, str]
"""A belief, and an ordered pair of its secrets."""


@dataclass(frozen=True, repr=False)
class ExploredValue(Brief, Decided):
    """The verdict at one scale (None: the release has none to change) and one epsilon.

    `loss`, `delta` and `divergence` are the largest of all ordered pairs. `pairs` are those of
    `certify`, worst first: where there are many the worst one, and some that are there at every
    value.
    """

    scale: Real | None
    epsilon: Real
    verdict: Verdict
    loss: Enclosure | None
    delta: Enclosure | None
    pairs: list[Directed]
    divergence: Enclosure | None = field(default=None, metadata=WHERE_SAID)

    def _line(self) -> str:
        at = "" if self.scale is None else f"scale {shorten(self.scale, 24)}, "
        return f"{at}epsilon {shorten(self.epsilon, 24)}: {self.verdict.value}"


@dataclass(frozen=True, repr=False)
class Explored(Shown, NoTruth, ask="read .values"):
    """What was decided at some scales and epsilons; nothing is said about what lies between them.

    `scales` is empty where the release has none to change; `values` are there for every scale, and
    for each of these every epsilon, both from the smallest; `minimum` encloses the least private
    scale, and is None where none is looked for; `ordered_pairs` is how many a value is about;
    `start` is the place of the problem's own value, or of what is nearest to it.
    """

    epsilon: Real
    delta: Real
    form: str
    noise: str
    scales: list[Real]
    epsilons: list[Real]
    minimum: Minimum | None
    values: list[ExploredValue]
    ordered_pairs: int
    assumed: list[str]
    problem: Problem = field(metadata=UNSAID, repr=False, compare=False)
    channel: str | None = field(default=None, metadata=WHERE_SAID)
    notion: str | None = field(default=None, metadata=WHERE_SAID)
    several: str | None = field(default=None, metadata=WHERE_SAID)
    order: Real | None = field(default=None, metadata=WHERE_SAID)
    start: int = field(default=0, metadata=UNSAID)

    def at(self, scale: int, epsilon: int) -> ExploredValue:
        """Return what was decided at the scale and the epsilon of these places."""
        return self.values[scale * len(self.epsilons) + epsilon]

    def _line(self) -> str:
        return f"{len(self.values)} values about {target_text(self.epsilon, self.delta)}"

    def _parts(self) -> Sequence[Brief]:
        return self.values


@dataclass(frozen=True)
class Places:
    """Where a problem is decided: scales (none: it has none to change) and epsilons, in order."""

    scales: Sequence[Real]
    epsilons: Sequence[Real]
    minimum: Minimum | None

    @property
    def count(self) -> int:
        """How many values that are."""
        return max(1, len(self.scales)) * len(self.epsilons)


def explored(
    problem: Problem | str | Path,
    places: Places,
    *,
    digits: int = DEFAULT_DIGITS,
    progress: Progress | None = None,
) -> Explored:
    """Decide a problem at every scale and every epsilon of some places.

    Each is asked of `certify`, with so many `digits`: it takes as long as these take together.
    `progress(done, total)` is called after every value. Raises InputError as `certify`.
    Example: ``explored(problem, places_of(problem, values=6)).values[0].verdict``.
    """
    checked_progress(progress)
    problem, digits = as_problem(problem), checked_digits(digits)
    scales: list[Real | None] = [*places.scales] or [None]
    at = [(scale, epsilon) for scale in scales for epsilon in places.epsilons]
    start = _start(problem, places)
    values: dict[int, ExploredValue] = {}
    kept: set[Key] | None = None
    for k in [start, *(k for k in range(len(at)) if k != start)]:
        scale, epsilon = at[k]
        found = certify(problem.replaced(epsilon=epsilon, scale=scale), digits=digits)
        if kept is None:
            kept = {key_of(pair) for pair in found.pairs[:_KEPT]}
        values[k] = _value(found, scale, kept)
        if progress is not None:
            progress(len(values), len(at))
    return Explored(
        epsilon=real(problem.epsilon), delta=real(problem.delta), form=problem.form,
        noise=problem.release.noise.kind, scales=[*places.scales], epsilons=[*places.epsilons],
        minimum=places.minimum, values=[values[k] for k in range(len(at))],
        ordered_pairs=len(found.pairs), channel=found.channel, notion=found.notion,
        assumed=assumed(problem, bare=problem.release.noise.adds_nothing),
        several=found.several, order=stated_order(problem), start=start,
        problem=problem,
    )  # fmt: skip


def key_of(pair: Directed) -> Key:
    """Return what tells an ordered pair from the others of a problem.

    Example: ``key_of(certify("example:census").pairs[0])[0]`` is ``"default"``.
    """
    return pair.belief, pair.from_, pair.to


def _value(found: CertifyResult, scale: Real | None, kept: AbstractSet[Key]) -> ExploredValue:
    """What is kept of a verdict: the worst pair, those of these keys, and no proofs."""
    pairs = [pair for k, pair in enumerate(found.pairs) if k == 0 or key_of(pair) in kept]
    return ExploredValue(
        scale, found.epsilon, found.verdict, _largest([pair.loss for pair in found.pairs]),
        _largest([pair.delta for pair in found.pairs]),
        [replace(pair, proof=None) for pair in pairs],
        _largest([pair.divergence for pair in found.pairs]),
    )  # fmt: skip


def _largest(found: Sequence[Enclosure | None]) -> Enclosure | None:
    """The largest of enclosures; None where one is not known."""
    known = [one for one in found if one is not None]
    return largest_of(known) if len(known) == len(found) else None


def _start(problem: Problem, places: Places) -> int:
    """The place of the value of the problem: its scale, or the least one that is certified."""
    k = 0
    if places.scales:
        known = problem.release.noise.scale
        wanted = places.scales[-1] if known is None else real(known)
        if known is None and places.minimum is not None:
            wanted = next((s for s in places.scales if s == places.minimum.upper), wanted)
        k = nearest_to(places.scales, wanted)
    return k * len(places.epsilons) + nearest_to(places.epsilons, real(problem.epsilon))


def places_of(
    problem: Problem,
    *,
    scales: Sequence[AnyNumber] | None = None,
    epsilons: Sequence[AnyNumber] | None = None,
    values: int = VALUES,
) -> Places:
    """Return where to decide a problem: at most so many values around its own.

    There are its own scale, both ends of the least private one, and others around these; its own
    epsilon and others around it. `scales` and `epsilons` take their place where they are given.
    Raises InputError where there would be more than `values`, and as `scales_around`;
    UndecidedError where two of the given ones cannot be told apart.
    Example: ``places_of(Problem.load("example:census"), values=12).count`` is 12.
    """
    require(values, int, "values")
    if isinstance(values, bool):
        raise InputError("values: expected int, got bool")
    if not 1 <= values <= MOST_VALUES:
        raise InputError(f"values: {shorten(values)}, expected a number from 1 to {MOST_VALUES}")
    own = real(problem.epsilon)
    given = None if epsilons is None else _told_apart(epsilons, "epsilon")
    if not has_scale(problem):
        if scales is not None:
            problem.release.with_scale(next(iter(scales), 1))  # says that there is none
        return _bounded([], given or epsilons_around(own, min(values, _ALONE)), None, values)
    minimum = _minimum(problem)
    if scales is None:
        count = values // (len(given) if given else _epsilons_of(values))
        ends = [] if minimum is None else [minimum.lower, minimum.upper]
        found = scales_around(problem, ends, max(1, count))
    else:
        found = _told_apart(scales, "scale")
    few = max(1, min(values // max(1, len(found)), _EPSILONS))
    return _bounded(found, given or epsilons_around(own, few), minimum, values)


def _epsilons_of(values: int) -> int:
    """How many epsilons there are among so many values."""
    return next(count for least, count in ((25, _EPSILONS), (6, 3), (0, 1)) if values >= least)


def has_scale(problem: Problem) -> bool:
    """Say whether the scale of a problem's noise can be changed.

    Example: ``has_scale(Problem.load("example:census"))`` is True; ``has_scale(
    Problem.load("example:home-and-out"))`` is False.
    """
    try:
        problem.release.require_scale("explore")
    except InputError:
        return False
    return not isinstance(problem.release.noise, NoNoise)


def _minimum(problem: Problem) -> Minimum | None:
    """The least private scale; None where no fact says that a larger one is never less private."""
    return None if problem.release.more_scale is None else least_scale(problem, _DIGITS)


def _told_apart(values: Sequence[AnyNumber], what: str) -> list[Real]:
    found = in_order(real(number(value, what)) for value in values)
    if not found:
        raise InputError(f"{what}: expected one number or more")
    return found


def _bounded(
    scales: Sequence[Real], epsilons: Sequence[Real], minimum: Minimum | None, most: int
) -> Places:
    """Places, if there are not too many."""
    places = Places(scales, epsilons, minimum)
    if places.count > most:
        raise InputError(f"values: {places.count} to decide, expected at most {most}")
    return places
