"""The view of a cross-check: what was found, the smallest failing cases, and what is not proved."""

from __future__ import annotations

from typing import Any

from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.run import CrosscheckFindings, CrosscheckResult, Smallest
from pfverify.edge.document import (
    Column,
    Paragraph,
    Table,
    Text,
    Tone,
    Toned,
    and_more,
    bad,
    with_commas,
)
from pfverify.edge.views.view import View
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


class FoundView(View[Any]):
    """What was found about a function of somebody."""

    def heading(self) -> str:
        """Return what was asked."""
        return self.name or str(self.result.function)

    def found_tone(self, found: CrosscheckFindings) -> Toned:
        """Return what was found in its tone."""
        return Toned(found.value, FOUND_TONES[found])

    def outcome_tone(self, outcome: CaseOutcome) -> Toned:
        """Return what became of a case in its tone."""
        return Toned(outcome.value, OUTCOME_TONES[outcome])


class CrosscheckView(FoundView):
    """What somebody's function answered: the smallest failing cases, and what is not proved."""

    schema = "crosscheck"
    result: CrosscheckResult

    def some(self) -> str:
        """Return how many cases were asked."""
        asked, of = self.result.asked, counted(self.result.planned, "case")
        return of if self.result.planned == asked else f"{asked} of {of}"

    def noise(self) -> str:
        """Return of which noise."""
        return f", {self.result.noise} noise" if self.result.noise else ""

    def counts(self) -> Text:
        """Return how many cases have which outcome."""
        return with_commas(
            (Toned(f"{one.count} {one.outcome}", OUTCOME_TONES[one.outcome]),)
            for one in self.result.outcomes
        )

    def stopped(self) -> Toned | None:
        """Return why it ended early."""
        why = self.result.stopped
        return None if why is None else bad(f"Stopped early: {why}")

    def factors(self) -> tuple[str, str] | None:
        """Return how far answers are above the truth, at most and in the middle."""
        largest, middle = self.result.largest_factor, self.result.median_factor
        if largest is None or middle is None:
            return None
        return f"{float(largest):.6g}", f"{float(middle):.6g}"

    def right_digits(self) -> int | None:
        """Return how many digits are right, where that was promised."""
        return self.result.least_digits if self.result.claim == "nearest" else None

    def decided(self) -> int:
        """Return how many cases were decided."""
        return sum(one.count for one in self.result.outcomes if one.outcome not in _UNDECIDED)

    def outcome(self, one: Smallest) -> Toned:
        """Return the outcome of a smallest case."""
        return Toned(one.outcome.value.capitalize(), OUTCOME_TONES[one.outcome])

    def times(self, one: Smallest) -> str:
        """Return how often there is one."""
        return "once" if one.count == 1 else f"{one.count} times, first in case {one.first}"

    def given(self, one: Smallest) -> str:
        """Return the numbers that a case gives besides its laws, and where it comes from."""
        case = one.case
        numbers = [
            f"{name} = {case[name]['decimal'][0]}"
            for name in ("epsilon", "delta", "scale") if name in case
        ]  # fmt: skip
        if "y" in case:
            shown = ", ".join(case["y"]["decimal"][:_ATOMS])
            numbers.append(f"y = {shown}{', …' * (len(case['y']['decimal']) > _ATOMS)}")
        return f"Case ({case['origin'] or 'given'}): {', '.join(numbers) or 'two laws'}"

    def laws(self, one: Smallest) -> list[Table]:
        """Return the laws of a case, cut where they are long."""
        case = one.case
        names = [name for name in ("p", "q") if name in case]
        header = ["law", "weight", "mean", "variance"]
        if "atoms" in case:
            header = ["atom", *names]
            columns = [case["atoms"]["decimal"], *(case[name]["decimal"] for name in names)]
            rows = list(zip(*columns, strict=True))
        else:
            rows = [(name, *row["decimal"]) for name in names for row in case[name]["rows"]]
        cells = [[(text,) for text in row] for row in rows[:_ATOMS]]
        return [Table([Column(name, whole=True) for name in header], cells)]

    def more(self, one: Smallest) -> list[Paragraph]:
        """Return how many atoms are not shown."""
        count = len(one.case["atoms"]["decimal"]) if "atoms" in one.case else 0
        return and_more(count - _ATOMS, "atoms", "--json has all")

    def again(self, one: Smallest) -> list[str]:
        """Return the command that asks a case again: its last word, which is long, by itself."""
        before, option, case = one.replay.partition(" --replay ")
        return [f"Again: {before}{option}\\", case]
