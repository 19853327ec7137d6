"""The stored cases about steps behind several numbers, or releases, that fail all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from joint_corpus import ONE, OTHER, SAME, ZERO, Base, Json, joint, problem, proved, refuted

AT_5 = {"threshold": {"at": 5}}
HIGH, LOW = ({"kind": "discrete", "mass": {str(x): 1}} for x in (11, 10))


def own_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Steps behind releases, or points, that leave what fails to itself."""
    two = {"kind": "laplace", "scale": 2, "releases": 2}

    def fails(value: Json, y: Any, rule: str = "pure-refuted", margin: str = "0.39") -> Json:
        return refuted(value, rule, bits=128, y=y, margin=margin)

    value = problem(HIGH, LOW, "3/5", noise=two, post=[AT_5])
    base = accept("own-refuted", value, fails(value, "11"), "1 - 3/5, far above the threshold")
    reject("own-refuted-margin", base, put(["steps", 0, "margin"], "0.41"), "too much")
    other("own-refuted-rounded", base, put(["post"], [{"round": {"to": 1}}]), "11 with others")
    other("own-refuted-clamped", base, put(["post"], [{"clamp": [12, 20]}]), "11 becomes 12")
    other("own-refuted-high", base, put(["post"], [{"clamp": [0, 10]}]), "11 becomes 10")
    other("own-refuted-modulo", base, put(["post"], [{"modulo": 100}]), "11 with 111")
    value = problem(LOW, HIGH, "3/5", noise=two, post=[AT_5])
    base = accept("own-refuted-edge", value, fails(value, "5"), "just above the threshold")
    reject("own-refuted-hidden", base, put(["steps", 0, "y"], "4999/1000"), "it is suppressed")
    lattice = {"kind": "discrete-laplace", "scale": 2, "step": 1, "releases": 2}
    steps = [{"round": {"to": 1}}, {"clamp": [0, 12]}]
    value = problem(HIGH, LOW, "3/5", noise=lattice, post=steps)
    base = accept("own-refuted-lattice", value, fails(value, "11"), "rounding moves no integer")
    reject("own-refuted-end", base, put(["steps", 0, "y"], "12"), "12 with 13 and more")
    other("own-refuted-lattice-modulo", base, put(["post"], [{"modulo": 100}]), "11 with 111")
    other("own-refuted-coarse", base, put(["post", 0, "round", "to"], 2), "11 becomes 12")
    value = problem(HIGH, LOW, "3/5", noise=lattice, post=[{"clamp": [10, 20]}])
    base = accept("own-refuted-inside", value, fails(value, "11"), "11 alone")
    other("own-refuted-low", base, put(["post"], [{"clamp": [11, 20]}]), "11 with 10 and less")
    value = problem(SAME, OTHER, "1/10", post=[{"coordinate": "x", "threshold": {"at": 0}}])
    base = accept("own-refuted-point", value, fails(value, ["0", "0"], "grid-refuted", "0.3"),
                  "log cosh(1) - 1/10 = 0.333..")  # fmt: skip
    other("own-refuted-coordinate", base, put(["post", 0, "threshold", "at"], "1/8"), "hidden")
    value = problem(OTHER, SAME, "1/10", post=[{"coordinate": "x", "threshold": {"at": "1/2"}}])
    accept("own-refuted-one", value, fails(value, ["1", "0"], "grid-refuted", "0.3"),
           "the step is of x alone")  # fmt: skip


def independent_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Independent outputs behind steps: one bit of each noisy number, which loses log 2.2974.."""
    bins, two = [{"bins": {"edges": ["1/2"]}}], {"kind": "laplace", "scale": 1, "releases": 2}
    value = problem(ZERO, ONE, "17/10", noise=two, post=bins)
    own = {"parts": [{"part": 0, "epsilon": "17/20", "delta": "0", "step": {"rule": "channel"}}]}
    base = accept("product-parts", value, proved(value, "product", own), "2 * 0.83179..")
    reject("product-parts-more", base, put(["steps", 0, "parts", 0, "epsilon"], "43/50"), "1.72")
    reject("product-parts-less", base, put(["steps", 0, "parts", 0, "epsilon"], "83/100"), "less")
    reject("product-parts-delta", base, put(["steps", 0, "parts", 0, "delta"], "1/100"), "no delta")
    reject("product-parts-second", base, put(["steps", 0, "parts", 0, "part"], 1), "the first")
    reject("product-parts-twice", base, put(["steps", 0, "parts"], 2 * own["parts"]), "one kind")
    reject("product-parts-pair", base, put(["steps", 0, "parts", 0, "step", "belief"], "default"),
           "a pair of its own", "malformed")  # fmt: skip
    other("product-parts-third", base, put(["noise", "releases"], 3), "2.495..")
    half = {"kind": "discrete", "mass": {"0": "999/1000", "1": "1/1000"}}
    other("product-parts-spread", base, put(["priors", "a"], half), "X is drawn once, of two atoms")
    fresh = {**two, "draws": "fresh"}
    value = problem(half, ONE, "17/10", noise=fresh, post=bins)
    base = accept("product-parts-fresh", value, proved(value, "product", own), "X is drawn twice")
    other("product-parts-same", base, put(["noise", "draws"], "same"), "X is drawn once")
    total = {"kind": "laplace", "total": 1}
    value = problem(ZERO, ONE, "17/20", noise={"kind": "laplace", "scales": [1]}, post=bins)
    base = accept("product-parts-one", value, proved(value, "product", own), "0.83179..")
    other("product-parts-total", base, put(["noise"], total), "spent in any way")

    value = problem(ZERO, ONE, "8/5", noise=two, post=bins)
    claim = {"rule": "output-refuted", "bits": 128, "output": "(-inf, 1/2)", "margin": "0.0317"}
    shown = [{"part": 0, "epsilon": "4/5", "step": claim}]
    base = accept("product-parts-refuted", value,
                  refuted(value, "product-refuted", parts=shown, margin="0.0634"), "1.66359..")
    reject("product-parts-refuted-margin", base, put(["steps", 0, "margin"], "0.0635"), "too much")
    reject("product-parts-refuted-claim", base,
           put(["steps", 0, "parts", 0, "step", "margin"], "0.0318"), "0.03179..")  # fmt: skip
    reject("product-parts-refuted-less", base, put(["steps", 0, "parts", 0, "epsilon"], "79/100"),
           "1.58 < 1.6")  # fmt: skip
    reject("product-parts-refuted-plain", base, put(["steps", 0, "parts"], [
        {"epsilon": "4/5", "step": claim}]), "no part is named")  # fmt: skip
    reject("product-parts-refuted-inner", base, put(["steps", 0, "parts", 0, "step", "rule"],
           "mass-refuted"), "the other form", "malformed")  # fmt: skip
    other("product-parts-refuted-delta", base, put(["delta"], "1/100"), "a delta")
    other("product-parts-refuted-once", base, put(["noise", "releases"], 1), "0.83..")
    other("product-parts-refuted-spread", base, put(["priors", "b"], half), "X is drawn once")
    ends = joint([0, 0, 1]), joint([1, 1, 1])
    value = problem(*ends, "179/100", post=[{"coordinate": "x", **bins[0]}])
    tail = {"rule": "event-refuted", "bits": 128, "event": [["-inf", "0"]], "margin": "0.004"}
    shown = [{"part": ["x"], "epsilon": "4/5", "step": claim},
             {"part": ["y"], "epsilon": "99/100", "step": tail}]  # fmt: skip
    base = accept("product-parts-points", value,
                  refuted(value, "product-refuted", parts=shown, margin="0.0357"), "1.83179..")
    reject("product-parts-points-order", base, put(["steps", 0, "parts"], shown[::-1]), "x, then y")
    reject("product-parts-points-margin", base, put(["steps", 0, "margin"], "0.0358"), "too much")
    reject("product-parts-points-same", base, put(["steps", 0, "parts", 1], shown[0]), "x twice")
    low = problem(*ends, "79/100", post=value["post"])
    accept("product-parts-points-some", low, refuted(
        low, "product-refuted", parts=shown[:1], margin="0.0317"), "y adds nothing")  # fmt: skip
    low = problem(*ends, "17/20", post=value["post"])
    shares = [{"part": ["x"], "epsilon": "17/20", "delta": "0", "step": {"rule": "channel"}}]
    whole = proved(low, "product", {"parts": shares})
    other("product-parts-points-left", (low, whole), put(["epsilon"], "0.85"), "y loses 1")
    other("product-parts-points-spread", base, put(["priors", "a", "rows"], [
        [0, 0, "1/2"], [0, 1, "1/2"]]), "no point")  # fmt: skip


def reduction_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    case: Callable[..., None], put: Callable[..., Any],
) -> None:  # fmt: skip
    """What no other case would notice of releases, draws and parts."""
    draws_on_a_grid(accept, reject, other, put)
    noise = {"kind": "laplace", "scales": [1, 2], "draws": "fresh"}

    def shares(*targets: tuple[str, str]) -> Json:
        inner = {"rule": "delta-upper", "bits": 96}
        return {"parts": [{"epsilon": e, "delta": d, "step": inner} for e, d in targets]}

    value = problem(ZERO, ONE, 1, "3/10", noise)
    base = accept("product-deltas", value, proved(
        value, "product", shares(("3/5", "1/5"), ("2/5", "1/10"))), "both sum up")  # fmt: skip
    parts = ["steps", 0, "parts"]
    reject("product-epsilons-sum", base, put([*parts, 0, "epsilon"], "7/10"), "11/10 > 1")
    reject("product-deltas-sum", base, put([*parts, 0, "delta"], "3/10"), "4/10 > 3/10")
    reject("product-negative", base, put([*parts, 0, "epsilon"], "-1/2"), "", "malformed")
    reject("product-negative-delta", base, put([*parts, 0, "delta"], "-1/9"), "", "malformed")
    reject("product-large-delta", base, put([*parts, 0, "delta"], "3/2"), "", "malformed")

    two = {"kind": "laplace", "scale": 2, "releases": 2}
    value = problem(ZERO, ONE, "2/5", noise=two, post=[{"threshold": {"at": 5}}])
    inside = {"rule": "event-refuted", "bits": 128, "margin": "0.001", "event": [["5", "6"]]}
    keys = {"part": {"release": 0, "rest": "6"}, "step": inside}
    wrong = value, refuted(value, "part-refuted", **keys)
    reject("part-refuted-rest", wrong, put(["steps", 0, "from"], "a"), "nothing is added to 0 or 1")
    hidden = {"rule": "output-refuted", "bits": 128, "output": "suppressed", "margin": "0.001"}
    wrong = value, refuted(value, "part-refuted", part=-1, step=hidden)
    reject("part-refuted-minus", wrong, put(["steps", 0, "from"], "a"), "", "malformed")
    held = proved({**value, "epsilon": 1}, "pure", {"bits": 96, "ties": []})
    more = {"rule": "scale", "method": "x", "scale": "3", "verdict": "certified",
            "steps": held["steps"]}  # fmt: skip
    wrong = value, {**held, "result": "scales", "problem": wrong[1]["problem"]}
    reject("steps-another-scale", wrong, put(["steps"], [more]), "more noise may be worse",
           "malformed")  # fmt: skip

    above = {"coordinate": "z", "threshold": {"at": 2}}
    laws = (joint(*([*row[:2], 0, row[2]] for row in law["rows"])) for law in (SAME, OTHER))
    value = problem(*laws, "1/10", post=[above])
    inside = {"rule": "grid-refuted", "bits": 128, "y": ["0", "0"], "margin": "0.3"}
    claim = refuted(value, "part-refuted", part=["x", "y"], step=inside)
    base = accept("part-refuted-two", value, claim, "x and y as they are")
    part = ["steps", 0, "part"]
    reject("part-refuted-two-swapped", base, put(part, ["x", "z"]), "one of them has a step")
    reject("part-refuted-two-same", base, put(part, ["x", "x"]), "x twice")
    for name, post in (
        ("unknown", [{**above, "coordinate": "w"}]), ("without", [{"threshold": {"at": 2}}, above]),
        ("none", []), ("text", ["z"]),
    ):  # fmt: skip
        case("malformed", f"problem-steps-coordinate-{name}", {**value, "post": post}, claim,
             "malformed", "each step names one of the coordinates")  # fmt: skip
    for name, changed in (
        ("pointwise", {"form": "pointwise"}), ("distance", {"notion": "xdistp", "metric": "w1"}),
        ("scale-zero", {"noise": {"kind": "laplace", "scale": 0}}),
        ("no-scale", {"noise": {"kind": "laplace"}}),
    ):  # fmt: skip
        case("malformed", f"problem-steps-coordinate-{name}", {**value, **changed}, claim,
             "malformed", "not said of steps behind several numbers")  # fmt: skip
    total = {**value, "noise": {"kind": "laplace", "total": 1}}
    hidden = {**hidden, "margin": "0.1"}
    wrong = total, refuted(total, "part-refuted", part=["z"], step=hidden)
    reject("part-refuted-total", wrong, put(part, ["z"]), "of no scale", "malformed")


def draws_on_a_grid(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Sums on the grid of two releases of two atoms: of fresh draws .1128.. to .1654.., of one X
    .1508.. to .1858.. (both orders)."""
    few = {"kind": "discrete", "mass": {"0": "1/2", "2": "1/2"}}
    fine = {"bits": 96, "cuts": [["1/2", "3/2"]] * 2}
    for draws, low, high, place in (
        ("fresh", ("0.1128", "0.1129"), ("0.1655", "0.1653"), "(X_1, X_2)"),
        ("same", ("0.1508", "0.1509"), ("0.1859", "0.1858"), "(X, X)"),
    ):
        noise = {"kind": "laplace", "scales": [1, 2], "draws": draws}
        value = problem(few, ONE, "1/4", high[0], noise)
        base = accept(f"{draws}-grid", value, proved(value, "grid-upper", fine), f"points {place}")
        other(f"{draws}-grid-less", base, put(["delta"], high[1]), "below the sums")
        if draws == "fresh":
            reject("fresh-grid-one", base, put(["steps", 0, "cuts"], fine["cuts"][:1]),
                   "no one release stands for fresh draws", "malformed")  # fmt: skip
            other("fresh-grid-gaussian", base, put(["noise", "kind"], "gaussian"), "another noise")
        value = problem(few, ONE, "1/4", low[0], noise)
        cells = refuted(value, "grid-event-refuted", **fine, margin="0.00001")
        base = accept(f"{draws}-cells", value, cells, f"points {place}")
        other(f"{draws}-cells-more", base, put(["delta"], low[1]), "above the sums")
