"""Random small problems of every kind, as the tables of their files: for laws that hold of all.

A maker for each thing that a file may state; what cannot go together is refused by the reader, and
the caller draws again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from contract import channel_cases, contract_cases

from pfverify import Discrete, Gaussian, Mixture, Problem
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


CHOSEN = ("laplace", "discrete-laplace", "gaussian", "exponential", "gumbel")
"""Kinds of noise that a name may be chosen behind."""


def _choice_noise(rng: Random, size: int) -> Json:
    kind, amounts = rng.choice(CHOSEN), ("1/2", "1", "3/2", "3")
    one = rng.choice(amounts)
    several = rng.random() < 0.25 and kind != "gumbel"
    scale = [rng.choice(amounts) for _ in range(size)] if several else one
    return {"kind": kind, "scale": scale, **({"step": "1"} if kind == "discrete-laplace" else {})}


def _choice(rng: Random, noise: Json, size: int) -> Json:
    """One step that publishes names: of the largest, or of the first beyond a threshold."""
    if rng.random() < 0.5:
        most = size if noise["kind"] == "gumbel" else 2
        step = {"select": rng.choice(("argmax", "argmin"))}
        step |= rng.choice(({}, {"ties": rng.choice(("first", "last", "random"))}))
        return step | rng.choice(({}, {"top": rng.randint(1, most)}))
    limit: Json = {"threshold": rng.randint(0, 3)}
    limit |= rng.choice(({}, {"scale": rng.choice(("1/2", "1", "2"))}))
    if "scale" in limit and rng.random() < 0.3:
        limit["kind"] = rng.choice(CHOSEN)
    limit |= rng.choice(({}, {"count": rng.randint(1, 2), "redraw": rng.random() < 0.5}))
    return {rng.choice(("first-above", "first-below")): limit}


def _choices(rng: Random) -> Json:
    """A name, chosen among noisy numbers of a law, or of a list for each secret."""
    size = rng.randint(2, 4)
    names, noise = [f"n{k}" for k in range(size)], _choice_noise(rng, size)
    step = _choice(rng, noise, size)
    if "select" not in step and rng.random() < 0.15:
        noise = {"kind": "none"}  # the threshold alone has noise

    def numbers() -> list[int]:
        return [rng.randint(0, 3) for _ in names]

    made = {"noise": noise, "post": [step]} | target(rng)
    if rng.random() < 0.4:
        return {"lists": {"names": names, "rows": {name: numbers() for name in "abc"}}} | made
    priors = {}
    for name in "ab":
        masses = map(str, recorded_channels.masses(rng, rng.randint(1, 3)))
        rows = {tuple(numbers()): mass for mass in masses}
        if len(rows) == 1:
            rows = dict.fromkeys(rows, "1")
        priors[name] = {"kind": "joint", "names": names, "rows": [[*x, m] for x, m in rows.items()]}
    return {"priors": priors} | made


def _vectors(rng: Random) -> Json:
    """Several noisy numbers, with steps for each of them by its name."""
    step = rng.choice(("clamp", "round", "threshold", "bins"))
    post = [{"coordinate": "x"} | steps_cases.step(rng, step, _PLACES)]
    pre = [steps_cases.step(rng, "clamp", _PLACES)]
    scale = str(Fraction(rng.randint(2, 24), 5))
    noise = rng.choice([
        {"kind": "laplace", "scale": [scale, "2"]},
        {"kind": "discrete-laplace", "scale": scale, "step": "1/2"},
        {"kind": "gaussian", "scale": scale},
    ])  # fmt: skip
    priors = {name: contract_cases.PRIOR_MAKERS[Joint](rng).to_table() for name in "ab"}
    more = rng.choice(({}, {"post": post}, {"pre": pre}))
    return {"priors": priors, "noise": noise} | more | target(rng)


def _table_noise(rng: Random) -> Json:
    """Noise from a table: one for every number, or one for each."""
    def weights() -> dict[str, str]:
        moves = sorted(rng.sample(range(-2, 3), rng.randint(1, 4)))
        masses = recorded_channels.masses(rng, len(moves))
        return dict(zip(map(str, moves), map(str, masses), strict=True))

    if rng.random() < 0.3:
        ends = ["1/4", "1/2", "1"] if rng.random() < 0.5 else [0, 1, 2, 3]
        lines = [[x, end, rng.randint(-1, 1)] for x in range(3) for end in ends]
        return {"kind": "table", "lines": lines}
    if rng.random() < 0.4:
        return {"kind": "table", "weights": weights()}
    if rng.random() < 0.5:
        return {"kind": "table", "by": {str(x): weights() for x in range(4)}}
    return {"kind": "table", "by": {"0": weights(), "1": weights()}, "larger": weights()}


def _whole_law(rng: Random) -> Json:
    places = sorted(rng.sample(range(4), rng.randint(1, 3)))
    masses = recorded_channels.masses(rng, len(places))
    mass = dict(zip(map(str, places), map(str, masses), strict=True))
    return {"kind": "discrete", "mass": mass}


def _cells(rng: Random) -> Json:
    """A law of the counts of two cells."""
    counts = rng.sample([(x, y) for x in range(4) for y in range(4)], rng.randint(1, 3))
    masses = map(str, recorded_channels.masses(rng, len(counts)))
    rows = [[*count, mass] for count, mass in zip(counts, masses, strict=True)]
    return {"kind": "joint", "names": ["x", "y"], "rows": rows}


def _tables(rng: Random) -> Json:
    """Atoms with noise from a table, one number or two, once or more; with steps or without."""
    made: Json = {"noise": _table_noise(rng), "priors": {name: _whole_law(rng) for name in "ab"}}
    if rng.random() < 0.2:
        made["noise"] |= {"releases": rng.randint(2, 3), "draws": rng.choice(("same", "fresh"))}
        if made["noise"]["draws"] == "same" and rng.random() < 0.4:
            made["priors"] = {name: _cells(rng) for name in "ab"}
        return made | target(rng) | {"form": "events"}
    if rng.random() < 0.25:
        made["priors"] = {name: _cells(rng) for name in "ab"}
        return made | target(rng)
    if rng.random() < 0.4:
        kinds = ("clamp", "round", "floor", "threshold", "bins")
        made["post"] = [steps_cases.step(rng, rng.choice(kinds), _PLACES)]
    elif rng.random() < 0.3:
        at = rng.choice(("lower", "middle", "upper"))
        made["pre"] = [{"bins": {"edges": [0, 1, 4], "at": at}}]
    return made | target(rng)


def _large(rng: Random) -> Json:
    """A channel that is decided by its symmetry: too many inputs to be written out."""
    names = [f"x{k}" for k in range(rng.randint(101, 400))]
    channel = rng.choice([
        {"kind": "randomized-response", "inputs": names, "epsilon": rng.choice(EPSILONS[1:])},
        {"kind": "randomized-response", "inputs": names, "truth": "1/2"},
        {"kind": "rappor", "inputs": names[:60], "flip": rng.choice(("1/4", "1/2", "3/4"))},
        {"kind": "rappor", "inputs": names[:30], "flip": "1/2", "one": "3/4", "zero": "1/2"},
    ])  # fmt: skip
    return {"channel": channel} | target(rng)


def _part(rng: Random) -> Json:
    """One of several releases about a and b."""
    laws = {name: _whole_law(rng) for name in "ab"}
    scale = str(Fraction(rng.randint(5, 24), 5))
    noise = rng.choice([
        {"kind": "laplace", "scale": scale},
        {"kind": "discrete-laplace", "scale": scale, "step": "1"},
        {"kind": "gaussian", "scale": scale},
        {"kind": "discrete-gaussian", "variance": "9/4", "step": "1"},
        {"kind": "laplace", "scale": scale, "releases": 2, "draws": "fresh"},
        _table_noise(rng),
    ])  # fmt: skip
    if rng.random() < 0.25:
        channel = channel_cases.MAKERS[rng.choice(("matrix", "randomized-response"))](rng)
        inputs = channel["inputs"]
        finite = {
            name: {"kind": "finite", "mass": dict(zip(inputs, map(str, recorded_channels.masses(
                rng, len(inputs))), strict=True))} for name in "ab"
        }  # fmt: skip
        return {"channel": channel, "priors": finite}
    more = {}
    if rng.random() < 0.3 and "releases" not in noise:
        step = rng.choice(("clamp", "round", "threshold"))
        more = {"post": [steps_cases.step(rng, step, _PLACES)]}
    return {"noise": noise, "priors": laws, **more}


def _parts(rng: Random) -> Json:
    """Several releases, each of a draw of its own, some of them more than once."""
    parts = [_part(rng) | rng.choice(({}, {"times": 2})) for _ in range(rng.randint(1, 3))]
    return {"parts": parts} | target(rng) | {"form": "events"}


def _metrics(rng: Random) -> Json:
    """An epsilon for each unit of distance, or some pairs of inputs alone."""
    if rng.random() < 0.4:
        channel = rng.choice([
            {"kind": "planar", "points": {"a": [0, 0], "b": [1, 0]}, "epsilon": "1/2",
             "grid": {"y": [0, 0], "z": [0, 1], "w": [2, 2]}},
            {"kind": "exponential", "inputs": ["a", "b"], "outputs": ["y", "z"],
             "scores": [[0, 1], [1, 0]], "epsilon": "1", "sensitivity": "2"},
            {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["y", "z"],
             "rows": [[1, 2], [3, 1]], "normalise": True},
            {"kind": "composition", "copies": rng.randint(2, 4), "parts": [
                channel_cases.matrix(rng, ["a", "b"], ["y", "z"])]},
            {"kind": "rappor", "inputs": ["a", "b"], "flip": "1/2", "one": "3/4", "zero": "1/2",
             "reports": 2},
        ])  # fmt: skip
        return {"channel": {**channel, "notion": "dp"}} | target(rng)
    if rng.random() < 0.4:
        priors = {name: _whole_law(rng) for name in "ab"}
        metric = rng.choice(("winf", [["a", "b", "3/2"]]))
        return {"priors": priors, "noise": _noise(rng), "notion": "xdistp", "metric": metric,
                } | target(rng)  # fmt: skip
    channel = channel_cases.MAKERS[rng.choice(("matrix", "rappor", "exponential"))](rng)
    first, second = channel["inputs"][:2]
    said = rng.choice([
        {"notion": "dp", "inputs_related": [[first, second]]},
        {"notion": "xdp", "metric": [[first, second, "2"]], "inputs_related": [[first, second]]},
        {"notion": "xdp", "points": {name: [k] for k, name in enumerate(channel["inputs"])}},
        {"notion": "xdp", "distance": [[a, b, 1] for k, a in enumerate(channel["inputs"])
                                       for b in channel["inputs"][k + 1:]]},
    ])  # fmt: skip
    return {"channel": {**channel, **said}} | target(rng)


def _divergences(rng: Random) -> Json:
    """The form renyi."""
    order = rng.choice(("2", "3/2", "5/2", "9"))
    return _diverging(rng) | {"form": "renyi", "order": order, "delta": "0"}


def _all_orders(rng: Random) -> Json:
    """The form zcdp."""
    return _diverging(rng) | {"form": "zcdp", "delta": "0"}


def _diverging(rng: Random) -> Json:
    """Channels, and atoms with noise or without."""
    noise = {"kind": rng.choice(("laplace", "gaussian")), "scale": rng.choice(("1", "5/2"))}
    kept = {"post": [steps_cases.step(rng, rng.choice(("clamp", "threshold", "round")), _PLACES)]}
    normal = [contract_cases.PRIOR_MAKERS[kind](rng) for kind in rng.choices((
        Discrete, Gaussian, Mixture), k=2)]
    made = rng.choice([
        _channel(rng),
        {"priors": {name: law.to_table() for name, law in zip("ab", normal, strict=True)},
         "noise": rng.choice(({"kind": "gaussian", "scale": "3/2"}, {"kind": "none"}))},
        {"priors": {name: _whole_law(rng) for name in "ab"}, "noise": rng.choice([
            noise, {"kind": "discrete-laplace", "scale": "2", "step": 1}, {"kind": "none"},
        ])},
        {"priors": {name: _whole_law(rng) for name in "ab"}, **rng.choice(({}, kept)),
         "noise": rng.choice([
             noise, {"kind": "truncated-laplace", "scale": "2", "bound": 4},
             {"kind": "discrete-gaussian", "variance": "9/4", "step": 1},
         ])},
        {"priors": {name: _whole_law(rng) for name in "ab"},
         "noise": {"kind": "bounded-laplace", "scale": "2", "low": -1, "high": 4}},
    ])  # fmt: skip
    return made | target(rng)


def _outputs(rng: Random) -> Json:
    """The form renyi, of several releases of one X or of fresh ones, of vectors, and of parts."""
    kind, scale = rng.choice(("laplace", "discrete-laplace", "gaussian")), rng.choice(("1", "5/2"))
    noise = {"kind": kind} | ({"step": 1} if kind == "discrete-laplace" else {})
    listed = {**noise, "scales": [scale, "2", scale]}
    often = {**noise, "scale": scale, "releases": rng.randint(2, 4)}
    many = rng.choice((listed, often)) | {"draws": rng.choice(("same", "same", "fresh"))}
    vector = {**noise, "scale": rng.choice((scale, [scale, "2"]))}
    one = {"priors": {name: _whole_law(rng) for name in "ab"}}
    both = {"priors": {name: _cells(rng) for name in "ab"}}
    more = {**vector, "releases": 2}
    made = rng.choice([
        {**one, "noise": many}, {**both, "noise": vector}, {**both, "noise": more},
        {**one, "noise": {**noise, "total": "3/2"}},
        {"parts": [{**one, "noise": many}, {**both, "noise": vector, "times": 2}]},
    ])  # fmt: skip
    order = rng.choice(("2", "3", "3/2"))
    return made | target(rng) | {"form": "renyi", "order": order, "delta": "0"}


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
    "choices": _choices,
    "vectors": _vectors,
    "tables": _tables,
    "large": _large,
    "parts": _parts,
    "metrics": _metrics,
    "divergences": _divergences,
    "all orders": _all_orders,
    "outputs": _outputs,
}


def said(table: Json) -> Iterator[tuple[str, str]]:
    """What a table states: (where, which kind) of its noise, channels, laws, steps and notions."""
    for part in (table, *table.get("parts", ())):
        yield from ((key, "") for key in part)
        noise = part.get("noise", {})
        yield from ((f"noise {noise.get('kind')}", key) for key in noise)
        yield from _channels(part.get("channel"))
        for key in ("pre", "post"):
            yield from ((key, name) for step in part.get(key, ()) for name in step)
        for priors in (part.get("priors", {}), *part.get("beliefs", {}).values()):
            laws = priors.get("priors", priors).values()
            yield from (("prior", law["kind"]) for law in laws if isinstance(law, dict))
        yield from (("threshold of a choice", key) for step in part.get("post", ())
                    for name in ("first-above", "first-below") for key in step.get(name, ()))
    form = table.get("form", "events")
    yield "form", form if isinstance(form, str) else form["name"]
    yield "notion", table.get("notion", table.get("channel", {}).get("notion", "distp"))


def _channels(channel: Json | None) -> Iterator[tuple[str, str]]:
    if channel is not None:
        kind = channel["kind"]
        yield from ((f"channel {kind}", key) for key in channel)
        for part in (*channel.get("parts", ()), channel.get("base")):
            yield from _channels(part)


def some_table(rng: Random, kind: str) -> Json:
    """The table of a problem of a kind that the reader takes."""
    while True:
        try:
            table = json.loads(json.dumps(MAKERS[kind](rng), default=str))
            Problem.from_table(table)
        except InputError:
            continue
        return table
