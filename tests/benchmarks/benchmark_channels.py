"""Speed with finite channels: rational matrices, related pairs of inputs, tuples with dummies."""

from __future__ import annotations

from random import Random

import numpy as np
from benchmark_measure import Row, ratio_row, times

from pfverify import Channel, Problem, loss
from pfverify.model.channels.tupling import Tupling
from pfverify.model.protection import Protection

FLOATS = "float64 matrix, no proof"
DRAWS = 100_000
SAMPLE = f"Monte Carlo, {DRAWS:,} draws, no proof"
TUPLES_TARGET = 10  # seconds
PAIRS_TARGET = {1000: 30}  # n -> times the float matrix
EPSILON = "1/2"


def random_channel(size: int) -> Channel:
    """A channel of `size` inputs and outputs, rational entries of small denominators."""
    rng = Random(size)
    rows = []
    for _ in range(size):
        weights = [rng.randint(50, 100) for _ in range(size)]
        rows.append([f"{weight}/{sum(weights)}" for weight in weights])
    inputs, outputs = ([f"{letter}{k}" for k in range(size)] for letter in "xy")
    return Channel.of({"kind": "matrix", "inputs": inputs, "outputs": outputs, "rows": rows})


def ring(channel: Channel, delta: str) -> Problem:
    """Every input against the next: as many pairs as inputs."""
    names = channel.inputs
    related = [[name, names[(k + 1) % len(names)]] for k, name in enumerate(names)]
    held = Protection("dp", inputs=names, inputs_related=related)
    return Problem(channel=channel, protection=held, epsilon=EPSILON, delta=delta)


def float_losses(matrix: np.ndarray, epsilon: float) -> tuple[float, float]:
    """The largest log ratio and the largest divergence of the same pairs, both orders."""
    others = np.roll(matrix, -1, axis=0)
    ratios = np.log(matrix / others)
    excess = [
        np.maximum(a - np.exp(epsilon) * b, 0).sum(axis=1).max()
        for a, b in ((matrix, others), (others, matrix))
    ]
    return float(np.abs(ratios).max()), float(max(excess))


def channel_rows(sizes: tuple[int, ...], repeats: int) -> list[Row]:
    """epsilon* and delta of every pair of a ring of inputs, both orders, to 12 digits."""
    rows = []
    for size in sizes:
        channel = random_channel(size)
        problem = ring(channel, "1/1000")
        matrix = np.array([[float(mass) for mass in row] for row in channel.rows])
        ours, theirs = times(
            lambda problem=problem: loss(problem),
            lambda matrix=matrix: float_losses(matrix, 0.5),
            repeats=repeats,
        )
        work = "epsilon*, delta, epsilon(delta) of n pairs, n x n channel"
        target = PAIRS_TARGET.get(size)
        bound = () if target is None else (f"<= {target}", ours <= target * theirs)
        rows.append(ratio_row(work, size, ours, FLOATS, theirs, *bound))
    return rows


def random_tuples(outputs: int, dummies: int) -> Problem:
    """Two inputs of a random channel among uniform dummies."""
    rng = Random(outputs)
    rows = []
    for _ in "ab":
        weights = [rng.randint(1, 1000) for _ in range(outputs)]
        rows.append([f"{weight}/{sum(weights)}" for weight in weights])
    names = [f"y{k}" for k in range(outputs)]
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": names, "rows": rows}
    channel = Channel.of({"kind": "tupling", "base": base, "dummies": dummies})
    return Problem(channel=channel, epsilon=EPSILON, delta="1/1000")


def sampled_delta(
    first: np.ndarray, second: np.ndarray, dummies: int, epsilon: float, draws: int = DRAWS
) -> float:
    """The mean of [sum w]_+ over tuples of dummies, which is about the divergence."""
    worth = (first - np.exp(epsilon) * second) * len(first)
    drawn = np.random.default_rng(1).integers(len(first), size=(draws, dummies + 1))
    return float(np.maximum(worth[drawn].sum(axis=1), 0).mean() / (dummies + 1))


def tuple_rows(sizes: tuple[tuple[int, int], ...], repeats: int) -> list[Row]:
    """epsilon*, delta and epsilon(delta) of the tupling mechanism, both orders, to 12 digits."""
    rows = []
    for outputs, dummies in sizes:
        problem = random_tuples(outputs, dummies)
        assert isinstance(problem.release, Tupling)
        laws = [np.array([float(mass) for mass in row]) for row in problem.release.base.rows]
        ours, theirs = times(
            lambda problem=problem: loss(problem),
            lambda laws=laws, dummies=dummies: sampled_delta(*laws, dummies, 0.5),
            repeats=repeats,
        )
        rows.append(ratio_row("epsilon*, delta, epsilon(delta) of tuples with dummies",
                              f"{outputs} outputs, {dummies} dummies", ours, SAMPLE, theirs,
                              f"<= {TUPLES_TARGET} s", ours <= TUPLES_TARGET))  # fmt: skip
    return rows
