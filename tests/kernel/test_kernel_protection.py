"""What multiplies epsilon: W-infinity of numbers that are names, and tables of metrics."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.grammar import Malformed, combine
from core.value import form_of, sign
from reader import reader
from reader.distances import euclidean, manhattan, of_numbers, points_of, root, table_of_pairs


def problem(p: dict[str, Any], q: dict[str, Any], inputs: list[str], **more: Any) -> dict[str, Any]:
    channel = {"kind": "randomized-response", "inputs": inputs, "epsilon": 1}
    priors = {name: {"kind": "finite", "mass": law} for name, law in (("a", p), ("b", q))}
    return {
        "schema": "pfverify/problem/1",
        "epsilon": 1,
        "channel": {**channel, "notion": "xdistp", **more},
        "priors": priors,
    }


@pytest.mark.parametrize(
    ("p", "q", "distance"),
    [
        ({"0": "1/2", "2": "1/4", "2.0": "1/4"}, {"2": "1/2", "5": "1/2"}, 3),
        ({"0": "1/2", "2": "1/4", "2.0": "1/4"}, {"0": "1/4", "2.0": "3/4"}, 2),
        ({"2": "1/4", "2.0": "3/4"}, {"2": "3/4", "2.0": "1/4"}, 0),
        ({"0": "1/10", "2": "1/5", "2.0": "7/10"}, {"0": "1/10", "2": "4/5", "5": "1/10"}, 3),
        ({"0": "1/10", "5": "9/10"}, {"2": "1/10", "5": "9/10"}, 2),
        ({"0": "1/10", "5": "9/10"}, {"0": "1/20", "5": "19/20"}, 5),
        ({"0": "1/2", "10": "1/2"}, {"0": "1/4", "1": "1/4", "10": "1/2"}, 1),
    ],
)
def test_w_infinity_of_names_that_are_numbers(
    p: dict[str, Any], q: dict[str, Any], distance: int
) -> None:
    found = reader.problem_of(problem(p, q, inputs=[*{**p, **q}])).target
    for names in (("default", "a", "b"), ("default", "b", "a")):
        assert found.notion.epsilon(found.epsilon, names) == distance


def test_a_table_as_metric_has_no_distance_and_no_points() -> None:
    laws: Any = ({"x": 1}, {"y": 1})
    metric = [["a", "b", "7/2"]]
    found = reader.problem_of(problem(*laws, inputs=["x", "y"], metric=metric)).target
    assert found.notion.epsilon(found.epsilon, ("default", "b", "a")) * 2 == 7
    places = {"x": [0], "y": [1]}
    for key, value in (("distance", "euclidean"), ("points", places), ("distance", metric)):
        with pytest.raises(Malformed, match=f"a table as metric has no {key}"):
            reader.problem_of(problem(*laws, inputs=["x", "y"], metric=metric, **{key: value}))


def test_distances_of_inputs() -> None:
    numbers = of_numbers({"a": Fraction(2), "b": Fraction(5), "c": Fraction(-2)})
    assert [numbers.distance(*pair) for pair in ("ab", "ba", "ac", "bc", "aa")] == [3, 3, 4, 7, 0]
    places = points_of({"a": [0, 0], "b": [3, 4], "c": ["1/2", "-1/2"]}, "points")
    assert [manhattan(places).distance(*pair) for pair in ("ab", "bc", "cc")] == [7, 7, 0]
    assert euclidean(places).distance("a", "b") == 5
    for n, d in ((2, 1), (18, 1), (8, 9), (12, 49), (121 * 3, 4), (2209 * 7, 1), (30, 1), (1, 4)):
        found = root(Fraction(n, d))
        assert sign(combine("-", combine("*", found, found), Fraction(n, d))) == 0
        assert sign(found) == 1
    third = Fraction(1, 3)
    for n, d, factor, rest in ((18, 1, 3, 2), (2209 * 7, 9, 47 * third, 7), (1, 3, third, 3)):
        alike = combine("*", Fraction(factor), root(Fraction(rest)))
        assert form_of(root(Fraction(n, d))) == form_of(alike)


@pytest.mark.parametrize("points", [{}, [], "x", {"a": []}, {"a": [1], "b": [1, 2]}, {"a": 1},
                                    {"a": [], "b": [1]}], ids=str)  # fmt: skip
def test_what_is_no_table_of_places(points: Any) -> None:
    with pytest.raises(Malformed, match="points"):
        points_of(points, "points")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([], "has no entry"),
        ([["a", "b"]], "an entry must be"),
        ([["a", "b", 1, 2]], "an entry must be"),
        (["abc"], "an entry must be"),
        ([["a", "a", 1]], "not two different known names"),
        ([["a", "z", 1]], "not two different known names"),
        ([["z", "a", 1]], "not two different known names"),
        ([["a", "b", 1], ["b", "a", 1]], "occurs twice"),
        ([["a", "b", 1], ["a", "b", 1]], "occurs twice"),
        ([["a", "b", -1]], "must be at least 0"),
    ],
    ids=str,
)
def test_what_is_no_table_of_pairs(table: Any, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        table_of_pairs(table, "metric", {"a", "b"})
