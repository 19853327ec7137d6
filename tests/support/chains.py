"""Random chains of records, as tables, and their laws by every path: no polynomial, no sweep."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

Laws = dict[str, dict[Fraction, Fraction]]


def masses(draw: Random, names: list[str]) -> dict[str, str]:
    """A law over names, some of which may have no mass; in one of four it is certain."""
    weights = [draw.choice((0, 0, 1, 1, 2, 5)) for _ in names]
    if draw.random() < 0.25 or not sum(weights):
        weights = [0] * len(names)
        weights[draw.randrange(len(names))] = 1
    total = sum(weights)
    return {n: str(Fraction(w, total)) for n, w in zip(names, weights, strict=True) if w}


def table(draw: Random, *, hidden: bool, longest: int = 5) -> dict[str, Any]:
    """The table of a chain, or of a hidden one."""
    names = ["low", "mid", "high"][: draw.choice((2, 2, 3))]
    length = draw.randint(1, longest)
    one = {a: masses(draw, names) for a in names}
    steps: Any = one
    if draw.random() < 0.3:
        steps = [{a: masses(draw, names) for a in names} for _ in range(length - 1)]
    values = draw.sample(["0", "1", "2", "-1", "1/2"], len(names))
    found: dict[str, Any] = {
        "states": dict(zip(names, values, strict=True)),
        "start": masses(draw, names),
        "transition": steps,
        "length": length,
        "release": draw.choice(("sum", "mean", "count", "weighted")),
    }
    seen = ["0", "1", "3/2"][: draw.choice((2, 3))]
    if hidden:
        found["states"] = names
        found["observation"] = {a: masses(draw, seen) for a in names}
        found["about"] = draw.choice(("state", "observation"))
    if found["release"] == "count":
        kept = [x for x in seen if any(x in law for law in found["observation"].values())] \
            if hidden else names  # fmt: skip
        found["count"] = draw.sample(kept, draw.randint(1, len(kept)))
    if found["release"] == "weighted":
        found["weights"] = [draw.choice(("1", "2", "-1/2", "0")) for _ in range(length)]
    if draw.random() < 0.3:
        found["at"] = sorted(draw.sample(range(1, length + 1), draw.randint(1, length)))
    return found


def laws(stated: dict[str, Any]) -> Laws:
    """Secret -> value of X -> mass, of the secrets that are possible, by every path."""
    length, names = stated["length"], list(stated["states"])
    steps, seen = stated["transition"], stated.get("observation")
    sums: dict[str, dict[Fraction, Fraction]] = {}
    at = stated.get("at", range(1, length + 1))
    for path in product(names, repeat=length):
        chance = Fraction(stated["start"].get(path[0], 0))
        for k in range(length - 1):
            rows = steps[k] if isinstance(steps, list) else steps
            chance *= Fraction(rows[path[k]].get(path[k + 1], 0))
        if not chance:
            continue
        options = [seen[s].items() if seen else [(s, 1)] for s in path]
        for shown in product(*options):
            mass = chance
            for _, m in shown:
                mass *= Fraction(m)
            x = sum(
                (_adds(stated, t, word) for t, (word, _) in enumerate(shown)), Fraction(0)
            )
            about = stated.get("about", "state")
            for t in at:
                word = path[t - 1] if about == "state" else str(Fraction(shown[t - 1][0]))
                law = sums.setdefault(f"t={t}:{word}", {})
                law[x] = law.get(x, Fraction(0)) + mass
    return {
        secret: {x: m / sum(law.values()) for x, m in sorted(law.items()) if m}
        for secret, law in sums.items() if sum(law.values())
    }  # fmt: skip


def _adds(stated: dict[str, Any], t: int, word: str) -> Fraction:
    release = stated["release"]
    if release == "count":
        return Fraction(word in stated["count"])
    value = Fraction(word if "observation" in stated else stated["states"][word])
    if release == "weighted":
        return Fraction(stated["weights"][t]) * value
    return value / stated["length"] if release == "mean" else value


def problem_of(stated: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The problem of a chain, as a table."""
    kind = "hmm" if "observation" in stated else "chain"
    return {
        "schema": "pfverify/problem/1", "epsilon": "1", kind: stated,
        "noise": {"kind": "laplace", "scale": "3"}, **more,
    }  # fmt: skip


def network_table(draw: Random, most: int = 5) -> dict[str, Any]:
    """The table of a network, its nodes in any order."""
    found: dict[str, Any] = {}
    states: dict[str, list[str]] = {}
    for name in ["a", "b", "c", "d", "e"][: draw.randint(1, most)]:
        own = ["low", "mid", "high"][: draw.choice((2, 2, 3))]
        parents = draw.sample(list(found), draw.randint(0, min(2, len(found))))
        states[name] = own
        one: dict[str, Any] = {"table": _nested(draw, own, [states[p] for p in parents])}
        met = _states_met(one["table"], len(parents))
        states[name] = met
        if parents:
            one["parents"] = parents
        if draw.random() < 0.8:
            one["value"] = {s: draw.choice(("1", "2", "-1/2", "0")) for s in met}
        if draw.random() < 0.2:
            one["secret"] = False
        found[name] = one
    names = list(found)
    draw.shuffle(names)
    return {name: found[name] for name in names}


def _nested(draw: Random, own: list[str], left: list[list[str]]) -> dict[str, Any]:
    if not left:
        return {**dict.fromkeys(own, 0), **masses(draw, own)} if draw.random() < 0.5 else (
            masses(draw, own)
        )  # fmt: skip
    return {state: _nested(draw, own, left[1:]) for state in left[0]}


def _states_met(stated: dict[str, Any], depth: int) -> list[str]:
    if not depth:
        return list(stated)
    rows = [_states_met(one, depth - 1) for one in stated.values()]
    return list(dict.fromkeys(state for row in rows for state in row))


def network_laws(stated: dict[str, Any]) -> Laws:
    """Secret -> value of X -> mass, by every assignment of states."""
    names = list(stated)
    states = {
        name: _states_met(one["table"], len(one.get("parents", []))) for name, one in stated.items()
    }
    sums: Laws = {}
    for choice in product(*(states[name] for name in names)):
        at = dict(zip(names, choice, strict=True))
        chance, x = Fraction(1), Fraction(0)
        for name, one in stated.items():
            row = one["table"]
            for parent in one.get("parents", []):
                row = row[at[parent]]
            chance *= Fraction(row.get(at[name], 0))
            x += Fraction(one.get("value", {}).get(at[name], 0))
        if not chance:
            continue
        for name, one in stated.items():
            if one.get("secret", True):
                law = sums.setdefault(f"{name}:{at[name]}", {})
                law[x] = law.get(x, Fraction(0)) + chance
    return {
        secret: {x: m / sum(law.values()) for x, m in sorted(law.items())}
        for secret, law in sums.items()
    }
