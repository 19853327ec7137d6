"""The view of a problem, as a notebook shows it: what is asked, and of which laws."""

from __future__ import annotations

from pfverify.edge.document import Column, Paragraph, Section, Table, and_more, say
from pfverify.edge.views.view import SingleView
from pfverify.edge.words import counted, inequality
from pfverify.errors import shorten
from pfverify.model.problem import Problem
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped
from pfverify.model.sources.users import Users

_ROWS = 20  # laws that are shown
_LONG = 200  # characters of a law


class ProblemView(SingleView[Problem]):
    """The target, what releases, and the priors (of a system the laws that its user may have)."""

    def section(self) -> Section:
        """Return the target in words, the release, and a table of laws."""
        problem = self.result
        target = inequality(
            problem.form, problem.epsilon.text, problem.delta.text, problem.named_notion
        )
        laws = problem.source.stated()
        several = len({belief for belief, _, _ in laws}) > 1
        names = ["belief"] * several + ["secret", problem.source.law_word]
        rows = [
            [(shorten(text, _LONG),) for text in (belief, secret, law)[not several :]]
            for belief, secret, law in laws[:_ROWS]
        ]
        return Section(
            said=[say(target), self._release()],
            tables=[Table([Column(name) for name in names], rows)] if rows else [],
            notes=and_more(len(laws) - _ROWS, "laws", ".beliefs has all"),
        )

    def _release(self) -> Paragraph:
        problem = self.result
        release = problem.release
        channel = release.named and not isinstance(release, Stepped | Selected)
        of = f"Channel: {release.named_kind}, " if channel else "Noise: "
        words = [f"{of}{release!r}"]
        if problem.named_notion is not None:
            words.append(f"notion: {problem.named_notion}")
        if isinstance(problem.source.origin, Users):
            words.append(f"X: {problem.source.origin.system!r}")
        if problem.source.steps:
            words.append(f"before the noise: {'; '.join(x.words for x in problem.source.steps)}")
        words.append(f"{counted(len(problem.pairs), 'pair')} of secrets, both orders")
        return say("; ".join(words))
