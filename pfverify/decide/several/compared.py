"""Many releases of one quantity as a route: what each question about them comes down to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from pfverify.decide.comparison import Comparison, Orders
from pfverify.decide.grid.compared import both_orders
from pfverify.decide.grid.pair import GridPair
from pfverify.decide.several.reduced import Goal, Reduced
from pfverify.decide.several.summed import Fresh, summed
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.question import Question
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Budget, Repeated

FEW_RELEASES = 4
_FEW_POINTS = 1 << 14
Decide = Callable[[Question], Orders]


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of a pair under many releases; `decide` compares it under one.

    Source: design facts F40, F41 and F43.
    """
    release = item.release
    if isinstance(release, Budget):
        return decide(item.under(release.collapsed))
    if not isinstance(release, Repeated):
        raise InputError("this decision is about many releases")
    if release.noise.adds_nothing and not release.fresh:
        return decide(item.under(release.one))
    grids = _grid(item, release)
    singles = [decide(item.under(share.release)) for share in release.shares]

    def grid(side: int) -> Comparison | None:
        return None if grids is None else grids[side]

    if release.fresh:
        target = target_of(item)
        parts = [
            [Fresh(orders[side], share.times)
             for orders, share in zip(singles, release.shares, strict=True)]
            for side in (0, 1)
        ]  # fmt: skip
        return summed(parts[0], grid(0), target), summed(parts[1], grid(1), target)
    collapsed = decide(item.under(release.collapsed))
    if release.noise.squares:
        return collapsed
    first, second = (
        _worth(collapsed[side], [orders[side] for orders in singles], grid(side)) for side in (0, 1)
    )
    return first, second


def _worth(one: Comparison, singles: Sequence[Comparison], grid: Comparison | None) -> Reduced:
    """One order under many releases of one X, with (discrete) Laplace noise.

    It loses what it does under the `one` release that they are worth, and exceeds no more; it never
    exceeds less than under a single one.
    """
    below = [Goal(order, release=index) for index, order in enumerate(singles)]
    return Reduced([one], below, [] if grid is None else [Goal(grid)], same=one)


def _grid(item: Question, release: Repeated) -> tuple[Comparison, Comparison] | None:
    """Both orders of all outputs together on their grid; None where that is large or not known."""
    bounds_ratio = target_of(item).bound is Bound.RATIO
    first, second = item.priors
    one = release.one
    if not (isinstance(first, Discrete) and isinstance(second, Discrete)):
        return None
    if bounds_ratio or not isinstance(one, Noise) or not one.exponential or not one.has_size:
        return None
    if release.count > FEW_RELEASES or (first.size + second.size) ** release.count > _FEW_POINTS:
        return None
    rates = [Rate(noise.stated_scale()) for noise in release.listed]
    laws = [_law(prior, len(rates), fresh=release.fresh) for prior in (first, second)]
    names = [f"release {k}" for k in range(1, len(rates) + 1)]
    return both_orders(GridPair((laws[0], laws[1]), rates, one.step, names), target_of(item))


def _law(prior: Discrete, count: int, *, fresh: bool) -> dict[tuple[Fraction, ...], Fraction]:
    """The law of what is released so often, before the noise."""
    if not fresh:
        return {(x,) * count: mass for x, mass in prior.mass.items()}
    found = {}
    for atoms in product(prior.mass.items(), repeat=count):
        found[tuple(x for x, _ in atoms)] = prod((mass for _, mass in atoms), start=Fraction(1))
    return found
