"""The stored cases about steps after a density of normal laws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kept_corpus import POINT, Base, proved, refuted

Json = dict[str, Any]
ZERO = {"kind": "discrete", "mass": {"0": 1}}
NORMAL = {"kind": "gaussian", "mean": 0, "variance": 1}
BELL = {"kind": "gaussian", "scale": 1}
CLAMP: list[Json] = [{"clamp": [0, 1]}]


def problem(noise: Json, epsilon: Any, delta: Any, post: list[Json], a: Json, b: Json) -> Json:
    return {
        "schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": noise,
        "priors": {"a": a, "b": b}, "post": post,
    }  # fmt: skip


def smooth_steps_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """g of 0 against 1 is positive to the left of 1/2 - epsilon; of 1 against 0, mirrored."""

    def charted(value: Json, at: str, far: str) -> Json:
        """A chart with one zero, between two decimals, for each order."""
        certificate = proved(value, "chart", bits=128, points=[])
        for step, (low, high) in zip(certificate["steps"], ((at, far), _mirrored(at, far)),
                                     strict=True):  # fmt: skip
            step["density"] = [["-inf", low, 0, _LEFT[step["from"]]],
                               [high, "inf", 0, _RIGHT[step["from"]]]]  # fmt: skip
        return certificate

    pure = problem(BELL, "1.15", 0, CLAMP, ZERO, POINT)
    base = accept("smooth-steps-pure", pure, charted(pure, "-33/50", "-16/25"),
                  "0 against 1, sigma 1, clamped to [0, 1]: epsilon* is 1.1479")  # fmt: skip
    other("chart-smooth-steps-less", base, put(["epsilon"], "1.147"),
          "the output 0 has a larger ratio")  # fmt: skip
    other("chart-smooth-steps-open", base, put(["post"], [{"round": {"to": 1}}]),
          "rounded alone: outputs far out have no bound")  # fmt: skip
    other("chart-smooth-steps-wide", base, put(["post"], [{"clamp": [-1, 2]}]),
          "density is kept where g > 0")  # fmt: skip
    delta = problem(BELL, 1, "7/100", CLAMP, ZERO, POINT)
    some = accept("smooth-steps-delta", delta, charted(delta, "-51/100", "-49/100"),
                  "the outputs 0 and 1, of which a zero lies in one")  # fmt: skip
    other("chart-smooth-steps-delta", some, put(["delta"], "6/100"), "it is 0.0687")
    row = problem(BELL, 2, "1/10000", [{"threshold": {"at": 5}}], POINT, {"kind": "nothing"})
    certificate = proved(row, "chart", bits=128, points=[])
    for step in certificate["steps"]:
        step["density"] = [["-inf", "0", 0, 0], ["0", "inf", 0, 0]]
    base = accept("smooth-steps-nothing", row, certificate, "P(1 + N >= 5) is 0.0000317")
    other("chart-smooth-steps-nothing", base, put(["delta"], "1/100000"), "it is more")
    other("chart-smooth-steps-shown", base, put(["post"], [{"threshold": {"at": 4}}]),
          "a row is shown more often")  # fmt: skip
    fails = problem(BELL, "1/2", "1/10", [{"round": {"to": 1}}], ZERO, POINT)
    event = refuted(fails, "event-refuted", "a", "b", event=[["-inf", "-1/2"]], margin="0.09")
    bad = accept("smooth-steps-refuted", fails, event, "0 becomes at most -1 more often")
    reject("event-refuted-smooth-margin", bad, put(["steps", 0, "margin"], "0.1"), "too much")
    reject("event-refuted-smooth-cut", bad, put(["steps", 0, "event"], [["-inf", "0"]]),
           "it cuts the output 0")  # fmt: skip
    equal = problem({"kind": "laplace", "scale": 1}, 0, 0, CLAMP, NORMAL, NORMAL | {})
    base = accept("smooth-steps-equal", equal, proved(equal, "equal"), "one law")
    other("equal-smooth-steps", base, put(["priors", "b", "mean"], 1), "two laws")
    apart = problem({"kind": "laplace", "scale": 1}, 1, 0, CLAMP, NORMAL, NORMAL | {"mean": 1})
    plan = proved(apart, "components", plan=[[0, 0, "1"]])
    base = accept("smooth-steps-components", apart, plan, "the noisy numbers are bounded")
    other("components-smooth-steps", base, put(["epsilon"], "9/10"), "they are not")


_LEFT, _RIGHT = {"a": 0, "b": 0}, {"a": 1, "b": 1}


def _mirrored(low: str, high: str) -> tuple[str, str]:
    """The bracket of the zero of the other order: y becomes 1 - y."""
    from fractions import Fraction

    return str(1 - Fraction(high)), str(1 - Fraction(low))
