"""Every published scale is certified, in its order, above a minimum that certify confirms."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support import oracles, problems
from support.problems import limited

from pfverify import Discrete, DiscreteLaplace, Laplace, Problem, calibrate
from pfverify.answers.methods import CalibrateResult
from pfverify.exact.number import Number
from pfverify.scales.relaxed import RelaxedPair
from pfverify.transport.line import monotone_plan

LADDER = ("minimum", "relaxed", "wasserstein", "l1")


def calibrated(asked: Problem, digits: int = 12) -> CalibrateResult:
    with limited():
        return calibrate(asked, digits=digits)


def confirmed(asked: Problem, result: CalibrateResult, counts: Counter[str]) -> None:
    """Every scale and both ends of the minimum, by certify itself."""
    for name, method in result.methods.items():
        if method.scale == "0":
            continue
        verdict = problems.decided(asked.replaced(scale=method.scale)).verdict
        assert verdict is method.verdict, name
        assert verdict.value == "certified", name
        counts["certified"] += 1
    lower, upper = result.minimum.lower, result.minimum.upper
    if upper not in ("0", "inf"):
        assert problems.decided(asked.replaced(scale=upper)).verdict.value == "certified"
        if lower != "0":
            assert problems.decided(asked.replaced(scale=lower)).verdict.value == "refuted"
            counts["refuted"] += 1
            assert oracles.units_wide(lower, upper, 12) <= 2


@pytest.mark.parametrize("rounds", [3, pytest.param(8, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", oracles.KINDS)
def test_ladder_of_scales_on_random_priors(kind: str, rounds: int) -> None:
    rng = Random(f"ladder {kind}")
    counts: Counter[str] = Counter()
    for _ in range(rounds):
        p, q = oracles.random_pair(rng, kind, 7)
        asked = problems.problem(p, q, 1, Fraction(rng.randint(1, 30), 10))
        result = calibrated(asked)
        confirmed(asked, result, counts)
        scales = [Fraction(result.methods[name].scale) for name in LADDER]
        assert scales == sorted(scales)
        columns, rows, small, large = (
            Fraction(result.methods[name].scale)
            for name in ("relaxed_columns", "relaxed_rows", "relaxed", "relaxed_published")
        )
        assert small == min(columns, rows)
        assert large == max(columns, rows)
    assert counts["certified"] > 2 * rounds
    assert counts["refuted"] > 0


@pytest.mark.parametrize(
    "target",
    [
        {"delta": "1/20"}, {"delta": "1/20", "step": 1}, {"step": 1},
        {"delta": "1/50", "form": "pointwise"}, {"delta": "1/50", "form": "pointwise", "step": 1},
        {"form": "pointwise"}, {"delta": "1e-9"}, {"delta": "1-exp(-1/4)"},
    ],
    ids=str,
)  # fmt: skip
def test_other_targets(target: dict[str, Any]) -> None:
    rng = Random(f"targets {target}")
    counts: Counter[str] = Counter()
    for _ in range(4):
        p, q = oracles.random_pair(rng, "lattice", 5)
        asked = problems.problem(p, q, 1, Fraction(rng.randint(2, 20), 10), **target)
        confirmed(asked, calibrated(asked), counts)
    assert counts["certified"] > 8
    assert counts["refuted"] > 0


def test_bernoulli_is_the_minimum_of_two_point_priors() -> None:
    rng = Random("bernoulli")
    counts: Counter[str] = Counter()
    for _ in range(25):
        p, q = (Fraction(rng.randint(0, 20), 20) for _ in range(2))
        if p == q:
            continue
        tables = [{0: 1 - m, rng_h: m} for rng_h in [rng.randint(1, 5)] for m in (p, q)]
        asked = problems.problem(*tables, 1, Fraction(rng.randint(1, 24), 8))
        result = calibrated(asked)
        confirmed(asked, result, counts)
        assert result.methods["bernoulli"].scale == result.minimum.upper
        counts["none" if result.minimum.upper == "0" else "noise"] += 1
    assert counts["none"] > 1
    assert counts["noise"] > 5


def test_table_four_exact_form_and_census() -> None:
    asked = problems.problem({0: "52/100", 1: "48/100"}, {0: "50/100", 1: "50/100"}, 1, 1)
    result = calibrated(asked)
    columns = result.methods["relaxed_columns"].exact
    assert columns is not None
    assert Number.parse(f"1/({columns})-log(25*exp(1)-24)").sign() == 0
    confirmed(asked, result, Counter())


def test_closed_forms_are_the_largest_where_floats_see_none_larger() -> None:
    """Blocks far apart, in each a mass moves by 1: their scales differ in the 30th digit."""
    rng, counts = Random("closed forms"), Counter[str]()
    growth = oracles.ctx.exp(1)
    for _ in range(12):
        one, size, blocks = {}, 10**30, rng.randint(1, 5)
        other, ends = {}, []
        for at in range(0, 10 * blocks, 10):
            stay, come, move = (size + rng.randint(-3, 3) for _ in range(3))
            one.update({at: stay + move, at + 1: come})
            other.update({at: stay, at + 1: come + move})
            ends.append([
                1 / oracles.ctx.log((growth * (kept + move) - kept) / move)
                for kept in (come, stay)
            ])  # fmt: skip
        asked = Problem(
            priors={"s": Discrete(counts=one), "t": Discrete(counts=other)},
            noise=Laplace(1),
            epsilon=1,
        )
        columns, rows = (max(end) for end in zip(*ends, strict=True))
        methods = calibrate(asked).methods
        for name, value in (
            ("relaxed_columns", columns),
            ("relaxed_rows", rows),
            ("relaxed", min(columns, rows)),
            ("relaxed_published", max(columns, rows)),
        ):
            exact = methods[name].exact
            assert exact is not None
            away = Number.parse(exact) - Number.parse(oracles.ctx.nstr(value, 50))
            assert away.at_most(256) < Fraction(1, 10**45), name
            assert (-away).at_most(256) < Fraction(1, 10**45), name
        counts["apart"] += columns != rows
        counts["blocks"] += len({end for pair in ends for end in pair}) > 2
    assert counts["apart"] > 6
    assert counts["blocks"] > 6


def test_a_scale_on_the_grid_is_exact_beside_a_line_without_closed_form() -> None:
    many = 10**14
    for one, other in ((0, 2), (0, -2)):
        p = {one: many, 102: many, 103: 1}
        q = {other: many, 104: many + 1}
        priors = {"s": Discrete(counts=p), "t": Discrete(counts=q)}
        methods = calibrate(Problem(priors=priors, noise=Laplace(1), epsilon="1/10")).methods
        for name in ("relaxed_columns", "relaxed_rows", "relaxed", "relaxed_published"):
            assert methods[name].exact == "20", name


@pytest.mark.parametrize("digits", [30, 37, 40, 100])
def test_an_epsilon_whose_logarithm_cancels(digits: int) -> None:
    p, q = {0: "1/2", 3: "1/2"}, {0: "1/4", 1: "1/4", 5: "1/2"}
    with limited():
        result = calibrate(problems.problem(p, q, 1, f"log(1+1e-{digits})"))
    for name, value in (("l1", 5), ("wasserstein", 2), ("relaxed", 2)):
        scale = Fraction(result.methods[name].scale) / 10**digits
        assert value < scale < value * (1 + Fraction(1, 10**10)), name


def test_a_closed_form_with_too_many_digits_is_none() -> None:
    far, epsilon = 10**400, "1e-4000"
    pair = RelaxedPair(monotone_plan(Discrete({0: 1}), Discrete({far: 1})), Number.parse(epsilon))
    assert not pair.rows.may_be_closed
    assert pair.rows.moves


def test_point_masses_need_distance_over_epsilon() -> None:
    result = calibrated(problems.problem({-2: 1}, {1: 1}, 1, "1/2"))
    for name in ("l1", "wasserstein", "relaxed", "relaxed_published", "bernoulli", "minimum"):
        assert result.methods[name].scale == "6", name
        assert result.methods[name].waste == "1"
    assert result.methods["wasserstein"].exact == "6"


@pytest.mark.parametrize("form", ["events", "pointwise"])
@pytest.mark.parametrize("delta", [0, "1/10"])
@pytest.mark.parametrize("epsilon", [0, 1])
def test_equal_priors_need_no_noise(form: str, delta: Any, epsilon: int) -> None:
    p = {0: "1/2", 3: "1/2"}
    result = calibrated(problems.problem(p, p, 1, epsilon, delta, form))
    assert (result.minimum.lower, result.minimum.upper) == ("0", "0")
    assert result.minimum.reason
    assert all(m.waste is None for m in result.methods.values())
    assert all(m.verdict.value == "certified" for m in result.methods.values())


def test_priors_that_are_already_private() -> None:
    p, q = {0: "1/2", 1: "1/2"}, {0: "2/5", 1: "3/5"}
    for epsilon, expected in (("log(5/4)", "0"), ("log(6/5)", None)):
        result = calibrated(problems.problem(p, q, 1, epsilon))
        assert (result.minimum.upper == "0") == (expected == "0")
    assert calibrated(problems.problem(p, q, 1, 0, "1/10")).minimum.upper == "0"
    assert calibrated(problems.problem(p, q, 1, 0, "0.0999")).minimum.upper != "0"
    assert calibrated(problems.problem({0: 1}, {1: 1}, 1, 0, 1)).minimum.upper == "0"
    pointwise = calibrated(problems.problem(p, q, 1, 0, "1/10", "pointwise"))
    assert pointwise.minimum.upper != "0"  # small scales make densities large
    masses = calibrated(problems.problem(p, q, 1, 0, "1/10", "pointwise", step=1))
    assert masses.minimum.upper == "0"


def test_no_scale_works_for_epsilon_zero() -> None:
    result = calibrated(problems.problem({0: 1}, {1: 1}, 1, 0))
    assert (result.minimum.lower, result.minimum.upper) == ("inf", "inf")
    assert result.minimum.reason
    assert result.methods["minimum"].scale == "inf"
    assert "l1" in result.not_applicable
    with_delta = calibrated(problems.problem({0: 1}, {1: 1}, 1, 0, "1/10"))
    assert Fraction(with_delta.minimum.upper) > 1


def test_columns_without_moved_mass() -> None:
    p = {0: "1/2", 1: "1/4", 2: "1/4"}
    q = {0: "1/2", 1: "1/8", 2: "3/8"}
    asked = problems.problem(p, q, 1, "1/4")
    counts: Counter[str] = Counter()
    confirmed(asked, calibrated(asked), counts)
    assert counts["certified"] > 5
    assert counts["refuted"] == 1


@pytest.mark.parametrize("noise", [Laplace(), DiscreteLaplace(step=1)], ids=repr)
def test_several_pairs_and_beliefs(noise: Any) -> None:
    rng = Random("beliefs")
    counts: Counter[str] = Counter()
    for _ in range(3):
        beliefs = {
            name: {
                secret: Discrete(oracles.random_pair(rng, "lattice", 4)[0]) for secret in "xyz"
            }
            for name in ("one", "two")
        }
        asked = Problem(beliefs=beliefs, noise=noise, epsilon=1)
        result = calibrated(asked)
        confirmed(asked, result, counts)
        singles = []
        for item in asked.questions():
            single = Problem(
                priors={"x": item.first_prior, "y": item.second_prior}, noise=noise, epsilon=1
            )
            singles.append(calibrated(single))
        for name in ("minimum", *LADDER[1:], "relaxed_published"):
            values = [Fraction(r.methods[name].scale) for r in singles if name in r.methods]
            assert Fraction(result.methods[name].scale) == max(values), name
    assert counts["refuted"] == 3


@pytest.mark.parametrize("digits", [1, 2, 6, 30])
def test_digits_of_the_bracket(digits: int) -> None:
    p, q = {0: "1/2", 1: "1/2"}, {0: "1/10", 1: "1/2", 5: "2/5"}
    for epsilon in ("1/10", 1):
        result = calibrated(problems.problem(p, q, 1, epsilon), digits)
        low, high = result.minimum.lower, result.minimum.upper
        assert oracles.units_wide(low, high, digits) <= 2
        if digits < 28:
            fine = calibrated(problems.problem(p, q, 1, epsilon), 28).minimum
            assert Fraction(low) <= Fraction(fine.lower) < Fraction(fine.upper) <= Fraction(high)


def test_thirty_digits_of_a_small_scale_are_still_a_decimal() -> None:
    for digits, epsilon in ((30, 40), (40, 1), (12, "1e25")):
        result = calibrated(problems.problem({0: 1}, {1: "1/3", 2: "2/3"}, 1, epsilon), digits)
        for text in (result.minimum.lower, result.minimum.upper):
            assert "/" not in str(text)


@pytest.mark.parametrize("delta", [0, "1/10"])
@pytest.mark.parametrize("atom", ["1e-30", "1e30", "1e400", "1e-400"])
def test_atoms_of_any_size(atom: str, delta: Any) -> None:
    asked = problems.problem({0: 1}, {atom: 1}, 1, 1, delta)
    result = calibrated(asked)
    if delta == 0:
        assert Fraction(result.minimum.upper) == Fraction(atom)
    confirmed(asked, result, Counter())


@pytest.mark.parametrize("epsilon", ["1e-12", "1e-400", "800", "1e400"])
def test_epsilon_of_any_size(epsilon: str) -> None:
    asked = problems.problem({0: 1}, {1: 1}, 1, epsilon)
    assert Fraction(calibrated(asked).minimum.upper) == 1 / Fraction(epsilon)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [("log(3)*log(2)", 0), (1, "log(3/2)"), ("exp(-1)", "log(11/10)")]
)
def test_targets_outside_the_exact_classes(epsilon: Any, delta: Any) -> None:
    asked = problems.problem({0: 1}, {1: 1}, 1, epsilon, delta)
    counts: Counter[str] = Counter()
    confirmed(asked, calibrated(asked), counts)
    assert counts["refuted"] == 1


def test_atoms_farther_apart_than_any_float():
    tables = {name: {k: 1 + k % n for k in range(70)} for name, n in (("a", 3), ("b", 2))}
    least = []
    for unit in (1, 10**400):
        priors = {
            name: Discrete(counts={k * unit: n for k, n in table.items()})
            for name, table in tables.items()
        }
        found = calibrate(Problem(priors, noise=Laplace(), epsilon="1/10")).minimum
        least.append((found.lower / unit, found.upper / unit))
    assert least[0] == least[1]
