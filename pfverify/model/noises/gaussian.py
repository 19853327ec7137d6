"""Gaussian noise, and the scales whose square is rational."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent
from pfverify.exact.number import Number, number, printable, rational
from pfverify.exact.tokens import MAX_BITS, is_long
from pfverify.model.keys import Key
from pfverify.model.noises.scale import noise_scale
from pfverify.model.releases.release import Noise, every_prior

_TOO_LARGE = "the number is too large to work with"


def variance_key(description: str) -> Key:
    """Return the key of a variance: what a digest has, since a scale and its square are one noise.

    Example: ``variance_key("> 0").written`` is ``True``.
    """
    return Key("variance", description, shown=shorten)


class GaussianNoise(Noise):
    """Gaussian noise: the normal law with mean 0 and standard deviation `scale`.

    Attributes: `variance`, an exact rational with the square unit of the released quantity;
    `scale` (sigma), its exact square root, with the unit of the released quantity. Both are None
    where they are to be found.

    Parameters: `scale`, whose square must be rational, or `variance`; not both. 0 is no noise.
    Raises InputError for both, a negative number, or an irrational square.

    Example: ``GaussianNoise("3/2").variance`` is ``Fraction(9, 4)``.
    Source: Gaussian-priors paper, section VI-B.
    """

    kind = "gaussian"
    more_scale = "F2"
    adds_up = "1/variance"
    by_coordinate = True
    squares = True
    keys = (
        Key("scale", "sigma for gaussian (its square must be rational)", written=False),
        variance_key("of gaussian noise, instead of scale; rational, >= 0"),
    )
    size_name = "sigma"
    variance_text = "scale**2"
    variance: Fraction | None

    def __init__(self, scale: AnyNumber | None = None, variance: AnyNumber | None = None) -> None:
        if scale is not None and variance is not None:
            raise InputError("gaussian noise takes at most one of scale and variance, got both")
        square: Fraction | None = None
        if variance is not None:
            square = rational(printable(variance, "variance"), "variance")
            if square < 0:
                raise InputError(f"variance: {shorten(square)} is negative, expected >= 0")
        elif scale is not None:
            square = _square(noise_scale(scale))
        self._keep(variance=square, scale=None if square is None else _root(square))

    def to_table(self) -> dict[str, Any]:
        """Return kind and scale, or kind and variance where the scale is irrational."""
        if self.scale is None:
            return {"kind": self.kind}
        if self.scale.fraction is not None:
            return {"kind": self.kind, "scale": self.scale.text}
        return {"kind": self.kind, "variance": str(self.variance)}

    @classmethod
    def size_words(cls, scale: str) -> tuple[str, str | None]:
        """Return "sigma" and the scale; where it is irrational, "variance" and its square."""
        if number(scale).fraction is not None:
            return cls.size_name, scale
        return "variance", str(cls(scale).variance)

    @property
    def divisor(self) -> Number:
        """The variance."""
        if self.variance is None:
            raise InputError("scales: expected a scale for every release")
        return Number.of_rational(self.variance)

    def with_divisor(self, divisor: Number) -> GaussianNoise:
        """Return Gaussian noise of that variance; InputError where it is irrational."""
        if divisor.fraction is None:
            raise InputError("scales: their variances have irrational ratios")
        return GaussianNoise(variance=divisor.fraction)

    def sd(self, scale: Fraction) -> Fraction:
        """Return the scale."""
        return scale

    def mean_abs(self, scale: Fraction) -> Raw:
        """Return the scale times sqrt(2/pi)."""
        return raw(scale) * (2 / Raw.pi()).sqrt()

    check_priors = every_prior


def _square(scale: Number) -> Fraction:
    """Return the square of a scale as a rational number; InputError where it is none."""
    with told_at("scale: its square: "):
        found = _rational_value(scale * scale)
    if found is None:
        raise InputError(
            f"scale: {shorten(scale.text)} is not shown to have a rational square, which gaussian "
            "noise needs; expected a rational number, or variance = scale**2 in its place"
        )
    return found


def _rational_value(value: Number) -> Fraction | None:
    """Return the value of a number that is rational by the laws of exp and log, else None."""
    if value.fraction is not None:
        return value.fraction
    if value.linear is not None and (found := value.linear.as_rational()) is not None:
        return _printable(found)
    if value.ratio is None:
        return None
    top, bottom = (part.canonical() for part in value.ratio)  # one term each, or not rational
    if top is None or bottom is None or len(top.terms) != 1 or len(bottom.terms) != 1:
        return None
    ((high, above),), ((low, below),) = top.terms.items(), bottom.terms.items()
    power = _power(high - low)
    return None if power is None else _printable(power * above / below)


def _power(exponent: Exponent) -> Fraction | None:
    """Return e**exponent where that is a product of whole powers of integers."""
    found = Fraction(1)
    for key, count in exponent.parts.items():
        if not isinstance(key, int) or count.denominator != 1:
            return None
        if abs(count) * key.bit_length() > 4 * MAX_BITS:
            raise InputError(_TOO_LARGE)
        found *= Fraction(key) ** int(count)
    return found


def _printable(value: Fraction) -> Fraction:
    if is_long(value):
        raise InputError(_TOO_LARGE)
    return value


def _root(variance: Fraction) -> Number:
    """Return the exact square root of a rational >= 0."""
    top, bottom = isqrt(variance.numerator), isqrt(variance.denominator)
    if (top * top, bottom * bottom) == (variance.numerator, variance.denominator):
        return Number.of_rational(Fraction(top, bottom))
    return (Number.of_rational(variance).log() / Number.of_rational(2)).exp()
