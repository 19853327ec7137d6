"""Independent outputs, releases of fresh draws or parts: R of them all is the product (F97)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import NamedTuple

from pfverify.decide.comparison import Comparison, Orders
from pfverify.decide.renyi.beyond import together
from pfverify.decide.renyi.bounded import BoundedComparison
from pfverify.decide.renyi.chords import AtOrder
from pfverify.decide.renyi.compared import RenyiComparison
from pfverify.decide.renyi.concentrated import ConcentratedComparison, of_all_orders
from pfverify.decide.renyi.moment import Quotient, RenyiMoment
from pfverify.decide.renyi.shared import Decide, as_events, bounds_of
from pfverify.decide.renyi.shared import compared as shared_compared
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import ExpSum
from pfverify.model.notion import Bound
from pfverify.model.priors.of_parts import OfParts
from pfverify.model.question import Question
from pfverify.model.releases.composition import ComposedReleases
from pfverify.model.releases.repeated import Repeated

_WRITTEN = 64  # factors of an exact product


class ProductMoment(RenyiMoment):
    """Of independent outputs, so many of each."""

    def __init__(self, parts: Sequence[tuple[RenyiMoment, int]], order: Fraction) -> None:
        self.parts, self.order = parts, order
        known = {moment.infinite for moment, _ in parts}
        self.infinite = True if True in known else None if None in known else False
        self.most_bits = min(moment.most_bits for moment, _ in parts)
        self.size = sum(moment.size for moment, _ in parts)

    def ball(self) -> Raw:
        """Return the product."""
        return prod((moment.ball() ** times for moment, times in self.parts), start=raw(1))

    def divergence_ball(self) -> Raw:
        """Return the sum of the divergences."""
        return sum((moment.divergence_ball() * times for moment, times in self.parts), raw(0))

    def exact(self) -> Quotient | None:
        """Return the product where all are exact, and few."""
        if sum(times for _, times in self.parts) > _WRITTEN:
            return None
        top = bottom = ExpSum.constant(1)
        for moment, times in self.parts:
            found = moment.exact()
            if found is None:
                return None
            for _ in range(times):
                top, bottom = top * found[0], bottom * found[1]
        return top, bottom


class _Piece(NamedTuple):
    """Both orders of outputs that are independent of all others, and how many there are."""

    orders: Orders
    times: int


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of a pair under many releases, or parts; `decide` compares one.

    Raises InputError where nothing is known of one.
    """
    pieces = [*_pieces(item, decide)]
    if not pieces:
        return shared_compared(item, decide)
    pure, target = decide(as_events(item)), target_of(item)
    sides = [[(piece.orders[side], piece.times) for piece in pieces] for side in (0, 1)]
    if target.bound is Bound.ZCDP:
        parts = [[(_of_all(order), times) for order, times in side] for side in sides]
        return of_all_orders(
            pure, [_product([(order.at, times) for order, times in side]) for side in parts],
            target, lambda turned: together([(order.far, times) for order, times in parts[turned]]),
        )  # fmt: skip

    def one(side: int) -> Comparison:
        known = [(bounds_of(order), times) for order, times in sides[side]]
        below, above = (_product([(of[k], times) for of, times in known]) for k in (0, 1))
        if all(low is high for (low, high), _ in known):
            return RenyiComparison(pure[side], above, target)
        return BoundedComparison(pure[side], below, above, target)

    return one(0), one(1)


def _product(parts: Sequence[tuple[AtOrder, int]]) -> AtOrder:
    return lambda order: ProductMoment([(at(order), times) for at, times in parts], order)


def _of_all(order: Comparison) -> ConcentratedComparison:
    if not isinstance(order, ConcentratedComparison):
        raise TypeError(f"expected divergences of all orders, got {type(order).__name__}")
    return order


def _pieces(item: Question, decide: Decide) -> Iterator[_Piece]:
    """The independent outputs; none where all are of one X."""
    release = item.release
    if isinstance(release, ComposedReleases):
        first, second = item.priors
        if not (isinstance(first, OfParts) and isinstance(second, OfParts)):
            raise InputError("this decision is about laws of several parts")
        for k, part in enumerate(release.parts):
            one = replace(
                item, first_prior=first.laws[k], second_prior=second.laws[k],
                release=part.release,
            )  # fmt: skip
            yield _Piece(decide(one), part.times)
    elif isinstance(release, Repeated) and release.fresh:
        for share in release.shares:
            yield _Piece(decide(item.under(share.release)), share.times)
