"""Where to look: runs of outputs, each with the tilt at which what matters there is near 1.

Floats propose; what comes of it is proved whatever they are. Z(c) is the sum of mass * e**(c x)
over all x, m(c) the mean under that tilt, and D(a, c) = log Z(c) - log Z(a) - m(a) (c - a) about
how far below its largest value a law tilted by c is near m(a), in natural logarithms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, exp, floor

import numpy as np

from pfverify.decide.sweeps.parts import Array

_DEPTH = 230.0  # e**-230 is far above what is taken as 0
_TAIL = 34.0  # e**-34 is below what rounding leaves of a density
_ALL = 1000  # outputs of which all are taken: that is fast
_TRIES, _SPLITS = 30, 12
_INSIDE = 1 - 2.0**-30  # of the rate: a tilted density still falls


@dataclass(frozen=True)
class Window:
    """Outputs from `low` to `high`, in steps of the lattice; what is at x is times tilt**x."""

    tilt: float
    low: int
    high: int


class Tilted:
    """Z and m of a chain in floats.

    `chances[t, s, r]` are those of a step (0 from states that cannot be), `places` and `weights`
    (`[t, s, seen]`) of what a record adds; of all times alike there is one t.
    """

    def __init__(
        self, start: Array, chances: Array, places: Array, weights: Array, length: int, degree: int
    ) -> None:
        self._start, self._chances, self._length, self._degree = start, chances, length, degree
        self._places, self._weights = places, weights

    def __call__(self, tilt: float) -> tuple[float, float]:
        """Return log Z and m."""
        raised = self._places * tilt
        top = np.where(self._weights > 0, raised, -np.inf).max(axis=(1, 2), keepdims=True)
        masses = self._weights * np.exp(np.minimum(raised - top, 0.0))
        first = masses.sum(axis=2)[:, :, None] * self._chances
        second = (masses * self._places).sum(axis=2)[:, :, None] * self._chances
        log, count = np.broadcast_to(top[:, 0, 0], (self._length,)).sum(), self._length
        if len(first) == 1:
            first, second = (np.repeat(part, count, axis=0) for part in (first, second))
        size = np.zeros(count)
        while len(first) > 1:
            if len(first) % 2:
                one = np.eye(first.shape[1])[None]
                first, second = np.concatenate([first, one]), np.concatenate([second, 0 * one])
                size = np.append(size, 0.0)
            a, b, c, d = first[::2], first[1::2], second[::2], second[1::2]
            first, second = a @ b, a @ d + c @ b
            most = first.max(axis=(1, 2))
            most[most < 1e-100] = 1.0
            first, second = first / most[:, None, None], second / most[:, None, None]
            size = size[::2] + size[1::2] + np.log(most)
        total = max(float((self._start @ first[0]).sum()), 1e-300)
        mean = float((self._start @ second[0]).sum()) / total
        within = min(mean, float(self._degree)) if mean > 0 else 0.0
        return float(log + size[0] + np.log(total)), within


def where(tilted: Tilted, rate: float, degree: int) -> list[Window]:
    """Return runs of outputs that meet, of those at which a ratio of densities may be largest.

    Beyond them it is nearly a constant. `rate` is that of the noise for a step of the lattice, and
    x is from 0 to `degree`.
    """
    low, high = _end(tilted, -rate), _end(tilted, rate)
    most = _INSIDE * rate
    tilts = list(_parts(tilted, -rate, rate, most, _SPLITS))
    if _depth(tilted, low, tilts[0][0]) > _DEPTH:
        tilts.insert(0, (-most, -rate))
    if _depth(tilted, high, tilts[-1][0]) > _DEPTH:
        tilts.append((most, high))
    else:
        tilts[-1] = tilts[-1][0], high
    parts = [(tilt, ceil(tilted(to)[1])) for tilt, to in tilts]
    first = floor(tilted(low)[1])
    if degree <= _ALL:
        parts, first = [*parts, (most, degree)], 0
    found: list[Window] = []
    for tilt, last in parts:
        if last > first:
            found.append(Window(exp(tilt), first, last))
            first = last
    return found or [Window(1.0, first, first)]


def bulk(tilted: Tilted, rate: float, degree: int) -> tuple[Window, float, float]:
    """Return the outputs that are probable, and e to a tilt for what is below and above them.

    What lies outside has a probability of about e**-34 at most.
    """
    tilts, ends = [], []
    for side in (-1, 1):
        low, high = 0.0, 0.9 * rate
        if _depth(tilted, side * high, 0.0) > _TAIL:
            for _ in range(_TRIES):
                middle = (low + high) / 2
                if _depth(tilted, side * middle, 0.0) > _TAIL:
                    high = middle
                else:
                    low = middle
        more = max(0.0, _TAIL - _depth(tilted, side * high, 0.0)) / high
        ends.append(tilted(side * high)[1] + side * more)
        tilts.append(exp(side * high))
    first, last = (min(degree, max(0, round(end))) for end in ends)
    return Window(1.0, first, last), tilts[0], tilts[1]


def _depth(tilted: Tilted, near: float, tilt: float) -> float:
    log, mean = tilted(near)
    return tilted(tilt)[0] - log - mean * (tilt - near)


def _end(tilted: Tilted, rate: float) -> float:
    """A tilt beyond that of a tail, at whose mean the tail has begun."""
    beyond, more = rate, rate / 32
    for _ in range(_TRIES):
        if _depth(tilted, beyond, rate) >= _TAIL:
            break
        beyond, more = beyond + more, more * 1.5
    return beyond


def _parts(
    tilted: Tilted, low: float, high: float, most: float, splits: int
) -> Iterator[tuple[float, float]]:
    """Tilts, each with the tilt up to whose mean it is to be used."""
    middle = min(max((low + high) / 2, -most), most)
    if splits and max(_depth(tilted, end, middle) for end in (low, high)) > _DEPTH:
        half = (low + high) / 2
        yield from _parts(tilted, low, half, most, splits - 1)
        yield from _parts(tilted, half, high, most, splits - 1)
    else:
        yield middle, high
