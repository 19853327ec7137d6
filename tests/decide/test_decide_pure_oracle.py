"""Pure epsilon against direct sums at 60 digits, and what the counts of decisions say."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import oracles, problems

from pfverify import Discrete
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.exponential.pure import PureRatios, pure_orders
from pfverify.exact.ball import Raw
from pfverify.exact.number import Number
from pfverify.exact.written import written
from pfverify.laws.rate import Rate

FACTORS = ("0.3", "0.9", "0.999999999", "1.000000001", "1.1", "3")


def scale_of(rng: Random, p: oracles.Table, q: oracles.Table) -> Fraction:
    atoms = oracles.support(p, q)
    width = max(atoms[-1] - atoms[0], Fraction(1))
    return width * Fraction(rng.randint(1, 40), 40)


@pytest.mark.parametrize("kind", oracles.KINDS)
@pytest.mark.parametrize("step", [None, "lattice"])
def test_verdict_and_loss_agree_with_direct_sums(kind: str, step: str | None) -> None:
    rng = Random(f"pure {kind} {step}")
    counts: Counter[str] = Counter()
    for _ in range(40):
        p, q = oracles.random_pair(rng, kind)
        atoms = oracles.support(p, q)
        lattice = None
        if step:
            lattice = min(Fraction(1, (a - atoms[0]).denominator) for a in atoms)
            if any(((a - atoms[0]) / lattice).denominator != 1 for a in atoms):
                lattice = Fraction(1, 2520)
        scale = scale_of(rng, p, q)
        losses = {"a": oracles.pure_loss(p, q, scale), "b": oracles.pure_loss(q, p, scale)}
        epsilon = oracles.near(rng, max(losses.values()), FACTORS)
        result = problems.decided(problems.problem(p, q, scale, epsilon, step=lattice))
        for name, loss in losses.items():
            found = problems.order(result, name)
            assert oracles.encloses(found.loss.lower, found.loss.upper, loss)
            assert oracles.units_wide(found.loss.lower, found.loss.upper, 12) <= 2
            assert abs(loss - oracles.real(epsilon)) > oracles.CLOSE
            expected = "refuted" if loss > oracles.real(epsilon) else "certified"
            assert found.verdict.value == expected
            counts[expected] += 1
            if expected == "refuted":
                assert found.witness is not None
                at = Fraction(found.witness.y)
                first, second = (p, q) if name == "a" else (q, p)
                ratio = oracles.ctx.log(
                    oracles.Release(first, scale).at(at) / oracles.Release(second, scale).at(at)
                )
                margin = oracles.real(Fraction(found.witness.margin))
                assert 0 < margin <= ratio - oracles.real(epsilon)
    assert counts["certified"] > 5
    assert counts["refuted"] > 5
    assert set(counts) == {"certified", "refuted"}


DECIDED: Counter[str] = Counter()

masses = st.lists(st.integers(0, 30), min_size=2, max_size=6).filter(any)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    left=masses,
    right=masses,
    scale=st.fractions(Fraction(1, 20), 20, max_denominator=50),
    epsilon=st.fractions(0, 3, max_denominator=30),
    shift=st.fractions(-5, 5, max_denominator=7),
)
def check_on_hypothesis_priors(
    left: list[int], right: list[int], scale: Fraction, epsilon: Fraction, shift: Fraction
) -> None:
    p = {Fraction(k): Fraction(w, sum(left)) for k, w in enumerate(left) if w}
    q = {k + shift: Fraction(w, sum(right)) for k, w in enumerate(right) if w}
    gap = max(oracles.pure_loss(p, q, scale), oracles.pure_loss(q, p, scale))
    gap -= oracles.real(epsilon)
    verdict = problems.verdict(p, q, scale, epsilon)
    if abs(gap) < oracles.CLOSE:
        DECIDED["tie"] += 1
        assert verdict == "certified"
    else:
        assert verdict == ("refuted" if gap > 0 else "certified")
        DECIDED[verdict] += 1


def test_hypothesis_priors_reach_both_decisions() -> None:
    check_on_hypothesis_priors()
    assert DECIDED["certified"] > 3
    assert DECIDED["refuted"] > 3


def test_nothing_between_the_atoms_exceeds_the_loss() -> None:
    rng = Random("between")
    checked = 0
    for kind in oracles.KINDS:
        for _ in range(4):
            p, q = oracles.random_pair(rng, kind, 6)
            scale = scale_of(rng, p, q)
            result = problems.decided(problems.problem(p, q, scale, 1))
            upper = problems.order(result, "a").loss.upper
            dense = oracles.pure_loss(p, q, scale, per_gap=40)
            assert dense <= oracles.real(Fraction(upper)) + oracles.CLOSE
            checked += 1
    assert checked == 16


@pytest.mark.parametrize("distance", ["1e6", "1e12", "1e30"])
def test_far_atoms_neither_underflow_nor_hang(distance: str) -> None:
    far = Fraction(distance)
    for epsilon, expected in ((far, "certified"), (far - Fraction(1, 10**20), "refuted")):
        assert problems.verdict({0: 1}, {far: 1}, 1, epsilon) == expected
    mixed = {0: "1/2", far: "1/2"}
    assert problems.verdict(mixed, {0: 1}, 1, "log(2)") == "refuted"
    assert problems.verdict(mixed, {0: "1/3", far: "2/3"}, 1, "log(3/2)") == "certified"


def test_atoms_that_floats_do_not_tell_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mirror images have two worst atoms: the sign needs no ball at either, the rest is the same
    as from balls at all atoms."""
    rng, evaluated = Random("mirror"), Counter[int]()
    log_ratio = Pair.log_ratio

    def counted(pair: Pair, index: int, rate: Raw) -> Raw:
        evaluated[index] += 1
        return log_ratio(pair, index, rate)

    monkeypatch.setattr(Pair, "log_ratio", counted)
    for scale in ("3", "100000"):
        half = [[rng.randint(1, 1000) for _ in range(150)] for _ in "pq"]
        p, q = (Discrete(counts=dict(enumerate([*one, *one[::-1]]))) for one in half)
        pair, rate = Pair(p, q), Rate(Number.parse(f"1/{scale}"))
        epsilon = Number.parse("100")
        evaluated.clear()
        orders = pure_orders(pair, rate, epsilon)
        assert [order.sign for order in orders] == [-1, -1]
        assert not evaluated
        ratios = PureRatios(pair, rate)
        by_balls = [ratios.by_balls(epsilon, reverse=reverse) for reverse in (False, True)]
        for found, expected in zip(orders, by_balls, strict=True):
            assert written(found.amount, 12) == written(expected.amount, 12)
            assert written(found.amount, 40) == written(expected.amount, 40)
            assert found.worst in (expected.worst, 299 - expected.worst)
        assert len(evaluated) > 2
