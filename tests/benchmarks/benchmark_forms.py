"""Speed of what is newer: zero-concentrated privacy, divergences of several numbers, certificates
of whole curves, tests of the digits of a sampler, and privacy maps."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from benchmark_measure import Row, seconds_text
from benchmark_renyi import laws as atoms_of_order
from benchmark_whole_curves import laws

from pfverify import Joint, Laplace, Problem, certify, loss
from pfverify.answers.curves.curve import curve
from pfverify.crosscheck.maps.held import MapQuestion, held_here
from pfverify.crosscheck.maps.stated import MapValue
from pfverify.crosscheck.samplers.leaks import LeakPair, halves, leaks_of
from pfverify.decide.targets import Target
from pfverify.exact.number import number
from pfverify.model.sources.source import DEFAULT_BELIEF


@dataclass(frozen=True)
class FormSizes:
    """Atoms of both laws; numbers of a vector; atoms of a curve; draws; keys that differ."""

    atoms: int = 100
    numbers: int = 3
    curve: int = 100
    draws: int = 20_000
    keys: int = 2


def vectors(size: int) -> Problem:
    """Two points of several numbers with Laplace noise each, at order 2."""
    names = [f"x{k}" for k in range(size)]
    priors = {name: Joint(names, [[*[value] * size, 1]]) for name, value in (("a", 0), ("b", 1))}
    return Problem(priors, noise=Laplace(2), epsilon=5, form={"kind": "renyi", "order": 2})


def told_apart(draws: int) -> Callable[[], object]:
    """The digits of textbook noise at 0 and 1, each kind of event in both orders."""
    rng = np.random.default_rng(1)
    pair = LeakPair(
        (("", "a"), ("", "b")), Target(number("1/2"), number("0")), (Fraction(0), Fraction(1)),
        (0.0, 1.0), 2.0,
    )  # fmt: skip
    split = {
        key: halves(value + rng.laplace(0, 2, draws), 0)
        for key, value in zip(pair.keys, (0.0, 1.0), strict=True)
    }
    return lambda: leaks_of(pair, split, Fraction(1, 10**6))


def keyed() -> dict[str, Any]:
    """What a threshold of integers serializes to, in OpenDP's form."""

    def made(name: str, module: str, **options: Any) -> dict[str, Any]:
        return {"__function__": name, "__module__": module, "__kwargs__": options}

    atoms = [made("atom_domain", "domains", bounds=None, T=kind) for kind in ("String", "i32")]
    return made(
        "make_laplace_threshold", "measurements", scale=2.0, threshold=20,
        input_domain=made("map_domain", "domains", key_domain=atoms[0], value_domain=atoms[1]),
        input_metric=made("l01inf_distance", "metrics",
                          metric=made("absolute_distance", "metrics", T="i32")),
    )  # fmt: skip


def held(keys: int) -> Callable[[], object]:
    """The map of a threshold, stated at one distance: verdict and truth."""
    said = MapQuestion(stated=[MapValue((keys, keys, 1), keys / 2, 1e-3)])
    return lambda: held_here(keyed(), "map", said)


def form_rows(sizes: FormSizes) -> list[Row]:
    """Each once, as it is run."""
    priors = atoms_of_order(sizes.atoms, Laplace(2)).beliefs[DEFAULT_BELIEF]
    zcdp = Problem(priors, noise=Laplace(2), epsilon="1/2", form="zcdp")
    found = []

    def row(work: str, size: str, ask: Callable[[], object]) -> None:
        start = perf_counter()
        ask()
        found.append(Row(work, size, seconds_text(perf_counter() - start), "", "", ""))

    several = vectors(sizes.numbers)
    row("zero-concentrated privacy, certify()", f"{sizes.atoms} atoms", lambda: certify(zcdp))
    row("zero-concentrated privacy, least rho", f"{sizes.atoms} atoms", lambda: loss(zcdp))
    row("divergence of several numbers, certify()", f"{sizes.numbers} numbers",
        lambda: certify(several))  # fmt: skip
    row("divergence of several numbers, loss", f"{sizes.numbers} numbers", lambda: loss(several))
    with tempfile.TemporaryDirectory() as folder:
        problem, file, proof = laws(sizes.curve), Path(folder) / "a.toml", Path(folder) / "b"
        problem.save(file)
        whole = curve(problem)
        row("certificate of a whole curve, written", f"{sizes.curve} atoms",
            lambda: whole.write(proof, problem=file))  # fmt: skip
    row("digits of a sampler, all events of a pair", f"{sizes.draws:,} draws of each",
        told_apart(sizes.draws))  # fmt: skip
    for keys in range(1, sizes.keys + 1):
        row("map of a threshold, verdict and truth", f"keys that differ: {keys}", held(keys))
    return found
