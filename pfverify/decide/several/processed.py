"""Steps behind several numbers, or behind many releases: what is known without them, and of parts.

Where the outputs are independent the parts are all: their losses add.

Source: post-processing, design facts F43 and F43f.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from pfverify.decide.breach import Breach, WithRest
from pfverify.decide.comparison import Comparison, Decision, Orders, Settled, Supremum
from pfverify.decide.grid.compared import scales_of
from pfverify.decide.several.compared import Decide
from pfverify.decide.several.fresh import Fresh, FreshDraws, Named
from pfverify.decide.several.own import AtOwn, OwnOutputs, is_own
from pfverify.decide.targets import targets_of
from pfverify.errors import InputError
from pfverify.exact.refined import Between, Refined, ends_of
from pfverify.laws.rate import Rate
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.notion import Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.prior import Prior
from pfverify.model.question import Question
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import Budget, Repeated, Several
from pfverify.model.releases.stepped import Stepped
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.step import PostStep
from pfverify.model.target import Target

_OPEN = (
    "the steps may hide what the noisy numbers tell: without the steps the target is not met, and "
    "no part of the outputs that was asked fails by itself"
)


class OutputPart(NamedTuple):
    """Some of the outputs, as a certificate names them (None: all of them), and their order."""

    named: Named | WithRest | None
    order: Comparison


class BehindSteps(Comparison):
    """One order behind steps: at most what it is `before` them, at least what it is of a part.

    `whole` is there where the outputs are independent: with delta = 0 it decides. `owns` says
    whether a breach before the steps is one behind them. `far`: what others add may move all past
    the steps, which then hide nothing (F43i).
    """

    no_witness = "the excess is > 0, but no margin > 0 is proved of a part of the outputs"

    def __init__(
        self, before: Comparison, parts: Sequence[OutputPart], whole: FreshDraws | None,
        owns: Callable[[Breach], bool], *, far: bool = False,
    ) -> None:  # fmt: skip
        self.before, self.parts, self.target = before, parts, before.target
        self.whole, self.owns, self.far = whole, owns, far

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.before.equal

    def against(self, target: Target) -> BehindSteps:
        """Return the same order, held to another target."""
        parts = [OutputPart(part.named, part.order.against(target)) for part in self.parts]
        whole = None if self.whole is None else self.whole.against(target)
        return BehindSteps(self.before.against(target), parts, whole, self.owns, far=self.far)

    @cached_property
    def _found(self) -> tuple[Settled, OutputPart | None]:
        before = self.before.settled()
        if self.far:
            return before, OutputPart(None, self.before) if before.sign == 1 else None
        if before.sign in (-1, 0):
            return replace(before, sign=-1), None
        whole = Settled(None, None, _OPEN) if self.whole is None else self.whole.settled()
        if whole.sign in (-1, 0):
            return whole, None
        for part in self.parts:
            if (found := part.order.settled()).sign == 1:
                return found, part
        if self._own_breach is not None:
            return before, OutputPart(None, self.before)
        if whole.sign == 1 and self.whole is not None:
            return whole, OutputPart(None, self.whole)
        return Settled(None, None, whole.reason), None

    @cached_property
    def _own_breach(self) -> Breach | None:
        """Where the target fails before the steps, if they leave that to itself."""
        if self.target.bound is not Bound.RATIO or self.before.settled().sign != 1:
            return None
        found = self.before.decided().breach
        return found if found is not None and self.owns(found) else None

    def settled(self) -> Settled:
        """Decide the target: met without the steps, or failed by a part."""
        return self._found[0]

    def decided(self) -> Decision:
        """Decide the target, with where it fails."""
        settled, part = self._found
        breach = None if part is None else part.order.decided().breach
        if breach is not None and part is not None and part.named is not None:
            breach = replace(breach, part=part.named)
        if breach is not None and self.far:
            breach = replace(breach, far=True)
        ratio = self.target.bound is Bound.RATIO
        return Decision(
            sign=settled.sign,
            loss=self.loss().value,
            delta=None if ratio else self.exceeding(),
            worst=self.loss().where,
            evidence=settled.evidence,
            breach=breach,
            reason=settled.reason,
        )

    def loss(self) -> Supremum:
        """Return epsilon*: that of independent outputs, or between a part and before the steps."""
        if self.far:
            return self.before.loss()
        before, lower = self.before.loss(), [part.order.loss().value for part in self.parts]
        if self.whole is not None:
            whole = self.whole.loss()
            if not isinstance(whole.value, Between) or whole.value.lower == whole.value.upper:
                return whole
            lower.append(whole.value)
        value = _between(before.value, lower)
        return Supremum(value, lambda: f"(before the steps: {before.where})")

    def exceeding(self) -> Refined:
        """Return what delta bounds, between that of a part and that without the steps."""
        return self._bounds(lambda order: order.exceeding())

    def least_epsilon(self) -> Refined:
        """Return the least epsilon, between that of a part and that without the steps."""
        return self._bounds(lambda order: order.least_epsilon())

    def _bounds(self, of: Callable[[Comparison], Refined]) -> Refined:
        if self.far:
            return of(self.before)
        upper, lower = of(self.before), [of(part.order) for part in self.parts]
        if self.whole is None:
            return _between(upper, lower)
        whole = of(self.whole)
        most = min(upper, whole, key=lambda one: ends_of(one)[1])
        return _between(most, [*lower, whole])


def _between(upper: Refined, lower: Sequence[Refined]) -> Between:
    most = ends_of(upper)[1]
    return Between(min(max((ends_of(one)[0] for one in lower), default=Fraction(0)), most), most)


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of a pair behind steps; `decide` compares it without them, or a part."""
    release = item.release
    if not isinstance(release, Processed):
        raise InputError("this decision is about steps behind several numbers")
    before = decide(item.under(release.before))
    if _leaves_far(release):
        first, second = (BehindSteps(one, [], None, lambda _: True, far=True) for one in before)
        return first, second
    asked: dict[Hashable, tuple[Named | WithRest, Orders]] = {}
    for named, laws, part in _parts(item, release):
        try:
            asked[_key(named)] = named, decide(_stepped(item, laws, part))
        except InputError:  # steps that are not worked out: the part refutes nothing
            continue
    shares, outputs = _shares(item, release, decide, asked), _own(item, release)
    targets = targets_of(item)

    def order(side: int) -> BehindSteps:
        parts = [OutputPart(named, orders[side]) for named, orders in asked.values()]
        if outputs is not None:
            parts.append(OutputPart(None, AtOwn(outputs, targets[side], reverse=side == 1)))
        whole = None if shares is None else FreshDraws(
            [Fresh(orders[side], times, named) for named, times, orders in shares],
            None, targets[side],
        )  # fmt: skip
        return BehindSteps(before[side], parts, whole, partial(_owns, item, release))

    return order(0), order(1)


def _leaves_far(release: Processed) -> bool:
    """Whether what others may add moves each noisy number to where its steps leave it (F43i)."""
    stepped = {name for name, _ in release.steps}
    return release.of_a_part and all(
        any(part.output is None and None in (part.low, part.high)
            for part in StepChain(release.of(name)).kept or ())
        for name in stepped
    )  # fmt: skip


def _key(named: Named | WithRest) -> Hashable:
    return named if isinstance(named, int | WithRest) else tuple(named)


def _shares(
    item: Question, release: Processed, decide: Decide,
    asked: Mapping[Hashable, tuple[Named | WithRest, Orders]],
) -> list[tuple[Named, int, Orders]] | None:  # fmt: skip
    """All the outputs, how many there are of each, and their orders, where they are independent."""
    first, second = item.priors
    before = release.before
    points = all(isinstance(law, Discrete | Joint) and len(law.mass) == 1 for law in item.priors)
    fresh = isinstance(before, Repeated) and before.fresh
    if isinstance(before, Budget) or release.of_a_part or not (points or fresh):
        return None
    if not (isinstance(first, Joint) and isinstance(second, Joint)):
        if not isinstance(before, Repeated):
            return None
        places = zip(before.first_places, before.shares, strict=True)
        wanted: list[tuple[Named, int]] = [(place, share.times) for place, share in places]
    else:
        count = before.count if isinstance(before, Repeated) else 1
        wanted = [([name], count if release.of(name) else 1) for name in first.names]
    found: list[tuple[Named, int, Orders]] = []
    for named, times in wanted:
        if (known := asked.get(_key(named))) is not None:
            found.append((named, times, known[1]))
        elif isinstance(named, int) or release.of(named[0]):  # steps that are not worked out
            return None
        else:  # a coordinate without steps, beside others
            orders = decide(_stepped(item, *_part(item, release, named)))
            found.append((named, times, orders))
    return found


def _own(item: Question, release: Processed) -> OwnOutputs | None:
    """The outputs of their own, where densities are sums of exponentials."""
    before = release.before
    if isinstance(before, Repeated) and before.fresh:
        return None
    one = before.collapsed if isinstance(before, Several) else before
    noise = one.noise
    if not isinstance(one, Noise | Coordinates) or type(noise) not in (Laplace, DiscreteLaplace):
        return None
    laws = []
    for law in item.priors:
        if isinstance(law, Joint):
            laws.append({x: m for x, m in law.mass.items() if m})
        elif isinstance(law, Discrete):
            laws.append({(x,): m for x, m in law.mass.items() if m})
        else:
            return None
    names = item.priors[0].names if isinstance(item.priors[0], Joint) else [None]
    scales = scales_of(one, len(names))
    steps = [release.of(name) for name in names]
    return OwnOutputs((laws[0], laws[1]), [Rate(scale) for scale in scales], steps, noise.step)


def _owns(item: Question, release: Processed, found: Breach) -> bool:
    """Whether the steps leave what fails before them to itself."""
    if found.rule not in ("pure-refuted", "grid-refuted") or found.parts is not None:
        return False
    law = item.priors[0]
    names = law.names if isinstance(law, Joint) else [None]
    places = found.point if found.y is None else (found.y,)
    return places is not None and all(
        is_own(StepChain(release.of(name)), x, release.noise.step)
        for name, x in zip(names, places, strict=True)
    )


Stated = tuple[Named | WithRest, Sequence[Prior], Release]


def _parts(item: Question, release: Processed) -> list[Stated]:
    """Parts of the outputs with their laws: a coordinate with steps, those without, one release."""
    first, second = item.priors
    if not (isinstance(first, Joint) and isinstance(second, Joint)):
        if release.of_a_part:
            return _with_a_rest(item, release)
        if not isinstance(release.before, Repeated):
            return []
        steps, shares = release.of(None), release.before.shares
        return [
            (place, item.priors, Stepped(share.release.noise, steps))
            for place, share in zip(release.before.first_places, shares, strict=True)
        ]
    stepped = [name for name in first.names if release.of(name)]
    bare = [name for name in first.names if name not in stepped]
    chosen = [*([name] for name in stepped), *([bare] if bare else [])]
    return [(names, *_part(item, release, names)) for names in chosen]


def _part(
    item: Question, release: Processed, chosen: Sequence[str]
) -> tuple[list[Prior], Release]:  # fmt: skip
    """The laws of some coordinates, and their release."""
    laws: list[Prior] = []
    for law in item.priors:
        if not isinstance(law, Joint):
            raise InputError("a part of several numbers has joint priors")
        names = law.names
        places = [names.index(name) for name in chosen]
        laws.append(law.one(places[0]) if len(places) == 1 else law.marginal(places))
    return laws, release.part(chosen, names)


def _with_a_rest(item: Question, release: Processed) -> list[Stated]:
    """Each release with the steps, where all that is added to the user's part is a number.

    So the rest may be; which number it is here is a matter of where steps hide little.
    """
    first, second = item.priors
    before, steps = release.before, release.of(None)
    if not (isinstance(first, Discrete) and isinstance(second, Discrete)):
        return []
    if not isinstance(before, Noise | Repeated):  # a total may be spent in many ways
        return []
    singles: list[tuple[int, Release]] = [(0, before)]
    if isinstance(before, Repeated):
        places = zip(before.first_places, before.shares, strict=True)
        singles = [(place, share.release) for place, share in places]
    low, high = min(first.atoms[0], second.atoms[0]), max(first.atoms[-1], second.atoms[-1])
    return [
        (WithRest(place, rest), [_moved(law, rest) for law in (first, second)],
         Stepped(single.noise, steps))
        for place, single in singles for rest in _rests(Fraction(low), Fraction(high), steps)
    ]  # fmt: skip


def _rests(low: Fraction, high: Fraction, steps: Sequence[PostStep]) -> list[Fraction]:
    """Numbers to try that move all atoms to where a step leaves numbers apart; 0 is the first."""
    found = [Fraction(0)]
    for step in steps:
        match step.cuts, step.images:
            case [cut], [_, None]:
                found.append(cut.at - low + 1)
            case [least, most], [_, None, _]:
                found.append((least.at + most.at - low - high) / 2)
            case [cut, *_], _:
                found.append(cut.at - low)
    return found


def _moved(law: Discrete, rest: Fraction) -> Discrete:
    return Discrete({x + rest: mass for x, mass in law.mass.items()})


def _stepped(item: Question, laws: Sequence[Prior], release: Release) -> Question:
    """The question about a part, as it is decided."""
    table = {item.first: laws[0], item.second: laws[1]}
    resolved, found = release.resolved({"": table}, single=False)
    return Question(
        item.belief, item.first, item.second, found[""][item.first], found[""][item.second],
        resolved, item.requirement,
    )  # fmt: skip
