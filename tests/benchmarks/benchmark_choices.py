"""Speed of choices among noisy numbers: one vector against all that differ in one, and beliefs."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from time import perf_counter

from benchmark_measure import Row, ratio_row, seconds_text

from pfverify import Joint, Laplace, Problem, certify
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check

ARGMAX = [{"select": "argmax"}]


@dataclass(frozen=True)
class ChoiceSizes:
    """Of one vector and all that differ in one: numbers; of beliefs: numbers, and points of each.
    """

    numbers: int = 50
    few: int = 20
    points: int = 100


def neighbours(size: int) -> Problem:
    """Counts, and every vector that has one more in one place; the loss is at most 1/scale."""
    names = [f"c{k}" for k in range(size)]
    counts = [10 + (7 * k * k) % 41 for k in range(size)]
    more = {f"more {k}": [x + (j == k) for j, x in enumerate(counts)] for k in range(size)}
    priors = {name: Joint(names, [[*x, 1]]) for name, x in {"base": counts, **more}.items()}
    return Problem(priors, noise=Laplace(10), epsilon="1/5", post=ARGMAX,
                   pairs=[("base", name) for name in more])  # fmt: skip


def beliefs(size: int, points: int) -> Problem:
    """Two laws of as many random points."""
    rng, names = Random(1), [f"c{k}" for k in range(size)]

    def law() -> Joint:
        found = {tuple(rng.randint(0, 9) for _ in range(size)) for _ in range(points)}
        return Joint(names, [[*x, Fraction(1, len(found))] for x in sorted(found)])

    return Problem({"a": law(), "b": law()}, noise=Laplace(4), epsilon="1/5", post=ARGMAX)


def choice_rows(sizes: ChoiceSizes) -> list[Row]:
    """The decision, and the kernel's check beside it."""
    found = []
    for work, size, problem in (
        ("argmax, all pairs that differ in one", f"{sizes.numbers} numbers",
         neighbours(sizes.numbers)),
        ("argmax of beliefs", f"{sizes.few} numbers, {sizes.points} points each",
         beliefs(sizes.few, sizes.points)),
    ):  # fmt: skip
        start = perf_counter()
        result = certify(problem)
        decided = perf_counter() - start
        found.append(Row(work, size, seconds_text(decided), "", "", ""))
        with tempfile.TemporaryDirectory() as folder:
            path, certificate = Path(folder) / "problem.json", Path(folder) / "certificate"
            path.write_text(json.dumps(problem.to_table()), "utf-8")
            write_verdict(certificate, path, problem, result, attest=False)
            start = perf_counter()
            check(path, certificate)
            checked = perf_counter() - start
        found.append(ratio_row(f"kernel check, {work}", size, checked, "certify()", decided))
    return found
