"""Random problems with steps after the noise, as tables of their files."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from support.oracles import ctx, real
from support.steps_oracle import grid_of

Json = dict[str, Any]
NOISES = ("laplace", "discrete-laplace", "none", "truncated-laplace")
ROUNDS = {"round", "floor", "ceil", "bins"}


class Case(NamedTuple):
    """A problem without epsilon and delta, e**(-1/(D scale)), and how far its window goes."""

    table: Json
    base: Any
    beyond: Fraction


def number(rng: Random, near: list[Fraction]) -> Fraction:
    """An atom, a place between two, or one beside them."""
    if rng.random() < 0.6:
        return rng.choice(near)
    return rng.choice(near) + Fraction(rng.randint(-6, 6), rng.choice([1, 1, 2]))


def step(rng: Random, key: str, near: list[Fraction]) -> Json:
    """One step of a kind; `to` from far below the gaps to far above them."""
    if key == "clamp":
        low, high = sorted((number(rng, near), number(rng, near)))
        if rng.random() < 0.3:
            low -= 10
        return {key: [str(low), str(high)]}
    if key == "threshold":
        return {key: {"at": str(number(rng, near)), "keep": rng.choice(["at-least", "above"])}}
    if key == "bins":
        edges = sorted({number(rng, near) for _ in range(rng.randint(1, 4))})
        return {key: {"edges": [str(e) for e in edges]}}
    to = rng.choice(["1/4", "1/2", "1", "1", "2", "3", "3/2", "24"])
    if key == "round":
        half = abs(rng.choice(near))
        if half and rng.random() < 0.4:
            to = str(2 * half)
        return {key: {"to": to, "ties": rng.choice(["up", "down", "even"])}}
    return {key: {"to": to}}


def chain(rng: Random, near: list[Fraction], noise: Json) -> list[Json]:
    """One step to three."""
    length, found = rng.randint(1, 3), []
    if noise["kind"] in ("discrete-laplace", "none") and rng.random() < 0.15:
        unit = Fraction(noise.get("step", 1))
        found.append({"modulo": str(unit * rng.choice([1, 2, 3, 5, 8]))})
    kinds = ["clamp", "round", "floor", "ceil", "threshold", "threshold", "bins"]
    while len(found) < length:
        found.append(step(rng, rng.choice(kinds), near))
        if "bins" in found[-1]:
            break
    if noise["kind"] == "truncated-laplace" and not any(ROUNDS & one.keys() for one in found):
        found.append(step(rng, rng.choice(sorted(ROUNDS)), near))
    return found


def law(rng: Random, atoms: list[Fraction]) -> Json:
    """A law on some of the atoms."""
    weights = {x: rng.choice([0, 1, 1, 2, 5]) for x in atoms}
    weights[rng.choice(atoms)] += 1
    total = sum(weights.values())
    return {"kind": "discrete", "mass": {str(x): f"{w}/{total}" for x, w in weights.items() if w}}


def priors(rng: Random, names: str, atoms: list[Fraction], hides: bool) -> Json:
    """A law for every secret; where a threshold hides, sometimes one without a row."""
    found = {name: law(rng, atoms) for name in names}
    if hides and rng.random() < 0.6:
        sort = rng.randrange(3)
        found["b"] = {"kind": "nothing"}
        if sort:
            found["b"] |= {"or": law(rng, atoms), "chance": rng.choice(["1/10", "3/4", "1"])}
        if sort == 2 and rng.random() < 0.5:
            found["a"] = {"kind": "nothing", "or": law(rng, atoms), "chance": "1/2"}
    return found


def case(rng: Random, kind: str, exact: bool) -> Case:
    """A problem whose noise is of a kind; `exact`: all masses are fractions."""
    noise: Json = {"kind": kind}
    unit = Fraction(rng.choice(["1", "1", "1/2", "1/3"]))
    if kind == "discrete-laplace":
        unit = Fraction(rng.choice(["1", "1", "1/2", "2"]))
        noise["step"] = str(unit)
    elif kind == "truncated-laplace":
        noise["bound"] = str(rng.choice([Fraction(1, 2), 2, Fraction(7, 2), unit, unit * 4]))
    origin = rng.choice([Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(-2)])
    width = rng.choice([2, 4, 8, 24])
    places = rng.sample(range(width + 1), rng.randint(1, min(4, width + 1)))
    atoms = sorted(origin + unit * k for k in places)
    post = chain(rng, atoms, noise)
    table: Json = {"schema": "pfverify/problem/1", "noise": noise, "post": post}
    hides = any("threshold" in one for one in post)
    names = "abc" if rng.random() < 0.15 else "ab"
    if rng.random() < 0.15:
        table["beliefs"] = {
            name: {"priors": priors(rng, names, atoms, hides)} for name in ("first", "second")
        }
    else:
        table["priors"] = priors(rng, names, atoms, hides)
    grid = grid_of(table)
    if kind == "none":
        return Case(table, Fraction(1, 2), Fraction(0))
    if exact:
        n = rng.choice([2, 3]) if grid == 1 else rng.choice([3, 8])
        noise["scale"] = f"1/({grid}*log({n}/{n - 1}))"
        base: Any = Fraction(n - 1, n)
    else:
        scale = rng.choice(["1", "1/2", "3", "1/5", "7/3"])
        noise["scale"] = scale
        base = ctx.exp(-1 / (grid * real(scale)))
    return Case(table, base, Fraction(20 if "bound" in noise else 110))
