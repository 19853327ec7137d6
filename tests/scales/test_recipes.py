"""The table of recipes: one row makes a recipe, and other noise gets none of those for Laplace."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pfverify import Discrete, GaussianNoise, InputError, Laplace, Problem, calibrate
from pfverify.model.noises.noise import Noise
from pfverify.scales.recipes import table
from pfverify.scales.recipes.asked import Asked
from pfverify.scales.recipes.table import RECIPES, Recipe, recipes_for

PRIORS = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: 1})}


def problem(noise: Noise) -> Problem:
    return Problem(priors=PRIORS, noise=noise, epsilon=1)


def test_names_are_unique_and_in_the_order_of_the_table() -> None:
    asked = problem(Laplace())
    result = calibrate(asked)
    listed = [recipe.name for recipe in recipes_for(Asked.of(asked, 12))]
    assert len({recipe.name for recipe in RECIPES}) == len(RECIPES)
    assert [name for name in listed if name in result.methods] == list(result.methods)[:-1]
    assert {*listed} == {*result.methods, *result.not_applicable} - {"minimum"}


def test_a_recipe_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    tenth = Recipe("a_tenth", lambda asked: len(asked.items) == 1, lambda asked: ("0.1", "1/10"))
    monkeypatch.setattr(table, "RECIPES", (*RECIPES, tenth))
    found = calibrate(problem(Laplace())).methods["a_tenth"]
    assert (found.scale, found.exact, found.verdict.value) == ("0.1", "1/10", "refuted")
    assert found.witness is not None
    monkeypatch.setattr(table, "RECIPES", (replace(tenth, listed=lambda asked: False),))
    assert list(calibrate(problem(Laplace())).methods) == ["minimum"]


class Other(Laplace):
    """A kind of noise that no recipe knows."""

    kind = "other"


@pytest.mark.parametrize("noise", [GaussianNoise(), Other()], ids=lambda noise: noise.kind)
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_no_recipe_takes_other_noise_for_laplace_noise(recipe: Recipe, noise: Noise) -> None:
    asked = Asked(
        problem(Laplace()).pairs_of_priors(), noise, problem(Laplace()).epsilon,
        problem(Laplace()).delta, 12,
    )  # fmt: skip
    with pytest.raises(InputError, match=f"the noise is {noise.kind}: this recipe is for"):
        recipe.scale(asked)
