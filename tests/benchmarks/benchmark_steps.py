"""Speed of steps after the noise: atoms rounded to a lattice, beside the same without steps."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random

from benchmark_measure import Row, ratio_row, times

from pfverify import Discrete, Laplace, Problem, certify
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check

ROUNDED = [{"round": {"to": 1}}]
TARGET = 3
KERNEL = 10_000  # atoms at most of the rows of the kernel


def step_rows(sizes: tuple[int, ...], repeats: int) -> list[Row]:
    """Random priors on the atoms 0 .. n-1, rounded to whole numbers, and not."""
    rows = []
    for n in sizes:
        random = Random(n)
        priors = {
            name: Discrete(counts={x: random.randint(1, 1000) for x in range(n)}) for name in "ab"
        }
        for what, epsilon, delta in (("whole certify()", 1, 0), ("delta = 1/10", "1/10", "1/10")):
            bare = Problem(priors=priors, noise=Laplace(10), epsilon=epsilon, delta=delta)
            rounded = Problem(
                priors=priors, noise=Laplace(10), post=ROUNDED, epsilon=epsilon, delta=delta
            )
            ours, without = times(
                lambda rounded=rounded: certify(rounded), lambda bare=bare: certify(bare),
                repeats=repeats,
            )  # fmt: skip
            rows.append(
                ratio_row(
                    f"{what}, rounded to whole numbers", n, ours, "the same without steps",
                    without, f"<= {TARGET}", ours <= TARGET * without,
                )
            )  # fmt: skip
            if not delta and n <= KERNEL:
                ours, without = (_checked(problem, repeats) for problem in (rounded, bare))
                rows.append(
                    ratio_row(
                        "kernel check, rounded to whole numbers", n, ours,
                        "the same without steps", without,
                    )
                )  # fmt: skip
    return rows


def _checked(problem: Problem, repeats: int) -> float:
    """Seconds of the kernel for a certificate of a problem."""
    with tempfile.TemporaryDirectory() as folder:
        path, certificate = Path(folder) / "problem.json", Path(folder) / "certificate"
        path.write_text(json.dumps(problem.to_table()), "utf-8")
        write_verdict(certificate, path, problem, certify(problem), attest=False)
        (found,) = times(lambda: check(path, certificate), repeats=repeats)
    return found
