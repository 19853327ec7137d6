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
    GaussianNoise,
    Joint,
    Laplace,
    NoNoise,
    Problem,
    calibrate,
    certify,
    loss,
)
from pfverify.edge.cli import main
from pfverify.errors import InputError
from pfverify.exact.number import number
from pfverify.laws.kinds import forms_of
from pfverify.model.channels.entries import ball_of
from pfverify.model.releases import selected

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
    on_lattice = rng.random() < 0.5
    noise: Any = DiscreteLaplace(scale, step=1) if on_lattice else Laplace(scale)
    if rng.random() < 0.3:
        noise = Coordinates(noise, [rng.choice([1, 2]) for _ in range(size)])
        scale = "1"
    beside = {"threshold": rng.randint(0, 3), "scale": f"2*{scale}"}
    choice: Any = rng.choice([
        {"select": "argmax", "ties": rng.choice(["first", "last", "random"])},
        {"select": "argmin"}, {"first-above": beside}, {"first-below": {"threshold": 1}},
    ])  # fmt: skip

    def law() -> Joint:
        points = {tuple(rng.randint(0, 3) for _ in range(size)) for _ in range(rng.randint(1, 3))}
        weights = [rng.randint(1, 5) for _ in points]
        return joint(*([*x, Fraction(w, sum(weights))]
                       for x, w in zip(sorted(points), weights, strict=True)))  # fmt: skip

    return asked(
        law(), law(), noise, choice, rng.choice(["1/5", "1", "3"]), rng.choice([0, "1/20"])
    )


@pytest.mark.parametrize(("sizes", "count"), [
    ([2, 3, 4], 24), ([13], 3), pytest.param([2, 3, 4, 7], 300, marks=pytest.mark.long),
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
    tally.reached(counts, "certified", "refuted")


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


def test_a_file_says_it_again(tmp_path: Path) -> None:
    for choice in (ARGMAX, {"select": "argmin", "ties": "last"}, SVT,
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
    (point(0, 1), GaussianNoise(1), ARGMAX, "gaussian noise is not worked out"),
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


def test_a_choice_is_the_only_step() -> None:
    with pytest.raises(InputError, match="the only step"):
        Problem({"a": point(0, 1), "b": point(1, 0)}, noise=Laplace(1), epsilon=1,
                post=[ARGMAX, {"coordinate": "c0", "clamp": [0, 1]}])  # fmt: skip
    names = Joint(["c0", "none"], [[0, 0, 1]])
    with pytest.raises(InputError, match="a coordinate is named 'none'"):
        certify(asked(names, names, Laplace(4), SVT))


def test_equal_numbers_are_named_alike() -> None:
    assert chances(point(5, 5), Laplace(1), ARGMAX) == [0.5, 0.5]
