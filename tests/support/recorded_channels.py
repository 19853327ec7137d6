"""Recorded problems about finite channels: every kind, notion, distance and target, and ties."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from random import Random
from typing import Any

Json = dict[str, Any]
Row = list[Fraction]
EPSILONS = ("0", "1/20", "1/3", "log(2)", "1", "log(3)", "2", "1/3+log(2)")
DELTAS = ("0", "0", "1/100", "1/8", "1/4", "1-exp(-1/4)")
TINY = ("1e-30", "1e-12", "1/10")


def names(prefix: str, count: int) -> list[str]:
    """So many names of inputs or outputs."""
    return [f"{prefix}{k}" for k in range(count)]


def masses(rng: Random, count: int, zeros: float = 0.2) -> Row:
    """Masses that sum to 1; few values make ties likely."""
    weights = [0 if rng.random() < zeros else rng.randint(1, 6) for _ in range(count)]
    weights[rng.randrange(count)] += not any(weights)
    return [Fraction(weight, sum(weights)) for weight in weights]


def _matrix_of(rng: Random, inputs: list[str], outputs: list[str]) -> Json:
    zeros = rng.choice((0, 0, 0.3))
    rows = [list(map(str, masses(rng, len(outputs), zeros))) for _ in inputs]
    return {"kind": "matrix", "inputs": inputs, "outputs": outputs, "rows": rows}


def _matrix(rng: Random) -> Json:
    table = _matrix_of(rng, names("x", rng.randint(2, 4)), names("y", rng.randint(2, 4)))
    if rng.random() < 0.2:  # entries that are no fractions
        table["rows"][0] = ["exp(-1)", "1-exp(-1)", *["0"] * (len(table["outputs"]) - 2)]
    return table


def _response(rng: Random) -> Json:
    hows = ({"truth": "2/3"}, {"truth": "1"}, {"epsilon": "1"}, {"epsilon": "log(3)"})
    inputs = names("x", rng.randint(2, 4))
    return {"kind": "randomized-response", "inputs": inputs, **rng.choice(hows)}


def _rappor(rng: Random) -> Json:
    inputs = names("x", rng.randint(2, 3))
    table: Json = {"kind": "rappor", "inputs": inputs, "flip": rng.choice(["1/2", "exp(-1)"])}
    if rng.random() < 0.4:
        table |= {"one": "3/4", "zero": rng.choice(["1/2", "1/4"])}
    if rng.random() < 0.3:
        table["codes"] = {name: format(k + 1, "03b") for k, name in enumerate(inputs)}
    return table


def _geometric(rng: Random) -> Json:
    hows = ({"ratio": "1/2"}, {"ratio": "sqrt(2)/2"}, {"epsilon": "1/2"}, {"epsilon": "log(2)"})
    return {"kind": "truncated-geometric", "size": rng.randint(2, 4), **rng.choice(hows)}


def _exponential(rng: Random) -> Json:
    inputs, outputs = names("x", rng.randint(2, 3)), names("y", rng.randint(2, 3))
    scores = [[rng.choice(["0", "1", "2", "1/2", "-1"]) for _ in outputs] for _ in inputs]
    scores[0][0], scores[1][0] = "0", "3"
    table: Json = {"kind": "exponential", "inputs": inputs, "outputs": outputs, "scores": scores}
    table["epsilon"] = rng.choice(["1", "log(2)", "2*log(3)", "1/3"])
    return table | ({"sensitivity": "4"} if rng.random() < 0.3 else {})


def _planar(rng: Random) -> Json:
    places = rng.sample([(a, b) for a in range(3) for b in range(3)], rng.randint(2, 3))
    points = {f"x{k}": [str(a), str(b)] for k, (a, b) in enumerate(places)}
    table: Json = {"kind": "planar", "points": points, "epsilon": rng.choice(["1/2", "log(2)"])}
    if rng.random() < 0.3:
        table["grid"] = {"y0": ["0", "0"], "y1": ["3", "4"]}
    return table


def _same_input(rng: Random, kind: str) -> Json:
    inputs = names("x", rng.randint(2, 3))
    first = _matrix_of(rng, inputs, names("y", 2))
    second = rng.choice([
        _matrix_of(rng, inputs, names("y", 3)),
        {"kind": "randomized-response", "inputs": inputs, "truth": "3/4"},
        {"kind": "randomized-response", "inputs": inputs, "epsilon": "1/2"},
    ])  # fmt: skip
    return {"kind": kind, "parts": [first, second]}


def _composition(rng: Random) -> Json:
    return _same_input(rng, "composition")


def _mixture(rng: Random) -> Json:
    weights = rng.choice([["1/3", "2/3"], ["exp(-1)", "1-exp(-1)"], ["1", "0"]])
    return _same_input(rng, "mixture") | {"weights": weights}


def _product(rng: Random) -> Json:
    parts = [_matrix_of(rng, names(part, 2), names("y", 2)) for part in "ab"]
    if rng.random() < 0.3:
        parts[1] = {"kind": "randomized-response", "inputs": names("b", 2), "epsilon": "1"}
    return {"kind": "product", "parts": parts}


def _cascade(rng: Random) -> Json:
    first = _matrix_of(rng, names("x", rng.randint(2, 3)), middle := names("m", rng.randint(2, 3)))
    last = _matrix_of(rng, middle, names("y", 2))
    if rng.random() < 0.3:
        last = {"kind": "randomized-response", "inputs": middle, "epsilon": "log(2)"}
    return {"kind": "cascade", "parts": [first, last]}


MAKERS = {
    "matrix": _matrix,
    "randomized-response": _response,
    "rappor": _rappor,
    "truncated-geometric": _geometric,
    "exponential": _exponential,
    "planar": _planar,
    "composition": _composition,
    "product": _product,
    "cascade": _cascade,
    "mixture": _mixture,
}
KINDS = tuple(MAKERS)


def inputs_of(table: Json) -> list[str]:
    """The inputs of a channel's table, in order."""
    match table["kind"]:
        case "truncated-geometric":
            return [str(k) for k in range(table["size"])]
        case "planar":
            return list(table["points"])
        case "product":
            return [",".join(both) for both in product(*map(inputs_of, table["parts"]))]
        case "composition" | "cascade" | "mixture":
            return inputs_of(table["parts"][0])
        case "tupling":
            return inputs_of(table["base"])
        case _:
            return list(table["inputs"])


def _rows(table: Json) -> list[Row] | None:
    """The rows, where a few lines and fractions tell them."""
    try:
        match table["kind"]:
            case "matrix":
                return [[Fraction(entry) for entry in row] for row in table["rows"]]
            case "randomized-response":
                count, truth = len(table["inputs"]), Fraction(table["truth"])
                other = (1 - truth) / (count - 1)
                return [[truth if i == j else other for j in range(count)] for i in range(count)]
            case "product" | "composition":
                parts = [_rows(part) for part in table["parts"]]
                chosen = product if table["kind"] == "product" else zip
                return [
                    [prod(entries) for entries in product(*rows)]
                    for rows in chosen(*(part for part in parts if part is not None))
                ] if None not in parts else None  # fmt: skip
            case _:
                return None
    except (KeyError, ValueError):  # no fractions
        return None


def _released(table: Json, law: dict[str, str]) -> Row | None:
    rows = _rows(table)
    if rows is None:
        return None
    weights = [Fraction(law.get(name, 0)) for name in inputs_of(table)]
    return [sum(w * row[y] for w, row in zip(weights, rows, strict=True)) + Fraction(0)
            for y in range(len(rows[0]))]  # fmt: skip


def _laws(table: Json, value: Json) -> list[Row]:
    """The released law of every secret; none where the rows are no fractions."""
    found = [_released(table, prior["mass"]) for prior in value["priors"].values()]
    return [law for law in found if law is not None]


def _on_the_edge(rng: Random, value: Json, laws: list[Row]) -> None:
    """Put the target where a pair meets it with equality, or a little below."""
    orders = [both for pair in combinations(laws, 2) for both in (pair, pair[::-1])]
    tuples = value["channel"]["kind"] == "tupling"  # whose largest ratio is the base's
    if not orders:
        return
    if tuples or rng.random() < 0.5:
        ratios = [p / q if q else None for both in orders for p, q in zip(*both, strict=True) if p]
        if None in ratios:
            return
        key, target = "epsilon", f"log({max(ratio for ratio in ratios if ratio is not None)})"
        value["delta"] = "0"
    else:
        factor = rng.choice([1, 2, Fraction(3, 2)])
        gaps = [[p - factor * q for p, q in zip(*both, strict=True)] for both in orders]
        pointwise = value["form"] == "pointwise"
        each = [max(found) if pointwise else sum(gap for gap in found if gap > 0)
                for found in gaps]  # fmt: skip
        value["epsilon"], key, target = f"log({factor})", "delta", str(max(0, *each))
    value[key] = target if rng.random() < 0.6 else f"({target})*(1-{rng.choice(TINY)})"


def _finite(rng: Random, inputs: list[str]) -> Json:
    law = masses(rng, len(inputs), rng.choice((0.2, 0.2, 0.9)))
    return {"kind": "finite", "mass": dict(zip(inputs, map(str, law), strict=True))}


def _target(rng: Random, table: Json) -> Json:
    return {
        "schema": "pfverify/problem/1",
        "epsilon": rng.choice(EPSILONS),
        "delta": rng.choice(DELTAS),
        "form": "pointwise" if rng.random() < 0.3 else "events",
        "channel": table,
    }


def channel(rng: Random, k: int) -> Json:
    """Priors over the inputs of each kind of channel in turn; every third target is on the edge."""
    table = MAKERS[KINDS[k % len(KINDS)]](rng)
    value, inputs = _target(rng, table), inputs_of(table)
    value["priors"] = {name: _finite(rng, inputs) for name in "abc"[: rng.choice((2, 2, 3))]}
    turn = k // len(KINDS) % 6
    if turn % 3 == 0:
        _on_the_edge(rng, value, _laws(table, value))
    elif turn == 4:
        del value["priors"]
        value["beliefs"] = {
            name: {"priors": {secret: _finite(rng, inputs) for secret in "ab"}}
            for name in ("one", "two")
        }
    elif turn == 5 and "c" in value["priors"]:
        value["pairs"] = [["c", "a"]]
    return value


def _budget(table: Json) -> str:
    """What randomized response and geometric noise meet with equality."""
    return str(table.get("epsilon", "log(2)"))


def inputs(rng: Random, k: int) -> Json:
    """Single inputs, each kind of channel in turn: the notions dp and xdp."""
    table = MAKERS[KINDS[k % len(KINDS)]](rng)
    value, known = _target(rng, table), inputs_of(table)
    if rng.random() < 0.4:
        value["epsilon"], value["delta"] = _budget(table), "0"
    turn = k // len(KINDS)
    if turn % 2 == 0:
        table |= rng.choice([{}, {"notion": "dp"}, {"notion": "dp", "inputs_related": "all"}])
        if turn % 4 == 2:
            table["inputs_related"] = list(map(list, pairwise(known)))
        return value
    table["notion"] = "xdp"
    _put_distances(rng, table, known)
    if turn % 4 == 3:
        table["inputs_related"] = [known[:2]]
    return value


def _put_distances(rng: Random, table: Json, known: list[str]) -> None:
    """Distances of inputs in one of the ways to say them; none, where the channel has them."""
    if table["kind"] in ("planar", "truncated-geometric"):
        if rng.random() < 0.5:
            table["distance"] = {"planar": "manhattan"}.get(table["kind"], "numbers")
    elif rng.random() < 0.5:
        table["points"] = {name: [str(rng.randint(0, 2)), str(k)] for k, name in enumerate(known)}
        table["distance"] = rng.choice(["euclidean", "manhattan"])
    else:
        far = [[*both, str(Fraction(k + 2, 2))] for k, both in enumerate(combinations(known, 2))]
        table["distance"] = far


def priors_apart(rng: Random, k: int) -> Json:
    """The notion xdistp of a channel: epsilon per unit of W-infinity, or by a table of secrets."""
    value = channel(rng, 6 * len(KINDS) * (k // len(KINDS)) + k % len(KINDS))
    table = value["channel"]
    table["notion"] = "xdistp"
    if k // len(KINDS) % 3 == 2:
        pairs = combinations(value["priors"], 2)
        table["metric"] = [[*both, rng.choice(["1/2", "2", "log(2)", "0"])] for both in pairs]
    else:
        _put_distances(rng, table, inputs_of(table))
    return value


def tupling(rng: Random, k: int) -> Json:
    """Dummies around a small channel, of priors or of single inputs."""
    base = [_matrix, _response, _geometric, _exponential][k % 4](rng)
    table: Json = {"kind": "tupling", "base": base, "dummies": rng.choice((1, 2, 3, 5, 9))}
    if k % 3 == 1:
        table["dummy"] = "uniform"
    elif k % 3 == 2 and "outputs" in base:
        law = masses(rng, len(base["outputs"]), 0.1)
        table["dummy"] = dict(zip(base["outputs"], map(str, law), strict=True))
    value = _target(rng, table)
    value["epsilon"] = rng.choice(["0", "1/20", "1/3", "1/2", "log(2)"])
    value["delta"] = rng.choice(["0", "1/100", "1/20", "1/8", "1/4"])
    value["form"] = "pointwise" if k % 17 == 16 else "events"
    if k % 5 == 4:
        table["notion"] = "dp"
        return value
    value["priors"] = {name: _finite(rng, inputs_of(table)) for name in "ab"}
    if k % 2 == 0:
        _on_the_edge(rng, value, _laws(base, value))
    return value


def refused(rng: Random, k: int) -> Json:
    """One thing wrong with a channel, a notion or a distance: one line on standard error."""
    value = channel(rng, 6 * len(KINDS) * (k // 12))  # a matrix
    table, prior = value["channel"], value["priors"]["a"]
    kind = k % 12
    if kind == 0:
        table["kind"] = rng.choice(["matrx", "laplace", 1, ""])
    elif kind == 1:
        table["rows"][0][0] = rng.choice(["-1/2", "3", "nan", "1+1e-40"])
    elif kind == 2:
        del table[rng.choice(["inputs", "outputs", "rows", "kind"])]
    elif kind == 3:
        prior["mass"] = {"x0": "1/2", "x9": "1/2"}
    elif kind == 4:
        table["notion"] = rng.choice(["ldp", "dp", "xdp", 1])
    elif kind == 5:
        table["inputs_related"] = [["x0", "x1"]]
    elif kind == 6:
        table |= {"notion": "xdistp", "metric": rng.choice(["distance", [["a", "q", "1"]], []])}
    elif kind == 7:
        value["noise"] = {"kind": "laplace", "scale": 1}
    elif kind == 8:
        prior.update(kind="discrete", mass={"0": "1/2", "1": "1/2"})
    elif kind == 9:
        value["channel"] = {"kind": rng.choice(["composition", "cascade"]), "parts": []}
    elif kind == 10:
        value["channel"] = {"kind": "tupling", "base": table, "dummies": rng.choice([0, -1, "2"])}
    else:
        value["channel"] = {"kind": "mixture", "parts": [table, table], "weights": ["1/2", "1/3"]}
    return value
