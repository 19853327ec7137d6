"""Speed of choices among noisy numbers, and of local mechanisms of many states and places."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from time import perf_counter

from benchmark_measure import Row, ratio_row, seconds_text

from pfverify import Channel, GaussianNoise, Joint, Laplace, Problem, certify
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.model.releases.release import Noise

ARGMAX = [{"select": "argmax"}]
_NOISE = Laplace(10)


@dataclass(frozen=True)
class ChoiceSizes:
    """Of one vector and all that differ in one: numbers; of beliefs: numbers, and points of each;
    `side`, of a grid of places."""

    numbers: int = 50
    few: int = 20
    points: int = 100
    side: int = 30


def states(count: int) -> Problem:
    """Randomized response, of which every two states are compared."""
    names = [f"s{k}" for k in range(count)]
    channel = Channel.of({"kind": "randomized-response", "inputs": names, "epsilon": 14})
    return Problem(channel=channel, epsilon=14)


def reports(kind: str, count: int) -> Problem:
    """Subset selection or local hashing of so many inputs."""
    names = [f"s{k}" for k in range(count)]
    channel = Channel.of({"kind": kind, "inputs": names, "epsilon": 1})
    return Problem(channel=channel, epsilon=1)


def places(side: int) -> Problem:
    """Planar Laplace on a square grid, of which every two places are compared."""
    points = {f"{i},{j}": [i, j] for i in range(side) for j in range(side)}
    channel = Channel.of({"kind": "planar", "points": points, "epsilon": 1})
    return Problem(channel=channel, epsilon=2 * side)


def neighbours(size: int, noise: Noise = _NOISE, epsilon: str = "1/5") -> Problem:
    """Counts, and every vector that has one more in one place."""
    names = [f"c{k}" for k in range(size)]
    counts = [10 + (7 * k * k) % 41 for k in range(size)]
    more = {f"more {k}": [x + (j == k) for j, x in enumerate(counts)] for k in range(size)}
    priors = {name: Joint(names, [[*x, 1]]) for name, x in {"base": counts, **more}.items()}
    return Problem(priors, noise=noise, epsilon=epsilon, post=ARGMAX,
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
        ("argmax with gaussian noise, the same", f"{sizes.numbers} numbers",
         neighbours(sizes.numbers, GaussianNoise(20), "1/2")),
        ("randomized response, all pairs", f"{sizes.few * 4} states", states(sizes.few * 4)),
        ("randomized response, all pairs", f"{sizes.few * 146} states", states(sizes.few * 146)),
        ("subset selection, all pairs", f"{sizes.few * 5000} inputs",
         reports("subset-selection", sizes.few * 5000)),
        ("local hashing, all pairs", f"{sizes.few * 5000} inputs",
         reports("local-hashing", sizes.few * 5000)),
        ("planar, all pairs", f"{sizes.side} x {sizes.side} places", places(sizes.side)),
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
