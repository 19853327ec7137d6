"""The view of the kernel's answer about a certificate."""

from __future__ import annotations

from pfverify.edge.checked import Checked
from pfverify.edge.views.view import Section, View, say


class CheckView(View[Checked]):
    """What the kernel said."""

    def sections(self) -> list[Section]:
        """Return the word and the message."""
        return [Section(headline=say(f"{self.result.result}: {self.result.message}", level=0))]
