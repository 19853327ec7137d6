"""Noise that is added to the released quantity."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from pfverify.errors import InputError, shorten
from pfverify.exact.expsum import Exponent
from pfverify.exact.number import Number, printable, rational

_MAX_BITS = 14_284  # of a numerator or denominator: at most 4300 digits, as in the grammar
_TOO_LARGE = "the number is too large to work with"


def positive_scale(value: object, name: str = "scale") -> Number:
    """Return an exact number proved to be > 0.

    Raises InputError for a number that is not positive, or whose sign cannot be decided.
    """
    scale = printable(value, name)
    sign = scale.sign()
    if sign is None:
        raise InputError(f"{name}: cannot decide whether {shorten(scale.text)} is > 0")
    if sign <= 0:
        what = "is exactly 0" if sign == 0 else "is negative"
        raise InputError(f"{name}: {shorten(scale.text)} {what}, expected a number > 0")
    return scale


def noise_scale(value: object, name: str = "scale") -> Number:
    """Return an exact number that is written as 0, or proved to be > 0.

    An expression that only cancels to 0, such as log(4)-2*log(2), is bad input: nobody who asks
    for no noise writes it so.
    Raises InputError for a number that is neither.
    Example: ``noise_scale("0").fraction`` is ``Fraction(0)``.
    """
    scale = printable(value, name)
    if scale.fraction == 0:
        return scale
    if scale.sign() == -1:
        raise InputError(f"{name}: {shorten(scale.text)} is negative, expected a number >= 0")
    return positive_scale(scale, name)


class NoNoise:
    """No noise at all: Y = X, the value itself is published.

    It has no scale to give, to change or to find; the other kinds of noise release the same at
    scale 0. Masses are bounded, so that the pointwise form is about P(a) - e**epsilon Q(a).
    Example: ``NoNoise().kind`` is ``"none"``.
    """

    kind = "none"
    step: Fraction | None = None
    adds_nothing = True

    def __init__(self) -> None:
        self.scale = Number.of_rational(0)

    def with_scale(self, scale: object) -> NoNoise:
        """Refuse: raises InputError, since there is no scale of no noise."""
        raise InputError(
            f"noise.kind: none has no scale {shorten(scale)}; name a kind of noise: laplace, "
            "discrete-laplace or gaussian"
        )

    def __repr__(self) -> str:
        return "NoNoise()"


class Laplace:
    """Laplace noise: density exp(-|z|/scale) / (2 scale), variance 2 scale**2.

    `scale` (theta or b) has the unit of the released quantity; None where it is to be found, 0 for
    no noise at all. Raises InputError for a negative scale. Example: ``Laplace("51/25")``.
    Source: noise-reduction paper, (3).
    """

    kind = "laplace"
    step: Fraction | None = None

    def __init__(self, scale: object | None = None) -> None:
        self.scale = None if scale is None else noise_scale(scale)

    @property
    def adds_nothing(self) -> bool:
        """Whether the scale is 0, so that X itself is released."""
        return _is_zero(self.scale)

    def with_scale(self, scale: object) -> Laplace:
        """Return the same kind of noise with another scale."""
        return Laplace(scale)

    def __repr__(self) -> str:
        return f"Laplace({'' if self.scale is None else repr(self.scale.text)})"


class DiscreteLaplace:
    """Discrete Laplace (two-sided geometric) noise on the lattice step * Z.

    Mass (1-t)/(1+t) t**|k| at k*step, with t = exp(-step/scale). Variance
    2 step**2 t/(1-t)**2. All atoms of two compared priors must lie in one coset of step * Z.
    Raises InputError unless scale >= 0 (0: no noise at all) and step is a rational > 0.
    Example: ``DiscreteLaplace("51/25", step=1)``. Source: design fact F12.
    """

    kind = "discrete-laplace"

    def __init__(self, scale: object | None = None, step: object = 1) -> None:
        self.scale = None if scale is None else noise_scale(scale)
        self.step = rational(printable(step, "step"), "step")
        if self.step <= 0:
            raise InputError(f"step: {shorten(self.step)} is not > 0")

    @property
    def adds_nothing(self) -> bool:
        """Whether the scale is 0, so that X itself is released."""
        return _is_zero(self.scale)

    def with_scale(self, scale: object) -> DiscreteLaplace:
        """Return the same kind of noise with another scale."""
        return DiscreteLaplace(scale, self.step)

    def __repr__(self) -> str:
        scale = "" if self.scale is None else f"{self.scale.text!r}, "
        return f"DiscreteLaplace({scale}step={str(self.step)!r})"


class GaussianNoise:
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
    step: Fraction | None = None

    def __init__(self, scale: object | None = None, variance: object | None = None) -> None:
        self.scale: Number | None = None
        self.variance: Fraction | None = None
        if scale is not None and variance is not None:
            raise InputError("gaussian noise takes at most one of scale and variance, got both")
        if variance is not None:
            self.variance = rational(printable(variance, "variance"), "variance")
            if self.variance < 0:
                raise InputError(f"variance: {shorten(self.variance)} is negative, expected >= 0")
        elif scale is not None:
            self.variance = _square(noise_scale(scale))
        if self.variance is not None:
            self.scale = _root(self.variance)

    @property
    def adds_nothing(self) -> bool:
        """Whether the variance is 0, so that X itself is released."""
        return self.variance == 0

    def with_scale(self, scale: object) -> GaussianNoise:
        """Return the same kind of noise with another scale (standard deviation)."""
        return GaussianNoise(scale)

    def __repr__(self) -> str:
        shown = "" if self.variance is None else f"variance={shorten(self.variance)!r}"
        return f"GaussianNoise({shown})"


def _is_zero(scale: Number | None) -> bool:
    return scale is not None and scale.fraction == 0


def _square(scale: Number) -> Fraction:
    """Return the square of a scale as a rational number; InputError where it is none."""
    try:
        found = _rational_value(scale * scale)
    except InputError as error:
        raise InputError(f"scale: its square: {error}") from None
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
        if abs(count) * key.bit_length() > 4 * _MAX_BITS:
            raise InputError(_TOO_LARGE)
        found *= Fraction(key) ** int(count)
    return found


def _printable(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS:
        raise InputError(_TOO_LARGE)
    return value


def _root(variance: Fraction) -> Number:
    """Return the exact square root of a rational >= 0."""
    top, bottom = isqrt(variance.numerator), isqrt(variance.denominator)
    if (top * top, bottom * bottom) == (variance.numerator, variance.denominator):
        return Number.of_rational(Fraction(top, bottom))
    return (Number.of_rational(variance).log() / Number.of_rational(2)).exp()


Noise = Laplace | DiscreteLaplace | GaussianNoise | NoNoise
NOISES = (Laplace, DiscreteLaplace, GaussianNoise, NoNoise)
