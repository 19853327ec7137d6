"""Two laws of the tupling mechanism, and the exact probabilities of their likelihood-ratio events.

With n = k + 1 places, dummy law nu > 0 and values r = a/nu, the probability of a tuple y is
P(y) = (1/n) prod nu(y_i) sum r(y_i), and Q(y) alike with r' = a'/nu. So P > g Q is the event
{sum r(y_i) > g sum r'(y_i)}, of which P and Q are expectations over independent draws from nu:
two parts of a tuple are drawn alone, merged where their sums are equal, sorted by r - g r', and
paired by one sweep. An output that is never a dummy (nu = 0) shows the value itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm

from pfverify.decide.excess import Masses
from pfverify.decide.masses.ranking import Ranking
from pfverify.decide.tupling.types import Halves, Value, Weighed, check_length, halves
from pfverify.model.channels.weighted import WeightedLaw


class TupleLaws:
    """The laws of the tuples whose true value has law `first` or `second`.

    All masses are over the same outputs; `dummy` is the law of each of the `dummies` >= 0 dummies.
    Attributes: `weights`, the two laws of the value as integers over one `whole`; `equal`, whether
    they are the same law.
    """

    def __init__(
        self,
        first: Sequence[Fraction],
        second: Sequence[Fraction],
        dummy: Sequence[Fraction],
        dummies: int,
    ) -> None:
        self.places = dummies + 1
        self.whole = lcm(*(mass.denominator for mass in (*first, *second)))
        self.dummy_whole = lcm(*(mass.denominator for mass in dummy))
        self.weights = tuple([int(mass * self.whole) for mass in law] for law in (first, second))
        self.equal = self.weights[0] == self.weights[1]
        self.dummy_weights = [int(mass * self.dummy_whole) for mass in dummy]
        self.unit = lcm(*(weight for weight in self.dummy_weights if weight))
        # outputs that are no dummy, and dummies by the value that they add: equal ones are one
        self.shown: list[Value] = []
        self.values: dict[Value, int] = {}
        for a, b, weight in zip(*self.weights, self.dummy_weights, strict=True):
            if not weight:
                self.shown.append((a, b))
                continue
            factor = self.unit // weight
            value = (a * factor, b * factor)
            self.values[value] = self.values.get(value, 0) + weight

    @cached_property
    def ranking(self) -> Ranking:
        """The outputs by the ratio of the two laws of the value."""
        return Ranking.of(*(WeightedLaw.of(weights, self.whole) for weights in self.weights))

    @cached_property
    def halves(self) -> list[Halves]:
        """The tuples of dummies by the sums of their values, in two parts."""
        return halves(self.values, self.places)

    @property
    def scale(self) -> int:
        """What sums of values over weighed tuples are divided by to be probabilities."""
        draws: int = self.dummy_whole ** (self.places - 1)
        return self.places * self.whole * self.unit * draws

    def event(self, growth: Fraction, *, reverse: bool) -> Masses:
        """Return P(B) and Q(B) of the event B = {P > growth Q}, growth >= 0.

        With `reverse` P is the second law and Q the first one.
        """
        p = q = 0
        for part in self.halves:
            more, less = _swept(part.left, part.right, growth, reverse=reverse)
            p, q = p + part.ways * more, q + part.ways * less
        up = down = 0
        for a, b in self._turned(self.shown, reverse):
            if growth.denominator * a > growth.numerator * b:
                up, down = up + a, down + b
        return (
            Fraction(p, self.scale) + Fraction(up, self.whole),
            Fraction(q, self.scale) + Fraction(down, self.whole),
        )

    def never(self, *, reverse: bool) -> Fraction:
        """Return the P of all tuples that are impossible under Q.

        They show an output that Q never has, or hold such outputs alone.
        """
        check_length(self.places, self.dummy_whole)
        up, down = self.weights[::-1] if reverse else self.weights
        masses = zip(up, down, self.dummy_weights, strict=True)
        without = [(a, weight) for a, b, weight in masses if not b]
        shown = sum(a for a, weight in without if not weight)
        hidden = sum(a for a, weight in without if weight)
        dummies = Fraction(sum(weight for _, weight in without), self.dummy_whole)
        return Fraction(shown, self.whole) + Fraction(hidden, self.whole) * dummies ** (
            self.places - 1
        )

    def most(self, *, reverse: bool) -> int:
        """Return a number that no finite ratio P/Q of a tuple exceeds."""
        return self._largest(0 if not reverse else 1)

    def finest(self, *, reverse: bool) -> int:
        """Return a number that no reduced ratio P/Q of a tuple has a larger denominator than."""
        return self._largest(1 if not reverse else 0)

    def _largest(self, side: int) -> int:
        values = [self.places * value[side] for value in self.values]
        return max([*values, *(value[side] for value in self.shown)])

    @staticmethod
    def _turned(values: Sequence[Value], reverse: bool) -> list[Value]:
        return [(b, a) for a, b in values] if reverse else list(values)


def _swept(
    left: list[Weighed], right: list[Weighed], growth: Fraction, *, reverse: bool
) -> tuple[int, int]:
    """Return the weighted sums of p and of q over all pairs of halves with p > growth q.

    As the excess of the left half rises, more right halves make a pair positive.
    """
    top, bottom = growth.numerator, growth.denominator

    def by_excess(half: list[Weighed], *, falling: bool) -> list[tuple[int, int, int, int]]:
        if reverse:
            rows = [(bottom * b - top * a, b, a, w) for a, b, w in half]
        else:
            rows = [(bottom * a - top * b, a, b, w) for a, b, w in half]
        rows.sort(reverse=falling)
        return rows

    others = by_excess(right, falling=True)
    p = q = weight = up = down = at = 0
    for excess, a, b, w in by_excess(left, falling=False):
        while at < len(others) and others[at][0] + excess > 0:
            _, c, d, v = others[at]
            weight, up, down, at = weight + v, up + v * c, down + v * d, at + 1
        p += w * (a * weight + up)
        q += w * (b * weight + down)
    return p, q
