"""Exact Farkas multipliers: a proof that no coupling's columns fit at a scale."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf

import numpy as np

from pfverify.exact.ball import Raw, dyadic, fraction_of, lower_end, precision, raw
from pfverify.exact.grid import Grid
from pfverify.scales.coupling.optimum import FloatOptimum
from pfverify.scales.coupling.programme import Programme, Solution
from pfverify.scales.coupling.solver import Floats

_MAX_EPSILON = 1000  # multipliers span a factor e**epsilon; floats span e**1400
_LOG_LONG = 14.0  # costs above e**14 (a million): beyond, a float u + v is too coarse to compare
_LOG_DEAR = 1.0  # costs above e
_ENOUGH = 1 + 1e-9  # what w pays above what is needed, so that rounding leaves no violation
_LEAST = 1e-290  # of a w that pays: far above the least float
_BITS = 160  # working precision: the grid of u, and 70 bits of products to spare
_GRID = 90  # bits of u below the size of e**epsilon - 1: they cost the proof nothing
_FACTOR_BITS = 64  # of the factor between the floats' unit and the exact one: no float has more
_CUT = 4096  # bits of a large e**(distance/scale): the least float times it is above any v
_STEPS_BELOW = (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)  # relative steps 10**-k below the optimum

Multipliers = tuple[list[Fraction], list[Fraction], list[Fraction]]
"""u, v, w on the atoms in increasing order: see `CouplingScale`."""


def refuted_below(found: FloatOptimum) -> tuple[Fraction, Multipliers] | None:
    """Return the largest scale tried below an optimum that multipliers refute, with them.

    Those of the optimum itself come first: a little below it they are as good as any. None where
    floats found none.
    """
    programme = found.programme
    for k in _STEPS_BELOW:
        step = Grid(k + 3).step(found.scale)
        below = (found.scale * (1 - Fraction(1, 10**k)) / step).__floor__() * step
        exact = multipliers(programme, below, found.solution) or multipliers(
            programme, below, programme.solution(programme.rate(below))
        )
        if exact is not None:
            return below, exact
    return None


def multipliers(
    programme: Programme, scale: Fraction, solution: Solution | None
) -> Multipliers | None:
    """Return exact Farkas multipliers that refute a scale, or None where none are found.

    v and w are the floats'; u is the best that they allow, rounded down.
    """
    if solution is None or scale <= 0 or programme.about > _MAX_EPSILON:
        return None
    v, w = _feasible(programme, solution, programme.rate(scale))
    if not (np.isfinite(v) & np.isfinite(w) & (w >= 0)).all():
        return None
    small = max(
        0, programme.about.denominator.bit_length() - programme.about.numerator.bit_length()
    )
    with precision(_BITS + 2 * small):
        limit = programme.epsilon.ball().raw.exp()
        size = fraction_of(dyadic(lower_end(limit - 1)))
        factor = _short(size)
        exact_v = [Fraction(float(value)) * factor for value in v]
        exact_w = [Fraction(float(value)) for value in w]
        exact_u = _best_u(programme, scale, limit, exact_v, exact_w, _grid(size))
    if exact_u is None:
        return None
    total = sum((a * b for a, b in zip(exact_u, programme.p, strict=True)), Fraction(0))
    total += sum((a * b for a, b in zip(exact_v, programme.q, strict=True)), Fraction(0))
    return (exact_u, exact_v, exact_w) if total > 0 else None


def _feasible(programme: Programme, solution: Solution, rate: float) -> tuple[Floats, Floats]:
    """Return the floats' v and w, mended where edges left out or rounding break an inequality."""
    u, v, w = solution.u, solution.v, solution.w
    log_p, log_q = programme.log_p, programme.log_q
    with np.errstate(all="ignore"):  # what is not finite is no multiplier
        log_c = programme.log_costs(rate)
        left_out = (log_c > _LOG_LONG) & (log_q - log_c <= log_p)
        # edges left out of the programme: a little w pays for their large costs
        wanted = np.where(left_out, np.maximum(u[:, None] + v[None, :], 0), 0)
        asked = np.where(wanted > 0, np.log(wanted) - log_c, -inf)
        needed = np.exp(asked.max(axis=0)) * _ENOUGH
        short = (wanted > 0).any(axis=0)
        w = np.where(short, np.maximum(w, np.maximum(needed, _LEAST)), w)
        # of the others w pays where that is cheaper than u or v
        dear = (log_c > _LOG_DEAR) & (log_q - log_c <= log_p) & ~left_out
        over = np.where(dear, (u[:, None] + v[None, :]) / np.expm1(log_c) - w, 0)
        w = w + np.maximum(over.max(axis=0), 0)
        # what is violated between atoms of unlike masses, the smaller one pays
        pays = (log_p >= log_q) & ~left_out  # none of these costs is large
        violated = np.where(pays, u[:, None] + v[None, :] - w * np.expm1(log_c), 0)
        return v - np.maximum(violated.max(axis=0), 0), w


def _best_u(
    programme: Programme,
    scale: Fraction,
    limit: Raw,
    v: Sequence[Fraction],
    w: Sequence[Fraction],
    grid: Fraction,
) -> list[Fraction] | None:
    """Return the largest u with u(x) + v(x') <= w(x') (e**(|x-x'|/scale) - limit), rounded down
    to a grid; None where an enclosure is not finite.

    v and w are dyadic. Of each bracket a lower end is taken, in integers: w >= 0. One of
    2**_CUT is large enough for any w > 0 of floats, so no integer becomes longer.
    """
    step = Fraction(1, programme.denominator) / scale
    distances = {abs(x - z) for x in programme.xs for z in programme.zs}
    ends = {d: lower_end(raw(step * d).exp() - limit) for d in distances}
    if not all(end.is_finite() for end in ends.values()):
        return None
    parts = {d: dyadic(end) for d, end in ends.items()}
    least = min(0, *(exponent for _, exponent in parts.values()))
    rooms = {d: _cut(man, exponent, least) for d, (man, exponent) in parts.items()}
    unit_w = max(value.denominator for value in w)
    unit = max(unit_w << -least, *(value.denominator for value in v))
    more = unit // (unit_w << -least)
    weights = [value.numerator * (unit_w // value.denominator) * more for value in w]
    values = [value.numerator * (unit // value.denominator) for value in v]
    columns = list(zip(programme.zs, weights, values, strict=True))
    lowest = (min(b * rooms[abs(x - z)] - a for z, b, a in columns) for x in programme.xs)
    above, below = grid.denominator, grid.numerator * unit
    return [(low * above // below - 1) * grid for low in lowest]


def _cut(mantissa: int, exponent: int, least: int) -> int:
    """Return mantissa * 2**exponent in units of 2**least, or what is smaller: 2**_CUT."""
    if mantissa > 0 and exponent + mantissa.bit_length() > _CUT:
        mantissa, exponent = 1, _CUT
    return mantissa << (exponent - least)


def _grid(size: Fraction) -> Fraction:
    """Return the unit of u: a power of 2 where it is below 1."""
    grid = size / (1 << _GRID)
    return Fraction(1, 1 << (1 / grid).__ceil__().bit_length()) if grid < 1 else grid


def _short(value: Fraction) -> Fraction:
    """Round a positive number down to 64 bits."""
    shift = value.numerator.bit_length() - value.denominator.bit_length() - _FACTOR_BITS
    unit = Fraction(2) ** shift
    return (value / unit).__floor__() * unit
