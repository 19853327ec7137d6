"""Gaussian noise and delta = 0: where moment generating functions forbid every scale."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import pytest

from pfverify import Discrete, GaussianNoise, Mixture, Problem, calibrate, certify
from pfverify.certificate.checking import check
from pfverify.decide.charts.moments import Moment, refuting_moment
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.exact.number import number
from pfverify.model.priors.prior import Component
from pfverify.model.target import Target

PEAK = ({"0": "0.899", "1": "0.1", "2": "0.001"}, {"0": "0.599", "1": "0.4", "2": "0.001"}, 1)
TIE = (
    {"0": "1723/4050", "1": "181/405", "2": "517/4050"},
    {"0": "83/100", "1": "1/10", "2": "7/100"},
    "log(2)",
)
THIRDS = tuple({{"1": "1/3", "2": "2/3"}.get(x, x): m for x, m in t.items()} for t in TIE[:2])


def discrete(mass: dict[str, str]) -> dict[str, Any]:
    return {"kind": "discrete", "mass": mass}


def mixture(*parts: tuple[str, int, str]) -> dict[str, Any]:
    names = ("weight", "mean", "variance")
    return {"kind": "mixture", "components": [dict(zip(names, p, strict=True)) for p in parts]}


NARROW = mixture(("0.899", 0, "1"), ("0.1", 1, "1"), ("0.001", 2, "1"))
SHARED = mixture(("0.599", 0, "1"), ("0.4", 1, "1"), ("0.001", 2, "1"))
WIDE = mixture(("0.98", 0, "1"), ("0.02", 0, "2"))
WIDER = mixture(("0.95", 0, "1"), ("0.05", 0, "2"))
CASES = [
    (discrete(PEAK[0]), discrete(PEAK[1]), 1, True),
    (discrete(TIE[0]), discrete(TIE[1]), "log(2)", True),
    (discrete(TIE[0]), discrete(TIE[1]), "log(2)-1e-40", True),
    (discrete(TIE[0]), discrete(TIE[1]), "log(2)+1/100", False),
    (discrete(THIRDS[0]), discrete(THIRDS[1]), "log(2)", True),
    (NARROW, SHARED, 1, True),
    (NARROW, SHARED, "log(5)", False),
    (WIDE, WIDER, "log(5/2)", False),  # the coefficient of the widest part is exactly 0
]


@pytest.mark.parametrize(("p", "q", "epsilon", "never"), CASES)
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_the_minimum_is_infinite_where_a_moment_breaks_the_bound(
    tmp_path, p, q, epsilon, never, form
):
    path, cert = tmp_path / "problem.json", tmp_path / "scales"
    data = {"schema": "pfverify/problem/1", "epsilon": epsilon, "form": form}
    data |= {"noise": {"kind": "gaussian"}, "priors": {"a": p, "b": q}}
    path.write_text(json.dumps(data))
    problem = Problem.load(path)
    minimum = calibrate(problem).minimum
    assert main(["calibrate", str(path), "-o", str(cert)]) == 0
    outcome = check(path, cert)
    assert outcome.word == "scales"
    if not never:
        assert minimum.upper != "inf"
        assert Fraction(minimum.lower) < Fraction(minimum.upper) or minimum.upper == "0"
        return
    assert (minimum.lower, minimum.upper, minimum.verdict) == ("inf", "inf", Verdict.REFUTED)
    assert "E e^(tX) of" in str(minimum.reason)
    assert "minimum inf" in outcome.message
    assert "moment generating functions" in outcome.message
    for scale in ("1/3", "7", "100"):
        result = certify(problem.replaced(scale=scale))
        assert result.verdict is Verdict.REFUTED
        assert result.pairs[0].witness is not None


def test_the_place_is_named():
    def place(p: dict[str, str], q: dict[str, str], epsilon: Any) -> Moment | None:
        laws = [[Component(Fraction(m), Fraction(x), Fraction(0)) for x, m in t.items()]
                for t in (p, q)]  # fmt: skip
        target = Target(number(epsilon), number(0))
        return refuting_moment(tuple(laws[0]), tuple(laws[1]), target)

    assert place(*TIE) == Moment(Fraction(1), Fraction(10))
    assert place(*THIRDS, "log(2)") == Moment(Fraction(3), Fraction(10))
    found = place(PEAK[1], PEAK[0], 1)
    assert found is not None
    assert found.words.startswith("e^t = ")
    assert place(*PEAK) is None
    assert place(*TIE[:2], "log(2)+1e-30") is None


def largest_ratio(p: list[int], q: list[int]) -> mpmath.mpf:
    """The supremum over u > 0 of log (sum p u^k / sum q u^k): where the derivative has its roots,
    and at both ends."""
    a, b = ([mpmath.mpf(w) / sum(weights) for w in weights] for weights in (p, q))
    n = len(a)
    slope = [mpmath.mpf(0)] * (2 * n - 2)  # of a' b - a b', in powers of u
    for i in range(n):
        for j in range(n):
            if i != j:
                slope[i + j - 1] += (i - j) * a[i] * b[j]
    while slope and not slope[-1]:
        slope.pop()
    roots = mpmath.polyroots(slope[::-1], maxsteps=500, extraprec=300) if len(slope) > 1 else []
    places = [r.real for r in roots if abs(r.imag) < 1e-20 and r.real > 1e-20]

    def value(u: mpmath.mpf) -> mpmath.mpf:
        return mpmath.log(mpmath.polyval(a[::-1], u) / mpmath.polyval(b[::-1], u))

    ends = [mpmath.log(a[0] / b[0]), mpmath.log(a[-1] / b[-1])]
    return max([value(u) for u in places] + ends)


@pytest.mark.parametrize("rounds", [15, pytest.param(40, marks=pytest.mark.long)])
def test_finite_exactly_where_every_moment_keeps_the_bound(rounds):
    """Random atoms on the integers, epsilon on either side of the largest ratio of the moments."""
    rng = Random(11)
    inner = 0
    with mpmath.workdps(40):
        for _ in range(rounds):
            n = rng.randint(2, 5)
            p, q = ([rng.randint(1, 60) for _ in range(n)] for _ in range(2))
            if rng.random() < 0.7 and n > 2:  # then the middle outweighs both ends somewhere
                for weights in (p, q):
                    weights[0], weights[-1] = rng.randint(600, 900), 1
                    weights[1] = rng.choice((rng.randint(40, 80), 4 * rng.randint(40, 80)))
            if [x * sum(q) for x in p] == [x * sum(p) for x in q]:
                continue
            largest = max(largest_ratio(p, q), largest_ratio(q, p))
            ends = [mpmath.log(mpmath.mpf(x * sum(q)) / (y * sum(p)))
                    for x, y in ((p[0], q[0]), (p[-1], q[-1]))]  # fmt: skip
            inner += largest > max(abs(x) for x in ends) + mpmath.mpf(10) ** -9
            priors = {
                name: Discrete(counts=dict(enumerate(w))) for name, w in (("a", p), ("b", q))
            }
            for shift in ("0.999999", "1.02"):
                epsilon = mpmath.nstr(largest * mpmath.mpf(shift), 25)
                problem = Problem(priors=priors, noise=GaussianNoise(1), epsilon=epsilon)
                minimum = calibrate(problem, digits=3).minimum
                assert minimum.verdict is not Verdict.UNDECIDED
                assert (minimum.upper == "inf") == (shift < "1"), (p, q, epsilon)
    assert inner > rounds / 8


def test_mixtures_of_normal_laws_are_searched_where_their_parts_trade_places():
    rng = Random(5)
    found = 0
    for _ in range(12):
        means = [0, rng.randint(1, 3), rng.randint(4, 9)]
        weights = [Fraction(rng.randint(50, 90), 100), Fraction(rng.randint(1, 9), 100)]
        other = [weights[0] - Fraction(1, 5), weights[1] + Fraction(1, 5)]
        laws = []
        for w in (weights, other):
            parts = zip([*w, 1 - sum(w)], means, strict=True)
            laws.append(Mixture([{"weight": w, "mean": m, "variance": 1} for w, m in parts]))
        problem = Problem(
            priors=dict(zip("ab", laws, strict=True)), noise=GaussianNoise(1), epsilon="1/2"
        )
        with mpmath.workdps(30):
            largest = max(
                abs(mpmath.log(mpmath.fsum(float(c.weight) * mpmath.exp(t * float(c.mean))
                                           for c in laws[0].components)
                               / mpmath.fsum(float(c.weight) * mpmath.exp(t * float(c.mean))
                                             for c in laws[1].components)))
                for t in mpmath.linspace(-12, 12, 601)
            )  # fmt: skip
        if abs(largest - 0.5) < 1e-3:
            continue
        minimum = calibrate(problem, digits=3).minimum
        assert (minimum.upper == "inf") == (largest > 0.5)
        found += largest > 0.5
    assert 2 <= found < 12


def test_laws_beyond_floats_are_left_to_the_search():
    """No place is looked for, and nothing raises."""
    p, q = (
        tuple(Component(Fraction(w, 1000), Fraction(m), Fraction(0)) for w, m in parts)
        for parts in (
            ((599, 0), (400, 10**400), (1, 2 * 10**400)),
            ((899, 0), (100, 10**400), (1, 2 * 10**400)),
        )
    )
    assert refuting_moment(p, q, Target(number(1), number(0))) is None
