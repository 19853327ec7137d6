"""dp-accounting: its calibrations, its closed forms and its privacy-loss distributions.

Where both laws are more than what a mechanism of the library models, the mechanism at the
sensitivity W-infinity of both laws stands for them, which bounds them from above. Gaussian noise
on a table of atoms beside a single atom at its end is a mechanism of the library: a mixture of
Gaussians. What the library takes or gives in another unit is rounded to the side that adds noise
or loss, so that an answer on the wrong side is the library's.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, inf, log10
from typing import Any

import numpy as np

from pfverify.subjects.line import Array, largest_move, upward
from pfverify.subjects.optional import library

_SHIFT = np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0])  # of the examples
_INTERVAL = 1e-4  # the library's own default
_POINTS = 20_000  # of a distribution: beyond them the interval is widened, by powers of 10
_TAIL = 10  # standard deviations that a distribution covers at each end, about


def laplace_scale(atoms: Array, p: Array, q: Array, epsilon: float) -> float:
    """Return the parameter of `LaplacePrivacyLoss.from_privacy_guarantee`.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(laplace_scale(*_SHIFT, 0.5), 4)`` is ``2.0``.
    """
    move = largest_move(atoms, p, q)
    return _parameter("LaplacePrivacyLoss", move, epsilon) if move else 0.0


def discrete_laplace_scale(atoms: Array, p: Array, q: Array, epsilon: float) -> float:
    """Return the scale of `DiscreteLaplacePrivacyLoss.from_privacy_guarantee`, 1 / its parameter.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(discrete_laplace_scale(*_SHIFT, 0.5), 4)`` is ``2.0``.
    """
    move = int(largest_move(atoms, p, q))
    return _inverse(_parameter("DiscreteLaplacePrivacyLoss", move, epsilon)) if move else 0.0


def _parameter(kind: str, move: float, epsilon: float) -> float:
    """The parameter of a mechanism with a privacy guarantee, at a sensitivity > 0."""
    goal = library("dp_accounting.pld.common", "dp-accounting").DifferentialPrivacyParameters(
        float(epsilon)
    )
    loss = getattr(_mechanism(), kind)
    return float(loss.from_privacy_guarantee(goal, sensitivity=move).parameter)


def gaussian_scale(
    atoms: Array, p: Array, q: Array, epsilon: float, delta: float = 0.0
) -> float:  # fmt: skip
    """Return `get_sigma_gaussian`, the library's exact calibration, times the sensitivity.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(gaussian_scale(*_SHIFT, 1.0, 0.01), 4)`` is ``1.8779``.
    """
    move = largest_move(atoms, p, q)
    exact = library("dp_accounting.gaussian_mechanism", "dp-accounting")
    if not move:
        return 0.0
    return upward(Fraction(move) * Fraction(float(exact.get_sigma_gaussian(epsilon, delta))))


def laplace_delta(atoms: Array, p: Array, q: Array, scale: float, epsilon: float) -> float:
    """Return the closed form of `LaplacePrivacyLoss` at the sensitivity of both laws.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(laplace_delta(*_SHIFT, 1.0, 0.0), 4)`` is ``0.3935``.
    """
    return _closed_form("LaplacePrivacyLoss", scale, largest_move(atoms, p, q), epsilon)


def laplace_delta_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float
) -> float:
    """Return the delta of the pessimistic `from_laplace_mechanism`.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(laplace_delta_pessimistic(*_SHIFT, 1.0, 0.0), 4)`` is ``0.3935``.
    """
    move = largest_move(atoms, p, q)
    return _estimate("from_laplace_mechanism", scale, move, 2 * move / scale, epsilon)


def discrete_laplace_delta_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float
) -> float:
    """Return the delta of the pessimistic `from_discrete_laplace_mechanism`.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(discrete_laplace_delta_pessimistic(*_SHIFT, 1.0, 0.0), 4)`` is ``0.4621``.
    """
    move = int(largest_move(atoms, p, q))
    parameter, losses = _inverse(scale), 2 * move / scale
    return _estimate("from_discrete_laplace_mechanism", parameter, move, losses, epsilon)


def discrete_gaussian_delta(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float
) -> float:  # fmt: skip
    """Return the delta of `DiscreteGaussianPrivacyLoss` at the sensitivity of both laws.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(discrete_gaussian_delta(*_SHIFT, 2.0, 1.0), 4)`` is ``0.0072``.
    """
    move = int(largest_move(atoms, p, q))
    return _closed_form("DiscreteGaussianPrivacyLoss", scale, move, epsilon)


def _closed_form(kind: str, scale: float, move: float, epsilon: float) -> float:
    """The delta of a mechanism."""
    if not move:
        return 0.0
    loss = getattr(_mechanism(), kind)(scale, sensitivity=move)
    return float(loss.get_delta_for_epsilon(float(epsilon)))


def discrete_gaussian_delta_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float
) -> float:
    """Return the delta of the pessimistic `from_discrete_gaussian_mechanism`.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(discrete_gaussian_delta_pessimistic(*_SHIFT, 2.0, 1.0), 4)`` is ``0.0072``.
    """
    return _discrete_gaussian_delta(atoms, p, q, scale, epsilon, pessimistic=True)


def discrete_gaussian_delta_optimistic(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float
) -> float:
    """Return the optimistic delta of two atoms, which are the mechanism; of other laws 0.0.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(discrete_gaussian_delta_optimistic(*_SHIFT, 2.0, 1.0), 4)`` is ``0.0072``.
    """
    if not _two_atoms(p, q):
        return 0.0
    return _discrete_gaussian_delta(atoms, p, q, scale, epsilon, pessimistic=False)


def _discrete_gaussian_delta(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float, *, pessimistic: bool
) -> float:
    move = int(largest_move(atoms, p, q))
    return _estimate(
        "from_discrete_gaussian_mechanism", scale, move, _losses(move / scale), epsilon,
        pessimistic_estimate=pessimistic,
    )  # fmt: skip


def _estimate(
    kind: str, parameter: float, move: float, losses: float, epsilon: float, **options: bool
) -> float:
    """The delta of a mechanism's distribution of privacy losses; pessimistic if not told."""
    if not move:
        return 0.0
    found = getattr(_distributions(), kind)(
        parameter, sensitivity=move, value_discretization_interval=_interval(losses), **options
    )
    return float(found.get_delta_for_epsilon(float(epsilon)))


def gaussian_delta_pessimistic(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float
) -> float:
    """Return the pessimistic delta of `from_mixture_gaussian_mechanism` where that is the release.

    It is where one law is an atom at an end of a table; else `from_gaussian_mechanism`.
    Raises InputError where dp-accounting is not installed.
    Example: ``round(gaussian_delta_pessimistic(*_SHIFT, 1.0, 1.0), 4)`` is ``0.1269``.
    """
    return _gaussian_delta(atoms, p, q, scale, epsilon, pessimistic=True)


def gaussian_delta_optimistic(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float
) -> float:
    """Return the optimistic delta where the release is one of the mechanisms, else 0.0.

    Raises InputError where dp-accounting is not installed.
    Example: ``round(gaussian_delta_optimistic(*_SHIFT, 1.0, 1.0), 4)`` is ``0.126``.
    """
    return _gaussian_delta(atoms, p, q, scale, epsilon, pessimistic=False)


def _gaussian_delta(
    atoms: Array, p: Array, q: Array, scale: float, epsilon: float, *, pessimistic: bool
) -> float:
    move = largest_move(atoms, p, q)
    if not move:
        return 0.0
    options = {
        "pessimistic_estimate": pessimistic,
        "value_discretization_interval": _interval(_losses(move / scale)),
    }
    mixture = _mixture(atoms, p, q)
    if mixture is not None:
        found = _distributions().from_mixture_gaussian_mechanism(
            scale, *mixture, use_connect_dots=pessimistic, **options
        )
    elif pessimistic or _two_atoms(p, q):
        found = _distributions().from_gaussian_mechanism(
            scale, sensitivity=move, use_connect_dots=pessimistic, **options
        )
    else:
        return 0.0
    return float(found.get_delta_for_epsilon(float(epsilon)))


def _mixture(atoms: Array, p: Array, q: Array) -> tuple[Array, Array] | None:
    """The sensitivities and their masses, where one law is an atom at an end of a table."""
    for single, table in ((p, q), (q, p)):
        places = np.flatnonzero(single)
        moves = atoms[table > 0] - atoms[places[0]]
        if len(places) == 1 < len(moves) and (np.all(moves >= 0) or np.all(moves <= 0)):
            return np.abs(moves), table[table > 0] / table.sum()
    return None


def _two_atoms(p: Array, q: Array) -> bool:
    """Whether each law is a single atom."""
    return bool(np.count_nonzero(p) == np.count_nonzero(q) == 1)


def _losses(ratio: float) -> float:
    """Return the range of the losses of Gaussian noise, by its move in standard deviations."""
    return ratio * (ratio + 2 * _TAIL)


def _interval(losses: float) -> float:
    """Return the interval at which a range of losses has at most so many points as are allowed."""
    return max(_INTERVAL, 10.0 ** ceil(log10(losses / _POINTS)))


def _inverse(number: float) -> float:
    """Return 1 / a number, rounded upward: from the library's parameter to a scale, and back."""
    return 0.0 if number == inf else upward(1 / Fraction(number))


def _mechanism() -> Any:
    return library("dp_accounting.pld.privacy_loss_mechanism", "dp-accounting")


def _distributions() -> Any:
    return library("dp_accounting.pld.privacy_loss_distribution", "dp-accounting")
