"""The views of problems about which nothing was decided, and of how many there are of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pfverify.edge.document import Tone, Toned, counted
from pfverify.edge.many import Failed
from pfverify.edge.views.pairs import ROWS
from pfverify.edge.views.view import DecidedCase, View


class FailedView(View[Failed]):
    """Why nothing was decided."""

    schema = "failed"
    failed = True

    def cases(self) -> list[DecidedCase]:
        """Return the one case: that of the file."""
        return [DecidedCase(None, self.result.error)]


class TallyView(View[Sequence[View[Any]]]):
    """How many problems there are of each kind, and which."""

    of = "tally"

    def answers(self) -> str:
        """Return how many there are."""
        return counted(len(self.result), "answer")

    def words(self) -> list[Toned]:
        """Return the answer in a word about each."""
        return [view.word() for view in self.result]

    def counts(self) -> str:
        """Return how many there are of each kind."""
        counts = Counter(word.text for word in self.words()).most_common()
        return ", ".join(f"{count} {word}" for word, count in counts)

    def problems(self) -> list[tuple[str, Toned]]:
        """Return the problems; what is cut off is good, where there is so much of it."""
        rows = list(zip((view.name for view in self.result), self.words(), strict=True))
        if len(rows) > ROWS:
            rows.sort(key=lambda row: row[1].tone is Tone.GOOD)
        return rows
