"""Two priors and how they are released: the arguments of a question, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.routes import at_any_scale, comparison
from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.laws.kinds import NO_SCALE, law_of
from pfverify.laws.law import Law
from pfverify.model.channels.channel import Channel
from pfverify.model.kinds import NOISES, of_a_kind
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.release import Release
from pfverify.oracle.arguments import AskedValues, numbers, prior_of


def asked_law(prior: Prior, release: Release) -> Law[Any]:
    """Return the law of Y for a prior, whose outputs can be asked for one by one.

    Raises InputError where they are too many, and as `law_of`.
    """
    if isinstance(release, Channel) and not release.written_out:
        raise InputError(
            f"channel: the outputs of kind {release.kind} are too many to ask for one by one; "
            "ask for delta, epsilon or loss"
        )
    return law_of(prior, release)


@dataclass(frozen=True)
class ReleasedPair:
    """Two priors, and how they are released: at one scale, or at many."""

    problem: Problem
    item: Question
    releases: AskedValues[Release]

    @classmethod
    def of(
        cls, p: object, q: object, noise: object, scale: object | None, *, exact: bool
    ) -> ReleasedPair:
        """Read the arguments.

        Raises InputError naming what is wrong with them.
        """
        first = prior_of(p, "p", exact=exact)
        priors = {"p": first, "q": first if q is p else prior_of(q, "q", exact=exact)}
        channel, added = (noise, None) if isinstance(noise, Channel) else (None, noise)
        if added is not None:
            added = of_a_kind(added, NOISES, "noise")
        problem = Problem(priors, noise=added, channel=channel, epsilon=0)
        return cls(problem, next(iter(problem.questions())), _releases(problem, scale, exact))

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

    def asked(self, epsilon: Number, delta: Number) -> Problem:
        """Return the problem with a target."""
        priors = {"p": self.item.first_prior, "q": self.item.second_prior}
        return Problem(priors, noise=self.problem.noise, epsilon=epsilon, delta=delta)


def _releases(problem: Problem, scale: object | None, exact: bool) -> AskedValues[Release]:
    if scale is None:
        return AskedValues([problem.release], ())
    if problem.release.named:
        raise InputError("scale: a channel has none")
    noise = problem.noise
    return numbers(scale, "scale", exact=exact).each(noise.with_scale)
