"""The view of an inequality that is written out."""

from __future__ import annotations

from pfverify.edge.document import Section, say
from pfverify.edge.explain import Explanation
from pfverify.edge.views.view import SingleView


class ExplanationView(SingleView[Explanation]):
    """The worst pair's inequality, with its numbers."""

    def section(self) -> Section:
        """Return the lines, after a blank one."""
        return Section(said=[say(line) for line in self.result.lines], apart=True)
