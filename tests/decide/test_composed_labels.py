"""Labels and their masses: each output counts once, and what leaves the grid is its highest."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log
from typing import Any

import pytest

from pfverify import Discrete, DiscreteGaussian, Nothing, Problem, certify
from pfverify.decide.composed.cells import Partition, weighed
from pfverify.decide.composed.measures import LossGrid, labelled, power
from pfverify.decide.composed.parts import label_of
from pfverify.exact.ball import precision, raw
from pfverify.laws.kinds import forms_of
from pfverify.model.releases.repeated import Repeated
from pfverify.model.steps.step import SUPPRESSED


def test_sums_that_are_all_over_the_grid_have_its_highest_label() -> None:
    grid = LossGrid(Fraction(1, 2), 10, -4, 3)
    one = labelled(grid, [(2, grid.unit // 2, grid.unit // 8), (3, grid.unit // 4, grid.unit // 8)])
    four = power(one, 4)
    assert four.first == grid.high
    assert four.less.coefficients() == [grid.unit * 81 // 256]
    assert four.more.coefficients() == [grid.unit // 256]
    with precision(grid.bits):
        assert four.ball(raw(0)) * 256 == 80


def test_a_label_is_in_the_window_and_that_of_the_kernel() -> None:
    """Which gives the loss 1/10 of Laplace noise on a grid of 1/45 from the same whole numbers."""
    grid = LossGrid(Fraction(1, 45), 20, -8, 8)
    less, more = (int(grid.unit * share) for share in (exp(0.1) / 4, 0.25))
    assert label_of(less, more, grid) == round(Fraction(log(less) - log(more)) * 45) in (4, 5)
    assert [label_of(1, 1, grid), label_of(9, 1, grid), label_of(1, 9, grid)] == [0, 8, -8]
    assert label_of(1, 0, grid) == 8


@pytest.mark.parametrize("far", [1, 33, 40])
@pytest.mark.parametrize("post", [None, [{"clamp": ["-3", "50"]}], [{"floor": {"to": "5"}}]])
def test_an_output_that_two_laws_list_apart_counts_once(far: int, post: Any) -> None:
    """Far apart the first output that is listed under one law is likely under the other."""
    more = {} if post is None else {"post": post}
    priors = {"a": Discrete({0: 1}), "b": Discrete({far: 1})}
    asked = Problem(priors, noise=DiscreteGaussian(1, step=1), epsilon=1, delta="1/2", **more)
    (item,) = asked.questions()
    laws = [form.outcomes for form in forms_of(item)]
    cells, _ = Partition(*laws).fine([])
    with precision(128):
        for masses in weighed(laws, cells, 128):
            assert sum(masses, raw(0)) < 1 + raw(Fraction(1, 10**20))


@pytest.mark.parametrize(("hides", "post"), [
    ("all", [{"clamp": ["0", "5"]}, {"threshold": {"at": "10"}}]),
    ("some", [{"floor": {"to": "5"}}, {"threshold": {"at": "5"}}]),
    ("none", [{"clamp": ["6", "20"]}, {"threshold": {"at": "5"}}]),
])  # fmt: skip
@pytest.mark.parametrize("chance", ["0", "1/4", "1"])
def test_what_is_not_published_is_weighed_once(hides: str, post: Any, chance: str) -> None:
    """Whether steps hide all numbers, some or none, and whether there is a row for sure or not."""
    rows = Nothing() if chance == "0" else Nothing(Discrete({3: 1}), chance)
    priors = {"a": rows, "b": Nothing(Discrete({3: "1/2", 9: "1/2"}), "1/2")}
    noise = DiscreteGaussian(1, step=1)
    (item,) = Problem(priors, noise=noise, epsilon=1, delta="1/2", post=post).questions()
    laws = [form.outcomes for form in forms_of(item)]
    cells, _ = Partition(*laws).fine([])
    with precision(128):
        for masses, row in zip(weighed(laws, cells, 128), (chance, "1/2"), strict=True):
            assert abs(sum(masses, raw(0)) - 1) < raw(Fraction(1, 10**20))
            hidden = masses[[cell.output.output for cell in cells].index(SUPPRESSED)]
            if hides != "some":
                expected = Fraction(1) if hides == "all" else 1 - Fraction(row)
                assert abs(hidden - raw(expected)) < raw(Fraction(1, 10**20))


@pytest.mark.parametrize("atom", [1, 7, 9])
def test_far_apart_releases_have_the_divergence_of_what_is_told(atom: int) -> None:
    """Half of the mass is where b never is: of two fresh draws one is told with chance 3/4."""
    priors = {"a": Discrete({atom: "1/2", 40: "1/2"}), "b": Discrete({40: 1})}
    noise = Repeated(DiscreteGaussian(1, step=1), count=2, draws="fresh")
    found = certify(Problem(priors, noise=noise, epsilon=1, delta="4/5")).pairs[0]
    assert found.certified
    assert found.delta is not None
    assert found.delta.lower <= Fraction(3, 4) <= found.delta.upper
