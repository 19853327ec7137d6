"""Outputs worth a proof, in float64: zeros of g, and between them few enough points for a cover.

Proposals only: `covered` proves in balls what these points are meant to show, or does without.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = np.linspace(-7, 7, 15)  # around each mean, in standard deviations
_OUTWARD = 2.0 ** np.arange(-2, 6)  # beyond all of them, in units of b
_MOST = 160  # of those; a smaller share of more
_EVENLY = 48
_NEWTON = 3
_LOOK = 64  # points ahead
_MARGIN = 1e-5  # of the sums, well above the error of `_scaled_erfc`
# of erfc(x) = t e**(-x**2 + polynomial in t), t = 1/(1 + x/2), to 1.2e-7 of its value
# (Press et al., Numerical Recipes, "erfcc")
_ERFC = (
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807,
    -0.18628806, 0.09678418, 0.37409196, 1.00002368, -1.26551223,
)  # fmt: skip


class FloatNormals(NamedTuple):
    """Normal laws with signed coefficients, and the rate of the noise, in common units."""

    coefficients: Floats
    means: Floats
    sds: Floats
    rate: float


class _Sides(NamedTuple):
    """L e**(-rho x) and R e**(rho x) of the positive and of the negative coefficients at x."""

    left: tuple[Floats, Floats]
    right: tuple[Floats, Floats]

    @property
    def gap(self) -> Floats:
        """2b g, the difference of the densities."""
        return self.left[0] - self.left[1] + self.right[0] - self.right[1]

    def joined(self, other: _Sides, order: NDArray[np.intp]) -> _Sides:
        """Return the same at the places of both, put in order."""
        a, b, c, d = (
            np.concatenate([one, two])[order]
            for one, two in zip(
                (*self.left, *self.right), (*other.left, *other.right), strict=True
            )
        )
        return _Sides((a, b), (c, d))


class Points(NamedTuple):
    """Outputs from left to right, which of them are zeros of g, and the sign before the first."""

    places: list[float]
    zeros: list[bool]
    sign: int


def points_of(line: FloatNormals) -> Points | None:
    """Return points for a cover; None where floats see no ends to the line.

    Example:
    ``sum(points_of(FloatNormals(np.array([1, -1]), np.array([0, 5]), np.ones(2), 1.0)).zeros)`` is
    1: these two laws cross once.
    """
    with np.errstate(all="ignore"):
        x = _grid(line)
        sides = _sides(line, x)
        gap = sides.gap
        if not np.isfinite(gap).all():
            return None
        zeros = _zeros(line, x, gap)
        x = np.concatenate([x, zeros])
        order = np.argsort(x, kind="stable")
        sides = sides.joined(_sides(line, zeros), order)
        x, gap = x[order], np.concatenate([gap, np.zeros(len(zeros))])[order]
        at = np.flatnonzero(gap == 0)
        first, last = _ends(line, x, sides, at)
        if first is None or last is None:
            return None
        stops = [first, *(int(k) for k in at), last]
        sign = 1 if gap[first] > 0 else -1
        chosen = [first]
        for k, (start, stop) in enumerate(pairwise(stops)):
            chosen += _steps(line.rate, x, sides, gap, start, stop, sign * (-1) ** k)
    is_zero = set(stops[1:-1])
    return Points(x[chosen].tolist(), [k in is_zero for k in chosen], sign)


def _grid(line: FloatNormals) -> Floats:
    near = np.sort((line.means[:, None] + line.sds[:, None] * _STEPS).ravel())
    near = near[:: 1 + len(near) // _MOST]
    low, high = near.min(), near.max()
    outward = _OUTWARD / line.rate
    evenly = np.linspace(low, high, _EVENLY)
    return np.unique(np.concatenate([near, evenly, low - outward, high + outward]))


def _sides(line: FloatNormals, x: Floats) -> _Sides:
    z = (x[:, None] - line.means) / line.sds
    t = line.sds * line.rate
    weights = np.maximum(line.coefficients, 0), np.maximum(-line.coefficients, 0)
    peak = np.exp(-z * z / 2) / 2
    left, right = (_one_sided(peak, z * side, t) for side in (-1, 1))
    return _Sides(
        (left @ weights[0], left @ weights[1]), (right @ weights[0], right @ weights[1])
    )


def _one_sided(peak: Floats, z: Floats, t: Floats) -> Floats:
    """Return e**(t**2/2 + t z) erfc((t + z)/sqrt 2)/2, where `peak` is e**(-z**2/2)/2."""
    a = (t + z) * np.sqrt(0.5)
    found = peak * _scaled_erfc(np.abs(a))
    return np.where(a < 0, np.exp(np.minimum(t * (t / 2 + z), 0)) - found, found)


def _scaled_erfc(x: Floats) -> Floats:
    """Return about e**(x**2) erfc(x), x >= 0."""
    t = 1 / (1 + x / 2)
    total = np.full_like(t, _ERFC[0])
    for value in _ERFC[1:]:
        total *= t
        total += value
    return np.asarray(t * np.exp(total))


def _zeros(line: FloatNormals, x: Floats, gap: Floats) -> Floats:
    """Return about every zero that shows between two places: Newton's steps in e**(2 rho x)."""
    change = np.flatnonzero((gap[:-1] > 0) != (gap[1:] > 0))
    low, high = x[change], x[change + 1]
    found = low + (high - low) * gap[change] / (gap[change] - gap[change + 1])
    for _ in range(_NEWTON if len(change) else 0):
        sides = _sides(line, found)
        aim = found + np.log1p(-sides.gap / (sides.right[0] - sides.right[1])) / (2 * line.rate)
        found = np.where((aim > low) & (aim < high), aim, found)
    return np.asarray(found)


def _ends(
    line: FloatNormals, x: Floats, sides: _Sides, zeros: NDArray[np.intp]
) -> tuple[int | None, int | None]:
    """Return the innermost places from which g is seen to keep its sign outward."""
    half = line.coefficients * np.exp((line.sds * line.rate) ** 2 / 2)
    ends: list[int | None] = []
    for side, ((p, q), inside) in ((-1, (sides.right, 0)), (1, (sides.left, -1))):
        grown = np.exp(-side * line.rate * (x[:, None] - line.means))
        whole_p, whole_q = grown @ np.maximum(half, 0), grown @ np.maximum(-half, 0)
        settled = (p > whole_q * (1 + _MARGIN)) | (q > whole_p * (1 + _MARGIN))
        if len(zeros):
            settled &= (x - x[zeros[inside]]) * side > 0
        good = np.flatnonzero(settled)
        ends.append(None if not len(good) else int(good[-1] if side < 0 else good[0]))
    return ends[0], ends[1]


def _steps(
    rate: float, x: Floats, sides: _Sides, gap: Floats, start: int, stop: int, sign: int
) -> Iterator[int]:
    """Yield where to go from `start` to `stop`, each time as far as one proof seems to reach."""
    p, q = sides.right[::sign]
    while start < stop:
        ahead = slice(start + 1, min(start + _LOOK, stop) + 1)
        grown = np.exp(rate * (x[ahead] - x[start]))
        small = _MARGIN * (p[start] + q[start])
        least, most = p[ahead] / grown - q[start], p[start] - q[ahead] / grown
        here, there = sign * gap[start], sign * gap[ahead] * grown
        between = here * most - there * least + least * most * (grown * grown - 1)
        good = (least > small) | (most < -small)
        good |= (least < 0) & (most > 0) & (between > small * (most - least))
        reach = np.flatnonzero(good)
        start += int(reach[-1]) + 1 if len(reach) else 1
        yield start
