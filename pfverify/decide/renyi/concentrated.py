"""One order of two laws whose divergences of all orders a are held to rho a: zero-concentrated.

rho is the epsilon of the target. Finitely many orders prove it (`chords`), one refutes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Comparison, Orders, Settled
from pfverify.decide.excess import positive_margin
from pfverify.decide.renyi.beyond import by_ratio
from pfverify.decide.renyi.bracketed import Bracketed
from pfverify.decide.renyi.chords import (
    AtOrder,
    Exceeded,
    Far,
    FarOf,
    Found,
    KeptByOrders,
    KnownOrders,
    OrderSearch,
    StaysOpen,
)
from pfverify.decide.renyi.compared import Diverging, of_events
from pfverify.decide.step import Evidence, Step
from pfverify.exact.ball import fraction_of, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.refined import ANYTHING, INFINITE, ZERO, OnGrid, Refined, exactly
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_BITS = 64  # to which a number is known in a search
_DECIDING, _FEWEST = 1 << 16, 32  # tenths of milliseconds for a verdict, and the fewest orders
_TELLING, _A_FEW = 1 << 14, 12  # and to tell how large the largest is
_LAST_BITS = 1 << 12


class ByOrders(Evidence):
    """The rule of the kernel: orders between which chords are drawn, and what lies beyond them."""

    rule = "zcdp"

    def __init__(self, found: KeptByOrders) -> None:
        self.found = found

    def step(self, bits: int) -> Step:
        """Return the orders, and what the kernel needs to bound larger ones."""
        orders = self.found.orders
        closest = max((order.denominator.bit_length() for order in orders), default=0)
        return {
            "rule": self.rule,
            "bits": bits + 2 * closest,
            "orders": [str(order) for order in orders],
            "beyond": self.found.beyond.step(bits),
        }


class ConcentratedComparison(Diverging):
    """One order held to a bound of the divergences of all orders.

    Source: design facts F104 to F108.
    """

    no_witness = "a divergence over its order is above rho, but no margin > 0 is proved"

    def __init__(
        self, pure: Comparison, at: AtOrder, target: Target, far: Callable[[], Far],
        known: KnownOrders | None = None,
    ) -> None:  # fmt: skip
        super().__init__(pure, at, target)
        self._far = far
        self.orders = KnownOrders(at) if known is None else known

    @cached_property
    def far(self) -> Far:
        """What is known of large orders."""
        return self._far()

    def against(self, target: Target) -> Comparison:
        """Return the same laws, held to another rho, or in the form events."""
        if target.bound is not Bound.ZCDP:
            return self.pure.against(target)
        pure = self.pure.against(of_events(target))
        return ConcentratedComparison(pure, self.at, target, lambda: self.far, self.orders)

    def settled(self) -> Settled:
        """Decide the target."""
        if self.equal:
            sign = self.target.epsilon.sign()
            nothing = next((one for one in self.far.bounds if not one.loss + one.rise), None)
            proof = None if nothing is None else ByOrders(KeptByOrders((), nothing))
            return Settled(None if sign is None or proof is None else -sign, proof)
        match self.found:
            case KeptByOrders():
                return Settled(self._sign_of_bounded, ByOrders(self.found))
            case Exceeded():
                return Settled(1, None, breach=self._breach)
            case StaysOpen(why):
                return Settled(None, None, why)

    @property
    def _sign_of_bounded(self) -> int:
        """0 where rho is known to be the largest divergence over its order, else -1."""
        largest = self.far.exact
        return 0 if largest is not None and largest == self.target.epsilon.fraction else -1

    @cached_property
    def found(self) -> Found:
        """Orders that bound all, or one that exceeds."""
        with precision(2 * _BITS):
            ends = self.target.epsilon.ball().ends()
        exact = self.target.epsilon.fraction
        if exact is not None:
            low = high = exact
        elif ends is None:
            return StaysOpen("rho is not known well enough")
        else:
            low, high = map(fraction_of, ends)
        work = self._work(_DECIDING, _FEWEST)
        found = OrderSearch(self.orders, low, high, bits=_BITS, work=work).found(self.far)
        return found.thinned(low) if isinstance(found, KeptByOrders) else found

    def _work(self, most: int, fewest: int) -> int:
        """How much work is done, which is enough for a few orders at least."""
        return max(most, fewest * self.at(Fraction(2)).size)

    def _breach(self) -> Breach | None:
        if not isinstance(self.found, Exceeded):
            return None
        order, rho = self.found.order, self.target.epsilon
        if order is None:
            margin = positive_margin(
                lambda: raw(self.far.limit) - rho.ball().raw, last=_LAST_BITS
            )
            return None if margin is None else Breach("zcdp-refuted", margin, order="inf")
        moment = self.at(order)
        if moment.infinite:
            return Breach("zcdp-refuted", inf, order=order)
        margin = positive_margin(
            lambda: moment.divergence_ball() / raw(order) - rho.ball().raw, last=moment.most_bits
        )
        return None if margin is None else Breach("zcdp-refuted", margin, order=order)

    # ---------------------------------------------------------------- the largest of all orders

    def divergence(self) -> Refined:
        """Return the largest divergence over its order: the least rho."""
        if self.equal:
            return ZERO
        exact = self.far.exact
        if exact is not None:
            return exactly(exact)
        if not self.far.bounds:
            _ = self.found  # which meets an infinite one
            return ANYTHING if self.orders.infinite is None else INFINITE
        if any(not one.loss + one.rise for one in self.far.bounds):
            return ZERO
        return OnGrid(self._bracket)

    def least_epsilon(self) -> Refined:
        """Return the least rho."""
        return self.divergence()

    def _bracket(self, grid: Grid) -> tuple[Fraction, Fraction | float]:
        """Bounds of the least rho: one that some order shows, and one that orders prove."""
        work = self._work(_TELLING, _A_FEW)
        return Bracketed(self.orders, self.far, max(8, 10 * grid.digits // 3 + 3), work).found()


def of_all_orders(
    pure: Orders, at: Sequence[AtOrder], target: Target, far: FarOf | None
) -> Orders:
    """Return both orders, as `both` does."""

    def one(turned: bool) -> Comparison:
        this = pure[turned]
        beyond = (lambda: by_ratio(this)) if far is None else (lambda: far(turned))
        return ConcentratedComparison(this, at[turned], target, beyond)

    return one(False), one(True)
