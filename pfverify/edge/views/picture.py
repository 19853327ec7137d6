"""The view of a picture."""

from __future__ import annotations

from pfverify.edge.document import Section, say, title
from pfverify.edge.pictures import BarChart, Plot
from pfverify.edge.views.view import SingleView


class PictureView(SingleView[Plot | BarChart]):
    """A picture under its title."""

    def section(self) -> Section:
        """Return the title and the picture, after a blank line."""
        headline = say(title(self.result.title), folds=True)
        return Section(headline, [self.result], apart=True)
