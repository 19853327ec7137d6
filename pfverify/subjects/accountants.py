"""Accountants of many releases from other libraries than dp-accounting.

A library that answers with an epsilon for a delta is asked for the least delta whose epsilon is
small enough. What is no point that moves (with some chance in each release: Poisson sampling) is
bounded by one that does, at rate 1 where the library has no sampling.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import Any

import numpy as np

from pfverify.subjects.line import Array
from pfverify.subjects.optional import library, opendp
from pfverify.subjects.pairs import largest_log_ratio, moved

_PAIR = np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0])  # of the examples
_ANSWERS = np.array([0.0, 1.0]), np.array([0.75, 0.25]), np.array([0.25, 0.75])
_LEAST = 1e-40  # a delta
_HALVINGS, _FEW = 60, 20  # few where an epsilon takes a third of a second
_EPSILON_ERROR, _DELTA_ERROR = 0.01, 1e-10  # what prv-accountant is asked for


def prv_laplace(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the upper bound of `PRVAccountant`; InputError where prv-accountant is absent.

    Example: ``round(prv_laplace(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.0323``.
    """
    distance = moved(atoms, p, q).distance
    return _prv(_losses().LaplaceMechanism(mu=distance / scale), count, epsilon)[2]


def prv_gaussian(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the upper bound of `PRVAccountant`, of Poisson samples too; InputError as above.

    Example: ``round(prv_gaussian(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.1919``.
    """
    return _prv_gaussian(atoms, p, q, scale, count, epsilon)[2]


def prv_gaussian_lower(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the lower bound of `PRVAccountant`, 0 at least; InputError as above.

    Example: ``round(prv_gaussian_lower(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.1907``.
    """
    if not moved(atoms, p, q).exact:
        return 0.0
    return max(0.0, _prv_gaussian(atoms, p, q, scale, count, epsilon)[0])


def _prv_gaussian(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> tuple[float, float, float]:
    distance, rate, _ = moved(atoms, p, q)
    sigma = scale / distance
    if rate == 1:
        return _prv(_losses().GaussianMechanism(sigma), count, epsilon)
    one = _losses().PoissonSubsampledGaussianMechanism(rate, sigma)
    return _prv(one, count, epsilon)


def _prv(one: Any, count: float, epsilon: float) -> tuple[float, float, float]:
    accountant = _losses().PRVAccountant(
        prvs=[one], max_self_compositions=[int(count)], eps_error=_EPSILON_ERROR,
        delta_error=_DELTA_ERROR,
    )  # fmt: skip
    low, near, high = accountant.compute_delta(epsilon, [int(count)])
    return float(low), float(near), float(high)


def autodp_laplace(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of autodp's `Composition` (Renyi divergences); InputError where absent.

    Example: ``round(autodp_laplace(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.0885``.
    """
    one = _mechanisms().LaplaceMechanism(b=scale / moved(atoms, p, q).distance)
    return _autodp("Composition", one, count, epsilon)


def autodp_laplace_fourier(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of autodp's `ComposeAFA`, by characteristic functions; InputError as above.

    Example: ``autodp_laplace_fourier(*_PAIR, 1.0, 20.0, 13.0) < 1`` is ``True``.
    """
    size = scale / moved(atoms, p, q).distance
    one = _mechanisms().LaplaceMechanism(b=size, RDP_off=True, phi_off=False)
    return _autodp("ComposeAFA", one, count, epsilon, _FEW)


def autodp_gaussian(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of autodp's `Composition`, of Poisson samples too; InputError as above.

    Example: ``round(autodp_gaussian(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.4706``.
    """
    distance, rate, _ = moved(atoms, p, q)
    one = _mechanisms().GaussianMechanism(sigma=scale / distance)
    if rate < 1:
        sampling = library("autodp.transformer_zoo", "autodp").AmplificationBySampling()
        one = sampling(one, rate, improved_bound_flag=True)
    return _autodp("Composition", one, count, epsilon)


def _autodp(
    how: str, one: Any, count: float, epsilon: float, halvings: int = _HALVINGS
) -> float:  # fmt: skip
    composed = getattr(library("autodp.transformer_zoo", "autodp"), how)()([one], [int(count)])
    return _least_delta(composed.get_approxDP, epsilon, halvings)


def diffprivlib_laplace(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the slack of `BudgetAccountant.total`, each release spending its largest loss.

    Raises InputError where diffprivlib is absent.
    Example: ``round(diffprivlib_laplace(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.7034``.
    """
    return _spent(moved(atoms, p, q).distance / scale, count, epsilon)


def diffprivlib_finite(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the same of what is released without noise; InputError as above.

    Example: ``round(diffprivlib_finite(*_ANSWERS, 1.0, 20.0, 15.0), 4)`` is ``0.7071``.
    """
    return _spent(largest_log_ratio(p, q), count, epsilon)


def _spent(loss: float, count: float, epsilon: float) -> float:
    accountant = library("diffprivlib", "diffprivlib").BudgetAccountant()
    spent = [(loss, 0)] * int(count)
    if accountant.total(spent, slack=0)[0] <= epsilon:
        return 0.0
    return _least_delta(lambda delta: accountant.total(spent, slack=delta)[0], epsilon)


def diffpriv_pure_finite(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the total delta of `PrivacyBudget.advanced_composition`, without noise, 1 at most.

    Raises InputError where diffpriv-pure is absent.
    Example: ``round(diffpriv_pure_finite(*_ANSWERS, 1.0, 30.0, 20.0), 4)`` is ``0.1197``.
    """
    budget = library("diffpriv_pure", "diffpriv-pure").PrivacyBudget(1.0)
    loss, many = largest_log_ratio(p, q), int(count)
    if loss * count <= epsilon:
        return 0.0
    each = _least_delta(lambda delta: budget.advanced_composition(many, loss, delta)[0], epsilon)
    return min(1.0, float(budget.advanced_composition(many, loss, each)[1]))


def opendp_laplace(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of OpenDP's composition by concentrated privacy; InputError where absent.

    Example: ``round(opendp_laplace(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.4706``.
    """
    dp = opendp()
    one = dp.m.make_laplace(*_real_numbers(dp), scale=scale)
    return _opendp(dp, dp.c.make_pureDP_to_zCDP(one), atoms, p, q, count, epsilon)


def opendp_gaussian(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the same of Gaussian noise; InputError where OpenDP is absent.

    Example: ``round(opendp_gaussian(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.4706``.
    """
    dp = opendp()
    one = dp.m.make_gaussian(*_real_numbers(dp), scale=scale)
    return _opendp(dp, one, atoms, p, q, count, epsilon)


def _real_numbers(dp: Any) -> tuple[Any, Any]:
    return dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def _opendp(
    dp: Any, one: Any, atoms: Array, p: Array, q: Array, count: float, epsilon: float
) -> float:
    whole = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([one] * int(count)))
    return float(whole.map(moved(atoms, p, q).distance).delta(epsilon))


def fourier_gaussian(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return `get_delta_R`, of Poisson samples; InputError where fourier-accountant is absent.

    It takes no epsilon of 0, and none of another pair than a point that moves.
    Example: ``round(fourier_gaussian(*_PAIR, 10.0, 100.0, 1.0), 4)`` is ``0.1269``.
    """
    distance, rate, _ = moved(atoms, p, q)
    asked = library("fourier_accountant", "fourier-accountant")
    return float(asked.get_delta_R(epsilon, scale / distance, rate, int(count)))


def accelerator_gaussian(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of `compute_epsilon_batch` at the orders of its accountant, of samples too.

    Raises InputError where dp-accelerator is absent.
    Example: ``round(accelerator_gaussian(*_PAIR, 10.0, 100.0, 1.0), 3)`` is ``0.363``.
    """
    distance, rate, _ = moved(atoms, p, q)
    rust = library("dp_accelerator", "dp-accelerator")
    orders = rust.DPSGDAccountant(1.0, 1, 1).orders

    def said(delta: float) -> float:
        steps = [int(count)]
        return float(rust.compute_epsilon_batch(rate, scale / distance, steps, orders, delta)[0])

    return _least_delta(said, epsilon)


def pld_accounting_gaussian(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of `subsample_pld` over dp-accounting's Gaussian losses, composed.

    Raises InputError where pld-accounting is absent.
    Example: ``round(pld_accounting_gaussian(*_PAIR, 10.0, 100.0, 1.0), 4)`` is ``0.1269``.
    """
    distance, rate, _ = moved(atoms, p, q)
    sampling = library("PLD_accounting", "pld-accounting")
    losses = library("dp_accounting.pld.privacy_loss_distribution", "dp-accounting")
    one = losses.from_gaussian_mechanism(scale, sensitivity=distance)
    sampled = sampling.subsample_pld(pld=one, sampling_probability=rate)
    return float(sampled.self_compose(int(count)).get_delta_for_epsilon(float(epsilon)))


def _losses() -> Any:
    return library("prv_accountant", "prv-accountant")


def _mechanisms() -> Any:
    return library("autodp.mechanism_zoo", "autodp")


def _least_delta(
    epsilon_of: Callable[[float], float], epsilon: float, halvings: int = _HALVINGS
) -> float:
    """The least delta whose epsilon is at most one, from above; 1 where there is none."""
    low, high = log(_LEAST), 0.0
    for _ in range(halvings):
        middle = (low + high) / 2
        if epsilon_of(exp(middle)) <= epsilon:
            high = middle
        else:
            low = middle
    return exp(high)
