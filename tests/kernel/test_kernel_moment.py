"""The exponents, limits and shapes of the rule `moment`."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import kernel_builder as kb
import mpmath
import pytest
from core.grammar import Malformed
from core.logarithms import log_form
from core.moment import MAX_EXPONENT, _exponent, _point, moment
from core.rules import Rejected
from core.smooth import Normals, smooth
from core.work import Check
from core.zero import constant, times
from mpmath import mpf
from reader import reader
from reader.goals import goals_of
from reader.noise import Noise

ONE = Fraction(1)


def goal_of(p: list[Any], q: list[Any], epsilon: Any) -> Normals:
    """Two mixtures of (weight, mean, variance) under gaussian noise."""
    keys = ("weight", "mean", "variance")
    priors = {
        name: {
            "kind": "mixture",
            "components": [dict(zip(keys, map(str, part), strict=True)) for part in parts],
        }
        for name, parts in (("a", p), ("b", q))
    }
    value = kb.problem({"0": 1}, {"0": 1}, epsilon, 0, 1)
    value |= {"noise": {"kind": "gaussian"}, "priors": priors}
    problem = reader.problem_of(value)
    return next(goals_of(problem, problem.release.at(ONE), Check(0)))


def step(t: str, log: str | None = None, bits: Any = 128) -> kb.Json:
    return kb.step("moment", bits=bits, t=t, log=log)


def test_exponents() -> None:
    rng = random.Random(3)
    for _ in range(50):
        c, mean, variance = (Fraction(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(3))
        variance = abs(variance)
        assert _exponent(c, ONE, mean, variance) == constant(c * mean + c * c * variance / 2)
        u = Fraction(rng.randint(2, 9), rng.choice([1, 11]))
        assert _exponent(c, u, mean, Fraction(0)) == times(log_form(u), c * mean)
    for u in (Fraction(1, 2), Fraction(2)):
        with pytest.raises(Rejected, match="a logarithm is for priors of atoms"):
            _exponent(ONE, u, ONE, ONE)


def test_so_large_exponents_are_refused() -> None:
    assert MAX_EXPONENT == 1 << 32
    for sign in (1, -1):
        most = Fraction(sign * MAX_EXPONENT)
        assert _exponent(ONE, ONE, most, Fraction(0)) == constant(most)
        with pytest.raises(Rejected, match="so large an exponent"):
            _exponent(ONE, ONE, most + sign, Fraction(0))


def test_places() -> None:
    assert _point(step("3/2")) == (Fraction(3, 2), 1)
    assert _point(step("-2", "1/7")) == (-2, Fraction(1, 7))
    for t, log in (("1", "1"), ("1", "0"), ("1", "-2"), ("1.5", None), ("2/4", None)):
        with pytest.raises(Malformed):
            _point(step(t, log))
    with pytest.raises(Malformed):
        _point(kb.step("moment", t=None, log=None))
    most, more = str((1 << 2048) - 1), str(1 << 2048)
    assert _point(step(most))[0] == int(most)
    assert _point(step(f"1/{most}"))[0] == Fraction(1, int(most))
    for t, log in ((more, None), (f"1/{more}", None), ("1", more), ("1", f"1/{more}")):
        with pytest.raises(Rejected, match="more than 2048 bits"):
            _point(step(t, log))


def test_limits_of_bits_and_work() -> None:
    apart = goal_of([(1, 0, 4)], [(1, 0, 1)], 1)
    equal = goal_of([(1, 0, 4)], [(1, 0, 4)], 0)
    assert moment(apart, step("1", bits=32)) == {"MGF"}
    with pytest.raises(Rejected, match="do not differ"):
        moment(equal, step("1", bits=200_000))
    for bits in (31, 200_001, True, "128", None):
        with pytest.raises(Malformed, match="bits must be an integer from 32 to 200000"):
            moment(apart, step("1", bits=bits))
    parts = [(Fraction(1, 32), k, 1) for k in range(32)]
    alike = goal_of(parts, parts, 0)  # 64 components: 2^34 times 2^6 is the most
    with pytest.raises(Rejected, match="do not differ"):
        moment(alike, step("1", bits=1 << 17))
    with pytest.raises(Rejected, match="so many bits"):
        moment(alike, step("1", bits=(1 << 17) + 1))


def test_laplace_noise_and_a_delta_are_refused() -> None:
    apart = goal_of([(1, 0, 4)], [(1, 0, 1)], 1)
    for goal in (
        apart._replace(P=smooth(apart.P, Noise("laplace", ONE, None))),
        apart._replace(P=smooth(apart.P, apart.release.at(None))),
        apart._replace(delta=Fraction(1, 2)),
    ):
        with pytest.raises(Rejected, match="with delta = 0 only"):
            moment(goal, step("1"))


def test_values_of_the_moment_generating_functions() -> None:
    """Accepted exactly where M(t) >= 0, by the oracle, near the edge too."""
    answers = []
    for seed in range(60):
        rng = random.Random(seed)
        p, q = (
            [(Fraction(w, 10), Fraction(rng.randint(-6, 6), 2), Fraction(rng.randint(0, 6), 2))
             for w in weights]
            for weights in ((3, 7), (4, 6))
        )  # fmt: skip
        t = Fraction(rng.randint(-8, 8), 4)

        def sum_at(parts: list[Any], t: Fraction = t) -> mpf:
            return mpmath.fsum(
                mp(w) * mpmath.exp(mp(t * m + t * t * v / 2)) for w, m, v in parts
            )

        edge = mpmath.log(sum_at(p) / sum_at(q))
        for move in (mpf(10) ** -9, mpf(10) ** -2, -mpf(10) ** -9, -mpf(10) ** -2):
            epsilon = kb.fraction_text(edge + move)
            if epsilon.startswith("-"):
                continue
            try:
                answer = moment(goal_of(p, q, epsilon), step(str(t))) == {"MGF"}
            except Rejected:
                answer = False
            assert answer is (move < 0), (p, q, t, epsilon)
            answers.append(answer)
    assert min(answers.count(True), answers.count(False)) > 30


def mp(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator
