"""The largest log ratio (epsilon*) and the largest excess of densities, enclosed.

A lower end is the value at one output, or the limit of a tail; the upper end is a threshold just
above it at which the sign chart proves that nothing is larger. Where the chart shows an output
with more, the search goes on from there (Dinkelbach's iteration), so few charts are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from math import inf

from pfverify.decide.breach import Place
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.order import OneOrder, Stretch
from pfverify.decide.charts.signed import coarsened, size_bits
from pfverify.decide.comparison import Supremum
from pfverify.errors import UndecidedError
from pfverify.exact.ball import Raw, current_precision, dyadic, fraction_of, precision
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import INFINITE, ZERO, End, OnGrid, untested
from pfverify.model.notion import POINTWISE
from pfverify.model.steps.step import SUPPRESSED
from pfverify.model.target import Target

_PLACES = Grid(12)  # on which the supremum is searched for where its place is asked for
_ROUNDS = 60
_GOLDEN, _GRAIN = 40, 12  # steps, and bits to which their places are rounded
_BOUND_BITS = 512
_FAR_BITS = 20_000  # of the exponent of 2
_ZERO = Number.of_rational(0)
_LADDER = (-5000, -1000, -300, -100, -30, -12, -6, -3, -1, 0, 1, 2, 3, 6, 12, 30)
_SHARES = tuple(Fraction(k, 8) for k in range(1, 8))  # of a stretch, where to look behind steps
_FAR = tuple(Fraction(4) ** k for k in range(-3, 4))  # in units, where it has no end
_SIDES = {"inf": 1, "-inf": -1}


ValueAt = Callable[[Measured, Fraction], Raw]
Sizes = Iterable[tuple[Raw, Place]]
"""Values that are searched for their supremum, each with its place."""
Found = tuple[tuple[End, End], Place]
"""Two ends of a supremum, and the output with the lower one."""


def largest_loss(order: OneOrder) -> Supremum:
    """Return sup of log P/Q over outputs, and of log p(y)/q(y) over numbers that are kept.

    Infinite where Gaussian noise, or none, leaves the ratio unbounded.
    """
    if order.equal or order.outputs.single:
        return Supremum(ZERO, lambda: "inf")
    if (place := _infinite(order)) is not None:
        return Supremum(INFINITE, lambda: place)

    def target(threshold: Fraction) -> Target:
        return Target(Number.of_rational(threshold), _ZERO)

    def value(measured: Measured, y: Fraction) -> Raw:
        return measured.log_ratio(y) + measured.signed.target.epsilon.ball().raw

    def tails(measured: Measured) -> Sizes:
        epsilon = measured.signed.target.epsilon.ball().raw
        limits = measured.limits() if order.p and order.q else []
        for size, place in limits:
            if isinstance(place, Fraction) or not order.outputs.ends(_SIDES[place]):
                yield size + epsilon, place

    def is_exactly(value: Fraction) -> bool:
        # where the supremum is the limit of a tail, a tie there is decided
        again = order.against(target(value))
        return again.pure_sign(again.target).sign == 0

    return _supremum(partial(_search, order, target, value, tails), is_exactly)


def _infinite(order: OneOrder) -> Place | None:
    """Return an output, or a tail, at which the ratio has no bound, if there is one."""
    if not order.p:
        return None
    if not order.q:
        number = order.outputs.unhidden
        return None if number is None else order.outputs.name(number)
    if order.alone:
        return order.alone[0].mean
    sides = [side for side in (1, -1) if not order.outputs.ends(side)]
    return order.release.unbounded(order.p, order.q, sides)


def largest_excess(order: OneOrder) -> Supremum:
    """Return sup over y of p(y) - e**epsilon q(y) (densities), 0 where it is not positive."""
    epsilon = order.target.epsilon
    if order.equal or order.pure_sign(Target(epsilon, _ZERO)).sign in (-1, 0):
        return Supremum(ZERO, lambda: "inf")

    def target(threshold: Fraction) -> Target:
        return Target(epsilon, Number.of_rational(threshold), POINTWISE)

    def value(measured: Measured, y: Fraction) -> Raw:
        p, q = measured.values(y)
        return p - q + measured.signed.target.delta.ball().raw

    return _supremum(partial(_search, order, target, value, lambda measured: []), untested)


def _supremum(
    search: Callable[[Grid], Found], is_exactly: Callable[[Fraction], bool]
) -> Supremum:
    once = cache(search)
    found = OnGrid(lambda grid: once(grid)[0], is_exactly=is_exactly)
    return Supremum(found, lambda: once(_PLACES)[1])


def _search(
    order: OneOrder,
    target: Callable[[Fraction], Target],
    value: ValueAt,
    tails: Callable[[Measured], Sizes],
    grid: Grid,
) -> Found:
    """Return a value below the supremum, a candidate above it, and where the value is.

    Raises UndecidedError where no candidate is proved behind steps.
    """
    # what is largest of densities is found far out too, where it is tiny and not seen to exceed 0
    best = None if order.plain else Fraction(0)
    where: Place = "inf"
    threshold = Fraction(0)
    bits = max(128, 64 + 2 * grid.bits) + order.extra_bits
    last = order.last_bits(bits)
    if order.plain:
        with precision(bits):
            measured = order.measured(target(threshold))
            seeds = [part.mean for part in (*order.p, *order.q)]
            best, where = _improved(tails(measured), best, where)
            best, where = _improved(((value(measured, y), y) for y in seeds), best, where)
    for _ in range(_ROUNDS):
        if best is not None and best > 0:
            step = grid.step(best)
            threshold = ((best / step).__ceil__() + 1) * step
        with precision(bits):
            measured = order.measured(target(threshold))
            chart = measured.chart(2.0 ** (-0.4 * bits))
            stretches = order.stretches(measured, chart)
            if order.nothing_exceeds(measured, stretches):
                return (_positive(best), threshold), where
            if order.plain:
                places = chart.worth_looking()
                found, at = _improved(((value(measured, y), y) for y in places), best, where)
                if found is not None and found != best:
                    found, at = _polished(measured, value, places, found, at)
            else:
                sizes = _behind_steps(order, measured, stretches, value)
                found, at = _improved((*sizes, *tails(measured)), best, where)
        if found != best:
            best, where = found, at
        elif not (threshold or order.plain):  # steps may leave it at 0
            threshold = Fraction(1, 10**grid.digits)
        else:
            bits *= 2
            if bits > last:
                break
    if not order.plain:
        raise UndecidedError(
            "the largest ratio could not be bounded at the highest precision tried"
        )
    lower = _positive(best)
    return (lower, _some_bound(order, target, lower)), where


def _positive(best: Fraction | None) -> Fraction:
    return Fraction(0) if best is None else max(best, Fraction(0))


def _behind_steps(
    order: OneOrder, measured: Measured, stretches: list[Stretch], value: ValueAt
) -> Iterator[tuple[Raw, Place]]:
    """Yield log P/Q of single outputs, and of what numbers become along positive stretches."""
    for one in stretches:
        if one.output is not None:
            p, q = one.masses
            yield (p / q).log(), one.output
        elif one.sign == 1:
            for y in _inside(one, order.unit):
                yield _size(order, measured, y, value), order.outputs.name(y)


def _inside(one: Stretch, unit: Fraction) -> Iterator[Fraction]:
    for part in one.parts:
        low, high = part.low, part.high
        if low is not None and high is not None:
            yield from (low, *(low + (high - low) * share for share in _SHARES), high)
        elif low is not None:
            yield from (low, *(low + unit * far for far in _FAR))
        elif high is not None:
            yield from (high, *(high - unit * far for far in _FAR))


def _size(order: OneOrder, measured: Measured, y: Fraction, value: ValueAt) -> Raw:
    """Return log P/Q of the output behind a number, or the value of its density."""
    found = order.outputs.behind(y)
    if found is None:
        return value(measured, y)
    p, q = order.masses(measured, found[:2], hidden=found.output == SUPPRESSED)
    return (p / q).log()


def _some_bound(
    order: OneOrder, target: Callable[[Fraction], Target], lower: Fraction
) -> End:
    """Return a power of ten (wide, but right) that is proved to be an upper end, else infinity."""
    with precision(_BOUND_BITS + order.extra_bits):
        for exponent in _LADDER:
            threshold = Fraction(10) ** exponent
            if threshold < lower:
                continue
            measured = order.measured(target(threshold))
            stretches = order.stretches(measured, measured.chart(2.0**-200))
            if order.nothing_exceeds(measured, stretches):
                return threshold
    return inf


def _improved(
    sizes: Sizes, best: Fraction | None, where: Place
) -> tuple[Fraction | None, Place]:
    """Return the largest lower end of values at places, and its place, if it is above the best."""
    for value, place in sizes:
        low = _lower(value)
        if low is not None and (best is None or low > best):
            best, where = low, place
    return best, where


def _polished(
    measured: Measured,
    value: ValueAt,
    places: list[Fraction],
    best: Fraction,
    where: Place,
) -> tuple[Fraction | None, Place]:
    """Climb by golden sections between the neighbours of the best place."""
    if isinstance(where, str):
        return best, where
    ordered = sorted(set(places))
    lower = [y for y in ordered if y < where]
    upper = [y for y in ordered if y > where]
    a = lower[-1] if lower else where - 1
    b = upper[0] if upper else where + 1
    share = Fraction(382, 1000)
    for _ in range(_GOLDEN):
        bits = size_bits(b - a) - _GRAIN
        c, d = (coarsened(a + (b - a) * s, bits) for s in (share, 1 - share))
        with precision(max(96, current_precision() // 2)):
            first, second = value(measured, c).mid(), value(measured, d).mid()
        if first > second:
            b = d
        else:
            a = c
    middle = (a + b) / 2
    return _improved([(value(measured, middle), middle)], best, where)


def _lower(value: Raw) -> Fraction | None:
    if not value.is_finite():
        return None
    low = dyadic(value.lower())
    if abs(low[1]) > _FAR_BITS:  # of no use as a threshold, and a monster as a fraction
        return None
    return fraction_of(low)
