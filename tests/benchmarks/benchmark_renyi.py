"""Speed of Renyi divergences: the number, the least scale, and the kernel's check beside it."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from benchmark_measure import Row, ratio_row, seconds_text

from pfverify import Discrete, GaussianNoise, Laplace, Problem, calibrate, certify, loss
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.model.releases.release import Noise


@dataclass(frozen=True)
class RenyiSizes:
    """Atoms of both laws with Laplace noise, and with Gaussian noise."""

    atoms: tuple[int, ...] = (100, 1_000)
    bells: int = 20


def laws(size: int, noise: Noise) -> Problem:
    """Two random laws on 0 to size - 1, to be decided at order 2."""
    rng = Random(size)
    priors = {
        name: Discrete(counts={k: rng.randint(1, 9) for k in range(size)}) for name in ("a", "b")
    }
    return Problem(priors, noise=noise, epsilon=1, form={"kind": "renyi", "order": 2})


def renyi_rows(sizes: RenyiSizes) -> list[Row]:
    """Twelve digits of both orders, the least scale, the verdict, and the kernel's check."""
    found = []
    for kind, noise, counts in (
        ("Laplace", Laplace(2), sizes.atoms), ("Gaussian", GaussianNoise(2), (sizes.bells,)),
    ):  # fmt: skip
        for count in counts:
            problem, size = laws(count, noise), f"{count} atoms"
            for what, ask in (("divergence", loss), ("least scale for a divergence", calibrate)):
                if what == "divergence" or count == counts[0]:
                    asked = problem.replaced(epsilon="1/100") if ask is calibrate else problem
                    start = perf_counter()
                    ask(asked)
                    taken = seconds_text(perf_counter() - start)
                    found.append(Row(f"{what}, {kind} noise", size, taken, "", "", ""))
            start = perf_counter()
            result = certify(problem)
            decided = perf_counter() - start
            with tempfile.TemporaryDirectory() as folder:
                path, certificate = Path(folder) / "problem.json", Path(folder) / "certificate"
                path.write_text(json.dumps(problem.to_table()), "utf-8")
                write_verdict(certificate, path, problem, result, attest=False)
                start = perf_counter()
                check(path, certificate)
                checked = perf_counter() - start
            work = f"kernel check, divergence, {kind} noise"
            found.append(ratio_row(work, size, checked, "certify()", decided))
    return found
