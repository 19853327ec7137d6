"""Many releases of one X: one release that they are worth decides them, or bounds them.

Source: design facts F40 and F41.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from pfverify.decide.comparison import Comparison, Decision, Settled, Supremum
from pfverify.exact.refined import Between, Refined, ends_of
from pfverify.model.notion import Bound
from pfverify.model.target import Target


class SameDraws(Comparison):
    """One order of two laws under many releases of one X, with Laplace or discrete Laplace noise.

    `collapsed` is the order under the one release that they are worth: it has the same loss, and
    what delta bounds is at most what it is there. `singles` are the orders under single releases,
    below which it never falls; `grid`, where there is one, that of the law of (X, .., X).
    """

    no_witness = "the excess is > 0, but no margin > 0 is proved of one of the releases"

    def __init__(
        self, collapsed: Comparison, singles: Sequence[Comparison], grid: Comparison | None
    ) -> None:
        self.collapsed, self.singles, self.grid = collapsed, singles, grid
        self.target = collapsed.target

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.collapsed.equal

    def against(self, target: Target) -> SameDraws:
        """Return the same order, held to another target."""
        grid = None if self.grid is None else self.grid.against(target)
        return SameDraws(
            self.collapsed.against(target), [one.against(target) for one in self.singles], grid
        )

    @property
    def _exact(self) -> bool:
        """Whether the one release decides: its losses are those of all releases."""
        return self.target.bound is Bound.RATIO or self.equal

    @cached_property
    def deciding(self) -> tuple[Settled, Comparison | None, int | None]:
        """What settles the target, the order that does, and which single release it is of."""
        above = self.collapsed.settled()
        if self._exact:
            return above, self.collapsed, None
        if above.sign in (-1, 0):  # a bound that ties is no tie of what it bounds
            return replace(above, sign=-1), self.collapsed, None
        for index, one in enumerate(self.singles):
            if (found := one.settled()).sign == 1:
                return found, one, index
        if self.grid is not None:
            found = self.grid.settled()
            if found.sign is not None:
                return found, self.grid, None
        return Settled(None, None, self._why()), None, None

    def _why(self) -> str:
        return between_words(self._bounds(self.target))

    def settled(self) -> Settled:
        """Decide the target: by the one release, by a single one, or by the grid."""
        return self.deciding[0]

    def decided(self) -> Decision:
        """Decide the target, with where it fails."""
        settled, order, index = self.deciding
        if self._exact:
            return self.collapsed.decided()
        loss = self.collapsed.loss()
        found = None if order is None else order.decided()
        breach = None if found is None or settled.sign != 1 else found.breach
        if breach is not None and index is not None:
            breach = replace(breach, release=index)
        return Decision(
            sign=settled.sign,
            loss=loss.value,
            delta=self.exceeding(),
            worst=loss.where,
            evidence=settled.evidence,
            breach=breach,
            reason=settled.reason,
        )

    def loss(self) -> Supremum:
        """Return epsilon*, that of the one release, reached where all outputs are the same."""
        return self.collapsed.loss()

    def exceeding(self) -> Refined:
        """Return what delta bounds: between a single release and the one that they are worth."""
        return self.collapsed.exceeding() if self.equal else self._bounds(self.target)

    def _bounds(self, target: Target) -> Between:
        held = self.against(target)
        upper = [held.collapsed.exceeding()]
        lower = [one.exceeding() for one in held.singles]
        if held.grid is not None:
            upper.append(held.grid.exceeding())
            lower.append(held.grid.exceeding())
        return Between(max(ends_of(one)[0] for one in lower), min(ends_of(one)[1] for one in upper))

    def least_epsilon(self) -> Refined:
        """Return the least epsilon between that of a single release and that of the one."""
        upper = [self.collapsed.least_epsilon()]
        lower = [one.least_epsilon() for one in self.singles]
        if self.grid is not None:
            upper.append(self.grid.least_epsilon())
            lower.append(self.grid.least_epsilon())
        return Between(max(ends_of(one)[0] for one in lower), min(ends_of(one)[1] for one in upper))


def between_words(bounds: Between) -> str:
    """Return why a delta between two bounds is not decided.

    Example: ``between_words(Between(0.25, 0.5))[-12:]`` is ``"0.25 and 0.5"``.
    """
    return (
        "delta lies between the two bounds that are known of these releases together, about "
        f"{float(bounds.lower):.6g} and {float(bounds.upper):.6g}"
    )
