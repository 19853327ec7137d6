"""delta(epsilon) of one order with densities, by the shortest route that settles it."""

from __future__ import annotations

from pfverify.decide.charts.covered import divergence_of_mixtures
from pfverify.decide.charts.order import START_BITS, OneOrder, enclosed
from pfverify.decide.charts.two_normals import divergence_of_normals
from pfverify.decide.outcome import DEFAULT_DIGITS
from pfverify.exact.ball import precision, relative_bits
from pfverify.exact.enclosure import Enclosure

_ATTEMPTS = 3
_SPARE = 10  # bits by which a cover is tighter than the digits, to end within one unit of the last
_WORKING = 16  # bits that a cover may lose


def delta_enclosure(order: OneOrder, digits: int = DEFAULT_DIGITS) -> Enclosure:
    """Enclose sup over B of P(Y in B) - e**epsilon Q(Y in B) to `digits` significant digits.

    Where a coupling of components bounds the ratio it is 0. Two single normal laws go by the zeros
    that fact F5 allows, mixtures under Laplace noise by a cover, anything else by a sign chart.
    Example: ``delta_enclosure(question.order(False)).upper``.
    """
    if order.plan is not None:  # at the edge of the pure bound no chart tells 0 from more
        return Enclosure("0", "0")
    if not order.equal:
        for attempt in range(_ATTEMPTS):
            with precision(max(START_BITS, 48 + 4 * digits) << attempt):
                ball = divergence_of_normals(order)
                if ball is None:
                    break
                if ball.raw == 0:
                    return Enclosure("0", "0")
                found = enclosed(ball, digits)
            if found is not None:
                return found
        covered = _covered(order, digits)
        if covered is not None:
            return covered
    return order.events(digits).delta


def _covered(order: OneOrder, digits: int) -> Enclosure | None:
    """Return the enclosure by a cover, None where none is found that is tight enough."""
    bits = 4 * digits + _SPARE
    for attempt in range(_ATTEMPTS):
        with precision((bits + _WORKING) << attempt):
            ball = divergence_of_mixtures(order)
            if ball is None:
                return None
            if ball.raw == 0:
                return Enclosure("0", "0")
            if relative_bits(ball) >= bits:
                return enclosed(ball, digits)
    return None
