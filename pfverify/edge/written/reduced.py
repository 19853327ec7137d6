"""What comes down to others: many releases, steps behind several numbers, balls, points on a line.

Said is what they come down to; then whatever decides is written out as it is by itself.
Source: post-processing; design facts F40, F41, F43, F43f, F43i, F74 and F75.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pfverify.decide.comparison import Comparison
from pfverify.decide.routes import comparison
from pfverify.decide.several.reduced import Reduced
from pfverify.decide.several.summed import ByParts, SummedLosses
from pfverify.decide.several.vectors import line_weights, seen
from pfverify.edge.document import counted
from pfverify.edge.ordered import pair_of
from pfverify.edge.words import brief, failure_place, plain
from pfverify.edge.written import composed
from pfverify.edge.written.asked import (
    DIGITS,
    SENTENCES,
    Worst,
    above_delta,
    event_lines,
    of_kind,
)
from pfverify.edge.written.atoms import enclosed_lines
from pfverify.edge.written.composed import lost, size_of
from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, number
from pfverify.exact.written import written
from pfverify.model.alone import pair_alone
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Repeated, Several, Share
from pfverify.model.sources.source import DEFAULT_BELIEF
from pfverify.model.target import Target

_SCALES = 3  # kinds of release that are written out
_LONG = 24  # characters of a name
_SAID, _COMPOSED, _STEPS, _LINE, _BALLS = (
    SENTENCES[topic] for topic in ("several", "composed", "processed", "vectors", "balls")
)
_ENDS = ", other numbers are rounded down."


def _bounded(worst: Worst, told: list[str]) -> list[str]:
    """A bound on events of which nothing is shown but what is told, and why it is undecided."""
    return event_lines(worst, [*told, *worst.undecided()], ".", shown=False)


def _most(order: Comparison) -> str:
    return str(written(order.exceeding(), DIGITS).upper)


def _least(order: Comparison) -> str:
    return str(written(order.exceeding(), DIGITS).lower)


# ---------------------------------------------------------------- many releases


def lines(worst: Worst) -> list[str]:
    """Return what many releases come down to, and what one of them, or all together, decide."""
    release = of_kind(worst.item.release, Several)  # type: ignore[type-abstract]
    compared, several = worst.compared, _capital(release.several)
    if isinstance(compared, Reduced) and isinstance(release, Repeated):
        if (order := composed.together(compared)) is not None:
            kind = "independent" if order.whole.plan is None else "coupled"
            head = _COMPOSED[kind].format(several=several)
            return [head, *composed.lines(worst, order, _also(compared, release))]
        if (kept := _apart(compared, release)) is not None:
            decided = _otherwise if kept == "apart" else _fresh
            return [_SAID[kept].format(several=several), *decided(worst, compared, release)]
    bare = release.noise.adds_nothing
    one: Release = release.one if bare else release.collapsed
    told = [_SAID["bare" if bare else _kind(release)].format(several=several, one=size_of(one))]
    if not isinstance(compared, Reduced):
        return [*told, *worst.under(one, compared).lines]
    if not compared.above:  # of points, coordinate by coordinate
        bounds = written(compared.exceeding(), DIGITS).text
        return _bounded(worst, [*told, _SAID["both"].format(bounds)])
    (worth,) = compared.above
    if compared.deciding[1] is worth:
        exactly = compared.equal or compared.target.bound is Bound.RATIO
        told.append(_SAID["exactly" if exactly else "enough"])
        return [*told, *worst.under(one, worth).lines]
    return [*told, *_otherwise(worst, compared, of_kind(release, Repeated))]


def _capital(said: str) -> str:
    return said[0].upper() + said[1:]


def _apart(compared: Reduced, release: Repeated) -> str | None:
    """What is said where no one release stands for all of them; None where one does."""
    if release.fresh:
        return "fresh"
    if release.noise.adds_nothing or release.collapses:
        return None
    return "points" if compared.above else "apart"  # the losses of points add up


def _kind(release: Several) -> str:
    kind = "same" if isinstance(release, Repeated) else "total"
    return f"{kind}-gaussian" if release.noise.squares else kind


def _otherwise(worst: Worst, compared: Reduced, release: Repeated) -> list[str]:
    """What a single release refutes, or a grid of all decides, or nothing: then both bounds."""
    _, order, goal = compared.deciding
    if order is not None and goal is not None and goal.release is not None:
        one = release.shares[goal.release].release
        return [_SAID["alone"].format(one=size_of(one)), *worst.under(one, order).lines]
    if order is not None:
        return [_SAID["grid"], *enclosed_lines(worst.under(release, order))]
    if compared.target.bound is Bound.RATIO:
        return [f"The worst order is {worst.pair}.", *worst.undecided()]
    return _bounded(worst, _also(compared, release))


def _also(compared: Reduced, release: Repeated) -> list[str]:
    """Of what nothing decides: delta of single releases, of what bounds them all, of the grid."""
    if compared.deciding[1] is not None:
        return []
    told = [
        _SAID["sum" if isinstance(order, SummedLosses) else "one"].format(most=_most(order))
        for order in compared.above
    ]
    lowest = [_least(goal.order) for goal in compared.below]
    index = max(range(len(lowest)), key=lambda k: float(lowest[k]))
    one = size_of(release.shares[index].release)
    told.append(_SAID["least"].format(one=one, least=lowest[index]))
    told += [
        _SAID["by-grid"].format(written(goal.order.exceeding(), DIGITS).text)
        for goal in compared.exact if composed.together(goal.order) is None
    ]  # fmt: skip
    return told


def _fresh(worst: Worst, compared: Reduced, release: Repeated) -> list[str]:
    """The releases of each scale, at an epsilon and a delta of their own, and the sum."""
    targets, bounds_ratio = _targets(compared), compared.target.bound is Bound.RATIO
    if targets is None and not bounds_ratio:
        return _otherwise(worst, compared, release)
    told = _losses(worst, compared, release) if bounds_ratio else []
    rounding: dict[str, None] = {}
    held = list(zip(release.shares, compared.below, targets or [], strict=bool(targets)))
    for share, part, target in held[:_SCALES]:
        own = worst.under(share.release, part.order.against(target)).lines
        delta = "" if target.delta.sign() == 0 else f" and delta = {_brief(target.delta)}"
        each = ", each" if share.times > 1 else ""
        told.append(f"{_counted(share)}{each} at epsilon = {_brief(target.epsilon)}{delta}:")
        told += [f"  {line}" for line in own[:-1]]
        rounding[own[-1]] = None
    told += _more_scales(held)
    decided = [_SAID["over" if worst.directed.refuted else "within"]] if held else []
    told += worst.undecided() or decided
    return [*told, *rounding] if bounds_ratio else event_lines(worst, told, _ENDS, shown=False)


def _more_scales(items: Sequence[object]) -> list[str]:
    more = len(items) - _SCALES
    return [f"({counted(more, 'more scale')})"] if more > 0 else []


def _targets(compared: Reduced) -> list[Target] | None:
    """What every release of each scale is held to, where that decides."""
    evidence, notion = compared.settled().evidence, compared.target.notion
    if isinstance(evidence, ByParts):
        return [Target(epsilon, delta, notion) for epsilon, delta, _ in evidence.parts]
    breach = compared.decided().breach
    if breach is None or breach.parts is None:
        return None
    zero = Number.of_rational(0)
    return [Target(number(epsilon), zero, notion) for epsilon, _ in breach.parts]


def _losses(worst: Worst, compared: Reduced, release: Repeated) -> list[str]:
    """The loss of one release of each scale, and their sum."""
    told = []
    for share, part in zip(release.shares, compared.below, strict=True):
        told.append(f"{_counted(share)}: {share.times} * {lost(part.order)}")
    total = lost(compared)
    bound = f"epsilon = {plain(compared.target.epsilon.text)}"
    verdict = worst.verdict_line(total, bound)
    return [*told[:_SCALES], *_more_scales(told), f"All together: {total}", verdict]


def _counted(share: Share) -> str:
    return f"{counted(share.times, 'release')} with {size_of(share.release)}"


def _brief(value: Number) -> str:
    return plain(value.text) if value.fraction is None else brief(str(value.fraction))


# ---------------------------------------------------------------- steps behind several


def step_lines(worst: Worst) -> list[str]:
    """Return what decides behind steps: all outputs, what is there without the steps, or one."""
    release, compared = of_kind(worst.item.release, Processed), of_kind(worst.compared, Reduced)
    several = _capital(release.several)
    head = [_STEPS["steps"].format(several=several, steps=release.steps_said)]
    if (found := composed.together(compared)) is not None:
        given = "coupled" if found.whole.plan is not None else "independent"
        return [*head, _STEPS[given], *composed.lines(worst, found)]
    settled, order, goal = compared.deciding
    if order is not None and goal is None and order in compared.above:
        return [*head, _STEPS["before"], *worst.under(release.before, order).lines]
    witness, told = worst.directed.witness, list[str]()
    if settled.sign is not None and witness is None:  # met by shares of epsilon and delta
        told = [_STEPS["shares"]]
    elif settled.sign is not None and witness is not None:
        told = [_STEPS["failed"].format(place=failure_place(witness)), above_delta(witness)]
    return [*head, *_bounded(worst, told)]


# ---------------------------------------------------------------- several normal numbers


def vector_lines(worst: Worst) -> list[str]:
    """Return the one number that several with Gaussian noise come down to, or their bounds."""
    compared, weights = of_kind(worst.compared, Reduced), line_weights(worst.item)
    if weights is not None:
        names = of_kind(worst.item.first_prior, Joint).names
        terms = [
            f"{brief(str(w))} {shorten(name, _LONG)}"
            for w, name in zip(weights, names, strict=True) if w
        ]  # fmt: skip
        ((order, *_),) = compared.exact
        of_one = replace(worst, item=seen(worst.item, weights), compared=order)
        return [_LINE["line"].format(" + ".join(terms)), *of_one.lines]
    if compared.target.bound is Bound.RATIO:
        raise InputError(_LINE["unwritten"])
    least = max(float(_least(goal.order)) for goal in compared.below)
    most = _LINE["most"].format(_most(compared.above[0]))
    return _bounded(worst, [most, _LINE["least"].format(f"{least:.6g}")])


# ---------------------------------------------------------------- balls


def ball_lines(worst: Worst) -> list[str]:
    """Return which members of two balls are the worst, and their densities at the worst output."""
    found = worst.directed
    alone = pair_alone(worst.problem, found.belief, found.from_, found.to, worst.y)
    directed = replace(found, belief=DEFAULT_BELIEF)
    item, reverse = pair_of(alone, directed)
    result = replace(worst.result, pairs=[directed], problem=alone)
    members = replace(
        worst, problem=alone, item=item, result=result, directed=directed,
        compared=comparison(item)[reverse],
    )  # fmt: skip
    ratio = SENTENCES["why"]["ratio"]
    own = [_BALLS["no-other"] if line == ratio else line for line in members.lines]
    return [_BALLS["members"], *own]
