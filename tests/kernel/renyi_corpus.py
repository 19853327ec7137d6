"""The stored cases about Renyi divergences: a tie, masses, bells, fresh draws, and what is off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kernel_builder as kb

Json = dict[str, Any]
Base = tuple[Json, Json]
FORM: Json = {"form": "renyi", "order": "2"}
UNIFORM: Json = {str(k): "1/5" for k in range(5)}


def both(value: Json) -> Json:
    """The certificate that asks the kernel for both orders."""
    steps = [kb.step("renyi"), kb.step("renyi", "b", "a")]
    return kb.certificate(value, "certified", steps)


def refuted(value: Json, margin: str, source: str = "a", target: str = "b") -> Json:
    step = kb.step("renyi-refuted", source, target, margin=margin)
    return kb.certificate(value, "refuted", [step])


def renyi_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    case: Callable[..., None], put: Callable[..., Any],
) -> None:  # fmt: skip
    tie = kb.problem({"0": 1}, {"1": 1}, "log(17/12)", 0, "1/log(2)", **FORM)
    base = accept("renyi-tie", tie, both(tie), "e^D = 17/12, with equality")
    other("renyi-below-the-tie", base, put(["epsilon"], "log(17/12) - exp(-99)"), "a little less")
    other("renyi-larger-order", base, put(["order"], "9/4"), "D rises with the order")
    other("renyi-as-events", base, lambda value: (value.pop("order"), value.update(form="events")),
          "another form")  # fmt: skip
    reject("renyi-missing-order", base, lambda value: value["steps"].pop(), "one order of the pair")
    reject("renyi-other-rule", base, put(["steps", 0, "rule"], "delta-upper"), "no bound of events")
    none = {key: value for key, value in tie.items() if key != "order"}
    for name, stated, why in (("no-order", none, "a divergence has an order"),
                              ("order-1", tie | {"order": "1"}, "not above 1")):  # fmt: skip
        case("malformed", f"problem-renyi-{name}", stated, base[1], "malformed", why)

    value = kb.problem(UNIFORM, {"2": 1}, "1/10", 0, "1/log(2)", **FORM)
    base = accept("renyi-refuted", value, refuted(value, "0.0633", "b", "a"), "D = 0.16335..")
    reject("renyi-refuted-margin", base, put(["steps", 0, "margin"], "0.0634"), "too much")
    reject("renyi-refuted-infinite", base, put(["steps", 0, "margin"], "inf"), "it is finite")
    lattice = kb.problem(UNIFORM, {"2": 1}, "1/25", 0, 3, 1, form="renyi", order="5/2")
    base = accept("renyi-lattice", lattice, both(lattice), "D = 0.03958..")
    other("renyi-lattice-less", base, put(["epsilon"], "39/1000"), "D = 0.03958..")

    masses = kb.problem({"0": "1/4", "1": "3/4"}, {"0": "1/2", "1": "1/2"}, "3*log(5/4)", 0, None,
                        **FORM)  # fmt: skip
    masses["noise"] = {"kind": "none"}
    base = accept("renyi-masses", masses, both(masses), "log(5/4) and log(4/3)")
    other("renyi-masses-less", base, put(["epsilon"], "log(5/4)"), "log(4/3) the other way")
    bare = kb.problem({"0": "1/2", "1": "1/2"}, {"0": 1}, 9, 0, None, **FORM)
    bare["noise"] = {"kind": "none"}
    base = accept("renyi-infinite", bare, refuted(bare, "inf"), "1 is impossible under b")
    reject("renyi-infinite-number", base, put(["steps", 0, "margin"], "1"), "it is infinite")

    bells = kb.problem({"0": "9/10", "3": "1/10"}, {"0": 1}, "5", 0, None, **FORM)
    bells["noise"] = {"kind": "gaussian", "variance": 1}
    base = accept("renyi-bells", bells, both(bells), "D = 4.40697..")
    other("renyi-bells-less", base, put(["epsilon"], "9/10"), "what W_2 would say is false")
    value = bells | {"epsilon": "33/1000", "noise": {"kind": "none"}, "priors": {
        "a": {"kind": "gaussian", "mean": "0", "variance": "2"},
        "b": {"kind": "mixture", "components": [
            {"weight": "1/2", "mean": mean, "variance": "1"} for mean in ("-1", "1")]},
    }}  # fmt: skip
    base = accept("renyi-mixtures", value, both(value), "D = 0.0326441720848 and 0.0179897140768")
    other("renyi-mixtures-less", base, put(["epsilon"], "0.0326441720847"), "a little less")
    other("renyi-mixtures-order", base, put(["order"], "201/100"), "infinite above order 2")
    other("renyi-mixtures-mean", base, put(["priors", "b", "components", 0, "mean"], "0"),
          "infinite: level far out to one side")  # fmt: skip
    kept = kb.problem({"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}, "1/18", 0, 1, **FORM)
    kept["noise"] = {"kind": "truncated-laplace", "scale": "1", "bound": "3"}
    base = accept("renyi-truncated", kept, both(kept), "D = 0.05527238.. and 0.04972089..")
    other("renyi-truncated-less", base, put(["epsilon"], "0.0552723870157"), "a little less")
    alone = {"kind": "discrete", "mass": {"0": "1"}}
    other("renyi-truncated-end", base, put(["priors", "b"], alone), "1 + 3 is out of reach")
    lattice = kept | {"epsilon": "1/18", "noise": {
        "kind": "discrete-gaussian", "variance": "1", "step": "1"}}  # fmt: skip
    base = accept("renyi-gaussian-lattice", lattice, both(lattice), "D = 0.0555410033304..")
    other("renyi-gaussian-lattice-less", base, put(["epsilon"], "0.0555410033304"), "a little less")
    other("renyi-gaussian-lattice-variance", base, put(["noise", "variance"], "99/100"),
          "less noise")  # fmt: skip
    points = kb.problem({"0": 1}, {"1": 1}, "5/6", 0, None, form="renyi", order="5/2")
    points["noise"] = {"kind": "gaussian", "variance": "3/2"}
    base = accept("renyi-normal-tie", points, both(points), "a d^2/(2 v), with equality")
    other("renyi-normal-variance", base, put(["noise", "variance"], "149/100"), "less noise")
    fresh = tie | {"epsilon": "3*log(17/12)"}
    fresh["noise"] = {"kind": "laplace", "scale": "1/log(2)", "releases": 3, "draws": "fresh"}
    base = accept("renyi-fresh-tie", fresh, both(fresh), "three times log(17/12), with equality")
    other("renyi-fresh-more", base, put(["noise", "releases"], 4), "four times")
    outputs_cases(accept, reject, other, put)
    _all_orders(accept, reject, other, put)


def _all_orders(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    """Two points at distance 1: with Laplace noise 1/e is the least rho, with Gaussian noise 1/2v.
    """
    value = kb.problem({"0": 1}, {"1": 1}, "1/2", 0, 1, form="zcdp")
    pure = {"rule": "pure", "bits": 128, "ties": []}
    beyond: Json = {"law": "itself", "loss": "10001/10000", "step": pure}
    steps = [
        kb.step("zcdp", *names, orders=["11/10", "21/10"], beyond=beyond)
        for names in (("a", "b"), ("b", "a"))
    ]
    base = accept("zcdp-two-points", value, kb.certificate(value, "certified", steps), "1/e < 1/2")
    other("zcdp-less", base, put(["epsilon"], "367/1000"), "1/e is the least rho")
    other("zcdp-as-events", base, put(["form"], "events"), "another form")
    reject("zcdp-last-order", base, put(["steps", 0, "orders", 1], "2"), "1.0001 is above 2 rho")
    reject("zcdp-first-order", base, put(["steps", 1, "orders", 0], "2"), "D_2 is above rho")
    reject("zcdp-smaller-loss", base, put(["steps", 0, "beyond", "loss"], "9999/10000"), "it is 1")
    value = value | {"epsilon": "3/10"}
    step = kb.step("zcdp-refuted", order="2", margin="0.0095")
    base = accept(
        "zcdp-refuted", value, kb.certificate(value, "refuted", [step]), "D_2/2 = 0.30956.."
    )
    reject("zcdp-refuted-margin", base, put(["steps", 0, "margin"], "0.0096"), "too much")
    reject("zcdp-refuted-order", base, put(["steps", 0, "order"], "3"), "D_3/3 = 0.2489..")

    value = kb.problem({"0": 1}, {"1": 1}, "1/3", 0, None, form="zcdp")
    value["noise"] = {"kind": "gaussian", "variance": "3/2"}
    steps = [
        kb.step("zcdp", *names, orders=[], beyond={"law": "other"})
        for names in (("a", "b"), ("b", "a"))
    ]
    base = accept("zcdp-tie", value, kb.certificate(value, "certified", steps), "d^2/(2 v)")
    other("zcdp-less-noise", base, put(["noise", "variance"], "149/100"), "less noise")
    value = value | {"epsilon": "1/4"}
    step = kb.step("zcdp-refuted", order="inf", margin="0.083")
    base = accept("zcdp-limit", value, kb.certificate(value, "refuted", [step]), "1/3 of large a")
    reject("zcdp-limit-margin", base, put(["steps", 0, "margin"], "0.084"), "1/3 - 1/4 = 0.0833..")


def outputs_cases(
    accept: Callable[..., Base], reject: Callable[..., None], other: Callable[..., None],
    put: Callable[..., Any],
) -> None:  # fmt: skip
    tie = kb.problem({"0": 1}, {"1": 1}, "3*log(17/12)", 0, "1/log(2)", **FORM)
    tie["noise"] = {"kind": "laplace", "scale": "1/log(2)", "releases": 3, "draws": "same"}
    base = accept("renyi-same-tie", tie, both(tie), "of points the draws do not matter")
    other("renyi-same-more", base, put(["noise", "releases"], 4), "four times")
    value = kb.problem(UNIFORM, {"2": 1}, "3/5", 0, None, **FORM)
    value["noise"] = {"kind": "laplace", "scale": "1/log(2)", "releases": 2, "draws": "same"}
    base = accept("renyi-same", value, both(value), "log(2701/1600) one way")
    tied = value | {"epsilon": "log(2701/1600)"}
    base = accept("renyi-same-sum-tie", tied, both(tied), "with equality, and cells the other way")
    other("renyi-same-sum-scale", base, put(["noise", "scale"], "1/log(2) - exp(-9)"), "smaller")
    other("renyi-same-less", base, put(["epsilon"], "13/25"), "log(2701/1600) = 0.5236..")
    other("renyi-same-order", base, put(["order"], "3"), "another order")
    other("renyi-same-longer", base, put(["noise", "scale"], "1"), "less noise")
    less = value | {"epsilon": "1/2"}
    base = accept("renyi-same-refuted", less, refuted(less, "0.0236"), "by the finite sum")
    reject("renyi-same-margin", base, put(["steps", 0, "margin"], "0.0237"), "too much")
    reject("renyi-same-back", base, lambda step: step["steps"][0].update({"from": "b", "to": "a"}),
           "of the other order that is not known")  # fmt: skip
    laws = {"a": [[0, 0, "1/2"], [1, 1, "1/2"]], "b": [[0, 1, 1]]}
    joint = {name: {"kind": "joint", "names": ["x", "y"], "rows": rows}
             for name, rows in laws.items()}  # fmt: skip
    for kind, epsilon, less in (("laplace", "1/4", "6/25"), ("gaussian", "7/10", "69/100")):
        vector = kb.problem({"0": 1}, {"1": 1}, epsilon, 0, None, **FORM) | {"priors": joint}
        vector["noise"] = {"kind": kind, "scale": ["1", "2"]}
        base = accept(f"renyi-vector-{kind}", vector, both(vector), "of several numbers")
        other(f"renyi-vector-{kind}-less", base, put(["epsilon"], less), "that is too little")
        other(f"renyi-vector-{kind}-scale", base, put(["noise", "scale"], ["1", "1"]), "less noise")
    one = {"noise": {"kind": "laplace", "scale": "1/log(2)"},
           "priors": {"a": {"kind": "discrete", "mass": {"0": 1}},
                      "b": {"kind": "discrete", "mass": {"1": 1}}}, "times": 2}  # fmt: skip
    parts = {"schema": "pfverify/problem/1", "epsilon": "3*log(17/12)", **FORM,
             "parts": [one, {**one, "times": 1}]}  # fmt: skip
    base = accept("renyi-parts-tie", parts, both(parts), "three times log(17/12), with equality")
    other("renyi-parts-more", base, put(["parts", 0, "times"], 3), "four times")
    total = kb.problem({"0": 1}, {"1": 1}, "log(17/12)", 0, None, **FORM)
    total["noise"] = {"kind": "laplace", "total": "log(2)"}
    base = accept("renyi-total", total, both(total), "of the one release that spends it all")
    other("renyi-total-more", base, put(["noise", "total"], "log(3)"), "more is spent")
