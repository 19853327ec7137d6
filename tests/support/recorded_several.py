"""Recorded problems about several numbers: joint priors, histograms, and many releases of one X."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from support import recorded_channels, recorded_steps

Json = dict[str, Any]
KINDS = ("laplace", "discrete-laplace", "laplace", "none")
"""What noise several numbers may have."""
REPEATED = ("laplace", "gaussian", "discrete-laplace", "laplace", "gaussian")
"""What noise may be added again and again."""
TARGETS = ("0", "1/100", "0", "1/10", "3/10", "0", "1/20")
STEPS: tuple[Json, ...] = (
    {"round": {"to": "1"}}, {"clamp": ["0", "1"]}, {"threshold": {"at": "1", "keep": "above"}},
    {"floor": {"to": "2"}}, {"bins": {"edges": ["0", "2"]}}, {"ceil": {"to": "1"}},
)  # fmt: skip


def _size(rng: Random, least: int = 4, most: int = 32) -> str:
    return str(Fraction(rng.randint(least, most), 4))


def _target(rng: Random, k: int) -> Json:
    return {
        "schema": "pfverify/problem/1",
        "epsilon": rng.choice(("1/2", "log(2)", "1", "log(3)", "2")),
        "delta": TARGETS[k % len(TARGETS)],
    }


def _noise(rng: Random, k: int, count: int) -> Json:
    """One scale for all numbers, or one for each."""
    kind = KINDS[k % len(KINDS)]
    if kind == "none":
        return {"kind": kind}
    sizes = [_size(rng) for _ in range(count)]
    found: Json = {"kind": kind, "scale": sizes if k // 5 % 3 else sizes[0]}
    return found | ({"step": "1"} if kind == "discrete-laplace" else {})


def joint(rng: Random, k: int) -> Json:
    """Two or three numbers, of few points that priors share, or of points of their own."""
    pure = TARGETS[k % len(TARGETS)] == "0"  # a delta takes a grid for each pair: fewer of them
    count = 3 if pure and k % 5 == 4 else 2
    names = ["x", "y", "z"][:count]
    places = list(product(range(3), repeat=count))
    shared = rng.sample(places, 3)

    def law() -> Json:
        points = shared if k // 4 % 2 else rng.sample(places, rng.choice((1, 2, 3)))
        if rng.random() < 0.3:
            counted = [[*point, rng.randint(1, 9)] for point in points]
            return {"kind": "joint", "names": names, "counts": counted}
        masses = recorded_channels.masses(rng, len(points), 0.1)
        rows = [[*point, str(mass)] for point, mass in zip(points, masses, strict=True)]
        return {"kind": "joint", "names": names, "rows": rows}

    value = _target(rng, k) | {"noise": _noise(rng, k, count)}
    priors = {name: law() for name in ("abc" if pure and k % 11 in (3, 4) else "ab")}
    if k % 11 == 5:
        return value | {
            "beliefs": {one: {"priors": {name: law() for name in "ab"}} for one in "de"}
        }
    if value["noise"]["kind"] != "none":
        if k % 9 == 4:
            value["noise"]["releases"], value["delta"] = 2, "0"
        if k % 3 == 1:
            chosen = rng.sample(names, rng.choice((1, 1, 2)))
            value["post"] = [{"coordinate": name, **STEPS[(k // 3 + at) % len(STEPS)]}
                             for at, name in enumerate(chosen)]  # fmt: skip
    return value | {"priors": priors}


def met(rng: Random, k: int) -> Json:
    """Points whose distances over the scales sum to epsilon, or nearly: a tie."""
    count = 2 + k % 2
    names = ["x", "y", "z"][:count]
    low, high = [0] * count, [rng.randint(0, 3) for _ in range(count - 1)] + [rng.randint(1, 3)]
    sizes = [Fraction(rng.randint(2, 12), 4) for _ in names]
    lost = sum(at / size for at, size in zip(high, sizes, strict=True))
    beside = rng.choice(("", "", "*(1-1e-30)", "*(1+1e-12)"))
    kind = KINDS[k % 3]
    noise: Json = {"kind": kind, "scale": [str(size) for size in sizes]}
    if kind == "discrete-laplace":
        noise["step"] = "1"
    priors = {name: {"kind": "joint", "names": names, "rows": [[*point, 1]]}
              for name, point in (("a", low), ("b", high))}  # fmt: skip
    value = _target(rng, 0) | {"epsilon": f"{lost}{beside}", "noise": noise, "priors": priors}
    if k % 4 == 3:
        value["noise"]["releases"] = 3
        value["epsilon"] = f"3*{lost}{beside}"
    return value


def repeated(rng: Random, k: int) -> Json:
    """Releases of one X or of fresh ones, of one scale or several, or of a promised total."""
    kind = REPEATED[k % len(REPEATED)]
    noise: Json = {"kind": kind}
    if kind == "discrete-laplace":
        noise["step"] = "1"
    how = k % 6
    if how == 0:
        noise |= {"scale": _size(rng, 4, 20), "releases": rng.choice((2, 3, 10))}
    elif how == 1:
        noise |= {"scale": _size(rng, 4, 20), "releases": 2, "draws": "fresh"}
    elif how == 2:
        sizes = [_size(rng, 4, 20) for _ in range(2)]
        noise |= {"scales": [*sizes, sizes[0]]}
    elif how == 3:
        noise["total"] = rng.choice(("1/2", "1", "6/5"))
    elif how == 4:
        noise |= {"scales": [_size(rng, 4, 20) for _ in range(2)], "draws": "fresh"}
    else:
        noise |= {"scale": _size(rng, 4, 20), "releases": 2, "draws": "same"}
    value = _target(rng, k) | {"noise": noise}
    if kind == "gaussian" and rng.random() < 0.8:
        value["delta"] = rng.choice(TARGETS[3:5])
    atoms = [-1, 0, 1, 2] if value["delta"] == "0" else [0, 1]
    laws = {name: recorded_steps.law(rng, atoms) for name in "ab"}
    if k % 7 == 6 and how == 0 and kind != "discrete-laplace":
        laws["b"] = {"kind": "gaussian", "mean": 1, "variance": "1/2"}
    if k // 6 % 3 == 2 and how != 3:
        value["post"] = [STEPS[k // 2 % len(STEPS)]]
    return value | {"priors": laws}


def histogram(rng: Random, k: int) -> Json:
    """How many of some people are in each of two or three cells, of whom some may be absent."""
    cells = ["x", "y", "z"][: 2 + k % 3 // 2]

    def law() -> Json:
        found = map(str, recorded_channels.masses(rng, len(cells)))
        return {"mass": dict(zip(cells, found, strict=True))}

    system: Json = {
        "release": "histogram",
        "categories": cells,
        "others": [law() | {"count": rng.randint(1, 3)} for _ in range(k // 3 % 3)],
        "user": {cell: {"point": cell} for cell in cells},
    }
    how = k % 5
    if how == 1:
        system |= {"rest": "any", "others": []}
    elif how == 2:
        system["user"] = {"p": law(), "q": law()}
    elif how == 3:
        system["user"] = {cells[0]: {"point": cells[0]}, "absent": "absent"}
    value = _target(rng, k) | {"noise": _noise(rng, k, len(cells)), "system": system}
    if value["noise"]["kind"] != "none" and how == 1:
        value["post"] = [{"coordinate": cells[k % 2], **STEPS[k // 5 % len(STEPS)]}]
    return value


def numbers(rng: Random, k: int) -> Json:
    """A sum, a mean and a count of the same people, together; or one of them several times."""
    release = (["sum", "count"], ["sum", "mean"], ["count", "mean"], "sum", "mean")[k % 5]
    several = isinstance(release, list)
    user: Json = {"low": {"point": 0}, "high": {"point": rng.randint(1, 3)}}
    if TARGETS[k % len(TARGETS)] == "0" and k % 3:
        user["absent"] = "absent"
    others = [{"bernoulli": "1/3", "count": rng.randint(1, 3)}]
    if several and "mean" in release and "absent" in user:
        del user["absent"]
    system: Json = {"user": user, "release": release, "others": others}
    size = 1 + others[0]["count"] if several else 1  # type: ignore[operator]
    noise: Json = {"kind": "laplace", "scale": [_size(rng), _size(rng)] if several else _size(rng)}
    if k % 4 == 1:
        noise |= {"kind": "discrete-laplace", "step": f"1/{size}" if several else "1"}
        if release == "mean":
            noise["step"] = str(Fraction(1, 1 + others[0]["count"]))  # type: ignore[operator]
    if not several:
        noise["releases"] = rng.choice((2, 5))
        if k % 2:
            system["rest"] = "any"
    value = _target(rng, k) | {"noise": noise, "system": system}
    if "rest" in system and k % 3 == 2:
        value["post"] = [STEPS[k // 3 % len(STEPS)]]
    return value


def counted(rng: Random, k: int) -> Json:
    """One scale of one X, for the largest number of releases."""
    noise = {
        "kind": ("laplace", "gaussian", "discrete-laplace")[k % 3],
        "scale": _size(rng, 24, 90),
    }
    if k % 3 == 2:
        noise["step"] = "1"
    value = _target(rng, k) | {"noise": noise}
    if k % 3 == 1 or k % 4 == 0:
        value["delta"] = rng.choice(("1/10", "1/5"))
    return value | {"priors": {name: recorded_steps.law(rng, [0, 1, 2]) for name in "ab"}}


def proved(rng: Random, k: int) -> Json:
    """Each kind of problem in turn."""
    makers = (joint, repeated, joint, histogram, repeated, numbers, met)
    return makers[k % len(makers)](rng, k // len(makers) + 9 * (k % len(makers)))
