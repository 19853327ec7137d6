"""Steps behind several numbers, or behind many releases, with a delta: what decides.

Source: post-processing; design facts F43, F43f and F43i.
"""

from __future__ import annotations

from collections.abc import Callable

from pfverify.decide.several.reduced import Reduced
from pfverify.edge.words import failure_place
from pfverify.edge.written import composed
from pfverify.edge.written.asked import SENTENCES, Worst, above_delta, event_lines
from pfverify.errors import InputError
from pfverify.model.releases.processed import Processed

Lines = Callable[[Worst], list[str]]
_SAID = SENTENCES["processed"]


def lines(worst: Worst, of_one: Lines) -> list[str]:
    """Return what decides behind steps; `of_one` writes out what decides without them."""
    release, compared = worst.item.release, worst.compared
    if not isinstance(release, Processed) or not isinstance(compared, Reduced):
        raise InputError("--explain: these are no steps behind several numbers")
    several = release.several[0].upper() + release.several[1:]
    head = [_SAID["steps"].format(several=several, steps=release.steps_said)]
    if (found := composed.together(compared)) is not None:
        given = "coupled" if found.whole.plan is not None else "independent"
        return [*head, _SAID[given], *composed.lines(worst, found)]
    settled, order, goal = compared.deciding
    if order is not None and goal is None and order in compared.above:
        before = worst.under(release.before, order)
        return [*head, _SAID["before"], *of_one(before)]
    if settled.sign is None:
        return [*head, *event_lines(worst, worst.undecided(), ".", shown=False)]
    witness = worst.directed.witness
    if witness is None:  # met by shares of epsilon and delta
        return [*head, *event_lines(worst, [_SAID["shares"]], ".", shown=False)]
    failed = _SAID["failed"].format(place=failure_place(witness))
    return [*head, *event_lines(worst, [failed, above_delta(witness)], ".", shown=False)]
