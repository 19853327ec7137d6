"""The table of recipes: one row makes a recipe, and other noise gets none of those for Laplace."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pfverify import (
    Discrete,
    GaussianNoise,
    InputError,
    Laplace,
    Problem,
    calibrate,
)
from pfverify.answers.decided import DecidedScale, decided_scale
from pfverify.certificate import build
from pfverify.edge.packaged import example_path, load_example
from pfverify.edge.views.data import as_data
from pfverify.exact.grid import Grid
from pfverify.exact.number import number
from pfverify.model.releases.release import Noise
from pfverify.scales.recipes import table
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.table import RECIPES, Recipe, recipes_for

PRIORS = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: 1})}


def problem(noise: Noise) -> Problem:
    return Problem(priors=PRIORS, noise=noise, epsilon=1)


def test_names_are_unique_and_in_the_order_of_the_table() -> None:
    asked = problem(Laplace())
    result = calibrate(asked)
    listed = [recipe.name for recipe in recipes_for(RecipeProblem.of(asked, Grid(12)))]
    assert len({recipe.name for recipe in RECIPES}) == len(RECIPES)
    assert [name for name in listed if name in result.methods] == list(result.methods)[:-1]
    assert {*listed} == {*result.methods, *result.not_applicable} - {"minimum"}


def test_a_recipe_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    scale = Fraction(1, 10), number("log(2)/log(1024)")
    tenth = Recipe("a_tenth", lambda asked: len(asked.items) == 1, lambda asked: scale)
    monkeypatch.setattr(table, "RECIPES", (*RECIPES, tenth))
    found = calibrate(problem(Laplace())).methods["a_tenth"]
    assert (found.scale, found.exact, found.verdict.value) == ("0.1", "0.1", "refuted")
    assert found.witness is not None
    monkeypatch.setattr(table, "RECIPES", (replace(tenth, listed=lambda asked: False),))
    assert list(calibrate(problem(Laplace())).methods) == ["minimum"]


class Other(GaussianNoise):
    """A kind of noise that no recipe knows."""

    kind = "other"


@pytest.mark.parametrize(
    ("recipe", "noise"),
    [
        pytest.param(recipe, noise, id=f"{recipe.name}-{noise.kind}")
        for recipe in RECIPES if recipe.name not in ("any_rest", "collapse")
        for noise in (GaussianNoise(), Other())
        if (recipe.name, noise.kind) != ("zcdp_w_inf", "gaussian")  # which is for both
    ],
)  # fmt: skip
def test_no_recipe_takes_other_noise_for_laplace_noise(recipe: Recipe, noise: Noise) -> None:
    asked = RecipeProblem(
        problem(Laplace()).questions(), noise, problem(Laplace()).epsilon,
        problem(Laplace()).delta, Grid(12),
    )  # fmt: skip
    with pytest.raises(InputError, match=f"the noise is {noise.kind}: this recipe is for"):
        recipe.scale(asked)


@pytest.mark.parametrize("name", ["census", "theorem-2-fails"])
def test_a_certificate_decides_no_recipe_again(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only the ends of the minimum are decided for it; certified, and refuted, scales are kept."""
    asked = load_example(name)
    result = calibrate(asked)
    verdicts = {result.decisions[str(m.scale)].verdict for m in [*result.methods.values()][:-1]}
    assert verdicts == {m.verdict for m in [*result.methods.values()][:-1]}
    assert "decisions" not in as_data(result)
    again: list[str] = []

    def decided(problem: Problem, scale: str) -> DecidedScale:
        again.append(scale)
        return decided_scale(problem, scale)

    monkeypatch.setattr(build, "decided_scale", decided)
    build.write_scales(tmp_path / "cert", example_path(name), asked, result)
    assert build.check(example_path(name), tmp_path / "cert").word == "scales"
    ends = {result.minimum.lower, result.minimum.upper}
    assert {Fraction(scale) for scale in again} <= {Fraction(end) for end in ends}
    assert len(again) <= 2
