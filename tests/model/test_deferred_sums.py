"""Sums of users whose weights are worked out later: nearly known by floats, exact when asked."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from support import tally

from pfverify import Discrete, Laplace, Problem, System, certify, loss
from pfverify.exact.ball import precision, raw, scaled
from pfverify.model.systems import sums, weighted
from pfverify.model.systems.derived import derived
from pfverify.model.systems.sums import Crowd
from pfverify.model.systems.weighted import Extended

USERS = 90  # of 16 to 40 bits each: masses of more than 1,024 bits
extended = pytest.mark.skipif(
    not weighted._extended_floats(), reason="numpy has no floats of 64 bits on this machine"
)


def a_law(rng: Random, kind: str) -> Discrete:
    match kind:
        case "counts":
            return Discrete(counts={k: rng.randint(1, 9999) for k in range(rng.randint(2, 5))})
        case "wide":  # masses of very different sizes, up to 63 bits
            return Discrete(counts={k: rng.choice([1, 10**6, 2**60]) for k in range(3)})
        case "halves":  # on a finer lattice, below 0 too
            first = Fraction(rng.randint(-3, 3), 2)
            return Discrete(counts={first + Fraction(k, 2): rng.randint(1, 9999) for k in range(5)})
        case _:
            return Discrete({0: Fraction(1, 3), 1: Fraction(2, 3)})


def crowd_of(rng: Random, kind: str) -> list[tuple[Discrete, int]]:
    if kind == "powers":
        return [(a_law(rng, "counts"), rng.randint(70, 99)), (a_law(rng, "one"), 90)]
    return [(a_law(rng, kind), 1) for _ in range(USERS)]


def multiplied(users: list[tuple[Discrete, int]]) -> dict[Fraction, Fraction]:
    """The law of the sum, mass by mass: whole numbers, one user after another."""
    weights, total = {0: 1}, 1
    for law, count in users:
        steps = [(int(2 * x), weight) for x, weight in zip(law.atoms, law.weights, strict=True)]
        for _ in range(count):
            found: dict[int, int] = {}
            for x, a in weights.items():
                for y, b in steps:
                    found[x + y] = found.get(x + y, 0) + a * b
            weights, total = found, total * law.total
    return {Fraction(x, 2): Fraction(weight, total) for x, weight in sorted(weights.items())}


@extended
def test_masses_are_known_nearly_and_exactly() -> None:
    rng, counts = Random("deferred"), Counter[str]()
    for kind in ("counts", "wide", "halves", "powers"):
        users, plus = crowd_of(rng, kind), a_law(rng, kind if kind == "halves" else "counts")
        crowd = Crowd(users, [plus])
        found = crowd.sum(plus=plus)
        assert isinstance(found, Discrete)
        exact = multiplied([*users, (plus, 1)])
        nearly, again = found.nearly, pickle.loads(pickle.dumps(found))
        assert nearly is not None
        assert found._weights == ()
        worst = Fraction(0)
        for mass, integer, exponent in zip(exact.values(), *nearly[:2], strict=True):
            off = abs(integer * Fraction(2) ** exponent / mass - 1)
            assert off <= nearly.error
            worst = max(worst, off)
        counts["rounded"] += worst > 2.0**-64
        with precision(64):
            for mass, ball in zip(exact.values(), scaled(*nearly, found.total), strict=True):
                weight = mass * found.total
                assert ball.contains(raw(weight.numerator))
                assert ball.rel_accuracy_bits() > 48
        assert found.mass == again.mass == exact
        read = Discrete(exact)
        assert found == read
        assert (hash(found), repr(found)) == (hash(read), repr(read))
        assert (found.atoms, found.total, found.columns) == (read.atoms, read.total, None)
        assert found.over(USERS).mass == {x / USERS: mass for x, mass in exact.items()}
        counts[kind] += 1
    tally.reached(counts, "rounded", "counts", "wide", "halves", "powers")


@extended
def test_where_floats_do_not_reach_whole_numbers_do(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Discrete(counts={0: 1, 1: 2**63, 2: 1})  # a total of more than 63 bits
    tiny = Discrete(counts={0: 1, 1: 10**18})  # 300 of these: 1e-5400
    holes = Discrete(counts={0: 1, 5: 2})
    plain = Discrete(counts={0: 1, 1: 2})
    for law, count in ((long, 90), (tiny, 300)):
        found = Crowd([(law, count)], [plain]).sum(plus=plain)
        assert isinstance(found, Discrete)
        assert found._later is not None
        assert found.nearly is None
        assert sum(found.mass.values()) == 1
    found = Crowd([(holes, 700), (plain, 700)], [plain]).sum(plus=plain)
    assert isinstance(found, Discrete)
    assert found._later is None  # which atoms there are, only the weights tell
    found = Crowd([(plain, 900)], [plain]).sum(plus=plain)
    assert found.nearly is not None
    monkeypatch.setattr(weighted, "_extended_floats", lambda: False)
    assert found.nearly is None


def test_sums_with_other_users_are_told_apart_without_being_worked_out() -> None:
    rng = Random(3)
    users = crowd_of(rng, "counts")
    one, other = (Discrete({0: mass, 1: 1 - mass}) for mass in (Fraction(1, 5), Fraction(4, 5)))
    crowd = Crowd(users, [one, other])
    first, second, third = crowd.sum(plus=one), crowd.sum(plus=other), crowd.sum(plus=one)
    assert first != second
    assert (first._weights, second._weights) == ((), ())
    assert first == third
    assert crowd.sum(plus=other) != Crowd(users[1:], [other]).sum(plus=other)


@pytest.mark.parametrize("release", ["sum", "mean"])
@pytest.mark.parametrize("kind", ["counts", "wide", "powers"])
def test_answers_are_those_of_weights_worked_out_at_once(
    kind: str, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"{kind} {release}")
    others = [{"mass": {str(x): str(m) for x, m in law.mass.items()}, "count": count}
              for law, count in crowd_of(rng, kind)]  # fmt: skip
    user = {"P": {"bernoulli": "1/5"}, "Q": {"bernoulli": "4/5"}, "absent": "absent"}
    found = []
    for bits in (sums._DEFERRED, 1 << 60):
        monkeypatch.setattr(sums, "_DEFERRED", bits)
        answers = []
        for scale in ("1/100", "1", "3"):
            system = System(others, user, release=release)
            derived.cache_clear()
            problem = Problem(system=system, noise=Laplace(scale), epsilon="1/2")
            answers.append([(pair.verdict, pair.loss, pair.tie) for pair in certify(problem).pairs])
            (laws,) = problem.beliefs.values()
            if kind == "counts" and bits == sums._DEFERRED and weighted._extended_floats():
                assert all((law._later is None) != (len(found) == 0) for law in laws.values())
            answers.append([pair.epsilon_star for pair in loss(problem).pairs])
        found.append(answers)
    assert found[0] == found[1]


@extended
def test_a_convolution_too_small_for_floats_has_none() -> None:
    half = Extended(np.array([np.longdouble("1e-2460"), 1]), 1)
    assert Extended.product([half, half]) is None
    assert Extended.product([half, Extended.of([1, 1], 2)]) is not None
    assert Extended.product([None, half]) is None
    (one,) = Extended.product([]).masses  # type: ignore[union-attr]
    assert one == 1
