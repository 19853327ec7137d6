"""The stored cases about clamps, thresholds, truncated and discrete Gaussian noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kernel_builder as kb

Json = dict[str, Any]
Base = tuple[Json, Json]
SPREAD = {"kind": "discrete", "counts": {"0": 1, "1": 1, "2": 1}}
ZERO, POINT = ({"kind": "discrete", "mass": {x: 1}} for x in "01")


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
    _points_within_a_bound(accept, reject, other, put)


def _points_within_a_bound(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Discrete Laplace noise that is truncated, on 0 and 1."""
    points = {"kind": "truncated-discrete-laplace", "scale": 1, "step": 1, "bound": 14}
    alone = "exp(-14)*(1-exp(-1))/(1+exp(-1)-2*exp(-15))"
    few = problem(points, 1, alone, priors={"a": ZERO, "b": POINT})
    base = accept("truncated-lattice", few, proved(few, "channel"), "a tie: the last point alone")
    other("truncated-lattice-bound", base, put(["noise", "bound"], 13), "the last point is likely")
    other("truncated-lattice-scale", base, put(["noise", "scale"], "11/10"), "likelier, too")
    other("truncated-lattice-delta", base, put(["delta"], f"{alone}-1e-30"), "less than the tie")
    reject("truncated-lattice-rule", base, put(["steps", 0, "rule"], "kept"), "no line")
    fails = problem(points, 1, 0, priors={"a": ZERO, "b": POINT})
    last = refuted(fails, "event-refuted", "a", "b", event=[["-14", "-14"]], margin="3.8e-7")
    bad = accept("truncated-lattice-refuted", fails, last, "the last point")
    reject("truncated-lattice-margin", bad, put(["steps", 0, "margin"], "3.9e-7"), "too much")
    reject("truncated-lattice-inside", bad, put(["steps", 0, "event"], [["-13", "-13"]]), "shared")
    half = {"kind": "geometric", "p": "1/2", "bound": 3}
    named = problem(half, "log(2)", "1/22", priors={"a": ZERO, "b": POINT})
    base = accept("geometric-bound", named, proved(named, "channel"), "rational masses: a tie")
    other("geometric-bound-p", base, put(["noise", "p"], "2/5"), "another ratio")


def window_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Laplace noise that is renormalised in a window."""
    window = {"kind": "bounded-laplace", "scale": 3, "low": 0, "high": 10}
    laws = {"a": {"kind": "discrete", "mass": {"0": "1/2", "3": "1/2"}},
            "b": {"kind": "discrete", "mass": {"1": "1/3", "5": "2/3"}}}  # fmt: skip
    delta = problem(window, "1/5", "0.14758", priors=laws)
    base = accept("window", delta, proved(delta, "kept"), "zeros inside two pieces")
    other("window-delta", base, put(["delta"], "0.14757"), "delta is too small")
    other("window-scale", base, put(["noise", "scale"], "29/10"), "less noise")
    other("window-low", base, put(["noise", "low"], "-1/2"), "a wider window")
    ends = {"a": ZERO, "b": {"kind": "discrete", "mass": {"6": 1}}}
    tie = problem({**window, "scale": 2, "high": 6}, 3, priors=ends)
    base = accept("window-pure", tie, proved(tie, "kept"), "both ends: a loss of 6/2 exactly")
    other("window-pure-less", base, put(["epsilon"], "3-1e-30"), "the loss is 3")
    fails = problem(window, "1/5", "0.14", priors=laws)
    event = refuted(fails, "event-refuted", "b", "a", event=[["427/100", "10"]], margin="0.007")
    bad = accept("window-refuted", fails, event, "up to the end of the window")
    reject("window-margin", bad, put(["steps", 0, "margin"], "0.008"), "too much")
    reject("window-beyond", bad, put(["steps", 0, "event"], [["427/100", "11"]]), "beyond it")
    reject("window-endless", bad, put(["steps", 0, "event"], [["427/100", "inf"]]), "beyond it")
