"""The law of a sum of independent parts, exactly: integer weights of increasing places.

Users who share few laws are summed by one recurrence.  With f_i the generating functions of the
laws from their least places on (f_i(0) > 0), h = prod f_i^(n_i), F = prod f_i and the operator
T = x d/dx, F T h = h G with G = sum_i n_i (T f_i) prod_{j != i} f_j.  By coefficients
    k F_0 h_k = sum over j >= 1 of (G_j - (k - j) F_j) h_{k-j}
which for one coin of n tosses is the binomial law.  All other users are added one by one, pair of
places by pair of places or, where the places are dense, as digits of one large product.

For one pair sums are exact up to some 4,900 coins of chance 1/3 in one group, 1,800 of chance
94/145, and 900 that all differ.  Beyond, the masses of atoms are bounded outward, up to
13,000, 6,000 and 2,000 such coins (1,000 users who differ, of 16 values each); more is refused.
"""

from __future__ import annotations

from itertools import chain, pairwise
from math import gcd, log2, prod
from operator import itemgetter
from typing import NamedTuple

from core.grammar import Malformed
from core.work import TooMuchWork, price, product, spend
from reader.places import Points

MAX_POINTS = 1 << 17  # of one sum
MAX_BITS = 1 << 28  # of the weights of one sum together
SPARSE = 64  # places per point of the laws, from which on no recurrence is used


class Group(NamedTuple):
    """So many users of one law."""

    law: Points
    users: int


def added(one: Points, other: Points) -> Points:
    """The law of the sum of two independent laws."""
    if len(one) == 1 or len(other) == 1:  # what one adds is certain
        ((place, weight),), law = (one, other) if len(one) == 1 else (other, one)
        if (place, weight) == (0, 1):
            return law
        sizes = weight.bit_length(), longest(law)
        _require_room(len(law), sum(sizes))
        words = 1 + min(sizes) // 30
        spend(4 + len(law) * (2 + (sum(sizes) * words >> 11) + (_long(law) >> 11)))
        return [(at + place, own * weight) for at, own in law]
    step = _step([one, other])
    spans = [(law[-1][0] - law[0][0]) // step + 1 for law in (one, other)]
    length, short = sum(spans) - 1, min(spans)
    each, long = (_bits(one), _bits(other)), max(_long(one), _long(other))
    bits, size, words = sum(each), len(one) * len(other), 1 + min(each) // 30
    pairs = size * (4 + (bits * words >> 11) + (length.bit_length() >> 7) + (long >> 11))
    packed = 8 * length + 2 * (length // short) * product(short * bits)
    if packed < pairs:
        _require_room(length, bits + long)
        spend(packed)
        return _packed(one, other, step, length)
    _require_room(size >> 2, bits + long)
    spend(pairs)
    return collected([[(a + b, v * w) for a, v in one] for b, w in other])


def collected(parts: list[Points]) -> Points:
    """Laws as one, the weights of each place added; no table, as many places may have one hash."""
    if len(parts) == 1:
        return parts[0]
    (at, total), *rest = sorted(chain.from_iterable(parts), key=itemgetter(0))  # runs, merged
    summed = []
    for place, weight in rest:
        if place != at:
            summed.append((at, total))
            at, total = place, 0
        total += weight
    return [*summed, (at, total)]


def _packed(one: Points, other: Points, step: int, length: int) -> Points:
    """The sum as one product: the weights are digits of two integers, of a base above them all."""
    base = (sum(w for _, w in one) * sum(w for _, w in other)).bit_length() // 8 + 1  # in bytes
    digits = []
    for law in (one, other):
        data = bytearray(((law[-1][0] - law[0][0]) // step + 1) * base)
        for place, weight in law:
            at = (place - law[0][0]) // step * base
            data[at : at + base] = weight.to_bytes(base, "little")
        digits.append(int.from_bytes(data, "little"))
    found = (digits[0] * digits[1]).to_bytes(length * base, "little")
    weights = (int.from_bytes(found[k * base : (k + 1) * base], "little") for k in range(length))
    origin = one[0][0] + other[0][0]
    return [(origin + k * step, weight) for k, weight in enumerate(weights) if weight]


def _bits(law: Points) -> int:
    return sum(weight for _, weight in law).bit_length()


def longest(law: Points) -> int:
    """The bits of the longest weight, of one in 16, as those beside each other are alike."""
    return max([weight.bit_length() for _, weight in law[::16]])


def _long(law: Points) -> int:
    return max(law[0][0].bit_length(), law[-1][0].bit_length())


def _step(laws: list[Points]) -> int:
    """The greatest common step between the places of each law; 1 where all are points."""
    found = 0
    for law in laws:
        spend(len(law) * (2 + (price(_long(law)) >> 2)))
        for (a, _), (b, _) in pairwise(law):
            if not found or (b - a) % found:
                found = gcd(found, b - a)
    return found or 1


def _require_room(points: int, bits: int) -> None:
    if points > MAX_POINTS or points * bits > MAX_BITS:
        raise TooMuchWork(f"too much work: a sum of users with {points} values of {bits} bits")


def crowd(groups: list[Group]) -> Points:
    """The law of the sum of all users of these groups; nobody adds 0."""
    many = [group for group in groups if group.users > len(groups)]
    many = many if _recurs(many) else []
    summed = _by_recurrence(many) if many else [(0, 1)]
    for group in groups:
        law, users = group
        if len(law) == 1:  # what they add is certain, of mass 1: all of them at once
            law, users = [(users * place, weight**users) for place, weight in law], 1
        for _ in range(0 if group in many else users):
            summed = added(summed, law)
    return summed


def _recurs(groups: list[Group]) -> bool:
    """Whether the recurrence is the faster way: many users whose laws are short."""
    step = _step([law for law, _ in groups])
    widths = [((law[-1][0] - law[0][0]) // step, n, _bits(law)) for law, n in groups]
    width, users = sum(w for w, _, _ in widths), sum(n for _, n, _ in widths)
    bits = sum(n * b for _, n, b in widths)
    if width > SPARSE * sum(len(law) for law, _ in groups):
        return False
    return width * width * (4 + (bits >> 13)) <= users * product(width * bits)


def _by_recurrence(groups: list[Group]) -> Points:
    """The law of the sum, by the recurrence of this file's docstring."""
    step = _step([law for law, _ in groups])
    origin = sum(group.law[0][0] * group.users for group in groups)
    factor: Points = [(0, 1)]
    slope: dict[int, int] = {}
    for law, count in groups:
        own = [((place - law[0][0]) // step, weight) for place, weight in law]
        left = added(sorted(slope.items()), own) if slope else []
        moved = [(k, count * k * weight) for k, weight in own if k]
        slope = dict(left)
        for k, weight in added(factor, moved) if moved else []:
            slope[k] = slope.get(k, 0) + weight
        factor = added(factor, own)
    length = sum((law[-1][0] - law[0][0]) // step * count for law, count in groups) + 1
    first, *rest = factor
    terms = [(j, f, slope[j]) for j, f in rest]
    totals = [(sum(weight for _, weight in law), users) for law, users in groups]
    bits = sum(int(n * log2(total)) + 1 for total, n in totals)
    _require_room(length, bits + _long(factor))
    words = 1 + (_bits(factor) + length.bit_length()) // 30
    found = [prod(law[0][1] ** count for law, count in groups)]
    for k in range(1, length):
        spend(4 + min(k, len(terms)) * (2 + (bits * words >> 13)) + (bits * words >> 12))
        here = sum((g - (k - j) * f) * found[k - j] for j, f, g in terms if j <= k)
        found.append(here // (k * first[1]))
    if sum(found) != prod(total**n for total, n in totals):
        raise Malformed("the weights of a sum of users are wrong")  # never: a second way to count
    return [(origin + k * step, weight) for k, weight in enumerate(found) if weight]
