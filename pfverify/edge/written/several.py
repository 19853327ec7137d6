"""Many releases of one quantity: what they are worth together, and the one release that decides.

Source: design facts F40, F41 and F43.
"""

from __future__ import annotations

from collections.abc import Callable

from pfverify.decide.composed.compared import Composed
from pfverify.decide.several.reduced import Reduced
from pfverify.decide.several.summed import ByParts, SummedLosses
from pfverify.edge.words import brief, noise_words, plain
from pfverify.edge.written import composed
from pfverify.edge.written.asked import DIGITS, SENTENCES, Worst, event_lines
from pfverify.edge.written.points import enclosed_lines
from pfverify.errors import InputError
from pfverify.exact.number import Number, number
from pfverify.exact.written import written
from pfverify.model.notion import Bound
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Repeated, Several, Share
from pfverify.model.target import Target

Lines = Callable[[Worst], list[str]]
_SCALES = 3  # kinds of release that are written out
_SAID = SENTENCES["several"]
_ENDS = ", other numbers are rounded down."


def lines(worst: Worst, of_one: Lines) -> list[str]:
    """Return what many releases come down to; `of_one` writes out what one of them decides."""
    release, compared = worst.item.release, worst.compared
    if not isinstance(release, Several):
        raise InputError("--explain: these are not many releases")
    several = release.several[0].upper() + release.several[1:]
    if isinstance(compared, Reduced) and isinstance(release, Repeated):
        found = _of_each(worst, compared, release, several, of_one)
        if found is not None:
            return found
    bare = release.noise.adds_nothing
    one: Release = release.one if bare else release.collapsed
    told = [_SAID["bare" if bare else _kind(release)].format(several=several, one=_size(one))]
    if not isinstance(compared, Reduced):
        return [*told, *of_one(worst.under(one, compared))]
    if not compared.above:  # of points, coordinate by coordinate
        bounds = written(compared.exceeding(), DIGITS).text
        said = f"Composed with both bounds, coordinate by coordinate, it is in {bounds} (F70, F72)."
        return event_lines(worst, [*told, said, *worst.undecided()], ".", shown=False)
    (worth,) = compared.above
    if compared.deciding[1] is worth:
        exactly = compared.equal or compared.target.bound is Bound.RATIO
        said = _SAID["exactly" if exactly else "enough"]
        return [*told, said, *of_one(worst.under(one, worth))]
    return [*told, *_otherwise(worst, compared, release, of_one)]


def _of_each(
    worst: Worst, compared: Reduced, release: Repeated, several: str, of_one: Lines
) -> list[str] | None:
    """What is said where no one release stands for all of them; None where one does."""
    if (order := composed.together(compared)) is not None:
        return [*_composed(order, several), *composed.lines(worst, order, _also(compared, release))]
    if release.fresh:
        return [_SAID["fresh"].format(several=several), *_fresh(worst, compared, release, of_one)]
    if release.noise.adds_nothing or release.collapses:
        return None
    if compared.above:  # the losses of points add up
        return [_SAID["points"].format(several=several), *_fresh(worst, compared, release, of_one)]
    return [_SAID["apart"].format(several=several), *_otherwise(worst, compared, release, of_one)]


def _composed(order: Composed, several: str) -> list[str]:
    kind = "independent" if order.whole.plan is None else "coupled"
    return [SENTENCES["composed"][kind].format(several=several)]


def _kind(release: Several) -> str:
    kind = "same" if isinstance(release, Repeated) else "total"
    return f"{kind}-gaussian" if release.noise.squares else kind


def _size(release: Release) -> str:
    """The scale of one release in words, of all coordinates where there are several."""
    noise = release.noise
    return release.several or noise_words(noise.kind, noise.stated_scale().text)


def _otherwise(worst: Worst, compared: Reduced, release: Several, of_one: Lines) -> list[str]:
    """What a single release refutes, or a grid of all decides, or nothing: then both bounds."""
    if not isinstance(release, Repeated):
        raise InputError("--explain: these releases are one")
    _, order, goal = compared.deciding
    if order is not None and goal is not None and goal.release is not None:
        one = release.shares[goal.release].release
        return [_SAID["alone"].format(one=_size(one)), *of_one(worst.under(one, order))]
    if order is not None:
        return [_SAID["grid"], *enclosed_lines(worst.under(release, order))]
    if compared.target.bound is Bound.RATIO:
        return [f"The worst order is {worst.pair}.", *worst.undecided()]
    told = [*_also(compared, release), *worst.undecided()]
    return event_lines(worst, told, ".", shown=False)


def _also(compared: Reduced, release: Repeated) -> list[str]:
    """Of what nothing decides: delta of single releases, of what bounds them all, of the grid."""
    if compared.deciding[1] is not None:
        return []
    told = []
    for order in compared.above:
        most = written(order.exceeding(), DIGITS).upper
        by = _SAID["sum" if isinstance(order, SummedLosses) else "one"]
        told.append(by.format(most=most))
    lowest = [written(goal.order.exceeding(), DIGITS).lower for goal in compared.below]
    index = max(range(len(lowest)), key=lambda k: float(lowest[k]))
    one = _size(release.shares[index].release)
    told.append(f"It is at least that of one release with {one}: {lowest[index]}.")
    for grid in compared.exact:
        if composed.together(grid.order) is None:
            enclosure = written(grid.order.exceeding(), DIGITS).text
            told.append(f"By a grid of all outputs together it is in {enclosure} (F42b).")
    return told


# ---------------------------------------------------------------- fresh draws


def _fresh(worst: Worst, compared: Reduced, release: Repeated, of_one: Lines) -> list[str]:
    """The releases of each scale, at an epsilon and a delta of their own, and the sum."""
    targets, bounds_ratio = _targets(compared), compared.target.bound is Bound.RATIO
    if targets is None and not bounds_ratio:
        return _otherwise(worst, compared, release, of_one)
    told = _losses(worst, compared, release) if bounds_ratio else []
    rounding: dict[str, None] = {}
    held = list(zip(release.shares, compared.below, targets or [], strict=bool(targets)))
    for share, part, target in held[:_SCALES]:
        own = of_one(worst.under(share.release, part.order.against(target)))
        delta = "" if target.delta.sign() == 0 else f" and delta = {_brief(target.delta)}"
        each = ", each" if share.times > 1 else ""
        told.append(f"{_counted(share)}{each} at epsilon = {_brief(target.epsilon)}{delta}:")
        told += [f"  {line}" for line in own[:-1]]
        rounding[own[-1]] = None
    if (more := len(held) - _SCALES) > 0:
        told.append(f"({more} more scales)")
    decided = [_SAID["over" if worst.directed.refuted else "within"]] if held else []
    told += worst.undecided() or decided
    return [*told, *rounding] if bounds_ratio else event_lines(worst, told, _ENDS, shown=False)


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
        loss = written(part.order.loss().value, DIGITS).text
        told.append(f"{_counted(share)}: {share.times} * {loss}")
    told = [*told[:_SCALES], *([f"({len(told) - _SCALES} more scales)"] if told[_SCALES:] else [])]
    total = written(compared.loss().value, DIGITS).text
    told.append(f"All together: {total}")
    bound = f"epsilon = {plain(compared.target.epsilon.text)}"
    return [*told, worst.verdict_line(total, bound)]


def _counted(share: Share) -> str:
    return f"{share.times} release{'s' if share.times > 1 else ''} with {_size(share.release)}"


def _brief(value: Number) -> str:
    return plain(value.text) if value.fraction is None else brief(str(value.fraction))
