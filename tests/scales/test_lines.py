"""The float pass over the lines of a plan: what it clears holds strictly, whatever the numbers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from pfverify.exact.ball import precision, raw, raw_float
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number, number
from pfverify.scales.lines import _powers
from pfverify.scales.relaxed import PlanSide, RelaxedPair
from pfverify.transport.line_plan import LinePlan

MASSES = {
    "few": lambda rng: rng.randint(1, 20),
    "even": lambda rng: 1,
    "far apart": lambda rng: 10 ** rng.randint(0, 40),
    "beyond any float": lambda rng: rng.choice([1, 10**308, 10**330]),
    "the least floats": lambda rng: rng.choice([1, 2**62 - 1, 10**306]),
}
DISTANCES = {
    "near": lambda rng: rng.randint(0, 5),
    "one digit and more": lambda rng: rng.choice([0, 1, 1023, 1024, 1025, 2**20]),
    "62 bits": lambda rng: rng.choice([0, 1, 2**61, 2**61 - 1]),
    "beyond 62 bits": lambda rng: rng.choice([0, 2, 2**70, 2**70 - 1]),
}
EPSILONS = ("1/1000", "1", "log(3)", "30", "800")


def random_side(rng: Random, masses: str, distances: str, epsilon: Number) -> PlanSide:
    """Return the columns of some edges, of several lengths, in no order of their lines."""
    edges = []
    for k in range(rng.randint(1, 9)):
        y = k * 2**72 if distances == "beyond 62 bits" else k
        for _ in range(rng.randint(1, 5)):
            far = DISTANCES[distances](rng)
            edges.append((y + rng.choice([-far, far]), y, MASSES[masses](rng)))
    rng.shuffle(edges)
    return RelaxedPair(LinePlan.of_edges(edges, 3, sum(m for *_, m in edges)), epsilon).columns


@pytest.mark.parametrize("masses", MASSES)
@pytest.mark.parametrize("distances", DISTANCES)
def test_no_line_is_cleared_that_may_fail(masses: str, distances: str) -> None:
    """Against the exact sign of every line, at scales next to where one is tight, and at ties."""
    rng, met = Random(masses + distances), Counter[str]()
    for _ in range(8):
        for text in EPSILONS:
            epsilon = number(text)
            side = random_side(rng, masses, distances, epsilon)
            if not side.moves:
                continue
            lines = [side.lines[k] for k in range(len(side.lines))]
            tight = side.polished(Grid(17))
            scales = [tight * (1 + k * Fraction(1, 10**14)) for k in (-10, -1, 0, 1, 10)]
            scales += [tight / 3, tight * 3, tight / 10**6]
            if epsilon.fraction is not None:  # all mass as far as any: a tie
                scales += [max(one.masses)[0] * side.unit / epsilon.fraction for one in lines]
            for scale in scales:
                signs = [one.sign(scale, epsilon, side.unit) for one in lines]
                left = side.lines.doubtful(side.unit / scale, epsilon).tolist()
                assert {k for k, sign in enumerate(signs) if sign >= 0} <= set(left)
                assert side.sign(scale) == max(signs)
                met["cleared"] += len(lines) - len(left)
                met["doubted, and strict"] += sum(signs[k] == -1 for k in left)
                met["tie"] += signs.count(0)
                met["fails"] += signs.count(1)
    assert min(met[case] for case in ("cleared", "doubted, and strict", "tie", "fails")) > 10, met


@pytest.mark.parametrize("rate", ["1e-30", "1/1000", "1/7", "3", "700", "1e9"])
def test_powers_are_as_near_as_they_say(rate: str) -> None:
    distance = np.array([0, 1, 5, 1023, 1024, 2**20 - 1, 2**40 + 12345, 2**61], np.int64)
    found = _powers(distance, Fraction(rate), 7)
    finite = 0
    with precision(300):
        for far, value in zip(distance.tolist(), found.tolist(), strict=True):
            true = (raw(Fraction(rate)) * far).exp()
            if value == float("inf"):
                assert true > raw_float(1e300)
                continue
            finite += 1
            assert abs(raw_float(value) - true) <= true * raw_float(2.0**-53) * 22
    assert finite == {"1e9": 1, "700": 2, "3": 3, "1/7": 5, "1/1000": 5, "1e-30": 8}[rate]
