"""Scales for many releases, and for several numbers at once."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, DiscreteLaplace, GaussianNoise, Laplace, Problem, calibrate, certify
from pfverify.edge.views.calibrate import CalibrateView
from pfverify.exact.grid import Grid
from pfverify.model.changed_file import write_changed
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.scales.parts import parts_of, reaches_of, summed_loss, sums_to
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.table import RECIPES

U = Discrete(dict.fromkeys(range(5), "1/5"))
T = Discrete({2: 1})
UNIT = Fraction(1, 10**12)


def of_one(release: Release, epsilon: Any, delta: Any = 0, one: Any = U, two: Any = T) -> Problem:
    made = Problem(priors={"U": one, "T": two}, noise=Laplace(), epsilon=epsilon, delta=delta)
    return made.under(release)


def each_alone_nothing(release: Release, epsilon: Any) -> Problem:
    names = ["income", "age"]
    same = Joint(names, [[0, 0, "1/2"], [1, 1, "1/2"]])
    apart = Joint(names, [[0, 1, "1/2"], [1, 0, "1/2"]])
    made = Problem(priors={"a": same, "b": apart}, noise=Laplace(), epsilon=epsilon)
    return made.under(release)


def proposed(problem: Problem, name: str) -> Fraction:
    recipe = next(recipe for recipe in RECIPES if recipe.name == name)
    return recipe.proposal(RecipeProblem.of(problem, Grid(12)))[0]


def test_the_least_common_scale_of_two_coordinates_that_leak_nothing_alone() -> None:
    found = calibrate(each_alone_nothing(Laplace(), "1/2"), digits=15)
    assert found.minimum.lower < Fraction("0.921626281652047") + UNIT
    assert found.minimum.upper > Fraction("0.921626281652047") - UNIT
    assert found.methods["added"].scale == 0
    assert found.methods["added"].refuted
    assert found.methods["ranges"].exact == "4"
    assert found.methods["ranges"].certified
    assert found.not_applicable == {}
    nothing = calibrate(each_alone_nothing(Laplace(), 0))
    assert nothing.methods["added"].scale == 0
    assert nothing.methods["added"].refuted
    tie = certify(each_alone_nothing(Laplace("1/log(2+sqrt(3))"), "log(2)"))
    assert tie.certified
    assert all(pair.tie for pair in tie.pairs)
    exact = calibrate(each_alone_nothing(Laplace(), "log(2)")).minimum
    assert exact.lower < Fraction("0.759325717500207") < exact.upper


def test_scales_of_coordinates_keep_their_ratios(tmp_path: Path) -> None:
    asked = each_alone_nothing(Coordinates(Laplace(), ["3", "2"]), "1/2")
    found = calibrate(asked)
    assert found.several == "of the first coordinate, the others in the ratios 1 : 2/3"
    assert CalibrateView(found).minimum()[0].startswith(
        "The smallest private scale of the first coordinate, the others in the ratios 1 : 2/3, is "
        f"above {found.minimum.lower} (refuted)"
    )
    assert found.methods["ranges"].exact == "5"  # (1 + 3/2) / (1/2)
    source, scaled = tmp_path / "a.toml", tmp_path / "b.toml"
    asked.save(source)
    write_changed(scaled, source, asked.replaced(scale="9/5"))
    assert 'scale = ["1.8", "1.2"]' in scaled.read_text("utf-8")


@pytest.mark.parametrize(
    ("release", "lines"),
    [
        (Repeated(Laplace(3), count=10), ["releases = 10", 'scale = "1.5"']),
        (Repeated(Laplace(3), scales=["3", "2"]), ['scales = ["1.5", "1"]']),
        (Budget(Laplace(), "6/5"), ['total = "2/3"']),
        (Repeated(GaussianNoise(3), scales=["3", "1"]), ['scales = ["1.5", "0.5"]']),
    ],
)
def test_a_problem_is_written_with_all_scales(
    release: Release, lines: list[str], tmp_path: Path
) -> None:
    source, scaled = tmp_path / "a.toml", tmp_path / "b.toml"
    asked = of_one(release, 1, "1/100")
    asked.save(source)
    changed = asked.replaced(scale="3/2")
    write_changed(scaled, source, changed)
    assert all(line in scaled.read_text("utf-8") for line in lines)
    assert Problem.load(scaled) == changed


def test_a_sum_of_losses_is_too_small_first_at_five_releases() -> None:
    """U against T at scale 3: the loss of one is 0.368199133285, of five more than five times."""
    for count in (4, 5):
        many = of_one(Repeated(Laplace(3), count=count), 1)
        low, high = summed_loss(many)
        assert abs(low / count - Fraction("0.368199133285")) < UNIT
        asked = many.replaced(epsilon=Grid(15).above(Fraction(high)))
        assert sums_to(asked)
        assert certify(asked).certified is (count == 4)
    found = calibrate(of_one(Repeated(Laplace(3), count=5), "1.84099566642"))
    assert abs(Fraction(found.methods["added"].scale) - 3) < UNIT * 100
    assert found.methods["added"].refuted
    assert found.methods["collapse"].certified


def test_ten_releases_need_ten_times_and_gaussian_ones_the_root() -> None:
    one, ten = (calibrate(of_one(r, 1)) for r in (Laplace(), Repeated(Laplace(), count=10)))
    assert ten.minimum.upper == 10 * one.minimum.upper
    assert ten.methods["collapse"].scale == ten.minimum.upper
    for name, row in one.methods.items():
        assert ten.methods[name].scale == 10 * row.scale
        assert ten.methods[name].certified
    four = of_one(Repeated(GaussianNoise(), count=4), 1, "1/100")
    least = calibrate(of_one(GaussianNoise(), 1, "1/100")).minimum.upper
    assert abs(calibrate(four).methods["collapse"].scale / least - 2) < UNIT * 10


def test_releases_of_fresh_draws_have_their_share_of_epsilon() -> None:
    fresh = calibrate(of_one(Repeated(Laplace(), count=4, draws="fresh"), 1))
    share = calibrate(of_one(Laplace(), "1/4"))
    assert "collapse" not in fresh.methods
    for name, row in share.methods.items():
        assert fresh.methods[name].scale == row.scale
        assert fresh.methods[name].certified
    assert fresh.methods["added"].scale == fresh.minimum.upper
    listed = calibrate(of_one(Repeated(Laplace(), scales=["3", "2"], draws="fresh"), 1))
    assert set(listed.methods) == {"added", "ranges", "minimum"}
    assert listed.methods["ranges"].scale == 5


def test_an_undecided_minimum_is_not_above_a_certified_scale() -> None:
    found = calibrate(of_one(Repeated(DiscreteLaplace(step=1), count=5), 1, "1/10"), digits=2)
    assert found.minimum.reason is not None
    assert "is undecided" in found.minimum.reason
    certified = [row.scale for row in found.methods.values() if row.certified]
    assert certified
    assert all(found.minimum.upper <= scale for scale in certified)
    assert all(row.waste >= 1 for row in found.methods.values() if row.certified and row.waste)


def test_parts_are_coordinates_inside_releases() -> None:
    many = each_alone_nothing(Repeated(Coordinates(Laplace(), ["3", "2"]), count=7), 1)
    parts = parts_of(many)
    assert [(part.name, part.times) for part in parts] == [("income", 7), ("age", 7)]
    assert [part.problem.scale().text for part in parts] == ["3", "2"]
    assert [reach.fraction for reach in reaches_of(many)] == [Fraction(35, 6)]
    assert summed_loss(many) == (0, 0)
    total = parts_of(of_one(Budget(Laplace(), "6/5"), 1))
    assert [part.problem.scale().fraction for part in total] == [Fraction(5, 6)]


masses = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)


@settings(max_examples=12, deadline=None)
@given(masses, masses, st.integers(2, 9), st.sampled_from(["same", "fresh"]))
def test_every_recipe_is_private_for_all_releases(
    first: list[int], second: list[int], count: int, draws: str
) -> None:
    """Of one release they are, and F40 and F43 keep that; ranges and sums of fresh losses too."""
    one, two = (Discrete(counts=dict(enumerate(law))) for law in (first, second))
    found = calibrate(
        of_one(Repeated(Laplace(), count=count, draws=draws), 1, 0, one, two), digits=6
    )
    for name, row in found.methods.items():
        assert row.certified or (name == "added" and draws == "same"), name
        assert row.scale >= found.minimum.upper or name in ("added", "collapse")
    if draws == "same":
        least = calibrate(of_one(Laplace(), 1, 0, one, two), digits=6).minimum
        assert count * least.lower <= found.methods["collapse"].scale
        assert found.minimum.lower <= count * least.upper
        assert found.methods["collapse"].certified
