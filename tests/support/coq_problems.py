"""Random problems of atoms with Laplace noise, the same in every run, many of them exact ties."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle, islice
from math import lcm
from random import Random

from pfverify import Discrete, Laplace, Problem
from pfverify.exact.grid import Grid
from pfverify.scales.minimum import minimum_scale

EPSILONS = (
    "1/2",
    "1",
    "5/2",
    "log(3)",
    "2/3*log(2)",
    "1/4 + log(3/2)",
    "3 - log(5)",
    "log(2) + log(3)/2",
)
SCALES = ("1", "7/3", "3/log(3)", "1/log(2)", "2/(1/3 + log(5/4))", "1/log((exp(1) - 1/2)/(1/2))")
SIZES = (1, 2, 2, 3, 4, 6, 9, 12)
UNITS = (1, 1, 1, 2, 4, 30)


def _prior(rng: Random, size: int, unit: int) -> Discrete:
    atoms = rng.sample(range(-2 * size, 2 * size + 1), size)
    most = 10 ** rng.choice((1, 1, 2, 5))
    return Discrete(counts={Fraction(x, unit): rng.randint(1, most) for x in atoms})


def _two(rng: Random) -> dict[str, Discrete]:
    unit = rng.choice(UNITS)
    return {name: _prior(rng, rng.choice(SIZES), unit) for name in ("a", "b")}


def _any(rng: Random) -> Problem:
    return Problem(
        priors=_two(rng), noise=Laplace(rng.choice(SCALES)), epsilon=rng.choice(EPSILONS)
    )


def _beliefs(rng: Random) -> Problem:
    """Three secrets and two beliefs: six pairs."""
    beliefs = {belief: {**_two(rng), "c": _prior(rng, 3, 2)} for belief in ("early", "late")}
    scale = rng.choice(("9", "40/3", *SCALES))
    return Problem(beliefs=beliefs, noise=Laplace(scale), epsilon=rng.choice(EPSILONS))


def _at_the_minimum(rng: Random) -> Problem:
    """One of the two ends of the bracketed minimum, which may be far below any table's digits."""
    problem = Problem(priors=_two(rng), noise=Laplace(1), epsilon=rng.choice(EPSILONS))
    found = minimum_scale(problem, Grid(rng.choice((2, 6, 12, 25))))
    end = rng.choice((found.lower, found.upper)) or Fraction(1, 10**6)
    return problem.replaced(scale=end)


def _shifted(rng: Random) -> Problem:
    """A tie in both tails: a prior and itself, moved by what epsilon allows, or a hair more."""
    prior, step, epsilon = _two(rng)["a"], Fraction(rng.randint(1, 9), 2), rng.choice(EPSILONS)
    moved = Discrete(mass={x + step: m for x, m in prior.mass.items()})
    scale = f"{step}*{rng.choice((1, 1, 1, 1 - Fraction(1, 10**12)))}/({epsilon})"
    return Problem(priors={"a": prior, "b": moved}, noise=Laplace(scale), epsilon=epsilon)


def _rational(rng: Random) -> Problem:
    """A tie: e^(-1/theta) and so the largest ratio are rational, and epsilon is its logarithm."""
    priors, base = _two(rng), rng.choice((2, 3, Fraction(5, 2), 10))
    unit = lcm(*(x.denominator for prior in priors.values() for x in prior.mass))
    atoms = {x for prior in priors.values() for x in prior.mass}

    def release(prior: Discrete, y: Fraction) -> Fraction:
        powers = (m * Fraction(1) / base ** int(abs(x - y) * unit) for x, m in prior.mass.items())
        return sum(powers, Fraction(0))

    sums = [(release(priors["a"], y), release(priors["b"], y)) for y in atoms]
    epsilon = f"log({max(max(p / q, q / p) for p, q in sums)})"
    return Problem(priors=priors, noise=Laplace(f"1/({unit}*log({base}))"), epsilon=epsilon)


def _quotient(rng: Random) -> Problem:
    """The closed form of two Bernoulli laws plus a user: e^(-1/theta) is a quotient in e."""
    low, high = sorted((Fraction(rng.randint(0, 5), 20), Fraction(rng.randint(16, 20), 20)))
    other = Fraction(rng.randint(0, 6), 6)
    epsilon, power = rng.choice((("1", "exp(1)"), ("1/2", "exp(1/2)"), ("log(3)", "3")))
    laws = {name: {0: 1 - p, 1: p} for name, p in (("a", low), ("b", high))}
    scale = f"1/log(({power}*{1 - low} - {1 - high})/({high} - {power}*{low}))"
    if rng.random() < 1 / 2:
        scale = f"1/log(({power}*{high} - {low})/({1 - low} - {power}*{1 - high}))"
    priors = {}
    for name, law in laws.items():
        mass: dict[Fraction, Fraction] = {}
        for x, p in law.items():
            for k, q in ((0, 1 - other), (1, other)):
                mass[Fraction(x + k)] = mass.get(Fraction(x + k), Fraction(0)) + p * q
        priors[name] = Discrete(mass={x: m for x, m in mass.items() if m})
    return Problem(priors=priors, noise=Laplace(scale), epsilon=epsilon)


KINDS = (_any, _beliefs, _at_the_minimum, _any, _shifted, _at_the_minimum, _rational, _quotient)


def random_problems(count: int, seed: int = 18) -> Iterator[Problem]:
    """The first problems of the battery, of all kinds in turns."""
    rng = Random(seed)
    return (kind(rng) for kind in islice(cycle(KINDS), count))
