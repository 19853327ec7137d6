"""Measures of the loss log P/Q on a grid, whose convolutions are those of independent outputs.

Masses are integers over a unit, at multiples j h of the grid and at infinity.  Of masses a_j

    h(E) = a_inf + sum over j of a_j [1 - E e^(-j h)]_+

is the hockey-stick divergence sup over B of P(B) - E Q(B) of a pair whose loss has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import NamedTuple

from core.convolution import convolved
from core.enclose import Arithmetic, Interval, shift_ceil, shift_floor
from core.grammar import Number
from core.rules import Rejected
from core.value import form_of
from core.work import product, spend
from core.zero import constant, enclose_form, exp_form, plus


class Grid(NamedTuple):
    """Where losses are, and the unit of their masses."""

    h: Fraction
    unit: int
    low: int  # the window: j of the first and of the last
    high: int
    ar: Arithmetic

    def above(self, x: Interval) -> int:
        """At least so many units, of what is at most 1."""
        return min(self.unit, shift_ceil(x[1] * self.unit, min(x[2], 0)))

    def below(self, x: Interval) -> int:
        """At most so many units, and at least none."""
        return max(0, shift_floor(x[0] * self.unit, x[2]))

    def interval(self, units: int) -> Interval:
        """So many units."""
        return self.ar.div((units, units, 0), (self.unit, self.unit, 0))

    def charge(self, count: int) -> None:
        """Some work on so many masses."""
        spend(count * (2 + product(self.ar.bits)))


BEYOND = 64  # binary digits of a level that is far outside of every window
A_PLACE = 16  # units, of which a check has few enough for its memory


class Losses(NamedTuple):
    """Masses at low, low + 1, .., and at infinity."""

    low: int
    masses: list[int]
    beyond: int = 0


# ---------------------------------------------------------------- products


class Side(NamedTuple):
    """How masses are rounded, and what becomes of those that leave the window."""

    divided: Callable[[int, int], int]
    kept: Callable[[Grid, Losses], Losses]


def _ceiling(x: int, unit: int) -> int:
    return -(-x // unit)


def _floor(x: int, unit: int) -> int:
    return x // unit


def _cut(grid: Grid, found: Losses) -> tuple[list[int], int, list[int], list[int]]:
    """Those under the window, the place of the first inside it, those there, and those over it."""
    masses, size = found.masses, len(found.masses)
    start = min(max(grid.low - found.low, 0), size)
    end = min(max(grid.high + 1 - found.low, start), size)
    low = min(max(found.low, grid.low), grid.high)
    return masses[:start], low, masses[start:end] or [0], masses[end:]


def _moved_up(grid: Grid, found: Losses) -> Losses:
    """Less than the window's lowest becomes that, more than its highest infinite: no divergence
    falls."""
    under, low, inside, over = _cut(grid, found)
    inside[0] += sum(under)
    return Losses(low, inside, found.beyond + sum(over))


def _told(grid: Grid, found: Losses) -> Losses:
    """Labels under the window are in no event, and those over it all its highest."""
    _, low, inside, over = _cut(grid, found)
    inside[-1] += sum(over)
    return Losses(low, inside)


ABOVE = Side(_ceiling, _moved_up)
P_BELOW, Q_ABOVE = Side(_floor, _told), Side(_ceiling, _told)


def times(a: Losses, b: Losses, grid: Grid, side: Side) -> Losses:
    """The product of two measures, rounded."""
    masses = convolved(a.masses, b.masses)
    grid.charge(len(masses))
    infinite = a.beyond * (sum(b.masses) + b.beyond) + b.beyond * sum(a.masses)
    low, masses, beyond = side.kept(grid, Losses(a.low + b.low, masses, infinite))
    masses = [side.divided(x, grid.unit) for x in masses]
    found = Losses(low, masses, side.divided(beyond, grid.unit))
    _require_few(found, grid)
    return found


def _require_few(found: Losses, grid: Grid) -> None:
    """Those of probabilities sum to little more than 1: numbers stay short."""
    if sum(found.masses) + found.beyond > 2 * grid.unit:
        raise Rejected("masses that sum to more than 2, for too few digits")


def power(one: Losses, count: int, grid: Grid, side: Side) -> Losses:
    """The product of so many: squared for each binary digit but the first, and, where that is 1,
    multiplied once more."""
    found = one
    for digit in f"{count:b}"[1:]:
        found = times(found, found, grid, side)
        if digit == "1":
            found = times(found, one, grid, side)
    return found


# ---------------------------------------------------------------- from above


def over(levels: Sequence[int], bounds: Sequence[int], grid: Grid) -> Losses:
    """Masses with h >= bound at e^(j h) of every level j, and h(0) >= 1.

    From the top down: at a level h is a_inf + S - T, S the masses above it and T those that are
    times e^-(their distance), and the next mass a adds a (1 - e^-gap) to that."""
    bits, beyond = grid.ar.bits, bounds[-1]
    grid.charge(4 * len(levels))
    falls = {  # e^-gap, from above
        gap: shift_ceil(*_upper(exp_form(constant(-gap * grid.h), grid.ar), bits))
        for gap in {b - a for a, b in pairwise(levels)}
    }
    found, total, far = dict[int, int](), 0, 0
    for (level, above), bound in zip([*pairwise(levels)][::-1], bounds[-2::-1], strict=True):
        fall = falls[above - level]
        if fall >> bits:
            raise Rejected("levels that are too close for so few digits")
        lacks = (bound - beyond - total << bits) + _shifted(far * fall, bits)
        mass = max(0, -(-lacks // ((1 << bits) - fall)))
        found[above], total = mass, total + mass
        far = _shifted((far + (mass << bits)) * fall, bits)
    found[levels[0]] = max(0, grid.unit - beyond - total)
    masses = _dense(found, beyond, grid)
    _require_few(masses, grid)
    return masses


def _upper(x: Interval, bits: int) -> tuple[int, int]:
    return x[1], x[2] + bits


def _shifted(x: int, bits: int) -> int:
    """x / 2^bits, from above."""
    return -(-x >> bits)


def _dense(found: dict[int, int], beyond: int, grid: Grid) -> Losses:
    """All of them, in the window."""
    low, high = (min(max(end, grid.low), grid.high) for end in (min(found), max(found)))
    spend(A_PLACE * (high + 1 - low))
    masses = [0] * (high + 1 - low)
    for level, mass in found.items():
        if level > grid.high:
            beyond += mass
        else:
            masses[max(level, grid.low) - low] += mass
    return Losses(low, masses, beyond)


def divergence_above(found: Losses, epsilon: Number, grid: Grid) -> int:
    """At least h(e^epsilon), in units."""
    (low, masses, total), ar, form = found, grid.ar, form_of(epsilon)
    grid.charge(len(masses))
    a, b, e = ar.div(enclose_form(form, ar), ar.of(grid.h))
    # of the first level that may be above epsilon, and of the first that is
    first, start = (max(shift_floor(end, min(e, BEYOND)) + 1 - low, 0) for end in (a, b))
    if first >= len(masses):
        return total
    if start - first > 1:
        raise Rejected("an epsilon that is not enclosed with so few digits")

    def least(place: int) -> int:
        """At most e^(epsilon - j h), in units of 2^-bits."""
        x = exp_form(plus(form, constant(-(low + place) * grid.h)), ar)
        return shift_floor(x[0], x[2] + ar.bits)

    for place in range(first, min(start, len(masses))):
        total += _shifted(masses[place] * max(0, (1 << ar.bits) - least(place)), ar.bits)
    x, far = exp_form(constant(-grid.h), ar), 0
    fall = shift_floor(x[0], x[2] + ar.bits)
    for mass in reversed(masses[start:]):
        far = (far * fall >> ar.bits) + (mass << ar.bits)
    return total + sum(masses[start:]) - (least(start) * far >> 2 * ar.bits)


# ---------------------------------------------------------------- from below


def labelled(
    p: Sequence[Interval], q: Sequence[Interval], grid: Grid, without: int | None
) -> list[int | None]:
    """A label of each cell, about the loss log p/q in it, and of those without p; None: it is in no
    event.  Any would do, so that floats may say which."""
    found = list[int | None]()
    for a, b in zip(map(grid.below, p), map(grid.above, q), strict=True):
        spend(64)
        loss = Fraction(log(a) - log(b)) / grid.h if a and b else grid.high
        found.append(min(max(round(loss), grid.low), grid.high) if a else without)
    return found


def by_label(labels: Sequence[int | None], masses: Sequence[int]) -> Losses:
    """The masses of all labels."""
    found = dict[int, int]()
    for label, mass in zip(labels, masses, strict=True):
        if label is not None:
            found[label] = found.get(label, 0) + mass
    if not found:
        raise Rejected("no cell is in an event")
    low = min(found)
    size = max(found) + 1 - low
    spend(A_PLACE * size)
    return Losses(low, [found.get(low + k, 0) for k in range(size)])


def mixed(terms: Iterable[tuple[Fraction, Losses]], grid: Grid, side: Side) -> Losses:
    """The sum of measures with such weights, rounded."""
    bits, low, total = grid.ar.bits, grid.low, list[int]()
    for weight, one in terms:
        if not total:
            low, total = one.low, [0] * len(one.masses)
        if (one.low, len(one.masses)) != (low, len(total)):
            raise Rejected("measures of different labels")
        grid.charge(len(total))
        factor = side.divided(weight.numerator << bits, weight.denominator)
        total = [x + factor * mass for x, mass in zip(total, one.masses, strict=True)]
    if not total:
        raise Rejected("there is no measure to average")
    return Losses(low, [side.divided(x, 1 << bits) for x in total])


def divergence_below(p: Losses, q: Losses, epsilon: Number, grid: Grid) -> Fraction:
    """At most what the best set of labels has: the sum of [p - e^epsilon q]_+."""
    bits = grid.ar.bits
    grid.charge(len(p.masses))
    x = exp_form(form_of(epsilon), grid.ar)
    # what is above every mass of P may be less: masses are integers
    factor = shift_ceil(x[1], min(x[2], max(p.masses).bit_length()) + bits)
    total = sum(
        max(0, (a << bits) - factor * (q.masses[k] if 0 <= k < len(q.masses) else 0))
        for k, a in enumerate(p.masses, p.low - q.low)
    )
    return Fraction(total >> bits, grid.unit)
