"""Every route x every law. The laws are written once, against the contract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from support import tally
from support.kernel_run import accepted_certificate, kernel_said

from contract.contract_cases import (
    NOISE_MAKERS,
    PRIOR_MAKERS,
    only_pair,
    problems,
    takes,
    terms,
)
from pfverify import (
    BoundedLaplace,
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    Finite,
    Gaussian,
    Gumbel,
    InputError,
    Laplace,
    Mixture,
    Nothing,
    Problem,
    TruncatedDiscreteLaplace,
    TruncatedLaplace,
    certify,
    loss,
)
from pfverify.answers.decided import decided_scale
from pfverify.decide.comparison import Comparison
from pfverify.decide.routes import (
    DIVERGENCES,
    REDUCTIONS,
    VECTORS,
    Reduction,
    comparison,
    routes_for,
)
from pfverify.decide.routes import ROUTES as ALL_ROUTES
from pfverify.decide.routes import Route as OfForm
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import Number
from pfverify.exact.written import written
from pfverify.laws.kinds import ADDED
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.families.family import Family
from pfverify.model.kinds import NOISES, PRIORS
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.notion import NOTIONS, Bound
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.kinds import OF_NOISE
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Repeated
from pfverify.scales.minimum import verdict_at, without_noise

# the others have laws of their own: test_channel_laws, test_spread for balls as a whole, and
# test_sweeps for priors no file states
BY_NAME = {**ALL_ROUTES, **{one.name: one for one in REDUCTIONS.values()}}
ROUTES = [route for name, route in BY_NAME.items() if name in terms()]
Route = OfForm | Reduction
DIGITS = 6
BITS = 512  # at which steps are written for the kernel
WITHOUT_PROOF = "composition needs a monotone ratio, of normal laws of one variance"
CASES = 14  # problems for each route and law, half as many by charts, which take longest
Counts = Counter[str]
Law = Callable[[Route, Problem, Counts], None]
"""Raises where a route breaks the law on a problem; counts what it met."""


def orders(route: Route, problem: Problem) -> tuple[Comparison, Comparison]:
    return route.orders(only_pair(problem))


def ends(enclosure: Enclosure) -> tuple[Fraction | float, Fraction | float]:
    low, high = (x if x == "inf" else Fraction(x) for x in (enclosure.lower, enclosure.upper))
    return (float("inf") if low == "inf" else low), (float("inf") if high == "inf" else high)


def meet(one: Enclosure, other: Enclosure, factor: Fraction = Fraction(1)) -> bool:
    """Whether two enclosures, the second times a factor, may be about one number."""
    (a, b), (c, d) = ends(one), ends(other)
    return a <= d * factor and c * factor <= b


def at_most(one: Enclosure, other: Enclosure) -> bool:
    return ends(one)[0] <= ends(other)[1]


def same(one: Comparison, other: Comparison, density: Fraction = Fraction(1)) -> None:
    """Two comparisons give the same answers; excesses of densities differ by a factor."""
    signs = one.settled().sign, other.settled().sign
    if None not in signs:
        assert (signs[0] == 1) == (signs[1] == 1)
    assert meet(written(one.loss().value, DIGITS), written(other.loss().value, DIGITS))
    assert meet(written(one.exceeding(), DIGITS), written(other.exceeding(), DIGITS), density)


def moved(prior: Prior, factor: Fraction, shift: Fraction) -> Prior:
    """The law of factor * X + shift."""
    if isinstance(prior, Joint):
        rows = {tuple(x * factor + shift for x in p): m for p, m in prior.mass.items()}
        return Joint.of(prior.names, rows)
    if isinstance(prior, Discrete):
        return Discrete({a * factor + shift: m for a, m in prior.mass.items()})
    return Mixture([
        {"weight": w, "mean": m * factor + shift, "variance": v * factor * factor}
        for w, m, v in prior.components
    ])


def spread(prior: Prior, shift: Fraction) -> Prior:
    """The law of X + Z, Z independent and 0 or `shift` with probability 1/2 each."""
    if isinstance(prior, Joint):
        rows: dict[tuple[Fraction, ...], Fraction] = {}
        for (x, *rest), mass in prior.mass.items():
            for z in (Fraction(0), shift):
                rows[(x + z, *rest)] = rows.get((x + z, *rest), Fraction(0)) + mass / 2
        return Joint.of(prior.names, rows)
    parts = [
        {"weight": w / 2, "mean": m + z, "variance": v}
        for w, m, v in prior.components
        for z in (Fraction(0), shift)
    ]
    return Mixture(parts)


def changed(
    problem: Problem, change: Callable[[Prior], Prior], noise: Release | None = None
) -> Problem:
    (table,) = problem.beliefs.values()
    return Problem(
        priors={name: change(prior) for name, prior in table.items()},
        noise=noise or problem.release,  # type: ignore[arg-type]
        epsilon=problem.epsilon,
        delta=problem.delta,
        form=problem.form,
    )


def moved_window(noise: Release, factor: Fraction, shift: Fraction, scale: Fraction) -> Release:
    """Noise as it is, or in the window of factor * Y + shift at a scale."""
    if not isinstance(noise, BoundedLaplace):
        return noise
    low, high = sorted(factor * end + shift for end in (noise.low, noise.high))
    return BoundedLaplace(scale, low, high)


# --------------------------------------------------------------------------- the laws


def translation(route: Route, problem: Problem, counts: Counts) -> None:
    """Where both priors move alike, nothing changes."""
    shift = Fraction(17, 2)
    noise = moved_window(problem.release, Fraction(1), shift, scale_of(problem))
    other = changed(problem, lambda prior: moved(prior, Fraction(1), shift), noise)
    for one, two in zip(orders(route, problem), orders(route, other), strict=True):
        same(one, two)
        counts["compared"] += 1


def reflection(route: Route, problem: Problem, counts: Counts) -> None:
    """The mirror image of both priors has the same losses."""
    noise = moved_window(problem.release, Fraction(-1), Fraction(0), scale_of(problem))
    other = changed(problem, lambda prior: moved(prior, Fraction(-1), Fraction(0)), noise)
    for one, two in zip(orders(route, problem), orders(route, other), strict=True):
        same(one, two)
        counts["compared"] += 1


def scaling(route: Route, problem: Problem, counts: Counts) -> None:
    """In another unit only densities change: by the factor between the units."""
    factor = Fraction(3)
    noise, density = problem.release, Fraction(1)
    if isinstance(noise, DiscreteLaplace):
        larger = DiscreteLaplace(3 * scale_of(problem), step=noise.step * factor)
    elif isinstance(noise, DiscreteGaussian):
        larger = DiscreteGaussian(3 * scale_of(problem), step=noise.step * factor)
    elif isinstance(noise, TruncatedLaplace):
        larger = TruncatedLaplace(3 * scale_of(problem), bound=noise.bound * factor)
    elif isinstance(noise, BoundedLaplace):
        larger = moved_window(noise, factor, Fraction(0), 3 * scale_of(problem))
    elif isinstance(noise, TruncatedDiscreteLaplace):
        larger = TruncatedDiscreteLaplace(
            3 * scale_of(problem), noise.step * factor, noise.bound * factor
        )
    elif isinstance(noise, TableNoise):
        assert noise.weights is not None
        larger = TableNoise({factor * n: m for n, m in noise.weights.mass.items()})
    else:
        larger = noise if noise.noise.adds_nothing else noise.with_scale(3 * scale_of(problem))
        if problem.notion.exceeding is Bound.EXCESS:
            density = factor
    on_lattice = isinstance(noise, DiscreteLaplace | TruncatedDiscreteLaplace)
    if problem.form == "pointwise" and not on_lattice and problem.delta.fraction != 0:
        return  # delta itself has a unit then
    (table,) = problem.beliefs.values()
    other = Problem(
        priors={name: moved(prior, factor, Fraction(0)) for name, prior in table.items()},
        noise=larger,
        epsilon=problem.epsilon,
        delta=problem.delta,
        form=problem.form,
    )
    for one, two in zip(orders(route, problem), orders(route, other), strict=True):
        same(one, two, density)
        counts["compared"] += 1


def scale_of(problem: Problem) -> Fraction:
    scale = problem.scale().fraction
    assert scale is not None
    return scale


def swap(route: Route, problem: Problem, counts: Counts) -> None:
    """Exchanging the priors exchanges the orders."""
    (table,) = problem.beliefs.values()
    other = Problem(
        priors={"a": table["b"], "b": table["a"]},
        noise=problem.release,  # type: ignore[arg-type]
        epsilon=problem.epsilon,
        delta=problem.delta,
        form=problem.form,
    )
    first, second = orders(route, problem)
    again, before = orders(route, other)
    same(first, before)
    same(second, again)
    counts["compared"] += 2


def more_noise(route: Route, problem: Problem, counts: Counts) -> None:
    """Twice the scale loses no more: it is the noise itself and more that is independent."""
    if not problem.release.noise.has_size or problem.release.more_scale is None:
        return
    other = problem.replaced(scale=2 * scale_of(problem))
    for one, two in zip(orders(route, problem), orders(route, other), strict=True):
        assert at_most(written(two.loss().value, DIGITS), written(one.loss().value, DIGITS))
        assert at_most(written(two.exceeding(), DIGITS), written(one.exceeding(), DIGITS))
        if one.settled().sign in (-1, 0):
            assert two.settled().sign != 1
            counts["still private"] += 1
        counts["compared"] += 1


def post_processing(route: Route, problem: Problem, counts: Counts) -> None:
    """What is independent of the secret and added to the release does not add to the loss."""
    if isinstance(problem.release, BoundedLaplace):
        return  # which is not X with noise that knows nothing of X
    other = changed(problem, lambda prior: spread(prior, Fraction(1)))
    if not takes(route, only_pair(other)):
        return
    for one, two in zip(orders(route, problem), orders(route, other), strict=True):
        assert at_most(written(two.loss().value, DIGITS), written(one.loss().value, DIGITS))
        assert at_most(written(two.exceeding(), DIGITS), written(one.exceeding(), DIGITS))
        counts["compared"] += 1


def verdicts(route: Route, problem: Problem, counts: Counts) -> None:
    """The verdict alone, the full decision and the enclosures agree with each other."""
    for compared in orders(route, problem):
        settled, decided = compared.settled(), compared.decided()
        assert (settled.sign == 1) == (decided.sign == 1)
        loss = compared.loss()
        assert meet(written(decided.loss, DIGITS), written(loss.value, DIGITS))
        if compared.target.bound is Bound.RATIO:
            assert decided.worst == loss.where
        same(compared, compared.against(compared.target))
        assert (decided.breach is not None) == (decided.sign == 1)
        assert decided.evidence is not None or decided.sign not in (-1, 0)
        if settled.sign is None:
            assert settled.reason
        if compared.target.bound is not Bound.RATIO:
            delta = compared.target.delta.fraction
            low, high = ends(written(compared.exceeding(), DIGITS))
            assert low <= delta if settled.sign in (-1, 0) else high >= delta
        counts[f"sign {settled.sign}"] += 1


def least(route: Route, problem: Problem, counts: Counts) -> None:
    """The least epsilon is decided: it holds at the upper end, and fails at the lower."""
    for compared in orders(route, problem):
        if compared.target.bound is Bound.RATIO:
            continue
        found = written(compared.least_epsilon(), DIGITS)
        low, high = ends(found)
        if high != float("inf"):
            above = compared.against(compared.target.at_epsilon(Fraction(found.upper)))
            assert above.settled().sign in (-1, 0)
            counts["upper"] += 1
        if 0 < low < high:
            below = compared.against(compared.target.at_epsilon(Fraction(found.lower)))
            assert below.settled().sign == 1
            counts["lower"] += 1


def overlap(route: Route, problem: Problem, counts: Counts) -> None:
    """Another route that takes the same pair gives the same answers."""
    for other in routes_for(only_pair(problem)):
        if other is not route:
            for one, two in zip(orders(route, problem), orders(other, problem), strict=True):
                same(one, two)
                counts[f"{route.name} and {other.name}"] += 1


def certificate(route: Route, problem: Problem, counts: Counts) -> None:
    """The kernel accepts what the first route writes."""
    if next(routes_for(only_pair(problem))) is not route:
        return
    result = certify(problem, digits=3)
    if not result.undecided:
        _, word, message = accepted_certificate(problem.to_table(), problem, result)
        assert word == result.verdict, message
        counts[word] += 1


def kept(route: Route, problem: Problem, counts: Counts) -> None:
    """The kernel accepts the evidence of the verdict alone, from the problem at any scale."""
    noise = problem.release.noise
    if route.scaled is None or isinstance(noise, NoNoise) or noise.adds_nothing:
        return
    if next(routes_for(only_pair(problem))) is not route:
        return
    found = decided_scale(problem, str(scale_of(problem)))
    steps = found.steps(BITS)
    if steps is not None:
        word, message = kernel_said(problem, found.verdict, steps)
        assert word == found.verdict, message
        counts[word] += 1


def enclosed(route: Route, problem: Problem, counts: Counts) -> None:
    """The kernel certifies the upper ends of losses as targets, and refutes the lower ends."""
    if next(routes_for(only_pair(problem))) is not route:
        return
    found = loss(problem, digits=3)
    for enclosure, target in (
        (found.epsilon_star, lambda end: {"epsilon": end, "delta": 0}),
        (found.delta, lambda end: {"delta": end}),
    ):
        low, high = ends(enclosure)
        asked = [(enclosure.upper, "certified")] * (high != float("inf"))
        asked += [(enclosure.lower, "refuted")] * (0 < low < high)
        for end, expected in asked:
            if "delta" in target(end) and Fraction(target(end)["delta"]) > 1:
                continue  # of densities
            other = problem.replaced(**target(end))
            found = certify(other, digits=3)
            if found.undecided:
                continue
            _, word, message = accepted_certificate(other.to_table(), other, found)
            if message.endswith(WITHOUT_PROOF):
                expected = word = "rejected"
            assert word == expected, message
            counts[expected] += 1


def kernel_word(problem: Problem) -> str:
    return accepted_certificate(problem.to_table(), problem, certify(problem, digits=3))[1]


def equal_priors(route: Route, problem: Problem, counts: Counts) -> None:
    """What is the same under both secrets loses nothing."""
    prior = next(iter(problem.beliefs["default"].values()))
    other = changed(problem, lambda _: prior)
    if not takes(route, only_pair(other)):
        return
    for compared in orders(route, other):
        assert compared.equal
        assert compared.settled().sign in (-1, 0)
        assert written(compared.loss().value, DIGITS) == Enclosure("0", "0")
        assert ends(written(compared.exceeding(), DIGITS)) == (0, 0)
        counts["compared"] += 1
    if route.scaled is not None and not isinstance(other.release.noise, NoNoise):
        assert route.scaled(only_pair(other)).never() is None


def any_scale(route: Route, problem: Problem, counts: Counts) -> None:
    """Scales: what holds without noise holds at all, what never holds at none, larger ones help."""
    if route.scaled is None or isinstance(problem.release.noise, NoNoise):
        return
    scaled = route.scaled(only_pair(problem))
    if not problem.release.noise.adds_nothing:
        for one, two in zip(scaled.at(scale_of(problem)), orders(route, problem), strict=True):
            same(one, two)
    scales = [Fraction(1, 50), Fraction(1, 2), Fraction(2), Fraction(40)]
    found = [verdict_at(scaled, scale) for scale in scales]
    for smaller, larger in pairwise(found):
        assert (smaller, larger) != ("certified", "refuted")
    for scale in scales:
        if scaled.covers(scale):
            assert scaled.bounded() == tuple(one.settled() for one in scaled.at(scale))
            counts["bounded"] += 1
    bare = without_noise(scaled)
    if bare == "certified":
        assert "refuted" not in found
        counts["no noise needed"] += 1
    if bare == "refuted":
        assert found[0] != "certified"
    if scaled.never() is not None:
        assert "certified" not in found
        counts["never"] += 1
    counts.update(map(str, found))


LAWS: tuple[Law, ...] = (
    translation, reflection, scaling, swap, more_noise, post_processing, verdicts, least, overlap,
    certificate, kept, enclosed, equal_priors, any_scale,
)  # fmt: skip
# what a law may have nothing to say of: noise that is doubled needs noise
WITHOUT = {
    (route, law)
    for route in ("masses", "kept", "gaussian-lattice", "points")
    for law in ("more_noise", "any_scale", "kept")
}
REACHED = {
    "verdicts": ("sign -1", "sign 1"),
    "certificate": ("certified", "refuted"),
    "kept": ("certified", "refuted"),
    "enclosed": ("certified", "refuted"),
    "least": ("upper",),
    "any_scale": ("certified", "refuted", "never"),
}
OVERLAPS = {
    "masses": ("masses and charts",),
    "exponential": ("exponential and charts",),
    "charts": ("charts and exponential",),
    "kept": (),
    "gaussian-lattice": (),
    **dict.fromkeys(("points", "grid", "several"), ()),
}


TIES = {
    "masses": Problem(
        priors={"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/4", 1: "3/4"})},
        noise=NoNoise(),
        epsilon="log(2)",
    ),
    "exponential": Problem(
        priors={"a": Discrete({0: 1}), "b": Discrete({3: 1})}, noise=Laplace(2), epsilon="3/2"
    ),
    "charts": Problem(
        priors={"a": Gaussian(0, variance=1), "b": Gaussian(3, variance=1)},
        noise=Laplace(2),
        epsilon="3/2",
    ),
}
TIES["kept"] = Problem(  # where the noise reaches one atom alone
    priors=TIES["masses"].beliefs["default"], noise=TruncatedLaplace(2, bound=3), epsilon="log(2)"
)
TIES["gaussian-lattice"] = Problem(  # far out
    priors=TIES["masses"].beliefs["default"], noise=DiscreteGaussian(2), epsilon="log(2)"
)
TIES["grid"] = Problem(
    priors={
        "a": Joint(["x", "y"], [[0, 0, "1/2"], [1, 1, "1/2"]]),
        "b": Joint(["x", "y"], [[0, 1, "1/2"], [1, 0, "1/2"]]),
    },
    noise=Laplace("1/log(2+sqrt(3))"), epsilon="log(2)",
)  # fmt: skip
TIES["points"] = Problem(
    priors={
        "a": Joint(["x", "y"], [[0, 0, "1/2"], [1, 1, "1/2"]]),
        "b": Joint(["x", "y"], [[0, 0, "1/4"], [1, 1, "3/4"]]),
    },
    noise=NoNoise(), epsilon="log(2)",
)  # fmt: skip
TIES["several"] = Problem(
    priors=TIES["exponential"].beliefs["default"], noise=Repeated(Laplace(6), count=3),  # type: ignore[arg-type]
    epsilon="3/2",
)  # fmt: skip
POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
DELTA_TIES = {
    "total variation": Problem(
        priors=POINTS, noise=Laplace(1), epsilon=0, delta="1-exp(-1/2)"
    ),
    "density": Problem(
        priors=POINTS, noise=Laplace(1), epsilon=0, delta="(1-exp(-1))/2", form="pointwise"
    ),
    "mass": Problem(
        priors=POINTS,
        noise=DiscreteLaplace(1),
        epsilon=0,
        delta="(1-exp(-1))*(1-exp(-1))/(1+exp(-1))",
        form="pointwise",
    ),
}


@pytest.mark.parametrize("cases", [CASES, pytest.param(8 * CASES, marks=pytest.mark.long)])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_every_route_keeps_every_law(route: Route, law: Law, cases: int) -> None:
    counts: Counts = Counter()
    if law is overlap or route.name == "points":  # two routes rarely take one problem
        cases *= 3
    elif route.name in ("charts", "gaussian-lattice", "several") and law is not any_scale:
        cases //= 2
    for problem in problems(route, law.__name__, cases):
        law(route, problem, counts)
    names = OVERLAPS[route.name] if law is overlap else REACHED.get(law.__name__, ("compared",))
    if (route.name, law.__name__) not in WITHOUT:
        tally.reached(counts, *names)


@pytest.mark.parametrize("route", TIES)
def test_a_bound_that_is_met_exactly_holds(route: str) -> None:
    problem = TIES[route]
    first = next(routes_for(only_pair(problem)))
    assert first.name == route
    assert 0 in [compared.settled().sign for compared in orders(first, problem)]
    assert certify(problem).certified
    assert kernel_word(problem) == "certified"
    less = problem.epsilon - Number.of_rational(Fraction(1, 10**9))
    assert kernel_word(problem.replaced(epsilon=less)) == "refuted"


@pytest.mark.parametrize("name", DELTA_TIES)
def test_a_delta_that_is_met_exactly_holds(name: str) -> None:
    problem = DELTA_TIES[name]
    both = comparison(only_pair(problem))
    assert [compared.settled().sign for compared in both] == [0, 0]
    assert kernel_word(problem) == "certified"
    less = problem.delta - Number.of_rational(Fraction(1, 10**9))
    assert kernel_word(problem.replaced(delta=less)) == "refuted"


FAMILIES = {kind for kind in PRIORS.values() if issubclass(kind, Family)}
ON_ATOMS = (
    DiscreteLaplace, DiscreteGaussian, TruncatedLaplace, TruncatedDiscreteLaplace, TableNoise,
    BoundedLaplace,
)  # fmt: skip


def test_every_kind_has_a_maker() -> None:
    before_a_choice = {kind for kind in NOISES.values() if not ADDED[kind]}  # test_choices
    assert before_a_choice == {Exponential, Gumbel}
    assert set(NOISE_MAKERS) | before_a_choice == {*NOISES.values(), *OF_NOISE.values()}
    # Finite is for channels, Nothing for thresholds, and members stand for families
    assert set(PRIOR_MAKERS) | {Finite, Nothing, *FAMILIES} == set(PRIORS.values())
    routes = (*ALL_ROUTES.values(), *DIVERGENCES.values())
    notions = {kind for route in routes for kind in route.notions}
    assert notions == set(NOTIONS.values())


@pytest.mark.parametrize("noise", NOISES.values(), ids=lambda kind: kind.kind)
@pytest.mark.parametrize("prior", PRIORS.values(), ids=lambda kind: kind.kind)
def test_every_combination_has_a_route_or_is_refused_by_the_problem(
    noise: type, prior: type
) -> None:
    taken = prior in ADDED[noise]
    if noise in (Exponential, Gumbel):
        with pytest.raises(InputError, match="where a choice among several numbers follows"):
            noise(1).check_priors({}, [])
        return
    if prior is Joint:
        assert (taken or noise in VECTORS) == noise.by_coordinate  # type: ignore[attr-defined]
        return
    if prior in FAMILIES:
        assert taken == (prior is WInfinityBall and noise is Laplace)
        return
    atoms_only = noise in ON_ATOMS and prior is not Discrete
    assert taken != (atoms_only or prior in (Finite, Nothing))


def test_the_first_route_is_the_one_that_is_asked() -> None:
    for route in ROUTES:
        for problem in problems(route, "first", 6):
            first = next(routes_for(only_pair(problem)))
            asked = comparison(only_pair(problem))[0]
            assert type(asked) is type(first.orders(only_pair(problem))[0])


@pytest.fixture(autouse=True)
def coarse_grids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grids of vectors that are cut less finely: more is left undecided, and nothing takes long."""
    monkeypatch.setattr("pfverify.decide.grid.compared.DECIDED_POINTS", 1 << 12)
    monkeypatch.setattr("pfverify.decide.grid.compared.MEASURED_POINTS", 1 << 10)
