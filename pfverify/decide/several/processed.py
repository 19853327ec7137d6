"""Steps behind several numbers, or behind many releases: what is known without them, and of parts.

Source: post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from pfverify.decide.breach import Moved
from pfverify.decide.comparison import Comparison, Decision, Orders, Settled, Supremum
from pfverify.decide.several.compared import Decide
from pfverify.errors import InputError
from pfverify.exact.refined import Between, Refined, ends_of
from pfverify.model.notion import Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.prior import Prior
from pfverify.model.question import Question
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import Repeated
from pfverify.model.releases.stepped import Stepped
from pfverify.model.steps.limits import Clamp, Threshold, ToBins
from pfverify.model.steps.step import PostStep
from pfverify.model.target import Target

_OPEN = (
    "the steps may hide what the noisy numbers tell: without the steps the target is not met, and "
    "no part of the outputs that was asked fails by itself"
)


class OutputPart(NamedTuple):
    """Some of the outputs, as a certificate names them, and their order."""

    named: Sequence[str] | int | Moved
    order: Comparison


class BehindSteps(Comparison):
    """One order behind steps: at most what it is `before` them, at least what it is of a part."""

    no_witness = "the excess is > 0, but no margin > 0 is proved of a part of the outputs"

    def __init__(self, before: Comparison, parts: Sequence[OutputPart]) -> None:
        self.before, self.parts, self.target = before, parts, before.target

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.before.equal

    def against(self, target: Target) -> BehindSteps:
        """Return the same order, held to another target."""
        parts = [OutputPart(part.named, part.order.against(target)) for part in self.parts]
        return BehindSteps(self.before.against(target), parts)

    @cached_property
    def _found(self) -> tuple[Settled, OutputPart | None]:
        before = self.before.settled()
        if before.sign in (-1, 0):
            return replace(before, sign=-1), None
        for part in self.parts:
            if (found := part.order.settled()).sign == 1:
                return found, part
        return Settled(None, None, _OPEN), None

    def settled(self) -> Settled:
        """Decide the target: met without the steps, or failed by a part."""
        return self._found[0]

    def decided(self) -> Decision:
        """Decide the target, with where it fails."""
        settled, part = self._found
        breach = None if part is None else part.order.decided().breach
        if breach is not None and part is not None:
            breach = replace(breach, part=part.named)
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
        """Return epsilon*, between that of a part and that without the steps."""
        before = self.before.loss()
        value = _between(before.value, [part.order.loss().value for part in self.parts])
        return Supremum(value, lambda: f"(before the steps: {before.where})")

    def exceeding(self) -> Refined:
        """Return what delta bounds, between that of a part and that without the steps."""
        parts = [part.order.exceeding() for part in self.parts]
        return _between(self.before.exceeding(), parts)

    def least_epsilon(self) -> Refined:
        """Return the least epsilon, between that of a part and that without the steps."""
        parts = [part.order.least_epsilon() for part in self.parts]
        return _between(self.before.least_epsilon(), parts)


def _between(upper: Refined, lower: Sequence[Refined]) -> Between:
    most = ends_of(upper)[1]
    return Between(min(max((ends_of(one)[0] for one in lower), default=Fraction(0)), most), most)


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of a pair behind steps; `decide` compares it without them, or a part."""
    release = item.release
    if not isinstance(release, Processed):
        raise InputError("this decision is about steps behind several numbers")
    before = decide(item.under(release.before))
    asked = []
    for named, laws, part in _parts(item, release):
        try:
            asked.append((named, decide(_stepped(item, laws, part))))
        except InputError:  # steps that are not worked out: the part refutes nothing
            continue
    first, second = (
        BehindSteps(before[side], [OutputPart(named, orders[side]) for named, orders in asked])
        for side in (0, 1)
    )
    return first, second


Named = tuple[Sequence[str] | int | Moved, Sequence[Prior], Release]


def _parts(item: Question, release: Processed) -> list[Named]:
    """Parts of the outputs, with their laws: a coordinate with steps, those without, one release.
    """
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
    names = first.names
    stepped = [name for name in names if release.of(name)]
    bare = [name for name in names if name not in stepped]
    found: list[Named] = []
    for chosen in [*([name] for name in stepped), *([bare] if bare else [])]:
        places = [names.index(name) for name in chosen]
        laws = [
            law.one(places[0]) if len(places) == 1 else law.marginal(places)
            for law in (first, second)
        ]
        found.append((chosen, laws, release.part(chosen, names)))
    return found


def _with_a_rest(item: Question, release: Processed) -> list[Named]:
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
        (Moved(place, rest), [_moved(law, rest) for law in (first, second)],
         Stepped(single.noise, steps))
        for place, single in singles for rest in _rests(Fraction(low), Fraction(high), steps)
    ]  # fmt: skip


def _rests(low: Fraction, high: Fraction, steps: Sequence[PostStep]) -> list[Fraction]:
    """Numbers to try that move all atoms to where a step leaves numbers apart; 0 is the first."""
    found = [Fraction(0)]
    for step in steps:
        match step:
            case Threshold(at=at):
                found.append(at - low + 1)
            case Clamp(low=least, high=most):
                found.append((least + most - low - high) / 2)
            case ToBins(edges=edges):
                found.append(edges[0] - low)
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
