"""The recipes of calibrate, one row each, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.releases.release import Noise
from pfverify.scales.closed_form import Proposal
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.averages import (
    relaxed,
    relaxed_columns,
    relaxed_published,
    relaxed_rows,
)
from pfverify.scales.recipes.best_coupling import coupling_lp
from pfverify.scales.recipes.correlated import (
    chain_group,
    chain_inferential,
    chain_quilt,
    chain_quilt_approx,
)
from pfverify.scales.recipes.distances import l1, wasserstein
from pfverify.scales.recipes.divergence import renyi_coupling, renyi_w_inf, zcdp_w_inf
from pfverify.scales.recipes.epsilon_delta import (
    discrete_gaussian_concentrated,
    discrete_gaussian_exact,
    published_bound,
    truncated_published,
)
from pfverify.scales.recipes.normal_laws import (
    gaussian_lambert,
    gaussian_pure,
    gaussian_tau,
    mixture_published,
    mixture_safe,
    mixture_translation_published,
    translation,
)
from pfverify.scales.recipes.one_user import (
    any_rest,
    user_bernoulli,
    user_exact,
    user_largest,
    user_moment,
    user_relaxed,
    user_relaxed_published,
    user_shift_published,
    user_two_points,
    user_values,
    user_wasserstein,
)
from pfverify.scales.recipes.together import added, collapse, for_all, ranges
from pfverify.scales.recipes.two_points import bernoulli


@dataclass(frozen=True)
class Recipe:
    """A row: the name, the problems for which it is listed, and the scale.

    `kind` is that of the noise that it is for where no larger scale is known to be more private;
    None: for all other noise. `noise` makes the noise of a scale, where more than that is its own.

    `together`: whether it is about all releases and coordinates; else it is about one release of
    one number, and all together need that times what they are worth.

    `scale` returns a candidate of the grid asked for, and the closed form that it rounds up (or
    None), the largest over all pairs; it raises InputError or UndecidedError with the reason where
    the recipe does not apply. Whether the scale is private is decided elsewhere.
    """

    name: str
    listed: Callable[[RecipeProblem], bool]
    scale: Callable[[RecipeProblem], Proposal]
    kind: str | None = None
    noise: Callable[[RecipeProblem, str], Noise] | None = None
    together: bool = False

    def proposal(self, asked: RecipeProblem) -> Proposal:
        """Return the scale for all that a problem releases; raises as `scale`.

        Example: ``RECIPES[0].proposal(RecipeProblem.of(problem, Grid(12)))[0]``.
        """
        if self.together:
            return self.scale(asked)
        return for_all(asked, self.scale(asked.one))


def _always(_: RecipeProblem) -> bool:
    return True


def _with_a_density(asked: RecipeProblem) -> bool:
    return any(item.is_smooth for item in asked.items)


def _of_users(asked: RecipeProblem) -> bool:
    return asked.has_a_system


def _of_chains(asked: RecipeProblem) -> bool:
    return asked.has_chains


def _of_a_divergence(asked: RecipeProblem) -> bool:
    return asked.bounds_divergence


def _of_all_orders(asked: RecipeProblem) -> bool:
    return asked.bounds_all_orders


def _of_one_draw(asked: RecipeProblem) -> bool:
    return asked.repeated is not None and not asked.repeated.fresh


def _of_many(asked: RecipeProblem) -> bool:
    return asked.repeated is not None or asked.is_joint


RECIPES = (
    Recipe("l1", _always, l1),
    Recipe("wasserstein", _always, wasserstein),
    Recipe("relaxed_columns", _always, relaxed_columns),
    Recipe("relaxed_rows", _always, relaxed_rows),
    Recipe("relaxed", _always, relaxed),
    Recipe("relaxed_published", _always, relaxed_published),
    Recipe("bernoulli", _always, bernoulli),
    Recipe("coupling_lp", _always, coupling_lp),
    Recipe("renyi_w_inf", _of_a_divergence, renyi_w_inf),
    Recipe("renyi_coupling", _of_a_divergence, renyi_coupling),
    Recipe("zcdp_w_inf", _of_all_orders, zcdp_w_inf),
    Recipe("gaussian_tau", _with_a_density, gaussian_tau),
    Recipe("gaussian_lambert", _with_a_density, gaussian_lambert),
    Recipe("translation", _with_a_density, translation),
    Recipe("gaussian_pure", _with_a_density, gaussian_pure),
    Recipe("mixture_published", _with_a_density, mixture_published),
    Recipe("mixture_translation_published", _with_a_density, mixture_translation_published),
    Recipe("mixture_safe", _with_a_density, mixture_safe),
    Recipe("user_values", _of_users, user_values),
    Recipe("user_largest", _of_users, user_largest),
    Recipe("user_moment", _of_users, user_moment),
    Recipe("user_bernoulli", _of_users, user_bernoulli),
    Recipe("user_wasserstein", _of_users, user_wasserstein),
    Recipe("user_shift_published", _of_users, user_shift_published),
    Recipe("user_two_points", _of_users, user_two_points),
    Recipe("user_relaxed", _of_users, user_relaxed),
    Recipe("user_relaxed_published", _of_users, user_relaxed_published),
    Recipe("user_exact", _of_users, user_exact),
    Recipe("any_rest", _of_users, any_rest),
    Recipe(
        "truncated_published", _always, truncated_published, TruncatedLaplace.kind, published_bound
    ),
    Recipe("discrete_gaussian_exact", _always, discrete_gaussian_exact, DiscreteGaussian.kind),
    Recipe(
        "discrete_gaussian_concentrated", _always, discrete_gaussian_concentrated,
        DiscreteGaussian.kind,
    ),
    Recipe("chain_group", _of_chains, chain_group),
    Recipe("chain_inferential", _of_chains, chain_inferential),
    Recipe("chain_quilt", _of_chains, chain_quilt),
    Recipe("chain_quilt_approx", _of_chains, chain_quilt_approx),
    Recipe("collapse", _of_one_draw, collapse, together=True),
    Recipe("added", _of_many, added, together=True),
    Recipe("ranges", _of_many, ranges, together=True),
)


def recipes_for(asked: RecipeProblem) -> list[Recipe]:
    """Return the recipes that are listed for a problem.

    Example: ``recipes_for(RecipeProblem.of(problem, Grid(12)))[0].name`` is ``'l1'``.
    """
    kind = asked.noise.kind if asked.noise.more_scale is None else None
    return [
        recipe for recipe in RECIPES
        if recipe.kind == kind and recipe.listed(asked) and (recipe.together or not asked.is_joint)
    ]  # fmt: skip
