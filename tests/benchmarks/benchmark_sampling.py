"""Speed of exact samplers: seconds for draws, beside numpy's floating-point ones."""

from __future__ import annotations

from itertools import islice

import numpy as np
from benchmark_measure import Row, ratio_row, times

from pfverify import DiscreteLaplace
from pfverify.sampling.bits import bits_for
from pfverify.sampling.noises import drawer

FLOATS = "numpy, difference of two geometric draws"
TARGET = 50  # in units of numpy's draws
SCALES = {"5/2": 2.5, "1e9": 1e9, "1/log(3)": 0.910239226627}


def sampling_rows(draws: int, repeats: int) -> list[Row]:
    """Discrete Laplace noise: small, huge, and with a rate that is no fraction."""
    rng = np.random.default_rng(1)
    rows = []
    for scale, size in SCALES.items():
        draw, bits, chance = drawer(DiscreteLaplace(scale)), bits_for(draws), -np.expm1(-1 / size)
        ours, theirs = times(
            lambda draw=draw, bits=bits: [*islice(draw(bits), draws)],
            lambda p=chance: rng.geometric(p, draws) - rng.geometric(p, draws),
            repeats=repeats,
        )
        rows.append(
            ratio_row(
                f"{draws:,} exact draws of discrete Laplace noise", f"scale {scale}", ours, FLOATS,
                theirs, f"<= {TARGET}", ours <= TARGET * theirs,
            )
        )
    return rows
