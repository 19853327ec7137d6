"""The masses p and q of outputs by falling ratio: all targets find what exceeds by halving."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from operator import add

from pfverify.exact.ball import Raw, current_precision, lower_end, precision, raw, upper_end


class Ranked:
    """Outputs with sums over those of the largest ratios; made at the current precision.

    An output whose ratio no ball tells, as q may be 0, is looked at by itself each time.
    Example: ``Ranked([(raw(2), raw(1)), (raw(1), raw(2))]).excess(raw(1))`` is ``1``.
    """

    def __init__(self, masses: Iterable[tuple[Raw, Raw]]) -> None:
        self._untold: list[tuple[Raw, Raw]] = []
        found = []
        for p, q in masses:
            ratio = p / q
            if ratio.is_finite():
                found.append((ratio, p, q))
            else:
                self._untold.append((p, q))
        found.sort(key=lambda one: one[0].mid(), reverse=True)
        self._masses = [one[1:] for one in found]
        # no ratio up to here is less, and none from here on is more: what the balls leave open of
        # the order does no harm
        self._least = list(accumulate((lower_end(one[0]) for one in found), Raw.min))
        most = accumulate((upper_end(one[0]) for one in reversed(found)), Raw.max)
        self._most = list(most)[::-1]
        with precision(current_precision() + len(found).bit_length()):
            self._p, self._q = (
                list(accumulate((one[k] for one in self._masses), add, initial=raw(0)))
                for k in (0, 1)
            )

    def excess(self, growth: Raw) -> Raw:
        """Enclose the sum of the positive p - growth q."""
        first = bisect_left(self._least, True, key=lambda ratio: not ratio > growth)
        last = bisect_left(self._most, True, key=lambda ratio: bool(ratio < growth))
        total = self._p[first] - growth * self._q[first]
        for p, q in [*self._masses[first:last], *self._untold]:
            total += (p - growth * q).nonnegative_part()
        return total
