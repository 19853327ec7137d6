"""The 81 binary chains of the synthetic experiment of the Markov quilt mechanism: factors.

    python tests/benchmarks/synthetic_chains.py [LENGTH]

For p and q in {1/10, ..., 9/10} the chance to stay 0 and to stay 1 is p and q; the count of ones of
LENGTH (100) records is released with Laplace noise, epsilon 1, each record secret, stationary start
(Song, Wang and Chaudhuri, SIGMOD 2017, section 4.4). Printed are least, median and largest of each
recipe's scale over the minimum to 12 digits, and of the seconds that a minimum takes.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from itertools import product
from statistics import median

from pfverify import Chain, Laplace, Problem
from pfverify.exact.grid import Grid
from pfverify.model.problem import Problem as Stated
from pfverify.scales.minimum import minimum_scale
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.correlated import chain_quilt, chain_quilt_approx
from pfverify.scales.recipes.distances import wasserstein

RECIPES = {"MQMExact": chain_quilt, "MQMApprox": chain_quilt_approx, "W-infinity": wasserstein}


def counted(p: Fraction, q: Fraction, length: int) -> Stated:
    """The problem of one chain."""
    turn = {"0": {"0": p, "1": 1 - p}, "1": {"0": 1 - q, "1": q}}
    chain = Chain({"0": 0, "1": 1}, "stationary", turn, length, "count", "1")
    return Problem(chain=chain, noise=Laplace(), epsilon=1)


def main(length: int) -> None:
    """Work all out, and print."""
    factors: dict[str, list[float]] = {name: [] for name in RECIPES}
    seconds = []
    nines = [Fraction(k, 10) for k in range(1, 10)]
    for p, q in product(nines, nines):
        problem = counted(p, q, length)
        start = time.perf_counter()
        least = minimum_scale(problem, Grid(12)).upper
        seconds.append(time.perf_counter() - start)
        asked = RecipeProblem.of(problem, Grid(12))
        scales = {name: recipe(asked)[0] for name, recipe in RECIPES.items()}
        for name, scale in scales.items():
            factors[name].append(float(scale / least))
        print(p, q, float(least), {name: float(s) for name, s in scales.items()},
              f"{seconds[-1]:.2f} s", file=sys.stderr, flush=True)  # fmt: skip
    for name, found in [*factors.items(), ("seconds of a minimum", seconds)]:
        print(f"{name}: {min(found):.3g} {median(found):.3g} {max(found):.3g}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
