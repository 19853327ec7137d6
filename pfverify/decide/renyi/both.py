"""Both orders of a pair whose divergences are bounded: of one order, or of all."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from pfverify.decide.comparison import Orders
from pfverify.decide.renyi.chords import FarOf
from pfverify.decide.renyi.compared import RenyiComparison, order_of
from pfverify.decide.renyi.concentrated import of_all_orders
from pfverify.decide.renyi.moment import RenyiMoment
from pfverify.model.notion import Bound
from pfverify.model.target import Target

MomentOf = Callable[[bool, Fraction], RenyiMoment]
"""The number of one order of a pair, which may be turned round."""


def both(pure: Orders, moment: MomentOf, target: Target, far: FarOf | None = None) -> Orders:
    """Return both orders, given those of the form events, and the number of either.

    `far` is what is known of large orders; else that is the largest ratio.
    """
    first, second = (partial(moment, turned) for turned in (False, True))
    match target.bound:
        case Bound.RENYI:
            _ = first(order_of(target)), second(order_of(target))  # refused at once, if it is
            return (
                RenyiComparison(pure[0], first, target), RenyiComparison(pure[1], second, target)
            )  # fmt: skip
        case Bound.ZCDP:
            return of_all_orders(pure, (first, second), target, far)
        case other:
            raise TypeError(f"a bound of the {other.value} is none of a divergence")
