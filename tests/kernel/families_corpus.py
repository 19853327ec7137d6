"""Stored cases about places that are written with mass 0 beside families."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kernel_builder as kb

Json = dict[str, Any]
Base = tuple[Json, Json]
BALL: Json = {"kind": "tv-ball", "mass": {"0": "1/2", "1": "1/2"}, "radius": "1/4"}


def problem(law: Json, epsilon: Any, **more: Any) -> Json:
    return {
        "schema": "pfverify/problem/1", "epsilon": epsilon,
        "noise": {"kind": "laplace", "scale": 1},
        "priors": {"a": BALL, "b": {"kind": "discrete", "mass": law}}, **more,
    }  # fmt: skip


def families_cases(
    accept: Callable[..., Base],
    reject: Callable[..., None],
    other_problem: Callable[..., None],
    put: Callable[..., Any],
) -> None:
    named = {"0": "1/2", "1": "1/2", "9": 0}
    wide, narrow = problem(named, 1), problem({"0": "1/2", "1": "1/2"}, 1)

    def away(value: Json) -> Json:
        """The member that has a quarter of its mass at 9, for which the other law has none."""
        step = {"rule": "pure-refuted", "belief": "a #1, b #1", "from": "a", "to": "b", "bits": 64,
                "y": "9", "margin": "5"}  # fmt: skip
        return kb.certificate(value, "refuted", [step])

    refuted = accept("families-empty-place", wide, away(wide),
                     "a place of mass 0 is a place of every ball")
    other_problem("families-empty-place-left-out", refuted, put(["priors", "b", "mass"],
                  {"0": "1/2", "1": "1/2"}), "the ball has nothing at 9")
    other_problem("families-empty-place-elsewhere", refuted, put(["priors", "b", "mass"],
                  {"0": "1/2", "1": "1/2", "2": 0}), "nor here")
    both = [
        {"rule": "pure", "belief": f"a #{k}, b #1", "from": x, "to": y, "bits": 64, "ties": []}
        for k in (1, 2, 3) for x, y in (("a", "b"), ("b", "a"))
    ]  # fmt: skip
    certified = accept("families-no-empty-place", narrow,
                       kb.certificate(narrow, "certified", both), "on 0 and 1 alone")
    other_problem("families-no-empty-place-named", certified, put(["priors", "b", "mass"], named),
                  "with 9 a ball has more members")
