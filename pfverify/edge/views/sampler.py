"""The view of a sampler: what was refuted, or what would have been seen, and what is assumed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pfverify.crosscheck.samplers.result import (
    SamplerFindings,
    SamplerResult,
    TestedClaim,
    TestedEvent,
)
from pfverify.edge.document import Paragraph, Section, Tone, Toned, bad, first, say, title
from pfverify.edge.views.view import Columns, SingleView
from pfverify.edge.words import counted

_SHOWN = 6
TONES = {SamplerFindings.REFUTED: Tone.BAD, SamplerFindings.NOT_REFUTED: Tone.OPEN}


class SamplerView(SingleView[SamplerResult]):
    """What somebody's sampler drew."""

    schema = "sampler"
    columns: ClassVar[Columns] = {
        "belief": "events.belief", "secret": "events.secret", "event": "events.event",
        "chance_lower": "events.chance.lower", "chance_upper": "events.chance.upper",
        "draws": "events.draws", "count": "events.count", "refuted": "events.refuted",
    }  # fmt: skip

    def section(self) -> Section:
        """Return the answer, the events that refute, and what would have been seen."""
        result = self.result
        found = Toned(result.found.value, TONES[result.found])
        failed = result.found is SamplerFindings.REFUTED
        at = f" at level {_short(result.level)}" if failed else ""
        head = say(title(self.name or result.function), ": ", found, at, level=0)
        events = [one for one in result.events if one.refuted is not None]
        said = [self._asked(), *first([*map(_event, events)], _SHOWN, "events", "--json has all")]
        said += first([*map(_claim, result.claims)], _SHOWN, "orders", "--json has all")
        return Section(headline=head, said=[*said, *self._seen()], assumed=result.assumed)

    def _asked(self) -> Paragraph:
        result = self.result
        least = min(one.draws for one in result.draws)
        some = "" if len({one.draws for one in result.draws}) == 1 else " or more"
        of = "" if self.asked is None else f" of {self.asked.name}"
        secrets = counted(len(result.draws), "secret")
        return say(
            f"{counted(least, 'draw')}{some} of each of {secrets}{of}, "
            f"{result.tests} exact tests, together at level {_short(result.level)}",
            folds=True,
        )

    def _seen(self) -> Iterator[Paragraph]:
        result = self.result
        what = "An excess of delta above" if result.claims else "A chance that is off by more than"
        if result.found is SamplerFindings.NOT_REFUTED:
            told = f"{what} {result.seen} would have been seen (in 99 of 100 runs)"
            nothing = "So few draws show no excess at all"
            yield say(f"That is no proof. {told if result.seen < 1 else nothing}", folds=True)
        if result.excess is not None and result.enough is None:
            yield say(f"No number of draws was found that shows an excess of {result.excess}")
        elif result.excess is not None:
            yield say(f"{result.enough} draws of each secret show an excess of {result.excess}")


def _event(one: TestedEvent) -> Paragraph:
    return say(
        bad("The law fails: "),
        f"given {one.secret}{_under(one.belief)}, {one.event} has the chance "
        f"{_decimal(one.chance.lower)} and was drawn {one.count} times in {one.draws}, which is "
        f"{one.refuted} than it explains",
        folds=True,
    )


def _claim(one: TestedClaim) -> Paragraph:
    delta = f"delta is at least {_decimal(one.delta.lower)} from the draws, "
    exact = f"{_decimal(one.exact.lower)} by the exact law, "
    claimed = f"{_decimal(one.claimed.upper)} is claimed"
    what = bad("The claim fails: ") if one.refuted else "Claim: "
    return say(
        what, f"from {one.from_} to {one.to}{_under(one.belief)}, event {one.event}: ", delta,
        exact, claimed, folds=True,
    )  # fmt: skip


def _under(belief: str) -> str:
    return "" if belief == "default" else f" under {belief}"


def _decimal(value: object) -> str:
    return f"{float(str(value)):.6g}" if "/" not in str(value) else str(value)


def _short(level: object) -> str:
    text = str(level)
    return f"{float(text):g}" if "/" not in text else text
