"""The views of problems about which nothing was decided, and of how many there are of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pfverify.edge.document import Column, Section, Table, Tone, Toned, and_more, bad, say, title
from pfverify.edge.many import Failed
from pfverify.edge.views.pairs import ROWS
from pfverify.edge.views.view import DecidedCase, SingleView, View
from pfverify.edge.words import counted

FAILED = "failed"


class FailedView(SingleView[Failed]):
    """Why nothing was decided."""

    schema = "failed"
    failed = True

    def section(self) -> Section:
        """Return the reason."""
        words = title(self.name), ": ", bad(FAILED)
        return Section(headline=say(*words, level=0), said=[say(self.result.error)])

    def cases(self) -> list[DecidedCase]:
        """Return the one case: that of the file."""
        return [DecidedCase(None, self.result.error)]

    def word(self) -> Toned:
        """Return that it failed."""
        return bad(FAILED)


class TallyView(SingleView[Sequence[View[Any]]]):
    """How many problems there are of each kind, and which."""

    def section(self) -> Section:
        """Return the counts, and the table of the problems."""
        words = [view.word() for view in self.result]
        counts = Counter(word.text for word in words)
        said = ", ".join(f"{count} {word}" for word, count in counts.most_common())
        rows = [((view.name,), (word,)) for view, word in zip(self.result, words, strict=True)]
        if len(rows) > ROWS:  # what is cut off is good, where there is so much of it
            rows.sort(key=lambda row: row[1][0].tone is Tone.GOOD)
        answers = counted(len(rows), "answer")
        return Section(
            headline=say(title(answers), f": {said}", level=0),
            tables=[Table([Column("problem", whole=True), Column("answer")], rows[:ROWS])],
            notes=and_more(len(rows) - ROWS, "answers", "--json has all"),
            apart=True,
        )
