"""The view of the list of packaged problems."""

from __future__ import annotations

from pfverify.edge.document import Section, say
from pfverify.edge.packaged import PREFIX, Examples
from pfverify.edge.views.view import SingleView


class ExamplesView(SingleView[Examples]):
    """The packaged problems."""

    schema = "examples"

    def section(self) -> Section:
        """Return a line for each."""
        summaries = self.result.summaries
        width = len(PREFIX) + max(len(name) for name in summaries)
        lines = [
            say(f"{PREFIX + name:{width}} {summaries[name]}", level=0) for name in summaries
        ]
        return Section(said=lines)
