"""Many outputs together: what bounds their divergence from both sides, or the losses of parts.

Source: design facts F43, F70 to F74, and F76.
"""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.decide.comparison import Comparison
from pfverify.decide.composed.compared import Bounds, Composed
from pfverify.decide.composed.measures import expanded
from pfverify.decide.composed.parts import ComparedPart
from pfverify.decide.several.composition import PartsSummed
from pfverify.decide.several.reduced import Reduced
from pfverify.decide.several.summed import Fresh
from pfverify.edge.document import counted
from pfverify.edge.words import brief, noise_words, plain
from pfverify.edge.written.asked import (
    DIGITS,
    SENTENCES,
    SHOWN,
    Worst,
    above_delta,
    and_more,
    event_lines,
    of_kind,
    rounding_line,
)
from pfverify.exact.refined import Between
from pfverify.exact.written import written
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Repeated
from pfverify.model.releases.stepped import Stepped

_SAID, _PARTS = SENTENCES["composed"], SENTENCES["parts"]
_ENDS = ", so are bounds of the divergence, and h is exact (cut where it has ...)."
_DECIDES = {-1: "decided-above", 1: "decided-below", None: "decided-neither"}


def together(compared: Comparison) -> Composed | None:
    """Return what bounds all outputs together, where that settles a target or nothing does."""
    if isinstance(compared, Composed):
        return compared
    if isinstance(compared, Reduced):
        order = compared.deciding[1]
        known = [goal.order for goal in compared.exact if order in (None, goal.order)]
        return next((one for one in map(together, known) if one is not None), None)
    return None


def lines(worst: Worst, order: Composed, also: Sequence[str] = ()) -> list[str]:
    """Return what bounds all outputs together, and which bound decides; `also`: what others say."""
    told = [] if order.bounds is None else _told(worst, order, order.bounds)
    return event_lines(worst, [*told, *also, *worst.undecided()], _ENDS, shown=False)


def _told(worst: Worst, order: Composed, found: Bounds) -> list[str]:
    grid, whole, sign = found.curve.above.grid, order.whole, order.settled().sign
    one, other = worst.names
    ends = written(Between(found.low, found.high), DIGITS)
    which = _SAID["grid-last" if sign is None else "grid-deciding"]
    rows = [
        f"  {_part(worst, part)}: {counted(len(levels), 'level')} from {levels[0]} h "
        f"to {levels[-1]} h"
        for part, levels in zip(
            whole.parts, map(expanded, found.curve.proposal.spans), strict=True
        )
    ]
    pairs = sum(x != y for x, y, _ in whole.plan or ())
    keys = [
        "product", *["coupled-above"] * (whole.plan is not None), "above", "labels", "below",
        _DECIDES[sign],
    ]  # fmt: skip
    words = {
        "low": grid.low, "high": grid.high, "pairs": counted(pairs, "pair"), "one": one,
        "other": other, "most": ends.upper, "least": ends.lower,
    }  # fmt: skip
    witness = worst.directed.witness
    return [
        _SAID["grid"].format(which=which, h=brief(str(grid.step)), digits=grid.digits),
        _SAID["levels"], *rows[:SHOWN], *and_more(rows, "more kind"),
        *[_SAID["cuts"]] * any(part.at_cuts for part in whole.parts),
        *(_SAID[key].format(**words) for key in keys),
        *([] if witness is None else [above_delta(witness)]),
    ]  # fmt: skip


def size_of(release: Release) -> str:
    """Return the scale of one release in words, of all coordinates where there are several."""
    noise = release.noise
    return release.several or noise_words(noise.kind, noise.stated_scale().text)


def lost(order: Comparison) -> str:
    """Return decimals around what an order loses."""
    return written(order.loss().value, DIGITS).text


def _part(worst: Worst, part: ComparedPart) -> str:
    """So many outputs of one kind: of which coordinates, with which noise, behind which steps."""
    release, named = _released(worst, part), part.named
    steps = ", then the steps" if isinstance(release, Stepped) else ""
    of = "" if named is None or isinstance(named, int) else f"{', '.join(named)}: "
    return f"{of}{counted(part.times, 'output')} with {size_of(release)}{steps}"


def _released(worst: Worst, part: ComparedPart) -> Release:
    """What an output of a part is, as the problem states it."""
    release, named = worst.item.release, part.named
    if not isinstance(release, Processed) or named is None:
        return part.item.release
    if isinstance(named, int):
        before = of_kind(release.before, Repeated)
        share = before.shares[before.first_places.index(named)]
        return Stepped(share.release.noise, release.of(None))
    found = release.part(named, of_kind(worst.item.first_prior, Joint).names)
    return found.one if isinstance(found, Repeated) else found


# ---------------------------------------------------------------- different parts


def part_lines(worst: Worst) -> list[str]:
    """Return the losses of all parts; with a delta also what decides them together."""
    compared = of_kind(worst.compared, Reduced)
    whole, said = of_kind(compared.same, PartsSummed), worst.problem.release.several or ""
    total = lost(whole)
    told = [
        _PARTS["independent"].format(several=said[:1].upper() + said[1:]),
        *map(_of_part, whole.parts[:SHOWN]), *and_more(whole.parts, "more part"),
        _PARTS["total"].format(total),
    ]  # fmt: skip
    if compared.target.bound is Bound.RATIO:
        bound = f"epsilon = {plain(compared.target.epsilon.text)}"
        return [
            f"The worst order is {worst.pair}.", *told, worst.verdict_line(total, bound),
            *worst.undecided(), rounding_line("parts"),
        ]  # fmt: skip
    told.append(_PARTS["composed" if compared.exact else "added"])
    return event_lines(worst, [*told, *worst.undecided()], ".", shown=False)


def _of_part(part: Fresh) -> str:
    """What one release of a part loses, and how many there are."""
    named = ", ".join(part.named) if isinstance(part.named, tuple) else str(part.named)
    times = f"{part.times} * " if part.times > 1 else ""
    return f"  {named}: {times}{lost(part.order)}"
