"""The view of a cross-check: what was found, the smallest failing cases, and what is not proved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.run import CrosscheckFindings, CrosscheckResult, Smallest
from pfverify.edge.document import (
    Column,
    Paragraph,
    Section,
    Table,
    Tone,
    Toned,
    and_more,
    bad,
    say,
    title,
    with_commas,
)
from pfverify.edge.views.view import Columns, View
from pfverify.edge.words import counted

_ATOMS = 8  # of a case that are shown
FOUND_TONES = {
    CrosscheckFindings.UNSOUND: Tone.BAD,
    CrosscheckFindings.FAILED: Tone.BAD,
    CrosscheckFindings.UNDECIDED: Tone.OPEN,
    CrosscheckFindings.NOTHING: Tone.GOOD,
}
OUTCOME_TONES = {
    CaseOutcome.SOUND: Tone.GOOD,
    CaseOutcome.UNSOUND: Tone.BAD,
    CaseOutcome.WASTEFUL: Tone.OPEN,
    CaseOutcome.WRONG_DIGITS: Tone.BAD,
    CaseOutcome.CRASH: Tone.BAD,
    CaseOutcome.TIMEOUT: Tone.BAD,
    CaseOutcome.MEMORY: Tone.BAD,
    CaseOutcome.NAN: Tone.BAD,
    CaseOutcome.UNDECIDED: Tone.OPEN,
}
_UNDECIDED = {CaseOutcome.UNDECIDED, CaseOutcome.CRASH, CaseOutcome.TIMEOUT, CaseOutcome.MEMORY}


class CrosscheckView(View[CrosscheckResult]):
    """What somebody's function answered."""

    schema = "crosscheck"
    columns: ClassVar[Columns] = {
        "case": "answers.number", "origin": "answers.origin", "outcome": "answers.outcome",
        "answer": "answers.answer", "truth_lower": "answers.truth.lower",
        "truth_upper": "answers.truth.upper", "factor": "answers.factor",
        "digits": "answers.digits", "words": "answers.words",
    }

    def sections(self) -> list[Section]:
        """Return what was found, a section per failing outcome, and what is not proved."""
        result = self.result
        found = Toned(result.found.value, FOUND_TONES[result.found])
        head = say(title(self.name or result.function), ": ", found, level=0)
        first = Section(headline=head, said=[self._asked(), *self._numbers()])
        last = Section(headline=self._decided(), assumed=result.assumed, apart=True)
        return [first, *map(_smallest, result.smallest), last]

    def _asked(self) -> Paragraph:
        result = self.result
        counts = with_commas(
            (_word(one.outcome, f"{one.count} {one.outcome}"),) for one in result.outcomes
        )
        of = counted(result.planned, "case")
        some = of if result.asked == result.planned else f"{result.asked} of {of}"
        noise = f", {result.noise} noise" if result.noise else ""
        return say(f"{some} asked of {result.signature}{noise}: ", *counts)

    def _numbers(self) -> Iterator[Paragraph]:
        result = self.result
        if result.stopped is not None:
            yield say(bad(f"Stopped early: {result.stopped}"), folds=True)
        if result.largest_factor is not None and result.median_factor is not None:
            largest, middle = float(result.largest_factor), float(result.median_factor)
            yield say(
                f"Where the truth is not 0 answers are up to {largest:.6g} times the truth, in "
                f"the middle {middle:.6g} times"
            )
        if result.claim == "nearest" and result.least_digits is not None:
            yield say(f"At least {result.least_digits} significant digits are right")

    def _decided(self) -> Paragraph:
        result = self.result
        decided = sum(
            one.count for one in result.outcomes
            if one.outcome not in _UNDECIDED
        )  # fmt: skip
        return say(f"Decided: {decided} of {result.asked} cases, each alone", level=0)


def _word(outcome: CaseOutcome, text: str) -> Toned:
    return Toned(text, OUTCOME_TONES[outcome])


def _smallest(one: Smallest) -> Section:
    """What is said about the smallest case of an outcome."""
    times = "once" if one.count == 1 else f"{one.count} times, first in case {one.first}"
    said = [say(one.words, folds=True), say(_given(one.case), folds=True)]
    return Section(
        headline=say(_word(one.outcome, one.outcome.value.capitalize()), f" ({times}): ", level=0),
        said=said,
        tables=_laws(one.case),
        notes=[*_more(one.case), *_again(one.replay)],
        apart=True,
    )


def _again(replay: str) -> list[Paragraph]:
    """The command that asks a case again: its last word, which is long, on a line of its own."""
    before, option, case = replay.partition(" --replay ")
    return [say(f"Again: {before}{option}\\"), say(case)]


def _given(case: dict[str, Any]) -> str:
    """The numbers that the case gives besides its laws, and where it comes from."""
    numbers = [
        f"{name} = {case[name]['decimal'][0]}"
        for name in ("epsilon", "delta", "scale") if name in case
    ]  # fmt: skip
    if "y" in case:
        shown = ", ".join(case["y"]["decimal"][:_ATOMS])
        numbers.append(f"y = {shown}{', …' * (len(case['y']['decimal']) > _ATOMS)}")
    return f"Case ({case['origin'] or 'given'}): {', '.join(numbers) or 'two laws'}"


def _laws(case: dict[str, Any]) -> list[Table]:
    """The laws of a case, cut where they are long."""
    names = [name for name in ("p", "q") if name in case]
    if "atoms" in case:
        columns = [case["atoms"]["decimal"], *(case[name]["decimal"] for name in names)]
        return [_table(["atom", *names], list(zip(*columns, strict=True)))]
    header = ["weight", "mean", "variance"]
    rows = [[name, *row["decimal"]] for name in names for row in case[name]["rows"]]
    return [_table(["law", *header], rows)]


def _table(header: list[str], rows: list[Any]) -> Table:
    cells = [tuple((text,) for text in row) for row in rows[:_ATOMS]]
    return Table([Column(name, whole=True) for name in header], cells)


def _more(case: dict[str, Any]) -> list[Paragraph]:
    count = len(case["atoms"]["decimal"]) if "atoms" in case else 0
    return and_more(count - _ATOMS, "atoms", "--json has all")
