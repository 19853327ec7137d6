"""Releases of fresh draws: R of all of them is the product (design fact F97)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from pfverify.decide.comparison import Never, Orders, Scaled
from pfverify.decide.renyi.beyond import together
from pfverify.decide.renyi.both import both
from pfverify.decide.renyi.chords import AtOrder, Far
from pfverify.decide.renyi.compared import Diverging
from pfverify.decide.renyi.concentrated import ConcentratedComparison
from pfverify.decide.renyi.moment import Quotient, RenyiMoment
from pfverify.decide.renyi.scaled import ByDivergence
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import ExpSum
from pfverify.model.notion import EVENTS
from pfverify.model.question import Question
from pfverify.model.releases.repeated import Repeated
from pfverify.model.requirement import Requirement

Decide = Callable[[Question], Orders]
_WRITTEN = 64  # factors of an exact product
_SHARED = (
    "form: {} is decided of releases of fresh draws (draws = fresh), and of releases of one X "
    "with Gaussian noise"
)


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


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of a pair under many releases; `decide` compares it under one.

    Raises InputError where the releases are not independent.
    """
    release = item.release
    if not isinstance(release, Repeated):
        raise InputError(_SHARED.format(item.requirement.notion.name))
    if not release.fresh and release.noise.squares:
        return decide(item.under(release.collapsed))
    if not release.fresh:
        raise InputError(_SHARED.format(item.requirement.notion.name))
    orders = [(decide(item.under(one.release)), one.times) for one in release.shares]
    parts = [[(_diverging(pair[k]), times) for pair, times in orders] for k in (0, 1)]
    required = item.requirement
    plain = Requirement(required.epsilon, 0, EVENTS, required.protection)
    return both(
        decide(replace(item, requirement=plain)),
        lambda turned, order: ProductMoment(
            [(one.at(order), times) for one, times in parts[turned]], order
        ),
        target_of(item),
        lambda turned: together([(_far(one), times) for one, times in parts[turned]]),
    )


def _diverging(order: object) -> Diverging:
    if not isinstance(order, Diverging):
        raise TypeError(f"expected a divergence, got {type(order).__name__}")
    return order


def _far(order: Diverging) -> Far:
    if not isinstance(order, ConcentratedComparison):
        raise TypeError(f"expected divergences of all orders, got {type(order).__name__}")
    return order.far


class FreshScaled(ByDivergence):
    """One pair under many releases, at any scale of the first of them."""

    def __init__(
        self, item: Question, decide: Decide, at_any_scale: Callable[[Question], Scaled]
    ) -> None:
        super().__init__(item)
        release = item.release
        if not isinstance(release, Repeated):
            raise InputError(_SHARED.format(item.requirement.notion.name))
        self._decide, self._release = decide, release
        self._one = at_any_scale(item.under(release.one))
        _ = self.at(Fraction(1))  # refused at once, if it is

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale."""
        return compared(self.item.under(self._release.with_scale(scale)), self._decide)

    def bare(self) -> Orders:
        """Return both orders of all draws, or of X, without noise."""
        return self.at(Fraction(0)) if self._release.fresh else self._one.bare()

    def at_orders(self, scale: Fraction) -> Sequence[AtOrder]:
        """Return what has the numbers of both orders at a scale."""
        return [_diverging(order).at for order in self.at(scale)]

    def never(self) -> Never | None:
        """Return the reason that one release has."""
        return self._one.never()

    @property
    def smallest_gap(self) -> Fraction | None:
        """The smallest distance between atoms."""
        return self._one.smallest_gap

