"""The benchmark runs on small sizes, so that it cannot rot. Nothing is timed here."""

from __future__ import annotations

import datetime
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from benchmark import (
    RESULTS,
    FloatPass,
    Sizes,
    Workload,
    all_rows,
    missed_markdown,
    random_problem,
    report,
)
from benchmark_accounting import MISSING, Accuracy, accuracy_rows, truths
from benchmark_channels import random_tuples, sampled_delta
from benchmark_choices import ChoiceSizes
from benchmark_composed import ComposedSizes
from benchmark_correlated import CorrelatedSizes, as_matrix, as_table, noise_rows
from benchmark_curves import curve, float_delta, one_by_one, points
from benchmark_families import FamilySizes
from benchmark_forms import FormSizes
from benchmark_growth import GrowthSizes, growth_rows
from benchmark_measure import Row
from benchmark_renyi import RenyiSizes
from benchmark_several import SeveralSizes
from benchmark_smooth import FloatDelta, problems
from benchmark_systems import float_loss, floats, from_scratch, in_turn, many_laws
from benchmark_views import CHANCES, LEAST, VALUES, ViewSizes, mean_of
from benchmark_whole_curves import CurveSizes
from support.chart_orders import orders_of

from pfverify import DiscreteGaussian, Laplace, Problem, System, certify, loss
from pfverify.decide.exponential.pure import pure_orders
from pfverify.exact.written import written
from pfverify.model.channels.tupling import Tupling

SMALL = Sizes(
    verdict=(5, 20),
    grid=5,
    grid_points=10,
    minimum=(5,),
    delta=(5,),
    counts=20,
    kernel=(5,),
    coq=(),
    coq_examples=(),
    plan=20,
    plane=8,
    proofs=("N05", "N06"),
    memory=50,
    secrets=3,
    records=30,
    users=30,
    channels=(10,),
    tuples=((3, 2),),
    draws=20,
    curve=3,
    sigmas=(1, 2),
    steps=(30,),
    several=SeveralSizes(values=4, atoms=5, releases=3),
    composed=ComposedSizes(releases=(3,), steps=2, each=2, parts=2),
    choices=ChoiceSizes(numbers=3, few=3, points=2, side=3),
    renyi=RenyiSizes(atoms=(3,), bells=2),
    forms=FormSizes(atoms=3, numbers=2, curve=3, draws=200, keys=1),
    curves_whole=CurveSizes(atoms=3, checked=2),
    families=FamilySizes(atoms=5),
    views=ViewSizes(atoms=20, people=4, students=4),
    correlated=CorrelatedSizes(counts=5, chances=2, records=4, nodes=4),
    growth=GrowthSizes((5, 10), (5, 10), (2, 3), (2, 3), (2, 3), (1, 2), (1, 2), repeats=1),
    smooth=False,
    repeats=1,
    starts=1,
)


@pytest.fixture(scope="module")
def accuracy() -> list[Accuracy]:
    return accuracy_rows((0.1, 0.1))


@pytest.mark.usefixtures("one_process")
def test_the_table_has_every_row(accuracy: list[Accuracy]) -> None:
    rows = all_rows(SMALL)
    growth = growth_rows(SMALL.growth)
    text = report(rows, growth, accuracy, datetime.date(2000, 1, 1))
    curves = 4 + 2 + 3
    others = 2 * 3 + 4 + 5 + 2 + 5 + 2 + 3 + 4 + 1 + 1 + 3 + 1 + 1 + 3 + 3 + 3 + 7 + 5 + 6 + 16 + 13
    assert len(rows) == others + curves
    for row in rows:
        assert f"| {row.work} " in text
    for line in accuracy:
        assert f"| {line.way} " in text
    for line in growth:
        assert f"| {line.work} " in text
        assert line.exponent == pytest.approx(line.last_exponent)  # of two sizes
    assert len(growth) == 16
    assert "Measured on 2000-01-01" in text


def test_our_bounds_hold_and_the_others_are_measured_or_skipped_with_a_reason(
    accuracy: list[Accuracy],
) -> None:
    rows = accuracy
    ours = [row for row in rows if row.way.startswith("pfverify")]
    assert len(ours) == 8
    assert all(row.kept for row in ours)
    try:
        import dp_accounting  # noqa: F401
    except ImportError:
        assert [row.value for row in rows[8:]] == [MISSING]
    else:
        assert len(rows) == 8 + 5 + 6
        assert sum(row.claim == "lower bound" for row in rows) == 3


def test_the_truth_is_the_closed_form_of_two_normal_laws() -> None:
    """Phi(1/2 - epsilon) - e^epsilon Phi(-1/2 - epsilon) for a distance and a variance of 1."""
    with mpmath.workdps(60):
        closed = mpmath.ncdf(-0.5) - mpmath.e * mpmath.ncdf(-1.5)
        assert abs(truths()["normal"] - closed) < mpmath.mpf(10) ** -50


@pytest.mark.parametrize("name", problems())
def test_the_float_yardstick_computes_the_same_delta(name: str) -> None:
    problem, reverse = problems()[name]
    orders = orders_of(next(problem.questions()))
    found = orders[reverse].events()
    assert found.sign == 1
    assert abs(FloatDelta(problem, reverse).delta() - float(written(found.delta, 12).upper)) < 1e-11


def test_a_curve_and_single_calls_say_the_same() -> None:
    """They compute what they are timed for, and so does the sum in floats."""
    problem, epsilons = points(DiscreteGaussian(2)), [Fraction(1, 3), Fraction(1, 2)]
    found = curve(problem, epsilons)
    assert found == one_by_one(problem, epsilons)
    low = float(found[1].strip("[]").split(",")[0])
    assert abs(float_delta(2, 0.5) - low) < 1e-11


def test_the_float_pass_computes_the_same_losses() -> None:
    problem = random_problem(50)
    work = Workload(problem)
    orders = pure_orders(work.pair, work.rate, problem.epsilon)
    for order, plain in zip(orders, FloatPass(problem).losses(), strict=True):
        assert order.sign == -1
        assert abs(float(written(order.amount, 12).upper) - plain) < 1e-12


def test_the_sampled_delta_of_tuples_is_near_the_exact_one() -> None:
    """It computes what it is timed for."""
    problem = random_tuples(4, 3)
    assert isinstance(problem.release, Tupling)
    laws = [np.array([float(mass) for mass in row]) for row in problem.release.base.rows]
    found = max(sampled_delta(p, q, 3, 0.5) for p, q in (laws, laws[::-1]))
    exact = loss(problem).delta
    assert abs(found - float(exact.lower)) < 0.002 < float(exact.lower)


def test_the_float_convolution_is_near_the_loss() -> None:
    """It computes what it is timed for."""
    laws = many_laws(6)
    others = [{"mass": {str(a): str(m) for a, m in law.mass.items()}} for law in laws]
    user = {"P": {"bernoulli": "1/5"}, "Q": {"bernoulli": "9/10"}}
    problem = Problem(system=System(others, user), noise=Laplace(1), epsilon=1)
    worst = loss(problem).epsilon_star
    found = float_loss(floats(laws), (np.array([0.8, 0.2]), np.array([0.1, 0.9])))
    assert abs(found - float(worst.lower)) < 1e-9
    assert in_turn(laws, 6) == from_scratch(laws, 6)


def test_the_scales_of_a_crowd_are_met_exactly() -> None:
    """They are ties, as they are timed for: by values at both ends, by chances at one."""
    values, chances = (
        [atom for pair in certify(mean_of(30, user, LEAST[name])).pairs for atom in pair.ties]
        for name, user in (("values", VALUES), ("chances", CHANCES))
    )
    assert values == [1, 0]
    assert chances == [0]


def test_a_noise_table_and_its_matrix_are_one_release() -> None:
    """They compute the same, as they are timed beside each other."""
    rows = noise_rows(4)
    rows[4] = rows[3]
    table, matrix = (certify(problem) for problem in (as_table(rows), as_matrix(rows)))
    assert len(table.pairs) == len(matrix.pairs) == 8
    assert [one.loss for one in table.pairs] == [one.loss for one in matrix.pairs]


def test_a_target_that_is_missed_has_its_reason_beside_it() -> None:
    rows = [
        Row("whole calibrate() call", "861 pairs", "6 s", "", "1 s", "6.0", "<= 5", met)
        for met in (True, False, None)
    ]
    assert missed_markdown(rows[:1] + rows[2:]) == "None."
    (line,) = missed_markdown(rows).splitlines()
    assert line.startswith("- whole calibrate() call (861 pairs): 6.0 against <= 5. Of ten atoms")
    unknown = missed_markdown([Row("another", "1", "6 s", "", "1 s", "6.0", "<= 5", False)])
    assert unknown.endswith("against <= 5. ?")
    assert ". ?\n" not in RESULTS.read_text("utf-8")
