"""Priors of several numbers with Laplace or discrete Laplace noise on each of them.

Source: design facts F3, F42 and F42b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from pfverify.decide.breach import Boxes, Breach, Place
from pfverify.decide.comparison import Difference, Orders, Settled, Supremum
from pfverify.decide.grid.axes import Division, Point, size_of
from pfverify.decide.grid.pair import GridPair
from pfverify.decide.grid.sandwich import Ends, Sandwich, divisions, growth_of
from pfverify.decide.grid.supremum import grid_supremum
from pfverify.decide.largest import AtPlaces, Largest
from pfverify.decide.step import Evidence, Step
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, fraction_of, precision, raw
from pfverify.exact.refined import ZERO, Between, Refined
from pfverify.laws.forms import NoisyPoints
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import point_text
from pfverify.model.target import Target

DECIDED_POINTS, MEASURED_POINTS = 1 << 20, 1 << 18
_TIED = (
    "the loss may equal epsilon exactly, and epsilon or a scale is outside the classes with a "
    "complete zero test (a rational plus logarithms)"
)
_HALVINGS, _FEW_AXES = 50, 2


def compared(first: NoisyPoints, second: NoisyPoints, target: Target) -> Orders:
    """Return both orders of two laws of several numbers with noise of the same scales."""
    laws, names = (first.prior.mass, second.prior.mass), first.prior.names
    return both_orders(GridPair(laws, list(first.rates), first.step, names), target)


def both_orders(pair: GridPair, target: Target) -> Orders:
    """Return both orders of a pair; what the grid tells of both is shared."""
    shared = _Shared(pair)
    return (
        GridComparison(shared, target, reverse=False),
        GridComparison(shared, target, reverse=True),
    )


@dataclass(frozen=True)
class AtPoints(Evidence):
    """The ratio bounded at every point of the grid; `ties`: those with equality."""

    ties: Sequence[Point]
    rule = "grid"

    def step(self, bits: int) -> Step:
        """Return the rule, its precision, and the ties."""
        ties = [[str(x) for x in point] for point in self.ties]
        return {"rule": self.rule, "bits": bits, "ties": ties}


@dataclass(frozen=True)
class ByCuts(Evidence):
    """The upper sum on a grid."""

    axes: Sequence[Division]
    rule = "grid-upper"

    def step(self, bits: int) -> Step:
        """Return the rule, its precision, and the further places on every axis."""
        cuts = [[str(x) for x in axis.cuts] for axis in self.axes]
        return {"rule": self.rule, "bits": bits, "cuts": cuts}


class _Shared:
    """A pair with the grids that were laid over it, each finer than the one before."""

    def __init__(self, pair: GridPair) -> None:
        self.pair = pair
        self._made: dict[int, Sandwich] = {}

    @cached_property
    def _divisions(self) -> list[list[Division]]:
        return divisions(self.pair, DECIDED_POINTS)

    def sandwiches(self, most: int) -> Sequence[int]:
        """Return the numbers of the grids of at most so many points, at least one."""
        return [k for k, axes in enumerate(self._divisions) if not k or size_of(axes) <= most]

    def sandwich(self, number: int) -> Sandwich:
        """Return one of them; the last is kept."""
        if number not in self._made:
            self._made = {number: Sandwich(self.pair, self._divisions[number])}
        return self._made[number]


@dataclass(frozen=True)
class _Bounded:
    """What exceeds delta: its sign, its ends, and the grid that shows them."""

    sign: int | None
    ends: Ends
    axes: Sequence[Division]


class GridComparison(Difference):
    """One order of two laws of several numbers."""

    no_witness = "the excess is > 0, but no margin > 0 is proved"

    def __init__(self, shared: _Shared, target: Target, *, reverse: bool) -> None:
        self._shared, self.target, self.reverse = shared, target, reverse
        self.pair = shared.pair

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.pair.equal

    def against(self, target: Target) -> GridComparison:
        """Return the same order of the same pair, held to another target."""
        found = GridComparison(self._shared, target, reverse=self.reverse)
        vars(found)["supremum"] = self.supremum
        return found

    @cached_property
    def supremum(self) -> Largest[Point]:
        """The largest log ratio."""
        return grid_supremum(self.pair, reverse=self.reverse)

    @cached_property
    def _ratio(self) -> AtPlaces[Point]:
        if self.equal:
            sign = self.target.epsilon.sign()
            first = next(iter(self.pair.laws[0]))
            return AtPlaces(None if sign is None else -sign, ZERO, lambda: first)
        return self.supremum.decided(self.target.epsilon)

    @cached_property
    def bounded(self) -> _Bounded:
        """What exceeds epsilon, against delta: coarse grids first."""
        with precision(128):
            delta = _ends_of(self.target.delta.ball())
        growth, best = growth_of(self.target), Ends(0.0, 1.0)
        axes: Sequence[Division] = self.pair.whole
        for number in self._shared.sandwiches(DECIDED_POINTS):
            sandwich = self._shared.sandwich(number)
            found = sandwich.ends(growth, reverse=self.reverse)
            best = Ends(max(best.lower, found.lower), min(best.upper, found.upper))
            axes = sandwich.axes
            if (sign := found.sign(delta)) is not None:
                return _Bounded(sign, found, axes)
        return _Bounded(None, best, axes)

    @property
    def _measured(self) -> int:
        """Points of a grid that measures: fewer where cells have many corners."""
        return MEASURED_POINTS if len(self.pair.long) <= _FEW_AXES else MEASURED_POINTS >> 4

    def sandwich(self, most: int) -> Sandwich:
        """Return both bounds of the divergence, on the finest grid of at most so many points."""
        return self._shared.sandwich(self._shared.sandwiches(most)[-1])

    @property
    def proved(self) -> Evidence:
        """Nothing but the rule: no point ties, and no more cuts are needed."""
        return AtPoints(()) if self.equal else ByCuts(self.pair.whole)

    @property
    def signs(self) -> Settled:
        """The sign of the largest ratio, at the points of the grid."""
        found = self._ratio
        why = _TIED if found.sign is None else None
        return Settled(found.sign, AtPoints(found.ties), why, breach=self._point_breach)

    @property
    def area(self) -> Settled:
        """The sign of the divergence, less delta; where the ratio is bounded that proves it."""
        if self.target.bound is Bound.EXCESS:
            raise InputError("form: pointwise says nothing of several numbers")
        if self._ratio.sign in (-1, 0):
            return Settled(-1, AtPoints(self._ratio.ties))
        known = self.bounded
        return Settled(
            known.sign, ByCuts(known.axes), self._why(known), (), self._event_breach,
            delta=self._between(known.ends),
        )  # fmt: skip

    def _why(self, found: _Bounded) -> str | None:
        if found.sign is not None:
            return None
        if not self.pair.fits:
            return "the loss is above epsilon, and a grid that bounds delta has too many points"
        return (
            f"delta lies between the two bounds that are known of it, {found.ends.lower:.9g} and "
            f"{found.ends.upper:.9g}: a finer grid would have too many points"
        )

    def told(self) -> Settled:
        """Decide the target, with the loss as the sign of the ratio tells it."""
        found = replace(self.settled(), loss=self._ratio.amount)
        if found.delta is None and self.target.bound is Bound.DIVERGENCE:
            bounded = self._ratio.sign in (-1, 0)
            return replace(found, delta=ZERO if bounded else self._between(self.bounded.ends))
        return found

    def _where(self) -> Place:
        return point_text(self._ratio.worst if self.equal else self.supremum.worst)

    def _point_breach(self) -> Breach | None:
        margin = self._ratio.margin()
        return None if margin is None else Breach("grid-refuted", margin, point=self._ratio.worst)

    def _event_breach(self) -> Breach | None:
        """The union of the cells whose excess is positive."""
        found = self.bounded
        with precision(128):
            margin: Raw = raw(Fraction(found.ends.lower)) - self.target.delta.ball().raw
        if not margin > 0:
            return None
        count = Sandwich(self.pair, found.axes).exceeding(
            growth_of(self.target), reverse=self.reverse
        )
        boxes = Boxes(count, [axis.cuts for axis in found.axes])
        return Breach("grid-event-refuted", margin, cells=boxes)

    def _between(self, ends: Ends) -> Refined:
        return Between(Fraction(ends.lower), Fraction(ends.upper))

    def loss(self) -> Supremum:
        """Return epsilon*, reached at a point of the grid."""
        return Supremum(ZERO if self.equal else self.supremum.amount, self._where)

    def exceeding(self) -> Refined:
        """Return the divergence between its two bounds."""
        if self.equal or self._ratio.sign in (-1, 0):
            return ZERO
        sandwich = self.sandwich(self._measured)
        return self._between(sandwich.ends(growth_of(self.target), reverse=self.reverse))

    def least_epsilon(self) -> Refined:
        """Return the least epsilon between two that the bounds decide."""
        if self.equal:
            return ZERO
        with precision(128):
            delta = _ends_of(self.target.delta.ball())
            most = _ends_of(self.supremum.ball(128))[1]

        def sign_at(epsilon: Fraction) -> int | None:
            growth = growth_of(self.target.at_epsilon(epsilon))
            return self.sandwich(self._measured).ends(growth, reverse=self.reverse).sign(delta)

        if sign_at(Fraction(0)) == -1:
            return ZERO
        lower, high = Fraction(0), most
        for _ in range(_HALVINGS):  # the last that is refuted
            middle = (lower + high) / 2
            lower, high = (middle, high) if sign_at(middle) == 1 else (lower, middle)
        low, upper = lower, most
        for _ in range(_HALVINGS):  # the first that is certified
            middle = (low + upper) / 2
            low, upper = (low, middle) if sign_at(middle) == -1 else (middle, upper)
        return Between(lower, upper)


def _ends_of(ball: Ball) -> tuple[Fraction, Fraction]:
    ends = ball.ends()
    if ends is None:
        raise InputError("a number of this problem is not enclosed")
    return fraction_of(ends[0]), fraction_of(ends[1])
