"""delta(epsilon) of one order with densities, by the shortest route that settles it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from pfverify.decide.charts.covered import divergence_of_mixtures
from pfverify.decide.charts.order import START_BITS, TINY, OneOrder
from pfverify.decide.charts.two_normals import divergence_of_normals
from pfverify.exact.ball import Ball, precision, relative_bits
from pfverify.exact.refined import ZERO, ByBalls, Refined

_ATTEMPTS = 3
_SPARE = 10  # bits by which a cover is tighter than those asked for, to end within one decimal
_WORKING = 16  # bits that a cover may lose


def divergence_of(order: OneOrder) -> Refined:
    """Return sup over B of P(Y in B) - e**epsilon Q(Y in B).

    Where a coupling of components bounds the ratio it is 0. Two single normal laws go by the zeros
    that fact F5 allows, mixtures under Laplace noise by a cover, anything else by a sign chart.
    Example: ``divergence_of(order)``.
    """
    if order.equal or order.plan is not None:  # at its edge no chart tells 0 from more
        return ZERO
    return ByBalls(partial(_balls, order), Fraction(1), least=TINY)


def _balls(order: OneOrder, bits: int) -> Iterator[Ball]:
    for attempt in range(_ATTEMPTS):
        with precision(max(START_BITS, 48 + bits) << attempt):
            ball = divergence_of_normals(order)
        if ball is None:
            break
        yield ball
    yield from _covered(order, bits + _SPARE)
    yield from order.charted(bits)


def _covered(order: OneOrder, bits: int) -> Iterator[Ball]:
    """Yield the enclosure by a cover, where one is found that is tight enough."""
    for attempt in range(_ATTEMPTS):
        with precision((bits + _WORKING) << attempt):
            ball = divergence_of_mixtures(order)
        if ball is None:
            return
        if ball.raw == 0 or relative_bits(ball) >= bits:
            yield ball
            return
