"""Recorded problems about couplings, with the plans and relations that stand in files beside."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from random import Random
from typing import Any

from support.discrete_cases import NOISES, bare, random_case
from support.recorded_channels import KINDS, channel, inputs_of, priors_apart

Json = dict[str, Any]


def atoms(rng: Random, k: int) -> Json:
    """Two priors of atoms, or three; some under noise that the lines are not about."""
    noise = NOISES[k % 4 == 3]
    value = (bare if k % 3 == 0 else random_case)(rng, "pure", noise).table
    if k % 8 == 6:
        value["noise"] = {"kind": "gaussian", "scale": 1}
    if k % 16 == 9:
        value["priors"]["b"] = {"kind": "gaussian", "mean": 0, "variance": 1}
    return value


def files(rng: Random, value: Json) -> dict[str, str]:
    """A plan of two priors, right or wrong, and a relation of their atoms."""
    laws = [_law(prior) for prior in islice(value["priors"].values(), 2)]
    rows = [f"{x},{y},{p * q}" for (x, p), (y, q) in product(*(law.items() for law in laws))]
    if rng.random() < 0.3:
        rows.pop()
    reach = rng.randint(0, 3)
    return {
        "plan.csv": "\n".join(["from,to,mass", *rows]) + "\n",
        "related.csv": _relation(laws, lambda x, y: abs(x - y) <= reach),
    }


def _law(prior: Json) -> dict[Fraction, Fraction]:
    if prior["kind"] != "discrete":
        return {Fraction(0): Fraction(1)}
    weights = {Fraction(x): Fraction(w) for x, w in prior.get("mass", prior.get("counts")).items()}
    return {x: w / sum(weights.values()) for x, w in weights.items()}


def _relation(sides: Any, related: Any) -> str:
    rows = [f"{x},{y}" for x, y in product(*sides) if related(x, y)]
    return "\n".join(["from,to", *rows, *([] if rows else ["0,0"])]) + "\n"


def lifted(rng: Random, k: int) -> Json:
    """Priors over the inputs of a channel, with and without distances."""
    kinds = [kind for kind in KINDS if kind != "product"]  # commas in its names
    turn = len(KINDS) * (k // len(kinds) % 2) + KINDS.index(kinds[k % len(kinds)])
    return (channel if k % 4 == 0 else priors_apart)(rng, turn)


def lifted_files(rng: Random, value: Json) -> dict[str, str]:
    """A relation of the inputs."""
    names = inputs_of(value["channel"])
    return {"related.csv": _relation((names, names), lambda x, y: x == y or rng.random() < 0.5)}
