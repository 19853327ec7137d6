"""The largest Renyi divergence over its order, about: where to look for a scale. It proves nothing.

D_a/a is looked at on a grid of orders, and between the best of them by golden sections.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from pfverify.decide.comparison import Comparison
from pfverify.decide.renyi.chords import AtOrder
from pfverify.decide.renyi.concentrated import ConcentratedComparison
from pfverify.exact.ball import Ball, Raw, current_precision, precision, raw

_LOW, _HIGH = -8, 12  # logarithms of the orders that are looked at, less 1
_FEW = 6  # the highest where the limit is known
_GOLDEN = 0.6180339887498949
_SECTIONS, _LARGE = 36, 12  # and of what is much work
_BITS = 96
_WORK = 1 << 8  # of one order


def largest_of_orders(compared: Comparison) -> Raw:
    """Return about the largest divergence over its order, at the current precision.

    A ball without ends where one is infinite. TypeError where no such divergences are compared.
    """
    if not isinstance(compared, ConcentratedComparison):
        raise TypeError(f"expected divergences of all orders, got {type(compared).__name__}")
    at, far = compared.at, compared.far
    if far.exact is not None:
        return raw(far.exact)
    limit = raw(far.limit)
    if not far.limit:
        return _of_orders(at, _HIGH)
    found = _of_orders(at, _FEW)
    return limit if found < limit else found


def _of_orders(at: AtOrder, most: int) -> Raw:
    """That of no larger orders than 1 + 2**most."""
    bits = current_precision()
    seen: dict[float, float] = {}

    def size(place: float) -> float:
        if place not in seen:
            with precision(_BITS):
                seen[place] = Ball(_over(at, place)).midpoint()
        return seen[place]

    places = [float(k) for k in range(_LOW, most + 1, 2)]
    if not isfinite(size(places[0])):
        return raw(1) / raw(0)
    best = 0
    for k, place in enumerate(places):
        value = size(place)
        if not isfinite(value):
            break
        if value > size(places[best]):
            best = k
        elif k > best + 2:
            break
    if best == 0:  # it is what they come to at 1
        return _over(at, -bits / 2 - 16)
    low, high = places[best - 1], places[min(best + 1, len(places) - 1)]
    if not isfinite(size(high)):
        high = places[best]
    for _ in range(_SECTIONS if at(Fraction(2)).size < _WORK else _LARGE):
        one, two = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if size(one) >= size(two):
            high = two
        else:
            low = one
    return _over(at, (low + high) / 2)


def _over(at: AtOrder, place: float) -> Raw:
    """D_a/a where the binary logarithm of a - 1 is this; a ball without ends if it is infinite."""
    whole = int(place // 1)
    order = 1 + Fraction(2 ** (place - whole)) * Fraction(2) ** whole
    moment = at(order.limit_denominator(1 << 48) if whole > -24 else order)
    if moment.infinite is not False:
        return raw(1) / raw(0)
    with precision(current_precision() + 2 * max(0, -whole)):
        return moment.divergence_ball() / raw(order)
