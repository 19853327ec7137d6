"""What is asked about one pair of secrets under one belief, resolved once from a problem."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Release
from pfverify.model.requirement import Requirement


@dataclass(frozen=True)
class Question:
    """One unordered pair of secrets under one belief: both laws, what releases, what is required.

    Both orders are asked. `decide.targets` resolves the requirement for them, as a distance of the
    laws may multiply epsilon. `forms`: the normal forms of both laws, once `laws.kinds` made them.
    """

    belief: str
    first: str
    second: str
    first_prior: Prior
    second_prior: Prior
    release: Release
    requirement: Requirement
    forms: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def priors(self) -> tuple[Prior, Prior]:
        """Both laws."""
        return self.first_prior, self.second_prior

    @property
    def is_smooth(self) -> bool:
        """Whether more than sums over atoms is needed, for the noise or a prior with a density."""
        noise = self.release.noise
        sums = noise.exponential or noise.has_masses
        return not sums or any(prior.has_density for prior in self.priors)

    def turned(self) -> Question:
        """Return the same pair, the second secret first."""
        return replace(
            self, first=self.second, second=self.first,
            first_prior=self.second_prior, second_prior=self.first_prior,
        )  # fmt: skip

    def under(self, release: Release) -> Question:
        """Return the same question about another release."""
        return replace(self, release=release)

    def discrete_priors(self, why: str, *, exponential: bool = False) -> tuple[Discrete, Discrete]:
        """Return both priors, for work that is about atoms alone.

        Raises InputError that begins with `why` and names the secret whose prior has a density, or,
        with `exponential`, noise that is not a Laplace noise.
        Example: ``item.discrete_priors("coupling: plans are about atoms")``.
        """
        if exponential and not self.release.noise.exponential:
            raise InputError(f"{why}; the noise is {self.release.noise.kind}")
        first, second = self.priors
        if isinstance(first, Discrete) and isinstance(second, Discrete):
            return first, second
        secret = self.second if isinstance(first, Discrete) else self.first
        law = self.second_prior if isinstance(first, Discrete) else self.first_prior
        what = "has a density" if law.has_density else f"is of kind {law.kind}"
        raise InputError(f"{why}; the prior of {shorten(secret)!r} {what}")
