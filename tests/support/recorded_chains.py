"""Recorded problems about records that depend on each other: chains, seen or hidden, and networks.

The k-th problem has the k-th noise, release and target, each in its own round, as in
`recorded_steps`; the pieces of one person's path are numbers of a joint prior.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

from support import chains, recorded_channels, recorded_steps

Json = dict[str, Any]
NOISES: tuple[Json, ...] = (
    {"kind": "laplace"},
    {"kind": "discrete-laplace", "step": "1/6"},
    {"kind": "gaussian"},
    {"kind": "none"},
    {"kind": "discrete-gaussian", "step": "1/2"},
    {"kind": "table", "weights": {"-1": "1/5", "0": "3/5", "1": "1/5"}},
    {"kind": "truncated-laplace", "bound": "5/2"},
    {"kind": "laplace"},
)
RELEASES = ("sum", "mean", "count", "weighted", "count")
VALUES = (("0", "1", "2"), ("1", "0", "3"), ("0", "1/2", "1"))
"""What the states add."""
SURE = ("9/10", "2/3", "1/2", "1/5", "1")
"""The chances to stay in a state of long chains."""


def _released(rng: Random, k: int, length: int, states: list[str]) -> Json:
    release = RELEASES[k % len(RELEASES)]
    if release == "count":
        return {"release": release, "count": states[-1] if k % 2 else states[:1]}
    if release == "weighted":
        return {
            "release": release,
            "weights": [rng.choice(("1", "2", "1/2")) for _ in range(length)],
        }
    return {} if release == "sum" and k % 2 else {"release": release}


def _noise(rng: Random, k: int, stated: Json, longest: int) -> Json:
    """The noise in turn, on a lattice that the values and their means lie on."""
    noisy = NOISES[k % len(NOISES)]
    long = noisy["kind"] == "discrete-gaussian"  # whose masses take long: a few of them
    noisy = recorded_steps.noise(rng, noisy, least=8, most=12 if long else 48)
    if noisy["kind"].startswith("discrete"):
        noisy["step"] = str(Fraction(1, 2 * (longest if stated.get("release") == "mean" else 2)))
    return noisy


def _asked(rng: Random, k: int, noisy: Json, stepped: bool) -> Json:
    """The target, and every third time steps: before the noise or behind it."""
    turn, bounded = k % 13, noisy["kind"] in recorded_steps.BOUNDED and k % 3 > 0
    if not stepped or turn not in (2, 5, 8, 11):
        pointwise = noisy["kind"] not in ("gaussian", "discrete-gaussian", "truncated-laplace")
        return recorded_steps.target(rng, k, pointwise, bounded) | {"noise": noisy}
    near = [Fraction(x) for x in range(4)]
    value = recorded_steps.target(rng, k, False, bounded) | {"noise": noisy}
    if turn == 8:
        kinds = recorded_steps.BEFORE[k // 8 % 4]
        value["pre"] = recorded_steps.steps(rng, kinds, near)
        if kinds[0] != "clamp" and noisy["kind"].startswith("discrete"):
            noisy["step"] = "1"
        return value
    shapes = [kinds for kinds in recorded_steps.CHAINS if "modulo" not in kinds]
    kinds = recorded_steps.fitted(shapes[k % len(shapes)], noisy["kind"])
    value["post"] = recorded_steps.steps(rng, kinds, near)
    return value


def _row(rng: Random, names: list[str], zeros: float = 0.1) -> dict[str, str]:
    weights = [0 if rng.random() < zeros else rng.randint(1, 5) for _ in names]
    weights[rng.randrange(len(names))] += not any(weights)
    whole = sum(weights)
    return {name: str(Fraction(w, whole)) for name, w in zip(names, weights, strict=True) if w}


def _by_time(rng: Random, names: list[str], length: int) -> list[Json]:
    """A table of transitions for each step."""
    return [{name: _row(rng, names) for name in names} for _ in range(length - 1)]


def chain(rng: Random, k: int) -> Json:
    """Two or three states; transitions of one table, or of one for each time."""
    names = ["low", "mid", "high"][: 2 + k % 11 // 8]
    length = 2 + k // 5 % 5
    one = {name: _row(rng, names) for name in names}
    stated: Json = {
        "states": dict(zip(names, rng.choice(VALUES), strict=False)),
        "start": _row(rng, names),
        "transition": one,
        "length": length,
        **_released(rng, k, length, names),
    }
    if k % 3 == 1:
        stated["transition"] = _by_time(rng, names, length)
    elif k % 6 == 2:
        stated["start"] = "stationary"
        stated["transition"] = {name: _row(rng, names, zeros=0) for name in names}
    if k % 7 == 3:
        stated["at"] = sorted(rng.sample(range(1, length + 1), rng.randint(1, length)))
    noisy = _noise(rng, k, stated, length)
    return _asked(rng, k, noisy, stepped=True) | {"chain": stated}


def long_chain(rng: Random, k: int) -> Json:
    """Ten to sixty records of two states, stationary, of which few are secret."""
    length = (10, 20, 30, 60)[k % 4]
    stay, leave = (Fraction(rng.choice(SURE[:4])) for _ in "ab")
    stated: Json = {
        "states": {"dry": 0, "wet": 1},
        "start": "stationary",
        "transition": {
            "dry": {"dry": str(stay), "wet": str(1 - stay)},
            "wet": {"dry": str(leave), "wet": str(1 - leave)},
        },
        "length": length,
        "release": ("count", "sum", "mean")[k % 3],
        "at": sorted(rng.sample(range(1, length + 1), 2)),
    }
    if stated["release"] == "count":
        stated["count"] = "wet"
    noisy = recorded_steps.noise(rng, NOISES[k % 3], least=8)
    if "step" in noisy:
        noisy["step"] = str(Fraction(1, length))
    return _asked(rng, k, noisy, stepped=False) | {"form": "events", "chain": stated}


def swept(rng: Random, k: int) -> Json:
    """Masses of thousands of digits: laws that are enclosed in one sweep, as of long chains."""
    p, q = (f"{rng.choice(SURE[1:4])}-1e-{rng.randint(3_900, 4_000)}" for _ in "pq")
    stated: Json = {
        "states": {"dry": 0, "wet": 1},
        "start": {"dry": "1/2", "wet": "1/2"},
        "transition": {
            "dry": {"dry": p, "wet": f"1-({p})"},
            "wet": {"dry": q, "wet": f"1-({q})"},
        },
        "length": 150,
        "release": ("count", "sum")[k % 2],
    }
    if k % 2 == 0:
        stated["count"] = "wet"
    return {
        "schema": "pfverify/problem/1",
        "epsilon": rng.choice(("1/2", "1")),
        "delta": ("0", "1/100", "0", "1/10")[k % 4],
        "noise": {"kind": "laplace", "scale": rng.choice(("1/2", "1", "3"))},
        "chain": stated,
    }


def hidden(rng: Random, k: int) -> Json:
    """What is seen of two states, and what is secret: the state, or what is seen."""
    names, length = ["ill", "well"], 2 + k // 3 % 4
    seen = ["0", "1", "3/2"][: 2 + k % 3 // 2]
    stated: Json = {
        "states": names,
        "start": "stationary" if k % 7 == 3 else _row(rng, names),
        "transition": {name: _row(rng, names, zeros=0 if k % 7 == 3 else 0.2) for name in names},
        "length": length,
        "observation": {name: _row(rng, seen) for name in names},
        **_released(rng, k, length, ["0"]),
    }
    if "count" in stated:
        shown = sorted({value for law in stated["observation"].values() for value in law})
        stated["count"] = [shown[-1]]
    if k % 2:
        stated["about"] = ("state", "observation")[k // 2 % 2]
    if k % 5 == 2 and stated["start"] != "stationary":
        stated["transition"] = _by_time(rng, names, length)
    noisy = _noise(rng, k, stated, length)
    return _asked(rng, k, noisy, stepped=True) | {"hmm": stated}


PARENTS: tuple[dict[str, list[str]], ...] = (
    {},
    {"b": ["a"]},
    {"b": ["a"], "c": ["a", "b"]},
    {"c": ["a", "b"], "d": ["c"]},
)


def network(rng: Random, k: int) -> Json:
    """A tree, a chain or a collider of two to four nodes, of two or three states."""
    count = 2 + k % 3
    names = ["a", "b", "c", "d"][:count]
    parents = PARENTS[k // 3 % len(PARENTS)]
    words = ["no", "yes", "often"]
    states = {name: words[: 2 + (k + at) % 5 // 4] for at, name in enumerate(names)}

    def table(own: list[str], above: list[str]) -> Json:
        if not above:
            return _row(rng, own, zeros=0)
        return {state: table(own, above[1:]) for state in states[above[0]]}

    stated: Json = {}
    for name in names:
        above = [one for one in parents.get(name, ()) if one in names]
        node: Json = {"table": table(states[name], above)}
        if above:
            node["parents"] = above
        values = ("1", "1", "2", "1/2", "-1")
        node["value"] = {state: rng.choice(values) for state in states[name][1:]}
        stated[name] = node
    if k % 5 == 1:
        stated["a"]["secret"] = False
    noisy = _noise(rng, k, {}, 1)
    return _asked(rng, k, noisy, stepped=True) | {"network": stated}


def beliefs(rng: Random, k: int) -> Json:
    """Several chains that an adversary may believe in: named, or on a grid."""
    if k % 4 == 3:
        stated: Json = {
            "states": {"dry": 0, "wet": 1}, "length": 3 + k % 3,
            "start": {"dry": "1/2", "wet": "1/2"},
            "transition": {"dry": {"dry": "1-p", "wet": "p"}, "wet": {"dry": "q", "wet": "1-q"}},
            "grid": {"p": ["1/10", rng.choice(("1/2", "9/10")), 2], "q": ["1/5", "4/5", 2]},
        }  # fmt: skip
        if k % 8 == 7:
            stated["start"] = "stationary"
        noisy = recorded_steps.noise(rng, NOISES[k % 3], least=6)
        return _asked(rng, k, noisy, stepped=False) | {"form": "events", "chain": stated}
    word = ("chain", "hmm", "network")[k % 4]
    value = (chain, hidden, network)[k % 4](rng, k // 4)
    first = value.pop(word)
    if word == "chain":
        names = list(first["states"])
        start = dict.fromkeys(names, f"1/{len(names)}")
        second = {**first, "transition": _by_time(rng, names, first["length"]), "start": start}
        first = {**first, "start": start}
    elif word == "hmm":
        even = dict.fromkeys(("0", "1"), "1/2")
        second = {**first, "observation": dict.fromkeys(first["states"], even)}
        for key in ("count", "weights"):
            second.pop(key, None)
        second["release"] = "sum"
        first = {**first, "about": "state"}
        second["about"] = "state"
    else:
        second = {name: node if "parents" in node else {**node, "table": _row(
            rng, list(node["table"]), zeros=0)} for name, node in first.items()}  # fmt: skip
    return value | {"beliefs": {"one": {word: first}, "two": {word: second}}}


def pieces(rng: Random, k: int) -> Json:
    """The path of a person over two or three times, seen at some or all: a joint prior of paths."""
    length = 2 + k % 2
    names = [f"t{t}" for t in range(1, length + 1)]

    def law() -> Json:
        start = recorded_channels.masses(rng, 2, 0)
        turn = [recorded_channels.masses(rng, 2, 0.1) for _ in "01"]
        rows = []
        for path in product((0, 1), repeat=length):
            chance = start[path[0]]
            for before, after in pairwise(path):
                chance *= turn[before][after]
            rows.append([*path, str(chance)])
        return {"kind": "joint", "names": names, "rows": [row for row in rows if row[-1] != "0"]}

    kind = ("laplace", "discrete-laplace", "laplace", "none")[k % 4]
    noisy: Json = {"kind": kind}
    if kind != "none":
        size = [str(Fraction(rng.randint(4, 24), 8)) for _ in names]
        noisy["scale"] = size if k % 3 else size[0]
    if kind == "discrete-laplace":
        noisy["step"] = "1"
    value = recorded_steps.target(rng, k, pointwise=False) | {"noise": noisy}
    if k % 5 == 4 and kind != "none":
        step = rng.choice(({"round": {"to": "1"}}, {"clamp": ["0", "1"]}))
        value["post"] = [{"coordinate": rng.choice(names), **step}]
    return value | {"priors": {name: law() for name in "ab"}}


def _drawn(rng: Random, kind: str) -> Json:
    if kind == "network":
        return chains.network_table(rng, 4)
    return chains.table(rng, hidden=kind == "hmm", longest=4)


def _apart(stated: Json, kind: str) -> bool:
    """Whether some record may be two things."""
    laws = chains.network_laws(stated) if kind == "network" else chains.laws(stated)
    records = [secret.rpartition(":")[0] for secret in laws]
    return len(set(records)) < len(records)


def any_chain(rng: Random, k: int) -> Json:
    """A chain, a hidden one or a network as the tests draw them: some states never come."""
    kind = ("chain", "hmm", "network")[k % 3]
    stated = _drawn(rng, kind)
    while not _apart(stated, kind):
        stated = _drawn(rng, kind)
    noisy = recorded_steps.noise(rng, NOISES[k % 3], least=4)
    if "step" in noisy:
        noisy["step"] = str(Fraction(1, 2 * stated["length"] if kind != "network" else 2))
    return _asked(rng, k, noisy, stepped=False) | {kind: stated}


def scales(rng: Random, k: int) -> Json:
    """Chains, hidden ones and networks behind noise whose scales are found at once."""
    value = (chain, hidden, network)[k % 3](rng, 8 * k + k % 2)
    value.pop("post", None)
    return value


def proved(rng: Random, k: int) -> Json:
    """Each kind of problem in turn."""
    makers = (chain, hidden, network, chain, beliefs, pieces, any_chain)
    return makers[k % len(makers)](rng, k // len(makers) + 9 * (k % len(makers)))
