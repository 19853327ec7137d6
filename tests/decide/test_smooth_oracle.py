"""Densities against mpmath: quadrature, closed forms, samples, and the numbers of the papers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from support import smooth_oracle as oracle
from support.oracles import encloses, units_wide
from support.problems import order, problem
from support.slices import sliced
from support.smooth_cases import random_priors
from support.smooth_oracle import Gap, Law, Noise, Part, ctx, mpf, real
from support.smooth_problems import (
    answered,
    bound,
    contradictions,
    event_of,
    gap_of,
    gaussian,
    laplace,
    lost,
    normal,
    parts_of,
    smooth_problem,
    smooth_verdict,
)

from pfverify import Discrete, Gaussian, GaussianNoise, Laplace, Problem
from pfverify.exact.ball import precision, raw
from pfverify.laws.laplace import LaplaceLaw
from pfverify.laws.normal import NormalLaw
from pfverify.model.priors.prior import Component

TWO = parts_of(("1/3", -1, 2), ("2/3", "3/2", "1/5"))
ATOMS = parts_of(("1/4", 0, 0), ("1/4", 3, 0), ("1/2", 1, "1/4"))
NOISES = [laplace("7/10"), gaussian(3)]


# ------------------------------------------------------------------- the oracle itself


@pytest.mark.parametrize(
    ("parts", "noise", "y"),
    [
        (TWO, NOISES[0], "-7"),
        pytest.param(TWO, NOISES[0], "3/10", marks=pytest.mark.long),
        pytest.param(TWO, NOISES[1], "5/2", marks=pytest.mark.long),
        (ATOMS, NOISES[0], "1"),
        (ATOMS, NOISES[1], "-2"),
        (normal(0, "1/10000"), laplace(1), "1/100"),
        (normal(0, 16), laplace("1/2"), "6"),
    ],
)
def test_the_closed_form_is_the_convolution(parts: list[Part], noise: Noise, y: str) -> None:
    direct = oracle.quadrature_density(parts, noise, y)
    assert abs(Law(parts, noise).at(y) / direct - 1) < mpf(10) ** -48
    bits = 250
    with precision(bits):
        components = [Component(*part) for part in parts]
        kind, size = noise
        if kind == "laplace":
            ball = LaplaceLaw(components, raw(1 / size)).density(Fraction(y))
        else:
            ball = NormalLaw(components, size).density(Fraction(y))
        middle = mpf(ball.mid().str(60, radius=False))
    assert abs(middle / direct - 1) < mpf(10) ** -45


@pytest.mark.parametrize("noise", NOISES, ids=["laplace", "gaussian"])
@pytest.mark.parametrize("parts", [TWO, ATOMS], ids=["normals", "atoms"])
def test_the_distribution_function_is_the_integral(parts: list[Part], noise: Noise) -> None:
    law = Law(parts, noise)
    for low, high in ((-2, 1), (-9, -4)):
        direct = oracle.quadrature_mass(parts, noise, low, high)
        assert abs(law.mass(low, high) - direct) < mpf(10) ** -28


# ------------------------------------------------------------------- enclosures

PRIORS = ("plain", "atoms", "shift", "shared", "ratio", "near")


def cases(kind: str, noise: str, form: str, count: int) -> list[Problem]:
    rng = Random(f"smooth enclosures {kind} {noise} {form}")
    found = []
    while len(found) < count:
        p, q = (side[:3] for side in random_priors(rng, kind))
        p, q = ([(w / sum(x for x, *_ in s), m, v) for w, m, v in s] for s in (p, q))
        if p == q or not any(v for _, _, v in [*p, *q]):
            continue
        size = Fraction(rng.randint(5, 40), 10)
        epsilon = Fraction(rng.randint(0, 10), 10)
        delta = Fraction(rng.randint(1, 20), 100)
        made = laplace(size) if noise == "laplace" else gaussian(size)
        found.append(smooth_problem(p, q, made, epsilon, delta, form))
    return found


@pytest.mark.parametrize("count", [1, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("kind", "noise", "form"), sliced(2, PRIORS, ["laplace", "gaussian"], ["events", "pointwise"])
)
def test_enclosures_contain_the_oracle(kind: str, noise: str, form: str, count: int) -> None:
    for asked in cases(kind, noise, form, count):
        result = answered(asked)
        assert contradictions(asked, result) == []
        for found in result.pairs:
            for enclosure in (found.loss, found.delta):
                assert enclosure is not None
                if enclosure is found.loss and enclosure.upper == "inf":
                    assert noise == "gaussian"
                elif bound(enclosure.upper) > 0:
                    assert units_wide(enclosure.lower, enclosure.upper, 12) <= 2


@pytest.mark.parametrize("digits", [3, 25])
@pytest.mark.parametrize("noise", NOISES, ids=["laplace", "gaussian"])
def test_enclosures_of_any_width(noise: Noise, digits: int) -> None:
    asked = smooth_problem(TWO, normal(0, 1), noise, "1/2", "1/10")
    result = lost(asked, digits)
    for found in result.pairs:
        exact = gap_of(asked, found.from_).divergence()
        assert encloses(found.delta.lower, found.delta.upper, exact)
        assert units_wide(found.delta.lower, found.delta.upper, digits) <= 2


@pytest.mark.parametrize(
    ("kind", "noise", "form"),
    [
        pytest.param(*case, marks=() if sum(k.startswith(("a", "l", "e")) for k in case) % 2
                     else pytest.mark.long)
        for case in product(("plain", "atoms"), ("laplace", "gaussian"), ("events", "pointwise"))
    ],
)  # fmt: skip
@pytest.mark.parametrize("delta", ["1/30", pytest.param("1/100", marks=pytest.mark.long)])
def test_epsilon_at_delta_is_a_bracket(kind: str, noise: str, form: str, delta: str) -> None:
    (asked,) = cases(kind, noise, form, 1)
    positive = 0
    changed = asked.replaced(delta=delta)
    for found in lost(changed).pairs:
        bracket = found.epsilon_at_delta
        assert bracket is not None
        assert units_wide(bracket.lower, bracket.upper, 12) <= 2
        for end, sign in ((bracket.upper, -1), (bracket.lower, 1)):
            if Fraction(end) == 0 and sign > 0:
                continue
            gap = gap_of(changed.replaced(epsilon=end), found.from_)
            excess = gap.largest_excess() if form == "pointwise" else gap.divergence()
            assert sign * (excess - real(delta)) >= -(mpf(10) ** -30)
            positive += sign > 0
    assert positive > 0


# ------------------------------------------------------------------- samples


@pytest.mark.parametrize("noise", NOISES, ids=["laplace", "gaussian"])
@pytest.mark.parametrize(
    ("p", "q"),
    [(TWO, normal(0, 1)), (ATOMS, TWO), (normal(0, 4), normal(1, 1))],
    ids=["mixture", "atoms", "normals"],
)
def test_samples_stay_below_delta_and_reach_it(p: list[Part], q: list[Part], noise: Noise) -> None:
    count = 200_000
    generator = np.random.default_rng(20240611)
    epsilon = Fraction(1, 2)
    draws = [oracle.sampled(side, noise, count, generator) for side in (p, q)]
    asked = smooth_problem(p, q, noise, epsilon, "1/1000")
    factor = float(ctx.exp(real(epsilon)))
    error = 6 * (1 + factor) * 0.5 / count**0.5  # six standard deviations
    for found in answered(asked).pairs:
        first, second = draws if found.from_ == "a" else draws[::-1]
        upper, lower = float(found.delta.upper), float(found.delta.lower)
        events = [event_of(found)] if found.witness is not None else []
        events += [[(None, y)] for y in range(-6, 8, 2)] + [[(y, None)] for y in range(-5, 8, 2)]
        excesses = [
            oracle.share(first, event) - factor * oracle.share(second, event) for event in events
        ]
        assert max(excesses) <= upper + error
        if found.witness is not None:
            assert excesses[0] >= lower - error


# ------------------------------------------------------------------- closed forms


@pytest.mark.parametrize(
    ("distance", "variance", "epsilon"),
    sliced(3, ["1/10", "1", "7/2"], ["1/4", "1", "9"], ["0", "1/2", "2"]),
)
def test_the_gaussian_mechanism(distance: str, variance: str, epsilon: str) -> None:
    """Balle and Wang 2018; whether the variance is the priors' or the noise's changes nothing."""
    exact = oracle.gaussian_mechanism(distance, variance, epsilon)
    half = Fraction(variance) / 2
    atoms = Problem(
        priors={"a": Discrete({0: 1}), "b": Discrete({distance: 1})},
        noise=GaussianNoise(variance=variance),
        epsilon=epsilon,
        delta="1/10",
    )
    shared = smooth_problem(
        normal(0, half), normal(distance, half), gaussian(half), epsilon, "1/10"
    )
    for asked in (atoms, shared):
        result = answered(asked)
        assert result.verdict.value == ("certified" if exact <= real("1/10") else "refuted")
        for found in result.pairs:
            assert encloses(found.delta.lower, found.delta.upper, exact)
            assert units_wide(found.delta.lower, found.delta.upper, 12) <= 2
            assert found.loss.lower == found.loss.upper == "inf"


@pytest.mark.parametrize(("distance", "scale"), [("1", "1"), ("3/2", "1/4"), ("1/10", "2")])
def test_point_masses_given_as_normal_laws(distance: str, scale: str) -> None:
    """Variance 0 is an atom: delta is 1 - e^{(epsilon - distance/b)/2}, and the tie is exact."""
    epsilon = Fraction(1, 20)
    priors = {"a": Gaussian(0, variance=0), "b": Gaussian(distance, sd=0)}
    asked = Problem(priors=priors, noise=Laplace(scale), epsilon=epsilon, delta="1/100")
    exact = 1 - ctx.exp((real(epsilon) - real(distance) / real(scale)) / 2)
    atoms = problem({0: 1}, {distance: 1}, scale, epsilon, "1/100")
    assert asked.beliefs == atoms.beliefs
    result = answered(asked)
    assert result == answered(atoms)
    for found in result.pairs:
        assert encloses(found.delta.lower, found.delta.upper, max(exact, mpf(0)))


def test_the_exact_scale_of_point_masses() -> None:
    """b = D/(epsilon - 2 ln(1 - delta)), audit row G07, reached from priors of variance 0."""
    priors = {"a": Gaussian(0, variance=0), "b": Gaussian(2, variance=0)}
    scale = "2/(1-2*log(9/10))"
    asked = Problem(priors=priors, noise=Laplace(scale), epsilon=1, delta="1/10")
    result = answered(asked)
    assert result.verdict.value == "certified"
    assert all(found.tie for found in result.pairs)
    assert answered(asked.replaced(scale=f"{scale}*(1-1e-30)")).verdict.value == "refuted"


@pytest.mark.parametrize("epsilon", [pytest.param("0", marks=pytest.mark.long), "3/10"])
def test_narrow_normal_laws_tend_to_atoms(epsilon: str) -> None:
    """Convolved with N(0, v) the priors lose less and less: data processing, then the limit."""
    p, q = {0: "1/2", 2: "1/2"}, {0: "1/5", 1: "4/5"}
    limit = answered(problem(p, q, 1, epsilon, "1/1000"))
    before: dict[str, Fraction] = {}
    for k in (2, 6, 10, 20, 40):
        variance = Fraction(1, 10**k)
        sides = [
            [(Fraction(m), Fraction(x), variance) for x, m in table.items()] for table in (p, q)
        ]
        result = answered(smooth_problem(*sides, laplace(1), epsilon, "1/1000"))
        assert result.verdict is limit.verdict
        for found in result.pairs:
            exact = order(limit, found.from_).delta
            tiny = Fraction(10) ** -11
            assert Fraction(found.delta.lower) <= Fraction(exact.upper)
            assert Fraction(found.delta.upper) >= before.get(found.from_, Fraction(0)) - tiny
            before[found.from_] = Fraction(found.delta.lower)
            # the atoms' corners are smeared over a standard deviation
            assert Fraction(exact.lower) - Fraction(found.delta.upper) <= Fraction(10) ** (-k // 2)


# ------------------------------------------------------------------- the audit's numbers

ORIGIN, WIDE = normal(0, 1), normal(0, 4)


@pytest.mark.parametrize(
    ("mean", "delta", "low", "high", "published"),
    [
        (0, "1/100", "1.0682", "1.0695", "2.5758294"),
        (0, "1/10", "0.5880", "0.5889", "1.6448537"),
        (0, "3/10", None, "0.0506", "1.0364334"),
        (1, "1/100", "1.6309", "1.6328", "3.5758294"),
        (1, "1/10", "0.9431", "0.9445", "2.6448537"),
    ],
)
def test_g07_the_published_scale_is_private_and_loose(
    mean: int, delta: str, low: str | None, high: str, published: str
) -> None:
    """Theorem 1 of the Gaussian-priors paper for N(., 4) and N(., 1) at epsilon = 1."""

    def at(scale: str) -> str:
        return smooth_verdict(normal(0, 4), normal(mean, 1), laplace(scale), 1, delta)

    assert at(published) == "certified"
    assert at(high) == "certified"
    if low is not None:
        assert at(low) == "refuted"


def test_g07_pure_privacy_where_the_published_scale_is_infinite() -> None:
    good = answered(smooth_problem(WIDE, ORIGIN, laplace("5/4"), 1))
    assert good.verdict.value == "certified"
    assert all(Fraction(found.loss.upper) <= Fraction("0.968") for found in good.pairs)
    bad = answered(smooth_problem(WIDE, ORIGIN, laplace("6/5"), 1))
    assert bad.verdict.value == "refuted"
    # the tail: v/(2 b^2) = 3/(2 * 36/25) = 25/24
    assert encloses(order(bad, "a").loss.lower, order(bad, "a").loss.upper, real("25/24"))


@pytest.mark.parametrize(
    ("users", "low", "excess"), [(1, None, None), (2, "4", "0.035859"), (10, "37/2", "0.0007845")]
)
def test_g21_more_users_never_give_pure_privacy(
    users: int, low: str | None, excess: str | None
) -> None:
    """N(K, K) against N(K - 1, K - 1), b = mu/epsilon = 1: the loss is 3/2 for every K."""
    p = parts_of((1, users, users))
    q = parts_of((1, users - 1, users - 1))
    result = answered(smooth_problem(p, q, laplace(1), 1))
    assert result.verdict.value == "refuted"
    found = order(result, "a")
    assert encloses(found.loss.lower, found.loss.upper, real("3/2"))
    assert order(result, "b").verdict.value == "certified"
    if low is not None and excess is not None:
        half_line = Gap(p, q, laplace(1), 1).excess([(Fraction(low), None)])
        assert real(excess) <= half_line < real(excess) * mpf("1.001")
        with_delta = answered(smooth_problem(p, q, laplace(1), 1, excess))
        assert order(with_delta, "a").verdict.value == "refuted"


@pytest.mark.parametrize(
    ("p", "q", "scale", "low", "excess"),
    [
        (ORIGIN, parts_of(("1/2", 0, 1), ("1/2", 10, 1)), "5", "9", "0.104896886851742"),
        (ORIGIN, parts_of(("1/2", 0, 1), ("1/2", 2, 1)), "1", "3", "0.038850454763"),
    ],
)
def test_g25_the_published_scale_of_mixtures_is_not_private(
    p: list[Part], q: list[Part], scale: str, low: str, excess: str
) -> None:
    """Theorem 2 of the Gaussian-priors paper, at epsilon = 1: any delta > 0 is promised."""
    gap = Gap(q, p, laplace(scale), 1)
    digits = len(excess) - 2
    assert ctx.nstr(gap.excess([(Fraction(low), None)]), digits + 2)[: len(excess)] == excess
    result = answered(smooth_problem(q, p, laplace(scale), 1, excess))
    found = order(result, "a")
    assert found.verdict.value == "refuted"
    assert Fraction(found.delta.lower) >= Fraction(excess)
    # the corrected scale is the largest movement over epsilon, with delta = 0
    safe = max(abs(m) for _, m, _ in q)
    assert smooth_verdict(q, p, laplace(safe), 1) == "certified"


@pytest.mark.parametrize(
    ("before", "after", "ratio"),
    [((0, 0), (1, 3), Fraction(5)), ((0, 10), (1, 13), Fraction(8194, 1025))],
)
@pytest.mark.parametrize("variance", ["1/9", "1", "16"])
def test_g26_moving_every_mean_is_not_bounded_by_the_average(
    before: tuple[int, int], after: tuple[int, int], ratio: Fraction, variance: str
) -> None:
    """Corollary 2, e^epsilon = 4, b = 2/epsilon: the tail ratio is 5 (or 7.994), for any sigma."""
    p, q = (parts_of(*(("1/2", m, variance) for m in means)) for means in (after, before))
    result = answered(smooth_problem(p, q, Laplace("2/log(4)"), "log(4)"))
    found = order(result, "a")
    assert found.verdict.value == "refuted"
    assert encloses(found.loss.lower, found.loss.upper, ctx.log(real(ratio)))
    assert found.worst_y == "inf"
    moved = max(abs(a - b) for a, b in zip(before, after, strict=True))
    corrected = answered(smooth_problem(p, q, Laplace(f"{moved}/log(4)"), "log(4)"))
    assert corrected.verdict.value == "certified"


def test_g26_the_numbers_at_variance_one() -> None:
    p, q = parts_of(("1/2", 1, 1), ("1/2", 3, 1)), ORIGIN
    found = order(answered(smooth_problem(p, q, Laplace("2/log(4)"), "log(4)", "0.0191425")), "a")
    assert found.verdict.value == "refuted"
    gap = Gap(p, q, ("laplace", Fraction(1)), ctx.log(4))
    for law in (gap.p, gap.q):
        law.b = 2 / ctx.log(4)
    assert ctx.nstr(gap.excess([(mpf(5), None)]), 9) == "0.0191425134"
    assert ctx.nstr(gap.p.at(8) / gap.q.at(8), 9) == "4.99999242"


def test_g28_gaussian_noise_of_the_same_power_is_not_always_worse_or_better() -> None:
    """N(0,1) and N(1,1), variance 2: Laplace noise is pure, Gaussian noise is not."""
    assert smooth_verdict(ORIGIN, normal(1, 1), laplace(1), 1) == "certified"
    for found in answered(smooth_problem(ORIGIN, normal(1, 1), gaussian(2), 1, "1/100")).pairs:
        assert found.verdict.value == "refuted"
        assert str(found.delta.lower).startswith("0.01559546777")
        exact = oracle.gaussian_mechanism(1, 3, 1)
        assert encloses(found.delta.lower, found.delta.upper, exact)


def test_f8_where_the_tail_binds() -> None:
    """N(0,1) and N(1,4) at epsilon = 1: the least scale is (1 + sqrt 7)/2."""
    exact = (1 + ctx.sqrt(7)) / 2
    for move, expected in ((mpf(10) ** -9, "certified"), (-(mpf(10) ** -9), "refuted")):
        scale = Fraction(ctx.nstr(exact + move, 30))
        assert smooth_verdict(ORIGIN, normal(1, 4), laplace(scale), 1) == expected


def test_f8_where_the_interior_binds() -> None:
    """N(0,1) and N(0,4) at epsilon = 1/10: the tail root is 3.873, the least scale 7.276."""
    assert smooth_verdict(ORIGIN, WIDE, laplace("3.874"), "1/10") == "refuted"
    assert smooth_verdict(ORIGIN, WIDE, laplace("7.2765"), "1/10") == "certified"
    result = answered(smooth_problem(ORIGIN, WIDE, laplace("7.2755"), "1/10"))
    assert order(result, "a").verdict.value == "refuted"
    assert order(result, "b").verdict.value == "certified"
    assert abs(order(result, "a").worst_y) < Fraction(1, 10**4)  # an interior maximum, at 0


@pytest.mark.parametrize(("scale", "mean"), sliced(3, ["1", "3", "10"], ["0", "1", "-5/2"]))
def test_f8_bounds_the_interior_maximum(scale: str, mean: str) -> None:
    """At most -log E e^{-|G|/b}, G ~ N(m, v), v the difference of the variances."""
    result = lost(smooth_problem(normal(0, 1), normal(mean, 4), laplace(scale)))
    found = next(f for f in result.pairs if f.from_ == "a")
    kernel = Law(normal(mean, 3), laplace(scale)).at(0) * 2 * real(scale)
    assert real(found.epsilon_star.lower) <= -ctx.log(kernel)
    tail = next(f for f in result.pairs if f.from_ == "b")
    bound = abs(real(mean)) / real(scale) + 3 / (2 * real(scale) ** 2)
    assert encloses(tail.epsilon_star.lower, tail.epsilon_star.upper, bound)


@pytest.mark.parametrize("epsilon", ["0", "1/3", "1"])
def test_two_normals_under_gaussian_noise(epsilon: Any) -> None:
    """The log ratio is a quadratic: its two zeros give the divergence in closed form."""
    cases = [(0, 1, 0, 4), (0, 1, 3, 2), (-5, "1/100", 5, 9)]
    for m, v, n, u in cases:
        asked = smooth_problem(normal(m, v), normal(n, u), gaussian("1/2"), epsilon, "1/10")
        for found in answered(asked).pairs:
            sides = [normal(m, v)[0], normal(n, u)[0]]
            first, second = sides if found.from_ == "a" else sides[::-1]
            exact = oracle.two_normals(first, second, Fraction(1, 2), epsilon)
            assert encloses(found.delta.lower, found.delta.upper, exact)
