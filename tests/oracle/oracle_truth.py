"""Released laws from their definitions in mpmath, at 130 digits, and what a float of them is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from mpmath import MPContext

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    GaussianNoise,
    Laplace,
    Mixture,
    NoNoise,
    TruncatedLaplace,
)

ctx = MPContext()
ctx.dps = 130
mpf = ctx.mpf
LATTICE = ("discrete-laplace", "discrete-gaussian")
Part = tuple[Fraction, Fraction, Fraction]
"""Weight, mean and variance; an atom where the variance is 0."""


def real(value: Fraction | int) -> Any:
    return mpf(Fraction(value).numerator) / Fraction(value).denominator


def fraction(value: Any) -> Fraction:
    """The exact value of an mpmath number."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def of_text(value: Any) -> Any:
    """A published decimal or fraction, which may be e-400000000000."""
    digits, _, power = str(value).partition("e")
    return real(Fraction(digits)) * ctx.power(10, int(power or 0))


def rounded(value: Any) -> float:
    """The float nearest to an mpmath number, by the division of Python's integers."""
    if not value:
        return 0.0
    _, _, exponent, bits = value._mpf_
    if bits + exponent < -1100:
        return 0.0
    exact = fraction(value)
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


@dataclass(frozen=True)
class Truth:
    """The law of X + N; `kind` of the noise as in problem files."""

    parts: list[Part]
    kind: str
    scale: Fraction

    @property
    def prior(self) -> Discrete | Mixture:
        rows = [{"weight": w, "mean": m, "variance": v} for w, m, v in self.parts]
        return Mixture(rows).normal_form()  # type: ignore[return-value]

    @property
    def noise(self) -> Any:
        return {
            "laplace": Laplace, "discrete-laplace": DiscreteLaplace, "gaussian": GaussianNoise,
            "none": lambda _: NoNoise(), "discrete-gaussian": DiscreteGaussian,
            "truncated-laplace": lambda scale: TruncatedLaplace(scale, self.bound),
        }[self.kind](self.scale)  # fmt: skip

    @property
    def bound(self) -> Fraction:
        """Of truncated noise: one that matters beside the atoms."""
        return min(5 * self.scale, Fraction(7))

    def weight(self, y: Fraction) -> Any:
        """The density, or the mass."""
        return ctx.fsum(real(w) * self._weight(y - m, v) for w, m, v in self.parts)

    def _weight(self, d: Fraction, v: Fraction) -> Any:
        b = real(self.scale)
        if self.kind == "none" and not v:
            return mpf(d == 0)
        if self.kind in ("none", "gaussian"):
            total = real(v) + (b * b if self.kind == "gaussian" else 0)
            return ctx.exp(-real(d) ** 2 / (2 * total)) / ctx.sqrt(2 * ctx.pi * total)
        if self.kind == "discrete-laplace":
            t = ctx.exp(-1 / b)
            return (1 - t) / (1 + t) * t ** abs(int(d)) if d.denominator == 1 else mpf(0)
        if self.kind == "discrete-gaussian":
            whole = d.denominator == 1
            return bell(self.scale, int(d)) / all_bells(self.scale) if whole else mpf(0)
        if self.kind == "truncated-laplace":
            inside = 1 - ctx.exp(-real(self.bound) / b)
            return (abs(d) <= self.bound) * ctx.exp(-abs(real(d)) / b) / (2 * b * inside)
        if not v:
            return ctx.exp(-abs(real(d)) / b) / (2 * b)
        # the convolution of a normal and a Laplace density, half by half
        s, z = ctx.sqrt(real(v)) / b, real(d) / ctx.sqrt(real(v))
        up = ctx.exp(s * s / 2 - s * z) * ctx.erfc((s - z) / ctx.sqrt(2))
        down = ctx.exp(s * s / 2 + s * z) * ctx.erfc((s + z) / ctx.sqrt(2))
        return (up + down) / (4 * b)

    def below(self, y: Fraction) -> Any:
        """The distribution function."""
        return ctx.fsum(real(w) * self._below(y - m, v) for w, m, v in self.parts)

    def _below(self, d: Fraction, v: Fraction) -> Any:
        b = real(self.scale)
        if self.kind == "none" and not v:
            return mpf(d >= 0)
        if self.kind in ("none", "gaussian"):
            total = real(v) + (b * b if self.kind == "gaussian" else 0)
            return ctx.erfc(-real(d) / ctx.sqrt(2 * total)) / 2
        if self.kind == "discrete-laplace":
            t, k = ctx.exp(-1 / b), d.__floor__()
            return 1 - t ** (k + 1) / (1 + t) if k >= 0 else t**-k / (1 + t)
        if self.kind == "discrete-gaussian":
            return bells_up_to(self.scale, d.__floor__()) / all_bells(self.scale)
        if self.kind == "truncated-laplace":
            end = ctx.exp(-real(self.bound) / b)
            beyond = max(ctx.exp(-abs(real(d)) / b) - end, mpf(0)) / (2 * (1 - end))
            return 1 - beyond if d > 0 else beyond
        if not v:
            tail = ctx.exp(-abs(real(d)) / b) / 2
            return 1 - tail if d > 0 else tail
        s, z = ctx.sqrt(real(v)) / b, real(d) / ctx.sqrt(real(v))
        up = ctx.exp(s * s / 2 - s * z) * ctx.erfc((s - z) / ctx.sqrt(2)) / 2
        down = ctx.exp(s * s / 2 + s * z) * ctx.erfc((s + z) / ctx.sqrt(2)) / 2
        return ctx.erfc(-z / ctx.sqrt(2)) / 2 - (up - down) / 2


def bell(sigma: Fraction, k: int) -> Any:
    """e**(-k**2/(2 sigma**2))."""
    return ctx.exp(-real(Fraction(k * k) / (2 * sigma**2)))


@cache
def all_bells(sigma: Fraction) -> Any:
    """Their sum over all whole numbers: beyond 60 sigma it is below 10**-700."""
    far = int(60 * sigma) + 9
    return ctx.fsum(bell(sigma, k) for k in range(-far, far + 1))


def bells_up_to(sigma: Fraction, k: int) -> Any:
    """Their sum up to k, from the side of the smaller ones."""
    if k >= 0:
        return all_bells(sigma) - bells_up_to(sigma, -k - 1)
    return ctx.fsum(bell(sigma, j) for j in range(k, k - int(60 * sigma) - 9, -1))


def random_truth(random: Random, kind: str, shape: str) -> Truth:
    """A law of one of the shapes "few atoms", "tiny masses", "normals", "both"."""
    count = random.randint(1, 4)
    whole = kind in LATTICE
    places = [Fraction(random.randint(-40, 40), 1 if whole else random.randint(1, 9))
              for _ in range(count)]  # fmt: skip
    smooth = {"few atoms": 0.0, "tiny masses": 0.0, "normals": 1.0, "both": 0.5}[shape]
    sizes = [Fraction(random.randint(1, 90), 10) if random.random() < smooth else Fraction(0)
             for _ in range(count)]  # fmt: skip
    shares = [Fraction(random.randint(1, 9)) for _ in range(count)]
    if shape == "tiny masses":
        shares[0] /= 10**300
    total = sum(shares)
    scale = Fraction(random.choice([1, 3, 10, 10**6, 10**12]), random.choice([1, 7, 10**6]))
    if kind == "discrete-gaussian":  # the sums of this file are over every number
        scale = Fraction(random.choice([1, 3, 10]), random.choice([1, 7]))
    return Truth([(w / total, m, v) for w, m, v in zip(shares, places, sizes, strict=True)], kind,
                 scale)  # fmt: skip


def random_output(random: Random, truth: Truth) -> tuple[str, Fraction]:
    """An output, and where it lies: at a mean, near, or a million scales away."""
    where = random.choice(["at", "near", "far"])
    _, mean, variance = random.choice(truth.parts)
    if where == "at":
        return where, mean
    reach = max(truth.scale if truth.kind != "none" else 1, variance, Fraction(1, 10**6))
    away = Fraction(reach) * random.randint(-(10**6), 10**6) / (1 if where == "far" else 10**6)
    return where, mean + (Fraction(round(away)) if truth.kind in LATTICE else away)


def positive_set(p: Truth, q: Truth, growth: Any) -> list[tuple[Any, Any]]:
    """Intervals where p > growth q, by a scan: 48 points beside every mean, then bisection."""
    reach = max([p.scale, *(v for _, _, v in p.parts + q.parts), Fraction(1)])
    means = sorted({m for _, m, _ in p.parts + q.parts})
    places = sorted({m + 60 * reach * Fraction(k**3, 24**3) for m in means
                     for k in range(-24, 25)})  # fmt: skip

    def gap(y: Any) -> Any:
        return p.weight(y) - growth * q.weight(y)

    ends: list[Any] = []
    with ctx.workdps(40):
        signs = [gap(y) > 0 for y in places]
        for (a, above), (b, below) in pairwise(zip(places, signs, strict=True)):
            if above == below:
                continue
            low, high = a, b
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if (gap(middle) > 0) == above else (low, middle)
            ends.append(low)
    whole = ([None] if signs[0] else []) + ends + ([None] if signs[-1] else [])
    return list(zip(whole[::2], whole[1::2], strict=True))


def mass_of(law: Truth, event: list[tuple[Any, Any]]) -> Any:
    """The probability of a union of intervals (None: no end)."""
    return ctx.fsum(
        (mpf(1) if b is None else law.below(b)) - (mpf(0) if a is None else law.below(a))
        for a, b in event
    )


def divergence(p: Truth, q: Truth, growth: Any) -> Any:
    """The hockey-stick divergence: over the lattice, or the event of larger density."""
    if p.kind == "discrete-laplace":
        reach = int(80 * p.scale)
        gaps = (p.weight(Fraction(k)) - growth * q.weight(Fraction(k))
                for k in range(-reach, reach))  # fmt: skip
        return ctx.fsum(max(gap, mpf(0)) for gap in gaps)
    event = positive_set(p, q, growth)
    return mass_of(p, event) - growth * mass_of(q, event)
