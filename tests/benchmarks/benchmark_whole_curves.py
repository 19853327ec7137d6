"""Speed of whole curves: of the bounds, and of the kernel's check of one certificate."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from benchmark_measure import Row, seconds_text

from pfverify import Discrete, Laplace, Problem
from pfverify.answers.curves.curve import curve
from pfverify.certificate.checking import check


@dataclass(frozen=True)
class CurveSizes:
    """Atoms of both laws whose bounds are 1e-4 apart, and of those whose certificate is checked."""

    atoms: int = 1_000
    checked: int = 100


def laws(size: int) -> Problem:
    """Two random laws on 0 to size - 1."""
    rng = Random(size)
    priors = {
        name: Discrete(counts={k: rng.randint(1, 1000) for k in range(size)})
        for name in ("a", "b")
    }
    return Problem(priors, noise=Laplace(3), epsilon=1)


def whole_curve_rows(sizes: CurveSizes) -> list[Row]:
    """Bounds of delta and of the errors of tests, and the check of the first."""
    found = []
    for kind in ("profile", "trade-off"):
        start = perf_counter()
        curve(laws(sizes.atoms), kind)
        taken = seconds_text(perf_counter() - start)
        found.append(Row(f"whole curve, {kind}", f"{sizes.atoms} atoms", taken, "", "", ""))
    with tempfile.TemporaryDirectory() as folder:
        problem, file, proof = laws(sizes.checked), Path(folder) / "a.toml", Path(folder) / "b"
        problem.save(file)
        curve(problem).write(proof, problem=file)
        start = perf_counter()
        check(file, proof)
        taken = seconds_text(perf_counter() - start)
    size = f"{sizes.checked} atoms"
    return [*found, Row("check of a whole curve, profile", size, taken, "", "", "")]
