"""The problem that several problems of one number make together: a vector, or many releases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.channels.channel import check_pairs
from pfverify.model.notion import OF_PARTS
from pfverify.model.priors.joint import Joint
from pfverify.model.problem import Problem
from pfverify.model.protection import PUFFERFISH
from pfverify.model.releases.composition import ComposedReleases
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import Repeated, Several, check_collapses
from pfverify.model.requirement import Requirement
from pfverify.model.sources.given import Given
from pfverify.model.sources.inputs import SingleInputs
from pfverify.model.sources.parts import GivenParts
from pfverify.model.sources.source import DEFAULT_BELIEF, Source


class NamedPart(NamedTuple):
    """A problem of one number, and what the number is called."""

    name: str
    problem: Problem

    @property
    def noise(self) -> Noise:
        """Its noise; InputError unless it is one release, and at a scale."""
        noise = self.problem.release
        if not isinstance(noise, Noise):
            raise InputError(f"{self.name}: expected one release of one number, not {noise.kind}")
        check_collapses(noise, self.name)
        self.problem.scale()
        return noise


def jointly(parts: Sequence[NamedPart], joint: Problem) -> Problem:
    """Return the problem of a joint law, in which every coordinate has the noise of its part.

    The target and the pairs are those of the joint problem; its noise is looked at no further than
    that its kind, if any, is the same.
    Raises InputError unless the parts are its coordinates, each with the law that it has there.
    Source: design fact F42.
    """
    _check_one_epsilon(joint)
    noises = {part.name: part.noise for part in parts}
    if len(noises) < len(parts):
        raise InputError("names: two parts have the same name; name them with --names")
    if isinstance(joint.release, Several):
        raise InputError("--joint: it states several releases, and every part is one release")
    first = _alike([*noises.values(), joint.release.noise])
    for belief, table in joint.beliefs.items():
        for secret, law in table.items():
            if not isinstance(law, Joint):
                raise InputError(
                    f"--joint: the prior of {shorten(secret)!r} is of one number, expected joint"
                )
            _check_names(law.names, noises)
            for part in parts:
                own = part.problem.beliefs.get(belief, {}).get(secret)
                if own != law.one(law.names.index(part.name)):
                    raise InputError(
                        f"{part.name}: the prior of {shorten(secret)!r} is not that of its "
                        "coordinate in the joint law"
                    )
            names = law.names
    return joint.under(Coordinates(first, [noises[name].stated_scale() for name in names]))


def repeatedly(
    parts: Sequence[NamedPart],
    draws: str,
    *,
    epsilon: AnyNumber | None = None,
    delta: AnyNumber | None = None,
) -> Problem:
    """Return the problem of as many releases of one X, or of fresh draws, as there are parts.

    `epsilon` and `delta` take the place of those of the parts, which otherwise have to be the same.
    Raises InputError unless all parts have the same priors and pairs.
    Source: design facts F40, F41 and F43.
    """
    noises = [part.noise for part in parts]
    first = _alike(noises)
    _check_one_epsilon(parts[0].problem)
    found = [part.problem.replaced(epsilon=epsilon, delta=delta) for part in parts]
    for part, problem in zip(parts, found, strict=True):
        if problem.under(first) == found[0].under(first):
            continue
        if (problem.beliefs, problem.pairs) != (found[0].beliefs, found[0].pairs):
            raise InputError(
                f"draws: {draws}: the priors or pairs of {part.name} are not those of "
                f"{parts[0].name}, so it is not another release of the same number"
            )
        raise InputError(
            f"{part.name}: the target is not that of {parts[0].name}; say what all of them are "
            "held to together, with --epsilon and --delta"
        )
    scales = [noise.stated_scale() for noise in noises]
    return found[0].under(Repeated(first, scales=scales, draws=draws))


class NamedTimes(NamedTuple):
    """A problem that is decided alone, what it is called, and how many times it is released."""

    name: str
    problem: Problem
    times: int = 1


def separately(
    parts: Sequence[NamedTimes],
    *,
    epsilon: AnyNumber | None = None,
    delta: AnyNumber | None = None,
) -> Problem:
    """Return the problem of independent draws of different problems, each so many times.

    `epsilon` and `delta` take the place of those of the parts, which otherwise have to be the same.
    Single inputs of a channel become the secrets that have them for sure.
    Raises InputError unless all parts are about the same beliefs, secrets and pairs, in one form.
    Source: design facts F43 and F70.
    """
    if not parts:
        raise InputError("compose: expected at least one problem")
    found = [part.problem.replaced(epsilon=epsilon, delta=delta) for part in parts]
    sources: list[Source] = []
    releases: list[tuple[Release, int]] = []
    pairs = _compared(found[0])
    for part, problem in zip(parts, found, strict=True):
        _check_one_epsilon(problem)
        if not isinstance(problem.notion, OF_PARTS):
            raise InputError(
                f"{part.name}: the form {problem.form} says nothing of several parts together; "
                "expected form = events or renyi"
            )
        if problem.notion != found[0].notion:
            raise InputError(
                f"{part.name}: its form is {problem.notion.text}, and that of {parts[0].name} is "
                f"{found[0].notion.text}"
            )
        if (problem.epsilon, problem.delta) != (found[0].epsilon, found[0].delta):
            raise InputError(
                f"{part.name}: the target is not that of {parts[0].name}; say what all of them are "
                "held to together, with --epsilon and --delta"
            )
        if _compared(problem) != pairs:
            raise InputError(
                f"{part.name}: its pairs of secrets are not those of {parts[0].name}"
            )
        for source, release, times in _parts_of(problem):
            sources.append(source)
            releases.append((release, times * part.times))
    source = GivenParts(sources)
    # beside another part a pair no longer stands for all
    alike = any(one.source.pairs_stand_for is not None for one in found)
    return Problem.of(
        source, ComposedReleases(releases),
        Requirement(found[0].epsilon, found[0].delta, found[0].notion, PUFFERFISH),
        None if source.names_pairs or alike else found[0].pairs,
    )  # fmt: skip


def _compared(problem: Problem) -> set[frozenset[str]]:
    """The pairs that are compared, all where one stands for them."""
    pairs: Iterable[tuple[str, str]] = problem.pairs
    if isinstance(problem.source, SingleInputs):
        names = problem.source.every_law(problem.release)[DEFAULT_BELIEF]
        check_pairs(len(names))
        pairs = combinations(names, 2) if problem.source.pairs_stand_for else pairs
    return set(map(frozenset, pairs))


def _parts_of(problem: Problem) -> list[tuple[Source, Release, int]]:
    """The parts of a problem, one where it has none."""
    source, release = problem.source, problem.release
    if isinstance(source, GivenParts) and isinstance(release, ComposedReleases):
        both = zip(source.sources, release.parts, strict=True)
        return [(own, part.release, part.times) for own, part in both]
    if isinstance(source, SingleInputs):
        source = Given(source.every_law(release))
    return [(source, release, 1)]


def _check_one_epsilon(problem: Problem) -> None:
    if problem.protection.extended:
        raise InputError(
            f"notion: {problem.protection.notion} has an epsilon for every distance, and compose "
            "is about one epsilon; write all releases into one problem file"
        )


def _alike(noises: Sequence[Noise]) -> Noise:
    """The first noise; InputError unless all that add anything are of one kind, on one lattice."""
    kinds = {(one.kind, one.step) for one in noises if not one.adds_nothing}
    if len(kinds) > 1:
        shown = " and ".join(
            kind if step is None else f"{kind} with step {step}"
            for kind, step in sorted(kinds, key=str)
        )
        raise InputError(f"noise: {shown}; expected one kind for all, on one lattice")
    return noises[0]


def _check_names(names: Iterable[str], parts: Iterable[str]) -> None:
    if set(names) != set(parts):
        raise InputError(
            f"--joint: the coordinates are {', '.join(names)}, and the parts "
            f"{', '.join(parts)}; name the parts with --names"
        )
