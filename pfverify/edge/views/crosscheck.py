"""The view of a cross-check: what was found, the smallest failing cases, and what is not proved."""

from __future__ import annotations

from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.run import CrosscheckResult, Smallest
from pfverify.edge.document import Text, Toned, counted, with_commas
from pfverify.edge.views.described import TONES
from pfverify.edge.views.view import View

_ATOMS = 8  # of a case that are shown
_UNDECIDED = {CaseOutcome.UNDECIDED, CaseOutcome.CRASH, CaseOutcome.TIMEOUT, CaseOutcome.MEMORY}


class CrosscheckView(View[CrosscheckResult]):
    """What somebody's function answered: the smallest failing cases, and what is not proved."""

    schema = "crosscheck"

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
            (Toned(f"{one.count} {one.outcome}", TONES[one.outcome]),)
            for one in self.result.outcomes
        )

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
        return Toned(one.outcome.value.capitalize(), TONES[one.outcome])

    def often(self, one: Smallest) -> str:
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

    def compares(self, one: Smallest) -> bool:
        """Say whether a case has two laws."""
        return "q" in one.case

    def atoms(self, one: Smallest) -> list[tuple[str, ...]]:
        """Return the atoms of a case with their weights in its laws."""
        names = [name for name in ("atoms", "p", "q") if name in one.case]
        columns = [one.case[name]["decimal"] for name in names if "atoms" in names]
        return list(zip(*columns, strict=True))

    def normals(self, one: Smallest) -> list[tuple[str, ...]]:
        """Return the parts of mixtures, each after the name of its law."""
        names = [name for name in ("p", "q") if name in one.case and "atoms" not in one.case]
        return [(name, *row["decimal"]) for name in names for row in one.case[name]["rows"]]

    def again(self, one: Smallest) -> list[str]:
        """Return the command that asks a case again: its last word, which is long, by itself."""
        before, option, case = one.replay.partition(" --replay ")
        return [f"Again: {before}{option}\\", case]
