"""Recorded problems with steps: behind every noise, before it, behind channels and sums of users.

The k-th problem has the k-th noise, the k-th chain of steps and the k-th target, each in its own
round: their numbers have no common divisor, so that each two of different rounds meet.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import mpmath

from support import recorded_channels, recorded_systems, steps_cases
from support.steps_oracle import excess, inputs, mixed, ratio, release

Json = dict[str, Any]
EPSILONS = ("1/10", "1/2", "log(2)", "1", "3/2", "3")
DELTAS = ("1e-6", "1/100", "1/20", "1/5")
LARGER = ("1/20", "1/5", "2/5", "7/10")
GROWTHS = (Fraction(1), Fraction(3, 2), Fraction(2))  # e^epsilon of ties

BY: Json = {
    "by": {
        "-1": {"0": 1},
        "0": {"0": "3/4", "1": "1/4"},
        "1": {"-1": "1/4", "0": "1/2", "2": "1/4"},
    },
    "larger": {"-1": "1/4", "0": "1/2", "1": "1/4"},
}  # fmt: skip
NOISES: tuple[Json, ...] = (
    {"kind": "laplace"},
    {"kind": "discrete-laplace", "step": "1"},
    {"kind": "truncated-laplace", "bound": "3"},
    {"kind": "table", "weights": {"-2": "1/8", "-1": "1/8", "0": "1/2", "1": "1/4"}},
    {"kind": "gaussian"},
    {"kind": "discrete-gaussian", "step": "1"},
    {"kind": "table", **BY},
    {"kind": "none"},
)
CHAINS: tuple[tuple[str, ...], ...] = (
    ("round",), ("clamp",), ("floor",), ("threshold",), ("ceil",), ("bins",),
    ("clamp", "round"), ("threshold", "clamp"), ("round", "threshold"), ("clamp", "threshold"),
    ("floor", "clamp", "bins"), ("round", "modulo"), ("modulo", "bins"),
    ("clamp", "ceil", "threshold"), ("clamp", "modulo", "clamp"),
)  # fmt: skip
"""The steps behind the noise: every kind first, and behind others."""
BEFORE: tuple[tuple[str, ...], ...] = (
    ("round",), ("clamp",), ("floor",), ("ceil",), ("modulo",), ("clamp", "bins"),
    ("modulo", "clamp"), ("bins",), ("round", "modulo", "clamp"),
)  # fmt: skip
LEAVES_POINTS = {"round", "floor", "ceil", "bins"}
"""Kinds of steps behind which no number keeps its density."""
BOUNDED = {"truncated-laplace", "table", "gaussian", "discrete-gaussian", "none"}
"""Kinds of noise whose ratios have no bound, or for which few outputs are possible."""
HAS_DENSITY = {"laplace", "truncated-laplace", "gaussian"}


def noise(rng: Random, stated: Json, least: int = 2, most: int = 24) -> Json:
    """The noise with a scale of its own, in eighths, where it has one."""
    if stated["kind"] in ("table", "none"):
        return dict(stated)
    size = str(Fraction(rng.randint(least, most), 8))
    key = "scale"
    if "gaussian" in stated["kind"]:
        key = rng.choice(("scale", "variance"))
    return {**stated, key: size}


def steps(rng: Random, kinds: tuple[str, ...], near: list[Fraction]) -> list[Json]:
    """A step of each kind, on or beside some numbers."""
    found: list[Json] = []
    for kind in kinds:
        if kind == "modulo":
            found.append({"modulo": str(rng.choice((2, 3, 5)))})
        elif kind in ("round", "floor", "ceil"):
            to = {"to": rng.choice(("1", "1", "2", "3"))}
            ties = {"ties": rng.choice(("up", "down", "even"))} if kind == "round" else {}
            found.append({kind: {**to, **ties}})
        else:
            found.append(steps_cases.step(rng, kind, near))
    return found


def fitted(kinds: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """The steps that may follow noise of a kind, as the guide has it."""
    if "gaussian" in kind:
        kinds = tuple(one for one in kinds if one != "modulo")
    elif "modulo" in kinds and kind in HAS_DENSITY and not LEAVES_POINTS & set(kinds[:1]):
        kinds = ("round", *kinds)
    if kind == "truncated-laplace" and not LEAVES_POINTS & set(kinds):
        kinds = (*kinds, "round")
    return kinds


def target(rng: Random, k: int, pointwise: bool = True, bounded: bool = False) -> Json:
    """Events with and without delta, and now and then pointwise.

    `bounded`: what is released may be possible under one secret alone: delta 0 is rarely met.
    """
    turn = k % 7
    form = "pointwise" if pointwise and turn in (2, 6) else "events"
    delta = "0" if turn in (0, 4, 6) else rng.choice(DELTAS)
    if bounded and turn:
        delta = rng.choice(LARGER)
    return {
        "schema": "pfverify/problem/1",
        "epsilon": rng.choice(EPSILONS),
        "delta": delta,
        "form": form,
    }


def _single(kinds: tuple[str, ...], kind: str) -> bool:
    """Whether what is published are finitely many single outputs."""
    ends = {"clamp", "bins", "modulo"} & set(kinds)
    if kind == "discrete-gaussian":
        return False
    if kind in ("table", "none"):
        return True
    return bool(ends) and (kind not in HAS_DENSITY or bool(LEAVES_POINTS & set(kinds)))


def law(rng: Random, atoms: list[int]) -> Json:
    """A law on two or three of the atoms, or on one."""
    chosen = sorted(rng.sample(atoms, min(rng.choice((1, 2, 2, 3)), len(atoms))))
    found = map(str, recorded_channels.masses(rng, len(chosen), 0))
    return {"kind": "discrete", "mass": dict(zip(map(str, chosen), found, strict=True))}


def _laws(rng: Random, k: int, hides: bool) -> Json:
    """Two priors; of eleven problems one has three, one two beliefs, and two have no row."""
    atoms = list(range(-1, 3))
    turn = k % 11
    found = {name: law(rng, atoms) for name in ("abc" if turn == 3 else "ab")}
    if turn == 5:
        other = {name: law(rng, atoms) for name in "ab"}
        return {"beliefs": {"one": {"priors": found}, "two": {"priors": other}}}
    if turn in (7, 9) and hides:
        found["b"] = {"kind": "nothing"}
        if turn == 9:
            found["b"] |= {"or": law(rng, atoms), "chance": rng.choice(("1/10", "1/2"))}
    pairs = {"pairs": [["a", "c"], ["c", "b"]]} if turn == 3 and rng.random() < 0.5 else {}
    return {"priors": found, **pairs}


def after(rng: Random, k: int) -> Json:
    """Priors of atoms, each noise with each chain of steps behind it and each target."""
    noisy = noise(rng, NOISES[k % len(NOISES)])
    kind = noisy["kind"]
    kinds = fitted(CHAINS[k % len(CHAINS)], kind)
    post = steps(rng, kinds, [Fraction(x) for x in range(-1, 4)])
    if kind == "discrete-gaussian" and rng.random() < 0.5:
        post.insert(0, {"clamp": ["-2", "4"]})
    asked = target(rng, k, _single(kinds, kind), kind in BOUNDED and k % 3 > 0)
    hides = kinds[0] == "threshold" or kinds[-1] == "threshold"
    return asked | {"noise": noisy, "post": post} | _laws(rng, k, hides)


def met(rng: Random, k: int) -> Json:
    """Steps whose outputs have masses that are fractions: the target is the truth, or beside it."""
    kind = ("laplace", "discrete-laplace", "none", "truncated-laplace")[k % 4]
    while True:
        found = steps_cases.case(rng, kind, exact=True)
        if "beliefs" in found.table:
            continue
        of = release(found.table, found.base, found.beyond).of
        laws = [mixed(of, one, True) for one in inputs(found.table)["default"].values()]
        orders = [both for pair in combinations(laws, 2) for both in (pair, pair[::-1])]
        told = _edge(rng, orders, k // 4 % 2 == 0)
        if told is not None:
            return found.table | told


def _edge(rng: Random, orders: list[tuple[Json, Json]], pure: bool) -> Json | None:
    """The target that the worst order meets exactly, or one a little beside it."""
    beside = rng.choice(("", "", "*(1-1e-30)", "*(1+1e-12)"))
    if pure:
        ratios = [ratio(p, q) for p, q in orders]
        if None in ratios or max(ratios) <= 1:
            return None
        return {"epsilon": f"log({max(ratios)}){beside}", "delta": "0"}
    growth = rng.choice(GROWTHS)
    gaps = [excess(p, q, growth) for p, q in orders]
    if not all(isinstance(gap, Fraction) and gap < 1 for gap in gaps) or max(gaps) <= 0:
        return None
    return {"epsilon": f"log({growth})", "delta": f"({max(gaps)}){beside}"}


def before(rng: Random, k: int) -> Json:
    """Steps before each noise, and every other time a step behind it too."""
    noisy = noise(rng, NOISES[k % len(NOISES)])
    kinds = BEFORE[k % len(BEFORE)]
    pre = [
        {"bins": {"edges": ["-5", "0", "2", "9"], "at": rng.choice(("lower", "upper"))}}
        if "bins" in one else one
        for one in steps(rng, kinds, [Fraction(x) for x in range(4)])
    ]  # fmt: skip
    bounded = noisy["kind"] in BOUNDED
    value = target(rng, k, False, bounded) | {"noise": noisy, "pre": pre}
    if k // 8 % 2 and noisy["kind"] != "none":
        behind = fitted((("round", "clamp", "threshold")[k // 3 % 3],), noisy["kind"])
        value["post"] = steps(rng, behind, [Fraction(x) for x in range(4)])
    return value | {"priors": {name: law(rng, [-1, 0, 1, 2, 3, 5]) for name in "ab"}}


def normal(rng: Random, k: int) -> Json:
    """Normal laws and mixtures, behind Gaussian or Laplace noise and steps but modulo."""
    noisy = noise(rng, NOISES[0 if k % 2 else 4], least=6)
    kinds = [one for one in CHAINS if "modulo" not in one]
    near = [Fraction(x) for x in range(-1, 3)]

    def smooth() -> Json:
        if k % 5 == 4:
            weights = rng.choice((("1/2", "1/2"), ("1/4", "3/4")))
            parts = [
                {
                    "weight": weight,
                    "mean": str(rng.choice(near)),
                    "variance": rng.choice(("1", "1/2")),
                }
                for weight in weights
            ]
            return {"kind": "mixture", "components": parts}
        return {
            "kind": "gaussian",
            "mean": str(rng.choice(near)),
            "variance": rng.choice(("1", "2")),
        }

    laws = {"a": smooth(), "b": law(rng, [-1, 0, 1, 2]) if k % 3 == 2 else smooth()}
    post = steps(rng, kinds[k // 2 % len(kinds)], near)
    return target(rng, k, False, k % 2 == 0) | {"noise": noisy, "post": post, "priors": laws}


def of_sums(rng: Random, k: int) -> Json:
    """Sums and means of users with steps; of the others every second problem knows nothing."""
    value = recorded_systems.system(rng, 0)
    table, kind = value["system"], value["noise"]["kind"]
    value["form"], value["delta"] = "events", rng.choice(("0", *DELTAS))
    kinds = fitted(CHAINS[k % len(CHAINS)], kind)
    table["rest"] = ("any", "known")[k % 2]
    if kind == "none":
        table["rest"] = "known"
    value["post"] = steps(rng, kinds, [Fraction(x) for x in range(5)])
    return value


def of_channels(rng: Random, k: int) -> Json:
    """Channels whose outputs are numbers, with steps behind them."""
    inputs_, outputs = recorded_channels.names("x", 3), [str(x) for x in range(4)]
    table: Json = {"kind": "truncated-geometric", "size": 4, "ratio": rng.choice(("1/2", "2/3"))}
    if k % 2:
        rows = [list(map(str, recorded_channels.masses(rng, 4))) for _ in inputs_]
        table = {"kind": "matrix", "inputs": inputs_, "outputs": outputs, "rows": rows}
    value = target(rng, k) | {"channel": table}
    value["post"] = steps(rng, CHAINS[k % len(CHAINS)], [Fraction(x) for x in range(4)])
    if k // 15 % 3 == 1:
        table["notion"] = "dp"
        return value
    known = recorded_channels.inputs_of(table)
    for name in "ab":
        found = map(str, recorded_channels.masses(rng, len(known)))
        mass = dict(zip(known, found, strict=True))
        value.setdefault("priors", {})[name] = {"kind": "finite", "mass": mass}
    return value


def thresholds(rng: Random, k: int) -> Json:
    """A threshold as the last step, for the least one that is private; mostly a row or none."""
    noisy = noise(rng, NOISES[k % 2 if k % 4 < 2 else k % 4 + 2])
    kinds = fitted((("threshold",), ("round", "threshold"), ("clamp", "threshold"))[k % 3],
                   noisy["kind"])  # fmt: skip
    post = steps(rng, kinds, [Fraction(x) for x in range(1, 5)])
    laws = {"present": law(rng, [0, 1, 2]), "absent": {"kind": "nothing"}}
    if k % 5 == 4:
        laws["absent"] = law(rng, [0, 1])
    asked = {"epsilon": rng.choice(EPSILONS[2:]), "delta": rng.choice(DELTAS), "form": "events"}
    return target(rng, k) | asked | {"noise": noisy, "post": post, "priors": laws}


def scales(rng: Random, k: int) -> Json:
    """Steps behind noise of which calibrate finds the scale, or tries some."""
    value = after(rng, 8 * k + (0, 1, 4, 2)[k % 4])
    value["form"] = "events"
    for name, one in value.get("priors", {}).items():
        if one["kind"] == "nothing" and k % 8:
            value["priors"][name] = law(rng, [0, 1, 2])
    return value


def undecided(rng: Random, k: int) -> Json:
    """Gaussian noise and a threshold at the truth to 400 digits: there is no exact test."""
    at, spread = Fraction(rng.randint(1, 3), 2), Fraction(rng.randint(4, 12), 8)
    growth = rng.choice((Fraction(1), Fraction(6, 5)))
    with mpmath.workdps(420):
        low, high = (mpmath.mpf(x.numerator) / x.denominator / (mpmath.mpf(spread.numerator)
                     / spread.denominator) for x in (-at, 1 - at))  # fmt: skip
        factor = mpmath.mpf(growth.numerator) / growth.denominator
        delta = mpmath.nstr(mpmath.ncdf(high) - factor * mpmath.ncdf(low), 400)
    step: Json = {"threshold": {"at": str(at), "keep": ("at-least", "above")[k % 2]}}
    post = [step, {"bins": {"edges": [str(at)]}}]
    return {
        "schema": "pfverify/problem/1", "epsilon": f"log({growth})", "delta": delta,
        "noise": {"kind": "gaussian", "scale": str(spread)}, "post": post,
        "priors": {"a": {"kind": "discrete", "mass": {"0": 1}},
                   "b": {"kind": "discrete", "mass": {"1": 1}}},
    }  # fmt: skip


def proved(rng: Random, k: int) -> Json:
    """Each kind of problem in turn."""
    makers = (after, met, after, before, normal, of_sums, of_channels)
    return makers[k % len(makers)](rng, k // len(makers) + 9 * (k % len(makers)))
