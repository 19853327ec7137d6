"""What a recipe is asked: the pairs, the noise and the target of a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeVar

from pfverify.errors import InputError
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.model.notion import Renyi, Zcdp
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Repeated
from pfverify.model.sources.correlated import Chains
from pfverify.model.sources.users import Users
from pfverify.model.systems.derived import derived
from pfverify.model.systems.system import System, UserCase
from pfverify.scales.closed_form import NO_FINITE

T = TypeVar("T")


class RecipeProblem:
    """A problem as its recipes see it.

    Attributes: `items`, the pairs of priors; `noise`; `epsilon`, `delta`; the `grid` of a
    scale; `nothing_moves`, whether the priors of every pair are equal.

    Example: ``RecipeProblem.of(problem, Grid(12)).nothing_moves`` is False.
    """

    def __init__(
        self,
        items: Iterable[Question],
        noise: Noise,
        epsilon: Number | None,
        delta: Number,
        grid: Grid,
        problem: Problem | None = None,
    ) -> None:
        self.items = list(items)
        self.noise, self.delta, self.grid = noise, delta, grid
        self._epsilon = epsilon
        self.nothing_moves = all(i.first_prior == i.second_prior for i in self.items)
        self._problem = problem
        self._known: dict[object, object] = {}

    @classmethod
    def of(cls, problem: Problem, grid: Grid) -> RecipeProblem:
        """Return what a problem asks of its recipes."""
        epsilon = None if problem.protection.extended else problem.epsilon
        return cls(
            problem.questions(), problem.release.noise, epsilon, problem.delta, grid, problem
        )

    @property
    def epsilon(self) -> Number:
        """The epsilon of every pair; InputError where it differs from pair to pair."""
        if self._epsilon is None:
            raise InputError("epsilon is per unit of distance: this recipe is for one epsilon")
        return self._epsilon

    @property
    def problem(self) -> Problem:
        """The whole problem; InputError where only pairs of priors were given."""
        if self._problem is None:
            raise InputError("this recipe is about whole problems")
        return self._problem

    @property
    def repeated(self) -> Repeated | None:
        """The releases where there is more than one, each of a stated scale."""
        release = None if self._problem is None else self._problem.release
        return release if isinstance(release, Repeated) else None

    @property
    def is_joint(self) -> bool:
        """Whether X is several numbers."""
        return any(isinstance(prior, Joint) for item in self.items for prior in item.priors)

    @cached_property
    def one(self) -> RecipeProblem:
        """The same about one release of one number, as most recipes are: itself at first.

        One of so many releases of fresh draws has its share of epsilon and of delta (F43), which
        is sufficient by basic composition. InputError where there is no such problem.
        """
        if self.is_joint:
            raise InputError("X is several numbers, and this recipe is for one")
        if self.repeated is None:
            return self
        problem = self.problem.under(self.repeated.one)
        if self.repeated.fresh:
            if len(self.repeated.shares) > 1:
                raise InputError("fresh draws of several scales: this recipe is for one scale")
            count = Number.of_rational(self.repeated.count)
            problem = problem.replaced(epsilon=self.epsilon / count, delta=self.delta / count)
        return RecipeProblem.of(problem, self.grid)

    @property
    def worth(self) -> Number:
        """How many times the scale of one release all of them need: F40, F41; 1 of fresh draws."""
        if self.repeated is None or self.repeated.fresh:
            return Number.of_rational(1)
        return self.repeated.scale_worth

    @property
    def bounds_divergence(self) -> bool:
        """Whether a Renyi divergence is bounded by epsilon."""
        return self._problem is not None and isinstance(self._problem.notion, Renyi)

    @property
    def bounds_all_orders(self) -> bool:
        """Whether the Renyi divergences of all orders are bounded, by epsilon times the order."""
        return self._problem is not None and isinstance(self._problem.notion, Zcdp)

    @property
    def has_a_system(self) -> bool:
        """Whether the priors come from a system of users."""
        return self._problem is not None and isinstance(self._problem.source.origin, Users)

    @property
    def has_chains(self) -> bool:
        """Whether the priors come from chains of records."""
        return self._problem is not None and isinstance(self._problem.source.origin, Chains)

    @property
    def system(self) -> System:
        """The users; InputError where the priors come from elsewhere, or from a changed sum."""
        if self.problem.source.steps:
            raise InputError("steps before the noise act on the sum, not on what one user adds")
        if not isinstance(self.problem.source, Users):
            raise InputError("this recipe is about systems of users")
        return self.problem.source.system

    @cached_property
    def own(self) -> RecipeProblem:
        """The same about the user's own laws, whatever the others add."""
        return RecipeProblem.of(self.problem.for_any_rest(), self.grid)

    @cached_property
    def cases(self) -> list[tuple[UserCase, UserCase]]:
        """What the protected user is in the two secrets of each pair."""
        secrets = derived(self.system).secrets
        return [(secrets[item.first].case, secrets[item.second].case) for item in self.items]

    def for_laplace_noise(self) -> None:
        """Raise InputError for noise that is not exponential, as Laplace noise is."""
        if not self.noise.exponential:
            raise InputError(f"the noise is {self.noise.kind}: this recipe is for Laplace noise")

    def for_a_finite_scale(self) -> None:
        """Raise InputError where epsilon = 0 leaves a sufficient condition without a scale."""
        if self.epsilon.sign() == 0:
            raise InputError(NO_FINITE)

    @cached_property
    def atoms(self) -> list[tuple[Discrete, Discrete]]:
        """The priors of every pair; InputError where one has a density, or for other noise."""
        self.for_laplace_noise()
        return [item.discrete_priors("this recipe is about atoms") for item in self.items]

    def once(self, make: Callable[[RecipeProblem], T]) -> T:
        """Return ``make(self)``, worked out once: what the recipes of a family share."""
        if make not in self._known:
            self._known[make] = make(self)
        found: T = self._known[make]  # type: ignore[assignment]
        return found
