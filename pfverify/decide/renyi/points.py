"""The number R of several outputs of one X, which are independent given X.

Where the second law is a point and the order is whole it is a finite sum, and of two points one
product (design fact F110). Else the average over a coupling bounds it from above (F95).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, factorial, prod

from pfverify.decide.renyi.moment import Quotient, RenyiMoment, power
from pfverify.decide.renyi.outputs import OneOutput, Powers
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, largest, raw
from pfverify.exact.corner import corner
from pfverify.exact.expsum import ExpSum
from pfverify.model.priors.joint import Point

_MOST = 1 << 12  # ways to choose the points of a sum
_MOST_POINTS = 64  # of one sum
_MOST_EDGES = 1 << 12  # of a coupling, over its outputs
_MANY = f"form: renyi is not bounded of more than {_MOST_EDGES} outputs of what a coupling moves"
_LONG = 64  # factors of an exact product
_TERMS = 20_000  # of an exact sum
_SUM_BITS = 1 << 12
Law = Mapping[Point, Fraction]
Shares = Sequence[tuple[Point, int]]
"""Points, and how often each of them is among those of a sum."""


class OfTuples(RenyiMoment):
    """Of two points, or of a second law that is one with a whole order."""

    most_bits = _SUM_BITS

    def __init__(self, p: Law, q: Law, outputs: Sequence[OneOutput], order: Fraction) -> None:
        self.p, self.outputs, self.order = p, outputs, order
        (self.origin,) = q

    def _chosen(self) -> Iterator[tuple[Fraction, Shares]]:
        """The ways to choose the points, with their chances."""
        if len(self.p) == 1:
            yield Fraction(1), [(x, 1) for x in self.p]
            return
        order = self.order.numerator
        for counts in _counts(len(self.p), order):
            chance, shares = Fraction(factorial(order)), []
            for (x, mass), count in zip(self.p.items(), counts, strict=True):
                if count:
                    chance *= mass**count / factorial(count)
                    shares.append((x, count))
            yield chance, shares

    def ball(self) -> Raw:
        """Return the sum of enclosures."""
        total = raw(0)
        for chance, shares in self._chosen():
            seen = (powers_of(shares, self.origin, of.place, self.order) for of in self.outputs)
            told = (of.ball(at) ** of.times for of, at in zip(self.outputs, seen, strict=True))
            total += raw(chance) * prod(told, start=raw(1))
        return total

    def exact(self) -> Quotient | None:
        """Return the sum exactly, where it is short."""
        if sum(of.times for of in self.outputs) > _LONG:
            return None
        one = len(self.p) == 1
        whole = range(3, 0 if one else 2 * self.order.numerator, 2)
        slopes = [2 * self.order - 1] if one else [Fraction(s) for s in whole]
        total, bottom = ExpSum({}), ExpSum.constant(1)
        for chance, shares in self._chosen():
            top = bottom = ExpSum.constant(1)
            for of in self.outputs:
                powers = powers_of(shares, self.origin, of.place, self.order)
                found = of.exact(powers, slopes)
                if found is None:
                    return None
                for _ in range(of.times):
                    if max(len(top.terms) * len(found[0].terms), len(total.terms)) > _TERMS:
                        return None
                    top, bottom = top * found[0], bottom * found[1]
            total += top.times(chance)
        return total, bottom


class AverageMoment(RenyiMoment):
    """At most the average over a coupling: the least one of some plans."""

    def __init__(self, p: Law, q: Law, outputs: Sequence[OneOutput], order: Fraction) -> None:
        self.outputs, self.order = outputs, order
        self.plans = [*_plans(p, q)]
        if any(len(plan) * len(outputs) > _MOST_EDGES for plan in self.plans):
            raise InputError(_MANY)

    def ball(self) -> Raw:
        """Return the least average."""
        return -largest(-self._average(plan) for plan in self.plans)

    def _average(self, plan: Mapping[Point, Fraction]) -> Raw:
        total = raw(0)
        for apart, mass in plan.items():
            told = raw(mass)
            for of in self.outputs:
                told *= power(of.ball({apart[of.place]: self.order}), Fraction(of.times))
            total += told
        return total


class Extreme(RenyiMoment):
    """The smallest, or the largest, of some numbers."""

    def __init__(self, moments: Sequence[RenyiMoment], *, largest: bool) -> None:
        self.moments, self.largest = moments, largest
        self.order = moments[0].order
        self.most_bits = min(one.most_bits for one in moments)

    def ball(self) -> Raw:
        """Return it at the current precision."""
        return self._of(one.ball() for one in self.moments)

    def divergence_ball(self) -> Raw:
        """Return that of the divergences."""
        return self._of(one.divergence_ball() for one in self.moments)

    def _of(self, values: Iterable[Raw]) -> Raw:
        return largest(values) if self.largest else -largest(-x for x in values)


def is_sum(p: Law, q: Law, order: Fraction) -> bool:
    """Say whether `OfTuples` is about these laws: not of too many points.

    Example: ``is_sum({(0,): 1}, {(3,): 1}, Fraction(3, 2))`` is ``True``, of points as fractions.
    """
    if len(q) > 1:
        return False
    if len(p) == 1:
        return True
    a, size = order.numerator, len(p)
    whole = order.denominator == 1 and a <= _MOST_POINTS and size < _MOST
    return whole and comb(size + a - 1, a) <= _MOST


def powers_of(shares: Shares, origin: Point, place: int, order: Fraction) -> Powers:
    """Return the points of a sum as one output sees them; one point alone has all of the order.

    Example: ``powers_of([((Fraction(5),), 1)], (Fraction(3),), 0, Fraction(5, 2))`` is
    ``{2: Fraction(5, 2)}``.
    """
    if len(shares) == 1:
        return {shares[0][0][place] - origin[place]: order}
    found: dict[Fraction, Fraction] = {}
    for x, count in shares:
        apart = x[place] - origin[place]
        found[apart] = found.get(apart, Fraction(0)) + count
    return found


def _counts(size: int, total: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a total as so many numbers >= 0."""
    if size == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for others in _counts(size - 1, total - first):
            yield first, *others


def _plans(p: Law, q: Law) -> Iterator[Mapping[Point, Fraction]]:
    """Monotone plans, in the order of the points, and with common mass left alone: what they move.
    """
    yield _moved(p, q, {})
    common = {x: min(mass, q[x]) for x, mass in p.items() if x in q}
    if common and len(next(iter(p))) > 1:
        yield _moved(p, q, common)


def _moved(p: Law, q: Law, kept: Mapping[Point, Fraction]) -> Mapping[Point, Fraction]:
    """How much mass is moved from the second law to the first one by each difference."""
    sides = [
        [(x, law[x] - kept.get(x, Fraction(0))) for x in sorted(law)] for law in (p, q)
    ]
    found: dict[Point, Fraction] = {}
    if kept:
        found[(Fraction(0),) * len(next(iter(p)))] = sum(kept.values(), Fraction(0))
    rows, columns = ([one for one in side if one[1]] for side in sides)
    if not rows:
        return found
    for i, k, mass in corner([m for _, m in rows], [m for _, m in columns]):
        apart = tuple(a - b for a, b in zip(rows[i][0], columns[k][0], strict=True))
        found[apart] = found.get(apart, Fraction(0)) + mass
    return found
