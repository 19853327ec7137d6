"""epsilon* of what steps publish: the largest ratio over all outputs, and of kept density."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from pfverify.decide.breach import Place
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.supremum import improved
from pfverify.decide.comparison import Supremum
from pfverify.decide.smooth_steps.order import StepsOrder, Weighed
from pfverify.errors import UndecidedError
from pfverify.exact.ball import Raw, precision
from pfverify.exact.grid import Grid
from pfverify.exact.refined import INFINITE, ZERO, OnGrid
from pfverify.model.steps.step import SUPPRESSED
from pfverify.model.target import Target

_PLACES = Grid(12)  # on which it is searched for where its place is asked for
_ROUNDS = 60
_SHARES = tuple(Fraction(k, 8) for k in range(1, 8))  # of a stretch, where to look
_FAR = tuple(Fraction(4) ** k for k in range(-3, 4))  # in units, where it has no end

Found = tuple[tuple[Fraction, Fraction], Place]
"""Two ends of a supremum, and the output with the lower one."""


def largest_loss(order: StepsOrder) -> Supremum:
    """Return sup over outputs of log P/Q, and over kept numbers of that of the densities.

    Infinite where normal laws leave it unbounded along infinitely many outputs.
    """
    if order.equal or order.outputs.single:
        return Supremum(ZERO, lambda: "inf")
    if (place := _infinite(order)) is not None:
        return Supremum(INFINITE, lambda: place)

    @cache
    def search(grid: Grid) -> Found:
        return _search(order, grid)

    def is_exactly(value: Fraction) -> bool:
        # where the supremum is the limit of a tail, a tie there is decided
        one = order.against(_ratio(order, value))
        return one.pure_sign(one.target).sign == 0

    found = OnGrid(lambda grid: search(grid)[0], is_exactly=is_exactly)
    return Supremum(found, lambda: search(_PLACES)[1])


def _ratio(order: StepsOrder, epsilon: Fraction) -> Target:
    return order.target.of_ratio().of_events().at_epsilon(epsilon)


def _infinite(order: StepsOrder) -> Place | None:
    """An output, or a tail, at which the ratio has no bound."""
    if not order.p:
        return None
    if not order.q:
        number = order.outputs.unhidden
        return None if number is None else order.outputs.name(number)
    sides = [side for side in (1, -1) if not order.outputs.ends(side)]
    return order.release.unbounded(order.p, order.q, sides)


def _search(order: StepsOrder, grid: Grid) -> Found:
    """Return the log ratio of an output, and a candidate above it that no output exceeds.

    What exceeds one candidate gives the next. Raises UndecidedError where none is proved.
    """
    bits = max(128, 64 + 2 * grid.bits) + order.extra_bits
    last, best = order.last_bits(bits), Fraction(0)
    where: Place = "inf"
    threshold = Fraction(0)
    for _ in range(_ROUNDS):
        if best:
            step = grid.step(best)
            threshold = ((best / step).__ceil__() + 1) * step
        with precision(bits):
            measured = order.measured(_ratio(order, threshold))
            chart = measured.chart(2.0 ** (-0.4 * bits))
            items = list(order.weighed(measured, chart))
            if all(one.sign in (-1, 0) for one in items):
                return (best, threshold), where
            found, at = improved(_sizes(order, measured, items), best, where)
        if found is not None and found > best:
            best, where = found, at
        elif not threshold:  # it may be 0
            threshold = Fraction(1, 10**grid.digits)
        else:
            bits *= 2
            if bits > last:
                break
    raise UndecidedError("the largest ratio could not be bounded at the highest precision tried")


def _sizes(
    order: StepsOrder, measured: Measured, items: list[Weighed]
) -> Iterator[tuple[Raw, Place]]:
    """Yield log P/Q of single outputs, inside stretches, and far out, each with its place."""
    epsilon = measured.signed.target.epsilon.ball().raw
    for one in items:
        if one.segment.output is not None:
            yield (one.p / one.q).log(), one.segment.output
        elif one.sign == 1:
            for y in _inside(one, order.unit):
                yield _size(order, measured, y), order.outputs.name(y)
    if order.p and order.q:
        names = {"inf": 1, "-inf": -1}
        for size, place in measured.limits():
            if not order.outputs.ends(names[str(place)]):
                yield size + epsilon, place


def _inside(one: Weighed, unit: Fraction) -> list[Fraction]:
    low, high = one.segment.low, one.segment.high
    if low is not None and high is not None:
        return [low, *(low + (high - low) * share for share in _SHARES), high]
    if low is not None:
        return [low, *(low + unit * far for far in _FAR)]
    return [] if high is None else [high, *(high - unit * far for far in _FAR)]


def _size(order: StepsOrder, measured: Measured, y: Fraction) -> Raw:
    """log P/Q of the output behind a number, or of its density."""
    found = order.outputs.behind(y)
    if found is None:
        return measured.log_ratio(y) + measured.signed.target.epsilon.ball().raw
    p, q = order.masses(measured, found[:2], hidden=found.output == SUPPRESSED)
    return (p / q).log()
