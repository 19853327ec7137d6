"""Small random problems for a route, from makers per kind of noise and prior.

Every registered kind has a maker, so that a new route is tested by the laws at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

from pfverify import Discrete, DiscreteLaplace, Gaussian, GaussianNoise, Laplace, Mixture, Problem
from pfverify.decide.routes import Route
from pfverify.errors import InputError
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.prior import Prior
from pfverify.model.question import Question
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Budget, Repeated


def _scale(rng: Random) -> Fraction:
    return Fraction(rng.randint(2, 24), 5)


NOISE_MAKERS: dict[type[Release], Callable[[Fraction], Release]] = {
    Laplace: Laplace,
    DiscreteLaplace: lambda scale: DiscreteLaplace(scale, step="1/2"),
    GaussianNoise: GaussianNoise,
    NoNoise: lambda scale: NoNoise(),
    DiscreteGaussian: lambda scale: DiscreteGaussian(scale, step="1/2"),
    TruncatedLaplace: lambda scale: TruncatedLaplace(scale, bound="3/2"),
    TableNoise: lambda scale: TableNoise({-1: "1/5", 0: "3/5", 1: "1/5"}),
    Coordinates: lambda scale: Coordinates(Laplace(), [scale, Fraction(3, 2) * scale]),
    Repeated: lambda scale: _repeated(scale),
    Budget: lambda scale: Budget(Laplace(), 1 / scale),
}


def _repeated(scale: Fraction) -> Repeated:
    """Two releases, or of some scales two draws, or three releases of two scales."""
    match int(5 * scale) % 4:
        case 0:
            return Repeated(Laplace(scale), count=2, draws="fresh")
        case 1:
            return Repeated(Laplace(), scales=[scale, 2 * scale, scale])
        case 2:
            return Repeated(GaussianNoise(scale), count=3)
        case _:
            return Repeated(Laplace(scale), count=2)


def _weights(rng: Random, count: int) -> list[Fraction]:
    sizes = [rng.randint(1, 9) for _ in range(count)]
    return [Fraction(size, sum(sizes)) for size in sizes]


def _discrete(rng: Random) -> Discrete:
    atoms = rng.sample(range(5), rng.randint(2, 4))
    masses = _weights(rng, len(atoms))
    return Discrete({Fraction(a, 2): m for a, m in zip(atoms, masses, strict=True)})


def _gaussian(rng: Random) -> Gaussian:
    return Gaussian(Fraction(rng.randint(-4, 4), 3), variance=Fraction(rng.randint(1, 8), 4))


def _mixture(rng: Random) -> Mixture:
    weights = _weights(rng, 2)
    variances = [Fraction(rng.randint(1, 8), 4), Fraction(rng.choice([0, 1, 3]), 2)]
    return Mixture([
        {"weight": w, "mean": Fraction(rng.randint(-6, 6), 4), "variance": v}
        for w, v in zip(weights, variances, strict=True)
    ])


def _joint(rng: Random) -> Joint:
    points = rng.sample([(0, 0), (0, 1), (1, 0), (2, 2)], rng.randint(2, 4))
    masses = _weights(rng, len(points))
    return Joint.of(["x", "y"], {(Fraction(x, 2), Fraction(y)): m
                                 for (x, y), m in zip(points, masses, strict=True)})  # fmt: skip


PRIOR_MAKERS: dict[type[Prior], Callable[[Random], Prior]] = {
    Discrete: _discrete,
    Gaussian: _gaussian,
    Mixture: _mixture,
    Joint: _joint,
}


def problems(route: Route, name: str, count: int) -> Iterator[Problem]:
    """Problems of two secrets that a route takes (another one may be asked first)."""
    rng = Random(f"{route.name} {name}")
    made = 0
    while made < count:
        problem = _problem(route, rng)
        if problem is not None:
            made += 1
            yield problem


def only_pair(problem: Problem) -> Question:
    (item,) = problem.questions()
    return item


def _by_name(kinds: frozenset[type]) -> list[type]:
    return sorted(kinds, key=lambda kind: kind.__name__)


def _problem(route: Route, rng: Random) -> Problem | None:
    noise = NOISE_MAKERS[rng.choice(_by_name(route.releases))](_scale(rng))
    bare = route.without_noise and (route.scaled is None or rng.random() < 0.2)
    if bare and noise.noise.has_size:
        noise = noise.with_scale(0)
    makers = [PRIOR_MAKERS[kind] for kind in _by_name(route.priors)]
    try:
        problem = Problem(
            priors={"a": rng.choice(makers)(rng), "b": rng.choice(makers)(rng)},
            noise=noise,  # type: ignore[arg-type]
            epsilon=rng.choice([Fraction(0), *(Fraction(1, k) for k in (20, 5, 2)), Fraction(2)]),
            delta=rng.choice([Fraction(0), Fraction(rng.randint(1, 20), 100)]),
            form=rng.choice(_by_name(route.notions)).name,
        )
    except InputError:  # noise on a lattice that is not the atoms'
        return None
    item = only_pair(problem)
    if not route.takes(item):
        return None
    if noise.noise.adds_nothing and problem.form == "pointwise" and _has_atoms(item):
        return None  # refused for want of a density, unless masses are meant
    return problem


def _has_atoms(item: Question) -> bool:
    return any(
        part.variance == 0
        for prior in item.priors
        for part in prior.components
    )
