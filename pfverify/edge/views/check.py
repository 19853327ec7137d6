"""The view of the kernel's answer about a certificate."""

from __future__ import annotations

from pfverify.edge.checked import Checked, Trusting
from pfverify.edge.document import Column, Section, Table, Toned, bad, good, say
from pfverify.edge.views.view import View


class CheckView(View[Checked]):
    """What the kernel said; of several problems, each is named."""

    schema = "check"

    def sections(self) -> list[Section]:
        """Return the word and the message."""
        return [self._said(), *coq(self.result)]

    def word(self) -> Toned:
        """Return what was proved, and what was expected instead."""
        result = self.result
        other = result.valid and not result.ok
        text = f"{result.result}, expected {result.expected}" if other else result.result
        return good(text) if result.ok else bad(text)

    def _said(self) -> Section:
        """The kernel's word and message, with what changed since where that is known."""
        result, name = self.result, "" if self.asked is None else f"{self.name}: "
        message = f"{name}{result.result}: {result.message}"
        if result.changed:
            message += f": {', '.join(result.changed)}"
        if result.remedy is not None:
            message += f"; run `{result.remedy}`"
        return Section(headline=say(message, level=0))


def coq(result: Checked) -> list[Section]:
    """Return the theorems that Coq accepts, with their axioms; nothing where it was not asked."""
    found = result.coq
    if found is None or not found.accepted:
        return []
    theorems = [say(f"{name}: {words}") for name, words in found.theorems.items()]
    rests = f"on its kernel and these axioms: {', '.join(found.axioms)}"
    accepts = f"Coq accepts, with the definitions in {found.theory}:"
    taken = [
        Section(headline=say(f"and takes from pfverify, without a proof: {one}", level=0))
        for one in found.taken
    ]
    return [
        Section(headline=say(accepts, level=0), said=theorems),
        *taken,
        Section(headline=say(rests, level=0)),
    ]


class TrustingView(CheckView):
    """What the kernel said, and what it rests on."""

    result: Trusting

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
            self._said(),
            Section(headline=say(f"{rests} (without docstrings and comments)", level=0),
                    tables=[files]),
            Section(headline=say("and on the facts that its rules name:", level=0), said=rules),
            *self._coq(),
        ]

    def _coq(self) -> list[Section]:
        """What stands beside that: of the two, one is enough."""
        found = self.result.coq
        if found is None:
            return []
        *others, last = found.definitions
        words = (
            f"or, without all of these{' but for what is taken below' if found.taken else ''}, on "
            "Coq's kernel, the axioms below and the statement that you read,"
            f" with the definitions in {', '.join(others)} and {last} of the theory:"
        )
        return [Section(headline=say(words, level=0)), *coq(self.result)]
