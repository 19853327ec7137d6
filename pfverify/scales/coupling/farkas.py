"""Exact Farkas multipliers: a proof that no coupling's columns fit at a scale."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf

import numpy as np

from pfverify.exact.ball import Raw, dyadic, fraction_of, lower_end, precision, raw
from pfverify.exact.grid import Grid
from pfverify.scales.coupling.programme import Floats, Programme, Solution

_MAX_EPSILON = 1000  # multipliers span a factor e**epsilon; floats span e**1400
_LOG_LONG = 14.0  # costs above e**14 (a million): beyond, a float u + v is too coarse to compare
_ENOUGH = 1 + 1e-9  # what w pays above what is needed, so that rounding leaves no violation
_LEAST = 1e-290  # of a w that pays: far above the least float
_BITS = 160  # working precision: the grid of u, and 70 bits of products to spare
_GRID = 90  # bits of u below the size of e**epsilon - 1: they cost the proof nothing
_FACTOR_BITS = 64  # of the factor between the floats' unit and the exact one: no float has more
_STEPS_BELOW = (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)  # relative steps 10**-k below the optimum

Multipliers = tuple[list[Fraction], list[Fraction], list[Fraction]]
"""u, v, w on the atoms in increasing order: see `CouplingScale`."""


def refuted_below(programme: Programme, rate: float) -> tuple[Fraction, Multipliers] | None:
    """Return the largest scale tried below an optimal rate's that multipliers refute, with them.

    None where floats found none.
    """
    optimum = programme.scale(rate)
    for k in _STEPS_BELOW:
        step = Grid(k + 3).step(optimum)
        below = (optimum * (1 - Fraction(1, 10**k)) / step).__floor__() * step
        found = multipliers(programme, below)
        if found is not None:
            return below, found
    return None


def multipliers(programme: Programme, scale: Fraction) -> Multipliers | None:
    """Return exact Farkas multipliers that refute a scale, or None where none are found.

    v and w are the floats'; u is the best that they allow, rounded down.
    """
    if scale <= 0 or programme.about > _MAX_EPSILON:
        return None
    rate = programme.rate(scale)
    solution = programme.solution(rate)
    if solution is None:
        return None
    v, w = _feasible(programme, solution, rate)
    if not all(np.isfinite(part).all() for part in (v, w)):
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
    to a grid; None where an enclosure is not finite."""
    step = Fraction(1, programme.denominator) / scale
    rooms: dict[int, Raw] = {}
    balls = [(raw(a), raw(b)) for a, b in zip(w, v, strict=True)]
    found = []
    for x in programme.xs:
        least: Raw | None = None
        for z, (weight, value) in zip(programme.zs, balls, strict=True):
            distance = abs(x - z)
            if distance not in rooms:
                rooms[distance] = raw(step * distance).exp() - limit
            low = lower_end(weight * rooms[distance] - value)
            if not low.is_finite():
                return None
            if least is None or low < least:
                least = low
        if least is None:
            return None
        found.append(((fraction_of(dyadic(least)) / grid).__floor__() - 1) * grid)
    return found


def _grid(size: Fraction) -> Fraction:
    """Return the unit of u: a power of 2 where it is below 1."""
    grid = size / (1 << _GRID)
    return Fraction(1, 1 << (1 / grid).__ceil__().bit_length()) if grid < 1 else grid


def _short(value: Fraction) -> Fraction:
    """Round a positive number down to 64 bits."""
    shift = value.numerator.bit_length() - value.denominator.bit_length() - _FACTOR_BITS
    unit = Fraction(2) ** shift
    return (value / unit).__floor__() * unit
