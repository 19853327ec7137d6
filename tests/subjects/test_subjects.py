"""The subjects against the exact core, on small laws; and what each does without its library."""

from __future__ import annotations

import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    GaussianNoise,
    InputError,
    Laplace,
    Problem,
    certify,
    loss,
)
from pfverify.subjects import (
    accountants,
    accounting,
    algorithm_1,
    composed_losses,
    line,
    numpy_float64,
    opendp_maps,
    pairs,
    pot,
    relaxed_brentq,
)
from pfverify.subjects.registry import SUBJECTS

F = Fraction
ATOMS = [0.0, 1.0, 3.0, 4.0]
P, Q = [0.5, 0.25, 0.125, 0.125], [0.125, 0.125, 0.5, 0.25]
SHIFT = [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]
HALVES = [0.0, 2.0], [0.5, 0.5], [1.0, 0.0]  # Algorithm 1 starts at its root, and leaves it


def asked(function, atoms, p, q, *numbers, **named):
    return function(np.array(atoms), np.array(p), np.array(q), *numbers, **named)


def problem(atoms, p, q, noise, epsilon, delta=0):
    laws = (Discrete(mass={F(a): F(m) for a, m in zip(atoms, law, strict=True)}) for law in (p, q))
    return Problem(dict(zip("pq", laws, strict=True)), noise=noise, epsilon=epsilon, delta=delta)


def exact(atoms, p, q, noise, epsilon="1/2"):
    return loss(problem(atoms, p, q, noise, epsilon, "1/100"))


def near(enclosure):
    return pytest.approx(float(enclosure.lower), rel=1e-10)


def test_the_monotone_plan_is_exact_and_moves_the_laws():
    p, q = [0.1, 0.2, 0.7], [1e-300, 0.3, 0.3]  # neither sums to 1
    plan = list(line.monotone_plan(np.array(p), np.array(q)))
    for k, law in ((0, p), (1, q)):
        total = sum(map(F, law))
        for i, m in enumerate(law):
            assert sum(e[2] for e in plan if e[k] == i) == F(m) / total
    assert asked(line.largest_move, [0.0, 0.1, 5.0], [1.0, 0, 0], [0.0, 1, 0]) == 0.1
    assert asked(line.largest_move, [-1.0, 1e-17], [1.0, 0], [0.0, 1]) > 1  # upward


def test_float64_is_near_the_truth():
    truth = exact(ATOMS, P, Q, Laplace(2))
    assert asked(numpy_float64.loss, ATOMS, P, Q, 2.0) == near(truth.epsilon_star)
    assert asked(numpy_float64.delta, ATOMS, P, Q, 2.0, 0.5) == near(truth.delta)
    scale = asked(numpy_float64.scale, ATOMS, P, Q, 0.5)
    found = {
        certify(problem(ATOMS, P, Q, Laplace(F(scale) * factor), "1/2")).verdict.value
        for factor in (1 + F(1, 10**9), 1 - F(1, 10**9))
    }
    assert found == {"certified", "refuted"}
    y = np.array([-7.0, 0.0, 2.5, 4.0, 9.0])
    kernel = np.exp(-np.abs(y[:, None] - np.array(ATOMS)) / 2) / 4
    assert np.allclose(numpy_float64.density(np.array(ATOMS), np.array(P), 2.0, y), kernel @ P)


@pytest.mark.parametrize("order", [1, -1])
def test_the_divergence_of_float64_has_no_special_direction(order):
    atoms = sorted(order * a for a in ATOMS)
    for scale in (0.05, 1.0, 30.0):
        truth = exact(atoms, P[::order], Q[::order], Laplace(F(scale)), 0)
        assert asked(numpy_float64.delta, atoms, P[::order], Q[::order], scale, 0.0) == near(
            truth.delta
        )


def test_algorithm_1_is_unsound_where_brentq_finds_the_root():
    e = float(np.log(2.5))
    assert asked(relaxed_brentq.scale, *HALVES, e) == pytest.approx(1 / np.log(2))
    found = asked(algorithm_1.scale, *HALVES, e)
    assert found == pytest.approx(1 / np.log(8 / 3), rel=1e-6)
    assert certify(problem(*HALVES, Laplace(F(found)), F(e))).verdict.value == "refuted"


def test_algorithm_1_returns_nothing_for_equal_laws():
    assert asked(algorithm_1.scale, ATOMS, P, P, 0.5) == 0
    assert asked(relaxed_brentq.scale, ATOMS, P, P, 0.5) == 0


@pytest.mark.parametrize("plan", [pot.monotone_plan, pot.network_plan, pot.entropic_plan])
def test_plans_of_pot_have_their_marginals(plan):
    rows = asked(plan, ATOMS, P, Q)
    for k, law in ((0, P), (1, Q)):
        assert np.allclose(np.bincount(rows[:, k].astype(int), rows[:, 2], 4), law, atol=1e-8)


def test_maps_of_opendp_bound_the_loss():
    bound = asked(opendp_maps.laplace_loss, ATOMS, P, Q, 2.0)
    assert bound >= exact(ATOMS, P, Q, Laplace(2)).epsilon_star.upper
    assert asked(opendp_maps.laplace_loss, *SHIFT, 3.0) >= F(1, 3)
    assert asked(opendp_maps.discrete_laplace_loss, *SHIFT, 3.0) >= F(1, 3)


def test_accounting_is_near_the_truth_where_a_mechanism_is_the_release():
    cases = [
        (accounting.laplace_delta, Laplace(2)),
        (accounting.laplace_delta_pessimistic, Laplace(2)),
        (accounting.discrete_laplace_delta_pessimistic, DiscreteLaplace(2, step=1)),
        (accounting.gaussian_delta_pessimistic, GaussianNoise(2)),
        (accounting.gaussian_delta_optimistic, GaussianNoise(2)),
        (accounting.discrete_gaussian_delta, DiscreteGaussian(2, step=1)),
        (accounting.discrete_gaussian_delta_pessimistic, DiscreteGaussian(2, step=1)),
        (accounting.discrete_gaussian_delta_optimistic, DiscreteGaussian(2, step=1)),
    ]
    for function, noise in cases:
        truth = float(exact(*SHIFT, noise, "1/4").delta.lower)
        assert asked(function, *SHIFT, 2.0, 0.25) == pytest.approx(truth, rel=5e-3), function
    assert asked(accounting.laplace_scale, *SHIFT, 0.5) == pytest.approx(2)
    assert asked(accounting.discrete_laplace_scale, *SHIFT, 0.5) == pytest.approx(2)
    sigma = asked(accounting.gaussian_scale, *SHIFT, 1.0, delta=0.01)
    assert exact(*SHIFT, GaussianNoise(F(sigma)), 1).delta.lower == pytest.approx(0.01, rel=1e-9)


def test_what_accounting_takes_and_gives_in_another_unit_is_rounded_to_its_safe_side(monkeypatch):
    scale, epsilon = 1 / 3, 3.0  # 1/scale is above 3, and rounds to 3
    truth = exact(*SHIFT, DiscreteLaplace(F(scale), step=1), F(epsilon)).delta
    found = asked(accounting.discrete_laplace_delta_pessimistic, *SHIFT, scale, epsilon)
    assert found >= truth.upper > 0

    class Calibrated:
        """A library that is exact: its parameter is epsilon."""

        @staticmethod
        def from_privacy_guarantee(target, sensitivity):
            return SimpleNamespace(parameter=target.epsilon)

    mechanism = SimpleNamespace(DiscreteLaplacePrivacyLoss=Calibrated)
    monkeypatch.setattr(accounting, "_mechanism", lambda: mechanism)
    for epsilon in (0.1, 3.0, 49.0, 0.12500000000000003):
        scale = asked(accounting.discrete_laplace_scale, *SHIFT, epsilon)
        assert F(scale) >= 1 / F(epsilon), epsilon


def test_a_pessimistic_value_is_far_below_the_truth_at_a_small_scale():
    """The mixture's losses are inverted to an absolute 1e-6 of the output, whatever the scale."""
    table = [0.0, 1e-7, 2e-7], [1.0, 0.0, 0.0], [0.25, 0.5, 0.25]
    found = asked(accounting.gaussian_delta_pessimistic, *table, 1e-7, 1.0)
    truth = exact(*table, GaussianNoise(F(1e-7)), 1).delta
    assert found < truth.lower / 1000


def test_a_table_on_both_sides_is_bounded_by_its_largest_move():
    truth = exact(ATOMS, P, Q, GaussianNoise(2))
    assert asked(accounting.gaussian_delta_pessimistic, ATOMS, P, Q, 2.0, 0.5) > truth.delta.upper
    assert asked(accounting.gaussian_delta_optimistic, ATOMS, P, Q, 2.0, 0.5) == 0
    truth = exact(ATOMS, P, Q, DiscreteGaussian(2, step=1))
    assert asked(accounting.discrete_gaussian_delta, ATOMS, P, Q, 2.0, 0.5) > truth.delta.upper
    assert asked(accounting.discrete_gaussian_delta_optimistic, ATOMS, P, Q, 2.0, 0.5) == 0


@pytest.mark.parametrize(
    ("function", "module", "name"),
    [
        (pot.monotone_plan, "ot", "POT"),
        (opendp_maps.laplace_loss, "opendp.prelude", "OpenDP"),
        (accounting.laplace_scale, "dp_accounting.pld.privacy_loss_mechanism", "dp-accounting"),
    ],
)
def test_an_absent_library_is_one_line_with_the_remedy(function, module, name, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    numbers = () if module == "ot" else (1.0,)
    with pytest.raises(InputError) as caught:
        asked(function, *SHIFT, *numbers)
    remedy = "in the checkout, pip install '.[subjects]'"
    assert str(caught.value) == f"this subject needs {name}: {remedy}"


def test_a_pair_is_a_point_that_moves_with_some_chance_or_bounded_by_one():
    assert asked(pairs.moved, *SHIFT) == (1.0, 1.0, True)
    assert asked(pairs.moved, [0.0, 3.0], [0.75, 0.25], [1.0, 0.0]) == (3.0, 0.25, True)
    assert asked(pairs.moved, [0.0, 3.0], [1.0, 0.0], [0.75, 0.25]) == (3.0, 0.25, True)
    assert asked(pairs.moved, ATOMS, P, Q) == (3.0, 1.0, False)
    assert asked(pairs.moved, [0.0, 1.0], [1.0, 0.0], [1.0, 0.0])[0] == 0
    ratio = pairs.largest_log_ratio(np.array([0.75, 0.25]), np.array([0.25, 0.75]))
    assert 0 <= ratio - np.log(3) < 1e-14
    assert pairs.largest_log_ratio(np.array([1.0, 0.0]), np.array([0.5, 0.5])) == np.inf


def test_accountants_bound_100_laplace_releases_from_both_sides():
    truth = 3.61760778811899773771e-10
    numbers = 10.0, 100.0, 6.0
    assert truth <= asked(composed_losses.laplace_pessimistic, *SHIFT, *numbers) < truth * 1.001
    assert truth * 0.99 < asked(composed_losses.laplace_optimistic, *SHIFT, *numbers) <= truth
    assert asked(composed_losses.laplace_renyi, *SHIFT, *numbers) > truth
    assert asked(accountants.opendp_laplace, *SHIFT, *numbers) > truth
    assert asked(composed_losses.laplace_optimistic, ATOMS, P, Q, *numbers) == 0


def test_a_composed_optimistic_estimate_is_above_a_truth_below_its_truncation():
    """Losses cut at 1e-15 are counted as infinite, by the lower estimate too."""
    found = asked(composed_losses.laplace_optimistic, *SHIFT, 10.0, 100.0, 9.0)
    assert found > 1e-16 > 1e-22  # the truth is below 2e-22


def test_every_public_function_is_a_subject():
    modules = (
        accountants, accounting, algorithm_1, composed_losses, numpy_float64, opendp_maps, pot,
        relaxed_brentq,
    )  # fmt: skip
    public = {
        f"{module.__name__.rpartition('.')[2]}:{name}"
        for module in modules
        for name, value in vars(module).items()
        if callable(value) and not name.startswith("_") and value.__module__ == module.__name__
    }
    assert public == set(SUBJECTS)
