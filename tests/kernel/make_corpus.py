"""Writes tests/certificates: python tests/kernel/make_corpus.py

Each case is {problem, problem_suffix, certificate, expect, why}; problem and certificate are JSON
values, or strings where the exact bytes matter.  Expected words are stated here, by hand; the test
of the corpus compares them with the kernel.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import kernel_builder as kb
from behind_corpus import independent_cases, own_cases, reduction_cases
from channel_corpus import channel_cases
from composed_corpus import composed_cases
from core.grammar import Malformed
from coupling_cases import coupling_cases
from families_corpus import families_cases
from joint_corpus import joint_cases
from kept_corpus import kept_cases, window_cases
from normals_corpus import lattice_cases, row_cases
from renyi_corpus import renyi_cases
from smooth_corpus import smooth_cases
from smooth_steps_corpus import smooth_steps_cases

Json = dict[str, Any]
CASES: list[tuple[str, str, Json]] = []


def case(
    folder: str,
    name: str,
    problem: Any,
    certificate: Any,
    expect: str,
    why: str,
    suffix: str = ".json",
) -> None:
    CASES.append(
        (
            folder,
            name,
            {
                "problem": problem,
                "problem_suffix": suffix,
                "certificate": certificate,
                "expect": expect,
                "why": why,
            },
        )
    )


def changed(value: Json, change: Callable[[Json], Any]) -> Json:
    value = copy.deepcopy(value)
    change(value)
    return value


def put(path: list[Any], new: Any) -> Callable[[Json], None]:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = new

    return change


def accept(name: str, problem: Json, certificate: Json, why: str) -> tuple[Json, Json]:
    case("accept", name, problem, certificate, certificate["result"], why)
    return problem, certificate


def reject(
    name: str,
    base: tuple[Json, Json],
    change: Callable[[Json], Any],
    why: str,
    expect: str = "rejected",
) -> None:
    folder = "reject" if expect == "rejected" else "malformed"
    case(folder, name, base[0], changed(base[1], change), expect, why)


def other_problem(
    name: str, base: tuple[Json, Json], change: Callable[[Json], Any], why: str
) -> None:
    """The same steps for a changed problem, with the right digest."""
    problem = changed(base[0], change)
    certificate = {**base[1], "problem": kb.digest(problem)}
    case("reject", name, problem, certificate, "rejected", why)


HALF_LIVES = kb.problem({"0": 376, "1": 204}, {"0": 20, "1": 49}, "1/2", 0, "51/25")
SHIFT = kb.problem({"0": 1, "1/2": 0}, {"1": 1}, 1, 0, 1)
BERNOULLI = kb.problem({"0": "1/2", "1": "1/2"}, {"1": 1}, 1, 0, "1/log((exp(1)-1/2)/(1/2))")
LOG3 = kb.problem({"0": "1/4", "2": "3/4"}, {"1": "1/4", "3": "3/4"}, "log(3)", 0, "2/log(9)")
THREE = {
    "schema": "pfverify/problem/1",
    "epsilon": 1,
    "delta": 0,
    "form": "events",
    "noise": {"kind": "laplace", "scale": 2},
    "beliefs": {
        name: {
            "priors": {
                "x": {"kind": "discrete", "counts": {"0": k, "1": 2}},
                "y": {"kind": "discrete", "counts": {"0": 1, "1": 3}},
                "z": {"kind": "discrete", "mass": {"0": "0.25", "2": "0.75"}},
            }
        }
        for name, k in (("low", 1), ("high", 3))
    },
}
DELTA = kb.problem({"0": 3, "2": 1, "5": 2}, {"1": 2, "2": 2, "7": 1}, "1/2", "0.004436", 2)
DELTA_LATTICE = kb.problem(
    {"0": 3, "2": 1, "5": 2}, {"1": 2, "2": 2, "7": 1}, "1/2", "0.01319", 2, 1
)
TIE = kb.problem({"0": 1}, {"1": 1}, 0, "1/2", "1/log(4)")
TIE_LATTICE = kb.problem({"0": 1}, {"1": 1}, 0, "3/5", "1/log(4)", 1)
POINT = kb.problem({"0": 3, "2": 1}, {"1": 2, "2": 2}, "1/2", "0.0097", 2, None, form="pointwise")
POINT_TIE = kb.problem({"0": 1}, {"1": 1}, 0, "1/2*(1-exp(-1))", 1, None, form="pointwise")
POINT_LATTICE = kb.problem({"0": 1}, {"4": 1}, "log(2)", "0.18", "2/log(2)", 2, form="pointwise")
FREE = kb.problem({"0": 1, "1": 2}, {"0": 2, "1": 3}, 1, 0, None)
FREE_DELTA = kb.problem({"0": 1, "1": 2, "3": 1}, {"0": 2, "1": 3}, 0, "1/4", None)


def pure_cases() -> None:
    base = accept("pure-plain", HALF_LIVES, kb.proved(HALF_LIVES), "no tie, both orders")
    tie = accept(
        "pure-tie-at-the-published-scale",
        SHIFT,
        kb.proved(SHIFT),
        "W1 scale of point masses: equality",
    )
    accept(
        "pure-tie-bernoulli-closed-form",
        BERNOULLI,
        kb.proved(BERNOULLI),
        "theta = 1/log R(e): equality at 0",
    )
    accept("pure-tie-radicals", LOG3, kb.proved(LOG3), "epsilon = log 3, theta = 2/log 9")
    tower = kb.problem({"0": 1}, {"1": 1}, "exp(-1)", 0, "exp(1)")
    tower_tie = accept(
        "pure-tie-tower",
        tower,
        kb.proved(tower),
        "epsilon = 1/theta = 1/e, so e^epsilon is a tower",
    )
    other_problem(
        "pure-tie-tower-near", tower_tie, put(["epsilon"], "exp(-1)-1e-60"), "missed by 1e-60"
    )
    many = accept(
        "pure-beliefs-and-pairs", THREE, kb.proved(THREE), "two beliefs, three pairs, both orders"
    )
    toml = """schema = "pfverify/problem/1"
epsilon = "1/2"
[noise]
kind = "laplace"
scale = 2.04
[priors.a]
kind = "discrete"
counts = { "0" = 376, "1" = 204 }
[priors.b]
kind = "discrete"
counts = { "0" = 20, "1" = 49 }
"""
    case(
        "accept",
        "pure-toml",
        toml,
        base[1],
        "certified",
        "TOML with a decimal scale: the same digest",
        ".toml",
    )
    told = {**THREE, "provenance": {"data": "x.csv", "rows_used": 7, "codes": {"a": "1"}}}
    kept = accept(
        "pure-provenance", told, many[1], "where the numbers come from: the same digest, not read"
    )
    case(
        "malformed", "problem-provenance-text", {**told, "provenance": "x.csv"}, kept[1],
        "malformed", "a provenance that is no table",
    )  # fmt: skip
    case(
        "accept",
        "pure-toml-byte-order-mark",
        "\ufeff" + toml.replace("\n", "\r\n"),
        base[1],
        "certified",
        "as some editors write it: a byte order mark, line ends of two characters",
        ".toml",
    )
    case(
        "accept",
        "pure-json-byte-order-mark",
        "\ufeff" + json.dumps(base[0]),
        base[1],
        "certified",
        "a byte order mark before JSON",
    )
    explicit = {**THREE, "pairs": [["x", "y"], ["z", "x"], ["y", "x"], ["x", "y"]]}
    some = accept(
        "pure-explicit-pairs", explicit, kb.proved(explicit), "repeats, also reversed, count once"
    )
    other_problem(
        "pure-explicit-pairs-reordered",
        some,
        put(["pairs"], [["z", "x"], ["x", "y"]]),
        "goals follow the file",
    )
    far = kb.problem({"0": 1, "1e6": 1}, {"0": 2, "1e6": 3}, 1, 0, "1/1000")
    accept("pure-far-atoms", far, kb.proved(far), "e^-10^9 between the atoms")
    enormous = kb.problem({"0": 1, "1e30": 1}, {"0": 2, "1e30": 3}, 1, 0, 1)
    steps = kb.both("pure", first={"ties": []})
    accept(
        "pure-enormous-gap",
        enormous,
        kb.certificate(enormous, "certified", steps),
        "a gap of 10^30 scales",
    )
    same = kb.problem({"0": 1, "1": 1}, {"0": "0.5", "1": "0.5"}, 0, 0, 1)
    accept(
        "pure-equal-priors",
        same,
        kb.certificate(same, "certified", steps),
        "epsilon = 0 and equal priors",
    )
    loose = kb.problem({"0": 1}, {"1": 1}, 1, "1/10", 2)
    accept(
        "pure-for-a-positive-delta",
        loose,
        kb.certificate(loose, "certified", steps),
        "pure implies both forms",
    )
    accept(
        "pure-created-is-optional",
        HALF_LIVES,
        {**base[1], "created": "today"},
        "a time stamp is allowed",
    )

    other = changed(HALF_LIVES, put(["priors", "a", "counts", "0"], 377))
    case(
        "reject",
        "pure-certificate-of-another-problem",
        other,
        base[1],
        "rejected",
        "one count differs by one",
    )
    reject("pure-digest-edited", base, put(["problem"], "0" * 64), "a digest of nothing")
    reject(
        "pure-digest-upper-case",
        base,
        lambda c: c.update(problem=c["problem"].upper()),
        "digests are lower case",
    )
    reject("pure-one-order-missing", base, lambda c: c["steps"].pop(), "only a -> b")
    reject("pure-no-steps", base, lambda c: c["steps"].clear(), "nothing proved")
    reject("pure-orders-swapped", base, lambda c: c["steps"].reverse(), "goals have an order")
    reject(
        "pure-step-repeated",
        base,
        lambda c: c["steps"].append(c["steps"][1]),
        "more steps than goals",
    )
    reject(
        "pure-one-order-twice", base, lambda c: put(["steps", 1], c["steps"][0])(c), "a -> b twice"
    )
    reject(
        "pure-pairs-dropped",
        many,
        lambda c: c["steps"].__delitem__(slice(2, 4)),
        "the pair x, z is missing",
    )
    reject(
        "pure-belief-dropped",
        many,
        lambda c: c["steps"].__delitem__(slice(6, 12)),
        "one belief is missing",
    )
    reject(
        "pure-belief-renamed", many, put(["steps", 0, "belief"], "high"), "a step of another belief"
    )
    reject("pure-secret-renamed", base, put(["steps", 0, "to"], "c"), "no such secret")
    reject(
        "pure-tie-where-none",
        base,
        put(["steps", 0, "ties"], ["0"]),
        "the ratio at 0 is not the bound",
    )
    reject(
        "pure-tie-on-the-other-side",
        tie,
        put(["steps", 0, "ties"], ["0", "1"]),
        "at 1 it is the other order's tie",
    )
    reject("pure-tie-not-an-atom", tie, put(["steps", 0, "ties"], ["0", "1/2"]), "1/2 has no mass")
    reject(
        "pure-tie-outside-the-hull",
        tie,
        put(["steps", 0, "ties"], ["-1", "0"]),
        "an equality indeed, but not at an atom",
    )
    reject(
        "pure-tie-left-out", tie, put(["steps", 0, "ties"], []), "no enclosure decides an equality"
    )
    other_problem(
        "pure-tie-one-ulp",
        tie,
        put(["noise", "scale"], "0.99999999999999999999"),
        "one unit in place 20",
    )
    other_problem(
        "pure-tie-epsilon-one-ulp",
        tie,
        put(["epsilon"], "0.99999999999999999999"),
        "one unit in place 20",
    )
    close = changed(BERNOULLI, put(["noise", "scale"], "0.671194938966815"))
    close_proof = kb.certificate(close, "certified", kb.both("pure", first={"ties": []}))
    case(
        "reject",
        "pure-scale-one-ulp-too-small",
        close,
        close_proof,
        "rejected",
        "1/log(2e-1) = 0.6711949389668159...",
    )
    close = changed(
        BERNOULLI, put(["noise", "scale"], kb.fraction_text(1 / kb.mpmath.log(2 * kb.mpmath.e - 1)))
    )
    close_proof = kb.certificate(close, "certified", kb.both("pure", 256, {"ties": []}))
    case(
        "reject",
        "pure-scale-40-digits-rounded-down",
        close,
        close_proof,
        "rejected",
        "just below the closed form",
    )
    accept(
        "pure-scale-40-digits-plus-one",
        *(lambda v: (v, kb.certificate(v, "certified", kb.both("pure", 256, {"ties": []}))))(
            changed(
                close,
                lambda v: put(
                    ["noise", "scale"], str(kb.exact(v["noise"]["scale"]) + kb.exact("1e-40"))
                )(v),
            )
        ),
        "just above",
    )
    reject(
        "pure-result-refuted",
        base,
        put(["result"], "refuted"),
        "pure is no refuting rule",
        "malformed",
    )
    reject("pure-result-scales", base, put(["result"], "scales"), "pure is no scale", "malformed")
    other_problem(
        "pure-epsilon-0", base, put(["epsilon"], 0), "different priors are never 0-private"
    )
    other_problem(
        "pure-mass-outside",
        tie,
        put(["priors", "a"], {"kind": "discrete", "mass": {"0": "1/2", "-1": "1/2"}}),
        "an atom further out breaks the bound",
    )
    other_problem("pure-no-scale", base, lambda p: p["noise"].pop("scale"), "no scale, no goal")
    low = changed(base[1], lambda c: [put(["steps", i, "bits"], 32)(c) for i in (0, 1)])
    sharp = kb.problem({"0": 1}, {"1": 1}, "1.000000000001", 0, 1)
    sharp_low = kb.certificate(sharp, "certified", kb.both("pure", 32, {"ties": []}))
    case(
        "reject",
        "pure-too-few-bits",
        sharp,
        sharp_low,
        "rejected",
        "32 bits do not decide the twelfth digit",
    )
    case("accept", "pure-few-bits", HALF_LIVES, low, "certified", "32 bits are enough here")
    reject(
        "pure-ties-decreasing",
        tie,
        put(["steps", 0, "ties"], ["1", "0"]),
        "ties must increase",
        "malformed",
    )
    reject(
        "pure-ties-repeated",
        tie,
        put(["steps", 0, "ties"], ["0", "0"]),
        "ties must increase",
        "malformed",
    )
    reject(
        "pure-ties-not-canonical", tie, put(["steps", 0, "ties"], ["0.0"]), "0.0 is 0", "malformed"
    )
    reject(
        "pure-ties-not-strings", tie, put(["steps", 0, "ties"], [0]), "canonical text", "malformed"
    )
    for bits in (31, 200001, -1, "128", True, None, 10**30):
        reject(
            f"pure-bits-{str(bits).lower()[:8]}",
            base,
            put(["steps", 0, "bits"], bits),
            "bits in [32, 200000]",
            "malformed",
        )
    reject(
        "pure-key-missing",
        base,
        lambda c: c["steps"][0].pop("ties"),
        "ties are required",
        "malformed",
    )
    reject(
        "pure-key-unknown", base, put(["steps", 0, "trust"], "me"), "an unknown key", "malformed"
    )
    reject(
        "pure-unknown-rule", base, put(["steps", 0, "rule"], "axiom"), "no such rule", "malformed"
    )
    reject(
        "pure-steps-not-a-list",
        base,
        put(["steps"], {"0": "pure"}),
        "steps are a list",
        "malformed",
    )
    reject(
        "pure-step-not-a-table", base, put(["steps", 0], "pure"), "a step is a table", "malformed"
    )
    reject(
        "pure-belief-null",
        base,
        put(["steps", 0, "belief"], None),
        "a name is a string",
        "malformed",
    )


def delta_cases() -> None:
    base = accept("delta-upper-plain", DELTA, kb.proved(DELTA), "three atoms against three")
    accept(
        "delta-upper-lattice", DELTA_LATTICE, kb.proved(DELTA_LATTICE), "the same on the integers"
    )
    wide = kb.problem({"0": 1}, {"100000": 1}, 1, "0.7", 40000, 1)
    wide_steps = kb.both("delta-upper")
    accept(
        "delta-upper-long-gap",
        wide,
        kb.certificate(wide, "certified", wide_steps),
        "100000 lattice points in O(1)",
    )
    enough = changed(TIE, put(["delta"], "0.500000000000000000001"))
    upper = accept(
        "delta-upper-just-above",
        enough,
        kb.certificate(enough, "certified", kb.both("delta-upper")),
        "true value 1/2",
    )
    other_problem(
        "delta-upper-just-below", upper, put(["delta"], "0.499999999999999999999"), "true value 1/2"
    )
    other_problem(
        "delta-upper-laplace-for-lattice",
        upper,
        put(["noise"], {"kind": "discrete-laplace", "scale": "1/log(4)", "step": 1}),
        "0.5 for Laplace, 0.6 on the integers (t = 1/4)",
    )
    other_problem(
        "delta-upper-finer-lattice",
        upper,
        put(["noise"], {"kind": "discrete-laplace", "scale": "1/log(4)", "step": "1/3"}),
        "an odd number of points between: above 1/2",
    )
    other_problem(
        "delta-upper-smaller-delta", base, put(["delta"], "0.00443"), "the divergence is larger"
    )
    other_problem("delta-upper-delta-0", base, put(["delta"], 0), "pure does not hold")
    other_problem(
        "delta-upper-pointwise", base, put(["form"], "pointwise"), "a rule of the other form"
    )
    other_problem("delta-upper-epsilon", base, put(["epsilon"], "49/100"), "a smaller epsilon")
    reject("delta-upper-one-order", base, lambda c: c["steps"].pop(0), "b -> a only")
    reject(
        "delta-upper-ties",
        base,
        put(["steps", 0, "ties"], []),
        "delta-upper has no ties",
        "malformed",
    )

    tie = accept("delta-tie-one-half", TIE, kb.proved(TIE), "delta is attained: a monomial radical")
    accept(
        "delta-tie-lattice",
        TIE_LATTICE,
        kb.proved(TIE_LATTICE),
        "delta is attained on the integers",
    )
    whole = kb.problem({"0": 1}, {"1": 1}, 0, "1-exp(-1/2)", 1)
    accept("delta-tie-exp", whole, kb.proved(whole), "delta = 1 - e^(-1/2), exactly")
    other_problem(
        "delta-tie-delta-larger",
        tie,
        put(["delta"], "0.50000000001"),
        "no equality (though private)",
    )
    other_problem("delta-tie-delta-smaller", tie, put(["delta"], "0.49999999999"), "not private")
    other_problem(
        "delta-tie-scale", tie, put(["noise", "scale"], "1/log(4.0000000001)"), "not private"
    )
    other_problem("delta-tie-lattice-value", tie, put(["delta"], "3/5"), "the value of the lattice")
    other_problem(
        "delta-tie-log-delta",
        tie,
        put(["delta"], "log(2)"),
        "delta outside the class of the zero test",
    )
    three = kb.problem({"0": 1, "5": 1}, {"1": 1, "7": 2}, "1/2", "0.4", "1/log(2)")
    case(
        "reject",
        "delta-tie-several-radicals",
        three,
        kb.certificate(three, "certified", kb.both("delta-tie")),
        "rejected",
        "several distinct radicals",
    )


def pointwise_cases() -> None:
    base = accept("pointwise-plain", POINT, kb.proved(POINT), "densities at atoms")
    tie = accept(
        "pointwise-tie", POINT_TIE, kb.proved(POINT_TIE), "delta = (1 - 1/e)/2 attained at 0"
    )
    lattice = accept(
        "pointwise-lattice", POINT_LATTICE, kb.proved(POINT_LATTICE), "masses on the lattice 2Z"
    )
    exact = kb.problem({"0": 1}, {"1": 1}, 0, "9/20", "1/log(4)", 1, form="pointwise")
    mass = accept("pointwise-tie-lattice", exact, kb.proved(exact), "3/5 - 3/20 at 0, t = 1/4")
    other_problem("pointwise-tie-lattice-off", mass, put(["delta"], "0.44999999999999"), "9/20")
    zero = {"rule": "minimum", "lower": "0", "upper": "0", "lower_step": None}
    steps = [{**zero, "upper_steps": [{"rule": "no-noise"}]}]
    equal = kb.problem({"0": 2, "3": 1}, {"0": 1, "3": 1}, "log(3/2)", 0, None, form="pointwise")
    cert = kb.certificate(equal, "scales", steps)
    tied = accept("no-noise-tie", equal, cert, "the priors' ratio is e^epsilon exactly")
    missing = put(["priors", "a"], {"kind": "discrete", "mass": {"0": 1}})
    other_problem("no-noise-other-order", tied, missing, "an atom without mass in one prior")
    other_problem("pointwise-smaller-delta", base, put(["delta"], "0.0096"), "the excess is larger")
    other_problem(
        "pointwise-lattice-smaller-delta", lattice, put(["delta"], "0.16"), "the excess is larger"
    )
    other_problem(
        "pointwise-smaller-scale", base, put(["noise", "scale"], "1/10"), "densities grow"
    )
    other_problem("pointwise-events", base, put(["form"], "events"), "a rule of the other form")
    other_problem(
        "pointwise-tie-off",
        tie,
        put(["delta"], "0.31606027941427883"),
        "0.316060279414278839... cut off",
    )
    reject("pointwise-tie-where-none", base, put(["steps", 0, "ties"], ["0"]), "no equality at 0")
    reject(
        "pointwise-tie-left-out",
        tie,
        put(["steps", 0, "ties"], []),
        "no enclosure decides an equality",
    )
    reject("pointwise-tie-not-an-atom", tie, put(["steps", 0, "ties"], ["1/2"]), "not an atom")


def refuted_cases() -> None:
    small = changed(HALF_LIVES, put(["noise", "scale"], "1/10"))
    base = accept("pure-refuted-plain", small, kb.proved(small), "a small scale")
    tight = changed(SHIFT, put(["noise", "scale"], "0.999999999999"))
    accept("pure-refuted-twelfth-digit", tight, kb.proved(tight), "one unit in the twelfth digit")
    accept(
        "pure-refuted-between-atoms",
        small,
        changed(base[1], lambda c: c["steps"][0].update(y="-1/3", margin="0.00001")),
        "outside the hull the ratio is constant",
    )
    point = changed(small, put(["form"], "pointwise"))
    accept(
        "pure-refuted-pointwise",
        point,
        kb.certificate(point, "refuted", base[1]["steps"]),
        "delta = 0: both forms",
    )
    reject(
        "pure-refuted-margin-edited", base, put(["steps", 0, "margin"], "0.9"), "a larger margin"
    )
    reject(
        "pure-refuted-margin-0",
        base,
        put(["steps", 0, "margin"], "0"),
        "no margin is no refutation",
    )
    reject(
        "pure-refuted-margin-negative",
        base,
        put(["steps", 0, "margin"], "-1"),
        "unsigned decimals",
        "malformed",
    )
    reject(
        "pure-refuted-margin-nan",
        base,
        put(["steps", 0, "margin"], "nan"),
        "not a number",
        "malformed",
    )
    reject(
        "pure-refuted-margin-number",
        base,
        put(["steps", 0, "margin"], 1),
        "a margin is a string",
        "malformed",
    )
    reject(
        "pure-refuted-wrong-order",
        base,
        lambda c: c["steps"][0].update({"from": c["steps"][0]["to"], "to": c["steps"][0]["from"]}),
        "the ratio upside down",
    )
    reject(
        "pure-refuted-same-secret",
        base,
        put(["steps", 0, "to"], base[1]["steps"][0]["from"]),
        "not a goal",
    )
    reject("pure-refuted-belief", base, put(["steps", 0, "belief"], "other"), "no such belief")
    reject(
        "pure-refuted-result-certified",
        base,
        put(["result"], "certified"),
        "a refutation is no proof",
        "malformed",
    )
    reject(
        "pure-refuted-two-steps",
        base,
        lambda c: c["steps"].append(c["steps"][0]),
        "exactly one step",
        "malformed",
    )
    reject(
        "pure-refuted-no-step", base, lambda c: c["steps"].clear(), "exactly one step", "malformed"
    )
    reject(
        "pure-refuted-y-decimal",
        base,
        put(["steps", 0, "y"], "0.50"),
        "canonical rationals",
        "malformed",
    )
    reject(
        "pure-refuted-y-irrational",
        base,
        put(["steps", 0, "y"], "log(2)"),
        "a rational output",
        "malformed",
    )
    other_problem(
        "pure-refuted-private", base, put(["noise", "scale"], "51/25"), "the problem is private"
    )
    other_problem(
        "pure-refuted-at-the-tie",
        (tight, kb.proved(tight)),
        put(["noise", "scale"], 1),
        "equality is allowed",
    )
    other_problem(
        "pure-refuted-positive-delta",
        base,
        put(["delta"], "1/100"),
        "a point does not refute delta > 0",
    )
    lattice = changed(small, lambda p: p["noise"].update(kind="discrete-laplace", step=1))
    accept("pure-refuted-lattice", lattice, kb.proved(lattice), "the same on the integers")
    off = kb.certificate(lattice, "refuted", [kb.step("pure-refuted", y="1/2", margin="0.00001")])
    case("reject", "pure-refuted-off-the-lattice", lattice, off, "rejected", "no output there")

    low = changed(DELTA, put(["delta"], "0.002"))
    event = accept("event-refuted-plain", low, kb.proved(low), "the event of positive excess")
    low_lattice = changed(DELTA_LATTICE, put(["delta"], "0.01"))
    lattice_event = accept(
        "event-refuted-lattice", low_lattice, kb.proved(low_lattice), "lattice points"
    )
    half = changed(TIE, put(["delta"], "0.4999"))
    plain = accept(
        "event-refuted-half-line",
        half,
        kb.certificate(
            half, "refuted", [kb.step("event-refuted", event=[["-inf", "1/2"]], margin="0.00009")]
        ),
        "P = 3/4, Q = 1/4",
    )
    nothing = changed(TIE, put(["delta"], 0))
    accept(
        "event-refuted-delta-0",
        nothing,
        kb.certificate(
            nothing,
            "refuted",
            [kb.step("event-refuted", event=[["-1", "0"], ["1/4", "1/3"]], margin="0.1")],
        ),
        "an event also refutes delta = 0",
    )
    reject(
        "event-refuted-margin-edited", event, put(["steps", 0, "margin"], "0.5"), "a larger margin"
    )
    reject("event-refuted-margin-0", event, put(["steps", 0, "margin"], "0.000"), "no margin")
    reject(
        "event-refuted-margin-last-digit",
        plain,
        put(["steps", 0, "margin"], "0.0001"),
        "attained: no slack at 128 bits",
    )
    reject(
        "event-refuted-complement",
        plain,
        put(["steps", 0, "event"], [["1/2", "inf"]]),
        "the other half",
    )
    reject(
        "event-refuted-everything", plain, put(["steps", 0, "event"], [["-inf", "inf"]]), "1 <= 1"
    )
    reject(
        "event-refuted-overlap",
        plain,
        put(["steps", 0, "event"], [["-inf", "1/2"], ["1/4", "1/2"]]),
        "counted twice",
        "malformed",
    )
    reject(
        "event-refuted-touching",
        plain,
        put(["steps", 0, "event"], [["-inf", "1/4"], ["1/4", "1/2"]]),
        "must be disjoint",
        "malformed",
    )
    reject(
        "event-refuted-repeated",
        plain,
        put(["steps", 0, "event"], [["-inf", "1/2"], ["-inf", "1/2"]]),
        "counted twice",
        "malformed",
    )
    reject(
        "event-refuted-decreasing",
        plain,
        put(["steps", 0, "event"], [["1/2", "inf"], ["-1", "0"]]),
        "must increase",
        "malformed",
    )
    reject(
        "event-refuted-upside-down",
        plain,
        put(["steps", 0, "event"], [["1/2", "0"]]),
        "an empty interval",
        "malformed",
    )
    reject("event-refuted-empty", plain, put(["steps", 0, "event"], []), "no event", "malformed")
    reject(
        "event-refuted-infinite-low",
        plain,
        put(["steps", 0, "event"], [["inf", "inf"]]),
        "inf is no low end",
        "malformed",
    )
    reject(
        "event-refuted-infinite-high",
        plain,
        put(["steps", 0, "event"], [["-inf", "-inf"]]),
        "-inf is no high end",
        "malformed",
    )
    reject(
        "event-refuted-three-ends",
        plain,
        put(["steps", 0, "event"], [["-inf", "0", "1"]]),
        "two ends",
        "malformed",
    )
    reject(
        "event-refuted-off-the-lattice",
        lattice_event,
        put(["steps", 0, "event"], [["-inf", "1/2"]]),
        "not a lattice point",
    )
    other_problem(
        "event-refuted-tie", plain, put(["delta"], "1/2"), "delta is attained, not exceeded"
    )
    other_problem("event-refuted-private", event, put(["delta"], "0.9"), "the problem is private")
    other_problem(
        "event-refuted-pointwise",
        plain,
        put(["form"], "pointwise"),
        "an event refutes no density bound",
    )

    low_point = changed(POINT, put(["delta"], "0.005"))
    density = accept("pointwise-refuted-plain", low_point, kb.proved(low_point), "a density excess")
    low_mass = changed(POINT_LATTICE, put(["delta"], "0.01"))
    mass = accept("pointwise-refuted-lattice", low_mass, kb.proved(low_mass), "a mass excess")
    reject(
        "pointwise-refuted-margin-edited",
        density,
        put(["steps", 0, "margin"], "0.2"),
        "a larger margin",
    )
    reject("pointwise-refuted-elsewhere", density, put(["steps", 0, "y"], "100"), "no excess there")
    reject(
        "pointwise-refuted-off-the-lattice", mass, put(["steps", 0, "y"], "1"), "no output there"
    )
    other_problem(
        "pointwise-refuted-private", density, put(["delta"], "0.9"), "the problem is private"
    )
    other_problem(
        "pointwise-refuted-events",
        density,
        put(["form"], "events"),
        "a density refutes no event bound",
    )
    other_problem(
        "pointwise-refuted-normalisation",
        density,
        put(["noise", "scale"], 40),
        "a larger scale is private",
    )


def scale_cases() -> None:
    free = changed(HALF_LIVES, lambda p: p["noise"].pop("scale"))
    steps = [
        kb.scale_step(free, "l1", "3"),
        kb.scale_step(free, "tiny-guess", "0.01"),
        kb.minimum_step(free),
    ]
    base = accept(
        "scale-and-minimum",
        free,
        kb.certificate(free, "scales", steps),
        "a private, a refuted, the minimum",
    )
    fixed = accept(
        "scale-ignores-the-problem-scale",
        HALF_LIVES,
        kb.certificate(HALF_LIVES, "scales", steps[:1]),
        "its own scale plays no part",
    )
    lattice = changed(DELTA_LATTICE, lambda p: p["noise"].pop("scale"))
    accept(
        "minimum-lattice-delta",
        lattice,
        kb.certificate(lattice, "scales", [kb.minimum_step(lattice)]),
        "delta > 0 on the integers",
    )
    delta = changed(DELTA, lambda p: p["noise"].pop("scale"))
    accept(
        "minimum-delta",
        delta,
        kb.certificate(delta, "scales", [kb.minimum_step(delta)]),
        "delta > 0",
    )
    point = changed(POINT, lambda p: p["noise"].pop("scale"))
    accept(
        "minimum-pointwise",
        point,
        kb.certificate(point, "scales", [kb.minimum_step(point)]),
        "densities",
    )
    zero = {
        "rule": "minimum",
        "lower": "0",
        "upper": "0",
        "lower_step": None,
        "upper_steps": [{"rule": "no-noise"}],
    }
    no_noise = accept(
        "no-noise-pure",
        FREE,
        kb.certificate(FREE, "scales", [zero]),
        "the priors are already private",
    )
    accept(
        "no-noise-delta",
        FREE_DELTA,
        kb.certificate(FREE_DELTA, "scales", [zero, kb.scale_step(FREE_DELTA, "l1", "0")]),
        "delta = 1/4 is the total variation, exactly",
    )
    point_free = changed(FREE, put(["form"], "pointwise"))
    accept(
        "no-noise-pointwise",
        point_free,
        kb.certificate(point_free, "scales", [zero]),
        "bounded ratios of the priors",
    )
    zero_eps = kb.problem({"0": 1}, {"1": 1}, 0, 0, None)
    inf = {
        "rule": "minimum",
        "lower": "0",
        "upper": "inf",
        "lower_step": None,
        "upper_steps": [{"rule": "no-scale"}],
    }
    no_scale = accept(
        "no-scale-plain",
        zero_eps,
        kb.certificate(zero_eps, "scales", [inf]),
        "epsilon = delta = 0, different priors",
    )

    reject(
        "scale-verdict-flipped",
        base,
        put(["steps", 0, "verdict"], "refuted"),
        "steps of the other verdict",
        "malformed",
    )
    reject(
        "scale-one-ulp-too-small",
        base,
        lambda c: c["steps"][0].update(scale=c["steps"][2]["lower"]),
        "certified at a refuted scale",
    )
    reject(
        "scale-edited",
        base,
        put(["steps", 0, "scale"], "0.3"),
        "certified steps at a smaller scale",
    )
    reject(
        "scale-refuted-at-a-private-scale",
        base,
        put(["steps", 1, "scale"], "30"),
        "refuted step at a larger scale",
    )
    reject("scale-without-steps", base, put(["steps", 0, "steps"], []), "nothing proved")
    reject(
        "scale-no-noise",
        base,
        lambda c: c["steps"][0].update(scale="0", steps=[{"rule": "no-noise"}]),
        "the priors are not private",
    )
    reject(
        "scale-no-noise-at-positive-scale",
        base,
        lambda c: c["steps"][0].update(steps=[{"rule": "no-noise"}]),
        "only at scale 0",
        "malformed",
    )
    at_zero = changed(base[1], put(["steps", 1, "scale"], "0"))
    bare = accept("scale-0-refuted", base[0], at_zero, "the priors break it at the same output")
    reject(
        "scale-0-refuted-margin",
        bare,
        put(["steps", 1, "steps", 0, "margin"], "1"),
        "the priors' log ratio is less",
    )
    reject("scale-inf", base, put(["steps", 0, "scale"], "inf"), "a decimal", "malformed")
    reject("scale-fraction", base, put(["steps", 0, "scale"], "3/1"), "a decimal", "malformed")
    reject("scale-negative", base, put(["steps", 0, "scale"], "-3"), "a decimal", "malformed")
    reject(
        "scale-method-line-feed",
        base,
        put(["steps", 0, "method"], "l1\ncertified: all"),
        "no forged output line",
        "malformed",
    )
    reject(
        "scale-result-certified",
        fixed,
        put(["result"], "certified"),
        "a scale never proves the problem's own",
        "malformed",
    )
    reject("scale-none", base, lambda c: c["steps"].clear(), "a certificate of nothing")
    reject(
        "minimum-lower-raised",
        base,
        lambda c: c["steps"][2].update(lower=c["steps"][2]["upper"]),
        "the upper end is not refuted",
    )
    reject(
        "minimum-upper-lowered",
        base,
        lambda c: c["steps"][2].update(upper=c["steps"][2]["lower"]),
        "the lower end is not private",
    )
    reject(
        "minimum-lower-unproved",
        base,
        lambda c: c["steps"][2].update(lower_step=None),
        "a positive end needs a step",
    )
    reject(
        "minimum-upper-unproved",
        base,
        lambda c: c["steps"][2].update(upper_steps=[]),
        "the upper end needs steps",
    )
    reject(
        "minimum-upper-one-order", base, lambda c: c["steps"][2]["upper_steps"].pop(), "both orders"
    )
    reject(
        "minimum-lower-0-with-step",
        base,
        put(["steps", 2, "lower"], "0"),
        "0 has no step",
        "malformed",
    )
    reject(
        "minimum-step-of-another-rule",
        base,
        lambda c: c["steps"][2].update(lower_step={"rule": "no-noise"}),
        "a refuted step",
        "malformed",
    )
    reject(
        "minimum-0-unproved",
        base,
        lambda c: put(["steps"], [zero])(c),
        "the priors are not private",
    )
    reject(
        "minimum-inf-unproved", base, lambda c: put(["steps"], [inf])(c), "a large scale is private"
    )
    other_problem(
        "no-noise-epsilon", no_noise, put(["epsilon"], "1/10"), "the ratio 6/5 exceeds e^(1/10)"
    )
    other_problem(
        "no-noise-pointwise-densities",
        no_noise,
        lambda p: p.update(form="pointwise", epsilon="1/10", delta="0.9"),
        "small scales make densities large",
    )
    tight = changed(FREE_DELTA, put(["delta"], "0.2499999999999999999999999999"))
    case(
        "reject",
        "no-noise-delta-last-digit",
        tight,
        kb.certificate(tight, "scales", [zero]),
        "rejected",
        "the total variation is 1/4",
    )
    reject(
        "no-noise-with-keys",
        no_noise,
        put(["steps", 0, "upper_steps", 0, "trust"], 1),
        "no keys",
        "malformed",
    )
    other_problem(
        "no-scale-epsilon", no_scale, put(["epsilon"], "1e-4000"), "a very large scale is private"
    )
    other_problem(
        "no-scale-delta", no_scale, put(["delta"], "1e-100"), "a very large scale is private"
    )
    other_problem(
        "no-scale-equal-priors",
        no_scale,
        put(["priors", "b"], {"kind": "discrete", "counts": {"0": 5}}),
        "the priors agree",
    )
    other_problem("no-noise-no-scale", no_scale, put(["epsilon"], 1), "no scale is claimed wrongly")

    mixed = changed(FREE, put(["pairs"], [["a", "b"], ["c", "d"]]))
    for name in "cd":
        mixed["priors"][name] = {"kind": "gaussian", "mean": 0, "variance": 1}
    bare = [
        {"rule": rule, "belief": "default", "from": source, "to": target}
        for rule, source, target in (
            ("no-noise", "a", "b"),
            ("no-noise", "b", "a"),
            ("equal", "c", "d"),
            ("equal", "d", "c"),
        )
    ]
    certificate = kb.certificate(mixed, "scales", [{**zero, "upper_steps": bare}])
    both = accept("no-noise-mixed", mixed, certificate, "a pair of atoms and one of densities")
    other_problem("no-noise-mixed-atoms", both, put(["epsilon"], "1/10"), "6/5 exceeds e^(1/10)")
    other_problem(
        "no-noise-mixed-densities",
        both,
        put(["priors", "d", "mean"], 1),
        "the laws differ",
    )
    steps = ["steps", 0, "upper_steps"]
    reject(
        "no-noise-mixed-rule-of-densities",
        both,
        put([*steps, 0, "rule"], "equal"),
        "a rule for densities about atoms",
    )
    reject(
        "no-noise-mixed-rule-of-atoms",
        both,
        put([*steps, 2, "rule"], "no-noise"),
        "a rule for atoms about densities",
    )
    reject("no-noise-mixed-short", both, put(steps, bare[:3]), "a goal without a step")
    reject("no-noise-mixed-alone", both, put(steps, bare[:1]), "atoms only")
    reject(
        "no-noise-mixed-order", both, put(steps, [*bare[2:], *bare[:2]]), "the order of the problem"
    )
    reject(
        "no-noise-mixed-scale",
        both,
        put(["steps", 0, "upper"], "1"),
        "only at scale 0",
        "malformed",
    )


def moment_cases() -> None:
    """No scale of gaussian noise: the moment generating functions at one place."""

    def gaussian(p: Json, q: Json, epsilon: Any) -> Json:
        return changed(kb.problem(p, q, epsilon, 0, None), put(["noise"], {"kind": "gaussian"}))

    def proof(problem: Json, t: str, log: str | None, source: str = "a") -> Json:
        keys = {"belief": "default", "from": source, "to": "b" if source == "a" else "a"}
        step = {"rule": "moment", **keys, "bits": 128, "t": t, "log": log}
        inf = {"rule": "minimum", "lower": "0", "upper": "inf", "lower_step": None}
        return kb.certificate(problem, "scales", [{**inf, "upper_steps": [step]}])

    peak = gaussian(
        {"0": ".599", "1": ".4", "2": ".001"}, {"0": ".899", "1": ".1", "2": ".001"}, 1
    )
    base = accept("moment-log", peak, proof(peak, "1", "30"), "e^t = 30")
    accept("moment-rational", peak, proof(peak, "17/5", None), "t = 3.4")
    third = gaussian(
        {"0": "1723/4050", "1/3": "181/405", "2/3": "517/4050"},
        {"0": "83/100", "1/3": "1/10", "2/3": "7/100"},
        "log(2)",
    )
    tie = accept("moment-tie", third, proof(third, "3", "10"), "equality where e^(t/3) = 10")
    at = ["steps", 0, "upper_steps", 0]
    reject("moment-elsewhere", base, put([*at, "log"], "2"), "the bound holds there")
    reject("moment-other-side", base, put([*at, "t"], "-1"), "the bound holds there")
    reject("moment-no-log", base, put([*at, "log"], None), "at t = 1 the bound holds")
    reject(
        "moment-order",
        base,
        lambda c: c["steps"][0]["upper_steps"][0].update({"from": "b", "to": "a"}),
        "the other order keeps the bound",
    )
    reject("moment-goal", base, put([*at, "to"], "a"), "no such goal")
    reject("moment-belief", base, put([*at, "belief"], "other"), "no such belief")
    reject("moment-near-the-tie", tie, put([*at, "log"], "10000001/1000000"), "equality at 10 only")
    reject("moment-huge", base, put([*at, "t"], "1" + "0" * 40), "so large an exponent is refused")
    other_problem("moment-epsilon", base, put(["epsilon"], "5/4"), "a larger epsilon is kept")
    other_problem("moment-tie-missed", tie, put(["epsilon"], "log(2)+1e-60"), "kept by 1e-60")
    other_problem("moment-delta", base, put(["delta"], "1e-60"), "for delta > 0 some scale works")
    other_problem(
        "moment-laplace", base, put(["noise"], {"kind": "laplace"}), "Laplace noise has few moments"
    )
    equal = changed(peak, put(["epsilon"], 0))
    equal["priors"]["b"] = equal["priors"]["a"]
    case(
        "reject",
        "moment-equal",
        equal,
        proof(equal, "1", None),
        "rejected",
        "equal priors: the difference is 0 everywhere, and every scale works",
    )
    for name, key, value, why in (
        ("log-1", "log", "1", "log 1 = 0 is written null and t = 0"),
        ("log-0", "log", "0", "no logarithm"),
        ("log-negative", "log", "-2", "no logarithm"),
        ("log-text", "log", "log(2)", "a rational"),
        ("t-null", "t", None, "t is needed"),
        ("t-decimal", "t", "0.5", "a canonical rational"),
        ("bits", "bits", 8, "too few bits"),
        ("rule", "rule", "no-noise", "not a rule of this place"),
        ("extra", "why", "so", "an unknown key"),
    ):
        reject(f"moment-{name}", base, put([*at, key], value), why, "malformed")
    reject("moment-none", base, put([*at[:-1]], []), "one step", "malformed")


def raw_cases() -> None:
    """Malformed bytes and shapes, on both sides."""
    base = (HALF_LIVES, kb.proved(HALF_LIVES))
    text = json.dumps(base[1], sort_keys=True, separators=(",", ":"))

    def cert(name: str, raw: str, why: str) -> None:
        assert raw != text
        case("malformed", f"certificate-{name}", HALF_LIVES, raw, "malformed", why)

    case(
        "accept",
        "certificate-final-newline",
        HALF_LIVES,
        text + "\n",
        "certified",
        "one final newline may follow",
    )
    cert("empty", "", "no bytes")
    cert("two-newlines", text + "\n\n", "one final newline only")
    cert("space", text.replace(":", ": ", 1), "not canonical")
    cert("indented", json.dumps(base[1], indent=1, sort_keys=True), "not canonical")
    cert("key-order", json.dumps(base[1], separators=(",", ":")), "keys must be sorted")
    cert("byte-order-mark", "\ufeff" + text, "not canonical")
    cert("duplicate-key", text[:-1] + ',"steps":[]}', "a key twice: which one counts?")
    cert(
        "duplicate-key-inside",
        text.replace('"bits":160', '"bits":160,"bits":160', 1),
        "a key twice",
    )
    cert("nan", text.replace('"bits":160', '"bits":NaN', 1), "NaN is not JSON")
    cert("infinity", text.replace('"bits":160', '"bits":Infinity', 1), "Infinity is not JSON")
    cert("float", text.replace('"bits":160', '"bits":160.0', 1), "no floats")
    cert("exponent", text.replace('"bits":160', '"bits":16e1', 1), "no floats")
    cert("minus-zero", text.replace('"bits":160', '"bits":-0', 1), "not canonical")
    cert("escape", text.replace('"pure"', '"p\\u0075re"', 1), "not canonical")
    cert("truncated", text[:-1], "unfinished")
    cert("trailing", text + "x", "more after the end")
    cert("array", "[]", "not a table")
    cert("null", "null", "not a table")
    cert("string", '"certified"', "not a table")
    cert("not-json", "certified: yes", "no JSON")
    cert("python", "__import__('os')", "no code")
    for key in ("schema", "problem", "produced_by", "result", "steps"):
        reject(
            f"certificate-without-{key}",
            base,
            lambda c, k=key: c.pop(k),
            "a key is missing",
            "malformed",
        )
    reject(
        "certificate-unknown-key",
        base,
        put(["goal"], "anything"),
        "the goal comes from the problem",
        "malformed",
    )
    reject(
        "certificate-schema-2",
        base,
        put(["schema"], "pfverify/certificate/2"),
        "another version",
        "malformed",
    )
    reject(
        "certificate-result-unknown",
        base,
        put(["result"], "undecided"),
        "no such result",
        "malformed",
    )
    reject("certificate-result-list", base, put(["result"], ["certified"]), "a string", "malformed")
    reject("certificate-producer-list", base, put(["produced_by"], ["x"]), "a table", "malformed")
    reject(
        "certificate-producer-number",
        base,
        put(["produced_by"], {"x": 1}),
        "names to versions",
        "malformed",
    )
    reject("certificate-created-number", base, put(["created"], 5), "a string", "malformed")
    reject("certificate-problem-null", base, put(["problem"], None), "a digest", "malformed")

    def prob(name: str, change: Callable[[Json], Any], why: str) -> None:
        value, cert = changed(HALF_LIVES, change), base[1]
        with suppress(Malformed):  # numbers that are not defined still have a digest
            cert = {**cert, "problem": kb.digest(value)}
        case("malformed", f"problem-{name}", value, cert, "malformed", why)

    def mass(table: Any) -> Callable[[Json], None]:
        return put(["priors", "a"], {"kind": "discrete", "mass": table})

    prob("masses-too-small", mass({"0": "1/2", "1": "0.4999999"}), "masses sum to exactly 1")
    prob("masses-too-large", mass({"0": "1/2", "1": "0.5000001"}), "masses sum to exactly 1")
    prob("mass-negative", mass({"0": "3/2", "1": "-1/2"}), "masses are >= 0")
    prob("mass-irrational", mass({"0": "exp(-1)", "1": "1-exp(-1)"}), "masses are rational")
    prob("mass-empty", mass({}), "nothing sums to 1")
    prob("mass-list", mass([1]), "a table")
    prob("mass-bool", mass({"0": True}), "not a number")
    prob("mass-null", mass({"0": None}), "not a number")
    prob("atom-twice", mass({"0": "1/2", "0.0": "1/2"}), "0 and 0.0 are one atom")
    prob("atom-irrational", mass({"log(2)": 1}), "atoms are rational")
    prob("atom-word", mass({"zero": 1}), "atoms are rational")
    prob("count-negative", put(["priors", "a", "counts", "0"], -1), "counts are >= 0")
    prob("count-string", put(["priors", "a", "counts", "0"], "751/2"), "counts are integers")
    prob("counts-zero", put(["priors", "a", "counts"], {"0": 0}), "a positive total")
    prob("counts-and-mass", put(["priors", "a", "mass"], {"0": 1}), "either one")
    prob("prior-without-kind", lambda p: p["priors"]["a"].pop("kind"), "a kind is required")
    prob(
        "prior-cauchy",
        put(["priors", "a"], {"kind": "cauchy", "location": 0, "scale": 1}),
        "not supported",
    )
    part = {"weight": 1, "mean": 0, "variance": 1}
    for name, prior, why in (
        ("no-mean", {"kind": "gaussian", "variance": 1}, "a mean is required"),
        ("no-variance", {"kind": "gaussian", "mean": 0}, "variance or sd"),
        ("both-spreads", {"kind": "gaussian", "mean": 0, "variance": 1, "sd": 1}, "either one"),
        ("negative-variance", {"kind": "gaussian", "mean": 0, "variance": -1}, "negative"),
        ("negative-sd", {"kind": "gaussian", "mean": 0, "sd": "-1/2"}, "negative"),
        ("irrational-sd", {"kind": "gaussian", "mean": 0, "sd": "exp(1)"}, "not rational"),
        ("irrational-mean", {"kind": "gaussian", "mean": "log(2)", "sd": 1}, "not rational"),
        ("weight", {"kind": "gaussian", "mean": 0, "sd": 1, "weight": 1}, "an unknown key"),
        ("null", {"kind": "gaussian", "mean": None, "sd": 1}, "a number"),
        ("counts", {"kind": "gaussian", "mean": 0, "sd": 1, "counts": {"0": 1}}, "an unknown key"),
        ("mass-of-mixture", {"kind": "mixture", "mass": {"0": 1}}, "components"),
        ("no-components", {"kind": "mixture", "components": []}, "the weights sum to 0"),
        ("components-table", {"kind": "mixture", "components": part}, "a list"),
        ("component-list", {"kind": "mixture", "components": [[1, 0, 1]]}, "tables"),
        ("component-kind", {"kind": "mixture", "components": [{**part, "kind": "x"}]}, "a key"),
        ("weights", {"kind": "mixture", "components": [part, part]}, "the weights sum to 2"),
        ("no-weight", {"kind": "mixture", "components": [{"mean": 0, "sd": 1}]}, "a weight"),
        (
            "negative-weight",
            {"kind": "mixture", "components": [{**part, "weight": 2}, {**part, "weight": -1}]},
            "negative",
        ),
    ):
        prob(f"prior-mixture-{name}", put(["priors", "a"], prior), why)
    prob(
        "discrete-laplace-with-a-density",
        lambda p: (
            p["noise"].update(kind="discrete-laplace", step=1),
            p["priors"].update(c={"kind": "gaussian", "mean": 0, "variance": 1}),
            p.update(pairs=[["a", "b"]]),
        ),
        "a lattice needs atoms, also where no pair names the prior",
    )
    for name, noise, why in (
        ("both", {"scale": 1, "variance": 1}, "either one"),
        ("step", {"scale": 1, "step": 1}, "no step"),
        ("variance-negative", {"variance": "-1"}, "negative"),
        ("variance-cancels", {"variance": "log(4)-2*log(2)"}, "not rational"),
        ("scale-cancels", {"scale": "log(4)-2*log(2)"}, "0 that is not written as 0"),
        ("variance-irrational", {"variance": "exp(1)"}, "not rational"),
        ("scale-irrational", {"scale": "exp(1)"}, "its square is not rational"),
        ("scale-almost", {"scale": "exp(log(2)/2)+1e-70"}, "its square is not rational"),
    ):
        prob(f"noise-gaussian-{name}", put(["noise"], {"kind": "gaussian", **noise}), why)
    for name, noise in (
        ("scale", {"scale": 1}),
        ("scale-zero", {"scale": 0}),
        ("step", {"step": 1}),
        ("variance", {"variance": 1}),
    ):
        prob(f"noise-none-{name}", put(["noise"], {"kind": "none", **noise}), "kind alone")
    prob("noise-laplace-variance", put(["noise", "variance"], 1), "gaussian noise only")
    prob("prior-unknown-key", put(["priors", "a", "weight"], 1), "an unknown key")
    prob("noise-cauchy", put(["noise", "kind"], "cauchy"), "not supported")
    prob("noise-null", put(["noise"], None), "a table")
    prob("noise-unknown-key", put(["noise", "sensitivity"], 1), "an unknown key")
    prob("noise-step-for-laplace", put(["noise", "step"], 1), "Laplace has no step")
    prob(
        "noise-without-step",
        put(["noise", "kind"], "discrete-laplace"),
        "discrete Laplace needs one",
    )
    prob(
        "step-zero", lambda p: p["noise"].update(kind="discrete-laplace", step=0), "a positive step"
    )
    prob(
        "step-negative",
        lambda p: p["noise"].update(kind="discrete-laplace", step="-1"),
        "a positive step",
    )
    prob(
        "step-irrational",
        lambda p: p["noise"].update(kind="discrete-laplace", step="log(2)"),
        "a rational step",
    )
    prob(
        "atoms-off-the-coset",
        lambda p: p["noise"].update(kind="discrete-laplace", step=2),
        "0 and 1 on 2Z",
    )
    for name, scale in (
        ("negative", "-1"),
        ("cancels-to-zero", "log(4)-2*log(2)"),
        ("log-of-negative", "log(-1)"),
        ("divides-by-zero", "1/(log(4)-2*log(2))"),
        ("nan", "nan"),
        ("inf", "inf"),
        ("power", "2^3"),
        ("word", "theta"),
        ("code", "__import__('os').system('x')"),
        ("exponent", "1e99999"),
        ("empty", ""),
        ("list", [1]),
        ("bool", True),
    ):
        prob(f"scale-{name}", put(["noise", "scale"], scale), "not a positive number")
    prob("epsilon-negative", put(["epsilon"], "-1/2"), "epsilon >= 0")
    prob("epsilon-slightly-negative", put(["epsilon"], "log(2)-0.6931471805599454"), "epsilon >= 0")
    prob("epsilon-missing", lambda p: p.pop("epsilon"), "required")
    prob("delta-negative", put(["delta"], "-0.1"), "delta in [0, 1]")
    prob("delta-above-1", put(["delta"], "1.0000001"), "delta in [0, 1]")
    prob("form-unknown", put(["form"], "both"), "events or pointwise")
    prob("schema-2", put(["schema"], "pfverify/problem/2"), "another version")
    prob("unknown-key", put(["comment"], "hello"), "an unknown key")
    prob("channel", put(["channel"], {}), "not supported")
    prob("system", put(["system"], {}), "not supported")
    prob("pairs-empty", put(["pairs"], []), "nothing to decide")
    prob("pair-with-itself", put(["pairs"], [["a", "a"]]), "nothing to decide")
    prob("pair-unknown", put(["pairs"], [["a", "c"]]), "no such secret")
    prob("pair-of-three", put(["pairs"], [["a", "b", "a"]]), "two secrets")
    prob("pair-string", put(["pairs"], ["ab"]), "a list of two")
    prob("pair-number", put(["pairs"], [["a", 1]]), "names are strings")
    prob("one-secret", lambda p: p["priors"].pop("b"), "nothing to decide")
    prob("no-priors", lambda p: p.pop("priors"), "nothing to decide")
    prob("priors-empty", put(["priors"], {}), "nothing to decide")
    prob(
        "priors-and-beliefs",
        put(["beliefs"], {"x": {"priors": HALF_LIVES["priors"]}}),
        "either one",
    )
    prob("beliefs-empty", lambda p: (p.pop("priors"), p.update(beliefs={})), "nothing to decide")
    prob(
        "belief-lacks-secret",
        lambda p: p.update(beliefs={"x": {"priors": p.pop("priors")}, "y": {"priors": {}}}),
        "both beliefs need a and b",
    )
    raw = json.dumps(HALF_LIVES)
    for name, bad, why in (
        ("duplicate-key", raw.replace('"epsilon"', '"epsilon": 9, "epsilon"'), "a key twice"),
        ("nan", raw.replace('"1/2"', "NaN"), "NaN is not JSON"),
        ("infinity", raw.replace('"1/2"', "-Infinity"), "Infinity is not JSON"),
        ("truncated", raw[:-2], "unfinished"),
        ("empty", "", "no bytes"),
        ("array", "[]", "a table"),
        ("number", "5", "a table"),
        ("two-byte-order-marks", "\ufeff\ufeff" + raw, "at most one"),
        ("late-byte-order-mark", " \ufeff" + raw, "only at the start"),
    ):
        case("malformed", f"problem-bytes-{name}", bad, base[1], "malformed", why)
    for name, bad, why in (
        ("duplicate-key", "epsilon = 1\nepsilon = 2\n", "a key twice"),
        ("nan", "epsilon = nan\n[noise]\nkind='laplace'\n", "NaN"),
        ("date", "epsilon = 2020-01-01\n[noise]\nkind='laplace'\n", "a date"),
        ("json", raw, "JSON in a .toml file"),
        ("empty", "", "no keys"),
        ("two-byte-order-marks", "\ufeff\ufeffepsilon = 1\n", "at most one"),
    ):
        case("malformed", f"problem-toml-{name}", bad, base[1], "malformed", why, ".toml")


BARE = {"kind": "none"}
ZERO = {"kind": "laplace", "scale": 0}
GRID = {"kind": "discrete-laplace", "scale": 0, "step": 1}


def bare_steps(*pairs: tuple[str, str]) -> list[Json]:
    steps = [kb.step("no-noise", *pair) for pair in pairs or (("a", "b"), ("b", "a"))]
    return [{key: x for key, x in s.items() if key != "bits"} for s in steps]


def bare_cases() -> None:
    """No noise: the release is X itself."""

    def case_of(p: Json, q: Json, epsilon: Any, delta: Any, noise: Json, **more: Any) -> Json:
        return {**kb.problem(p, q, epsilon, delta, None, **more), "noise": noise}

    ratio = ({"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"})
    tie = case_of(*ratio, "log(2)", 0, BARE)
    both = kb.certificate(tie, "certified", bare_steps())
    base = accept("bare-tie", tie, both, "P = 2 Q at 0, epsilon = log(2)")
    for name, noise in (
        ("laplace", ZERO),
        ("gaussian", {"kind": "gaussian", "scale": "0"}),
        ("variance", {"kind": "gaussian", "variance": "0.0"}),
        ("lattice", GRID),
    ):
        same = {**tie, "noise": noise}
        accept(f"bare-{name}", same, kb.certificate(same, "certified", bare_steps()), "scale 0")
    other_problem("bare-smaller-epsilon", base, put(["epsilon"], "0.69314718"), "below log(2)")
    other_problem("bare-missing-atom", base, put(["priors", "b"],
                  {"kind": "discrete", "mass": {"1": 1}}), "an infinite ratio")
    reject("bare-one-order", base, lambda c: c["steps"].pop(), "one goal has no step")
    reject("bare-three-steps", base, lambda c: c["steps"].append(c["steps"][0]), "too many steps")
    reject("bare-exchanged", base, lambda c: c["steps"].reverse(), "the order of the goals")
    reject("bare-equal", base, lambda c: c["steps"][0].update(rule="equal"), "the priors differ")
    reject(
        "bare-chart",
        base,
        lambda c: c["steps"][0].update(rule="chart", bits=128, density=[], points=[]),
        "a rule of densities",
    )
    reject(
        "bare-bits", base, lambda c: c["steps"][0].update(bits=128), "no such key", "malformed"
    )
    reject(
        "bare-alone",
        base,
        lambda c: c.update(steps=[{"rule": "no-noise"}]),
        "every goal has its step",
        "malformed",
    )
    reject(
        "bare-rule-with-noise",
        base,
        put(["steps"], kb.both("pure", first={"ties": []})),
        "a rule of Laplace noise",
        "malformed",
    )
    noisy = {**tie, "noise": {"kind": "laplace", "scale": "1/100"}}
    case(
        "malformed",
        "bare-rule-at-a-scale",
        noisy,
        kb.certificate(noisy, "certified", bare_steps()),
        "malformed",
        "the rule is for no noise (it would be true here)",
    )
    scales = {**tie, "noise": BARE}
    zero = {"rule": "scale", "method": "l1", "scale": "0", "verdict": "certified",
            "steps": [{"rule": "no-noise"}]}
    case("reject", "bare-scales", scales, kb.certificate(scales, "scales", [zero]), "rejected",
         "noise of kind none has no scales")
    delta = case_of({"0": "1/2", "1": "1/2"}, {"1": 1}, "1/log(2)", "1/2", BARE)
    edge = accept("bare-delta-tie", delta, kb.certificate(delta, "certified", bare_steps()),
                  "epsilon does not matter: 1/2 of P lies where Q has nothing")
    other_problem("bare-delta-off", edge, put(["delta"], "0.4999999999999"), "just below 1/2")
    mass = case_of({"0": "1/2", "1": "1/2"}, {"1": 1}, 1, "1/2", BARE, form="pointwise")
    grid = accept("bare-pointwise", mass, kb.certificate(mass, "certified", bare_steps()), "masses")
    other_problem("bare-pointwise-laplace", grid, put(["noise"], ZERO), "atoms have no density")
    other_problem("bare-pointwise-gaussian", grid, put(["noise"], {"kind": "gaussian", "scale": 0}),
                  "atoms have no density")
    other_problem("bare-pointwise-delta", grid, put(["delta"], "0.49"), "1/2 at 0")
    accept("bare-pointwise-lattice", {**mass, "noise": GRID},
           kb.certificate({**mass, "noise": GRID}, "certified", bare_steps()), "masses on Z")

    def refuted(value: Json, rule: str, **more: Any) -> Json:
        return kb.certificate(value, "refuted", [kb.step(rule, **more)])

    small = case_of(*ratio, "1/2", 0, ZERO)
    point = accept("bare-refuted", small, refuted(small, "pure-refuted", y="0", margin="0.19"),
                   "log(2) - 1/2 = 0.193...")
    reject("bare-refuted-margin", point, put(["steps", 0, "margin"], "0.2"), "log(2) - 1/2 < 0.2")
    reject("bare-refuted-elsewhere", point, put(["steps", 0, "y"], "1"), "the smaller ratio")
    reject("bare-refuted-no-atom", point, put(["steps", 0, "y"], "1/2"), "0 >= 0 proves nothing")
    reject("bare-refuted-outside", point, put(["steps", 0, "y"], "-7"), "0 >= 0 proves nothing")
    other_problem("bare-refuted-delta", point, put(["delta"], "1e-9"), "a pure bound only")
    apart = case_of({"0": 1}, {"1": 1}, 40, 0, BARE)
    event = accept("bare-refuted-event", apart,
                   refuted(apart, "event-refuted", event=[["0", "0"]], margin="1"), "disjoint")
    accept("bare-refuted-interval", apart,
           refuted(apart, "event-refuted", event=[["-inf", "1/2"]], margin="0.5"), "half a line")
    reject("bare-refuted-event-margin", event, put(["steps", 0, "margin"], "1.000000001"), "1")
    reject("bare-refuted-margin-0", event, put(["steps", 0, "margin"], "0"), "a positive margin")
    reject("bare-refuted-wrong-atom", event, put(["steps", 0, "event"], [["1", "1"]]), "Q's atom")
    reject("bare-refuted-both-atoms", event, put(["steps", 0, "event"], [["0", "1"]]), "1 - e^40")
    reject("bare-refuted-nothing", event, put(["steps", 0, "event"], [["1/4", "1/2"]]), "no mass")
    reject("bare-refuted-empty", event, put(["steps", 0, "event"], []), "empty", "malformed")
    reject("bare-refuted-upside-down", event, put(["steps", 0, "event"], [["1", "0"]]),
           "an interval", "malformed")
    reject("bare-refuted-twice", event, put(["steps", 0, "event"], [["0", "0"], ["0", "0"]]),
           "an atom counted twice", "malformed")
    reject("bare-refuted-certified", event, put(["result"], "certified"), "no", "malformed")
    over = case_of({"0": 1}, {"1": 1}, 1, "1/2", BARE, form="pointwise")
    at = accept("bare-refuted-pointwise", over,
                refuted(over, "pointwise-refuted", y="0", margin="0.5"),
                "1 - 1/2")
    other_problem("bare-refuted-pointwise-laplace", at, put(["noise"], ZERO), "no density")
    other_problem("bare-refuted-pointwise-events", at, put(["form"], "events"), "the other form")
    wrong = refuted(over, "event-refuted", event=[["0", "0"]], margin="0.5")
    case("reject", "bare-refuted-pointwise-event", over, wrong, "rejected", "delta is not 0")


def main() -> None:
    makers = (pure_cases, delta_cases, pointwise_cases, refuted_cases, scale_cases, bare_cases)
    for make in makers:
        make()
    moment_cases()
    raw_cases()
    coupling_cases(accept, reject, put)
    smooth_cases(accept, reject, other_problem, put)
    channel_cases(accept, reject, other_problem, case, put)
    kept_cases(accept, reject, other_problem, put)
    window_cases(accept, reject, other_problem, put)
    smooth_steps_cases(accept, reject, other_problem, put)
    row_cases(accept, reject, other_problem, put)
    lattice_cases(accept, reject, other_problem, put)
    joint_cases(accept, reject, other_problem, put)
    own_cases(accept, reject, other_problem, put)
    independent_cases(accept, reject, other_problem, put)
    reduction_cases(accept, reject, other_problem, case, put)
    families_cases(accept, reject, other_problem, put)
    composed_cases(accept, reject, other_problem, put)
    renyi_cases(accept, reject, other_problem, case, put)
    names = [(folder, name) for folder, name, _ in CASES]
    if len(set(names)) != len(names):
        raise SystemExit("two cases of one name")
    for folder, name, content in CASES:
        path = kb.CORPUS / folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1) + "\n")
    print(len(CASES), "cases")


if __name__ == "__main__":
    main()
