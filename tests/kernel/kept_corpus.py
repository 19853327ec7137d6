"""The stored cases about clamps, thresholds, truncated and discrete Gaussian noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kernel_builder as kb

Json = dict[str, Any]
Base = tuple[Json, Json]
SPREAD = {"kind": "discrete", "counts": {"0": 1, "1": 1, "2": 1}}
POINT = {"kind": "discrete", "mass": {"1": 1}}


def problem(noise: Json, epsilon: Any, delta: Any = 0, **more: Any) -> Json:
    return {
        "schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": noise,
        "priors": {"a": SPREAD, "b": POINT}, **more,
    }  # fmt: skip


def proved(value: Json, rule: str, **more: Any) -> Json:
    steps = [
        {"rule": rule, "belief": "default", "from": a, "to": b, **more}
        for a, b in (("a", "b"), ("b", "a"))
    ]
    return kb.certificate(value, "certified", steps)


def refuted(value: Json, rule: str, a: str, b: str, **more: Any) -> Json:
    return kb.certificate(value, "refuted", [kb.step(rule, a, b, **more)])


def kept_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    laplace = {"kind": "laplace", "scale": 2}
    clamp = [{"clamp": [0, 2]}]
    pure = problem(laplace, "1/2", post=clamp)
    base = accept("kept-pure", pure, proved(pure, "kept"), "ratios at ends and of both outputs")
    other("kept-pure-less", base, put(["epsilon"], "1/5"), "a ratio is larger")
    other("kept-pure-line", base, put(["post"], [{"round": {"to": 1}}]), "rounded: single outputs")
    delta = problem(laplace, "1/10", "1/20", post=clamp)
    some = accept("kept-delta", delta, proved(delta, "kept"), "a zero inside two pieces")
    other("kept-delta-less", some, put(["delta"], "1/100"), "delta is too small")
    reject("kept-twice", some, put(["steps", 1, "from"], "a"), "the other order is missing")
    row = problem(
        {"kind": "laplace", "scale": 1}, 5, "exp(-4)/2",
        post=[{"threshold": {"at": 5}}], priors={"a": POINT, "b": {"kind": "nothing"}},
    )  # fmt: skip
    tie = accept("kept-tie", row, proved(row, "kept"), "a row against none: e^-4 / 2 exactly")
    other("kept-tie-above", tie, put(["delta"], "exp(-5)/2"), "the tail of another value")
    fails = problem(laplace, "1/10", "1/100", post=clamp)
    event = refuted(fails, "event-refuted", "b", "a", event=[["1/2", "3/2"]], margin="0.01")
    bad = accept("kept-refuted", fails, event, "around the atom")
    reject("event-refuted-kept-margin", bad, put(["steps", 0, "margin"], "0.2"), "too much")
    reject("event-refuted-kept-cut", bad, put(["steps", 0, "event"], [["-1", "3/2"]]),
           "it cuts the output 0")  # fmt: skip
    short = problem({"kind": "truncated-laplace", "scale": 2, "bound": 3}, "1/2", "1/2")
    base = accept("kept-truncated", short, proved(short, "kept"), "not all outputs are shared")
    other("kept-truncated-pure", base, put(["delta"], 0), "one law alone reaches an output")
    bell = {"kind": "discrete-gaussian", "variance": 4, "step": 1}
    low = problem(bell, "1/10", "1/10")
    base = accept("gaussian-lattice", low, proved(low, "delta-upper", bits=128), "a window")
    other("delta-upper-gaussian-lattice", base, put(["delta"], "1/1000"), "delta is too small")
    shared = problem(bell, "log(2)", priors={
        "a": {"kind": "discrete", "counts": {"0": 2, "1": 1, "2": 1}},
        "b": {"kind": "discrete", "counts": {"0": 1, "1": 1, "2": 2}},
    })  # fmt: skip
    base = accept("gaussian-lattice-pure", shared, proved(shared, "pure", bits=128, ties=[]),
                  "both ends shared, a tie far out")  # fmt: skip
    other("pure-gaussian-lattice", base, put(["epsilon"], "69/100"), "the limit is log 2")
    wide = problem(bell, 1)
    far = refuted(wide, "pure-refuted", "a", "b", y="20", margin="0.01")
    base = accept("gaussian-lattice-refuted", wide, far, "the last atom alone")
    reject("pure-refuted-gaussian-lattice", base, put(["steps", 0, "y"], "1"), "near the atoms")
    reject("pure-refuted-gaussian-between", base, put(["steps", 0, "y"], "1/2"), "off the lattice")
