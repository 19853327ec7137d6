"""The Renyi divergence at every order: what is known at some orders, and what follows between.

(a - 1) D_a is convex in a and 0 at a = 1, and D_a does not fall. `Known` has it at each order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from pfverify.answers.curves.between import Line, Open, Range, line, opens
from pfverify.answers.curves.pair import outward
from pfverify.answers.curves.proof import ProvedPlace, proved_by
from pfverify.answers.profile import Known
from pfverify.decide.comparison import Comparison, Orders
from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.exact.refined import End, ends_of
from pfverify.model.notion import Renyi
from pfverify.model.target import Target

ONE, _ZERO = Fraction(1), Fraction(0)


class OrdersPair:
    """Both orders of a pair of one belief, whose divergences are known at some orders.

    `found[k]` is what is known of the divergence of order k of the pair, as it is.
    """

    def __init__(
        self, names: tuple[str, str, str], orders: Callable[[Fraction], Orders], places: int
    ) -> None:
        """Take what compares both orders of the pair at an order of the divergence."""
        self.belief, self.first, self.second = names
        self.places, self._orders = places, orders
        self.found: tuple[dict[Fraction, Known], dict[Fraction, Known]] = ({}, {})

    def names(self, order: int) -> tuple[str, str, str]:
        """Return the belief, and the secrets of an order."""
        ends = (self.first, self.second)
        return self.belief, ends[order], ends[1 - order]

    def find(self, order: int, at: Fraction) -> None:
        """Find the divergence of an order of the pair at one of the divergence."""
        if at not in self.found[order]:
            low, high = self.bounds(order, at)
            if isinstance(low, float) or isinstance(high, float):
                raise InputError(f"--to: the divergence of order {at} has no bound that is known")
            self.found[order][at] = Known(at, low, high)

    def bounds(self, order: int, at: Fraction) -> tuple[End, End]:
        """Return proved bounds of the divergence of an order of the pair; they may be infinite."""
        divergence = self._orders(at)[order].divergence()
        if divergence is None:
            raise RuntimeError("the form renyi has a divergence")
        low, high = ends_of(divergence, 4 * self.places + 16)
        if isinstance(low, float):
            return low, high
        if isinstance(high, float):
            return outward(low, low, self.places)[0], high
        return (_ZERO, _ZERO) if high == 0 else outward(low, high, self.places)

    def known(self, order: int) -> list[Known]:
        """Return (a - 1) D at every order a that was asked for, and at 1."""
        found = [
            Known(at, (at - 1) * one.lower, (at - 1) * one.upper)
            for at, one in sorted(self.found[order].items())
        ]
        return [Known(ONE, _ZERO, _ZERO), *found]

    def proved(self, order: int) -> list[ProvedPlace]:
        """Return what proves all that was found of an order of the pair."""
        return [
            proved_by(one, partial(self._held, order, at), None)
            for at, one in sorted(self.found[order].items())
        ]

    def _held(self, order: int, at: Fraction, epsilon: Fraction) -> Comparison:
        target = Target(Number.of_rational(epsilon), Number.of_rational(0), Renyi(at))
        return self._orders(at)[order].against(target)


def lines_below(known: Sequence[Known], right: int) -> list[Line]:
    """Return lines that (a - 1) D is above, between a known order and the last. Fact F104."""
    a, b = known[right - 1], known[right]
    found = [(_ZERO, _ZERO)]
    if right >= 2:
        before = known[right - 2]
        least = a.lower / (a.gamma - 1)  # D does not fall
        found += [(-least, least), line((before.gamma, before.upper), (a.gamma, a.lower))]
    if right + 1 < len(known):
        after = known[right + 1]
        found.append(line((b.gamma, b.lower), (after.gamma, after.upper)))
    return found


def opens_of(known: Sequence[Known], within: Range) -> list[Open]:
    """Return how far apart the bounds of D are between each two neighbours, in a range."""
    return opens(known, within, _of_divergence, lines_below)


def bounds(known: Sequence[Known], at: Fraction) -> tuple[Fraction, Fraction]:
    """Return proved bounds of D at an order between two known ones, or at one."""
    right = next(k for k, one in enumerate(known) if one.gamma >= at)
    here, before = known[right], known[right - 1]
    if here.gamma == at:
        return here.lower / (at - 1), here.upper / (at - 1)
    start, slope = line((before.gamma, before.upper), (here.gamma, here.upper))
    lower = max(c + m * at for c, m in lines_below(known, right))
    return lower / (at - 1), (start + slope * at) / (at - 1)


def _of_divergence(at: Fraction) -> Fraction:
    return 1 / (at - 1)
