"""Random small problems of every kind, as the tables of their files: for laws that hold of all.

A maker for each thing that a file may state; what cannot go together is refused by the reader, and
the caller draws again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from contract import channel_cases, contract_cases

from pfverify import Problem
from pfverify.errors import InputError
from pfverify.model.priors.joint import Joint
from support import chains, recorded_channels, recorded_problems, recorded_systems, steps_cases

Json = dict[str, Any]
EPSILONS = ("0", "1/20", "1/2", "1", "log(3)", "2", "5")
DELTAS = ("0", "0", "1/1000", "1/20", "1/3")
_PLACES = [Fraction(k, 2) for k in range(5)]


def target(rng: Random) -> Json:
    """A budget, and mostly events."""
    form = "pointwise" if rng.random() < 0.15 else "events"
    return {
        "schema": "pfverify/problem/1", "epsilon": rng.choice(EPSILONS),
        "delta": "0" if form == "pointwise" else rng.choice(DELTAS), "form": form,
    }  # fmt: skip


def _noise(rng: Random) -> Json:
    scale = str(Fraction(rng.randint(2, 24), 5))
    return rng.choice([
        {"kind": "laplace", "scale": scale},
        {"kind": "laplace", "scale": scale},
        {"kind": "discrete-laplace", "scale": scale, "step": "1/2"},
        {"kind": "gaussian", "scale": scale},
        {"kind": "discrete-gaussian", "scale": scale, "step": "1/2"},
        {"kind": "truncated-laplace", "scale": scale, "bound": "3/2"},
        {"kind": "truncated-discrete-laplace", "scale": scale, "step": "1/2", "bound": "3/2"},
        {"kind": "geometric", "p": "1/3", "step": "1/2"},
        {"kind": "bounded-laplace", "scale": scale, "low": "-1", "high": "5/2"},
        {"kind": "geometric", "p": "1/3", "step": "1/2", "bound": 2},
        {"kind": "table", "weights": {"-1": "1/5", "0": "3/5", "1": "1/5"}},
        {"kind": "none"},
    ])  # fmt: skip


def _given(rng: Random) -> Json:
    """Two priors of any kind behind noise of any kind, released in any way."""
    noise = contract_cases.NOISE_MAKERS[rng.choice([*contract_cases.NOISE_MAKERS])]
    makers = [
        make for kind, make in contract_cases.PRIOR_MAKERS.items() if (kind is Joint) == (
            noise is contract_cases.NOISE_MAKERS[contract_cases.Coordinates])
    ]  # fmt: skip
    priors = {name: rng.choice(makers)(rng) for name in "ab"}
    released = noise(Fraction(rng.randint(2, 24), 5))
    return Problem(priors=priors, noise=released, epsilon=1).to_table() | target(rng)  # type: ignore[arg-type]


def _recorded(rng: Random) -> Json:
    """Beliefs, systems, metrics, ties and channels as they are recorded."""
    (family,) = (one for one in recorded_problems.FAMILIES if one.name == "certificate")
    return family.make(rng, rng.randrange(family.count))


def _stepped(rng: Random) -> Json:
    """Steps before the noise, or behind it."""
    table = steps_cases.case(rng, rng.choice(steps_cases.NOISES), rng.random() < 0.5).table
    if rng.random() < 0.2 and not any("threshold" in one for one in table["post"]):
        table["pre"] = table.pop("post")
    return table | target(rng)


def _correlated(rng: Random) -> Json:
    """A chain, a hidden one or a network."""
    kind = rng.choice(("chain", "hmm", "network"))
    stated = (
        chains.network_table(rng, 4) if kind == "network"
        else chains.table(rng, hidden=kind == "hmm", longest=4)
    )  # fmt: skip
    return {kind: stated, "noise": _noise(rng)} | target(rng) | _more(rng)


def _more(rng: Random) -> Json:
    """Steps on a few places, or none."""
    if rng.random() < 0.6:
        return {}
    where = rng.choice(("pre", "post", "post"))
    kinds = ("clamp", "round", "floor" if where == "pre" else "threshold")
    return {where: [steps_cases.step(rng, rng.choice(kinds), _PLACES)]}


def _law(rng: Random, count: int) -> dict[str, str]:
    places = sorted(rng.sample(_PLACES, count))
    return dict(zip(map(str, places), map(str, recorded_channels.masses(rng, count)), strict=True))


def _family(rng: Random) -> Json:
    """All laws near one, or between bounds, of a region or of a list."""
    size, radius = rng.randint(1, 2), rng.choice(("0", "1/20", "1/4", "1/2"))
    atoms = [str(x) for x in sorted(rng.sample(_PLACES, size + 1))]
    return rng.choice([
        {"kind": "intervals", "mass": {x: [0, rng.choice(("1/2", "2/3", 1))] for x in atoms}},
        {"kind": "confidence", "counts": {x: rng.randint(1, 40) for x in atoms},
         "level": "0.95"},
        {"kind": "tv-ball", "mass": _law(rng, size), "radius": radius},
        {"kind": "winf-ball", "mass": _law(rng, size), "radius": radius},
        {"kind": "winf-ball", "mass": _law(rng, size), "radius": radius,
         "alphabet": [str(x) for x in _PLACES]},
        {"kind": "polytope", "alphabet": atoms,
         "constraints": [{"weights": {atoms[0]: 1}, "at-most": "1/2"},
                         {"weights": {atoms[-1]: 2, atoms[0]: 1}, "at-least": "1/10"}]},
        {"kind": "any-of", "laws": [_law(rng, size), _law(rng, size)]},
    ])  # fmt: skip


def _families(rng: Random) -> Json:
    """A family against another, or against one law."""
    other = rng.choice((_family(rng), {"kind": "discrete", "mass": _law(rng, 2)}))
    noise = _noise(rng) | rng.choice(({}, {}, {}, {"releases": 2}))
    return {"priors": {"a": _family(rng), "b": other}, "noise": noise} | target(rng) | _more(rng)


def _histogram(rng: Random) -> Json:
    """How many of some people are in each of two or three cells."""
    cells = ["x", "y", "z"][: rng.randint(2, 3)]

    def law() -> Json:
        masses = map(str, recorded_channels.masses(rng, len(cells)))
        return {"mass": dict(zip(cells, masses, strict=True))}

    system = {
        "release": "histogram", "categories": cells,
        "others": [law() | {"count": rng.randint(1, 5)} for _ in range(rng.randint(0, 2))],
        "user": {cell: {"point": cell} for cell in cells[: rng.randint(2, 3)]},
    }  # fmt: skip
    if rng.random() < 0.3:
        system = {**system, "rest": "any", "others": []}
    if rng.random() < 0.3:
        system["user"] = {"p": law(), "q": law()}
    return {"system": system, "noise": _noise(rng)} | target(rng) | _more(rng)


def _numbers(rng: Random) -> Json:
    """A sum, a mean and a count together; or a sum of others of whom nothing is known."""
    rest = rng.choice(("known", "any"))
    system: Json = {"user": {"v0": {"point": 0}, "v1": {"point": rng.randint(1, 3)}}}
    if rest == "any":
        system["rest"] = rest
    else:
        system |= {"release": rng.choice((["sum", "count"], ["sum", "mean"], "mean")), "others": [
            {"bernoulli": "1/3", "count": rng.randint(1, 4)}, {"mass": _law(rng, 2)}]}  # fmt: skip
    return {"system": system, "noise": _noise(rng)} | target(rng) | _more(rng)


def _system(rng: Random) -> Json:
    """A sum of users, with steps."""
    return recorded_systems.system(rng, rng.randrange(200)) | _more(rng)


def _channel(rng: Random) -> Json:
    """A finite channel of any kind, against priors or inputs."""
    table = channel_cases.problem(rng, rng.choice(channel_cases.KINDS)).to_table()
    if rng.random() < 0.3:
        del table["priors"]
        table["channel"]["notion"] = "dp"
    return table


def cut(n: int, target: Json) -> Json:
    """Discrete Laplace noise of scale 1, cut at -n and n, on 0 and 1: quotients of one sum."""
    whole = "+".join(f"exp(-{abs(k)})" for k in range(-n, n + 1))
    rows = [
        [f"exp(-{abs(k - x)})/({whole})" if abs(k - x) <= n else "0" for k in range(-n, n + 2)]
        for x in (0, 1)
    ]
    outputs = [str(k) for k in range(-n, n + 2)]
    channel = {"kind": "matrix", "inputs": ["0", "1"], "outputs": outputs, "rows": rows}
    return {**target, "channel": channel}


def _cut(rng: Random) -> Json:
    return cut(rng.randint(1, 8), target(rng))


MAKERS: dict[str, Callable[[Random], Json]] = {
    "given": _given,
    "recorded": _recorded,
    "stepped": _stepped,
    "correlated": _correlated,
    "families": _families,
    "histogram": _histogram,
    "numbers": _numbers,
    "system": _system,
    "channel": _channel,
    "cut": _cut,
}


def some_table(rng: Random, kind: str) -> Json:
    """The table of a problem of a kind that the reader takes."""
    while True:
        try:
            table = json.loads(json.dumps(MAKERS[kind](rng), default=str))
            Problem.from_table(table)
        except InputError:
            continue
        return table
