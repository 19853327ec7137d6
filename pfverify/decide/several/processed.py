"""Steps behind several numbers, or behind many releases: what is known without them, and of parts.

Where the outputs are independent the parts are all: their losses add.

Source: post-processing, design facts F43 and F43f.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from pfverify.decide.breach import Breach, WithRest
from pfverify.decide.comparison import Comparison, Orders
from pfverify.decide.composed.compared import together
from pfverify.decide.composed.parts import ComparedPart
from pfverify.decide.composed.wholes import Coupled, Decide
from pfverify.decide.several.own import AtOwn, OwnOutputs, is_own
from pfverify.decide.several.reduced import Goal, Named, Part, Reduced, is_of_points
from pfverify.decide.several.summed import summed
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.laws.rate import Rate
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
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

_OPEN = (
    "the steps may hide what the noisy numbers tell: without the steps the target is not met, and "
    "no part of the outputs that was asked fails by itself"
)


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of a pair behind steps; `decide` compares it without them, or a part.

    Each is at most what it is before the steps, and at least what it is of a part of the outputs.
    Where those are independent their losses add, which with delta = 0 decides; so does what fails
    before the steps, if they leave that to itself. Where what others add may move all past the
    steps, these hide nothing (F43i).
    """
    release = item.release
    if not isinstance(release, Processed):
        raise InputError("this decision is about steps behind several numbers")
    before = decide(item.under(release.before))
    if _leaves_far(release):
        first, second = (Reduced([], [], [Goal(one, far=True)], why=_OPEN) for one in before)
        return first, second
    asked: dict[Hashable, tuple[Part, Question, Orders]] = {}
    for named, laws, part in _parts(item, release):
        try:
            one = _stepped(item, laws, part)
            asked[_key(named)] = named, one, decide(one)
        except InputError:  # steps that are not worked out: the part refutes nothing
            continue
    shares, outputs = _shares(item, release, decide, asked), _own(item, release)
    target = target_of(item)
    known = _known(item, release.before, shares, decide)

    def order(side: int) -> Reduced:
        below = [Goal(orders[side], part=named) for named, _, orders in asked.values()]
        if outputs is not None:
            below.append(Goal(AtOwn(outputs, target, reverse=side == 1)))
        below.append(Goal(before[side], owned=partial(_owns, item, release)))
        exact = [] if known is None else [Goal(known[side])]
        return Reduced([before[side]], below, exact, why=_OPEN, place="(before the steps: {})")

    return order(0), order(1)


def _leaves_far(release: Processed) -> bool:
    """Whether what others may add moves each noisy number to where its steps leave it (F43i)."""
    stepped = {name for name, _ in release.steps}
    return release.of_a_part and all(
        any(part.output is None and None in (part.low, part.high)
            for part in StepChain(release.of(name)).kept or ())
        for name in stepped
    )  # fmt: skip


def _key(named: Part) -> Hashable:
    return named if isinstance(named, int | WithRest) else tuple(named)


def _shares(
    item: Question, release: Processed, decide: Decide,
    asked: Mapping[Hashable, tuple[Part, Question, Orders]],
) -> list[ComparedPart] | None:  # fmt: skip
    """All the outputs, and how many there are of each, where they are independent given X."""
    first, second = item.priors
    before = release.before
    if isinstance(before, Budget) or release.of_a_part:
        return None
    if not (isinstance(first, Joint) and isinstance(second, Joint)):
        if not isinstance(before, Repeated):
            return None
        places = zip(before.first_places, before.shares, strict=True)
        wanted: list[tuple[Named, int]] = [(place, share.times) for place, share in places]
    else:
        count = before.count if isinstance(before, Repeated) else 1
        wanted = [([name], count if release.of(name) else 1) for name in first.names]
    found: list[ComparedPart] = []
    for named, times in wanted:
        if (known := asked.get(_key(named))) is not None:
            found.append(ComparedPart(known[1], known[2], times, named))
        elif isinstance(named, int) or release.of(named[0]):  # steps that are not worked out
            return None
        else:  # a coordinate without steps, beside others
            one = _stepped(item, *_part(item, release, named))
            found.append(ComparedPart(one, decide(one), times, named))
    return found


def _known(
    item: Question, before: Release, shares: Sequence[ComparedPart] | None, decide: Decide
) -> tuple[Comparison, Comparison] | None:
    """All the outputs together: independent, or given an X that is one number."""
    if shares is None:
        return None
    target = target_of(item)
    if _is_independent(item, before):
        return summed(shares, target, None)
    if any(isinstance(law, Joint) for law in item.priors):
        return None
    return together(Coupled(shares, decide), target)


def _is_independent(item: Question, before: Release) -> bool:
    """Whether the noisy numbers are independent under either secret."""
    return is_of_points(item) or (isinstance(before, Repeated) and before.fresh)


def independent_shares(
    item: Question, release: Processed, decide: Decide
) -> list[ComparedPart] | None:
    """Return all outputs where they are independent under either secret; None where they are not.

    Raises InputError for steps that are not worked out.
    """
    before = release.before
    if isinstance(before, Budget) or release.of_a_part or not _is_independent(item, before):
        return None
    found = _shares(item, release, decide, {
        _key(named): (named, one, decide(one))
        for named, laws, part in _parts(item, release)
        for one in [_stepped(item, laws, part)]
    })  # fmt: skip
    if found is None:
        raise InputError("post: steps that are not worked out compose with no other part")
    return found


def _own(item: Question, release: Processed) -> OwnOutputs | None:
    """The outputs of their own, where densities are sums of exponentials."""
    before = release.before
    if isinstance(before, Repeated) and before.fresh:
        return None
    if isinstance(before, Several) and not before.collapses:
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
    scales = one.scales if isinstance(one, Coordinates) else [one.stated_scale()] * len(names)
    steps = [release.of(name) for name in names]
    return OwnOutputs((laws[0], laws[1]), [Rate(scale) for scale in scales], steps, noise.step)


def _owns(item: Question, release: Processed, found: Breach) -> bool:
    """Whether the steps leave what fails before them to itself."""
    if found.rule not in ("pure-refuted", "grid-refuted") or found.parts is not None:
        return False
    law, names, places = item.priors[0], list[str | None]([None]), found.point
    if isinstance(law, Joint):  # a number that stands for several of them is no output
        names = [*law.names]
    elif found.y is not None:
        places = (found.y,)
    return places is not None and all(
        is_own(StepChain(release.of(name)), x, release.noise.step)
        for name, x in zip(names, places, strict=True)
    )


Stated = tuple[Part, Sequence[Prior], Release]


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
