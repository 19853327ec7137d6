"""Corpus cases of the rules about couplings; make_corpus.py writes them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import kernel_builder as kb

Json = dict[str, Any]

PROBLEM = kb.problem({"0": "1/2", "2": "1/2"}, {"0": "1/4", "1": "1/4", "2": "1/2"}, "log(3)", 0)
EDGES = [["0", "0", "1/4"], ["0", "1", "1/4"], ["2", "2", "1/2"]]
SWAP = kb.problem({"0": "1/4", "1": "3/4"}, {"0": "3/4", "1": "1/4"}, "log(2)", 0)
SWAP_EDGES = [["0", "0", "1/4"], ["1", "0", "1/2"], ["1", "1", "1/4"]]


def one(problem: Json, rule: str, **keys: Any) -> Json:
    """A certificate with one step about the pair a, b."""
    step = {"rule": rule, "belief": "default", "from": "a", "to": "b", **keys}
    return kb.certificate(problem, "coupling", [step])


def coupling_cases(
    accept: Callable[..., tuple[Json, Json]],
    reject: Callable[..., None],
    put: Callable[[list[Any], Any], Callable[[Json], None]],
) -> None:
    """Add the cases through the functions of make_corpus."""

    def at(*path: Any) -> list[Any]:
        return ["steps", 0, *path]

    plan = accept(
        "coupling-plan", PROBLEM, one(PROBLEM, "coupling", edges=EDGES, within="1"), "reaches 1"
    )
    reject("coupling-too-long", plan, put(at("within"), "1/2"), "the edge 0 -> 1 has length 1")
    reject("coupling-row-off", plan, put(at("edges", 0, 2), "1/8"), "row 0 has lost 1/8")
    reject(
        "coupling-column-off",
        plan,
        put(at("edges"), [["0", "0", "1/2"], ["2", "1", "1/4"], ["2", "2", "1/4"]]),
        "rows are right, columns are not",
    )
    reject("coupling-mass-negative", plan, put(at("edges", 1, 2), "-1/4"), "a negative mass")
    reject("coupling-mass-zero", plan, put(at("edges", 1, 2), "0"), "no edge")
    reject("coupling-unknown-atom", plan, put(at("edges", 1, 1), "3"), "3 has no mass")
    reject("coupling-other-order", plan, put(at("from"), "b"), "the pair is a, b")
    reject("coupling-no-belief", plan, put(at("belief"), "nobody"), "there is no such belief")
    reject("coupling-no-steps", plan, put(["steps"], []), "nothing is shown")
    reject("coupling-edge-twice", plan, put(at("edges", 1), EDGES[0]), "twice", "malformed")
    reject("coupling-edge-short", plan, put(at("edges", 1), ["0", "1"]), "no mass", "malformed")
    reject("coupling-decimal", plan, put(at("edges", 0, 2), "0.25"), "not canonical", "malformed")
    reject("coupling-as-certified", plan, put(["result"], "certified"), "other rules", "malformed")

    again = copy.deepcopy(plan[1])
    again["steps"] *= 17  # a short step about many atoms is much work: their number is bounded
    reject("coupling-many-steps", plan, put(["steps"], again["steps"]), "17 steps for one pair")
    rng = random.Random(5)
    long = [["0", "0", f"1/{rng.getrandbits(14_000) | 1}"] for _ in range(24)]
    many = kb.problem({"0": 1}, {str(i): 1 for i in range(24)}, 1, 0)
    for i, edge in enumerate(long):
        edge[1] = str(i)
    fine = [["0", str(i), "1/24"] for i in range(24)]
    star = accept("coupling-star", many, one(many, "coupling", edges=fine, within="23"), "24 edges")
    reject(
        "coupling-long-sum",
        star,
        put(at("edges"), long),
        "24 coprime denominators of 14,000 bits: their sum is refused, not computed",
        "malformed",
    )

    hall = accept(
        "no-coupling-hall", PROBLEM, one(PROBLEM, "no-coupling", below="1", set=["0"]),
        "P(0) = 1/2 exceeds Q(0) = 1/4",
    )  # fmt: skip
    reject("no-coupling-too-far", hall, put(at("below"), "3/2"), "1/2 fits into Q(0, 1)")
    reject("no-coupling-empty", hall, put(at("set"), []), "0 is not more than 0")
    reject("no-coupling-no-atom", hall, put(at("set"), ["1"]), "1 is no atom of a")
    reject("no-coupling-order", hall, put(at("set"), ["2", "0"]), "not increasing", "malformed")

    cost = accept(
        "cost-w1", PROBLEM,
        one(PROBLEM, "cost", edges=EDGES, cost="1/4", potential=["0", "-1", "-1"]), "W_1 = 1/4",
    )  # fmt: skip
    reject("cost-edited", cost, put(at("cost"), "1/5"), "neither side has it")
    reject("cost-potential-steep", cost, put(at("potential"), ["0", "-2", "-2"]), "slope 2")
    reject("cost-potential-flat", cost, put(at("potential"), ["0", "0", "0"]), "reaches 0 only")
    reject(
        "cost-plan-not-optimal",
        cost,
        put(at("edges"), [["0", "2", "1/2"], ["2", "0", "1/4"], ["2", "1", "1/4"]]),
        "a coupling of cost 7/4",
    )
    reject("cost-potential-short", cost, put(at("potential"), ["0", "-1"]), "3 atoms", "malformed")

    # column 0: (1/4 + 1/2 e^(1/theta)) <= 2 * 3/4, so e^(1/theta) <= 5/2; column 1: 1/4 <= 1/2
    fit = accept(
        "lines-fit-columns", SWAP,
        one(SWAP, "lines-fit", edges=SWAP_EDGES, side="columns", scale="1.0914", bits=64),
        "1/log(5/2) = 1.09135667",
    )  # fmt: skip
    reject("lines-fit-too-small", fit, put(at("scale"), "1.09135"), "below 1/log(5/2)")
    reject("lines-fit-coarse", fit, put(at("scale"), "1.0913566678"), "below in the tenth digit")
    reject("lines-fit-side", fit, put(at("side"), "both"), "no such side", "malformed")
    reject("lines-fit-many-bits", fit, put(at("bits"), 200_000), "minutes for one power of e")
    reject("lines-fit-scale-zero", fit, put(at("scale"), "0"), "no noise is another rule")

    far = kb.problem({"0": 1}, {"3": 1}, 3, 0)
    tie = accept(
        "lines-fit-tie", far,
        one(far, "lines-fit", edges=[["0", "3", "1"]], side="columns", scale="1", bits=64),
        "e^3 = e^3: by the zero test",
    )  # fmt: skip
    reject("lines-fit-tie-missed", tie, put(at("scale"), "0.99999999999999999999"), "by 1e-20")

    # at theta = 1, with c = 17957/25000 = 0.71828 < e - 2: u(0) + v(0) = -1.01 < 1 - 2,
    # u(1) + v(0) = c <= e - 2, u(0) + v(1) <= 0, u(1) + v(1) = 0, sum (-1.01 + 3c)/4 - c/4 > 0
    no_fit = accept(
        "lines-do-not-fit-columns", SWAP,
        one(SWAP, "lines-do-not-fit", side="columns", scale="1", bits=64,
            u=["-101/100", "17957/25000"], v=["0", "-17957/25000"], w=["1", "0"]),
        "2 c > 1, so the multipliers sum to more than 0",
    )  # fmt: skip
    reject("lines-do-not-fit-sum", no_fit, put(at("u", 1), "2/5"), "the sum is -1/4 + ... < 0")
    reject("lines-do-not-fit-steep", no_fit, put(at("u", 1), "18/25"), "0.72 exceeds e - 2")
    reject("lines-do-not-fit-larger-scale", no_fit, put(at("scale"), "1.2"), "a coupling fits")
    reject("lines-do-not-fit-negative", no_fit, put(at("w"), ["1", "-1"]), "w must not be negative")
    reject("lines-do-not-fit-short", no_fit, put(at("u"), ["1"]), "two atoms", "malformed")
