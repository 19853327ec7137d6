"""The stored cases about rows that may not be there, and steps after discrete Gaussian noise: each
just enough, and just too little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kernel_builder as kb
from kept_corpus import Base, proved, refuted

Json = dict[str, Any]


def law(**counts: int) -> Json:
    """Masses at whole numbers: x2 is at 2, m2 at -2."""
    places = {name.replace("m", "-").replace("x", ""): n for name, n in counts.items()}
    return {"kind": "discrete", "counts": places}


def maybe(other: Json) -> Json:
    return {"kind": "nothing", "or": other, "chance": "1/2"}


def problem(noise: Json, epsilon: str, delta: str, post: list[Json], a: Json, b: Json) -> Json:
    return {
        "schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": noise,
        "priors": {"a": a, "b": b}, "post": post,
    }  # fmt: skip


def charted(value: Json, cells: list[list[Json]], points: list[list[str]]) -> Json:
    steps = [
        kb.step("chart", *way, density=density, points=some)
        for way, density, some in zip(("ab", "ba"), cells, points, strict=True)
    ]
    return kb.certificate(value, "certified", steps)


def threshold(at: int, keep: str = "at-least") -> Json:
    return {"threshold": {"at": at, "keep": keep}}


def row_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Steps after a density: what no row adds where the output is suppressed."""
    half = maybe(law(x1=2, x2=1))
    value = problem({"kind": "gaussian", "scale": "1/2"}, "1", "0.038165018848928",
                    [threshold(1)], law(x1=1), half)  # fmt: skip
    cells: list[list[Json]] = [
        [["-inf", "1/2", 0, 0], ["1/2", "1", 0, 0],
         ["1", "21917971433345078098553024783/19807040628566084398385987584", 6, 0],
         ["79737115568951001/72057594037927936", "5/4", 6, 1], ["5/4", "3/2", 0, 1],
         ["3/2", "5/2", 0, 1], ["5/2", "inf", 0, 1]],
        [["-inf", "1/2", 0, 0], ["1/2", "3/2", 0, 0], ["3/2", "2", 0, 0],
         ["2", "4875674079609043/2251799813685248", 6, 0],
         ["343095062001676195892669512967/158456325028528675187087900672", "9/4", 6, 1],
         ["9/4", "5/2", 0, 1], ["5/2", "inf", 0, 1]],
    ]  # fmt: skip
    base = accept("smooth-row-delta", value, charted(value, cells, [[], []]),
                  "half a row against one, above a threshold")  # fmt: skip
    other("chart-smooth-row-delta", base, put(["delta"], "0.03816501884"), "a little less")
    value = problem({"kind": "gaussian", "scale": 1}, "2.13139470727", "0",
                    [threshold(3), {"clamp": [3, 3]}],
                    law(x0=1), maybe(law(x1=1)))  # fmt: skip
    cells = [[["-inf", "-2", 0, 0], ["0", "inf", 0, 1]],
             [["-inf", "16/5", 0, 0], ["17/5", "inf", 0, 1]]]  # fmt: skip
    base = accept("smooth-row-pure", value, charted(value, cells, [[], []]),
                  "what is shown at all, and what is suppressed")  # fmt: skip
    other("chart-smooth-row-pure", base, put(["epsilon"], "2.13139470726"),
          "it is shown more often")  # fmt: skip
    value = problem({"kind": "gaussian", "scale": "1/2"}, "1/10", "0", [threshold(2)],
                    law(x1=1, x2=1), maybe(law(x3=3)))  # fmt: skip
    found = refuted(value, "event-refuted", "a", "b", event=[["-inf", "12/5"], ["9/2", "inf"]],
                    margin="0.27587765926742")  # fmt: skip
    base = accept("smooth-row-refuted", value, found, "suppressed, or outside an interval")
    reject("event-refuted-smooth-row", base, put(["steps", 0, "margin"], "0.27587765926746"),
           "a little more")  # fmt: skip
    value = problem({"kind": "gaussian", "scale": 2}, "1/10", "0", [threshold(1, "above")],
                    law(x1=1, x2=1), maybe(law(m2=3, x2=4, x3=1)))  # fmt: skip
    found = refuted(value, "event-refuted", "a", "b", event=[["1", "inf"]],
                    margin="0.33272706276974")  # fmt: skip
    base = accept("smooth-row-shown", value, found, "all that is shown, from a threshold on")
    reject("event-refuted-smooth-row-shown", base, put(["steps", 0, "margin"], "0.33272706276978"),
           "a little more")  # fmt: skip


def lattice_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Discrete Gaussian noise: outputs that are runs of the lattice, or single points."""

    def noisy(variance: str, step: str, epsilon: str, delta: str, post: list[Json],
              a: Json, b: Json) -> Json:  # fmt: skip
        noise = {"kind": "discrete-gaussian", "variance": variance, "step": step}
        value = problem(noise, epsilon, delta, post, a, b)
        return value if post else {key: value[key] for key in value if key != "post"}

    for name, key, value, less, why in (
        ("pure-ceil", "epsilon",
         noisy("1", "1", "1.252762968495403", "0", [threshold(2, "above"), {"ceil": {"to": 3}}],
               law(x1=2), law(m1=5, x1=2)), "1.252762968495346", "a ratio far out"),
        ("clamped", "delta",
         noisy("1", "1/2", "1/2", "0.006620829445978",
               [{"round": {"to": "3/2", "ties": "down"}}, {"clamp": [-1, 3]}],
               law(m2=5, m1=2, x3=2), law(m2=3, m1=2, x3=3)), "0.006620829445921",
         "outputs without end on either side"),
        ("no-row", "delta",
         noisy("9/4", "1/2", "log(2)", "0.006008944329721", [{"floor": {"to": 2}}, threshold(2)],
               law(m2=4), {"kind": "nothing"}), "0.006008944329664", "that a row is shown at all"),
        ("floor", "delta",
         noisy("9/4", "1", "1/2", "0.016207766659817", [{"floor": {"to": 2}}],
               law(x0=3), law(m1=4, x0=5, x2=1)), "0.016207766659761", "pairs of points"),
    ):  # fmt: skip
        base = accept(f"lattice-kept-{name}", value, proved(value, "kept"), why)
        other(f"kept-lattice-{name}", base, put([key], less), "a little less")
    value = noisy("1/4", "1", "2", "0.027248864282285", [],
                  law(m2=1, x1=1, x3=2), law(m2=4, m1=2, x2=3, x3=5))  # fmt: skip
    base = accept("lattice-delta", value, proved(value, "delta-upper", bits=128), "a sum of points")
    other("delta-upper-lattice", base, put(["delta"], "0.027248864282228"), "a little less")
    row = maybe(law(m1=1, x2=2))
    for name, rule, value, way, said, margin, more in (
        ("far", "output-refuted",
         noisy("1/4", "1/2", "2", "0", [threshold(3, "above")], law(m2=5, x1=2), law(m2=5)), "ab",
         {"output": "7/2"}, "44.747237031504597", "44.747237031504676"),
        ("end", "output-refuted",
         noisy("9/4", "1", "log(2)", "0", [{"clamp": [-3, 1]}, {"ceil": {"to": 3}}],
               law(m2=5, x1=1, x3=3), law(x2=5)), "ab",
         {"output": "-3"}, "4.51377031624243", "4.513770316242495"),
        ("bin", "outputs-refuted",
         noisy("9/4", "1", "1/2", "0", [threshold(3), {"bins": {"edges": [-3, 2]}}],
               law(x1=5, x2=5), {"kind": "nothing"}), "ab",
         {"outputs": ["[2, inf)"]}, "0.260536571358731", "0.260536571358792"),
        ("runs", "outputs-refuted",
         noisy("9/4", "1/2", "log(2)", "1/1000", [{"floor": {"to": 2}}],
               law(m1=3, x0=5), law(x0=3)), "ab",
         {"outputs": ["-14", "-12", "-10", "-8", "-6"]}, "0.001491952067881", "0.001491952067964"),
        ("event", "event-refuted",
         noisy("1", "1", "1/4", "1/100", [],
               law(m2=4, m1=5, x0=4, x2=1, x3=3), law(m2=2, x1=4, x3=4)), "ba",
         {"event": [["1", "13"]]}, "0.25791776475313", "0.257917764753191"),
        ("point", "pure-refuted",
         noisy("1/4", "1", "1", "0", [], law(x1=2), law(x0=3, x1=5, x2=4)), "ba",
         {"y": "-2"}, "7.613781302617454", "7.613781302617508"),
        ("named", "output-refuted",
         noisy("1", "1", "1", "0", [{"floor": {"to": 2}}], law(x0=1), law(x1=1)), "ab",
         {"output": "-60"}, "58.4", "58.6"),
        ("row", "outputs-refuted",
         noisy("1", "1", "1/4", "1/100", [threshold(2)], law(m1=1, x2=2), row), "ba",
         {"outputs": ["suppressed"]}, "0.072770277016985", "0.072770277017014"),
    ):  # fmt: skip
        found = refuted(value, rule, *way, margin=margin, **said)
        base = accept(f"lattice-refuted-{name}", value, found, "just so much")
        reject(f"{rule}-lattice-{name}", base, put(["steps", 0, "margin"], more), "a little more")
        if name == "named":
            wrong = put(["steps", 0, "output"], "-59")
            reject("output-refuted-lattice-no-name", base, wrong, "no number becomes -59")
