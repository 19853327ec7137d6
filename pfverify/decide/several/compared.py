"""Many releases of one quantity as a route: what each question about them comes down to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

from pfverify.decide.comparison import Comparison, Orders
from pfverify.decide.composed.compared import together
from pfverify.decide.composed.parts import ComparedPart
from pfverify.decide.composed.wholes import AtomLaw, ComposedParts, Coupled, Decide
from pfverify.decide.grid.compared import both_orders
from pfverify.decide.grid.pair import GridPair
from pfverify.decide.several.coordinates import SameLaw, composed, repeated
from pfverify.decide.several.reduced import Goal, Reduced, is_of_points
from pfverify.decide.several.summed import summed
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint
from pfverify.model.question import Question
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.model.target import Target

FEW_RELEASES = 4
_OPEN = (
    "with delta = 0 nothing is known of many releases of one X with this noise, unless X is a "
    "point under either secret, but that they lose at least what one of them does"
)
_FEW_POINTS = 1 << 14


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
    grids, target = _grid(item, release), target_of(item)
    parts = [
        ComparedPart(item.under(share.release), decide(item.under(share.release)), share.times)
        for share in release.shares
    ]
    points = is_of_points(item)
    if release.collapses and release.noise.squares and not release.fresh:
        return decide(item.under(release.collapsed))
    vector = any(isinstance(law, Joint) for law in item.priors)
    # the numbers of one release are decided together where their law is worked out
    apart = vector and any(part.laws is None for part in parts)
    if apart and not release.collapses:
        return repeated(item, parts, decide)
    if release.fresh or (points and not release.collapses):
        return summed(parts, target, grids)
    if vector and release.collapses:
        known = composed(parts, item, decide)
    else:
        whole = ComposedParts(parts) if points else Coupled(parts, decide)
        known = grids or together(whole, target)
    if vector and points and known is not None:  # whose losses are known too
        return Reduced([], [], [Goal(known[0])]), Reduced([], [], [Goal(known[1])])
    one = decide(item.under(release.collapsed)) if release.collapses else None

    def order(side: int) -> Reduced:
        singles = [part.orders[side] for part in parts]
        same = _same_law(item, target, side, len(parts)) if one is None else None
        return _worth(None if one is None else one[side], singles, known and known[side], same)

    return order(0), order(1)


def _worth(
    one: Comparison | None, singles: Sequence[Comparison], known: Comparison | None,
    same: SameLaw | None,
) -> Reduced:  # fmt: skip
    """One order under many releases of one X.

    It loses what it does under the `one` release that they are worth, if there is one, and exceeds
    no more; it never exceeds less than under a single one. `known`: with a delta, all together.
    `same`: the two laws, if they are the same and nothing else decides that.
    """
    below = [Goal(order, release=index) for index, order in enumerate(singles)]
    exact = [] if known is None else [Goal(known)]
    if one is None:
        return Reduced([] if same is None else [same], below, exact, why=None if exact else _OPEN)
    return Reduced([one], below, exact, same=one)


def _same_law(item: Question, target: Target, side: int, outputs: int) -> SameLaw | None:
    first, second = item.priors
    if not (isinstance(first, AtomLaw) and isinstance(second, AtomLaw)) or first != second:
        return None
    return SameLaw((first, second), target, side, outputs)


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
