"""Where to look for the least scale of normal noise: the divergence of normal laws in float64."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import erfc, exp, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from pfverify.decide.charts.order import OneOrder
from pfverify.exact.ball import precision
from pfverify.exact.search import fall, float_root
from pfverify.model.notion import Bound

_REACH, _POINTS = 9.0, 41  # of the grid around each law, in its standard deviations
_STEPS = 3  # of regula falsi to a zero: its error counts squared
_MOST = 40  # laws of both priors: the grid has one row for each point around each of them
_LARGEST = 500.0  # of epsilon, so that e**epsilon is far from overflow
_NOISE = 1e-9  # of the gap: the steps that follow in balls square it
_UP, _DOWN = (4.0,) * 30, (0.25,) * 30  # factors of a scale on the way to a change of sign

Floats = NDArray[np.float64]
Law = tuple[Floats, Floats, Floats]
"""Weights, means, and standard deviations, of the components of a law."""


def start_of(order: OneOrder) -> Fraction | None:
    """Return about the least sd of normal noise at which both divergences are at most delta.

    A proposal only; None for other noise, where delta bounds something else, and where floats find
    none.
    Example: ``start_of(order)`` is None: its noise is Laplace noise.
    """
    if order.release.rate is not None:
        return None
    if order.target.bound is not Bound.DIVERGENCE:
        return None
    if len(order.p) + len(order.q) > _MOST:
        return None
    unit = order.without_noise().unit
    try:
        laws = _Laws(order, unit)
        gap = cache(laws.gap)
        if (ends := fall(gap, _UP, _DOWN)) is not None:
            return unit * Fraction(float_root(gap, *ends))
    except (OverflowError, ValueError, ZeroDivisionError):  # beyond the reach of floats
        pass
    return None


class _Laws:
    """Both laws in units around their centre, with epsilon and log delta of each order."""

    def __init__(self, order: OneOrder, unit: Fraction) -> None:
        centre = order.p[0].mean
        self.laws = [
            (
                np.array([float(part.weight) for part in law]),
                np.array([float((part.mean - centre) / unit) for part in law]),
                np.array([float(part.variance / unit**2) for part in law]),
            )
            for law in (order.p, order.q)
        ]
        with precision(64):
            self.epsilon = order.target.epsilon.ball().midpoint()
            self.log_delta = order.target.delta.ball().log().midpoint()
        if self.epsilon > _LARGEST:
            raise OverflowError("epsilon")

    def gap(self, scale: float) -> float:
        """Return log of divergence over delta, the larger one of both orders."""
        laws = [(w, m, np.sqrt(v + scale * scale)) for w, m, v in self.laws]
        steps = np.linspace(-_REACH, _REACH, _POINTS)
        grid = np.unique(np.concatenate([m[:, None] + sd[:, None] * steps for _, m, sd in laws]))
        with np.errstate(all="ignore"):
            ratios = self._log_ratio(laws, grid)
            worst = max(self._one(laws, grid, ratios, reverse) for reverse in (0, 1))
        return 0.0 if abs(worst) < _NOISE else worst

    @staticmethod
    def _log_ratio(laws: list[Law], y: Floats) -> Floats:
        logs = []
        for weights, means, sds in laws:
            z = (y[:, None] - means) / sds
            logs.append(np.logaddexp.reduce(np.log(weights / sds) - z * z / 2, axis=1))
        return np.asarray(logs[0] - logs[1])

    def _one(
        self,
        laws: list[Law],
        grid: Floats,
        ratios: Floats,
        reverse: int,
    ) -> float:
        """The gap of one order: masses of the runs of outputs where the log ratio is larger."""
        epsilon, sign = self.epsilon, -1 if reverse else 1
        over = sign * ratios - epsilon
        change = np.flatnonzero((over[:-1] > 0) != (over[1:] > 0))
        a, b, fa, fb = grid[change], grid[change + 1], over[change], over[change + 1]
        roots = (a + b) / 2
        for _ in range(_STEPS if len(change) else 0):
            roots = (a * fb - b * fa) / (fb - fa)
            value = sign * self._log_ratio(laws, roots) - epsilon
            left = (value > 0) == (fa > 0)
            a, fa = np.where(left, roots, a), np.where(left, value, fa)
            b, fb = np.where(left, b, roots), np.where(left, fb, value)
        ends = [-inf, *roots.tolist(), inf]
        total, factor = 0.0, exp(epsilon)
        for run in range(0 if over[0] > 0 else 1, len(ends) - 1, 2):
            p, q = (_mass(law, ends[run], ends[run + 1]) for law in laws)
            total += q - factor * p if reverse else p - factor * q
        return log(total) - self.log_delta if total > 0 else -inf


def _mass(law: Law, low: float, high: float) -> float:
    total = 0.0
    for weight, mean, sd in zip(*(part.tolist() for part in law), strict=True):
        a, b = ((end - mean) / (sd * sqrt(2)) for end in (low, high))
        inner = erfc(a) - erfc(b) if a > 0 else erfc(-b) - erfc(-a)
        total += weight * inner / 2
    return total
