"""The cases of the corpus with normal laws; called by make_corpus.py.

The charts come from the untrusted search in `smooth_cases`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kernel_builder as kb
import smooth_cases as sc

Json = kb.Json
Accept = Callable[[str, Json, Json, str], tuple[Json, Json]]
Put = Callable[[list[Any], Any], Callable[[Json], None]]

N01 = {"kind": "gaussian", "mean": 0, "variance": 1}
N11 = {"kind": "gaussian", "mean": 1, "variance": 1}
N14 = {"kind": "gaussian", "mean": 1, "variance": 4}
WITH_ATOM = {
    "kind": "mixture",
    "components": [
        {"weight": "1/2", "mean": 0, "variance": 0},
        {"weight": "1/2", "mean": 0, "variance": 1},
    ],
}
TWO = {
    "kind": "mixture",
    "components": [
        {"weight": "1/2", "mean": 0, "variance": 1},
        {"weight": "1/2", "mean": 3, "variance": 1},
    ],
}
SHIFTED = {
    "kind": "mixture",
    "components": [
        {"weight": "1/2", "mean": "1/2", "variance": 1},
        {"weight": "1/2", "mean": "7/2", "variance": 1},
    ],
}


def problem(p: Json, q: Json, epsilon: Any, delta: Any, noise: Json, **more: Any) -> Json:
    """The secrets a and b."""
    return {
        "schema": "pfverify/problem/1",
        "epsilon": epsilon,
        "delta": delta,
        "noise": noise,
        "priors": {"a": p, "b": q},
        **more,
    }


def laplace(scale: Any) -> Json:
    return {"kind": "laplace", "scale": scale}


def variance(value: Any) -> Json:
    return {"kind": "gaussian", "variance": value}


def proved(value: Json) -> Json:
    """A certificate of charts."""
    return kb.certificate(value, "certified", sc.prove(value))


def refuted(value: Json, rule: str, source: str = "a", target: str = "b", **more: Any) -> Json:
    return kb.certificate(value, "refuted", [kb.step(rule, source, target, **more)])


def chart_cases(accept: Accept, reject: Callable[..., None], other: Callable[..., None],
                put: Put) -> None:  # fmt: skip
    """Charts of densities."""
    first, second = ["steps", 0], ["steps", 1]
    events = problem(WITH_ATOM, N11, "1/2", "3/20", laplace(1))
    base = accept("chart-events-atom", events, proved(events), "an atom among the components")
    cells = base[1]["steps"][0]["density"]
    points = base[1]["steps"][0]["points"]
    reject("chart-without-the-atom", base,
           put([*first, "points"], [x for x in points if x != "0"]), "an atom must be a point")
    reject("chart-without-cells", base, put([*first, "density"], []), "no sign of the density")
    reject("chart-one-cell", base, put([*first, "density"], [["-inf", "inf", 0, 0]]),
           "the difference has no one sign")
    reject("chart-few-points", base, put([*first, "points"], ["0"]), "too coarse a bound")
    reject("chart-no-points", base, put([*first, "points"], []), "a chart needs a point")
    reject("chart-cell-touching-backwards", base,
           put([*first, "density"], [cells[-1], *cells[:-1]]), "cells increase", "malformed")
    reject("chart-cell-of-three", base, put([*first, "density", 0], cells[0][:3]),
           "a cell has four entries", "malformed")
    reject("chart-order-65", base, put([*first, "density", 0, 2], 65), "an order to 64",
           "malformed")
    reject("chart-reference-too-large", base, put([*first, "density", 0, 3], 3), "no such term")
    reject("chart-points-repeated", base, put([*first, "points"], [points[0], *points]),
           "points increase", "malformed")
    reject("chart-swapped", base, put(["steps"], base[1]["steps"][::-1]), "the order of the goals")
    reject("chart-once", base, put(["steps"], base[1]["steps"][:1]), "a goal without a step")
    reject("chart-few-bits", base, put([*second, "bits"], 32), "an enclosure too wide")
    other("chart-smaller-delta", base, put(["delta"], "7/50"), "the divergence is 0.1423...")
    other("chart-pure", base, put(["delta"], 0), "not a pure bound")
    other("chart-pointwise-instead", base, put(["form"], "pointwise"), "no sign of it")
    other("chart-smaller-scale", base, put(["noise", "scale"], "1/2"), "less noise")
    other("chart-discrete-priors", base,
          put(["priors"], {s: {"kind": "discrete", "mass": {"0": 1}} for s in "ab"}),
          "a rule of the other kind")
    dense = problem(N01, N14, 1, "1/20", laplace(1), form="pointwise")
    accept("chart-pointwise", dense, proved(dense), "the densities differ by little")
    noisy = problem(N01, N14, 1, "1/8", variance(4))
    noise = accept("chart-gaussian-noise", noisy, proved(noisy), "noise of a variance")
    other("chart-gaussian-noise-pure", noise, put(["delta"], 0), "no gaussian noise is pure here")
    other("chart-gaussian-noise-less", noise, put(["noise", "variance"], "1/1000"), "less noise")
    pure = problem(TWO, SHIFTED, 1, 0, laplace("3/4"))
    accept("chart-mixtures", pure, proved(pure), "two components each")


def components_cases(accept: Accept, reject: Callable[..., None], other: Callable[..., None],
                     put: Put) -> None:  # fmt: skip
    """Couplings of components, and equal priors."""
    plan = [[0, 0, "1/2"], [1, 1, "1/2"]]

    def steps(there: list[Any], back: list[Any]) -> list[Json]:
        found = [kb.step("components", plan=there), kb.step("components", "b", "a", plan=back)]
        for step in found:
            del step["bits"]
        return found

    tie = problem(TWO, SHIFTED, 1, 0, laplace("1/2"))
    base = accept("components-tie", tie, kb.certificate(tie, "certified", steps(plan, plan)),
                  "moved by 1/2 at scale 1/2: equality in the tails")
    at = ["steps", 0, "plan"]
    reject("components-crossed", base, put(at, [[0, 1, "1/2"], [1, 0, "1/2"]]), "moved too far")
    reject("components-half", base, put(at, plan[:1]), "a row without its weight")
    reject("components-mass", base, put([*at, 0, 2], "1/4"), "a row that falls short")
    reject("components-negative", base, put([*at, 0, 2], "-1/2"), "a negative mass")
    reject("components-twice", base, put(at, [plan[0], *plan]), "an edge twice", "malformed")
    reject("components-index", base, put([*at, 0, 1], 2), "no such component", "malformed")
    other("components-smaller-scale", base, put(["noise", "scale"], "49/100"), "below the tie")
    other("components-smaller-epsilon", base, put(["epsilon"], "99/100"), "below the tie")
    other("components-narrower", base, put(["priors", "a", "components", 0, "variance"], "1/2"),
          "a narrower law does not cover a wider one")
    other("components-gaussian-noise", base, put(["noise"], variance(9)), "Laplace noise only")
    equal = problem(TWO, {**TWO}, 0, 0, laplace(1))
    same = [kb.step("equal", *way) for way in (("a", "b"), ("b", "a"))]
    for step in same:
        del step["bits"]
    alike = accept("equal-mixtures", equal, kb.certificate(equal, "certified", same), "P = Q")
    other("equal-almost", alike, put(["priors", "b"], SHIFTED), "P != Q")
    reject("equal-as-pure", alike, put(["steps", 0, "rule"], "pure"), "other keys", "malformed")


def refuting_cases(accept: Accept, reject: Callable[..., None], other: Callable[..., None],
                   put: Put) -> None:  # fmt: skip
    """Points and events where a bound fails."""
    at = ["steps", 0]
    small = problem(N01, N14, "1/2", 0, laplace(1))
    point = accept("pure-refuted-normal", small,
                   refuted(small, "pure-refuted", "b", "a", y="8", margin="1"), "a tail")
    reject("pure-refuted-normal-margin", point, put([*at, "margin"], "5"), "no such ratio")
    reject("pure-refuted-normal-elsewhere", point, put([*at, "y"], "0"), "the ratio holds there")
    reject("pure-refuted-normal-order", point, put(at, {**point[1]["steps"][0], "from": "a",
                                                       "to": "b"}), "the other order holds there")
    other("pure-refuted-normal-delta", point, put(["delta"], "1/1000"), "a pure bound only")
    apart = problem(N01, N14, "1/2", "1/10", variance(1))
    event = accept("event-refuted-normal", apart,
                   refuted(apart, "event-refuted", "b", "a", event=[["2", "inf"]],
                           margin="0.05"), "a half-line under gaussian noise")
    reject("event-refuted-normal-margin", event, put([*at, "margin"], "0.3"), "no such excess")
    reject("event-refuted-normal-other-half", event, put([*at, "event"], [["-inf", "2"]]),
           "the complement")
    reject("event-refuted-normal-point", event, put([*at, "event"], [["2", "2"]]),
           "a point has no mass", "malformed")
    other("event-refuted-normal-larger-delta", event, put(["delta"], "1/2"), "a larger delta")
    line = problem(WITH_ATOM, N14, 1, "1/100", laplace("1/2"))
    accept("event-refuted-normal-atom", line,
           refuted(line, "event-refuted", event=[["-1/2", "1/2"]], margin="0.01"),
           "around an atom under Laplace noise")
    high = problem(WITH_ATOM, N14, 1, "1/10", laplace("1/2"), form="pointwise")
    peak = accept("pointwise-refuted-normal", high,
                  refuted(high, "pointwise-refuted", y="0", margin="0.1"), "the atom's peak")
    reject("pointwise-refuted-normal-margin", peak, put([*at, "margin"], "1"), "no such excess")
    other("pointwise-refuted-normal-events", peak, put(["form"], "events"), "the other form")


def scale_cases(accept: Accept, reject: Callable[..., None], other: Callable[..., None],
                put: Put) -> None:  # fmt: skip
    """Scales, minima and why there is none."""
    free = problem(N01, N14, "1/2", "1/10", {"kind": "gaussian"})
    there = problem(N01, N14, "1/2", "1/10", variance(16))
    low = refuted(there, "event-refuted", "b", "a", event=[["2", "inf"]], margin="0.001")
    steps = [
        {"rule": "scale", "method": "wide", "scale": "4", "verdict": "certified",
         "steps": sc.prove(there)},
        {"rule": "minimum", "lower": "1", "upper": "4", "lower_step": low["steps"][0],
         "upper_steps": sc.prove(there)},
    ]  # fmt: skip
    found = accept("scale-and-minimum-normal", free, kb.certificate(free, "scales", steps),
                   "standard deviations of gaussian noise")
    reject("scale-normal-raised", found, put(["steps", 0, "scale"], "1"), "too little noise")
    reject("minimum-normal-raised", found, put(["steps", 1, "lower"], "4"), "that scale is private")
    reject("minimum-normal-lowered", found, put(["steps", 1, "upper"], "3/2"), "a fraction",
           "malformed")
    reject("minimum-normal-unproved", found, put(["steps", 1, "upper"], "1.5"), "too little noise")
    for name, noise, epsilon, why in (
        ("no-scale-normal", {"kind": "gaussian"}, 5, "the wider law outgrows the other"),
        ("no-scale-normal-laplace", {"kind": "laplace"}, 0, "equality of different priors"),
    ):
        value = problem(N01, N14, epsilon, 0, noise)
        end = {"rule": "minimum", "lower": "0", "upper": "inf", "lower_step": None,
               "upper_steps": [{"rule": "no-scale"}]}  # fmt: skip
        base = accept(name, value, kb.certificate(value, "scales", [end]), why)
        other(f"{name}-delta", base, put(["delta"], "1/9"), "delta is not 0")
        other(f"{name}-equal", base, put(["priors", "b"], N01), "the priors agree")
    value = problem(N14, N01, 1, 0, {"kind": "gaussian"})
    keys = {"belief": "default", "from": "a", "to": "b", "bits": 128}
    end = {"rule": "minimum", "lower": "0", "upper": "inf", "lower_step": None,
           "upper_steps": [{"rule": "moment", **keys, "t": "1", "log": None}]}  # fmt: skip
    base = accept("moment-normal", value, kb.certificate(value, "scales", [end]),
                  "e^(1 + 2) >= e e^(1/2)")
    reject("moment-normal-elsewhere", base, put(["steps", 0, "upper_steps", 0, "t"], "1/100"),
           "the bound holds near 0")
    reject("moment-normal-log", base, put(["steps", 0, "upper_steps", 0, "log"], "2"),
           "a logarithm is for atoms")


def smooth_cases(accept: Accept, reject: Callable[..., None], other: Callable[..., None],
                 put: Put) -> None:  # fmt: skip
    """All of them."""
    for make in (chart_cases, components_cases, refuting_cases, scale_cases):
        make(accept, reject, other, put)
