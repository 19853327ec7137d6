"""The stored cases about composition with a delta."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from composed_builder import at_levels, atoms, composed, composed_refuted, levels, many, point, said
from composed_builder import texts as texts_of
from joint_corpus import ONE, ZERO, Base, joint, problem, proved

F = Fraction
HALF = atoms({0: "1/2", 1: "1/2"})
QUARTER = atoms({0: "1/4", 1: "3/4"})
TABLE = {"0": "1/2", "1": "1/4", "-1": "1/4"}
BINS = [{"bins": {"edges": ["1/2"]}}]
COUPLING = [["0", "0", "1/4"], ["0", "1", "1/4"], ["1", "1", "1/2"]]


def composed_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """From above, along a coupling, and from below."""
    above(accept, reject, other, put)
    of_each_noise(accept, put, other)
    coupled(accept, reject, other, put)
    below(accept, reject, other, put)


def above(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Two fresh releases of points, whose delta(1) is 0.60952..."""
    noise = many("laplace", 2, "fresh", scale="1/2")
    value = problem(ZERO, ONE, 1, "0.612", noise)
    steps = said("1/20", 200, levels(-40, 40))
    base = accept("composed", value, composed(value, steps), "0.60952.. and a coarse grid")
    at = ["steps", 0]
    other("composed-less", base, put(["delta"], "0.6095"), "0.60952..")
    other("composed-more-releases", base, put(["noise", "releases"], 3), "three")
    other("composed-further", base, put(["priors", "b"], point(3)), "another law")
    reject("composed-grid", base, put([*at, "grid"], "1/50"), "levels up to 4/5")
    reject("composed-few-levels", base, put([*at, "parts", 0, "levels"], [[-40, 40, 16]]), "coarse")
    reject("composed-low-levels", base, put([*at, "parts", 0, "levels"], [[-40, 20, 1]]),
           "more than e^1 with infinite loss")  # fmt: skip
    reject("composed-window", base, put([*at, "window"], [-200, 30]), "the rest is infinite")
    reject("composed-window-low", base, put([*at, "window"], [10, 200]), "moved up to 10")
    reject("composed-parts", base, put([*at, "parts"], 2 * steps["parts"]), "one scale")
    reject("composed-no-parts", base, put([*at, "parts"], []), "", "malformed")
    reject("composed-cuts", base, put([*at, "parts", 0, "cuts"], []), "no normal law")
    reject("composed-backwards", base, put([*at, "parts", 0, "levels"], [[5, 40, 1], [5, 9, 1]]),
           "5 twice", "malformed")  # fmt: skip
    reject("composed-no-levels", base, put([*at, "parts", 0, "levels"], []), "", "malformed")
    reject("composed-digits", base, put([*at, "digits"], 9), "at least 10", "malformed")
    reject("composed-grid-0", base, put([*at, "grid"], "0"), "positive", "malformed")
    reject("composed-window-empty", base, put([*at, "window"], [4, 4]), "empty", "malformed")
    reject("composed-window-far", base, put([*at, "window"], [-200, 10**8]), "far", "malformed")
    reject("composed-part-named", base, put([*at, "parts", 0, "part"], 0), "in order", "malformed")
    two = {"kind": "laplace", "scales": ["1/2", 2], "draws": "fresh"}
    value = problem(HALF, ONE, 1, "0.37", two)
    steps = said("1/20", 200, levels(-40, 40), levels(-10, 10))
    base = accept("composed-two-scales", value, composed(value, steps), "fresh draws of two atoms")
    reject("composed-one-scale", base, put([*at, "parts"], [levels(-40, 40)]), "two scales")


def of_each_noise(
    accept: Callable[..., Base], put: Callable[..., Any], other: Callable[..., None]
) -> None:
    """Each normal form of a release."""
    h = F(1, 20)
    normal = many("gaussian", 2, "fresh", scale=1)
    value = problem(ZERO, ONE, 1, "0.288", normal)

    def loss(y: float) -> float:
        return 1 / 2 - y

    down = levels(-80, 80, cuts=at_levels(-80, 80, h, loss, falls=True))
    up = levels(-80, 80, cuts=at_levels(-80, 80, h, lambda y: y - 1 / 2))
    base = accept("composed-normal", value, composed(
        value, said(h, 400, down), said(h, 400, up)), "0.28629..")  # fmt: skip
    other("composed-normal-two", base, put(["priors", "b"], atoms({1: "1/2", 3: "1/2"})), "cuts")
    lattice = many("discrete-gaussian", 3, scale=2, step=1)
    value = problem(ZERO, ONE, 1, "0.085", lattice)
    accept("composed-lattice", value, composed(value, said(h, 400, levels(-40, 40))), "0.08346..")
    cut = many("truncated-laplace", 2, scale=1, bound=3)
    value = problem(ZERO, ONE, 1, "0.39", cut)
    accept("composed-truncated", value, composed(value, said(h, 400, levels(-20, 20))), "")
    table = many("table", 3, weights=TABLE)
    value = problem(ZERO, ONE, "1/2", "0.712", table)
    accept("composed-table", value, composed(value, said("1/50", 400, levels(-40, 60))), "0.7102..")
    points = many("discrete-laplace", 3, scale=2, step=1)
    value = problem(ZERO, ONE, "1/2", "0.154", points, post=BINS)
    accept("composed-steps", value, composed(value, said(
        "1/50", 400, levels(-40, 40, part=0))), "0.15245..: one bit of each")  # fmt: skip
    ends = joint([0, 0, 1]), joint([1, 1, 1])
    value = problem(*ends, "1/2", "0.75", many("laplace", 2, scale=1),
                    post=[{"coordinate": "x", **BINS[0]}])  # fmt: skip
    accept("composed-coordinates", value, composed(value, said(
        "1/50", 400, levels(-60, 60, part=["x"]), levels(-60, 60, part=["y"]))),
        "one bit of x, and two of y as they are")  # fmt: skip


def coupled(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Releases of one X with a table of noise."""
    noise = many("table", 3, weights=TABLE)
    value = problem(HALF, QUARTER, "1/10", "0.1926", noise)
    steps = said("1/50", 400, levels(-40, 60))
    back = [[y, x, mass] for x, y, mass in COUPLING]
    cert = proved(value, "composed-coupled", {**steps, "plan": COUPLING}, {**steps, "plan": back})
    base = accept("composed-coupled", value, cert, "a quarter of 0.76976..")
    at = ["steps", 0, "plan"]
    other("composed-coupled-less", base, put(["delta"], "0.192"), "0.19243..")
    other("composed-coupled-fresh", base, put(["noise", "draws"], "fresh"), "no one X")
    other("composed-coupled-points", base, put(["priors"], {"a": ZERO, "b": ONE}), "other masses")
    reject("composed-coupled-back", base, put(at, back), "the other order")
    reject("composed-coupled-part", base, put(at, COUPLING[1:]), "a quarter is missing")
    reject("composed-coupled-apart", base, put(at, [
        ["0", "1", "1/2"], ["1", "0", "1/4"], ["1", "1", "1/4"]]), "3/4 move")  # fmt: skip
    reject("composed-coupled-more", base, put([*at, 0, 2], "1/2"), "5/4")
    reject("composed-coupled-other", base, put([*at, 0, 0], "2"), "no atom")
    reject("composed-coupled-point", base, put([*at, 0, 0], ["0"]), "no atom")
    reject("composed-coupled-twice", base, put(at, [*COUPLING[1:], *2 * [["0", "0", "1/8"]]]),
           "each pair once", "malformed")  # fmt: skip
    reject("composed-coupled-negative", base, put([*at, 0, 2], "-1/4"), "", "malformed")
    reject("composed-coupled-short", base, put([*at, 0], ["0", "1/4"]), "", "malformed")
    steps = said("1/50", 400, levels(-40, 40, part=0))
    noise = many("discrete-laplace", 3, scale=2, step=1)
    value = problem(HALF, QUARTER, "1/2", "0.0385", noise, post=BINS)
    keys = {**steps, "plan": COUPLING}, {**steps, "plan": back}
    accept("composed-coupled-steps", value, proved(value, "composed-coupled", *keys),
           "a quarter of 0.15245..")  # fmt: skip


def below(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """The same from below."""
    at = ["steps", 0]
    noise = many("laplace", 2, "fresh", scale="1/2")
    value = problem(ZERO, ONE, 1, "0.6", noise)
    cuts = texts_of(F(k, 20) for k in range(21))
    steps = said("1/50", 200, {"cuts": cuts})
    base = accept("composed-refuted", value, composed_refuted(value, "0.008", steps), "0.60952..")
    reject("composed-refuted-margin", base, put([*at, "margin"], "0.0096"), "0.00952..")
    reject("composed-refuted-margin-0", base, put([*at, "margin"], "0"), "positive")
    other("composed-refuted-delta", base, put(["delta"], "0.602"), "0.602 + 0.008")
    other("composed-refuted-once", base, put(["noise", "releases"], 1), "0.39..")
    reject("composed-refuted-cuts", base, put([*at, "parts", 0, "cuts"], ["1/2"]), "too coarse")
    reject("composed-refuted-no-cuts", base, put([*at, "parts"], [{}]), "they are needed")
    reject("composed-refuted-window", base, put([*at, "window"], [150, 200]), "labels all alike")
    reject("composed-refuted-parts", base, put([*at, "parts"], 2 * steps["parts"]), "one scale")
    reject("composed-refuted-unsorted", base, put([*at, "parts", 0, "cuts"], cuts[::-1]),
           "increasing", "malformed")  # fmt: skip
    table = many("table", 3, weights=TABLE)
    value = problem(HALF, QUARTER, "1/10", "0.16", table)
    steps = said("1/500", 4000, {})
    base = accept("composed-refuted-one-x", value, composed_refuted(value, "0.003", steps),
                  "0.16326..")  # fmt: skip
    reject("composed-refuted-one-x-margin", base, put([*at, "margin"], "0.0033"), "0.00326..")
    reject("composed-refuted-of-a-table", base, put([*at, "parts"], [{"cuts": cuts}]), "no line")
    points = many("discrete-laplace", 3, scale=2, step=1)
    value = problem(HALF, ONE, "1/5", "0.1", points, post=BINS)
    steps = said("1/500", 4000, {"part": 0})
    base = accept("composed-refuted-steps", value, composed_refuted(value, "0.009", steps),
                  "0.10917..: bits of one X")  # fmt: skip
    reject("composed-refuted-part", base, put([*at, "parts", 0, "part"], 1), "the first")
    inside = problem(ZERO, ONE, 1, "0.2", many("laplace", 2, scale=1),
                     post=[{"clamp": ["-3", "4"]}])  # fmt: skip
    steps = said("1/50", 400, {"part": 0, "cuts": cuts})
    base = accept("composed-refuted-kept", inside, composed_refuted(inside, "0.005", steps),
                  "densities between two atoms")  # fmt: skip
    reject("composed-refuted-cut", base, put([*at, "parts", 0, "cuts"], ["5"]), "cuts an output")
    normal = many("gaussian", 2, "fresh", scale=1)
    value = problem(ZERO, ONE, 1, "0.28", normal)
    wide = texts_of(F(k, 20) for k in range(-60, 80))
    steps = said("1/50", 400, {"cuts": wide})
    accept("composed-refuted-normal", value, composed_refuted(value, "0.005", steps), "0.28629..")
    lattice = many("discrete-gaussian", 3, scale=2, step=1)
    value = problem(ZERO, ONE, 1, "0.08", lattice)
    accept("composed-refuted-lattice", value, composed_refuted(
        value, "0.001", said("1/500", 4000, {})), "points of a window")  # fmt: skip
    whole = many("discrete-laplace", 2, scale=2, step=1)
    value = problem(point(0), point(2), "1/2", "0.36", whole)
    steps = said("1/50", 400, {"cuts": texts_of(range(-1, 3))})
    base = accept("composed-refuted-points", value, composed_refuted(value, "0.01", steps),
                  "0.37376..")  # fmt: skip
    reject("composed-refuted-off", base, put([*at, "parts", 0, "cuts", 0], "-1/2"), "no point")


