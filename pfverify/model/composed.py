"""The problem that several problems of one number make together: a vector, or many releases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.priors.joint import Joint
from pfverify.model.problem import Problem
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Repeated, Several, check_collapses


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
