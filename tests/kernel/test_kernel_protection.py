"""What multiplies epsilon: W-infinity of numbers that are names, and tables of metrics."""

from __future__ import annotations

from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
import reader
from grammar import Malformed


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
