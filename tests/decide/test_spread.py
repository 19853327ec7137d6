"""W-infinity balls on the line: formulas, plain members, ties, scales and certificates."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from support import tally

from pfverify import (
    Discrete,
    DiscreteLaplace,
    InputError,
    Laplace,
    Problem,
    WInfinityBall,
    calibrate,
    certify,
    loss,
)
from pfverify.certificate.build import kernel_word, write_scales
from pfverify.certificate.checking import check
from pfverify.edge.cli import main
from pfverify.model.alone import pair_alone
from pfverify.model.priors.prior import Prior

Law = dict[Fraction, Fraction]
POINTS = ({Fraction(0): Fraction(1)}, {Fraction(3): Fraction(1)})


def ball(law: Law, radius: Fraction | int) -> Prior:
    """All laws that moves of at most a radius make of one; without moves the law."""
    return WInfinityBall(law, radius) if radius else Discrete(law)


def asked(p: Law, r: Fraction, q: Law, s: Fraction, scale: object, epsilon: object) -> Problem:
    """A problem about two balls."""
    return Problem({"p": ball(p, r), "q": ball(q, s)}, noise=Laplace(scale), epsilon=epsilon)  # type: ignore[arg-type]


def drawn(rng: random.Random) -> Law:
    """A random law of few atoms, some of them halves."""
    atoms = rng.sample(range(-12, 13), rng.randint(1, 4))
    weights = [rng.randint(1, 5) for _ in atoms]
    return {Fraction(x, 2): Fraction(w, sum(weights)) for x, w in zip(atoms, weights, strict=True)}


def log_ratios(p: Law, r: Fraction, q: Law, s: Fraction, scale: Fraction, ys: np.ndarray) -> float:
    """The largest log most/least at some outputs, in floats."""
    rate = 1 / float(scale)
    most = sum(
        float(m) * np.exp(-rate * np.maximum(abs(ys - float(x)) - float(r), 0))
        for x, m in p.items()
    )
    least = sum(
        float(m) * np.exp(-rate * (abs(ys - float(x)) + float(s))) for x, m in q.items()
    )
    return float(np.log(most / least).max())


Case = tuple[Law, Fraction, Law, Fraction, Fraction, Fraction]


def cases(seed: int, count: int) -> list[Case]:
    """Balls, a scale and an epsilon: often the one that point masses or tails meet exactly."""
    rng = random.Random(seed)
    found: list[Case] = []
    radii = [Fraction(x, 4) for x in (0, 0, 1, 2, 4, 8, 20)]
    while len(found) < count:
        p, q = drawn(rng), drawn(rng)
        r, s = rng.choice(radii), rng.choice(radii)
        scale = Fraction(rng.choice([1, 2, 4, 8, 20]), 2)
        epsilon = Fraction(rng.randint(1, 20), 4)
        if rng.random() < 0.4:
            p, q = ({x: Fraction(1)} for x in (min(p), max(q)))
            epsilon = (abs(max(q) - min(p)) + r + s) / scale
        if r or s:
            found.append((p, r, q, s, scale, epsilon))
    return found


def test_losses_are_those_of_the_formulas_and_the_kernel_accepts_every_verdict() -> None:
    ys, counts = np.linspace(-24, 24, 4801), Counter[str]()
    for p, r, q, s, scale, epsilon in cases(1, 60):
        result = certify(asked(p, r, q, s, scale, epsilon))
        for pair in result.pairs:
            sides = (p, r, q, s) if pair.from_ == "p" else (q, s, p, r)
            seen = log_ratios(*sides, scale, ys)
            assert pair.loss is not None
            assert seen - 1e-9 <= float(pair.loss.upper) <= seen + 0.02 / float(scale) + 1e-9
            counts["inside"] += pair.loss.upper > max(
                log_ratios(*sides, scale, np.array([float(y)]))
                for y in {x + t for x in sides[0] for t in (sides[1], -sides[1])} | {*sides[2]}
            ) + 1e-6
        assert kernel_word(result.problem.to_table()) == result.verdict  # type: ignore[union-attr]
        counts[f"{result.verdict}{' tie' * any(pair.tie for pair in result.pairs)}"] += 1
    tally.reached(counts, "certified", "certified tie", "refuted", "inside")


def test_members_never_lose_more_and_the_worst_ones_lose_as_much() -> None:
    rng, counts = random.Random(2), Counter[str]()
    for p, r, q, s, scale, epsilon in cases(3, 25):
        problem = asked(p, r, q, s, scale, epsilon)
        top = loss(problem).epsilon_star.upper
        for _ in range(4):
            laws = {}
            for name, law, radius in (("p", p, r), ("q", q, s)):
                moved: dict[Fraction, Fraction] = {}
                for x, mass in law.items():
                    place = x + radius * Fraction(rng.randint(-4, 4), 4)
                    moved[place] = moved.get(place, Fraction(0)) + mass
                laws[name] = Discrete(moved)
            member = Problem(laws, noise=Laplace(scale), epsilon=epsilon)
            assert loss(member).epsilon_star.lower <= top
            counts["members"] += 1
        result = certify(problem)
        if result.refuted:
            worst = result.pairs[0]
            assert worst.witness is not None
            y = worst.witness.y
            alone = pair_alone(problem, worst.belief, worst.from_, worst.to, y)
            assert all(isinstance(law, Discrete) for law in alone.beliefs["default"].values())
            assert certify(alone).refuted
            counts["worst members"] += 1
    tally.reached(counts, "members", "worst members", least=8)


@pytest.mark.parametrize(("r", "s"), [(1, 0), (0, 2), (1, 2), ("1/2", 5)])
def test_balls_around_points_lose_their_farthest_distance_exactly(r: object, s: object) -> None:
    """Two points at a distance d with radii r and s: (d + r + s)/scale, met exactly."""
    radii = Fraction(str(r)), Fraction(str(s))
    first, second = POINTS
    far = 3 + radii[0] + radii[1]
    problem = asked(first, radii[0], second, radii[1], 2, far / 2)
    assert loss(problem).epsilon_star.lower == loss(problem).epsilon_star.upper == far / 2
    assert certify(problem).certified
    assert kernel_word(problem.to_table()) == "certified"
    assert certify(problem.replaced(epsilon=far / 2 - Fraction(1, 10**12))).refuted
    found = calibrate(problem.replaced(epsilon=1)).minimum
    assert found.upper == far


def test_a_tie_between_two_points_is_decided() -> None:
    """C + a u + b/u touches 0 where its largest value is inside a piece: at u = sqrt(b/a).

    All within reach of one point of mass 1, against two at +-d: most is 1, least e^(-d/scale) at 0,
    which is no point where a bound turns.
    """
    p, q = {Fraction(1, 7): Fraction(1)}, {Fraction(x): Fraction(1, 2) for x in (-9, 9)}
    problem = asked(p, Fraction(1), q, Fraction(0), 2, Fraction(9, 2))
    result = certify(problem)
    assert [pair.tie for pair in result.pairs if pair.from_ == "p"] == [True]
    assert result.certified
    assert kernel_word(problem.to_table()) == "certified"
    assert certify(problem.replaced(epsilon=Fraction(9, 2) - Fraction(1, 10**9))).refuted


def test_a_larger_radius_is_never_more_private_and_none_is_the_law_itself() -> None:
    for p, _, q, _, scale, epsilon in cases(5, 6):
        tops = [
            loss(asked(p, r, q, r, scale, epsilon)).epsilon_star
            for r in (Fraction(0), Fraction(1, 1000), Fraction(1, 2), Fraction(3))
        ]
        assert all(a.lower <= b.upper for a, b in pairwise(tops))
        assert float(tops[1].upper) - float(tops[0].upper) <= 4e-3 / float(scale)
        explicit = Problem(
            {"p": WInfinityBall(p, 0), "q": WInfinityBall(q, 0)}, noise=Laplace(scale),
            epsilon=epsilon,
        )  # fmt: skip
        assert loss(explicit).epsilon_star == tops[0]


def test_least_scales_are_bracketed_with_a_certificate(tmp_path: Path) -> None:
    p = {Fraction(0): Fraction(1, 2), Fraction(1): Fraction(1, 2)}
    q = {Fraction(0): Fraction(1, 3), Fraction(2): Fraction(2, 3)}
    problem = asked(p, Fraction(1, 4), q, Fraction(1, 4), None, 1)
    path = tmp_path / "p.toml"
    problem.save(path)
    result = calibrate(path)
    assert certify(problem.replaced(scale=str(result.minimum.upper))).certified
    assert certify(problem.replaced(scale=str(result.minimum.lower))).refuted
    write_scales(tmp_path / "c", path, problem, result)
    assert check(path, tmp_path / "c").word == "scales"


def test_a_ball_on_an_alphabet_is_smaller() -> None:
    """Members of two points of the alphabet, by their extreme laws: less than on the line."""
    p, q = ({Fraction(0): Fraction(1)}, {Fraction(2): Fraction(1)})
    line = asked(p, Fraction(1), q, Fraction(1), 2, 3)
    few = Problem(
        {name: WInfinityBall(law, 1, alphabet=[0, 1, 2]) for name, law in (("p", p), ("q", q))},
        noise=Laplace(2), epsilon=3,
    )  # fmt: skip
    assert loss(few).epsilon_star.upper == 1
    assert loss(line).epsilon_star.upper == 2
    assert math.isclose(float(loss(few).delta.upper), 0)


def test_with_a_delta_a_bound_of_the_ratio_proves_and_nothing_refutes() -> None:
    first, second = POINTS
    problem = asked(first, Fraction(1), second, Fraction(1), 2, "5/2").replaced(delta="1/10")
    result = certify(problem)
    assert (result.certified, any(pair.tie for pair in result.pairs)) == (True, False)
    assert kernel_word(problem.to_table()) == "certified"
    less = certify(problem.replaced(epsilon="249/100"))
    assert less.undecided
    assert "bounds of the ratio" in less.reasons[0]
    assert str(loss(problem.replaced(epsilon=1)).delta.upper) == "1"


def test_other_noise_is_refused() -> None:
    first, second = POINTS
    with pytest.raises(InputError, match="laplace noise"):
        certify(Problem({"p": ball(first, 1), "q": ball(second, 1)}, noise=DiscreteLaplace(2),
                        epsilon=1))  # fmt: skip


def test_the_worst_members_are_written_as_a_plain_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, worst = tmp_path / "p.toml", tmp_path / "worst.toml"
    asked(*POINTS[:1], Fraction(1), POINTS[1], Fraction(1), 2, 1).save(path)
    assert main(["certify", str(path), "--write-worst", str(worst)]) == 1
    assert f"Wrote {worst}: the worst pair alone, refuted." in capsys.readouterr().out
    assert 'kind = "discrete"' in worst.read_text()
    assert main(["certify", str(worst)]) == 1
