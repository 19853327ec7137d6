"""The packaged problems about a choice among noisy numbers, and the numbers that they tell."""

from __future__ import annotations

from typing import Any

import pytest
from support.examples import choice_examples
from support.kernel_run import accepted_certificate

from pfverify import Joint, Laplace, Problem, certify, loss
from pfverify.edge.packaged import load_example

TOLD = {
    "noisy-max": ("0.98856525943", "bicycle"),
    "sparse-vector": ("0.99999669847", "week 6"),
}
CHANGED = [
    ("noisy-max", 2, "1.24268757766"),
    ("sparse-vector", 2, "1.49999"),  # the threshold's stays
]
POINTS: list[tuple[dict[str, Any], int, tuple[int, ...], tuple[int, ...], list[str]]] = [
    ({"select": "argmax"}, 2, (0, 1, 2), (1, 0, 2), ["0.559882022042", "0.559882022042"]),
    ({"first-above": {"threshold": 2, "scale": 2}}, 4, (0, 1, 3), (1, 2, 2),
     ["0.493831517156", "0.197900915554"]),
]  # fmt: skip


def test_all_are_here() -> None:
    assert {*TOLD} == {*choice_examples()}


@pytest.mark.parametrize("name", TOLD)
def test_each_keeps_its_epsilon_and_the_kernel_agrees(name: str) -> None:
    problem, (told, output) = load_example(name), TOLD[name]
    found = certify(problem)
    assert found.verdict == "certified"
    assert accepted_certificate(problem.to_table(), problem, found)[1] == "certified"
    worst = loss(problem)
    assert str(worst.epsilon_star.lower).startswith(told)
    assert worst.worst.y == output


@pytest.mark.parametrize(("name", "scale", "told"), CHANGED)
def test_what_the_files_tell_of_less_noise(name: str, scale: int, told: str) -> None:
    table = load_example(name).to_table()
    problem = Problem.from_table(table | {"noise": {"kind": "laplace", "scale": scale}})
    found = certify(problem)
    assert found.verdict == "refuted"
    assert accepted_certificate(problem.to_table(), problem, found)[1] == "refuted"
    assert str(loss(problem).epsilon_star.lower).startswith(told)


@pytest.mark.parametrize(("step", "scale", "first", "second", "told"), POINTS)
def test_the_losses_of_two_points(
    step: dict[str, Any], scale: int, first: tuple[int, ...], second: tuple[int, ...],
    told: list[str],
) -> None:  # fmt: skip
    """Worked out by numeric integration, in another program."""
    names = ["a", "b", "c"]
    problem = Problem(
        {"one": Joint(names, [[*first, 1]]), "other": Joint(names, [[*second, 1]])},
        noise=Laplace(scale), post=[step], epsilon=1,
    )  # fmt: skip
    assert [str(pair.epsilon_star.lower) for pair in loss(problem).pairs] == told
