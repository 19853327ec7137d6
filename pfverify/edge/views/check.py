"""The view of the kernel's answer about a certificate."""

from __future__ import annotations

from pfverify.edge.checked import Checked, Trusting
from pfverify.edge.views.view import Column, Section, Table, View, say


class CheckView(View[Checked]):
    """What the kernel said."""

    schema = "check"

    def sections(self) -> list[Section]:
        """Return the word and the message."""
        return [Section(headline=say(f"{self.result.result}: {self.result.message}", level=0))]


class TrustingView(View[Trusting]):
    """What the kernel said, and what it rests on."""

    schema = CheckView.schema

    def sections(self) -> list[Section]:
        """Return the answer, the kernel's files with their lines, and the facts of the rules."""
        found = self.result.trusts
        rules = [
            say(f"{rule}: {', '.join(facts) or 'no named fact'}")
            for rule, facts in found.rules.items()
        ]
        files = Table(
            [Column("file of the kernel"), Column("lines of code", right=True)],
            [((name,), (str(lines),)) for name, lines in found.files.items()],
        )
        rests = f"It rests on {len(found.files)} files with {found.lines} lines of code"
        return [
            Section(headline=say(f"{self.result.result}: {self.result.message}", level=0)),
            Section(headline=say(f"{rests} (without docstrings and comments)", level=0),
                    tables=[files]),
            Section(headline=say("and on the facts that its rules name:", level=0), said=rules),
        ]
