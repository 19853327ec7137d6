"""A divergence that is known between two numbers: what is above epsilon, or not, by one of them."""

from __future__ import annotations

from functools import cached_property

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Comparison
from pfverify.decide.renyi.chords import AtOrder
from pfverify.decide.renyi.compared import RenyiComparison, of_events
from pfverify.exact.refined import Between, Refined, ends_of
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_BITS = 64
OPEN = (
    "the divergence lies between what is known of it from below, about {}, and from above, about {}"
)


class BoundedComparison(RenyiComparison):
    """One order whose divergence is at least that of one number, and at most that of another."""

    def __init__(
        self, pure: Comparison, below: AtOrder, above: AtOrder, target: Target
    ) -> None:
        super().__init__(pure, above, target)
        self.below = RenyiComparison(pure, below, target)
        self.above = RenyiComparison(pure, above, target)

    def against(self, target: Target) -> Comparison:
        """Return the same laws, held to another epsilon, or in the form events."""
        if target.bound is not Bound.RENYI:
            return super().against(target)
        pure = self.pure.against(of_events(target))
        return BoundedComparison(pure, self.below.at, self.above.at, target)

    @property
    def why(self) -> str:
        """Why nothing is decided."""
        low, high = (float(end) for end in ends_of(self.divergence()))
        return OPEN.format(f"{low:.6g}", f"{high:.6g}")

    @cached_property
    def sign(self) -> int | None:
        """-1 where what is above is within epsilon, 1 where what is below is not."""
        if self.equal:
            return self.above.sign
        if self.above.sign in (-1, 0):
            return -1  # a tie of what is above is none of what it bounds
        return 1 if self.below.sign == 1 else None

    def _breach(self) -> Breach | None:
        return self.below.settled().breach()

    def divergence(self) -> Refined:
        """Return the divergence, between the two."""
        if self.equal:
            return self.above.divergence()
        low = ends_of(self.below.divergence(), _BITS)[0]
        high = ends_of(self.above.divergence(), _BITS)[1]
        if low > high:
            raise RuntimeError("a bound from below is above one from above")
        return Between(low, high)
