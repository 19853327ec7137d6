"""Outputs worth a proof, in float64: zeros of g, and between them few enough points for a cover.

Proposals only: `covered` proves in balls what these points are meant to show, or does without. It
takes from here what `near` says of the sums at points that are no zeros, with the bound there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = np.linspace(-7, 7, 15)  # around each mean, in standard deviations
_OUTWARD = 2.0 ** np.arange(-2, 6)  # beyond all of them, in units of b
_MOST = 160  # of those; a smaller share of more
_EVENLY = 48
_NEWTON = 2
_LOOK = 32  # points ahead
_MARGIN = 1e-5  # of the sums, well above the error of `_scaled_erfc`
# of erfc(x) = t e**(-x**2 + polynomial in t), t = 1/(1 + x/2), to 1.2e-7 of its value
# (Press et al., Numerical Recipes, "erfcc"); tests prove 2**-22 for all x >= 0, in balls
_ERFC = (
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807,
    -0.18628806, 0.09678418, 0.37409196, 1.00002368, -1.26551223,
)  # fmt: skip
_LN2 = 0x162E42FEE00000 / 2**53, 1.9082149292705877e-10  # the first has 32 bits
_EXP = [1 / factorial(k) for k in range(9, -1, -1)]
_LOWEST = -690.0  # of the arguments of `_exp`
_FAR = 2.0**20
ERROR = 2.0**-20  # of the sums of `near`, in units of each
_MISSING = 2.0**-990  # and in units of the coefficients

Exp = Callable[[Floats], Floats]


class FloatNormals(NamedTuple):
    """Normal laws with signed coefficients, and the rate of the noise, in common units."""

    coefficients: Floats
    means: Floats
    sds: Floats
    rate: float


class OneSided(NamedTuple):
    """L e**(-rho x) and R e**(rho x) of the positive and of the negative coefficients at x."""

    left: tuple[Floats, Floats]
    right: tuple[Floats, Floats]

    @property
    def gap(self) -> Floats:
        """2b g, the difference of the densities."""
        return self.left[0] - self.left[1] + self.right[0] - self.right[1]

    def joined(self, other: OneSided, order: NDArray[np.intp]) -> OneSided:
        """Return the same at the places of both, put in order."""
        a, b, c, d = (
            np.concatenate([one, two])[order]
            for one, two in zip(
                (*self.left, *self.right), (*other.left, *other.right), strict=True
            )
        )
        return OneSided((a, b), (c, d))


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
        onward = _onward(line.rate, x, sides, gap, stops, sign)
        chosen = [first]
        while chosen[-1] < last:
            chosen.append(onward[chosen[-1] - first])
    is_zero = set(stops[1:-1])
    return Points(x[chosen].tolist(), [k in is_zero for k in chosen], sign)


def near(line: FloatNormals, x: Floats) -> tuple[OneSided, float] | None:
    """Return the sums at x, each to `ERROR` of itself and the second number.

    None where that is not so: where a mean or an x is farther than 2**20 sd from 0, or an sd is
    above 2**20 b. Why it is so, with u = 2**-53: if all that `line` says is within 2 u of what it
    stands for, which is the caller's to prove,
    z = (x - m)/sd is off by at most 2**20 * 6 u < 2**-30. Of all exponents above -690, z**2/2 has
    |z| <= 38 and t (t/2 + z), taken for t + z < 0 alone, t <= 38, so that both are off by less than
    38 * 2**-30 + 2**-39 < 2**-24.7; `_exp` adds 2**-31. What is raised to e**-690 changes a sum by
    less than 2**-990 of a coefficient. erfcx(a), whose logarithm has a slope between -1.13 and 0
    for a >= 0, is off by 2**-28 for a, 2**-22 for the fit and 2**-31 for `_exp`: in all a term
    peak erfcx(a) is by less than 2**-21.7. A term e - peak erfcx(-a), a < 0, is at least e/2, as
    erfc(-a) <= 1, so off by less than 2 * 2**-24.7 + 2**-21.7 < 2**-21.3 of itself. Coefficients
    and sums of nonnegative terms add a few u each.
    """
    reach = (np.abs(x).max() + np.abs(line.means).max()) / line.sds.min()
    if not (reach <= _FAR and (line.sds * line.rate).max() <= _FAR and len(line.means) <= _FAR):
        return None
    with np.errstate(all="ignore"):
        sides = _sides(line, x, _exp)
    return sides, float(np.abs(line.coefficients).sum() * _MISSING + 2.0**-1000)


def _exp(x: Floats) -> Floats:
    """Return e**x, -690 <= x < 2, to 2**-31 of its value; lower ones are raised to -690.

    x = k log 2 + r, |r| < 0.35, of whose series the rest is below 2 r**10/10!. k times the first
    part of log 2 is exact, and with it k log 2 is off by less than 2**-50.
    """
    x = np.maximum(x, _LOWEST)
    k = np.rint(x / _LN2[0])
    r = (x - k * _LN2[0]) - k * _LN2[1]
    return np.asarray(np.ldexp(_polynomial(_EXP, r), k.astype(np.int32)))


def _polynomial(coefficients: Sequence[float], x: Floats) -> Floats:
    """Return a polynomial, from its highest coefficient down."""
    total = np.full_like(x, coefficients[0])
    for value in coefficients[1:]:
        total *= x
        total += value
    return total


def _grid(line: FloatNormals) -> Floats:
    near = np.sort((line.means[:, None] + line.sds[:, None] * _STEPS).ravel())
    near = near[:: 1 + len(near) // _MOST]
    low, high = near.min(), near.max()
    outward = _OUTWARD / line.rate
    evenly = np.linspace(low, high, _EVENLY)
    return np.unique(np.concatenate([near, evenly, low - outward, high + outward]))


def _sides(line: FloatNormals, x: Floats, exp: Exp = np.exp) -> OneSided:
    z = (x[:, None] - line.means) / line.sds
    t = line.sds * line.rate
    weights = np.maximum(line.coefficients, 0), np.maximum(-line.coefficients, 0)
    peak = exp(-z * z / 2) / 2
    left, right = (_one_sided(peak, z * side, t, exp) for side in (-1, 1))
    return OneSided(
        (left @ weights[0], left @ weights[1]), (right @ weights[0], right @ weights[1])
    )


def _one_sided(peak: Floats, z: Floats, t: Floats, exp: Exp) -> Floats:
    """Return e**(t**2/2 + t z) erfc((t + z)/sqrt 2)/2, where `peak` is e**(-z**2/2)/2."""
    a = (t + z) * np.sqrt(0.5)
    found = peak * _scaled_erfc(np.abs(a), exp)
    return np.where(a < 0, exp(np.minimum(t * (t / 2 + z), 0)) - found, found)


def _scaled_erfc(x: Floats, exp: Exp = np.exp) -> Floats:
    """Return about e**(x**2) erfc(x), x >= 0."""
    t = 1 / (1 + x / 2)
    return t * exp(_polynomial(_ERFC, t))


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
    line: FloatNormals, x: Floats, sides: OneSided, zeros: NDArray[np.intp]
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


def _onward(
    rate: float, x: Floats, sides: OneSided, gap: Floats, stops: Sequence[int], sign: int
) -> list[int]:
    """Return where to go from each place: as far as one proof seems to reach, to the next stop.

    `sign` is that of g before the second of the stops.
    """
    lengths = np.maximum(np.diff(stops), 0)  # both ends may be one place
    signs = np.repeat(sign * (-1) ** np.arange(len(lengths)), lengths)[:, None]
    here = np.arange(stops[0], stops[-1])[:, None]
    ahead = np.minimum(here + np.arange(1, _LOOK), np.repeat(stops[1:], lengths)[:, None])
    grown = np.exp(rate * (x[ahead] - x[here]))
    small = _MARGIN * (sides.right[0] + sides.right[1])[here]
    one, two = sides.right
    p, q = np.where(signs > 0, one[here], two[here]), np.where(signs > 0, two[here], one[here])
    least = np.where(signs > 0, one[ahead], two[ahead]) / grown - q
    most = p - np.where(signs > 0, two[ahead], one[ahead]) / grown
    between = signs * (gap[here] * most - gap[ahead] * grown * least)
    between += least * most * (grown * grown - 1)
    good = (least > small) | (most < -small)
    good |= (least < 0) & (most > 0) & (between > small * (most - least))
    found: list[int] = np.where(good, ahead, here + 1).max(axis=1).tolist()
    return found
