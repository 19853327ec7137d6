"""How far the published number is from the true one: proved, and rounded up."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from pfverify.answers.methods import spread
from pfverify.errors import UndecidedError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision
from pfverify.exact.decimals import decimal_text, decimal_upper, enclosure_text
from pfverify.exact.number import Number
from pfverify.laws.kinds import law_of
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.releases.release import Noise

_BITS, _DIGITS = 256, 4
_BEYOND = Fraction(1, 20)  # 5 times out of 100
_NORMAL = Fraction("1.96")  # P(|Z| > 1.96) is a little below 1/20


@dataclass(frozen=True)
class ErrorBar:
    """The noise in the unit of what is published, decimals rounded up.

    `sd` and `mean_abs`: its standard deviation and its mean absolute value; `within`: at least 95
    times out of 100 the noise is at most this far from 0.
    """

    sd: str
    mean_abs: str
    within: str


def error_bar(noise: Noise, scale: Number) -> ErrorBar:
    """Return the error bar of noise at a scale > 0.

    Raises UndecidedError where no enclosure is narrow enough.
    Example: ``error_bar(Laplace(1), Number.of_rational(1)).within`` is ``"2.996"``, log(20).
    """
    rounded = _rounded_up(scale)
    sd, mean = (
        decimal_upper(Fraction(str(value)), _DIGITS) for value in spread(noise, rounded, _DIGITS)
    )
    with precision(_BITS):
        return ErrorBar(sd, mean, _WITHIN[type(noise)](noise, scale.ball()))


def _rounded_up(scale: Number) -> str:
    """A scale as a decimal; where it is none, one above it, with more spread."""
    if scale.fraction is not None:
        return decimal_upper(scale.fraction, 3 * _DIGITS)
    with precision(_BITS):
        return _upper(scale.ball(), 3 * _DIGITS)


def _laplace(noise: Noise, scale: Ball) -> str:
    """The scale times log(20): P(|N| > t) = e**(-t/scale)."""
    del noise
    return _upper(scale * Ball(20).log(), _DIGITS)


def _normal(noise: Noise, scale: Ball) -> str:
    """The scale times a bound that leaves at most 1/20 outside."""
    del noise
    outside = Ball(2) - Ball(2) * Ball(_NORMAL).normal_cdf()
    if outside.is_less(Ball(_BEYOND)) is not Answer.YES:
        raise UndecidedError("the bound of the normal law is not proved")
    return _upper(scale * Ball(_NORMAL), _DIGITS)


def _truncated(noise: Noise, scale: Ball) -> str:
    """The t with (e**(-t/scale) - T) / (1 - T) = 1/20, T = e**(-bound/scale).

    Around a value at an end of a window it is the same with its width, and less around others.
    """
    match noise:
        case TruncatedLaplace():
            most = noise.bound
        case BoundedLaplace():
            most = noise.high - noise.low
        case _:
            raise TypeError(f"{type(noise).__name__} has no bound")
    tail = (-(Ball(most) / scale)).exp()
    return _upper(-(scale * (Ball(_BEYOND) + Ball(1 - _BEYOND) * tail).log()), _DIGITS)


def _lattice(noise: Noise, scale: Ball) -> str:
    """The least k steps that are proved, by the law of the noise alone."""
    del scale
    step = noise.step
    if step is None:
        raise TypeError(f"{type(noise).__name__} lives on no lattice")
    at = law_of(Discrete({0: 1}), noise).at_precision()

    def proved(k: int) -> bool:
        outside = Ball(2) * Ball(at.below(-(k + 1) * step))
        return outside.is_less(Ball(_BEYOND)) is Answer.YES

    high = next(2**k for k in count() if proved(2**k))
    return decimal_text(bisect_left(range(high), True, key=proved) * step)


_WITHIN: dict[type, Callable[[Noise, Ball], str]] = {
    Laplace: _laplace,
    DiscreteLaplace: _lattice,
    DiscreteGaussian: _lattice,
    TruncatedDiscreteLaplace: _lattice,
    TruncatedLaplace: _truncated,
    BoundedLaplace: _truncated,
    GaussianNoise: _normal,
}


def _upper(ball: Ball, digits: int) -> str:
    ends = enclosure_text(ball, digits)
    if ends is None:
        raise UndecidedError("no enclosure of the error bar is narrow enough")
    return str(ends[1])
