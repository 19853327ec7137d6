"""Some 6,100 problems that never change: every source, release, notion, tie, belief and refusal.

The files are written from draws of their own and touch nothing of the library, so that two trees
can be asked the same questions. Of the 1,528 from `channel` to `undecided` certify says 709
certified, 486 refuted, 20 undecided, 99 refused; 445 certificates are written, and accepted. Of the
2,472 from `steps` on (steps, chains, several numbers or releases, families of laws: some 600 of
each) certify says 1,560 certified, 707 refuted, 28 undecided, 13 refused, and 164 are asked for
scales, thresholds, radii or numbers of releases alone; 258 certificates are written, and accepted.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from support import (
    recorded_chains,
    recorded_channels,
    recorded_couplings,
    recorded_families,
    recorded_several,
    recorded_steps,
    recorded_systems,
    smooth_cases,
)
from support.discrete_cases import EPSILONS, FORMS, NOISES, bare, random_case

Json = dict[str, Any]
EVERY = ("certify", "loss", "calibrate")
DECIDE = ("certify", "loss")  # where calibrate takes long
CERTIFICATE = "proved"  # the name of the file
PROVE = (f"certify -o {CERTIFICATE}", f"check {CERTIFICATE}")
SCALES = (f"calibrate -o {CERTIFICATE}", f"check {CERTIFICATE}")
COUPLE = (
    f"coupling -o {CERTIFICATE}",
    f"check {CERTIFICATE}",
    "coupling --relation related.csv",
    "coupling --plan plan.csv --within 4",
    "coupling --plan plan.csv --relation related.csv --require monotone --require optimal",
)
THRESHOLD = ("certify", "calibrate --threshold")
LIFT = ("coupling", "coupling --within 1", "coupling --relation related.csv")


class Recorded(NamedTuple):
    """A problem file with its name, the commands that are asked about it, and files beside it."""

    name: str
    table: Json
    commands: tuple[str, ...]
    files: dict[str, str]


def _none(rng: Random, table: Json) -> dict[str, str]:
    return {}


class Family(NamedTuple):
    """Problems of one kind: how many, what makes the k-th, and what is asked.

    A command is its name and its options; it is asked about the problem file, with --json.
    """

    name: str
    count: int
    make: Callable[[Random, int], Json]
    commands: tuple[str, ...] = EVERY
    files: Callable[[Random, Json], dict[str, str]] = _none


def recorded(index: int) -> Recorded:
    """One of the `COUNT` recorded problems, by its place in the record."""
    for family in FAMILIES:
        if index < family.count:
            name = f"{family.name}-{index}"
            table = family.make(Random(f"record {name}"), index)
            beside = family.files(Random(f"beside {name}"), table)
            return Recorded(name, table, family.commands, beside)
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


def _per_distance(rng: Random, k: int) -> Json:
    """Noise under the notion xdistp: epsilon per unit of W-infinity, or by a table of secrets."""
    makers = (_atoms, _atoms, _bare, _beliefs, _no_noise, _gaussian_noise, _normal)
    value = makers[k % len(makers)](rng, k // len(makers)) | {"notion": "xdistp"}
    if k // len(makers) % 3 == 2:
        names = list(value.get("priors", "xyz"))
        value["metric"] = [[*both, rng.choice(METRIC)] for both in combinations(names, 2)]
    return value


METRIC = ("1/2", "2", "log(2)", "3/2")
_ABOUT_NOISE = (
    _atoms, _bare, _beliefs, _no_noise, _gaussian_noise, _normal, _mixture, _per_distance,
    recorded_systems.system, recorded_systems.met_exactly,
)  # fmt: skip
_ABOUT_CHANNELS = (
    recorded_channels.channel, recorded_channels.inputs, recorded_channels.priors_apart,
    recorded_channels.tupling,
)  # fmt: skip


def _proved(rng: Random, k: int) -> Json:
    """Each kind of problem in turn."""
    makers = _ABOUT_NOISE + _ABOUT_CHANNELS
    return makers[k % len(makers)](rng, k // len(makers))


def _scales(rng: Random, k: int) -> Json:
    """Each kind of noise problem in turn, but for those whose scales take long."""
    makers = [make for make in _ABOUT_NOISE if make not in (_gaussian_noise, _mixture)]
    return makers[k % len(makers)](rng, k // len(makers))


FAMILIES = (
    Family("atoms", 1_320, _atoms),
    Family("bare", 120, _bare),
    Family("beliefs", 120, _beliefs),
    Family("gaussian-noise", 90, _gaussian_noise, DECIDE),
    Family("normal", 180, _normal),
    Family("mixture", 140, _mixture, DECIDE),
    Family("no-noise", 60, _no_noise),
    Family("refused", 120, _refused),
    Family("channel", 300, recorded_channels.channel),
    Family("input", 160, recorded_channels.inputs, DECIDE),
    Family("channel-xdistp", 80, recorded_channels.priors_apart, DECIDE),
    Family("tupling", 80, recorded_channels.tupling),
    Family("refused-channel", 48, recorded_channels.refused, DECIDE),
    Family("noise-xdistp", 84, _per_distance),
    Family("system", 200, recorded_systems.system),
    Family("system-tie", 30, recorded_systems.met_exactly),
    Family("refused-system", 32, recorded_systems.refused, DECIDE),
    Family("coupling", 64, recorded_couplings.atoms, COUPLE, recorded_couplings.files),
    Family("lifting", 54, recorded_couplings.lifted, LIFT, recorded_couplings.lifted_files),
    Family("certificate", 280, _proved, PROVE),
    Family("scales", 96, _scales, SCALES),
    Family("undecided", 20, recorded_systems.undecided, (*EVERY, *SCALES[:1], *PROVE)),
    Family("steps", 240, recorded_steps.after, DECIDE),
    Family("steps-met", 60, recorded_steps.met, DECIDE),
    Family("steps-before", 54, recorded_steps.before, DECIDE),
    Family("steps-normal", 50, recorded_steps.normal, DECIDE),
    Family("steps-system", 40, recorded_steps.of_sums, DECIDE),
    Family("steps-channel", 40, recorded_steps.of_channels, DECIDE),
    Family("steps-scales", 40, recorded_steps.scales, ("calibrate",)),
    Family("steps-threshold", 24, recorded_steps.thresholds, THRESHOLD),
    Family("steps-undecided", 10, recorded_steps.undecided, (*DECIDE, *PROVE)),
    Family("steps-certificate", 70, recorded_steps.proved, PROVE),
    Family("chain", 160, recorded_chains.chain, DECIDE),
    Family("chain-long", 32, recorded_chains.long_chain, DECIDE),
    Family("chain-swept", 8, recorded_chains.swept, ("certify",)),
    Family("chain-hidden", 100, recorded_chains.hidden, DECIDE),
    Family("chain-network", 90, recorded_chains.network, DECIDE),
    Family("chain-beliefs", 48, recorded_chains.beliefs, DECIDE),
    Family("chain-pieces", 50, recorded_chains.pieces, DECIDE),
    Family("chain-any", 30, recorded_chains.any_chain, DECIDE),
    Family("chain-scales", 30, recorded_chains.scales, ("calibrate",)),
    Family("chain-certificate", 63, recorded_chains.proved, PROVE),
    Family("several", 165, recorded_several.joint, DECIDE),
    Family("several-met", 40, recorded_several.met),
    Family("several-releases", 180, recorded_several.repeated, DECIDE),
    Family("several-histogram", 70, recorded_several.histogram, DECIDE),
    Family("several-numbers", 60, recorded_several.numbers, DECIDE),
    Family("several-count", 24, recorded_several.counted, ("calibrate --releases",)),
    Family("several-certificate", 63, recorded_several.proved, PROVE),
    Family("families", 252, recorded_families.near, DECIDE),
    Family("families-beliefs", 60, recorded_families.beliefs, DECIDE),
    Family("families-inputs", 90, recorded_families.of_inputs, DECIDE),
    Family("families-wide", 36, recorded_families.wide, DECIDE),
    Family("families-scales", 20, recorded_families.scales, ("calibrate",)),
    Family("families-radius", 30, recorded_families.around, ("calibrate --radius tv",)),
    Family("families-moved", 20, recorded_families.moved, ("calibrate --radius winf",)),
    Family("families-rest", 60, recorded_families.any_rest, DECIDE),
    Family("families-certificate", 63, recorded_families.proved, PROVE),
)
COUNT = sum(family.count for family in FAMILIES)
