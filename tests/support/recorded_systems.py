"""Recorded problems about sums of users: who they are, what is hidden, and what is released."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import mpmath

from support.recorded_channels import masses

Json = dict[str, Any]
EPSILONS = ("1/10", "1/2", "1", "log(2)", "log(3)/2", "2")
DELTAS = ("0", "0", "0", "1/100", "1/10", "1-exp(-1/4)")
CHANCES = ("1/5", "1/2", "2/3", "9/10")


def _law(rng: Random) -> Json:
    """The law of one user, on whole numbers."""
    if rng.random() < 0.4:
        return {"bernoulli": rng.choice(CHANCES)}
    values = sorted(rng.sample(range(-2, 6), rng.randint(2, 3)))
    if rng.random() < 0.3:
        return {"counts": {str(x): rng.randint(1, 9) for x in values}}
    found = map(str, masses(rng, len(values), 0))
    return {"mass": dict(zip(map(str, values), found, strict=True))}


def _normal(rng: Random) -> Json:
    """A normal law, or two mixed."""
    one = {"mean": str(rng.randint(-2, 3)), "variance": str(Fraction(rng.randint(1, 8), 2))}
    if rng.random() < 0.75:
        return one
    weights = rng.choice((("1/2", "1/2"), ("1/4", "3/4")))
    return {"components": [{"weight": w, **one, "mean": str(k)} for k, w in enumerate(weights)]}


def _users(rng: Random, smooth: bool) -> tuple[Json, str]:
    """The cases of the user, and the pair set that holds for them."""
    law = _normal if smooth else _law
    laws = {"P": law(rng), "Q": law(rng)}
    points = {f"v{x}": {"point": x} for x in rng.sample(range(6), rng.randint(2, 3))}
    return rng.choice([
        (points, "values"),
        (points | {"absent": "absent"}, "values-absent"),
        ({"P": laws["P"], "absent": "absent"}, "laws-absent"),
        (laws, "laws"),
        (laws | {"v1": {"point": 1}}, "laws"),
    ])  # fmt: skip


def _others(rng: Random, smooth: bool) -> list[Json]:
    found = []
    for _ in range(rng.randint(0, 3)):
        one = (_normal if smooth and rng.random() < 0.7 else _law)(rng)
        if rng.random() < 0.5:
            one["count"] = rng.randint(2, 4 if smooth else 9)
        if rng.random() < 0.4:
            one["presence"] = rng.choice(["1/2", "9/10", "1"])
        found.append(one)
    return found


def _noise(rng: Random, kind: str, mean: bool, size: int) -> Json:
    if kind == "none":
        return {"kind": "none"}
    scale = Fraction(rng.randint(2, 40), 4) / (size if mean else 1)
    if kind == "discrete-laplace":
        return {"kind": kind, "scale": str(scale), "step": str(Fraction(1, size if mean else 1))}
    return {"kind": kind, "scale": str(scale)}


def system(rng: Random, k: int) -> Json:
    """A sum or a mean: every fourth over normal laws, every fifth of which each user is protected.
    """
    smooth, each = k % 4 == 3, k % 5 == 4
    user, pair_set = _users(rng, smooth)
    others = _others(rng, smooth)
    table: Json = {"others": others}
    if each:
        if not others:
            others.append({"bernoulli": "1/3", "count": 3})
        choices = ("laws-absent",) if smooth else ("values", "values-absent", "laws-absent")
        table |= {"protect": "each", "pair_set": rng.choice(choices)}
        if rng.random() < 0.3:
            table["user"] = {"P": (_normal if smooth else _law)(rng)}
    else:
        table["user"] = user
        if rng.random() < 0.4:
            table["pair_set"] = pair_set
    if rng.random() < 0.4:
        table["release"] = rng.choice(["sum", "mean"])
    if rng.random() < 0.4:
        table["presence_model"] = rng.choice(["all", "independent"])
    if rng.random() < 0.3:
        table["rest"] = rng.choice(["known", "any"])
    size = sum(one.get("count", 1) for one in others) + ("user" in table)
    kinds = ("laplace", "laplace", "gaussian") if smooth else (
        "laplace", "laplace", "discrete-laplace", "gaussian", "none",
    )  # fmt: skip
    return {
        "schema": "pfverify/problem/1",
        "epsilon": rng.choice(EPSILONS),
        "delta": rng.choice(["1/100", "1/10"] if smooth else DELTAS),
        "form": "pointwise" if rng.random() < 0.15 else "events",
        "noise": _noise(rng, rng.choice(kinds), table.get("release") == "mean", size),
        "system": table,
    }


def met_exactly(rng: Random, k: int) -> Json:
    """Points whose distance over the scale is epsilon: a tie, whatever the others do."""
    value = system(rng, 0)
    size = rng.randint(1, 6)
    mean = k % 2 == 1
    low, high = sorted(rng.sample(range(5), 2))
    value["system"] = {
        "others": [{"bernoulli": rng.choice(CHANCES), "count": size}],
        "user": {"yes": {"point": high}, "no": {"point": low}},
        "release": "mean" if mean else "sum",
        "rest": rng.choice(["known", "any"]),
    }
    scale = f"{high - low}/({value['epsilon']})/{size + 1 if mean else 1}"
    beside = rng.choice(["", "", "*(1-1e-30)", "*(1+1e-12)"])
    return value | {
        "noise": {"kind": "laplace", "scale": f"({scale}){beside}"}, "delta": "0", "form": "events",
    }  # fmt: skip


def undecided(rng: Random, k: int) -> Json:
    """Normal laws at their own delta to 200 digits, for which there is no exact test."""
    mean, inner, outer = (Fraction(rng.randint(1, 6), 2) for _ in range(3))
    epsilon = Fraction(rng.randint(0, 6), 4)
    with mpmath.workdps(220):
        apart = mpmath.mpf(mean.numerator) / mean.denominator
        spread = inner + outer
        ratio = apart / mpmath.sqrt(mpmath.mpf(spread.numerator) / spread.denominator)
        e = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        exceeding = mpmath.ncdf(ratio / 2 - e / ratio) - mpmath.exp(e) * mpmath.ncdf(
            -ratio / 2 - e / ratio
        )
        delta = mpmath.nstr(exceeding, 200)
    value: Json = {
        "schema": "pfverify/problem/1",
        "epsilon": str(epsilon),
        "delta": delta,
        "noise": {"kind": "gaussian", "variance": str(outer)},
    }
    if k % 2:
        rest = {"mean": 1, "variance": str(inner / 4), "count": 4}
        user = {"a": {"point": 0}, "b": {"point": str(mean)}}
        return value | {"system": {"others": [rest], "user": user}}
    laws = {name: {"kind": "gaussian", "mean": str(at), "variance": str(inner)}
            for name, at in (("a", 0), ("b", mean))}  # fmt: skip
    return value | {"priors": laws}


def refused(rng: Random, k: int) -> Json:
    """One thing wrong with the users: one line on standard error."""
    value = system(rng, 0)
    table = value["system"]
    table["others"].append({"bernoulli": "1/2", "count": 2})
    law = table["others"][-1]
    kind = k % 8
    if kind == 0:
        law["bernoulli"] = rng.choice(["3/2", "-1", "log(2)", []])
    elif kind == 1:
        law["count"] = rng.choice([0, -1, "2", 10**9])
    elif kind == 2:
        law["presence"] = rng.choice(["2", "-1/2", "exp(-1)"])
    elif kind == 3:
        law["point"] = 1
    elif kind == 4:
        table[rng.choice(["release", "rest", "presence_model", "pair_set"])] = "median"
    elif kind == 5:
        table["user"] = rng.choice([{}, {"a": {"point": 1}}, {"a": "away", "b": "absent"}])
    elif kind == 6:
        table |= {"protect": "each", "pair_set": "laws"}
    else:
        value[rng.choice(["priors", "channel"])] = {"a": {"kind": "discrete", "mass": {"0": 1}}}
    return value
