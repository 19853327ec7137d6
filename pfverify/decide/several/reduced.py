"""One order that comes down to others: the goals that bound it from both sides, or are the same.

Many releases come down to one that they are worth, to single ones and to a grid of all; what steps
publish of several numbers to the numbers themselves, and to parts of the outputs.
Source: post-processing; design facts F40 to F43.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import inf
from typing import Any, NamedTuple

from pfverify.decide.breach import Breach, Direction, WithRest
from pfverify.decide.comparison import Comparison, Settled, Supremum
from pfverify.exact.refined import Between, End, Refined, ends_of
from pfverify.model.notion import Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint
from pfverify.model.question import Question
from pfverify.model.target import Target

Named = Sequence[str] | int
"""Some of the outputs, as a certificate names them: coordinates, or the place of a release."""
Part = Named | WithRest | Direction
"""The same, maybe with a number added to X; or a sum of them."""


def within(part: Part, inner: Part) -> tuple[str, ...]:
    """Return how a certificate names a part of the outputs of one of several parts.

    Example: ``within(("part 1",), 0)`` is ``("part 1", "release 1")``.
    """
    names: list[str] = []
    for one in (part, inner):
        match one:
            case WithRest():
                names += [f"release {one.release + 1}", f"rest {one.rest}"]
            case int():
                names.append(f"release {one + 1}")
            case Direction():
                names.append(f"direction {', '.join(map(str, one.weights))}")
            case _:
                names += one
    return tuple(names)


def is_of_points(item: Question) -> bool:
    """Say whether X is one number, or one point, under either secret.

    Example: ``is_of_points(item)`` is False where one of the laws has two atoms.
    """
    return all(isinstance(law, Discrete | Joint) and len(law.mass) == 1 for law in item.priors)


class Goal(NamedTuple):
    """An order that says something of another, and what its breach is there.

    It is that of the `release`, of the `part` of the outputs, or `far` out. `owned`: it holds of
    the ratio alone, and where the breach is one of the other too.
    """

    order: Comparison
    release: int | None = None
    part: Part | None = None
    far: bool = False
    owned: Callable[[Breach], bool] | None = None

    def against(self, target: Target) -> Goal:
        """Return the same, held to another target."""
        return self._replace(order=self.order.against(target))

    def told(self, found: Settled) -> Settled:
        """Return what the order settles, its breach as one of the whole: what it loses is its own.
        """

        def breach() -> Breach | None:
            here = found.breach()
            named = {"release": self.release, "part": self.part, "far": self.far or None}
            told: dict[str, Any] = {key: x for key, x in named.items() if x is not None}
            if here is not None and here.part is not None and self.part is not None:
                told["part"] = within(self.part, here.part)
            return None if here is None else replace(here, **told)

        return Settled(found.sign, found.evidence, found.reason, breach=breach)

    def fails(self, found: Settled) -> bool:
        """Say whether a target that this order fails is failed by the whole."""
        if self.owned is None or found.sign != 1:
            return found.sign == 1
        if self.order.target.bound is not Bound.RATIO:
            return False
        breach = found.breach()
        return breach is not None and self.owned(breach)


class Reduced(Comparison):
    """One order that is at most each of those `above`, at least each of those `below`.

    Those in `exact` are equal to it; `same`, one of those above, has the same ratios, so that with
    delta = 0 it decides alone. `why` says why nothing is decided (None: delta lies between two
    bounds), and `place` where outputs are that are none of the whole.
    """

    no_witness = "the excess is > 0, but no margin > 0 is proved"

    def __init__(
        self,
        above: Sequence[Comparison],
        below: Sequence[Goal],
        exact: Sequence[Goal] = (),
        *,
        same: Comparison | None = None,
        why: str | None = None,
        place: str = "{}",
    ) -> None:
        if same is not None and all(order is not same for order in above):
            raise ValueError("an order with the same ratios is one of those above")
        self.above, self.below, self.exact, self.same = above, below, exact, same
        self.why, self.place = why, place
        self.target = next(self._orders()).target

    def _orders(self) -> Iterator[Comparison]:
        yield from self.above
        yield from (goal.order for goal in (*self.exact, *self.below))

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return next(self._orders()).equal

    def against(self, target: Target) -> Reduced:
        """Return the same order, held to another target."""
        above = [order.against(target) for order in self.above]
        same = next(  # the same order serves twice
            (new for old, new in zip(self.above, above, strict=True) if old is self.same), None
        )
        return Reduced(
            above,
            [goal.against(target) for goal in self.below],
            [goal.against(target) for goal in self.exact],
            same=same, why=self.why, place=self.place,
        )  # fmt: skip

    @cached_property
    def deciding(self) -> tuple[Settled, Comparison | None, Goal | None]:
        """What settles the target, the order that does, and the goal below that it is of."""
        if self._alone is not None:
            return self._shown(self._alone.settled()), self._alone, None
        for order in self.above:
            if (found := order.settled()).sign in (-1, 0):
                return Settled(-1, found.evidence), order, None  # its tie is none of what it bounds
        for goal in self.below:
            found = goal.order.settled()
            if goal.fails(found):
                return goal.told(found), goal.order, goal
        reason = None
        for goal in self.exact:
            if (found := goal.order.settled()).sign is not None:
                return goal.told(found), goal.order, None
            reason = found.reason
        if self.why is None:
            reason = _between_words(*ends_of(self._bounds(_exceeding)))
        return Settled(None, None, reason or self.why), None, None

    @property
    def _alone(self) -> Comparison | None:
        """The order that decides alone."""
        return self.same if self.target.bound is Bound.RATIO or self.equal else None

    def settled(self) -> Settled:
        """Decide the target: met where it is above, failed where it is below, or as one is."""
        return self.deciding[0]

    def told(self) -> Settled:
        """Decide the target; an order that decides alone tells it."""
        return self.settled() if self._alone is None else self._shown(self._alone.told())

    def _shown(self, found: Settled) -> Settled:
        """What an order settles alone; where it shows no breach, with one that another shows."""

        def breach() -> Breach | None:
            others = (
                goal.told(settled) for goal in (*self.below, *self.exact)
                if goal.fails(settled := goal.order.settled())
            )  # fmt: skip
            shown = (one.breach() for one in chain([found], others))
            return next((one for one in shown if one is not None), None)

        return found if found.sign != 1 else replace(found, breach=breach)

    def loss(self) -> Supremum:
        """Return epsilon*: that of an order with the same, or between its bounds."""
        told = [goal.order for goal in self.exact if goal.order.tells_loss]
        exact = [order.loss() for order in told] if self.same is None else []
        known = exact if self.same is None else [self.same.loss()]
        for found in known:
            value = found.value
            if not self.above or not isinstance(value, Between) or value.lower == value.upper:
                return found
        tops = [order.loss() for order in self.above]
        lower = [goal.order.loss() for goal in self.below if goal.owned is None]
        value = _between(
            [top.value for top in tops], [one.value for one in (*lower, *exact)]
        )
        of_tops = [top for top, order in zip(tops, self.above, strict=True) if order.tells_loss]
        shown = (of_tops or lower or tops)[0]
        return Supremum(value, lambda: self.place.format(shown.where))

    def exceeding(self) -> Refined:
        """Return what delta bounds, between what is below and what is above."""
        return self._bounds(_exceeding)

    def least_epsilon(self) -> Refined:
        """Return the least epsilon, between what is below and what is above."""
        return self._bounds(lambda order: order.least_epsilon())

    def _bounds(self, of: Callable[[Comparison], Refined]) -> Refined:
        exact = [of(goal.order) for goal in self.exact]
        if len(exact) == 1 and not self.above:
            return exact[0]
        lower = [of(goal.order) for goal in self.below if goal.owned is None]
        return _between([*(of(order) for order in self.above), *exact], [*lower, *exact])


def _exceeding(order: Comparison) -> Refined:
    return order.exceeding()


def _between(upper: Sequence[Refined], lower: Sequence[Refined]) -> Between:
    most = min((ends_of(one)[1] for one in upper), default=inf)
    least = max((ends_of(one)[0] for one in lower), default=Fraction(0))
    return Between(min(least, most), most)


def _between_words(low: End, high: End) -> str:
    """Why a delta between two bounds is not decided."""
    return (
        "delta lies between the two bounds that are known of these releases together, about "
        f"{float(low):.6g} and {float(high):.6g}"
    )
