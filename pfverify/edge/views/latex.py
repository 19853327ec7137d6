"""The view of a LaTeX fragment."""

from __future__ import annotations

from pfverify.edge.document import Section, say
from pfverify.edge.latex import Fragment
from pfverify.edge.views.view import SingleView


class FragmentView(SingleView[Fragment]):
    """The worst pair's inequality as LaTeX."""

    def section(self) -> Section:
        """Return the lines as they are."""
        return Section(said=[say(line, level=0) for line in self.result.lines])
