"""The view of a sampler: what was refuted, or what would have been seen, and what is assumed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pfverify.crosscheck.samplers.result import (
    SamplerFindings,
    SamplerResult,
    TestedClaim,
    TestedEvent,
    TestedLeak,
)
from pfverify.edge.document import Paragraph, Section, Tone, Toned, bad, first, say, title
from pfverify.edge.sentences import sentence
from pfverify.edge.views.view import Columns, SingleView
from pfverify.edge.words import counted

_SHOWN = 6
_NOTHING = "So few draws show no excess at all"
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
        lines = [self._asked(), *first([*map(_event, events)], _SHOWN, "events", "--json has all")]
        lines += first([*map(_claim, result.claims)], _SHOWN, "orders", "--json has all")
        leaks = sorted(
            (one for one in result.leaks if one.refuted), key=lambda one: -float(one.delta.lower)
        )
        lines += first([*map(_leak, leaks)], _SHOWN, "events about digits", "--json has all")
        return Section(headline=head, said=[*lines, *self._seen()], assumed=result.assumed)

    def _asked(self) -> Paragraph:
        result = self.result
        least = min(one.draws for one in result.draws)
        some = "" if len({one.draws for one in result.draws}) == 1 else " or more"
        of = "" if self.asked is None else f" of {self.asked.name}"
        secrets = counted(len(result.draws), "secret")
        words = sentence(
            "sampler.asked", draws=counted(least, "draw"), more=some, secrets=secrets, of=of,
            tests=result.tests, level=_short(result.level),
        )  # fmt: skip
        return say(words, folds=True)

    def _seen(self) -> Iterator[Paragraph]:
        result = self.result
        what = "An excess of delta above" if result.claims else "A chance that is off by more than"
        if result.found is SamplerFindings.NOT_REFUTED:
            told = f"{what} {result.seen} would have been seen (in 99 of 100 runs)"
            yield say(f"That is no proof. {told if result.seen < 1 else _NOTHING}", folds=True)
        if result.leaks:
            alone = max((one.alone for one in result.leaks), key=lambda value: float(str(value)))
            looked = ", ".join(dict.fromkeys(one.looked_at for one in result.leaks))
            shown = sentence("sampler.alone", alone=alone) if alone < 1 else f" {_NOTHING}"
            yield say(
                sentence("sampler.digits", events=len(result.leaks), looked=looked, shown=shown),
                folds=True,
            )
        if result.excess is not None and result.enough is None:
            yield say(f"No number of draws was found that shows an excess of {result.excess}")
        elif result.excess is not None:
            yield say(f"{result.enough} draws of each secret show an excess of {result.excess}")


def _event(one: TestedEvent) -> Paragraph:
    chance = _decimal(one.chance.lower)
    words = sentence("sampler.event", one=one, under=_under(one.belief), chance=chance)
    return say(bad("The law fails: "), words, folds=True)


def _claim(one: TestedClaim) -> Paragraph:
    what = bad("The claim fails: ") if one.refuted else "Claim: "
    claim = sentence(
        "sampler.claim", one=one, under=_under(one.belief), delta=_decimal(one.delta.lower),
        exact=_decimal(one.exact.lower), claimed=_decimal(one.claimed.upper),
    )  # fmt: skip
    return say(what, claim, folds=True)


def _leak(one: TestedLeak) -> Paragraph:
    words = sentence(
        "sampler.leak", one=one, under=_under(one.belief), delta=_decimal(one.delta.lower),
        allowed=_decimal(one.allowed),
    )  # fmt: skip
    return say(bad("The digits tell: "), words, folds=True)


def _under(belief: str) -> str:
    return "" if belief == "default" else f" under {belief}"


def _decimal(value: object) -> str:
    return f"{float(str(value)):.6g}" if "/" not in str(value) else str(value)


def _short(level: object) -> str:
    text = str(level)
    return f"{float(text):g}" if "/" not in text else text
