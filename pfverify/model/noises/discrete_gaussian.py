"""Discrete Gaussian noise: a normal law on a lattice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil, isqrt
from typing import Any

from pfverify.errors import InputError
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.ball import Raw, current_precision, raw
from pfverify.model.keys import Key
from pfverify.model.noises.gaussian import GaussianNoise, variance_key
from pfverify.model.noises.on_lattice import check_on_lattice, step_key
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Noise


class DiscreteGaussian(Noise):
    """Discrete Gaussian noise on the lattice step * Z: mass e**(-z**2/(2 variance)) up to a factor.

    `scale` is sigma, the root of `variance` (the law's own variance is a little less). All atoms of
    two compared priors must lie in one coset of step * Z. Of a larger scale nothing is known: each
    is decided by itself. Raises InputError as `GaussianNoise`, and unless the step is a rational
    > 0. Example: ``DiscreteGaussian(variance=4).step`` is ``1``. Source: design fact F48; Canonne,
    Kamath and Steinke 2020.
    """

    kind = "discrete-gaussian"
    more_scale = None
    has_masses = True
    by_coordinate = True
    keys = (
        Key("scale", "sigma for discrete-gaussian too", written=False),
        variance_key("of discrete-gaussian noise, instead of scale; sigma**2"),
        step_key("and of discrete-gaussian, > 0"),
    )
    size_name = "sigma"
    variance_text = "scale**2"
    step: Fraction
    variance: Fraction | None

    def __init__(
        self, scale: AnyNumber | None = None, variance: AnyNumber | None = None,
        step: AnyNumber = 1,
    ) -> None:  # fmt: skip
        size = GaussianNoise(scale, variance)
        self._keep(scale=size.scale, variance=size.variance, **self._values(step=step))

    def to_table(self) -> dict[str, Any]:
        """Return kind, scale or variance, and step."""
        size = GaussianNoise(variance=self.variance).to_table()
        return {**size, "kind": self.kind, "step": str(self.step)}

    @classmethod
    def size_words(cls, scale: str) -> tuple[str, str | None]:
        """Return the words of Gaussian noise."""
        return GaussianNoise.size_words(scale)

    def sd(self, scale: Fraction) -> Raw:
        """Return the root of the mean square, by a sum with bounded tails."""
        return (self._mean(scale, 2)).sqrt()

    def mean_abs(self, scale: Fraction) -> Raw:
        """Return the mean size, by a sum with bounded tails."""
        return self._mean(scale, 1)

    def _mean(self, scale: Fraction, power: int) -> Raw:
        """The mean of |N|**power: a sum whose rest is bounded by a geometric one."""
        unit = -(self.step**2) / (2 * scale**2)
        last = isqrt(ceil(4 * current_precision() / -unit)) + 2
        top, whole, mass = raw(0), raw(1), raw(1)
        for k in range(1, last + 1):
            mass = 2 * raw(k * k * unit).exp()
            whole += mass
            top += mass * k**power
        ratio = raw((2 * last + 1) * unit).exp() * raw(Fraction(last + 1, last) ** power)
        rest = (mass * last**power * ratio / (1 - ratio)).union(raw(0))
        mean: Raw = raw(self.step**power) * (top + rest) / (whole + rest)
        return mean

    def check_priors(
        self, beliefs: Mapping[str, Mapping[str, Prior]], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Raise InputError unless all priors are atoms, those of a pair in one coset."""
        check_on_lattice(beliefs, pairs, self.step, "discrete Gaussian noise")

    def stated_variance(self) -> Fraction:
        """Return sigma**2; InputError where there is none."""
        if self.variance is None:
            raise InputError("noise.variance: missing, expected a number >= 0")
        return self.variance
