"""The chance that a number with Gumbel noise is the greatest of some, and of those below another.

F(y - x) = exp(-e^(-(y - x)/theta)), so that the product of all is that of one number whose weight
e^(x/theta) is the sum of theirs: each is the greatest with the chance of its weight over the sum,
whichever the greatest is (F83).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from core.chances import Beside, Numbers, each_greatest
from core.enclose import Undecided
from core.grammar import Malformed


class Proportions:
    """Chances at one rate."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers

    def of_fixed(self, at: Fraction, others: Sequence[Beside]) -> Any:
        """Nothing is told beside a number without noise."""
        raise Malformed("gumbel noise beside a number without it")

    def of_noisy(self, at: Fraction, rate: int, others: Sequence[Beside]) -> Any:
        """The chance that all others lie where they are to, of which one at most is above."""
        if any(other.rate != rate for other in others):
            raise Malformed("gumbel noise of several scales is not known")
        above = [other.at for other in others if not other.below]
        rest = [at, *(other.at for other in others if other.below)]
        if len(above) > 1:
            raise Malformed("gumbel noise with more than one number above another")
        found = self._first(rest, rate)
        if not above:
            return found
        return self.numbers.times(self._first([*above, *rest], rate), found)

    def ordered(self, order: Sequence[tuple[Fraction, int]], others: Sequence[Beside]) -> Any:
        """The chance that some numbers are above all others in this order: that each is the
        greatest of those that are left.  `others` are all but the last, those above it too."""
        rate = order[0][1]
        if any(r != rate for r in (*(r for _, r in order), *(other.rate for other in others))):
            raise Malformed("gumbel noise of several scales is not known")
        left = [*(at for at, _ in order), *(other.at for other in others if other.below)]
        found = self._first(left, rate)
        for k in range(1, len(order)):
            found = self.numbers.times(found, self._first(left[k:], rate))
        return found

    def greatest(self, places: Sequence[Fraction], rates: Sequence[int]) -> list[Any]:
        """For each of some numbers the chance that it is the greatest."""
        return each_greatest(self, places, rates)

    def _first(self, places: Sequence[Fraction], rate: int) -> Any:
        """The weight of the first over the sum of all."""
        if not rate:
            raise Undecided("nothing is drawn")
        numbers, top = self.numbers, max(places)
        weights = [numbers.fall((top - x) * rate) for x in places]
        whole = numbers.of(Fraction(0))
        for weight in weights:
            whole = numbers.plus(whole, weight)
        return numbers.over(weights[0], whole)
