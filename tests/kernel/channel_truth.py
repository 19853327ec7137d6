"""Problems about channels, decided by direct sums at 60 digits and by enumeration.

Every mechanism is written from its definition; W-infinity is found by Hall's condition over all
subsets, a tuple's law by going through all sorted tuples.  No code is shared with the kernel.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product
from math import comb
from typing import Any

import mpmath
from kernel_builder import TOLERANCE, exact, real
from mpmath import mpf

Json = dict[str, Any]
Matrix = tuple[list[str], list[str], list[list[mpf]]]


def _share(weights: list[mpf]) -> list[mpf]:
    total = mpmath.fsum(weights)
    return [w / total for w in weights]


def _length(p: list[Any], q: list[Any]) -> mpf:
    return mpmath.sqrt(sum(((real(x) - real(y)) ** 2 for x, y in zip(p, q, strict=True)), mpf(0)))


def _rappor(c: Json) -> Matrix:
    inputs, f = c["inputs"], real(c["flip"])
    unit = {x: "".join("1" if x == y else "0" for y in inputs) for x in inputs}
    codes = c.get("codes", unit)
    length = len(codes[inputs[0]])
    outputs = [format(k, f"0{length}b") for k in range(2**length)]

    def chance(bit: str, seen: str) -> mpf:
        lasting = {"1": f / 2 + (1 - f) * (bit == "1")}
        lasting["0"] = 1 - lasting["1"]
        if "one" not in c:
            return lasting[seen]
        one = {"1": real(c["one"]), "0": real(c["zero"])}
        return sum(lasting[b] * (one[b] if seen == "1" else 1 - one[b]) for b in "01")

    rows = [
        [mpmath.fprod(chance(b, s) for b, s in zip(codes[x], y, strict=True)) for y in outputs]
        for x in inputs
    ]
    return inputs, outputs, rows


def _geometric(c: Json) -> Matrix:
    m = c["size"]
    t = mpmath.exp(-real(c["epsilon"])) if "epsilon" in c else real(c["ratio"])
    names = [str(k) for k in range(m)]
    rows = [
        [t ** abs(x - y) / (1 + t) * (1 if y in (0, m - 1) else 1 - t) for y in range(m)]
        for x in range(m)
    ]
    return names, names, rows


def _exponential(c: Json) -> Matrix:
    scores = [[real(u) for u in row] for row in c["scores"]]
    spread = max(abs(a - b) for col in zip(*scores, strict=True) for a in col for b in col)
    width = real(c["sensitivity"]) if "sensitivity" in c else spread
    epsilon = real(c["epsilon"])
    rows = [_share([mpmath.exp(epsilon * u / (2 * width)) for u in row]) for row in scores]
    return c["inputs"], c["outputs"], rows


def _planar(c: Json) -> Matrix:
    grid, epsilon = c.get("grid", c["points"]), real(c["epsilon"])
    rows = [
        _share([mpmath.exp(-epsilon * _length(p, q)) for q in grid.values()])
        for p in c["points"].values()
    ]
    return list(c["points"]), list(grid), rows


def _response(c: Json) -> Matrix:
    n = len(c["inputs"])
    if "truth" in c:
        same = real(c["truth"])
    else:
        same = mpmath.exp(real(c["epsilon"])) / (mpmath.exp(real(c["epsilon"])) + n - 1)
    rows = [[same if x == y else (1 - same) / (n - 1) for y in range(n)] for x in range(n)]
    return c["inputs"], c["inputs"], rows


def _unary(c: Json) -> Matrix:
    if "one" in c:
        one, zero = real(c["one"]), real(c["zero"])
    elif c["variant"] == "symmetric":
        half = mpmath.exp(real(c["epsilon"]) / 2)
        one, zero = half / (1 + half), 1 / (1 + half)
    else:
        one, zero = mpf(1) / 2, 1 / (mpmath.exp(real(c["epsilon"])) + 1)
    inputs, outputs = c["inputs"], list(product((0, 1), repeat=len(c["inputs"])))
    rows = [
        [
            mpmath.fprod((one if x == y else zero) if told else 1 - (one if x == y else zero)
                         for y, told in zip(inputs, bits, strict=True))
            for bits in outputs
        ] for x in inputs
    ]  # fmt: skip
    return inputs, ["".join(map(str, bits)) for bits in outputs], rows


def _nearest(x: mpf, least: int) -> int:
    return max(least, int(mpmath.ceil(x - mpf(1) / 2)))


def _subsets(c: Json) -> Matrix:
    inputs, grown = c["inputs"], mpmath.exp(real(c["epsilon"]))
    k = len(inputs)
    size = c["size"] if "size" in c else _nearest(k / (grown + 1), 1)
    sets = list(combinations(range(k), size))
    rows = [_share([grown if x in one else mpf(1) for one in sets]) for x in range(k)]
    return inputs, ["".join(str(int(x in one)) for x in range(k)) for one in sets], rows


def _hashing(c: Json) -> Matrix:
    inputs, grown = c["inputs"], mpmath.exp(real(c["epsilon"]))
    g = c["range"] if "range" in c else _nearest(grown + 1, 2)
    told = [(h, y) for h in product(range(g), repeat=len(inputs)) for y in range(g)]
    rows = [_share([grown if h[x] == y else mpf(1) for h, y in told]) for x in range(len(inputs))]
    return inputs, [f"{','.join(map(str, h))}:{y}" for h, y in told], rows


def _looked_up(c: Matrix, x: str, y: str) -> mpf:
    inputs, outputs, rows = c
    return rows[inputs.index(x)][outputs.index(y)] if y in outputs else mpf(0)


def matrix(c: Json) -> Matrix:
    """Inputs, outputs and rows of a table of a kind that is written out."""
    single = {
        "randomized-response": _response,
        "rappor": _rappor,
        "unary": _unary,
        "subset-selection": _subsets,
        "local-hashing": _hashing,
        "truncated-geometric": _geometric,
        "exponential": _exponential,
        "planar": _planar,
    }
    if c["kind"] == "matrix":
        return c["inputs"], c["outputs"], [[real(m) for m in row] for row in c["rows"]]
    if c["kind"] in single:
        return single[c["kind"]](c)
    parts = [matrix(part) for part in c["parts"]]
    first = parts[0]
    if c["kind"] == "cascade":
        for nxt in parts[1:]:
            rows = [
                [mpmath.fsum(row[k] * _looked_up(nxt, z, y) for k, z in enumerate(first[1]))
                 for y in nxt[1]]
                for row in first[2]
            ]  # fmt: skip
            first = first[0], nxt[1], rows
        return first
    if c["kind"] == "mixture":
        weights = [real(w) for w in c["weights"]]
        outputs = list(dict.fromkeys(y for part in parts for y in part[1]))
        rows = [
            [mpmath.fsum(w * _looked_up(p, x, y) for w, p in zip(weights, parts, strict=True))
             for y in outputs]
            for x in first[0]
        ]  # fmt: skip
        return first[0], outputs, rows
    tuples = list(product(*(part[1] for part in parts)))
    inputs = [(x,) * len(parts) for x in first[0]]
    names = first[0]
    if c["kind"] == "product":
        inputs = list(product(*(part[0] for part in parts)))
        names = [",".join(x) for x in inputs]
    rows = [
        [mpmath.fprod(_looked_up(p, a, b) for p, a, b in zip(parts, x, y, strict=True))
         for y in tuples]
        for x in inputs
    ]  # fmt: skip
    return names, [",".join(y) for y in tuples], rows


# ---------------------------------------------------------------- goals


def secrets(value: Json) -> dict[str, dict[str, dict[str, Fraction]]]:
    """belief -> secret -> input -> mass."""
    inputs = matrix(value["channel"].get("base", value["channel"]))[0]
    if "priors" not in value and "beliefs" not in value:
        return {"default": {x: {x: Fraction(1)} for x in inputs}}
    stated = {"default": {"priors": value["priors"]}} if "priors" in value else value["beliefs"]
    found: dict[str, dict[str, dict[str, Fraction]]] = {}
    for belief, entry in stated.items():
        found[belief] = {}
        for secret, prior in entry["priors"].items():
            weights = {x: exact(m) for x, m in (prior.get("mass") or prior["counts"]).items()}
            total = sum(weights.values())
            found[belief][secret] = {x: m / total for x, m in weights.items() if m}
    return found


def notion(value: Json) -> str:
    default = "distp" if value.keys() & {"priors", "beliefs"} else "dp"
    return str(value["channel"].get("notion", default))


def _table(entries: list[Any], a: str, b: str) -> mpf:
    return next(real(d) for x, y, d in entries if {x, y} == {a, b})


def _ground(c: Json, a: str, b: str) -> mpf:
    if a == b:
        return mpf(0)
    places = c.get("points")
    kind = c.get("distance", "numbers" if places is None else "euclidean")
    if isinstance(kind, list):
        return _table(kind, a, b)
    if kind == "numbers":
        return abs(real(a) - real(b))
    if kind == "euclidean":
        return _length(places[a], places[b])
    return mpmath.fsum(abs(real(x) - real(y)) for x, y in zip(places[a], places[b], strict=True))


def w_infinity(c: Json, p: dict[str, Fraction], q: dict[str, Fraction]) -> mpf:
    """The least t with P(A) <= Q(within t of A) for all sets A."""
    names = list(p)
    sets = list(chain.from_iterable(combinations(names, r) for r in range(1, len(names) + 1)))
    for t in sorted({_ground(c, a, b) for a in p for b in q}):
        reach = {a: {b for b in q if _ground(c, a, b) <= t + TOLERANCE} for a in p}
        if all(
            sum(p[a] for a in part) <= sum(q[b] for b in set().union(*(reach[a] for a in part)))
            for part in sets
        ):
            return t
    raise ValueError("all the ways together are enough")


def factor(value: Json, belief: str, a: str, b: str) -> mpf:
    """What epsilon is multiplied by."""
    c, kind = value["channel"], notion(value)
    if kind in ("dp", "distp"):
        return mpf(1)
    metric = c.get("metric", "distance" if kind == "xdp" else "winf")
    if isinstance(metric, list):
        return _table(metric, a, b)
    if kind == "xdp":
        return _ground(c, a, b)
    laws = secrets(value)[belief]
    return w_infinity(c, laws[a], laws[b])


def goals(value: Json) -> list[tuple[str, str, str]]:
    found = secrets(value)
    names = list(next(iter(found.values())))
    every = [[a, b] for i, a in enumerate(names) for b in names[i + 1 :]]
    if notion(value) in ("dp", "xdp"):
        related = value["channel"].get("inputs_related", "all")
        listed = every if related == "all" else related
    else:
        listed = value.get("pairs", every)
    pairs: list[tuple[str, str]] = []
    for a, b in listed:
        if (a, b) not in pairs and (b, a) not in pairs:
            pairs.append((a, b))
    return [(k, *way) for k in found for a, b in pairs for way in ((a, b), (b, a))]


def laws(value: Json, belief: str, *names: str) -> dict[str, dict[str, mpf]]:
    """The law of the outputs (of tuples, joined) under each secret."""
    c = value["channel"]
    tupled = c["kind"] == "tupling"
    inputs, outputs, rows = matrix(c["base"] if tupled else c)
    found: dict[str, dict[str, mpf]] = {}
    for name in names:
        prior = secrets(value)[belief][name]
        masses = [mpf(prior.get(x, 0).numerator) / prior.get(x, Fraction(0)).denominator
                  for x in inputs]  # fmt: skip
        law = {
            y: mpmath.fsum(m * row[k] for m, row in zip(masses, rows, strict=True))
            for k, y in enumerate(outputs)
        }
        found[name] = _tuples(c, law) if tupled else law
    return found


MOST_TYPES = 200_000  # sorted tuples that are added up


def _tuples(c: Json, law: dict[str, mpf]) -> dict[str, mpf]:
    """The law of the sorted tuple: all tuples of the same outputs have the same ratio."""
    n = c["dummies"] + 1
    stated = c.get("dummy", "uniform")
    if stated == "uniform":
        dummy = {y: mpf(1) / len(law) for y in law}
    else:
        dummy = {y: real(stated.get(y, 0)) for y in law}
    if comb(n + len(law) - 1, n) > MOST_TYPES:
        raise ValueError(f"{n} outputs of {len(law)} are too many tuples to add up")
    return {
        "\n".join(t): _mass(Counter(t), law, dummy) for t in combinations_with_replacement(law, n)
    }


def _mass(counts: Counter[str], law: dict[str, mpf], dummy: dict[str, mpf]) -> mpf:
    """The mass of all tuples with so many of each output, one of which is no dummy."""
    n, orders = counts.total(), 1
    left = n
    for count in counts.values():
        orders *= comb(left, count)
        left -= count
    places = (
        count * law[y] * mpmath.fprod(dummy[z] ** (m - (z == y)) for z, m in counts.items())
        for y, count in counts.items()
    )
    return mpf(orders) / n * mpmath.fsum(places)


def excesses(value: Json, belief: str, a: str, b: str) -> dict[str, mpf]:
    """P(y) - e^epsilon Q(y) of every output."""
    both = laws(value, belief, a, b)
    growth = mpmath.exp(real(value["epsilon"]) * factor(value, belief, a, b))
    return {y: p - growth * both[b][y] for y, p in both[a].items()}


def worst(value: Json, belief: str, a: str, b: str) -> mpf:
    """> 0 iff the goal fails, by how much."""
    found = excesses(value, belief, a, b).values()
    delta = real(value.get("delta", 0))
    if value.get("form", "events") == "pointwise":
        return max(found) - delta
    return mpmath.fsum(max(x, mpf(0)) for x in found) - delta


def holds(value: Json) -> bool:
    return all(worst(value, *goal) <= TOLERANCE for goal in goals(value))


def _refutation_is_true(value: Json, s: Json) -> bool:
    goal = s["belief"], s["from"], s["to"]
    if goal not in goals(value):
        return False
    margin, delta = real(s["margin"]), real(value.get("delta", 0))
    pointwise = value.get("form", "events") == "pointwise"
    if s["rule"] == "tupling-refuted":
        return 0 < margin <= worst(value, *goal) + TOLERANCE  # no event exceeds by more
    found = excesses(value, *goal)
    if s["rule"] == "outputs-refuted":
        total = mpmath.fsum(found[y] for y in s["outputs"])
        right = not pointwise or delta == 0
        return right and len(set(s["outputs"])) == len(s["outputs"]) and (
            0 < margin <= total - delta + TOLERANCE
        )
    if s["rule"] == "mass-refuted":
        return pointwise and 0 < margin <= found[s["output"]] - delta + TOLERANCE
    both = laws(value, s["belief"], s["from"], s["to"])
    p, q = both[s["from"]][s["output"]], both[s["to"]][s["output"]]
    epsilon = real(value["epsilon"]) * factor(value, *goal)
    return delta == 0 < margin and p > 0 and p >= mpmath.exp(epsilon + margin) * q - TOLERANCE


def is_true(value: Json, cert: Json, word: str) -> bool:
    """Whether what an accepted certificate about a channel claims holds."""
    if word == "certified":
        return holds(value)
    return word == "refuted" and _refutation_is_true(value, cert["steps"][0])
