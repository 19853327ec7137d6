"""Speed of verdicts on several numbers at once, and on many releases of one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

import numpy as np
from benchmark_measure import Row, ratio_row, times

from pfverify import Discrete, Laplace, Problem, certify
from pfverify.decide.grid.axes import values_on
from pfverify.decide.grid.pair import GridPair
from pfverify.laws.rate import Rate
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.repeated import Repeated

MOST, MANY = 5, 2  # times a float pass, and one release
SCALE = 20


@dataclass(frozen=True)
class SeveralSizes:
    """Values of each of three coordinates, atoms of each prior, and releases of one number."""

    values: int = 100
    atoms: int = 1_000
    releases: int = 1_000


def random_points(sizes: SeveralSizes) -> Problem:
    """Two random priors of three coordinates, the same ones in every run."""
    rng = Random(sizes.values)
    priors = {}
    for name in ("a", "b"):
        points = {tuple(rng.randrange(sizes.values) for _ in range(3)) for _ in range(sizes.atoms)}
        rows = [[*point, rng.randint(1, 1000)] for point in sorted(points)]
        priors[name] = Joint(["x", "y", "z"], counts=rows)  # type: ignore[arg-type]
    return Problem(priors=priors, noise=Laplace(SCALE), epsilon=9)


def float_pass(problem: Problem) -> float:
    """The largest log ratio on the grid in float64, which certifies nothing."""
    item = next(problem.questions())
    laws = [prior.mass for prior in item.priors]  # type: ignore[attr-defined]
    pair = GridPair((laws[0], laws[1]), [Rate(problem.scale())] * 3, None, "xyz")
    p, q = (values_on(pair.whole, law) for law in laws)
    return float(abs(np.log(p / q)).max())


def several_rows(sizes: SeveralSizes, repeats: int) -> list[Row]:
    """A verdict on a grid beside floats, and one on many releases beside one release."""
    points = random_points(sizes)
    verdict, floats = times(
        lambda: certify(points), lambda: float_pass(points), repeats=repeats
    )
    weights = Random(1)
    priors = {
        name: Discrete(counts={k: weights.randint(1, 1000) for k in range(sizes.atoms)})
        for name in ("a", "b")
    }
    scale = Fraction(SCALE)
    many, one = (
        Problem(priors=priors, noise=noise, epsilon=9)
        for noise in (Repeated(Laplace(scale * sizes.releases), count=sizes.releases),
                      Laplace(scale))
    )  # fmt: skip
    together, alone = times(lambda: certify(many), lambda: certify(one), repeats=repeats)
    grid = f"{sizes.values}^3 points, {sizes.atoms:,} atoms"
    return [
        ratio_row(
            "verdict on three numbers, certify()", grid, verdict,
            "float pass over the grid, no proof", floats, f"<= {MOST}x", verdict <= MOST * floats,
        ),
        ratio_row(
            "verdict on many releases, certify()", f"{sizes.releases:,} releases", together,
            "one release", alone, f"<= {MANY}x", together <= MANY * alone,
        ),
    ]  # fmt: skip
