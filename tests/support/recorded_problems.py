"""Over 2,000 problems that never change: every noise, prior, form, tie, belief and refusal.

The files are written from draws of their own and touch nothing of the library, so that two trees
can be asked the same questions.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from support import smooth_cases
from support.discrete_cases import EPSILONS, FORMS, NOISES, bare, random_case

Json = dict[str, Any]
EVERY = ("certify", "loss", "calibrate")
DECIDE = ("certify", "loss")  # where calibrate takes long


class Recorded(NamedTuple):
    """A problem file with its name, and the commands that are asked about it."""

    name: str
    table: Json
    commands: tuple[str, ...]


class Family(NamedTuple):
    """Problems of one kind: how many, what makes the k-th, and what is asked."""

    name: str
    count: int
    make: Callable[[Random, int], Json]
    commands: tuple[str, ...] = EVERY


def recorded(index: int) -> Recorded:
    """One of the `COUNT` recorded problems, by its place in the record."""
    for family in FAMILIES:
        if index < family.count:
            name = f"{family.name}-{index}"
            return Recorded(name, family.make(Random(f"record {name}"), index), family.commands)
        index -= family.count
    raise IndexError("there are not so many recorded problems")


def _atoms(rng: Random, k: int) -> Json:
    return random_case(rng, FORMS[k % 3], NOISES[k // 3 % 2]).table


def _bare(rng: Random, k: int) -> Json:
    return bare(rng, FORMS[k % 3], NOISES[k // 3 % 2], tie=k % 2 == 0).table


def _beliefs(rng: Random, k: int) -> Json:
    """Two or three beliefs of three secrets, all pairs or some."""
    value = _atoms(rng, k)
    tables = list(value.pop("priors").values())
    names = ["x", "y", "z"]
    value["beliefs"] = {
        f"belief {b}": {"priors": {name: copy.deepcopy(rng.choice(tables)) for name in names}}
        for b in range(rng.randint(2, 3))
    }
    if k % 2:
        value["pairs"] = [["y", "x"], ["z", "y"]]
    return value


def _gaussian_noise(rng: Random, k: int) -> Json:
    """Atoms under Gaussian noise."""
    value = _atoms(rng, 0)
    size = Fraction(rng.randint(1, 40), rng.choice([4, 10]))
    value["noise"] = {"kind": "gaussian", rng.choice(["scale", "variance"]): str(size)}
    value["delta"] = rng.choice(["0", "1e-6", "1/100", "1/10"])
    value["epsilon"] = rng.choice(EPSILONS)
    value["form"] = rng.choice(["events", "events", "pointwise"])
    return value


def _target(rng: Random, priors: list[Json], noise: Json) -> Json:
    return {
        "schema": "pfverify/problem/1",
        "epsilon": rng.choice(EPSILONS),
        "delta": rng.choice(["0", "1/100", "1/10", "3/10"]),
        "form": rng.choice(["events", "events", "events", "pointwise"]),
        "noise": noise,
        "priors": dict(zip("ab", priors, strict=True)),
    }


def _normal(rng: Random, k: int) -> Json:
    """One normal law against another, or against atoms."""

    def law() -> Json:
        if rng.random() < 0.2:
            return {"kind": "discrete", "counts": {str(rng.randint(-3, 3)): 1, "4": 2}}
        spread = rng.choice(["variance", "sd"])
        return {
            "kind": "gaussian",
            "mean": str(Fraction(rng.randint(-6, 6), 2)),
            spread: str(Fraction(rng.randint(1, 12), 4)),
        }

    laplace = {"kind": "laplace", "scale": str(Fraction(rng.randint(1, 40), 8))}
    gaussian = {"kind": "gaussian", "variance": str(Fraction(rng.randint(1, 40), 8))}
    return _target(rng, [law(), law()], gaussian if k % 3 == 0 else laplace)


def _mixture(rng: Random, k: int) -> Json:
    """Mixtures of every kind that makes a decision hard."""
    kind = smooth_cases.KINDS[k % len(smooth_cases.KINDS)]
    keys = ("weight", "mean", "variance")
    priors = [
        {
            "kind": "mixture",
            "components": [dict(zip(keys, map(str, part), strict=True)) for part in parts],
        }
        for parts in smooth_cases.random_priors(rng, kind)
    ]
    size = str(Fraction(rng.randint(1, 40), rng.choice((4, 10, 20))))
    noise: Json = {"kind": "laplace", "scale": size}
    if rng.random() < 0.35:
        noise = {"kind": "gaussian", "variance": size}
    return _target(rng, priors, noise)


def _no_noise(rng: Random, k: int) -> Json:
    """The value itself is released: scale 0 or noise of kind none."""
    value = _bare(rng, k)
    value["noise"] = {"kind": "none"} if k % 4 == 0 else {**value["noise"], "scale": 0}
    return value


def _refused(rng: Random, k: int) -> Json:
    """One thing wrong: the answer is one line on standard error."""
    value = _atoms(rng, 0)
    first = value["priors"]["a"]
    kind = k % 12
    if kind == 0:
        value["epsilon"] = rng.choice([-1, "log(1/2)", "nan", "1/0", "two", "", None])
    elif kind == 1:
        value["delta"] = rng.choice(["3/2", -1, "1+1e-300", "log(3)"])
    elif kind == 2:
        value["noise"]["kind"] = rng.choice(["laplacian", "cauchy", 1, "Gauss"])
    elif kind == 3:
        value["noise"]["scale"] = rng.choice(["-1", "log(4)-2*log(2)-1", "inf", [1]])
    elif kind == 4:
        first["mass"] = {"0": "1/2", "1": rng.choice(["1/3", "2/3", "-1/2"])}
    elif kind == 5:
        first["kind"] = rng.choice(["discret", "uniform", "gaussian"])
    elif kind == 6:
        value["pairs"] = rng.choice([[], [["a", "a"]], [["a", "q"]], [["a"]], "ab"])
    elif kind == 7:
        del value[rng.choice(["epsilon", "noise", "priors", "schema"])]
    elif kind == 8:
        value["form"] = rng.choice(["event", "pointwize", 1])
    elif kind == 9:
        value["noise"] = {"kind": "discrete-laplace", "scale": 1, "step": rng.choice([0, "1/7"])}
        first["mass"] = {"0": "1/2", "1/3": "1/2"}
    elif kind == 10:
        value["priors"] = {"a": first}
    else:
        value["channel"] = {"kind": "matrix"}
    return value


FAMILIES = (
    Family("atoms", 1_320, _atoms),
    Family("bare", 120, _bare),
    Family("beliefs", 120, _beliefs),
    Family("gaussian-noise", 90, _gaussian_noise, DECIDE),
    Family("normal", 180, _normal),
    Family("mixture", 140, _mixture, DECIDE),
    Family("no-noise", 60, _no_noise),
    Family("refused", 120, _refused),
)
COUNT = sum(family.count for family in FAMILIES)
