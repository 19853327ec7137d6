"""The view of the kernel's answer about a certificate."""

from __future__ import annotations

from pfverify.certificate.checking import Trusts
from pfverify.edge.checked import Checked, Confirmed
from pfverify.edge.document import Column, Section, Table, Toned, bad, good, say
from pfverify.edge.sentences import sentence
from pfverify.edge.views.view import View


class CheckView(View[Checked]):
    """What the kernel said, and what that rests on; of several problems, each is named."""

    schema = "check"

    def sections(self) -> list[Section]:
        """Return the word and the message, then the kernel's files and facts, and Coq's answer."""
        trusts, found = self.result.trusts, self.result.coq
        return [
            self._said(),
            *([] if trusts is None else _rests(trusts)),
            *([] if trusts is None or found is None else [_beside(found)]),
            *([] if found is None or not found.accepted else _coq(found)),
        ]

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


def _rests(found: Trusts) -> list[Section]:
    """The kernel's files with their lines, and the facts of the rules."""
    rules = [
        say(f"{rule}: {', '.join(facts) or 'no named fact'}") for rule, facts in found.rules.items()
    ]
    files = Table(
        [Column("file of the kernel"), Column("lines of code", right=True)],
        [((name,), (str(lines),)) for name, lines in found.files.items()],
    )
    rests = f"It rests on {len(found.files)} files with {found.lines} lines of code"
    headline = say(f"{rests} (without docstrings and comments)", level=0)
    return [
        Section(headline=headline, tables=[files]),
        Section(headline=say("and on the facts that its rules name:", level=0), said=rules),
    ]


def _beside(found: Confirmed) -> Section:
    """What stands beside that: of the two, one is enough."""
    *others, last = found.definitions
    taken = " but for what is taken below" if found.taken else ""
    words = sentence("check.beside", taken=taken, others=", ".join(others), last=last)
    return Section(headline=say(words, level=0))


def _coq(found: Confirmed) -> list[Section]:
    """The theorems that Coq accepts, with their axioms."""
    theorems = [say(f"{name}: {words}") for name, words in found.theorems.items()]
    accepts = f"Coq accepts, with the definitions in {found.theory}:"
    taken = [f"and takes from pfverify, without a proof: {one}" for one in found.taken]
    rests = f"on its kernel and these axioms: {', '.join(found.axioms)}"
    return [
        Section(headline=say(accepts, level=0), said=theorems),
        *(Section(headline=say(words, level=0)) for words in (*taken, rests)),
    ]
