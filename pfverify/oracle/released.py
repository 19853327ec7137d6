"""Two priors and how they are released: the arguments of a question, read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.routes import at_any_scale, comparison
from pfverify.errors import InputError
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import Number
from pfverify.laws.kinds import NO_SCALE, law_of
from pfverify.laws.law import Law
from pfverify.model.channels.channel import Channel
from pfverify.model.kinds import NOISES, of_a_kind
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.release import Release
from pfverify.oracle.answers import Enclosed, Floats, shaped
from pfverify.oracle.arguments import AskedValues, Shape, Wanted, numbers, prior_of


@dataclass(frozen=True)
class ReleasedPair:
    """Two priors, and how they are released, at one scale or at many, and what is `asked` of it."""

    problem: Problem
    item: Question
    releases: AskedValues[Release]
    asked: Wanted

    @classmethod
    def of(cls, p: object, q: object, noise: object, asked: Wanted) -> ReleasedPair:
        """Read the arguments.

        Raises InputError naming what is wrong with them.
        """
        first = prior_of(p, "p", exact=asked.exact)
        priors = {"p": first, "q": first if q is p else prior_of(q, "q", exact=asked.exact)}
        channel, added = (noise, None) if isinstance(noise, Channel) else (None, noise)
        if added is not None:
            added = of_a_kind(added, NOISES, "noise")
        problem = Problem(priors, noise=added, channel=channel, epsilon=0)
        return cls(problem, next(iter(problem.questions())), _releases(problem, asked), asked)

    def answers(
        self, at: Callable[[Release], Sequence[Enclosure] | Sequence[float]], shape: Shape
    ) -> Enclosed | Floats:
        """Return what is found at every scale, in the shape (scales..., what is found there...)."""
        found = [one for release in self.releases.values for one in at(release)]
        return shaped(found, self.releases.shape + shape, nearest=self.asked.nearest)

    def laws(self, release: Release) -> tuple[Law[Any], Law[Any]]:
        """Return the laws of Y under one of the releases, for outputs that are asked one by one.

        Raises InputError where outputs are too many, and as `law_of`.
        """
        if isinstance(release, Channel) and not release.written_out:
            raise InputError(
                f"channel: the outputs of kind {release.kind} are too many to ask for one by one; "
                "ask for delta, epsilon or loss"
            )
        p, q = self.item.first_prior, self.item.second_prior
        first = law_of(p, release)
        return first, first if q is p else law_of(q, release)

    def orders(self, release: Release) -> Orders:
        """Return both orders under one of the releases; several scales share what they can.

        Raises InputError where noise has no scale, and where no route decides.
        """
        scale = release.noise.scale
        if scale is None:
            raise InputError(NO_SCALE)
        if self.releases.shape and scale.fraction:
            return self._scaled.at(scale.fraction)
        return comparison(self.item.under(release))

    @cached_property
    def _scaled(self) -> Scaled:
        return at_any_scale(self.item)

    def held_to(self, epsilon: Number, delta: Number) -> Problem:
        """Return the problem with a target."""
        priors = {"p": self.item.first_prior, "q": self.item.second_prior}
        return Problem(priors, noise=self.problem.noise, epsilon=epsilon, delta=delta)


def _releases(problem: Problem, asked: Wanted) -> AskedValues[Release]:
    if asked.scale is None:
        return AskedValues([problem.release], ())
    if problem.release.named:
        raise InputError("scale: a channel has none")
    noise = problem.noise
    return numbers(asked.scale, "scale", exact=asked.exact).each(noise.with_scale)
