"""Random rational channels and laws, and the largest excess by brute force over all events."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random

from pfverify.model.channels.matrix import Matrix
from pfverify.model.priors.finite import Finite


def masses(rng: Random, count: int) -> list[Fraction]:
    """Masses that sum to 1; some are 0, and few values make ties likely."""
    while not any(sizes := [rng.choice((0, 0, 1, 1, 2, 3)) for _ in range(count)]):
        pass
    return [Fraction(size, sum(sizes)) for size in sizes]


def channel(rng: Random, inputs: Sequence[str], outputs: int) -> Matrix:
    rows = [masses(rng, outputs) for _ in inputs]
    if rng.random() < 0.5:  # no zeros: every ratio is finite
        rows = [[(mass + Fraction(1, outputs)) / 2 for mass in row] for row in rows]
    return Matrix(list(inputs), [f"y{k}" for k in range(outputs)], rows)


def law(rng: Random, inputs: Sequence[str]) -> Finite:
    return Finite(dict(zip(inputs, masses(rng, len(inputs)), strict=True)))


def lifted(base: Matrix, prior: Finite) -> list[Fraction]:
    """The law of the outputs, summed up input by input."""
    total = [Fraction(0)] * len(base.outputs)
    for name, mass in prior.mass.items():
        for k, entry in enumerate(base.row(name)):
            assert isinstance(entry, Fraction)
            total[k] += mass * entry
    return total


def largest_excess(p: Sequence[Fraction], q: Sequence[Fraction], growth: Fraction) -> Fraction:
    """The largest P(B) - growth Q(B) over every event B, one by one."""
    return max(
        sum((a - growth * b for a, b, taken in zip(p, q, event, strict=True) if taken), Fraction(0))
        for event in product((False, True), repeat=len(p))
    )
