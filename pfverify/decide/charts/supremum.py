"""The largest log ratio (epsilon*) and the largest excess of densities, enclosed.

A lower end is the value at one output, or the limit of a tail; the upper end is a threshold just
above it at which the sign chart proves that nothing is larger. Where the chart shows an output
with more, the search goes on from there (Dinkelbach's iteration), so few charts are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from math import inf

from pfverify.decide.breach import Place
from pfverify.decide.charts.bare import infinite_place
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.order import OneOrder, chart_places
from pfverify.decide.comparison import Supremum
from pfverify.exact.ball import Raw, current_precision, dyadic, fraction_of, precision
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import INFINITE, ZERO, End, OnGrid
from pfverify.model.notion import POINTWISE
from pfverify.model.target import Target

_PLACES = Grid(12)  # on which the supremum is searched for where its place is asked for
_ROUNDS = 60
_GOLDEN = 40
_BOUND_BITS = 512
_FAR = 20_000  # of the exponent of 2
_ZERO = Number.of_rational(0)
_LADDER = (-5000, -1000, -300, -100, -30, -12, -6, -3, -1, 0, 1, 2, 3, 6, 12, 30)


ValueAt = Callable[[Measured, Fraction], Raw]
Found = tuple[tuple[End, End], Place]
"""Two ends of a supremum, and the output with the lower one."""


def largest_loss(order: OneOrder) -> Supremum:
    """Return sup over y of log p(y)/q(y).

    Infinite where Gaussian noise, or none, leaves the ratio unbounded.
    """
    if order.equal:
        return Supremum(ZERO, lambda: "inf")
    if (place := infinite_place(order)) is not None:
        return Supremum(INFINITE, lambda: place)
    if (tail := order.release.unbounded(order.p, order.q)) is not None:
        return Supremum(INFINITE, lambda: tail)

    def target(threshold: Fraction) -> Target:
        return Target(Number.of_rational(threshold), _ZERO)

    def value(measured: Measured, y: Fraction) -> Raw:
        return measured.log_ratio(y) + measured.signed.target.epsilon.ball().raw

    @cache
    def search(grid: Grid) -> Found:
        return _search(order, grid, target, value, lambda measured: measured.limits())

    def is_exactly(value: Fraction) -> bool:
        # where the supremum is the limit of a tail, a tie there is decided
        again = order.against(target(value))
        return again.pure_sign(again.target).sign == 0

    found = OnGrid(lambda grid: search(grid)[0], is_exactly=is_exactly)
    return Supremum(found, lambda: search(_PLACES)[1])


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

    @cache
    def search(grid: Grid) -> Found:
        return _search(order, grid, target, value, lambda measured: [])

    return Supremum(OnGrid(lambda grid: search(grid)[0]), lambda: search(_PLACES)[1])


def _search(
    order: OneOrder,
    grid: Grid,
    target: Callable[[Fraction], Target],
    value: ValueAt,
    tails: Callable[[Measured], list[tuple[Raw, Place]]],
) -> Found:
    """Return a value below the supremum, a candidate above it, and where the value is."""
    best: Fraction | None = None
    where: Place = "inf"
    seeds = [part.mean for part in (*order.p, *order.q)]
    bits = max(128, 64 + 2 * grid.bits) + order.extra_bits
    last = order.last_bits(bits)
    threshold = Fraction(0)
    with precision(bits):
        measured = order.measured(target(Fraction(0)))
        best, where = improved(tails(measured), best, where)
        best, where = improved(((value(measured, y), y) for y in seeds), best, where)
    for _ in range(_ROUNDS):
        if best is not None and best > 0:
            step = grid.step(best)
            threshold = ((best / step).__ceil__() + 1) * step
            if threshold - best > 2 * step:
                threshold -= step
        with precision(bits):
            measured = order.measured(target(threshold))
            chart = measured.chart(2.0 ** (-0.4 * bits))
            proved = chart.never_positive and measured.atoms_proved()
            if proved and threshold > 0 and best is not None:
                return (best, threshold), where
            places = chart_places(chart)
            found, at = improved(((value(measured, y), y) for y in places), best, where)
            if found is not None and (best is None or found > best):
                best, where = _polished(measured, value, places, found, at)
                continue
        bits *= 2
        if bits > last:
            break
    lower = Fraction(0) if best is None or best <= 0 else best
    return (lower, _some_bound(order, target, best)), where


def _some_bound(
    order: OneOrder, target: Callable[[Fraction], Target], best: Fraction | None
) -> End:
    """Return a power of ten (wide, but right) that is proved to be an upper end, else infinity."""
    with precision(_BOUND_BITS + order.extra_bits):
        for exponent in _LADDER:
            threshold = Fraction(10) ** exponent
            if best is not None and threshold < best:
                continue
            measured = order.measured(target(threshold))
            if measured.chart(2.0**-200).never_positive and measured.atoms_proved():
                return threshold
    return inf


def improved(
    values: Iterable[tuple[Raw, Place]], best: Fraction | None, where: Place
) -> tuple[Fraction | None, Place]:
    """Return the largest lower end of values at places, and its place, if it is above the best."""
    for value, place in values:
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
) -> tuple[Fraction, Place]:
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
        unit = (b - a) / 2**12
        c, d = (_short(a + (b - a) * s, unit) for s in (share, 1 - share))
        with precision(max(96, current_precision() // 2)):
            first, second = value(measured, c).mid(), value(measured, d).mid()
        if first > second:
            b = d
        else:
            a = c
    middle = (a + b) / 2
    low = _lower(value(measured, middle))
    return (low, middle) if low is not None and low > best else (best, where)


def _short(x: Fraction, unit: Fraction) -> Fraction:
    grain = Fraction(2) ** (unit.numerator.bit_length() - unit.denominator.bit_length())
    return (x / grain).__round__() * grain


def _lower(value: Raw) -> Fraction | None:
    if not value.is_finite():
        return None
    low = dyadic(value.lower())
    if abs(low[1]) > _FAR:  # of no use as a threshold, and a monster as a fraction
        return None
    return fraction_of(low)
