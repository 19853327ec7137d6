"""What a Laplace sampler in floating point really releases, law by law, exactly.

The sampler is the textbook one: Y = x + s * (scale * log(U)), s a fair sign, U uniform on the
2^bits multiples of 2^-bits in (0, 1]; the logarithm, the product and the sum are each rounded to
nearest, ties to even, to `bits` significant bits. Exponents have no end: nothing overflows, and
nothing here comes near underflow. At 53 bits that is float64 with a correctly rounded logarithm.

Source: Mironov, "On significance of the least significant bits for differential privacy", 2012.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from decimal import Context, Decimal
from fractions import Fraction
from itertools import count

_MOST_BITS = 16  # of a whole law: 2^17 draws


def law(x: Fraction, scale: Fraction, bits: int) -> dict[Fraction, Fraction]:
    """Return every value that is released for `x`, with its exact mass.

    Raises ValueError for more than 16 bits; `mass` takes any.
    Example: ``law(Fraction(0), Fraction(1), 1)`` is ``{0: 1/2, 1/2: 1/4, -1/2: 1/4}``: to one bit
    the logarithm of 1/2 is -1/2, as -0.69 is nearer to -1/2 than to -1.
    """
    if not 1 <= bits <= _MOST_BITS:
        raise ValueError(f"{bits} bits: a whole law takes from 1 to {_MOST_BITS}")
    masses: dict[Fraction, Fraction] = {}
    for k in range(1, 2**bits + 1):
        noise = _noise(k, scale, bits)
        for y in (rounded(x + noise, bits), rounded(x - noise, bits)):
            masses[y] = masses.get(y, Fraction(0)) + Fraction(1, 2 ** (bits + 1))
    return masses


def mass(y: Fraction, x: Fraction, scale: Fraction, bits: int) -> Fraction:
    """Return the exact mass of one value `y` for `x`; by bisection, as the noise rises with U.

    Example: ``mass(Fraction(0), Fraction(0), Fraction(1), 4)`` is ``1/16``: of the 16 values of U
    only 1 has the logarithm 0.
    """
    draws = 0
    for sign in (1, -1):
        draws += _draws_up_to(sign * y, sign * x, scale, bits, strictly=False)
        draws -= _draws_up_to(sign * y, sign * x, scale, bits, strictly=True)
    return Fraction(draws, 2 ** (bits + 1))


def rounded(number: Fraction, bits: int) -> Fraction:
    """Return the nearest number of `bits` significant bits, ties to even.

    Example: ``rounded(Fraction(5, 8), 2)`` is ``1/2``: 3/4 is as near, and its last bit is odd.
    """
    if not number:
        return number
    size = abs(number)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1  # now 2^exponent <= size < 2^(exponent + 1)
    unit = Fraction(2) ** (exponent - bits + 1)
    return round(number / unit) * unit  # Python rounds ties to even


def _draws_up_to(y: Fraction, x: Fraction, scale: Fraction, bits: int, *, strictly: bool) -> int:
    """Of how many U the rounded x + noise is at most `y`, or below it; it rises with U."""
    find = bisect_left if strictly else bisect_right
    return find(range(1, 2**bits + 1), y, key=lambda k: rounded(x + _noise(k, scale, bits), bits))


def _noise(k: int, scale: Fraction, bits: int) -> Fraction:
    """scale * log(k / 2^bits), rounded twice."""
    return rounded(scale * _log(Fraction(k, 2**bits), bits), bits)


def _log(u: Fraction, bits: int) -> Fraction:
    """The correctly rounded logarithm: it is irrational but for u = 1, so that this ends."""
    if u == 1:
        return Fraction(0)
    for digits in ((bits + 10) << k for k in count()):
        context = Context(prec=digits)
        near = Fraction(context.ln(Decimal(u.numerator)))
        near -= Fraction(context.ln(Decimal(u.denominator)))
        # both are right to half a unit in their last digit, and at most `bits`
        error = Fraction(bits + 1) / 10 ** (digits - 2)
        low, high = rounded(near - error, bits), rounded(near + error, bits)
        if low == high:
            return low
    raise AssertionError("not reached: an irrational number is no tie")
