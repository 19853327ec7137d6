"""Sums of discrete Gaussian weights, against sums one by one at more digits."""

from fractions import Fraction

import mpmath
import pytest

from pfverify.exact.ball import Ball, Raw, fraction_of, precision
from pfverify.laws.bells import Bells

BITS = 128


def slow(variance: Fraction, low: int, high: int) -> mpmath.mpf:
    v = mpmath.mpf(variance.numerator) / variance.denominator
    return mpmath.fsum(mpmath.exp(-mpmath.mpf(k) ** 2 / (2 * v)) for k in range(low, high + 1))


def holds(found: Raw, true: mpmath.mpf) -> bool:
    """Whether a ball has a number, and is as narrow as its precision makes one think."""
    ends = Ball(found).ends()
    assert ends is not None
    low, high = (
        mpmath.mpf(end.numerator) / end.denominator for end in map(fraction_of, ends)
    )
    return bool(low <= true <= high and high - low <= true * mpmath.mpf(2) ** (16 - BITS))


@pytest.mark.parametrize("variance", ["1/50", "1/3", "1", "7/2", "400", "10000"])
def test_tails_and_runs_are_the_sums(variance: str) -> None:
    v = Fraction(variance)
    with precision(BITS), mpmath.workdps(80):
        bells = Bells(v)
        reach = bells.reach
        far = reach + 30 * int(v**0.5 + 1)
        assert holds(bells.whole, slow(v, -far, far))
        for start in (-3, 0, 1, 2, reach // 2, reach, reach + 1, 3 * reach):
            assert holds(bells.above(start), slow(v, start, max(start, 0) + far))
            assert holds(bells.between(start, start + 5), slow(v, start, start + 5))
            assert holds(bells.weight(start), slow(v, start, start))
        assert holds(bells.between(-4, 2), slow(v, -4, 2))
        assert holds(bells.between(-reach - 9, -reach), slow(v, -reach - 9, -reach))
        assert holds(bells.between(None, -2), slow(v, 2, far))
        assert bells.between(3, 2) == 0
