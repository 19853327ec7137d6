"""Laplace scales at which two normal laws are private with delta = 0 (design fact F8).

With m = |difference of means|, v = |difference of variances| and G ~ N(m, v), the wider law is
the narrower one plus an independent G. Wide over narrow holds exactly where the tails allow it,
m/b + v/(2 b**2) <= epsilon. Narrow over wide holds where E e**(-|G|/b) >= e**-epsilon. Both
conditions are monotone in the scale b.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.exact.ball import Raw, current_precision, floor_log10, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.exact.search import UndecidedError
from pfverify.laws.laplace import LaplaceLaw
from pfverify.model.priors.prior import Component
from pfverify.scales.closed_form import Value, distance_over
from pfverify.scales.normal_tail import LAST_BITS, proved_root

_STEPS = 200
_EXTRA = 32


def pure_values(m: Fraction, v: Fraction, epsilon: Number) -> tuple[Value, ...]:
    """Return the scale at which both conditions hold, (empty for m = v = 0); epsilon > 0.

    It is the root of the tails, in closed form, where the other condition holds there too, else
    the root of E e**(-|G|/b) = e**-epsilon. Necessary for b: the first root. Unit: that of m.

    Raises UndecidedError where the two roots cannot be told apart.
    Example: ``pure_values(Fraction(0), Fraction(3), epsilon)[0].ball()`` contains 1.2247..., at
    epsilon = 1 the root of the tails, sqrt(3/2).
    Source: design fact F8; audit row G07.
    """
    if v == 0:
        return (distance_over(m, epsilon),) if m else ()
    tail = Value(lambda: _tail_root(m, v, epsilon.ball().raw), _tail_form(m, v, epsilon))
    for bits in rising(64, LAST_BITS):
        with precision(bits):
            gap = shortfall(m, v, tail.ball(), epsilon)
        if gap > 0:
            return (tail,)
        if gap < 0:
            return (Value(lambda: _inner_root(m, v, epsilon)),)
    raise UndecidedError(f"both orders of a pair tie at {bits} bits")


def expected_decay(m: Fraction, v: Fraction, b: Raw) -> Raw:
    """Enclose E e**(-|G|/b) for G ~ N(m, v), m >= 0, v >= 0 and b > 0.

    It is 2b times the density at 0 of G with Laplace noise of scale b.
    Source: design facts F6 and F8.
    """
    left, right = LaplaceLaw([Component(Fraction(1), m, v)], 1 / b).sides(Fraction(0))
    return left + right


def shortfall(m: Fraction, v: Fraction, b: Raw, epsilon: Number) -> Raw:
    """Enclose epsilon + log E e**(-|G|/b): it increases in b, and >= 0 is the condition."""
    return epsilon.ball().raw + expected_decay(m, v, b).log()


def _tail_root(m: Fraction, v: Fraction, epsilon: Raw) -> Raw:
    return (raw(m) + (raw(m * m) + 2 * epsilon * raw(v)).sqrt()) / (2 * epsilon)


def _tail_form(m: Fraction, v: Fraction, epsilon: Number) -> Number | None:
    """Return the root of m/b + v/(2 b**2) = epsilon as an exact number, where it can be written."""
    rational = Number.of_rational
    try:
        if m == 0:
            return (rational(v / 2) / epsilon).sqrt()
        if (value := epsilon.fraction) is not None:
            inside = (m * m + 2 * value * v) / (4 * value * value)
            return rational(m / (2 * value)) + rational(inside).sqrt()
        root = (rational(m * m) + rational(2 * v) * epsilon).sqrt()
        return (rational(m) + root) / (rational(2) * epsilon)
    except InputError:
        return None


def _inner_root(m: Fraction, v: Fraction, epsilon: Number) -> Raw:
    """Enclose the root of E e**(-|G|/b) = e**-epsilon at the current precision."""
    bits = current_precision()
    small = -min(0, floor_log10(epsilon.ball().raw) or 0)
    # 1 - E e**(-|G|/b) is about as small as epsilon: so many bits cancel
    with precision(bits + _EXTRA + 4 * small):
        def value(b: Raw) -> Raw:
            return shortfall(m, v, b, epsilon)

        # E e**(-|G|/b) >= e**(-E|G|/b) puts the root below E|G|/epsilon
        size = (raw(m * m) + raw(v)).sqrt()
        low, high = _tail_root(m, v, epsilon.ball().raw), size / epsilon.ball().raw
        return proved_root(value, _proposed(value, low.mid(), high.mid(), bits))


def _proposed(increasing: Callable[[Raw], Raw], low: Raw, high: Raw, bits: int) -> Raw:
    """Return about the root in [low, high]: false position on midpoints, the kept end halved."""
    at_low, at_high = increasing(low).mid(), increasing(high).mid()
    for _ in range(_STEPS + bits):
        if not (at_low < 0 and at_high > 0):
            break
        middle = ((low * at_high - high * at_low) / (at_high - at_low)).mid()
        value = increasing(middle).mid()
        if value < 0:
            done = abs(middle - low) < middle * raw(2) ** -bits
            low, at_low, at_high = middle, value, at_high / 2
        else:
            done = abs(high - middle) < middle * raw(2) ** -bits
            high, at_high, at_low = middle, value, at_low / 2
        if done or value.is_zero():
            return middle
    return (low + high) / 2
