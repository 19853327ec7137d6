"""An oracle for priors with densities: quadrature, Mills ratios and zeros of its own.

A prior is a list of (weight, mean, variance), all Fractions; variance 0 is an atom. The noise is
("laplace", b) or ("gaussian", variance). It shares no line with the code under test.
Everything that is returned is an mpmath number of a private context; float64 only proposes where
to look, so that

* `excess` of an event, and `log_ratio` at an output, are true to 50 digits;
* `divergence`, `largest_ratio` and `largest_excess` are values at an event or output found by a
  scan: never too large, and, unless the scan misses something, good to 15 digits or more.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from mpmath import MPContext
from scipy.special import erfcx, log_ndtr

Part = tuple[Fraction, Fraction, Fraction]
Noise = tuple[str, Fraction]
Run = tuple[Any, Any]
"""Low and high end of an interval of outputs; None is an infinite end."""

ctx = MPContext()
ctx.dps = 70
mpf = ctx.mpf


def real(value: Any) -> Any:
    """An exact number as an mpmath number."""
    if isinstance(value, str):
        value = Fraction(value)
    if isinstance(value, Fraction):
        return mpf(value.numerator) / value.denominator
    return mpf(value)


def mills(t: Any) -> Any:
    """P(Z > t) / phi(t) for a standard normal Z."""
    lost = 2 * int(ctx.mag(t)) if abs(t) > 1 else 0  # bits that exp(t^2/2) loses
    with ctx.extraprec(lost + 20):
        return ctx.sqrt(ctx.pi / 2) * ctx.exp(t * t / 2) * ctx.erfc(t / ctx.sqrt(2))


class Law:
    """The law of X + N, in closed form.

    With z = (y - m)/s and t = s/b: E e^{-|y - X|/b} = phi(z) (mills(t - z) + mills(t + z)).
    """

    def __init__(self, parts: list[Part], noise: Noise) -> None:
        kind, size = noise
        self.b = real(size) if kind == "laplace" and size else None  # scale 0: no noise
        added = Fraction(0) if kind == "laplace" else size
        self.exact = [(w, m, v + added) for w, m, v in parts]
        self.parts = [(real(w), real(m), ctx.sqrt(real(v))) for w, m, v in self.exact]
        self._known: dict[Any, Any] = {}

    def at(self, y: Any) -> Any:
        """The density at one output."""
        y = real(y)
        if y not in self._known:
            self._known[y] = ctx.fsum(w * self._one(y, m, s) for w, m, s in self.parts)
        return self._known[y]

    def _one(self, y: Any, m: Any, s: Any) -> Any:
        if self.b is None:
            return ctx.npdf(y, m, s)
        if s == 0:
            return ctx.exp(-abs(y - m) / self.b) / (2 * self.b)
        z, t = (y - m) / s, s / self.b
        return ctx.npdf(z) * (mills(t - z) + mills(t + z)) / (2 * self.b)

    def below(self, y: Any) -> Any:
        """P(Y <= y)."""
        y = real(y)
        return ctx.fsum(w * self._tail(m - y, s) for w, m, s in self.parts) + self._atom(y)

    def above(self, y: Any) -> Any:
        """P(Y > y)."""
        y = real(y)
        return ctx.fsum(w * self._tail(y - m, s) for w, m, s in self.parts)

    def _tail(self, d: Any, s: Any) -> Any:
        """P(sZ + N > d): every one of these laws is symmetric."""
        if self.b is None and s == 0:
            return mpf(d < 0)
        if self.b is None:
            return ctx.erfc(d / s / ctx.sqrt(2)) / 2
        if s == 0:
            half = ctx.exp(-abs(d) / self.b) / 2
            return half if d > 0 else 1 - half
        z, t = d / s, s / self.b
        lost = ctx.npdf(z) * (mills(t - z) - mills(t + z)) / 2
        return ctx.erfc(z / ctx.sqrt(2)) / 2 + lost

    def _atom(self, y: Any) -> Any:
        """P(Y = y), which is positive only without noise."""
        if self.b is not None:
            return mpf(0)
        return ctx.fsum(w for w, m, s in self.parts if s == 0 and m == y)

    def mass(self, low: Any, high: Any) -> Any:
        """P(low <= Y <= high), from the nearer tail."""
        if low is not None and (atom := self._atom(real(low))):
            return atom + self._right_of(low, high)
        return self._right_of(low, high)

    def _right_of(self, low: Any, high: Any) -> Any:
        if low is None:
            return mpf(1) if high is None else self.below(high)
        if high is None:
            return self.above(low)
        below, above = self.below(high), self.above(low)
        return below - self.below(low) if below < above else above - self.above(high)

    def transform(self, side: int) -> Any:
        """E e^{side X/b}: what 2b e^{|y|/b} times the density tends to."""
        return ctx.fsum(
            w * ctx.exp(side * m / self.b + (s / self.b) ** 2 / 2) for w, m, s in self.parts
        )

    @cached_property
    def _floats(self) -> tuple[Any, Any, Any]:
        columns = (np.array([float(p[k]) for p in self.parts])[:, None] for k in range(3))
        return tuple(columns)  # type: ignore[return-value]

    def log_at(self, ys: Any) -> tuple[Any, Any]:
        """log density at many outputs in float64, and about how wrong it may be."""
        w, m, s = self._floats
        d = ys[None, :] - m
        with np.errstate(all="ignore"):
            if self.b is None:
                z = d / s
                logs = np.log(w / s) - z * z / 2 - np.log(2 * np.pi) / 2
                speed = np.abs(z) / s
            else:
                b = float(self.b)
                safe = np.where(s > 0, s, 1.0)
                z, t = d / safe, safe / b
                smooth = np.logaddexp(_log_mills(z, t), _log_mills(-z, t))
                logs = np.where(s > 0, smooth, -np.abs(d) / b) + np.log(w / (2 * b))
                speed = np.where(s > 0, np.minimum(np.abs(z) / safe, 1 / b), 1 / b) + 0 * d
        top = logs.max(axis=0)
        each = np.exp(logs - top)
        at = logs.argmax(axis=0)
        size = np.abs(ys) + np.abs(m[:, 0][at])
        error = (
            1e-13 * (1 + np.abs(top))
            + 1e-15
            * size
            * np.take_along_axis(np.broadcast_to(speed, logs.shape), at[None, :], 0)[0]
        )
        return top + np.log(each.sum(axis=0)), error


def _log_mills(z: Any, t: Any) -> Any:
    """log of phi(z) mills(t - z), by the form whose exponents do not cancel."""
    u = t - z
    right = -z * z / 2 + np.log(erfcx(np.maximum(u, 0) / np.sqrt(2)) / 2)
    left = t * t / 2 - t * z + log_ndtr(-np.minimum(u, 0))
    return np.where(u > 0, right, left)


class Gap:
    """p - e^epsilon q - flat for one order: signs, zeros, events."""

    def __init__(
        self,
        first: list[Part],
        second: list[Part],
        noise: Noise,
        epsilon: Any,
        flat: Any = 0,
        thorough: bool = True,
    ) -> None:
        """`thorough` spends more on places where float64 does not tell signs, and on zeros."""
        self.blind, self.accuracy = (160, mpf(10) ** -24) if thorough else (16, mpf(10) ** -6)
        self.p, self.q = Law(first, noise), Law(second, noise)
        self.factor = ctx.exp(epsilon if isinstance(epsilon, mpf) else real(epsilon))
        self.flat = real(flat)

    def log_ratio(self, y: Any) -> Any:
        """log p/q at one output."""
        return ctx.log(self.p.at(y) / self.q.at(y))

    def excess_at(self, y: Any) -> Any:
        """p - e^epsilon q at one output."""
        return self.p.at(y) - self.factor * self.q.at(y)

    def excess(self, event: list[Run]) -> Any:
        """P(B) - e^epsilon Q(B)."""
        return ctx.fsum(
            self.p.mass(low, high) - self.factor * self.q.mass(low, high) for low, high in event
        )

    @cached_property
    def grid(self) -> Any:
        """Outputs near every component, at every size, and between them."""
        b = float(self.p.b or 0)
        means = np.array([float(m) for _, m, _ in (*self.p.parts, *self.q.parts)])
        spreads = np.array([float(s) for _, _, s in (*self.p.parts, *self.q.parts)])
        steps = np.concatenate([np.linspace(0, 9, 46), np.geomspace(10, 1e7, 25)])
        found = [means]
        for m, s in zip(means, spreads, strict=True):
            for unit in {s, b, s * s / b if b else s}:
                found += [m + unit * steps, m - unit * steps]
        low, high = means.min(), means.max()
        margin = 12 * spreads.max() + 12 * b
        found.append(np.linspace(low - margin, high + margin, 4001))
        for one, two in pairwise(np.unique(means)):
            found.append(np.linspace(one, two, 101))
        every = np.unique(np.concatenate(found))
        return every[np.isfinite(every)]

    @cached_property
    def signs(self) -> list[tuple[Fraction, int]]:
        """Outputs in order with the sign of the gap (0 where 50 digits do not tell it)."""
        ys = self.grid
        p, p_error = self.p.log_at(ys)
        q, q_error = self.q.log_at(ys)
        other = q + float(ctx.log(self.factor))
        if self.flat > 0:
            other = np.logaddexp(other, float(ctx.log(self.flat)))
        gap = p - other
        # far out where exponents are beyond float64 nothing is claimed
        known = np.isfinite(gap) & (np.abs(gap) > 10 * (p_error + q_error))
        unsure = np.flatnonzero(~known)
        chosen = set(unsure[:: max(1, len(unsure) // self.blind)].tolist())
        found = []
        for k, y in enumerate(ys.tolist()):
            if known[k]:
                found.append((Fraction(y), 1 if gap[k] > 0 else -1))
            elif k in chosen:
                found.append((Fraction(y), self.sign(Fraction(y))))
        return found

    def sign(self, y: Any) -> int:
        """The sign of the gap at one output."""
        p, other = self.p.at(y), self.factor * self.q.at(y) + self.flat
        if abs(p - other) <= (p + other) * mpf(10) ** -50:
            return 0
        return 1 if p > other else -1

    @cached_property
    def zeros(self) -> list[Any]:
        """The sign changes that the grid shows, closed in on."""
        told = [pair for pair in self.signs if pair[1]]
        return [self._zero(a, b) for (a, s), (b, r) in pairwise(told) if s != r]

    def _zero(self, a: Any, b: Any) -> Any:
        def height(y: Any) -> Any:
            return ctx.log(self.p.at(y) / (self.factor * self.q.at(y) + self.flat))

        a, b = real(a), real(b)
        at_a, at_b = height(a), height(b)
        middle = (a + b) / 2
        for turn in range(90):
            middle = (a + b) / 2 if turn % 6 == 5 else b - at_b * (b - a) / (at_b - at_a)
            value = height(middle)
            if abs(value) < self.accuracy:
                break
            if (value > 0) == (at_b > 0):
                at_a /= 2
            else:
                a, at_a = b, at_b
            b, at_b = middle, value
        return middle

    @cached_property
    def event(self) -> list[Run]:
        """Where p > e^epsilon q (+ flat)."""
        told = [sign for _, sign in self.signs if sign]
        if not told:
            return []
        ends: list[Any] = [None] if told[0] > 0 else []
        ends += self.zeros
        if len(ends) % 2:
            ends.append(None)
        return list(zip(ends[::2], ends[1::2], strict=True))

    def divergence(self) -> Any:
        """sup over events of P(B) - e^epsilon Q(B)."""
        return max(self.excess(self.event), mpf(0))

    def places(self) -> list[Fraction]:
        """A few outputs where p is large against the rest, as float64 sees it."""
        count = len(self.grid)
        chosen = {*range(0, count, count // 3)}
        for values in (self._log_ratios, self._log_excess):
            if values is not None:
                chosen |= {*np.argsort(values)[[-1, -40]].tolist()}
        return [Fraction(float(self.grid[k])) for k in chosen]

    def largest_ratio(self) -> Any:
        """sup of log p/q, infinite where a normal tail leaves it unbounded."""
        if self.p.b is None:
            tops = [
                [max((v, side * m) for _, m, v in law.exact) for law in (self.p, self.q)]
                for side in (1, -1)
            ]
            if any(p > q for p, q in tops):
                return ctx.inf
            limits = [
                ctx.log(real(self._weight(self.p, p, side) / self._weight(self.q, q, side)))
                for (p, q), side in zip(tops, (1, -1), strict=True)
                if p == q
            ]
        else:
            limits = [ctx.log(self.p.transform(s) / self.q.transform(s)) for s in (1, -1)]

        peaks = self._peaks(self._log_ratios, self.log_ratio)
        return max([self.log_ratio(y) for y in peaks] + limits)

    @staticmethod
    def _weight(law: Law, top: tuple[Fraction, Fraction], side: int) -> Fraction:
        return next(w for w, m, v in law.exact if (v, side * m) == top)

    def largest_excess(self) -> Any:
        """sup of p - e^epsilon q, at least 0."""

        peaks = self._peaks(self._log_excess, self.excess_at)
        return max([self.excess_at(y) for y in peaks] + [mpf(0)])

    @property
    def _log_ratios(self) -> Any:
        """log p/q on the grid, less what float64 may have added."""
        (p, p_error), (q, q_error) = (law.log_at(self.grid) for law in (self.p, self.q))
        values = np.nan_to_num(p - q - 3 * (p_error + q_error), nan=-np.inf, posinf=-np.inf)
        return values if values.max() > 1e-6 else None

    @property
    def _log_excess(self) -> Any:
        """log(p - e^epsilon q) on the grid, -inf where float64 does not see p > e^epsilon q."""
        (p, p_error), (q, q_error) = (law.log_at(self.grid) for law in (self.p, self.q))
        ratio = p - q - float(ctx.log(self.factor))
        with np.errstate(all="ignore"):
            values = np.where(
                ratio > 3 * (p_error + q_error), p + np.log(-np.expm1(-ratio)), -np.inf
            )
        return values if np.isfinite(values).any() else None

    def _peaks(self, values: Any, exact: Callable[[Any], Any]) -> list[Any]:
        """The best places of a float64 scan, or of few exact values where floats are blind."""
        ys = self.grid
        if values is None:
            ys = ys[:: max(1, len(ys) // self.blind)]
            values = np.array([float(exact(real(y))) for y in ys.tolist()])
            return self._climbed(exact, ys, int(values.argmax()), 1, 1)
        inner = np.flatnonzero((values[1:-1] >= values[:-2]) & (values[1:-1] >= values[2:])) + 1
        found = []
        for k in inner[np.argsort(values[inner])[-2:]].tolist():
            found += self._climbed(exact, ys, k, 1, 1)
        best = int(values.argmax())
        # neighbours may be much nearer than the width of the hill
        lower = np.flatnonzero(values < values[best] - 0.01 * abs(values[best]))
        left, right = lower[lower < best], lower[lower > best]
        if len(left) and len(right):
            found += self._climbed(exact, ys, best, best - left[-1], right[0] - best)
        return found

    @staticmethod
    def _climbed(exact: Callable[[Any], Any], ys: Any, k: int, left: int, right: int) -> list[Any]:
        """Golden sections from some places left of the k-th to some right of it."""
        low = real(float(ys[max(k - left, 0)]))
        high = real(float(ys[min(k + right, len(ys) - 1)]))
        share = (3 - ctx.sqrt(5)) / 2
        a, b = low + share * (high - low), high - share * (high - low)
        at_a, at_b, flat = exact(a), exact(b), 0
        for _ in range(60):
            if at_a > at_b:
                high, b, at_b = b, a, at_a
                a = low + share * (high - low)
                at_a = exact(a)
            else:
                low, a, at_a = a, b, at_b
                b = high - share * (high - low)
                at_b = exact(b)
            flat = flat + 1 if abs(at_a - at_b) <= abs(at_a) * mpf(10) ** -16 else 0
            if flat == 3:
                break
        return [real(float(ys[k])), a, b]


# ------------------------------------------------------------------- the slow, direct way


def quadrature_density(parts: list[Part], noise: Noise, y: Any) -> Any:
    """The density of X + N at y as the convolution's integral, 50 digits."""
    with ctx.workdps(52):
        return _convolved(parts, noise, real(y))


def _convolved(parts: list[Part], noise: Noise, y: Any) -> Any:
    kind, size = noise
    total = mpf(0)
    if kind == "laplace":
        b = real(size)
        spread, kernel = b, lambda d: ctx.exp(-abs(d) / b) / (2 * b)
    else:
        spread = ctx.sqrt(real(size))
        kernel = lambda d: ctx.npdf(d, 0, spread)  # noqa: E731
    for weight, mean, variance in parts:
        w, m, s = real(weight), real(mean), ctx.sqrt(real(variance))
        if s == 0:
            total += w * kernel(y - m)
            continue
        # the integrand is a piece of a normal law on either side of y, perhaps tilted
        tilt = s * s / spread
        cuts = {y} | {c + k * s for c in (m - tilt, m, m + tilt) for k in range(-16, 17, 4)}
        ends = sorted(cuts)
        total += w * ctx.fsum(
            ctx.quad(lambda x, m=m, s=s: ctx.npdf(x, m, s) * kernel(y - x), [a, c])
            for a, c in pairwise(ends)
        )
    return total


def quadrature_mass(parts: list[Part], noise: Noise, low: Any, high: Any) -> Any:
    """P(low < X + N <= high) as an integral of the closed density, 28 digits."""
    law = Law(parts, noise)
    cuts = {real(low), real(high)}
    for _, m, s in law.parts:
        for unit in {s, law.b or s}:
            cuts |= {m + unit * k for k in range(-12, 13, 2)}
    ends = [c for c in sorted(cuts) if real(low) <= c <= real(high)]
    with ctx.workdps(30):
        return ctx.fsum(ctx.quad(law.at, [a, b]) for a, b in pairwise(ends))


def gaussian_mechanism(distance: Any, variance: Any, epsilon: Any) -> Any:
    """delta(epsilon) of two normal laws of one variance: Balle and Wang 2018, Theorem 8."""
    d, s, e = real(distance), ctx.sqrt(real(variance)), real(epsilon)
    return ctx.ncdf(d / (2 * s) - e * s / d) - ctx.exp(e) * ctx.ncdf(-d / (2 * s) - e * s / d)


def two_normals(first: Part, second: Part, added: Any, epsilon: Any) -> Any:
    """The divergence of N(m, v) from e^epsilon N(n, u), `added` to both variances, u != v.

    log p - log q - epsilon is a quadratic in y; P, Q and its two zeros give the divergence.
    """
    (_, m, v), (_, n, u) = first, second
    v, u = real(v + added), real(u + added)
    m, n, e = real(m), real(n), real(epsilon)
    # (1/u - 1/v)/2 y^2 + (m/v - n/u) y + (n^2/u - m^2/v)/2 + log(u/v)/2 - epsilon
    a, b = (1 / u - 1 / v) / 2, m / v - n / u
    c = (n * n / u - m * m / v) / 2 + ctx.log(u / v) / 2 - e
    square = b * b - 4 * a * c
    if square <= 0:
        return mpf(0)  # epsilon >= 0, and so the quadratic opens downward
    low, high = sorted([(-b - ctx.sqrt(square)) / (2 * a), (-b + ctx.sqrt(square)) / (2 * a)])

    def inside(mean: Any, variance: Any) -> Any:
        root = ctx.sqrt(variance)
        return ctx.ncdf((high - mean) / root) - ctx.ncdf((low - mean) / root)

    within = inside(m, v) - ctx.exp(e) * inside(n, u)
    return within if a < 0 else 1 - ctx.exp(e) - within


# ------------------------------------------------------------------- samples


def sampled(parts: list[Part], noise: Noise, count: int, generator: np.random.Generator) -> Any:
    """Independent draws of X + N in float64."""
    weights = [float(w) for w, _, _ in parts]
    which = generator.choice(len(parts), size=count, p=weights)
    means = np.array([float(m) for _, m, _ in parts])[which]
    spreads = np.array([float(v) ** 0.5 for _, _, v in parts])[which]
    draws = means + spreads * generator.standard_normal(count)
    kind, size = noise
    if kind == "laplace":
        return draws + generator.laplace(0, float(size), count)
    return draws + generator.normal(0, float(size) ** 0.5, count)


def share(draws: Any, event: list[Run]) -> float:
    """The share of the draws that lies in an event."""
    inside = np.zeros(len(draws), dtype=bool)
    for low, high in event:
        above = True if low is None else draws > float(low)
        under = True if high is None else draws <= float(high)
        inside |= above & under
    return float(inside.mean())
