"""R of a few outputs of one X with (discrete) Laplace noise, from both sides: on a grid of them.

The values of each output are the coordinates of the points and places between them.  In a cell p
and q are combinations of what they are at its corners, with one set of weights >= 0, which
integrate to those of `grid_sums` (F42b).  R of what is joined is at most the sum of R (F90): so

    sum over cells of P(cell)^a Q(cell)^(1-a) <= R <= sum over the grid of W(c) p(c)^a q(c)^(1-a)

with the weights W(c) of all cells around c.  As in `renyi`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import floor, prod
from typing import NamedTuple

from core.coordinates import Rows
from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.renyi import term
from core.renyi_outputs import Laplace
from core.work import allow_sums, spend
from core.zero import exp_form, times

MOST = 1 << 11  # cells
MOST_AXES = 3
FINEST = 64  # parts of a gap
Piece = tuple[int, int, Interval]  # the places of both ends, which may be one, and the weight


class Axis(NamedTuple):
    """One output: of which coordinate it tells, its noise, and its values."""

    output: Laplace
    values: list[Fraction]


def axes_of(first: Rows, second: Rows, outputs: Sequence[Laplace]) -> list[Axis] | None:
    """One for each output, as finely cut as there may be cells; None: they are too many."""
    each = [of for of in outputs for _ in range(min(of.many, MOST_AXES + 1))]
    if len(each) > MOST_AXES:
        return None
    found = None
    for parts in range(1, FINEST + 1):
        cut = [Axis(of, _cut(first, second, of, parts)) for of in each]
        sides = (len(axis.values) * (1 if axis.output.step is None else 2) + 1 for axis in cut)
        if prod(sides) > MOST:
            return found
        found = cut
    return found


def _cut(first: Rows, second: Rows, of: Laplace, parts: int) -> list[Fraction]:
    """The values of a coordinate, and so many parts of each gap between them."""
    places = sorted({x[of.place] for x, _ in (*first, *second)})
    spend(64 * (len(places) + 1) * parts)
    found = {*places}
    for low, high in pairwise(places):
        for k in range(1, parts):
            at = (high - low) * k / parts
            found.add(low + (at if of.step is None else floor(at / of.step) * of.step))
    return sorted(found)


def _pieces(axis: Axis, ar: Arithmetic) -> list[Piece]:
    """What the line, or lattice, of an output is made of."""
    (_, _, rate, step, _), values = axis
    if len(values) == 1:
        return [(0, 0, ONE)]
    t = ONE if step is None else exp_form(times(rate, -step), ar)
    whole, last = ar.add(ONE, t), len(values) - 1
    found: list[Piece] = [(k, k, ar.div(t, whole)) for k in (0, last)]
    if step is not None:
        found += [(k, k, ar.div(ar.sub(ONE, t), whole)) for k in range(last + 1)]
    for k, (low, high) in enumerate(pairwise(values)):
        if high - low != step:
            tau = exp_form(times(rate, low - high), ar)
            weight = ar.div(ar.sub(t, tau), ar.mul(whole, ar.add(ONE, tau)))
            found.append((k, k + 1, weight))
    return found


def _density(law: Rows, axes: Sequence[Axis], ar: Arithmetic) -> list[Interval]:
    """Up to the noise's constant, at every place of the grid: the last output changes first."""
    decays = []
    for axis in axes:
        of, known = axis.output, dict[Fraction, Interval]()
        for x, _ in law:
            for y in axis.values:
                far = abs(x[of.place] - y)
                if far not in known:
                    known[far] = exp_form(times(of.rate, -far), ar)
        decays.append(known)
    found = []
    for place in product(*(axis.values for axis in axes)):
        total = ZERO
        for x, mass in law:
            one = ar.of(mass)
            for y, axis, known in zip(place, axes, decays, strict=True):
                one = ar.mul(one, known[abs(x[axis.output.place] - y)])
            total = ar.add(total, one)
        found.append(total)
    return found


def _joined(
    found: list[Interval], sizes: Sequence[int], pieces: Sequence[list[Piece]], ar: Arithmetic
) -> list[Interval]:
    """The masses of all cells, one output after the other."""
    for k, parts in enumerate(pieces):
        inner = prod(sizes[k + 1 :])
        outer = len(found) // (sizes[k] * inner)
        made = []
        for n in range(outer):
            slabs = [found[(n * sizes[k] + j) * inner :][:inner] for j in range(sizes[k])]
            for a, b, weight in parts:
                both = zip(slabs[a], slabs[b], strict=True)
                made += [ar.mul(weight, x if a == b else ar.add(x, y)) for x, y in both]
        found = made
    return found


def _around(pieces: Sequence[list[Piece]], sizes: Sequence[int], ar: Arithmetic
            ) -> Iterator[Interval]:  # fmt: skip
    """W at every place of the grid."""
    each = []
    for parts, size in zip(pieces, sizes, strict=True):
        total = [ZERO] * size
        for a, b, weight in parts:
            for k in {a, b}:
                total[k] = ar.add(total[k], weight)
        each.append(total)
    for weights in product(*each):
        whole = ONE
        for weight in weights:
            whole = ar.mul(whole, weight)
        yield whole


def bounds(
    first: Rows, second: Rows, axes: list[Axis], order: Fraction, ar: Arithmetic
) -> tuple[Interval, Interval]:
    """At most R, and at least R."""
    allow_sums()
    sizes = [len(axis.values) for axis in axes]
    pieces = [_pieces(axis, ar) for axis in axes]
    p, q = (_density(law, axes, ar) for law in (first, second))
    low = high = ZERO
    for x, y, weight in zip(p, q, _around(pieces, sizes, ar), strict=True):
        high = ar.add(high, ar.mul(weight, term(x, y, order, ar)))
    p, q = (_joined(law, sizes, pieces, ar) for law in (p, q))
    for x, y in zip(p, q, strict=True):
        low = ar.add(low, term(x, y, order, ar))
    return low, high
