"""Random problems with densities, of every kind that makes a decision hard."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from pfverify import GaussianNoise, Laplace, Mixture, Problem

KINDS = ("plain", "near", "ratio", "far", "atoms", "shift", "shared")
Part = tuple[Fraction, Fraction, Fraction]  # weight, mean, variance


def mixture(parts: list[Part]) -> Mixture:
    """A mixture from (weight, mean, variance)."""
    return Mixture([{"weight": w, "mean": m, "variance": v} for w, m, v in parts])


def _weights(random: Random, count: int) -> list[Fraction]:
    numbers = [random.randint(1, 9) for _ in range(count)]
    return [Fraction(n, sum(numbers)) for n in numbers]


def _plain(random: Random, count: int) -> list[Part]:
    return [
        (w, Fraction(random.randint(-60, 60), 10), Fraction(random.randint(1, 60), 10))
        for w in _weights(random, count)
    ]


def random_priors(random: Random, kind: str) -> tuple[list[Part], list[Part]]:
    """Two mixtures of one to six components each, of a kind from KINDS."""
    first = _plain(random, random.randint(1, 6))
    if kind == "plain":
        return first, _plain(random, random.randint(1, 6))
    if kind == "near":  # nearly equal priors
        tiny = Fraction(1, 10**12)
        change = random.randrange(len(first))
        second = [
            (w, m + tiny * (k == change), v + tiny * random.randint(0, 1))
            for k, (w, m, v) in enumerate(first)
        ]
        return first, second
    if kind == "ratio":  # variances of very different size
        sizes = [Fraction(10) ** random.choice((-8, -4, 0)) for _ in range(12)]
        second = _plain(random, random.randint(1, 4))
        return (
            [(w, m, v * s) for (w, m, v), s in zip(first, sizes, strict=False)],
            [(w, m, v * s) for (w, m, v), s in zip(second, sizes[6:], strict=False)],
        )
    if kind == "far":  # components far apart
        second = _plain(random, random.randint(1, 4))
        away = Fraction(10) ** random.choice((3, 6))
        return (
            [(w, m + away * (k % 2), v) for k, (w, m, v) in enumerate(first)],
            [(w, m + away * (k % 2), v) for k, (w, m, v) in enumerate(second)],
        )
    if kind == "atoms":  # some components are atoms
        second = _plain(random, random.randint(1, 4))
        return (
            [(w, m, v * random.randint(0, 1)) for w, m, v in first],
            [(w, m, v * (k == 0)) for k, (w, m, v) in enumerate(second)],
        )
    if kind == "shift":  # a translate, component by component
        move = Fraction(random.randint(1, 30), 10)
        return first, [(w, m + move, v) for w, m, v in first]
    weights = _weights(random, len(first))  # shared: the same laws, other weights
    return first, [(w, m, v) for w, (_, m, v) in zip(weights, first, strict=True)]


def random_problem(random: Random, kind: str | None = None) -> Problem:
    """A problem with a scale near the interesting range."""
    kind = kind or random.choice(KINDS)
    first, second = random_priors(random, kind)
    if all(v == 0 for _, _, v in [*first, *second]):
        first = [(w, m, Fraction(1)) for w, m, _ in first]
    epsilon = random.choice([Fraction(0), Fraction(1, 10), Fraction(1), Fraction(2), "log(2)"])
    delta = random.choice([Fraction(0), Fraction(1, 100), Fraction(1, 10), Fraction(3, 10)])
    if kind == "near":
        epsilon = random.choice([Fraction(0), Fraction(1, 10**12), Fraction(1)])
        delta = random.choice([Fraction(0), Fraction(1, 10**13), Fraction(1, 10**12)])
    form = "pointwise" if random.random() < 0.2 else "events"
    size = Fraction(random.randint(1, 40), random.choice((4, 10, 20)))
    if kind in ("ratio", "far") and random.random() < 0.3:
        size *= Fraction(10) ** random.choice((-4, 4))
    noise = GaussianNoise(size) if random.random() < 0.35 else Laplace(size)
    priors = {"a": mixture(first), "b": mixture(second)}
    return Problem(priors=priors, noise=noise, epsilon=epsilon, delta=delta, form=form)
