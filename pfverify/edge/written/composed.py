"""Many outputs together, with a delta: what bounds their divergence from both sides.

Source: design facts F70 to F74, and F76.
"""

from __future__ import annotations

from pfverify.decide.comparison import Comparison
from pfverify.decide.composed.compared import Bounds, Composed
from pfverify.decide.composed.measures import expanded
from pfverify.decide.composed.parts import ComparedPart
from pfverify.decide.several.reduced import Reduced
from pfverify.edge.words import brief, counted, noise_words
from pfverify.edge.written.asked import (
    DIGITS,
    SENTENCES,
    SHOWN,
    Worst,
    above_delta,
    and_more,
    event_lines,
)
from pfverify.errors import InputError
from pfverify.exact.refined import Between
from pfverify.exact.written import written
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Repeated
from pfverify.model.releases.stepped import Stepped

_SAID = SENTENCES["composed"]
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


def lines(worst: Worst, order: Composed, also: list[str] | None = None) -> list[str]:
    """Return what bounds all outputs together, and which bound decides; `also`: what others say."""
    told = [] if order.bounds is None else _told(worst, order, order.bounds)
    return event_lines(worst, [*told, *(also or []), *worst.undecided()], _ENDS, shown=False)


def _told(worst: Worst, order: Composed, found: Bounds) -> list[str]:
    grid, whole, sign = found.curve.above.grid, order.whole, order.settled().sign
    one, other = worst.names
    ends = written(Between(found.low, found.high), DIGITS)
    which = _SAID["grid-last" if sign is None else "grid-deciding"]
    told = [
        _SAID["grid"].format(which=which, h=brief(str(grid.step)), digits=grid.digits),
        _SAID["levels"],
    ]
    rows = [
        f"  {_part(worst, part)}: {counted(len(levels), 'level')} from {levels[0]} h "
        f"to {levels[-1]} h"
        for part, levels in zip(
            whole.parts, map(expanded, found.curve.proposal.spans), strict=True
        )
    ]
    told += [*rows[:SHOWN], *and_more(rows, "more kinds of output")]
    if any(part.at_cuts for part in whole.parts):
        told.append(_SAID["cuts"])
    told.append(_SAID["product"].format(low=grid.low, high=grid.high))
    if whole.plan is not None:
        pairs = sum(x != y for x, y, _ in whole.plan)
        told.append(_SAID["coupled-above"].format(pairs=counted(pairs, "pair")))
    told += [
        _SAID["above"].format(most=ends.upper),
        _SAID["labels"].format(one=one, other=other),
        _SAID["below"].format(least=ends.lower),
        _SAID[_DECIDES[sign]],
    ]
    witness = worst.directed.witness
    return told if witness is None else [*told, above_delta(witness)]


def _part(worst: Worst, part: ComparedPart) -> str:
    """So many outputs of one kind: of which coordinates, with which noise, behind which steps."""
    release, named = _released(worst, part), part.named
    noise = release.noise
    size = release.several or noise_words(noise.kind, noise.stated_scale().text)
    steps = ", then the steps" if isinstance(release, Stepped) else ""
    of = "" if named is None or isinstance(named, int) else f"{', '.join(named)}: "
    return f"{of}{counted(part.times, 'output')} with {size}{steps}"


def _released(worst: Worst, part: ComparedPart) -> Release:
    """What an output of a part is, as the problem states it."""
    release, named = worst.item.release, part.named
    if not isinstance(release, Processed) or named is None:
        return part.item.release
    before, law = release.before, worst.item.first_prior
    if isinstance(named, int):
        if not isinstance(before, Repeated):
            raise InputError("--explain: these are not many releases")
        share = before.shares[before.first_places.index(named)]
        return Stepped(share.release.noise, release.of(None))
    if not isinstance(law, Joint):
        raise InputError("--explain: these are not several numbers")
    found = release.part(named, law.names)
    return found.one if isinstance(found, Repeated) else found
