"""dp-accounting's accountants of many releases: composed privacy losses, and Renyi divergences.

Each is asked at the library's own discretization, truncation and orders. What is no point that
moves (with some chance in each release: Poisson sampling) is bounded by one that does; there an
optimistic estimate is 0.
"""

from __future__ import annotations

from math import inf, log
from typing import Any

import numpy as np

from pfverify.subjects.line import Array
from pfverify.subjects.optional import library
from pfverify.subjects.pairs import moved

_PAIR = np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0])  # of the examples


def laplace_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of the composed `from_laplace_mechanism`; InputError where it is absent.

    Example: ``round(laplace_pessimistic(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.0321``.
    """
    return _composed("from_laplace_mechanism", atoms, p, q, scale, count, epsilon)


def laplace_optimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the same with losses rounded down; InputError where it is absent.

    Example: ``round(laplace_optimistic(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.0321``.
    """
    return _composed("from_laplace_mechanism", atoms, p, q, scale, count, epsilon, upper=False)


def discrete_laplace_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of the composed `from_discrete_laplace_mechanism`; InputError as above.

    Example: ``round(discrete_laplace_pessimistic(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.1305``.
    """
    parameter = 1 / scale
    return _composed("from_discrete_laplace_mechanism", atoms, p, q, parameter, count, epsilon)


def discrete_laplace_optimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the same with losses rounded down; InputError where it is absent.

    Example: ``round(discrete_laplace_optimistic(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.1305``.
    """
    kind = "from_discrete_laplace_mechanism"
    return _composed(kind, atoms, p, q, 1 / scale, count, epsilon, upper=False)


def gaussian_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of the composed `from_gaussian_mechanism`; InputError where it is absent.

    Example: ``round(gaussian_pessimistic(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.1913``.
    """
    return _composed("from_gaussian_mechanism", atoms, p, q, scale, count, epsilon)


def gaussian_optimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the same with losses rounded down; InputError where it is absent.

    Example: ``round(gaussian_optimistic(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.1913``.
    """
    return _composed("from_gaussian_mechanism", atoms, p, q, scale, count, epsilon, upper=False)


def discrete_gaussian_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of the composed `from_discrete_gaussian_mechanism`; InputError as above.

    Example: ``round(discrete_gaussian_pessimistic(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.1855``.
    """
    return _composed("from_discrete_gaussian_mechanism", atoms, p, q, scale, count, epsilon)


def discrete_gaussian_optimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the same with losses rounded down; InputError where it is absent.

    Example: ``round(discrete_gaussian_optimistic(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.1855``.
    """
    kind = "from_discrete_gaussian_mechanism"
    return _composed(kind, atoms, p, q, scale, count, epsilon, upper=False)


def _composed(
    kind: str, atoms: Array, p: Array, q: Array, parameter: float, count: float, epsilon: float,
    *, upper: bool = True,
) -> float:  # fmt: skip
    distance, rate, exact = moved(atoms, p, q)
    if not distance or not (upper or exact):
        return 0.0
    move = int(distance) if "discrete" in kind else distance
    one = getattr(_distributions(), kind)(
        parameter, sensitivity=move, sampling_prob=rate, pessimistic_estimate=upper,
        use_connect_dots=upper,  # it has no optimistic form
    )  # fmt: skip
    return float(one.self_compose(int(count)).get_delta_for_epsilon(float(epsilon)))


def finite_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of the composed `from_two_probability_mass_functions`, of both orders.

    Raises InputError where dp-accounting is absent.
    Example: ``round(finite_pessimistic(*_PAIR, 1.0, 1.0, 1.0), 4)`` is ``1.0``.
    """
    return _finite(p, q, count, epsilon, upper=True)


def finite_optimistic(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the same with losses rounded down; InputError where it is absent.

    Example: ``round(finite_optimistic(*_PAIR, 1.0, 1.0, 1.0), 4)`` is ``1.0``.
    """
    return _finite(p, q, count, epsilon, upper=False)


def _finite(p: Array, q: Array, count: float, epsilon: float, *, upper: bool) -> float:
    first, second = (
        {k: log(mass) if mass else -inf for k, mass in enumerate((law / law.sum()).tolist())}
        for law in (p, q)
    )
    found = []
    for upper_law, lower_law in ((first, second), (second, first)):
        one = _distributions().from_two_probability_mass_functions(
            lower_law, upper_law, pessimistic_estimate=upper
        )
        found.append(one.self_compose(int(count)).get_delta_for_epsilon(float(epsilon)))
    return float(max(found))


def laplace_renyi(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of `RdpAccountant` for the largest move; InputError where it is absent.

    Example: ``round(laplace_renyi(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.0894``.
    """
    distance = moved(atoms, p, q).distance
    if not distance:
        return 0.0
    return _renyi(_events().LaplaceDpEvent(scale / distance), count, epsilon)


def gaussian_renyi(
    atoms: Array, p: Array, q: Array, scale: float, count: float, epsilon: float
) -> float:
    """Return the delta of `RdpAccountant`, of Poisson samples too; InputError where it is absent.

    Example: ``round(gaussian_renyi(*_PAIR, 1.0, 20.0, 13.0), 4)`` is ``0.4768``.
    """
    distance, rate, _ = moved(atoms, p, q)
    if not distance:
        return 0.0
    one = _events().GaussianDpEvent(scale / distance)
    sampled = one if rate == 1 else _events().PoissonSampledDpEvent(rate, one)
    return _renyi(sampled, count, epsilon)


def _renyi(event: Any, count: float, epsilon: float) -> float:
    accountant = library("dp_accounting.rdp", "dp-accounting").RdpAccountant()
    accountant.compose(event, int(count))
    return float(accountant.get_delta(float(epsilon)))


def _distributions() -> Any:
    return library("dp_accounting.pld.privacy_loss_distribution", "dp-accounting")


def _events() -> Any:
    return library("dp_accounting", "dp-accounting")
