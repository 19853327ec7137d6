"""What two views share: values that somebody states, each held to what is proved there."""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.edge.document import Paragraph, Section, Toned, first, say, title
from pfverify.edge.views.crosscheck import FOUND_TONES, OUTCOME_TONES

_SHOWN = 12
Held = tuple[CaseOutcome, str]
"""What comes of a value, and where and why."""


def held_section(
    name: str, what: str, values: str, found: CrosscheckFindings, each: Sequence[Held],
    assumed: Sequence[str],
) -> Section:  # fmt: skip
    """Return what was found, a line for each value, the worst first, and what is assumed.

    `what` was held, and of which `values`.
    Example: ``held_section("mine.csv", "the curve profile", "points",
    CrosscheckFindings.NOTHING, [], []).said`` is ``[]``.
    """
    head = say(
        title(name), ": ", Toned(found.value, FOUND_TONES[found]), f" ({what})", level=0
    )  # fmt: skip
    lines = [_line(*one) for one in sorted(each, key=lambda one: one[0] is CaseOutcome.SOUND)]
    said = first(lines, _SHOWN, values, "--json has all")
    return Section(headline=head, said=said, assumed=[*assumed])


def _line(outcome: CaseOutcome, words: str) -> Paragraph:
    return say(Toned(outcome.value, OUTCOME_TONES[outcome]), f" at {words}", folds=True)
