"""The hockey-stick divergence on a box grid, from both sides: the covers of `grid`.

Per coordinate with the values v_1 < .. < v_m, t = 1 for Laplace noise and
e^(-step rho) on the lattice, the line is made of pieces, each with the weights of the values at its
ends, all over 1 + t:

    t                       of v_1 and of v_m: the two tails
    1 - t                   of each v, on the lattice: v itself
    (t - tau) / (1 + tau)   of both ends of a gap of the width w, tau = e^(-w rho)

A coordinate with one value is one piece, of the weight 1: all along it p and q have one ratio.

A cell is a product of pieces.  Inside it every g = p - e^epsilon q is a combination of its corners
with weights >= 0, which sum up, or integrate, to these: in a gap g(y) is (sinh((b-y) rho) g(a) +
sinh((y-a) rho) g(b)) / sinh((b-a) rho).  So the mass of [g]_+ in a cell is at least the positive
part of the weighted sum of its corners, and at most the weighted sum of their positive parts.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from core.box import Box, factor_of
from core.enclose import ONE, Arithmetic, Interval, Undecided
from core.grammar import Number
from core.packed import Scaled, Sheet, Unit, lower_sum, pieced, unit_for, upper_sum
from core.zero import exp_form, times

Slice = tuple[int, int, Interval]


def _pieces(box: Box, i: int, ar: Arithmetic) -> list[Slice]:
    """Of a coordinate: the places of both ends, which may be one, and the weight."""
    if box.sizes[i] == 1:
        return [(0, 0, ONE)]
    t = ONE if box.step is None else exp_form(times(box.rates[i], -box.step), ar)
    whole, last = ar.add(ONE, t), box.sizes[i] - 1
    tail, single = ar.div(t, whole), ar.div(ar.sub(ONE, t), whole)
    found: list[Slice] = [(0, 0, tail), (last, last, tail)]
    if box.step is not None:
        found += [(k, k, single) for k in range(last + 1)]
    weights: dict[Interval, Interval] = {}
    for k, (gap, tau) in enumerate(zip(box.gaps[i], box.decays(i, ar), strict=True)):
        if gap != box.step:  # else nothing is inside
            if tau not in weights:
                weights[tau] = ar.div(ar.sub(t, tau), ar.mul(whole, ar.add(ONE, tau)))
            found.append((k, k + 1, weights[tau]))
    return found


class Sheets(NamedTuple):
    """p and q on a grid, the pieces of every coordinate, and bounds of e^epsilon."""

    unit: Unit
    pieces: list[list[Slice]]
    p: Sheet
    q: Sheet
    low: Scaled
    high: Scaled


def _sums(epsilon: Number, box: Box, bits: int) -> Sheets:
    """Those of a grid, with so many bits."""
    low, high, e = factor_of(epsilon, bits)
    points = prod(2 * size + 1 for size in box.sizes)  # and cells, at most
    most = bits + points.bit_length() + 16
    if high.bit_length() + e > most:
        raise Undecided("epsilon is too large for sums of this precision")
    unit = unit_for(most, Scaled(high, e), points)
    ar = Arithmetic(most + 16)
    pieces = [_pieces(box, i, ar) for i in range(len(box.sizes))]
    return Sheets(unit, pieces, *box.sheets(unit), Scaled(max(low, 0), e), Scaled(high, e))


def upper(epsilon: Number, box: Box, bits: int) -> Interval:
    """At least the divergence."""
    found = _sums(epsilon, box, bits)
    weights = []
    for size, pieces in zip(box.sizes, found.pieces, strict=True):
        total = [0] * size
        for a, b, weight in pieces:
            for k in {a, b}:
                total[k] += found.unit.ceil(weight)
        weights.append(total)
    most = upper_sum(found.p, found.q, found.low, weights)
    return most, most, -found.unit.bits


def lower(epsilon: Number, box: Box, bits: int) -> Interval:
    """At most the divergence."""
    found = _sums(epsilon, box, bits)
    p, q = found.p, found.q
    for i, pieces in enumerate(found.pieces):
        p, q = pieced(p, i, pieces), pieced(q, i, pieces)
    least = lower_sum(p, q, found.high)
    return least, least, -found.unit.bits
