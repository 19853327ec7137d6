"""Several outputs of one X: releases of one draw, and numbers that each have noise of their own.

Where R is no finite sum it lies between that of single outputs and a bound from above: the average
over a coupling, or one release that all are made of (design facts F40, F95, F97 and F110). Of two
or three outputs with Laplace noise cells bound it more closely from both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pfverify.decide.comparison import Comparison, Orders
from pfverify.decide.renyi.bounded import BoundedComparison
from pfverify.decide.renyi.cells import OfCells, grid_of
from pfverify.decide.renyi.chords import AtOrder
from pfverify.decide.renyi.compared import RenyiComparison, order_of
from pfverify.decide.renyi.moment import OfEqual
from pfverify.decide.renyi.outputs import LaplaceOutput, NormalOutput, OneOutput
from pfverify.decide.renyi.points import AverageMoment, Extreme, OfTuples, is_sum
from pfverify.decide.several.coordinates import joint_laws, noises_of
from pfverify.decide.several.vectors import line_weights, seen
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.laws.rate import Rate
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.notion import EVENTS, Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint, Point
from pfverify.model.priors.prior import Prior
from pfverify.model.question import Question
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.model.requirement import Requirement

_SHARED = (
    "form: {} is decided of releases of fresh draws (draws = fresh), and of releases of one X "
    "with gaussian noise"
)
_FIRST = (
    "order: 1 is not known of several outputs of one X, nor of several numbers with noise; "
    "expected an order above 1"
)
Decide = Callable[[Question], Orders]
_OTHER = (
    "form: renyi is decided of several outputs of one X with (discrete) laplace or gaussian noise"
)


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of a pair under several outputs; `decide` compares it under one.

    Raises InputError for other noise.
    """
    release = item.release
    if isinstance(release, Budget):
        return decide(item.under(release.collapsed))
    if isinstance(release, Repeated) and release.noise.adds_nothing:
        return decide(item.under(release.one))
    if isinstance(release, Repeated) and release.noise.squares:
        return decide(item.under(release.collapsed))
    target = target_of(item)
    if target.bound is not Bound.RENYI:
        raise InputError(_SHARED.format(target.notion.name))
    laws, outputs, order = [*map(law_of_points, item.priors)], outputs_of(item), order_of(target)
    if order == 1:
        raise InputError(_FIRST)
    sums = [is_sum(laws[side], laws[1 - side], order) for side in (0, 1)]
    pure = decide(as_events(item))
    known = _Known(item, decide) if not all(sums) else None
    grid = None if known is None else grid_of(laws[0], laws[1], outputs)

    def one(side: int) -> Comparison:
        p, q = laws[side], laws[1 - side]
        if known is None or sums[side]:
            return RenyiComparison(pure[side], lambda a: OfTuples(p, q, outputs, a), target)
        if known.same is not None:
            return RenyiComparison(pure[side], bounds_of(known.same[side])[0], target)
        alone = [bounds_of(orders[side])[0] for orders in known.alone]
        worth = [bounds_of(orders[side])[1] for orders in known.worth]
        turned = side == 1

        def below(a: Fraction) -> Extreme:
            cells = [] if grid is None else [OfCells(grid, a, turned=turned, above=False)]
            return Extreme([*(at(a) for at in alone), *cells], largest=True)

        def above(a: Fraction) -> Extreme:
            cells = [] if grid is None else [OfCells(grid, a, turned=turned, above=True)]
            average = AverageMoment(p, q, outputs, a)
            return Extreme([*(at(a) for at in worth), average, *cells], largest=False)

        return BoundedComparison(pure[side], below, above, target)

    return one(0), one(1)


def as_events(item: Question) -> Question:
    """Return the question about the same epsilon in the form events, with delta = 0.

    Example: ``as_events(item).requirement.notion.name`` is ``"events"``.
    """
    required = item.requirement
    return replace(
        item, requirement=Requirement(required.epsilon, 0, EVENTS, required.protection)
    )


def bounds_of(order: Comparison) -> tuple[AtOrder, AtOrder]:
    """Return what bounds a divergence from below and from above: the same where it is known.

    Raises TypeError for what is no divergence of one order.
    """
    match order:
        case _ if order.equal:
            return OfEqual, OfEqual
        case BoundedComparison():
            return order.below.at, order.above.at
        case RenyiComparison():
            return order.at, order.at
    raise TypeError(f"expected a divergence, got {type(order).__name__}")


class _Known:
    """What single outputs and one release tell: `alone` of the one, `worth` of the other.

    `same`: the one number, of points on a line with normal noise, that tells as much as all.
    """

    def __init__(self, item: Question, decide: Decide) -> None:
        release = item.release
        self.same: Orders | None = None
        self.worth: list[Orders] = []
        if isinstance(release, Repeated):
            self.alone = [decide(item.under(share.release)) for share in release.shares]
            self.worth = [decide(item.under(release.collapsed))]
            return
        if release.noise.squares:
            weights = line_weights(item)
            self.same = None if weights is None else decide(seen(item, weights))
        size = len(joint_laws(item)[0].names)
        self.alone = [] if self.same is not None else [
            decide(_coordinate(item, place)) for place in range(size)
        ]  # fmt: skip


def _coordinate(item: Question, place: int) -> Question:
    first, second = (law.one(place) for law in joint_laws(item))
    return replace(item, first_prior=first, second_prior=second, release=noises_of(item)[place])


def law_of_points(prior: Prior) -> Mapping[Point, Fraction]:
    """Return a law of atoms as one of points; InputError for others.

    Example: ``law_of_points(Discrete({3: 1}))`` is ``{(3,): 1}``.
    """
    match prior:
        case Joint():
            return prior.mass
        case Discrete():
            return {(x,): mass for x, mass in prior.mass.items()}
    raise InputError(_OTHER)


def outputs_of(item: Question) -> Sequence[OneOutput]:
    """Return all outputs of one X; InputError where their noise is none that is known here."""
    release = item.release
    shares = release.shares if isinstance(release, Repeated) else None
    joint = any(isinstance(prior, Joint) for prior in item.priors)
    if shares is None:
        return [_output(place, 1, noise) for place, noise in enumerate(noises_of(item))]
    return [
        _output(place, share.times, noise)
        for share in shares
        for place, noise in enumerate(
            noises_of(item.under(share.release)) if joint else [share.release.noise]
        )
    ]


def _output(place: int, times: int, noise: Noise) -> OneOutput:
    if isinstance(noise, GaussianNoise) and noise.variance is not None:
        return NormalOutput(place, times, noise.variance)
    if not noise.exponential:
        raise InputError(_OTHER)
    return LaplaceOutput(place, times, Rate(noise.stated_scale()), noise.step)
