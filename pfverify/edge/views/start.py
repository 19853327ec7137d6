"""The view of what `pfverify start` made of answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Paragraph, Section, say, title, toned
from pfverify.edge.sentences import sentence
from pfverify.edge.start.found import Started
from pfverify.edge.views.data import as_data
from pfverify.edge.views.view import SingleView


class StartView(SingleView[Started]):
    """What was answered and assumed, the verdict in words, and what comes next."""

    schema = "start"
    exact: ClassVar[tuple[str, ...]] = ("epsilon", "delta")

    def sections(self) -> list[Section]:
        """Return the answers, then the verdict."""
        return [self._answers(), self.section()]

    def _answers(self) -> Section:
        """What was asked and answered, and what stands in place of what is not known."""
        found = self.result
        said = [say(f"{name}: {answer}") for name, answer in found.answers.items()]
        notes = [say(told, folds=True) for told in found.unknown.values()]
        if notes:
            notes.insert(0, say(sentence("start.assumed"), level=0))
        return Section(headline=say(title(sentence("start.answers")), level=0), said=said,
                       notes=notes)  # fmt: skip

    def section(self) -> Section:
        """Return the verdict in words, with what it takes for granted, and what comes next."""
        found = self.result
        answer = sentence("start.open") if found.verdict is None else toned(found.verdict)
        return Section(
            headline=say(title(f"{found.output}: "), answer, level=0),
            said=[*self._said()], assumed=found.assumed,
            notes=[*self._next()], apart=True,
        )  # fmt: skip

    def _said(self) -> Iterator[Paragraph]:
        found = self.result
        if found.verdict in (Verdict.CERTIFIED, None):
            yield say(found.promise or "", folds=True)
        if found.scale is not None and found.refuted is not None:
            below = found.refuted
            yield say(sentence("start.scale", scale=found.scale, below=below), folds=True)
        elif found.scale is not None and found.verdict is Verdict.CERTIFIED:
            yield say(sentence("start.some", scale=found.scale), folds=True)
        if found.threshold is not None:
            yield say(sentence("start.threshold", threshold=found.threshold), folds=True)
        if found.why is not None:
            yield say(sentence("start.why", why=found.why), folds=True)

    def _next(self) -> Iterator[Paragraph]:
        yield say(sentence("start.next"), level=0)
        for command in self.result.next:
            yield say(command)

    def data(self) -> object:
        """Return the result."""
        return as_data(self.result)
