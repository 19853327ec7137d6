"""Discrete Gaussian noise, exactly: the chance of k steps is proportional to e**(-k**2/(2v)).

How: discrete Laplace noise of some whole scale t; a draw of size y is kept with chance
e**(-(y - v/t)**2/(2v)), else another is drawn. This is right for every t; the next whole number
above the standard deviation, in steps, keeps most of the draws.

Source: Canonne, Kamath and Steinke 2020, Algorithm 3; that the law is right for every t is
proofs/design/F38b.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, repeat
from math import isqrt

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.sampling.bits import TRIES, Bits, broken
from pfverify.sampling.coins import survives
from pfverify.sampling.laplace import MAX_BITS, Sizes, bits_of
from pfverify.sampling.laplace import steps as laplace_steps


def variance_in_steps(noise: DiscreteGaussian) -> Fraction:
    """Return the variance in squares of the step.

    Raises InputError for a variance that is missing or 0, and where draws would be too long to
    print. Example: ``variance_in_steps(DiscreteGaussian(variance=1, step="1/2"))`` is ``4``.
    """
    if noise.adds_nothing:
        raise InputError("noise.variance: 0 adds nothing: there is no noise to draw")
    found = Fraction(noise.stated_variance(), noise.step**2)
    if bits_of(found) + bits_of(noise.step) > MAX_BITS:
        raise InputError("noise.variance: its draws would have thousands of digits")
    return found


def steps(variance: Fraction, bits: Bits) -> Iterator[int]:
    """Yield draws from the discrete Gaussian law on the integers.

    Example: ``isinstance(next(steps(Fraction(2), Bits())), int)`` is True.
    """
    scale = isqrt(int(variance)) + 1
    top, bottom = variance.numerator, variance.denominator
    drawn = laplace_steps(Sizes(Number.of_rational(Fraction(1, scale))), bits)
    for _ in repeat(None):
        for found in islice(drawn, TRIES):
            away = abs(found) * scale * bottom - top
            if survives(away * away, 2 * top * bottom * scale * scale, bits):
                break
        else:
            raise broken()
        yield found
