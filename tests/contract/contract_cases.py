"""Small random problems for a route, from makers per kind of noise and prior.

Every registered kind has a maker, so that a new route is tested by the laws at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from pfverify import Discrete, DiscreteLaplace, Gaussian, GaussianNoise, Laplace, Mixture, Problem
from pfverify.decide.routes import REDUCTIONS, Reduction, Route, routes_for
from pfverify.errors import InputError
from pfverify.laws.kinds import form_of, has_form
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.notion import Events
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
    BoundedLaplace: lambda scale: BoundedLaplace(scale, low=-1, high="5/2"),
    TruncatedDiscreteLaplace: lambda scale: TruncatedDiscreteLaplace(scale, "1/2", bound="3/2"),
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


Term = tuple[type[Release], type[Prior], bool]
"""A kind of noise, at scale 0 or not, and of prior."""


@cache
def terms() -> dict[str, list[Term]]:
    """Route -> the terms that it takes, of those that have makers."""
    rng, found = Random(0), defaultdict[str, list[Term]](list)
    for (noise, make), (kind, prior), bare in product(
        NOISE_MAKERS.items(), PRIOR_MAKERS.items(), (False, True)
    ):
        release = make(_scale(rng))
        if bare and release.noise.has_size:
            release = release.with_scale(0)
        if bare != release.noise.adds_nothing:
            continue
        law = prior(rng)
        if noise in REDUCTIONS:
            found[REDUCTIONS[noise].name].append((noise, kind, bare))
        elif has_form(law, release):
            for form in form_of(law, release).forms:
                if form == "masses" or noise is not TableNoise:  # there is no scale to ask about
                    found[form].append((noise, kind, bare))
    return found


def takes(route: Route | Reduction, item: Question) -> bool:
    """Whether a route applies to a question."""
    return any(route is other for other in routes_for(item))


def problems(route: Route | Reduction, name: str, count: int) -> Iterator[Problem]:
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


def _by_name(kinds: Iterable[type]) -> list[type]:
    return sorted(kinds, key=lambda kind: kind.__name__)


def _problem(route: Route | Reduction, rng: Random) -> Problem | None:
    taken = terms()[route.name]
    bare = {how for *_, how in taken}
    chosen = bare.pop() if len(bare) == 1 else rng.random() < 0.2
    kind = rng.choice(_by_name({noise for noise, _, how in taken if how == chosen}))
    noise = NOISE_MAKERS[kind](_scale(rng))
    if chosen and noise.noise.has_size:
        if isinstance(noise, Repeated) and len(noise.shares) > 1:
            return None  # no file states a list of scales of 0
        noise = noise.with_scale(0)
    kinds = {prior for one, prior, how in taken if (one, how) == (kind, chosen)}
    makers = [PRIOR_MAKERS[prior] for prior in _by_name(kinds)]
    notions = route.notions if isinstance(route, Route) else {Events}
    try:
        problem = Problem(
            priors={"a": rng.choice(makers)(rng), "b": rng.choice(makers)(rng)},
            noise=noise,  # type: ignore[arg-type]
            epsilon=rng.choice([Fraction(0), *(Fraction(1, k) for k in (20, 5, 2)), Fraction(2)]),
            delta=rng.choice([Fraction(0), Fraction(rng.randint(1, 20), 100)]),
            form=rng.choice(_by_name(notions)).name,
        )
    except InputError:  # noise on a lattice that is not the atoms'
        return None
    item = only_pair(problem)
    if not takes(route, item):
        return None
    if not noise.noise.has_size and problem.form == "pointwise" and _has_atoms(item):
        return None  # refused for want of a density, unless masses are meant
    return problem


def _has_atoms(item: Question) -> bool:
    return any(
        part.variance == 0
        for prior in item.priors
        for part in prior.components
    )
