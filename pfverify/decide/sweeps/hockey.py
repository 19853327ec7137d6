"""The hockey-stick divergence of two swept densities, enclosed.

Between two points of the lattice, with step s in units of the scale, g = p - e**epsilon q is
a e**(y/scale) + b e**(-y/scale): its integral is scale tanh(s/2) (g0 + g1), and where g0 > 0 > g1
that of its positive part is scale (sqrt b - sqrt(-a))**2, which grows with g0 and g1. Beyond the
window P(Y > y) is at most E e**(c (Y - y)), for any c below 1/scale.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pfverify.decide.breach import Place, Span
from pfverify.decide.sweeps.parts import Array, BeyondFloats, U
from pfverify.decide.sweeps.sweep import AreaSweeps
from pfverify.exact.ball import Raw, raw, raw_float
from pfverify.model.chains.chain import Record

_SLOP = 2.0**-49
_LOOSE = 2.0**-45  # many times what rounding does to the area of one cell
_LITTLE = 1e-200  # less is left out of what is at least there
_NOTHING = 1e-300  # more than a product that underflows is off


class Hockey:
    """At least (`low`) and at most (`high`) the divergence at one epsilon.

    `of_event` is at most what `event` exceeds e**epsilon by. Made at the current precision.
    """

    def __init__(self, sweeps: AreaSweeps, first: Record, second: Record, epsilon: Raw) -> None:
        self._sweeps, window = sweeps, sweeps.window
        (one,), (two,) = sweeps.rows(*first), sweeps.rows(*second)
        chance = sweeps.chances.at(*first)
        half = (sweeps.rate / 2).exp()
        cell = (half - 1 / half) / (half + 1 / half) / 2
        units = []
        for row, unit in ((one, 1 / chance), (two, epsilon.exp() / sweeps.chances.at(*second))):
            scale = unit * raw(2) ** row.exponent
            off = raw_float(1.01 * U * row.roundings + _SLOP)
            units.append((float((scale * (1 - off)).mid()), float((scale * (1 + off)).mid())))
        (p_low, p_high), (q_low, q_high) = units
        below = one.values * p_low - ((two.values + two.missing) * q_high + _NOTHING)
        above = (one.values + one.missing) * p_high + _NOTHING - two.values * q_low
        cells = below[:-1] + below[1:]
        self._cells = cells > 0
        self._ends = [False, False]
        whole = _added(cells[self._cells], upward=False) * cell
        low, high = self._area(below, cell, upward=False), self._area(above, cell, upward=True)
        for k, upward in ((0, False), (-1, True)):
            place = window.high if upward else window.low
            if place == (sweeps.chain.degree if upward else 0):  # beyond it g falls as the noise
                self._ends[k] = bool(below[k] > 0)
                least = raw_float(max(0.0, float(below[k]))) / 2
                low, whole = low + least, whole + least
                high += raw_float(max(0.0, float(above[k]))) / 2
            else:
                high += self._beyond(first, place, upward=upward) / chance
        known = bool(np.isfinite(above).all() and np.isfinite(below).all())  # no float overflows
        known = known and bool(low.is_finite() and high.is_finite() and whole.is_finite())
        self.low, self.high = (low, high.min(raw(1))) if known else (raw(0), raw(1))
        self.of_event = whole if known else raw(0)

    def _area(self, g: Array, cell: Raw, *, upward: bool) -> Raw:
        """At most, or at least, the area below the positive part of g, in units of two scales."""
        left, right = g[:-1], g[1:]
        both = (left >= 0) & (right >= 0)
        total = _added((left + right)[both], upward=upward) * cell
        mixed = (left > 0) != (right > 0)
        mixed &= ~both & (upward | (np.maximum(left, right) > _LITTLE))
        one, two = np.maximum(left, right)[mixed], -np.minimum(left, right)[mixed]
        rise = (2 * self._sweeps.rate).exp() - 1
        near, far = float((1 + 1 / rise).mid()), float((1 / rise).mid())
        across = float(((1 + 1 / rise) / rise).sqrt().mid())
        root = np.sqrt(one * near + two * across) + np.sqrt(two * across + one * far)
        part = _added((one / root) ** 2, upward=upward) / 2
        slop = raw_float(_LOOSE)
        return total + part * (1 + slop if upward else 1 - slop)

    def _beyond(self, secret: Record, place: int, *, upward: bool) -> Raw:
        """At most the probability of a secret and of what is beyond an output."""
        sweeps = self._sweeps
        tilt = sweeps.high_tilt if upward else sweeps.low_tilt
        table = sweeps.above if upward else sweeps.below
        total = table.at(*secret)
        noise = 1 - (tilt.log() / sweeps.rate) ** 2
        if not noise > 0:
            raise BeyondFloats("a tilt is beyond the noise")
        return total * tilt**-place / noise

    def event(self) -> list[Span]:
        """Return whole cells B, of which P(B) - e**epsilon Q(B) is at least `of_event`."""
        window, chain = self._sweeps.window, self._sweeps.chain

        def at(index: int) -> Fraction:
            return chain.least + chain.step * (window.low + index)

        held = np.concatenate([[False], self._cells, [False]]).astype(int)
        starts, ends = (np.flatnonzero(np.diff(held) == side) for side in (1, -1))
        spans: list[tuple[Place, Place]] = [
            (at(int(i)), at(int(j))) for i, j in zip(starts, ends, strict=True)
        ]
        last = window.high - window.low
        if self._ends[0]:
            inner = spans.pop(0)[1] if spans and spans[0][0] == at(0) else at(0)
            spans.insert(0, ("-inf", inner))
        if self._ends[-1]:
            inner = spans.pop()[0] if spans and spans[-1][1] == at(last) else at(last)
            spans.append((inner, "inf"))
        return spans


class Unknown(NamedTuple):
    """What is known of any divergence."""

    low: Raw
    high: Raw
    of_event: Raw

    def event(self) -> list[Span]:
        """Return none."""
        return []


def _added(values: Array, *, upward: bool) -> Raw:
    """At least, or at most, a sum of floats >= 0."""
    off = raw_float(1.01 * U * (len(values) + 2))
    total = raw_float(float(values.sum()))
    return total * (1 + off if upward else 1 - off)
