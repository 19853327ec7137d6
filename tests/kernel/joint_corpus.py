"""The stored cases about several numbers at once, and about many releases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kernel_builder as kb

Json = dict[str, Any]
Base = tuple[Json, Json]
UNIT = {"kind": "laplace", "scale": 1}


def joint(*rows: list[Any], key: str = "rows") -> Json:
    """A prior of points, whose coordinates are named x, y, .."""
    return {"kind": "joint", "names": [*"xyzuvwst"[: len(rows[0]) - 1]], key: [*rows]}


def problem(a: Json, b: Json, epsilon: Any, delta: Any = 0, noise: Any = UNIT, **more: Any) -> Json:
    """A problem about the secrets a and b."""
    return {"schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": noise,
            "priors": {"a": a, "b": b}, **more}  # fmt: skip


def proved(value: Json, rule: str, first: Json, second: Json | None = None, **more: Any) -> Json:
    """A certificate with a step for each order."""
    ways = (("a", "b", first), ("b", "a", first if second is None else second))
    steps = [{"rule": rule, "belief": "default", "from": a, "to": b, **keys, **more}
             for a, b, keys in ways]  # fmt: skip
    return kb.certificate(value, "certified", steps)


def refuted(value: Json, rule: str, **keys: Any) -> Json:
    """A certificate that the first order fails."""
    step = {"rule": rule, "belief": "default", "from": "a", "to": "b", **keys}
    return kb.certificate(value, "refuted", [step])


SAME = joint([0, 0, "1/2"], [1, 1, "1/2"])  # each coordinate alone has one law
OTHER = joint([0, 1, "1/2"], [1, 0, "1/2"])
SPREAD = {"kind": "discrete", "mass": {str(x): "1/5" for x in range(5)}}
TWO = {"kind": "discrete", "mass": {"2": 1}}
ZERO, ONE = ({"kind": "discrete", "mass": {x: 1}} for x in "01")
PURE = {"bits": 160, "ties": []}


def joint_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    grid_cases(accept, reject, other, put)
    release_cases(accept, reject, other, put)
    any_rest_cases(accept, reject, other, put)


def grid_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    least = {"kind": "laplace", "scale": "0.921626281652048"}
    value = problem(SAME, OTHER, "1/2", noise=least)
    base = accept("grid-together", value, proved(value, "grid", PURE), "log cosh(1/theta) <= 1/2")
    other("grid-scale", base, put(["noise", "scale"], "0.921626281652047"), "a digit less")
    other("grid-coordinate", base, put(["priors", "a", "rows", 1, 0], 2), "a point further out")
    reject("grid-missing", base, put(["steps"], base[1]["steps"][:1]), "one order only")
    reject("grid-tie", base, put(["steps", 0, "ties"], [["0", "0"]]), "no tie")
    reject("grid-tie-elsewhere", base, put(["steps", 0, "ties"], [["0", "2"]]), "not on the grid")
    reject("grid-tie-short", base, put(["steps", 0, "ties"], [["0"]]), "half a point", "malformed")
    value = problem(SAME, OTHER, "log(cosh)".replace("cosh", "(exp(1)+exp(-1))/2"))
    ways = {"bits": 160, "ties": [["0", "0"], ["1", "1"]]}, \
           {"bits": 160, "ties": [["0", "1"], ["1", "0"]]}  # fmt: skip
    base = accept("grid-met", value, proved(value, "grid", *ways), "log cosh 1 exactly")
    reject("grid-ties-left-out", base, put(["steps", 0, "ties"], []), "equality is no bound")
    reject("grid-ties-order", base, put(["steps", 0, "ties"], [["1", "1"], ["0", "0"]]), "",
           "malformed")  # fmt: skip
    other("grid-met-less", base, put(["epsilon"], "0.4337808304830"), "less than the tie")
    reject("grid-ties-twice", base, put(["steps", 0, "ties", 1], ["0", "0"]), "one point twice",
           "malformed")  # fmt: skip
    apart = joint(["1/2", 0, "1/3"], [2, "1/3", "2/3"])
    across = joint(["1/2", "1/3", "1/2"], [2, 0, "1/2"])
    ratio = "log((1/2+exp(-11)/2)/(exp(-2)/3+2*exp(-9)/3))"
    value = problem(apart, across, ratio, noise={"kind": "laplace", "scale": "1/6"})
    ways = PURE, {"bits": 160, "ties": [["1/2", "1/3"]]}
    base = accept("grid-met-fractions", value, proved(value, "grid", *ways), "at (1/2, 1/3) only")
    reject("grid-met-fractions-elsewhere", base, put(["steps", 1, "ties", 0, 1], "0"), "no tie")
    three = joint([0, 0, 2], [1, 2, 1], [3, 1, 1], key="counts")
    third = joint([0, 1, "1/3"], [2, 2, "1/3"], [3, 0, "1/3"])
    own = {"kind": "laplace", "scale": [1, "3/2"]}
    value = problem(three, third, "0.98", noise=own)
    base = accept("grid-own-scales", value, proved(value, "grid", PURE), "0.977625.. at (0, 0)")
    other("grid-own-scales-swapped", base, put(["noise", "scale"], ["3/2", 1]), "the larger one")
    value = problem(three, third, "0.97", noise=own)
    keys = {"bits": 160, "y": ["0", "0"], "margin": "0.0076"}
    base = accept("grid-refuted", value, refuted(value, "grid-refuted", **keys), "by 0.0076254..")
    reject("grid-refuted-margin", base, put(["steps", 0, "margin"], "0.0077"), "too much")
    reject("grid-refuted-point", base, put(["steps", 0, "y"], ["0", "1"]), "another point")
    reject("grid-refuted-order", base, put(["steps", 0, "from"], "b"), "no such goal")
    reject("grid-refuted-number", base, put(["steps", 0, "y"], "0"), "no point", "malformed")
    other("grid-refuted-delta", base, put(["delta"], "1/1000"), "a pure bound only")
    lattice = {"kind": "discrete-laplace", "scale": 1, "step": 1}
    value = problem(SAME, OTHER, "1/10", "0.1722", lattice)
    base = accept("grid-upper", value, proved(value, "grid-upper", {"bits": 128, "cuts": [[], []]}),
                  "0.172196.. on a lattice whose points are all there")
    other("grid-upper-less", base, put(["delta"], "0.1721"), "below the sum")
    reject("grid-upper-cuts", base, put(["steps", 0, "cuts"], [[]]), "one list", "malformed")
    reject("grid-upper-cut", base, put(["steps", 0, "cuts"], [["1/2"], []]), "off the lattice",
           "malformed")  # fmt: skip
    reject("grid-upper-own", base, put(["steps", 0, "cuts"], [["1"], []]), "a coordinate",
           "malformed")  # fmt: skip
    value = problem(SAME, OTHER, "1/10", "0.17", lattice)
    keys = {"bits": 128, "cuts": [[], []], "margin": "0.0021"}
    base = accept("grid-event-refuted", value, refuted(value, "grid-event-refuted", **keys), "")
    reject("grid-event-refuted-margin", base, put(["steps", 0, "margin"], "0.0022"), "too much")
    other("grid-event-refuted-order", base, put(["priors"], {"a": SAME, "b": SAME}), "one law")
    thirds = [[f"{1 + 3 * int(x)}/3" for x in point] for point in ("00", "11", "01", "10")]
    laws = (joint(*([*point, "1/2"] for point in half)) for half in (thirds[:2], thirds[2:]))
    value = problem(*laws, "1/10", noise=lattice)
    keys = {"bits": 128, "y": ["-2/3", "-2/3"], "margin": "0.333"}
    base = accept("grid-refuted-lattice", value, refuted(value, "grid-refuted", **keys),
                  "log cosh 1 - 1/10, where all atoms are a third off the integers")  # fmt: skip
    reject("grid-refuted-off-lattice", base, put(["steps", 0, "y", 1], "-1"), "", "malformed")
    cuts = {"bits": 128, "cuts": [["1/4", "1/2", "3/4"]] * 2}
    value = problem(SAME, OTHER, "1/10", "0.12")
    base = accept("grid-upper-line", value, proved(value, "grid-upper", cuts), "0.11434..")
    reject("grid-upper-line-coarse", base, put(["steps", 0, "cuts"], [[], []]), "too coarse")
    reject("grid-upper-line-twice", base, put(["steps", 0, "cuts", 0], ["1/2", "1/2"]), "",
           "malformed")  # fmt: skip
    finer = {"bits": 128, "cuts": [["1/8", "1/4", "1/2", "3/4"]] * 2}
    accept("grid-upper-line-apart", value, proved(value, "grid-upper", cuts, finer),
           "each order with a grid of its own")  # fmt: skip
    many_coordinates(accept, reject, other, put)
    none = {"kind": "none"}
    value = problem(SAME, joint([0, 0, "1/4"], [1, 1, "3/4"]), "log(2)", noise=none)
    base = accept("bare-points", value, proved(value, "no-noise", {}), "2 at (0, 0)")
    other("no-noise-points", base, put(["epsilon"], "1/2"), "log 2 is more")
    value = problem(SAME, joint([0, 0, "1/4"], [1, 1, "3/4"]), "1/2", noise=none)
    keys = {"bits": 64, "y": ["0", "0"], "margin": "0.19"}
    base = accept("bare-points-refuted", value, refuted(value, "pure-refuted", **keys), "")
    reject("pure-refuted-points", base, put(["steps", 0, "y"], ["1", "1"]), "the smaller ratio")
    value = problem(SAME, OTHER, 1, "1/2", none)
    keys = {"bits": 64, "outputs": ["(0, 0)", "(1, 1)"], "margin": "0.5"}
    base = accept("bare-points-event", value, refuted(value, "outputs-refuted", **keys), "apart")
    reject("outputs-refuted-points", base, put(["steps", 0, "outputs"], ["(0, 0)"]), "a half")


def many_coordinates(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Single points of twenty coordinates, whose grid has 2^20 points; and one that all share."""
    ones, zeros = ([[x] * 20 for x in (1, 0)])
    a, b = ({"kind": "joint", "names": [f"w{k}" for k in range(20)], "rows": [[*row, 1]]}
            for row in (ones, zeros))  # fmt: skip
    own = {"kind": "laplace", "scale": [2] * 19 + ["1/2"]}
    value = problem(a, b, "23/2", noise=own)
    tied = [{"bits": 64, "ties": [[str(x) for x in row]]} for row in (ones, zeros)]
    base = accept("grid-points", value, proved(value, "grid", *tied), "19/2 + 2 exactly")
    reject("grid-points-ties", base, put(["steps", 0, "ties"], []), "equality is no bound")
    reject("grid-points-elsewhere", base, put(["steps", 0, "ties", 0], ["0"] * 20), "no tie")
    other("grid-points-less", base, put(["epsilon"], "1149/100"), "less than the sum")
    other("grid-points-scale", base, put(["noise", "scale", 19], "0.49"), "less noise on the last")
    other("grid-points-coordinate", base, put(["priors", "a", "rows", 0, 0], 2), "further apart")
    value = problem(a, b, "1151/100", noise=own)
    base = accept("grid-points-below", value, proved(value, "grid", {"bits": 64, "ties": []}), "")
    other("grid-points-met", base, put(["epsilon"], "23/2"), "a tie that is not claimed")
    value = problem(a, b, "11", noise=own)
    keys = {"bits": 64, "y": ["1"] * 20, "margin": "0.499"}
    base = accept("grid-points-refuted", value, refuted(value, "grid-refuted", **keys), "by 1/2")
    reject("grid-points-refuted-more", base, put(["steps", 0, "margin"], "0.501"), "too much")
    value = problem(joint([0, 5, 1]), joint([1, 5, 1]), "1/10", "0.37")
    cuts = {"bits": 128, "cuts": [["1/4", "1/2", "3/4"], []]}
    base = accept("grid-upper-alike", value, proved(value, "grid-upper", cuts), "0.362371..")
    other("grid-upper-alike-less", base, put(["delta"], "0.36"), "below the divergence")
    value = {**value, "delta": "0.35"}
    keys = {**cuts, "margin": "0.01"}
    base = accept("grid-event-alike", value, refuted(value, "grid-event-refuted", **keys), "")
    reject("grid-event-alike-more", base, put(["steps", 0, "margin"], "0.02"), "too much")


def release_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    same = {"kind": "laplace", "scale": "1/log(2)", "releases": 2}
    value = problem(SPREAD, TWO, "1.45", noise=same)
    base = accept("releases-pure", value, proved(value, "pure", PURE), "log(341/80) = 1.4498..")
    other("pure-releases", base, put(["noise", "releases"], 3), "one more")
    other("pure-releases-fresh", base, put(["noise", "draws"], "fresh"), "of fresh draws")
    three = {"kind": "laplace", "scales": [2, 3, 2]}
    value = problem(ZERO, ONE, "4/3", noise=three)
    tied = proved(value, "pure", {"bits": 160, "ties": ["0"]}, {"bits": 160, "ties": ["1"]})
    base = accept("releases-scales", value, tied, "1/2 + 1/3 + 1/2")
    other("pure-scales", base, put(["noise", "scales"], [2, 3, 1]), "1/2 + 1/3 + 1")
    spent = {"kind": "discrete-laplace", "step": 2, "total": "8/3"}
    evens = {"kind": "discrete", "mass": {"2": 1}}
    value = problem(ZERO, evens, "8/3", noise=spent)
    tied = proved(value, "pure", {"bits": 160, "ties": ["0"]}, {"bits": 160, "ties": ["2"]})
    base = accept("releases-total", value, tied, "theta = 2/(8/3)")
    other("pure-total", base, put(["noise", "total"], "3"), "a larger one")
    two = {"kind": "laplace", "scale": 1, "releases": 2}
    value = problem(ZERO, ONE, "1/2", "0.53", two)
    base = accept("releases-delta", value, proved(value, "delta-upper", {"bits": 128}),
                  "one at 1/2 has 0.527633..")  # fmt: skip
    other("delta-upper-releases", base, put(["delta"], "0.52"), "less than one at 1/2")
    value = problem(ZERO, ONE, "1/2", "0.22", two)
    inner = {"rule": "event-refuted", "bits": 128, "event": [["-inf", "1/4"]], "margin": "0.001"}
    base = accept("one-refuted", value, refuted(value, "one-refuted", release=0, step=inner),
                  "one alone has 0.2211..")  # fmt: skip
    reject("one-refuted-margin", base, put(["steps", 0, "step", "margin"], "0.01"), "too much")
    reject("one-refuted-second", base, put(["steps", 0, "release"], 1), "one scale", "malformed")
    reject("one-refuted-minus", base, put(["steps", 0, "release"], -1), "", "malformed")
    reject("one-refuted-inner", base, put(["steps", 0, "step", "belief"], "default"),
           "a pair of its own", "malformed")  # fmt: skip
    value = problem(ZERO, ONE, "1/2", "0.36", two)
    grid = {"bits": 128, "cuts": [["1/8", "1/4", "3/8", "1/2", "5/8", "3/4", "7/8"]] * 2}
    base = accept("releases-grid", value, proved(value, "grid-upper", grid), "0.350495..")
    other("grid-upper-releases", base, put(["noise", "scale"], "9/10"), "a smaller scale")
    value = problem(ZERO, ONE, "1/2", "0.33", two)
    base = accept("releases-cells", value,
                  refuted(value, "grid-event-refuted", **grid, margin="0.001"), "0.350495..")
    one = {"bits": 128, "cuts": [["1/4", "1/2"]], "margin": "0.001"}
    wrong = refuted(value, "grid-event-refuted", **one)["steps"][0]
    reject("grid-event-refuted-one", base, put(["steps", 0], wrong),
           "the one release at 1/2 refutes nothing", "malformed")  # fmt: skip
    fresh = {"kind": "laplace", "scales": [3, 2], "draws": "fresh"}
    value = problem(ZERO, ONE, "5/6", noise=fresh)

    def parts(*ties: str) -> Json:
        inner = [{"rule": "pure", "bits": 128, "ties": [tie]} for tie in ties]
        return {"parts": [{"epsilon": e, "delta": "0", "step": s}
                          for e, s in zip(("1/3", "1/2"), inner, strict=True)]}  # fmt: skip

    base = accept("product", value, proved(value, "product", parts("0", "0"), parts("1", "1")),
                  "1/3 + 1/2, met exactly")  # fmt: skip
    reject("product-more", base, put(["steps", 0, "parts", 0, "epsilon"], "2/3"), "they sum to 7/6")
    reject("product-less", base, put(["steps", 0, "parts", 0, "epsilon"], "1/4"), "no tie there")
    reject("product-short", base, put(["steps", 0, "parts"], parts("0", "0")["parts"][:1]),
           "one part", "malformed")  # fmt: skip
    other("product-swapped", base, put(["noise", "scales"], [2, 3]), "the order of the parts")
    other("product-third", base, put(["noise", "scales"], [3, 2, 2]), "one more release")
    value = problem(ZERO, ONE, "4/5", noise=fresh)
    shown = [{"epsilon": e, "step": {"rule": "pure-refuted", "bits": 128, "y": "0", "margin": m}}
             for e, m in (("0.32", "0.0133"), ("0.48", "0.0199"))]  # fmt: skip
    base = accept("product-refuted", value,
                  refuted(value, "product-refuted", parts=shown, margin="0.0332"), "1/30 more")
    reject("product-refuted-margin", base, put(["steps", 0, "margin"], "0.034"), "too much")
    reject("product-refuted-part", base, put(["steps", 0, "parts", 0, "epsilon"], "0.31"),
           "0.31 + 0.48 < 0.8")  # fmt: skip


def any_rest_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """A sum of which one user's part is known, and what is below 5 is suppressed."""
    value = problem(ZERO, ONE, "1/2", noise={"kind": "laplace", "scale": 2},
                    post=[{"threshold": {"at": 5, "keep": "at-least"}}])  # fmt: skip
    del value["priors"]
    value["system"] = {"rest": "any", "user": {"a": {"point": 0}, "b": {"point": 1}}}
    tied = {"bits": 128, "ties": ["0"]}, {"bits": 128, "ties": ["1"]}
    base = accept("any-rest-steps", value, proved(value, "pure", *tied), "as without the steps")
    other("any-rest-steps-less", base, put(["epsilon"], "49/100"), "less than the noisy sum")
    other("any-rest-steps-apart", base, put(["system", "user", "b", "point"], 2), "further apart")
    value = {**value, "epsilon": "2/5"}
    inside = {"rule": "event-refuted", "bits": 128, "margin": "0.0187", "event": [["5", "6"]]}
    keys = {"part": {"release": 0, "rest": "6"}, "step": inside}
    base = accept("any-rest-refuted", value, refuted(value, "part-refuted", **keys), "of 6 and 7")
    reject("any-rest-refuted-less", base, put(["steps", 0, "part", "rest"], "-6"), "far below")
    reject("any-rest-refuted-more", base, put(["steps", 0, "step", "margin"], "0.0188"), "too much")
    part = ["steps", 0, "part"]
    reject("any-rest-refuted-text", base, put([*part, "rest"], "12/2"), "", "malformed")
    reject("any-rest-refuted-one", base, put(part, {"rest": "6"}), "", "malformed")
    reject("any-rest-refuted-two", base, put([*part, "release"], 1), "", "malformed")
    other("any-rest-refuted-known", base, put(["system", "rest"], "known"), "it adds nothing")
    reject("any-rest-refuted-named", base, put(part, ["x"]), "one number")
    three = {"kind": "laplace", "scale": 2, "releases": 3}
    value = {**value, "noise": three, "epsilon": "7/5"}
    claim = refuted(value, "pure-refuted", bits=128, y="0", margin="0.09")
    base = accept("any-rest-far", value, claim, "3/2 - 7/5, as without the steps")
    reject("any-rest-far-margin", base, put(["steps", 0, "margin"], "0.11"), "too much")
    other("any-rest-far-clamped", base, put(["post"], [{"clamp": [5, 9]}]), "no half-line")
    both = [*value["post"], {"clamp": [0, 9]}]
    other("any-rest-far-both", base, put(["post"], both), "no half-line")
    value = {**value, "delta": "1/100", "epsilon": "4/5", "noise": {**three, "releases": 2}}
    claim = refuted(value, "grid-event-refuted", bits=128, margin="0.035", cuts=[[], []])
    base = accept("any-rest-far-event", value, claim, "delta as without the steps")
    reject("any-rest-far-event-more", base, put(["steps", 0, "margin"], "0.1"), "too much")
    other("any-rest-far-event-clamped", base, put(["post"], [{"clamp": [5, 9]}]), "hidden")
    value = {**value, "delta": 0, "epsilon": "7/5", "noise": {**three, "draws": "fresh"}}
    shares = [{"epsilon": "49/100", "step": {
        "rule": "pure-refuted", "bits": 128, "y": "0", "margin": "0.009"}}]
    claim = refuted(value, "product-refuted", parts=shares, margin="0.027")
    base = accept("any-rest-far-fresh", value, claim, "three losses of 1/2")
    other("any-rest-far-fresh-clamped", base, put(["post"], [{"clamp": [5, 9]}]), "hidden")
    alone = {**value, "epsilon": "2/5"}
    claim = refuted(alone, "one-refuted", release=0, step={
        "rule": "pure-refuted", "bits": 128, "y": "0", "margin": "0.09"})  # fmt: skip
    base = accept("any-rest-far-one", alone, claim, "1/2 - 2/5 of one of three, without the steps")
    other("any-rest-far-one-clamped", base, put(["post"], [{"clamp": [5, 9]}]), "hidden")
    bounded = {"kind": "truncated-laplace", "scale": 2, "bound": 5}
    alone = {**value, "epsilon": "2/5", "noise": bounded}
    claim = refuted(alone, "part-refuted", part={"release": 0, "rest": "6"}, step={
        "rule": "event-refuted", "bits": 128, "margin": "0.01", "event": [["5", "6"]]})  # fmt: skip
    base = accept("any-rest-bounded", alone, claim, "a part of 6 and 7 with bounded noise")
    reject("any-rest-bounded-less", base, put(["steps", 0, "part", "rest"], "-6"), "hidden")
    bins = [{"bins": {"edges": ["1/2"]}}]
    value = {**value, "epsilon": "17/10", "post": bins,
             "noise": {"kind": "laplace", "scale": 1, "releases": 2}}  # fmt: skip
    own = {"parts": [{"part": 0, "epsilon": "17/20", "delta": "0", "step": {"rule": "channel"}}]}
    other("any-rest-parts", (value, proved(value, "product", own)), put(["epsilon"], "1.7"),
          "the rest moves them")  # fmt: skip
