"""Which of several noisy numbers is named: known values, other ways to the same, and the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

import mpmath
import numpy as np
import pytest
from support import tally
from support.kernel_run import accepted_certificate

from pfverify import (
    Coordinates,
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    GaussianNoise,
    Gumbel,
    Joint,
    Laplace,
    NoNoise,
    Problem,
    calibrate,
    certify,
    loss,
    sample,
)
from pfverify.edge.cli import main
from pfverify.errors import InputError
from pfverify.exact.number import number
from pfverify.laws.kinds import forms_of
from pfverify.model.channels.entries import ball_of
from pfverify.model.releases import selected
from pfverify.sampling.bits import Bits
from pfverify.sampling.sample import planned

ARGMAX = {"select": "argmax"}
SVT = {"first-above": {"threshold": 2, "scale": 2}}


def joint(*rows: Sequence[Any]) -> Joint:
    return Joint([f"c{k}" for k in range(len(rows[0]) - 1)], [list(row) for row in rows])


def point(*x: Any) -> Joint:
    return joint([*x, 1])


def asked(a: Joint, b: Joint, noise: Any, choice: Any, epsilon: Any = 1, delta: Any = 0) -> Problem:
    return Problem({"a": a, "b": b}, noise=noise, post=[choice], epsilon=epsilon, delta=delta)


def chances(law: Joint, noise: Any, choice: Any) -> list[float]:
    (item,) = asked(law, law, noise, choice).questions()
    return [float(ball_of(p).mid()) for p in forms_of(item)[0].released.entries]


def losses(problem: Problem) -> list[float]:
    return [float(pair.epsilon_star.upper) for pair in loss(problem).pairs]


# ---------------------------------------------------------------- known values


def test_known_values_of_the_largest() -> None:
    found = chances(point(0, 1, 2), Laplace(2), ARGMAX)
    known = [0.174642630579537, 0.305705982039904, 0.519651387380559]
    assert found == pytest.approx(known, abs=1e-14)
    both = losses(asked(point(0, 1, 2), point(1, 0, 2), Laplace(2), ARGMAX))
    assert both == pytest.approx([0.559882022042203] * 2, abs=1e-11)


def test_known_values_of_the_first_above_a_threshold() -> None:
    found = chances(point(0, 1, 3), Laplace(4), SVT)
    assert found == pytest.approx(
        [0.343040532946515, 0.23727319265231, 0.200785959527183, 0.218900314873991], abs=1e-14
    )
    both = losses(asked(point(0, 1, 3), point(1, 2, 2), Laplace(4), SVT))
    assert sorted(both) == pytest.approx([0.197900915554098, 0.493831517156892], abs=1e-11)


@pytest.mark.parametrize("t", [Fraction(1, 3), Fraction(2), Fraction(9)])
def test_the_larger_of_two_has_a_closed_form(t: Fraction) -> None:
    wanted = 1 - mpmath.exp(-t) * (mpmath.mpf(1) / 2 + mpmath.mpf(t.numerator) / t.denominator / 4)
    found = chances(point(0, 3 * t), Laplace(3), ARGMAX)
    assert found[1] == pytest.approx(float(wanted), rel=1e-14)


# ---------------------------------------------------------------- other ways


def by_integral(x: Sequence[int], scales: Sequence[Any], given: int, signs: Sequence[int]) -> float:
    """The chance that number j lies below (1), above (-1) or anywhere (0) beside the given one."""
    def density(y: Any) -> Any:
        found = mpmath.exp(-abs(y - x[given]) / scales[given]) / (2 * scales[given])
        for j, sign in enumerate(signs):
            if sign:
                d = (y - x[j]) / scales[j]
                below = 1 - mpmath.exp(-d) / 2 if d > 0 else mpmath.exp(d) / 2
                found *= below if sign > 0 else 1 - below
        return found

    with mpmath.workdps(30):
        return float(mpmath.quad(density, [-mpmath.inf, *sorted({*x}), mpmath.inf]))


def test_chances_are_integrals() -> None:
    rng = Random(50)
    for _ in range(6):
        size = rng.randint(2, 5)
        x = [rng.randint(0, 5) for _ in range(size)]
        scales = [rng.choice([1, 2, 3]) for _ in x]
        found = chances(point(*x), Coordinates(Laplace(), scales), ARGMAX)
        for k, value in enumerate(found):
            signs = [int(j != k) for j in range(size)]
            assert value == pytest.approx(by_integral(x, scales, k, signs), abs=1e-12)
        threshold = rng.randint(0, 5)
        choice = {"first-above": {"threshold": threshold, "scale": 2}}
        found = chances(point(*x), Coordinates(Laplace(), scales), choice)
        for k in range(size + 1):
            signs = [1] * k + [-1] * (k < size) + [0] * max(0, size - k - 1)
            wanted = by_integral([*x, threshold], [*scales, 2], size, [*signs, 0])
            assert found[k] == pytest.approx(wanted, abs=1e-12)


def law_of(noise: Any, scale: Any) -> tuple[Any, Any]:
    """The density and the distribution of noise of a kind."""
    if isinstance(noise, GaussianNoise):
        return lambda z: mpmath.npdf(z, 0, scale), lambda z: mpmath.ncdf(z, 0, scale)
    if isinstance(noise, Gumbel):
        below = lambda z: mpmath.exp(-mpmath.exp(-z / scale))  # noqa: E731
        return lambda z: below(z) * mpmath.exp(-z / scale) / scale, below
    return (
        lambda z: mpmath.exp(-z / scale) / scale if z >= 0 else mpmath.mpf(0),
        lambda z: 1 - mpmath.exp(-z / scale) if z >= 0 else mpmath.mpf(0),
    )


def integral(
    noise: Any, given: tuple[int, int], sides: Sequence[tuple[int, int, int]]
) -> float:
    """The chance that numbers (place, scale, sign) lie below y (1) or above it (-1)."""
    (at, scale), found = given, [law_of(noise, s)[1] for _, s, _ in sides]
    density = law_of(noise, scale)[0]

    def value(y: Any) -> Any:
        total = density(y - at)
        for (x, _, sign), below in zip(sides, found, strict=True):
            total *= below(y - x) if sign > 0 else 1 - below(y - x)
        return total

    ends = sorted({at, *(x for x, _, _ in sides)})
    with mpmath.workdps(20):
        return float(mpmath.quad(value, [ends[0] - 120, *ends, ends[-1] + 20, ends[-1] + 140]))


MORE_NOISES = [GaussianNoise(), Exponential(), Gumbel()]


@pytest.mark.parametrize("noise", MORE_NOISES, ids=lambda noise: noise.kind)
def test_chances_with_other_noise_are_integrals(noise: Any) -> None:
    rng = Random(51)
    for _ in range(3):
        x = [rng.randint(0, 4) for _ in range(rng.randint(2, 4))]
        scales = [2] * len(x) if noise.kind == "gumbel" else [rng.choice([1, 2]) for _ in x]
        beside = 2 if noise.kind == "gumbel" else 3
        numbers = [*zip(x, scales, strict=True)]
        of = noise.with_scale(2) if noise.kind == "gumbel" else Coordinates(noise, scales)
        found = chances(point(*x), of, ARGMAX)
        for k, value in enumerate(found):
            sides = [(a, s, 1) for j, (a, s) in enumerate(numbers) if j != k]
            assert value == pytest.approx(integral(noise, numbers[k], sides), abs=1e-12)
        ordered = chances(point(*x), of, ARGMAX | {"top": 2})
        for (i, j), value in zip(permutations(range(len(x)), 2), ordered, strict=True):
            sides = [(a, s, -1 if m == i else 1) for m, (a, s) in enumerate(numbers) if m != j]
            assert value == pytest.approx(integral(noise, numbers[j], sides), abs=1e-12)
        choice = {"first-above": {"threshold": 2, "scale": beside}}
        found = chances(point(*x), of, choice)
        for k in range(len(x) + 1):
            sides = [(a, s, 1 if m < k else -1) for m, (a, s) in enumerate(numbers[: k + 1])]
            assert found[k] == pytest.approx(integral(noise, (2, beside), sides), abs=1e-12)


def test_any_order_with_gumbel_noise_is_one_proportion_after_the_other() -> None:
    x = (0, 3, 1, 2)
    weights = [float(mpmath.exp(mpmath.mpf(v) / 2)) for v in x]
    for top in (1, 2, 3, 4):
        found = chances(point(*x), Gumbel(2), ARGMAX | {"top": top})
        for order, value in zip(permutations(range(4), top), found, strict=True):
            wanted, left = 1.0, sum(weights)
            for k in order:
                wanted, left = wanted * weights[k] / left, left - weights[k]
            assert value == pytest.approx(wanted, rel=1e-13)
    problem = asked(point(*x), point(1, 2, 1, 2), Gumbel(2), ARGMAX | {"top": 3}, "3/2")
    found = certify(problem)
    assert accepted_certificate(problem.to_table(), problem, found)[1] == found.verdict


def test_closed_forms_with_other_noise() -> None:
    for d in (1, 5, 40):
        least, most = chances(point(0, d), GaussianNoise(2), ARGMAX)
        root = 2 * mpmath.sqrt(2)
        assert most == pytest.approx(float(mpmath.ncdf(d / root)), rel=1e-14)
        assert least == pytest.approx(float(mpmath.erfc(d / root / mpmath.sqrt(2)) / 2), rel=1e-14)
        assert chances(point(0, d), Exponential(2), ARGMAX)[0] == pytest.approx(
            float(mpmath.exp(-mpmath.mpf(d) / 2) / 2), rel=1e-14
        )
        weights = [mpmath.exp(mpmath.mpf(x) / 2) for x in (0, d, 1)]
        found = chances(point(0, d, 1), Gumbel(2), ARGMAX)
        assert found == pytest.approx([float(w / sum(weights)) for w in weights], rel=1e-14)
    below = GaussianNoise(1)
    choice = {"first-above": {"threshold": 0, "scale": 2, "kind": "gaussian"}}
    found = chances(point(1, 3, 2), NoNoise(), choice)
    first, second = (float(mpmath.ncdf(x / 2)) for x in (1, 3))
    assert found == pytest.approx([first, second - first, 0, 1 - second], abs=1e-14)
    fixed = chances(point(1, 3), below, {"first-above": {"threshold": 2}})
    miss = float(mpmath.ncdf(1))
    assert found[2] == 0
    assert fixed == pytest.approx([1 - miss, miss * miss, miss * (1 - miss)], abs=1e-14)


EVERY_NOISE = [
    Laplace(2), DiscreteLaplace(2, step=1), GaussianNoise(2), Exponential(2), Gumbel(2),
    Coordinates(GaussianNoise(), [1, 2, 1, 3]), Coordinates(Exponential(), [1, 2, 1, 2]),
]  # fmt: skip


@pytest.mark.parametrize("noise", EVERY_NOISE, ids=repr)
@pytest.mark.parametrize("ties", ["first", "last", "random"])
def test_the_first_of_two_is_the_first(noise: Any, ties: str) -> None:
    x = (0, 3, 1, 3)
    one, two = (chances(point(*x), noise, ARGMAX | {"ties": ties, "top": k}) for k in (1, 2))
    assert sum(two) == pytest.approx(1, abs=1e-14)
    for k, value in enumerate(one):
        assert sum(two[3 * k : 3 * k + 3]) == pytest.approx(value, abs=1e-14)


@pytest.mark.parametrize("noise", EVERY_NOISE, ids=repr)
@pytest.mark.parametrize("redraw", [True, False])
def test_the_first_of_several_above_is_the_first(noise: Any, redraw: bool) -> None:
    law, beside = point(0, 3, 1, 3), {"threshold": 2, "scale": 2}
    if noise.kind == "gumbel" and not redraw:
        with pytest.raises(InputError, match="more than one number above another"):
            chances(law, noise, {"first-above": beside | {"count": 3, "redraw": False}})
        return
    (item,) = asked(law, law, noise, {"first-above": beside | {"count": 3, "redraw": redraw}}
                    ).questions()  # fmt: skip
    form = forms_of(item)[0].released
    values = [float(ball_of(p).mid()) for p in form.entries]
    choice = selected.choice_of([{"first-above": beside | {"count": 3, "redraw": redraw}}])
    outputs = choice.outputs(["c0", "c1", "c2", "c3"])
    assert len(outputs) == len(values) == 4 + 6 + 4 + 1
    assert sum(values) == pytest.approx(1, abs=1e-13)
    one = chances(law, noise, {"first-above": beside})
    for k, value in enumerate(one):
        first = "none" if k == 4 else f"c{k}"
        alike = [v for v, name in zip(values, outputs, strict=True) if name.split(", ")[0] == first]
        assert sum(alike) == pytest.approx(value, abs=1e-13)


@pytest.mark.parametrize("redraw", [True, False])
def test_patterns_on_a_lattice_are_sums_over_all_vectors(redraw: bool) -> None:
    """Two numbers, and two draws of the threshold, of which the second may be the first."""
    masses, far, x = drawn(2, 0.5, 14), 14, (1, 0)
    noise = np.abs(np.arange(-far, far + 1))
    one = 0.5**noise / 3
    grid = np.arange(-far, far + 1)
    a, b, t, u = np.ix_(grid + x[0], grid + x[1], grid, grid)
    weight = masses[:, :, None, None] * (one[:, None] * one[None, :])[None, None]
    if not redraw:
        u, weight = t, weight.sum(axis=3, keepdims=True)
    first, then, second = a >= t, b >= u, b >= t
    wanted = [
        (weight * (first & then)).sum(), (weight * (first & ~then)).sum(),
        (weight * (~first & second)).sum(), (weight * (~first & ~second)).sum(),
    ]  # fmt: skip
    scale = "1/log(2)"
    choice = {"first-above": {"threshold": 0, "scale": scale, "count": 2, "redraw": redraw}}
    found = chances(point(*x), DiscreteLaplace(scale, step=1), choice)
    assert found == pytest.approx(wanted, abs=1e-3)  # ends of the sums


@pytest.mark.parametrize("ties", ["first", "last", "random"])
def test_the_two_largest_on_a_lattice_are_sums_over_all_vectors(ties: str) -> None:
    masses, far, x = drawn(3, 0.5, 16), 16, (0, 1, 1)
    places = np.indices(masses.shape) - far + np.array(x).reshape(3, 1, 1, 1)
    wanted = []
    for order in permutations(range(3), 2):
        last = next(k for k in range(3) if k not in order)
        total = 0.0
        for ranks in permutations(range(3)):  # which of equal ones comes first
            if ties != "random" and ranks != ((0, 1, 2) if ties == "first" else (2, 1, 0)):
                continue
            def ahead(i: int, j: int, ranks: Sequence[int] = ranks) -> Any:
                more = places[i] > places[j]
                return more | ((places[i] == places[j]) & (ranks[i] < ranks[j]))

            total += (masses * (ahead(order[0], order[1]) & ahead(order[1], last))).sum()
        wanted.append(total / (6 if ties == "random" else 1))
    found = chances(
        point(*x), DiscreteLaplace("1/log(2)", step=1), ARGMAX | {"ties": ties, "top": 2}
    )
    assert found == pytest.approx(wanted, abs=1e-3)


def drawn(size: int, ratio: float, far: int = 24) -> Any:
    """The masses of discrete Laplace noise on every vector of so many numbers."""
    one = ratio ** np.abs(np.arange(-far, far + 1)) * (1 - ratio) / (1 + ratio)
    found = one
    for _ in range(size - 1):
        found = np.multiply.outer(found, one)
    return found


@pytest.mark.parametrize("ties", ["first", "last", "random"])
@pytest.mark.parametrize("x", [(0, 0, 1), (2, 0, 1), (1, 1, 1)])
def test_chances_on_a_lattice_are_sums_over_all_vectors(x: Sequence[int], ties: str) -> None:
    masses, far = drawn(3, 0.5), 24
    places = np.indices(masses.shape) - far + np.array(x).reshape(3, 1, 1, 1)
    tied = places == places.max(axis=0)
    if ties == "random":
        wins = tied / tied.sum(axis=0)
    else:
        order = tied if ties == "first" else tied[::-1]
        chosen = order.argmax(axis=0)
        wins = np.stack([chosen == (k if ties == "first" else 2 - k) for k in range(3)])
    wanted = [(masses * win).sum() for win in wins]
    found = chances(point(*x), DiscreteLaplace("1/log(2)", step=1), ARGMAX | {"ties": ties})
    assert found == pytest.approx(wanted, abs=1e-6)
    assert sum(found) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("key", ["first-above", "first-below"])
def test_first_on_a_lattice_counts_equal_ones(key: str) -> None:
    """At the threshold is above it, and below it."""
    masses, x, far = drawn(3, 0.5), (1, 2, 0), 24  # two numbers and the threshold
    places = np.indices(masses.shape) - far + np.array(x).reshape(3, 1, 1, 1)
    hit = places[:2] >= places[2] if key == "first-above" else places[:2] <= places[2]
    wanted = [
        (masses * hit[0]).sum(), (masses * (~hit[0] & hit[1])).sum(),
        (masses * (~hit[0] & ~hit[1])).sum(),
    ]  # fmt: skip
    noise = DiscreteLaplace("1/log(2)", step=1)
    found = chances(point(1, 2), noise, {key: {"threshold": 0, "scale": "1/log(2)"}})
    assert found == pytest.approx(wanted, abs=1e-6)


def test_a_threshold_without_noise_is_each_number_alone() -> None:
    found = chances(point(1, 3), Laplace(2), {"first-above": {"threshold": 2}})
    half = float(mpmath.exp(-0.5) / 2)
    assert found == pytest.approx([half, (1 - half) * (1 - half), (1 - half) * half])


def test_numbers_without_noise_beside_a_noisy_threshold() -> None:
    """The first is named where the threshold is at most it, the second where it lies between."""
    choice = {"first-above": {"threshold": 0, "scale": 1, "kind": "laplace"}}
    found = chances(point(1, 3), NoNoise(), choice)
    one, three = (1 - float(mpmath.exp(-d)) / 2 for d in (1, 3))
    assert found == pytest.approx([one, three - one, 1 - three])
    worse = certify(asked(point(1, 1), point(0, 1), NoNoise(), choice, 1))
    assert worse.verdict == "refuted"
    assert "inf" in {str(pair.loss.upper) for pair in worse.pairs}


@pytest.mark.parametrize("noise", [NoNoise(), Laplace(0), DiscreteLaplace(0, step=1)], ids=repr)
def test_a_threshold_alone_is_on_the_line_whatever_the_numbers_lack(noise: Any) -> None:
    """Discrete noise of scale 0 has a step, and the threshold's Laplace noise none."""
    choice = {"first-above": {"threshold": 0, "scale": 1, "kind": "laplace"}}
    bare = chances(point(1, 3), NoNoise(), choice)
    assert chances(point(1, 3), noise, choice) == bare
    for epsilon in ("1", "1/100"):
        problem = asked(point(1, 3), point(2, 3), noise, choice, epsilon, "1/10")
        found = certify(problem)
        _, word, message = accepted_certificate(problem.to_table(), problem, found)
        assert word == found.verdict, message


def test_a_choice_at_scale_0_has_no_noise() -> None:
    with pytest.raises(InputError, match="needs noise on the numbers, or on the threshold"):
        asked(point(0, 1), point(1, 1), Laplace(4), SVT).replaced(scale=0)


# ---------------------------------------------------------------- laws that they keep


NOISES = [Laplace(2), DiscreteLaplace(2, step=1)]


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_the_order_of_the_numbers_does_not_matter(noise: Any) -> None:
    x, choice = (0, 2, 3), ARGMAX | {"ties": "random"}
    found = chances(point(*x), noise, choice)
    for order in permutations(range(3)):
        moved = chances(point(*(x[k] for k in order)), noise, choice)
        assert moved == pytest.approx([found[k] for k in order], abs=1e-14)


@pytest.mark.parametrize("noise", NOISES, ids=repr)
@pytest.mark.parametrize("ties", ["first", "last", "random"])
def test_a_constant_changes_nothing_and_signs_swap(noise: Any, ties: str) -> None:
    x = (0, 2, 3, 3)
    choice = ARGMAX | {"ties": ties}
    found = chances(point(*x), noise, choice)
    assert chances(point(*(v + 7 for v in x)), noise, choice) == pytest.approx(found)
    least = {"select": "argmin", "ties": ties}
    assert chances(point(*(-v for v in x)), noise, least) == pytest.approx(found)


@pytest.mark.parametrize("noise", [Laplace, lambda scale: DiscreteLaplace(scale, step=1)])
def test_a_number_far_ahead_is_named(noise: Any) -> None:
    found = chances(point(0, 40, 1), noise(1), ARGMAX)
    assert found[1] > 1 - 1e-14
    assert 0 < found[0] < found[2] < 1e-14


def test_exact_sums_are_what_is_enclosed(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = list(product(
        (Laplace(2), DiscreteLaplace("3/2", step=1), Coordinates(Laplace(), [1, 2, 3])),
        (ARGMAX, {"select": "argmin", "ties": "random"}, SVT),
    ))  # fmt: skip
    exact = [chances(point(0, 3, 1), *case) for case in cases]
    monkeypatch.setattr(selected, "FEW_POWERS", 0)
    for case, wanted in zip(cases, exact, strict=True):
        assert chances(point(0, 3, 1), *case) == pytest.approx(wanted, rel=1e-15)


def test_what_is_named_loses_no_more_than_the_numbers() -> None:
    """Post-processing, also of beliefs."""
    a, b = joint([0, 1, "1/2"], [2, 1, "1/2"]), joint([1, 0, "1/3"], [2, 2, "2/3"])
    for noise in NOISES:
        whole = Problem({"a": a, "b": b}, noise=noise, epsilon=1)
        for mine, all_ in zip(losses(asked(a, b, noise, ARGMAX)), losses(whole), strict=True):
            assert mine <= all_ + 1e-12


# ---------------------------------------------------------------- verdicts and certificates


def test_a_tie_is_decided() -> None:
    """Of (0, 1) and (1, 0) at scale 1 the loss is log(4e/3 - 1)."""
    problem = asked(point(0, 1), point(1, 0), Laplace(1), ARGMAX, "log(4*exp(1)/3-1)")
    assert certify(problem).verdict == "certified"
    assert accepted_certificate(problem.to_table(), problem, certify(problem))[1] == "certified"
    less = problem.replaced(epsilon=problem.epsilon - number("1e-9"))
    assert certify(less).verdict == "refuted"
    delta = "1-3*exp(-1)/2"  # at epsilon 0: the total variation
    tied = asked(point(0, 1), point(1, 0), Laplace(1), ARGMAX, 0, delta)
    assert certify(tied).verdict == "certified"
    assert accepted_certificate(tied.to_table(), tied, certify(tied))[1] == "certified"


def random_problem(rng: Random, sizes: Sequence[int]) -> Problem:
    size, scale = rng.choice(sizes), rng.choice(["2", "1/log(2)", "3/2"])
    noise: Any = rng.choice([
        Laplace(scale), DiscreteLaplace(scale, step=1), GaussianNoise("3/2"), Exponential(scale),
        Gumbel(scale),
    ])  # fmt: skip
    of, ratio = noise.kind, 1 if noise.kind == "gumbel" else 2
    if of == "gaussian":
        scale = "3/2"
    if rng.random() < 0.3 and of != "gumbel":
        noise = Coordinates(noise, [rng.choice([1, 2]) for _ in range(size)])
        scale = "1"
    one_sided = of in ("exponential", "gumbel")
    beside = {"threshold": rng.randint(0, 3), "scale": f"{ratio}*{scale}"}
    more = {"count": 2, "redraw": of == "gumbel" or rng.random() < 0.5}
    choice: Any = rng.choice([
        {"select": "argmax", "ties": rng.choice(["first", "last", "random"])},
        {"select": "argmax", "ties": rng.choice(["first", "random"][: 1 + (size < 9)]),
         "top": 2},
        {"select": "argmax" if one_sided else "argmin"}, {"first-above": beside},
        {"first-above" if one_sided else "first-below": beside | more},
        {"first-above": beside} if of == "gumbel" else {"first-above": {"threshold": 1}},
    ])  # fmt: skip

    def law() -> Joint:
        points = {tuple(rng.randint(0, 3) for _ in range(size)) for _ in range(rng.randint(1, 3))}
        weights = [rng.randint(1, 5) for _ in points]
        return joint(*([*x, Fraction(w, sum(weights))]
                       for x, w in zip(sorted(points), weights, strict=True)))  # fmt: skip

    form = rng.choice(["events", "events", "pointwise"])
    return Problem(
        {"a": law(), "b": law()}, noise=noise, post=[choice], form=form,
        epsilon=rng.choice(["1/5", "1", "3"]), delta=rng.choice([0, "1/20"]),
    )  # fmt: skip


@pytest.mark.parametrize(("sizes", "count"), [
    ([2, 3, 4], 40), ([13], 3), pytest.param([2, 3, 4, 7], 300, marks=pytest.mark.long),
])  # fmt: skip
def test_the_kernel_agrees(sizes: Sequence[int], count: int) -> None:
    rng, counts = Random(f"choices {sizes}"), tally.Counter()
    for _ in range(count):
        problem = random_problem(rng, sizes)
        found = certify(problem)
        if not found.undecided:
            _, word, message = accepted_certificate(problem.to_table(), problem, found)
            assert word == found.verdict, message
        counts[str(found.verdict)] += 1
        counts[problem.release.noise.kind] += 1
        counts[problem.form] += 1
    tally.reached(counts, "certified", "refuted")
    if count > 10:
        tally.reached(counts, "events", "pointwise", *(noise.noise.kind for noise in EVERY_NOISE))


def test_what_cannot_be_named_at_all_is_nothing_where_chances_are_enclosed() -> None:
    """Exponential noise takes no number below its place: 3 is above 1 for sure."""
    scales = [2, 1, 1, 2, 2, 1, 1, 2, 1]
    a, b = point(3, 0, 3, 1, 0, 2, 3, 0, 1), point(1, 3, 1, 2, 1, 3, 2, 1, 2)
    problem = asked(a, b, Coordinates(Exponential(), scales), {"first-above": {"threshold": 1}},
                    "1/5", "1/20")  # fmt: skip
    found = certify(problem)
    assert found.verdict == "certified"
    assert accepted_certificate(problem.to_table(), problem, found)[1] == "certified"


@pytest.mark.parametrize("noise", [Laplace(2), Coordinates(Laplace(), [1, 2])], ids=repr)
def test_single_names_are_bounded_with_a_delta(noise: Any) -> None:
    a, b = point(0, 3), point(2, 2)
    for delta in ("1/100", "1/2"):
        problem = Problem({"a": a, "b": b}, noise=noise, post=[ARGMAX], form="pointwise",
                          epsilon="1/2", delta=delta)  # fmt: skip
        found = certify(problem)
        assert found.verdict == ("refuted" if delta == "1/100" else "certified")
        assert accepted_certificate(problem.to_table(), problem, found)[1] == found.verdict


@pytest.mark.parametrize("change", [
    {"post": [{"select": "argmax", "ties": "last"}]}, {"post": [{"select": "argmin"}]},
    {"post": [{"first-above": {"threshold": 1, "scale": 2}}]},
    {"noise": {"kind": "discrete-laplace", "scale": 1, "step": 1}},
])  # fmt: skip
@pytest.mark.usefixtures("kernel_here")
def test_a_certificate_is_of_its_own_choice(change: Any, tmp_path: Path, capsys: Any) -> None:
    noise = DiscreteLaplace(2, step=1)
    problem = asked(point(0, 1), point(1, 0), noise, ARGMAX, "3/4")
    problem.save(tmp_path / "problem.toml")
    certify(problem).write(tmp_path / "a.cert", problem=tmp_path / "problem.toml")
    other = Problem.from_table(problem.to_table() | change)
    other.save(tmp_path / "other.toml")
    assert main(["check", str(tmp_path / "other.toml"), str(tmp_path / "a.cert")]) != 0
    capsys.readouterr()


@pytest.mark.usefixtures("kernel_here")
def test_a_smaller_scale_is_enough_for_a_choice(tmp_path: Path) -> None:
    """Every scale of the numbers is private; below it scales are tried, down to near the least."""
    a, b = joint([3, 1, 0, "1/2"], [2, 2, 0, "1/2"]), joint([2, 1, 1, "1/2"], [2, 2, 1, "1/2"])
    found = calibrate(asked(a, b, Laplace(), ARGMAX, "1/2"))
    below, whole = (Fraction(found.methods[name].scale) for name in ("below", "unprocessed"))
    assert below < whole
    problem = asked(a, b, Laplace(below), ARGMAX, "1/2")
    assert certify(problem).verdict == "certified"
    assert certify(problem.replaced(scale=below * Fraction(9999, 10000))).verdict == "refuted"
    problem.save(tmp_path / "problem.toml")
    certify(problem).write(tmp_path / "a.cert", problem=tmp_path / "problem.toml")


def test_the_threshold_keeps_its_ratio_at_another_scale() -> None:
    problem = asked(point(0, 1), point(1, 1), Laplace(4), SVT)
    wider = problem.replaced(scale=8)
    assert wider.to_table()["post"] == [{"first-above": {"threshold": "2", "scale": "4"}}]


def test_fifty_numbers_are_decided() -> None:
    x = [(7 * k * k) % 41 for k in range(50)]
    problem = asked(point(*x), point(x[0] + 1, *x[1:]), Laplace(10), ARGMAX, "1/10")
    assert certify(problem).verdict == "certified"
    assert 0.09 < max(losses(problem)) <= 0.1 + 1e-11


@pytest.mark.parametrize(("noise", "epsilon", "delta"), [
    (GaussianNoise(), "1", "0"), (GaussianNoise(), "1", "1/100"), (Exponential(), "1", "0"),
    (Gumbel(), "1", "0"),
], ids=str)  # fmt: skip
def test_a_scale_is_found_for_every_noise(noise: Any, epsilon: str, delta: str) -> None:
    """Of numbers that differ by one in one place: exponential noise and Gumbel noise need 1."""
    problem = asked(point(3, 2, 2), point(2, 2, 2), noise, ARGMAX, epsilon, delta)
    found = calibrate(problem)
    scale = Fraction(min(Fraction(row.scale) for row in found.methods.values()))
    assert certify(problem.replaced(scale=scale)).verdict == "certified"
    if delta == "0":
        assert certify(problem.replaced(scale=scale * Fraction(999, 1000))).verdict == "refuted"


@pytest.mark.parametrize(("choice", "value"), [
    (ARGMAX | {"ties": "random", "top": 2}, (1, 0, 1)), ({"select": "argmin", "ties": "last"},
                                                        (1, 1, 1)),
    ({"first-above": {"threshold": 1, "scale": 1, "count": 2}}, (1, 0, 1)),
    ({"first-below": {"threshold": 0, "count": 2, "redraw": False}}, (1, 0, 1)),
])  # fmt: skip
def test_draws_have_the_chances_that_are_told(choice: Any, value: Sequence[int]) -> None:
    """A thousand draws: none of 4 standard deviations off."""
    noise, law = DiscreteLaplace(1, step=1), point(*value)
    problem = asked(law, point(0, 0, 0), noise, choice, 9)
    outputs = selected.choice_of([choice]).outputs(["c0", "c1", "c2"])
    wanted = dict(zip(outputs, chances(law, noise, choice), strict=True))
    plan, counts = planned(problem, 1, value), tally.Counter()
    bits, draws = Bits(), 1000
    row = plan.draws[0](bits)
    for _ in range(draws):
        counts[str(next(row))] += 1
    assert {*counts} <= {*outputs}
    for name, chance in wanted.items():
        sd = (draws * chance * (1 - chance)) ** 0.5
        assert abs(counts[name] - draws * chance) < 5 * sd + 1, name


def test_a_choice_is_drawn_where_its_noise_can_be() -> None:
    problem = asked(point(0, 1), point(1, 1), Laplace(4), SVT, 2)
    with pytest.raises(InputError, match="is continuous"):
        sample(problem, value=(0, 1))
    found = sample(problem.on_lattice(1), value=(0, 1))
    assert found.drawn == "output"
    assert found.draws[0] in ("c0", "c1", "none")
    with pytest.raises(InputError, match="value: missing"):
        sample(problem.on_lattice(1))


def test_a_file_says_it_again(tmp_path: Path) -> None:
    for choice in (ARGMAX, ARGMAX | {"top": 2},
                   {"first-above": {"threshold": 1, "scale": 3, "count": 2, "redraw": False}},
                   {"select": "argmin", "ties": "last"}, SVT,
                   {"first-below": {"threshold": "1/2"}}):  # fmt: skip
        problem = asked(point(0, 1), point(1, 0), Laplace(2), choice)
        problem.save(tmp_path / "problem.toml")
        assert Problem.load(tmp_path / "problem.toml") == problem


def test_what_neither_law_gives_is_no_tie(capsys: pytest.CaptureFixture[str]) -> None:
    """Without noise on the numbers none can be first at all behind an equal one."""
    choice = {"first-above": {"threshold": 0, "scale": 2, "kind": "laplace"}}
    found = certify(asked(point(1, 0), point("3/2", 0), NoNoise(), choice))
    assert [pair.tie for pair in found.pairs] == [False, False]


def test_words_say_where_the_noise_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = {"first-above": {"threshold": 0, "scale": 2, "kind": "laplace"}}
    for noise, choice, words in (
        (Coordinates(Laplace(), [4, 8]), SVT, "scales 4, 8 by coordinate, then the steps"),
        (Laplace(4), SVT, "threshold is drawn independently of that of the numbers"),
        (NoNoise(), alone, "Noise: none, with noise on the threshold alone, then the steps"),
        (NoNoise(), alone, "Assumed: ideal real-valued noise"),
    ):
        asked(point(0, 1), point(1, 1), noise, choice).save(tmp_path / "problem.toml")
        main(["certify", str(tmp_path / "problem.toml")])
        assert words in " ".join(capsys.readouterr().out.split())


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(("law", "noise", "choice", "words"), [
    (Discrete({0: 1}), Laplace(1), ARGMAX, "among several numbers"),
    (point(0, 1), GaussianNoise(1), {"first-above": {"threshold": 1, "scale": "exp(1)"}},
     "post[0].first-above.scale: exp(1) is not shown to have a rational square"),
    (point(0, 1), Exponential(1), {"select": "argmin"}, "not symmetric"),
    (point(0, 1), Gumbel(1), {"first-below": {"threshold": 1, "scale": 1}}, "not symmetric"),
    (point(0, 1), Gumbel(1), {"first-above": {"threshold": 1, "scale": 2}}, "several scales"),
    (point(0, 1), Gumbel(1), {"first-above": {"threshold": 1}}, "needs a threshold with gumbel"),
    (point(0, 1), Gumbel(1), {"first-above": {"threshold": 1, "scale": 1, "count": 2,
                                              "redraw": False}}, "more than one number above"),
    (point(0, 1), Laplace(1), ARGMAX | {"top": 3}, "the order of 3 numbers with laplace noise is"),
    (point(*range(9)), Gumbel(1), ARGMAX | {"top": 9}, "the order of 9 numbers is not worked out"),
    (point(*range(9)), Gumbel(1), ARGMAX | {"top": 5}, "outputs, at most 4096"),
    (point(0, 1), Laplace(1), ARGMAX | {"top": 0}, "whole number from 1 on"),
    (point(0, 1), Laplace(1), ARGMAX | {"top": True}, "whole number from 1 on"),
    (point(0, 1), Laplace(1), {"first-above": {"threshold": 1, "count": 3}}, "3 of 2 numbers"),
    (point(0, 1), Laplace(1), {"first-above": {"threshold": 1, "count": "2"}}, "whole number"),
    (point(0, 1), Laplace(1), {"first-above": {"threshold": 1, "redraw": 1}}, "true or false"),
    (point(*range(40)), Laplace(1), {"first-above": {"threshold": 1, "count": 4}}, "outputs"),
    (point(*range(9)), DiscreteLaplace(1, step=1), ARGMAX | {"top": 2, "ties": "random"},
     "at random of 9 numbers, expected at most 8"),
    (Joint(["a", "a, a"], [[0, 1, 1]]), Laplace(1), ARGMAX | {"top": 2}, "comma"),
    (point(0, 1), DiscreteGaussian(1, step=1), ARGMAX, "discrete-gaussian noise is not worked out"),
    (point(0, 1), NoNoise(), ARGMAX, "needs noise"),
    (point(0, 1), Laplace(1), {"select": "median"}, "'median' is unknown, expected argmax"),
    (point(0, 1), Laplace(1), ARGMAX | {"ties": "both"}, "ties: 'both' is unknown"),
    (point(0, 1), Laplace(1), {"first-above": {"scale": 1}}, "threshold: missing"),
    (point(0, 1), Laplace(1), {"first-above": {"threshold": 1, "scale": 0}}, "is not above 0"),
    (point(0, 1), Laplace(1), {"first-above": 3}, "expected a table"),
    (point(0, 1), NoNoise(), {"first-above": {"threshold": 1, "scale": 1}}, "kind: missing"),
    (point(0, 1), NoNoise(), {"first-above": {"threshold": 1}}, "needs noise"),
    (point(0, 1), Laplace("exp(1)"), SVT, "no rational multiple"),
    (point(0, "1/2"), DiscreteLaplace(1, step=1), ARGMAX, "multiple"),
    (point(0, 1), DiscreteLaplace(1, step=1), {"first-above": {"threshold": "1/2"}}, "one lattice"),
    (point(0, 1), Laplace(1), ARGMAX | {"first-above": {"threshold": 1}}, "two choices"),
])  # fmt: skip
def test_bad_input_is_told_in_a_line(law: Any, noise: Any, choice: Any, words: str) -> None:
    with pytest.raises(InputError) as told:
        certify(asked(law, law, noise, choice))
    assert words in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("noise", [Exponential(1), Gumbel(1)], ids=lambda noise: noise.kind)
def test_noise_for_choices_is_for_nothing_else(noise: Any) -> None:
    with pytest.raises(InputError, match="where a choice among several numbers follows"):
        certify(Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=noise, epsilon=1))
    with pytest.raises(InputError, match="where a choice among several numbers follows"):
        certify(asked(point(0, 1), point(1, 1), noise, {"coordinate": "c0", "clamp": [0, 1]}))


def test_a_choice_is_the_only_step() -> None:
    with pytest.raises(InputError, match="the only step"):
        Problem({"a": point(0, 1), "b": point(1, 0)}, noise=Laplace(1), epsilon=1,
                post=[ARGMAX, {"coordinate": "c0", "clamp": [0, 1]}])  # fmt: skip
    names = Joint(["c0", "none"], [[0, 0, 1]])
    with pytest.raises(InputError, match="a coordinate is named 'none'"):
        certify(asked(names, names, Laplace(4), SVT))


def test_equal_numbers_are_named_alike() -> None:
    assert chances(point(5, 5), Laplace(1), ARGMAX) == [0.5, 0.5]
