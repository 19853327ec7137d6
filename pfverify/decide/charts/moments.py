"""Where moment generating functions forbid every scale of Gaussian noise (delta = 0).

If p <= e**epsilon q holds under Gaussian noise of any scale, and the priors differ, then
M(t) = E_P e**(tX) - e**epsilon E_Q e**(tX) < 0 for every real t: multiply by e**(ty) and integrate.
For atoms the converse holds too: if M < 0 everywhere, in both orders, then some scale works,
because under noise of variance s the sign of p - e**epsilon q at y = s t is that of M(t) with
weights e**(-x**2/2s), which tend to 1, uniformly as far as the last atom dominates.

Floats and balls look for t; one exponential sum decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd, isfinite, lcm

import numpy as np
from numpy.typing import NDArray

from pfverify.exact.ball import Ball, Raw, dyadic, fraction_of, precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.model.priors.prior import Component
from pfverify.model.target import Target

_PER_OCTAVE = 12  # places at which the ratio is looked at
_MAXIMA = 16  # places that are refined
_NEAR = 1e-9  # a ratio so close to epsilon is worked out in balls
_BITS = 384
_STEPS = 12  # of Newton's method
_DENOMINATORS = tuple(10**k for k in (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32))
_TIED_DENOMINATOR = 10**9
_OCTAVES = 4000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Moment:
    """A real t with M(t) >= 0: t = `factor` * log(`base`), or `factor` itself (`base` None)."""

    factor: Fraction
    base: Fraction | None

    @property
    def words(self) -> str:
        """The place in words: e^t where that is rational.

        Example: ``Moment(Fraction(1), Fraction(30)).words`` is ``"e^t = 30"``.
        """
        if self.base is None:
            return f"t = {self.factor}"
        if self.factor == 1:
            return f"e^t = {self.base}"
        return f"t = {self.factor} log({self.base})"


def refuting_moment(
    first: tuple[Component, ...], second: tuple[Component, ...], target: Target
) -> Moment | None:
    """Return a proved t with M(t) >= 0 for the order first over second, or None.

    None says nothing: none was found. Exact where e**epsilon is a power of e times radicals of
    rationals; a t with M(t) = 0 is only found where t, or e**t on the lattice of the atoms, is
    rational.
    Example: ``refuting_moment(Discrete({0: ".599", 1: ".4", 2: ".001"}).components,
    Discrete({0: ".899", 1: ".1", 2: ".001"}).components, Target(number(1), number(0))).words`` is
    ``"e^t = 33"``.
    """
    if first == second:
        return None
    try:
        order = _Moments(first, second, target)
    except OverflowError:  # laws beyond floats: nothing is looked for
        return None
    return next((place for place in order.candidates() if order.proved(place)), None)


class _Moments:
    """The two moment generating functions of one order, in floats, balls and exact sums."""

    def __init__(
        self, first: tuple[Component, ...], second: tuple[Component, ...], target: Target
    ) -> None:
        self.sides = first, second
        self.target = target
        parts = [*first, *second]
        self.origin = parts[0].mean
        self.atomic = not any(part.variance for part in parts)
        means = sorted({part.mean for part in parts})
        self.step = _lattice_step(means) if self.atomic and len(means) > 1 else None
        self.lengths = self._lengths(means, sorted({part.variance for part in parts}))
        with np.errstate(divide="ignore"):
            self.floats: list[tuple[Floats, Floats, Floats]] = [
                (
                    np.array([float(part.mean - self.origin) for part in side]),
                    np.array([float(part.variance / 2) for part in side]),
                    np.log(np.array([float(part.weight) for part in side])),
                )
                for side in self.sides
            ]

    @staticmethod
    def _lengths(means: list[Fraction], variances: list[Fraction]) -> tuple[float, float]:
        """The smallest and the largest length at which the laws differ."""
        gaps = [float(b - a) for a, b in pairwise(means)]
        sizes = [float(v) ** 0.5 for v in variances if v]
        sizes += [float(b - a) ** 0.5 for a, b in pairwise(variances)]
        lengths = [x for x in (*gaps, float(means[-1] - means[0]), *sizes) if 0 < x < float("inf")]
        return (min(lengths), max(lengths)) if lengths else (1.0, 1.0)

    def log_ratio(self, places: Floats) -> Floats:
        """Return log E_P e**(tX) - log E_Q e**(tX) in floats, at every place."""
        logs = []
        for means, halves, weights in self.floats:
            total = np.full(len(places), -np.inf)
            for m, v, w in zip(means, halves, weights, strict=True):
                total = np.logaddexp(total, places * m + places * places * v + w)
            logs.append(total)
        with np.errstate(invalid="ignore"):
            return np.asarray(logs[0] - logs[1])

    def candidates(self) -> Iterator[Moment]:
        """Yield places near the largest ratios, first the simplest."""
        low, high = 1 / (64 * self.lengths[1]), 256 / self.lengths[0]
        if low <= 0 or not isfinite(high):
            return
        octaves = np.log2(high) - np.log2(low)
        count = int(min(octaves, _OCTAVES) * _PER_OCTAVE) + 2
        sizes = np.geomspace(low, high, count)
        places = np.concatenate([-sizes[::-1], [0.0], sizes])
        values = self.log_ratio(places)
        values[~np.isfinite(values)] = -np.inf
        with precision(64):
            epsilon = self.target.epsilon.ball().midpoint()
        peaks = [
            k
            for k in range(1, len(places) - 1)
            if values[k] >= max(values[k - 1], values[k + 1]) and isfinite(values[k])
        ]
        peaks.sort(key=lambda k: -values[k])
        for k in peaks[:_MAXIMA]:
            place, value = self._highest(places[k - 1], places[k + 1])
            if value < epsilon - _NEAR:
                continue
            yield from self._near(place, clear=value > epsilon + _NEAR)

    def _highest(self, low: float, high: float) -> tuple[float, float]:
        """Return the place and value of a maximum between two floats, by repeated cutting."""
        for _ in range(24):
            places = np.linspace(low, high, 9)
            values = self.log_ratio(places)
            best = int(np.nanargmax(values))
            low, high = places[max(0, best - 1)], places[min(8, best + 1)]
        return float(places[best]), float(values[best])

    def _near(self, place: float, clear: bool) -> Iterator[Moment]:
        """Yield simple numbers near a maximum, refined where the ratio is next to epsilon."""
        with precision(_BITS):
            start = raw(Fraction(place))
            top = start if clear else self._newton(start)
            if top is None:
                return
            exact = fraction_of(dyadic(top.mid()))
            on_lattice = None
            if self.step is not None and abs(place * float(self.step)) < 200:
                on_lattice = fraction_of(dyadic((top * raw(self.step)).exp().mid()))
        limits = _DENOMINATORS if clear else (_TIED_DENOMINATOR, *_DENOMINATORS)
        for limit in limits:
            if on_lattice is not None and self.step is not None:
                base = on_lattice.limit_denominator(limit)
                if base > 0 and base != 1:
                    yield Moment(1 / self.step, base)
                elif base == 1:
                    yield Moment(Fraction(0), None)
            else:
                yield Moment(exact.limit_denominator(limit), None)

    def _newton(self, place: Raw) -> Raw | None:
        """Return a place nearer to where the derivative of the log ratio is 0 (a proposal)."""
        for _ in range(_STEPS):
            slope, bend = raw(0), raw(0)
            for side, sign in zip(self.sides, (1, -1), strict=True):
                sums = [raw(0), raw(0), raw(0)]
                for part in side:
                    drift = raw(part.mean - self.origin) + place * raw(part.variance)
                    size = raw(part.weight) * self._exponential(part, place)
                    sums[0] += size
                    sums[1] += size * drift
                    sums[2] += size * (drift * drift + raw(part.variance))
                first = sums[1] / sums[0]
                slope += sign * first
                bend += sign * (sums[2] / sums[0] - first * first)
            step = (slope / bend).mid()
            if not step.is_finite():
                return None
            place = (place - step).mid()
        return place

    def _exponential(self, part: Component, place: Raw) -> Raw:
        mean, variance = raw(part.mean - self.origin), raw(part.variance / 2)
        return (place * mean + place * place * variance).exp()

    def proved(self, moment: Moment) -> bool:
        """Whether M(t) >= 0 is proved at a place."""
        factor, terms = moment.factor, []
        unit = Exponent.rational(1) if moment.base is None else Exponent.log(moment.base)
        for side, sign in zip(self.sides, (1, -1), strict=True):
            for part in side:
                x = factor * (part.mean - self.origin)
                if moment.base is None:
                    x += factor * factor * part.variance / 2
                terms.append((sign, unit.times(x), part.weight))

        def gap() -> Ball:
            totals = {1: raw(0), -1: raw(0)}
            for sign, power, weight in terms:
                totals[sign] += raw(weight) * power.ball().raw.exp()
            return Ball(totals[1] - self.target.exp_epsilon() * totals[-1])

        with precision(_BITS):
            found = gap().certain_sign()
        if found is None and (epsilon := self.target.epsilon.linear) is not None:
            found = ExpSum.collect(
                (power if s == 1 else power + epsilon, s * weight) for s, power, weight in terms
            ).sign()
        return found is not None and found >= 0


def _lattice_step(means: list[Fraction]) -> Fraction:
    """The largest step of a lattice that holds all the atoms."""
    denominator = lcm(*(mean.denominator for mean in means))
    points = [int(mean * denominator) for mean in means]
    return Fraction(gcd(*(point - points[0] for point in points)), denominator)
