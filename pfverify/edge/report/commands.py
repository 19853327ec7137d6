"""How a reader checks a report: the digest of the problem, and the commands."""

from __future__ import annotations

import shlex
from pathlib import Path

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Block
from pfverify.edge.packaged import PREFIX
from pfverify.edge.pages import Code, Item, Listed, Listing
from pfverify.edge.report.facts import Facts
from pfverify.edge.report.sentences import paragraph, sentence, words
from pfverify.version import __version__

_EXPECTED = {
    Verdict.CERTIFIED: "certified", Verdict.REFUTED: "refuted", Verdict.UNDECIDED: None,
}  # fmt: skip
"""Verdict -> what a certificate of it is expected to prove, None where there is none."""


def check_commands(facts: Facts) -> list[Block]:
    """Return the digest, the commands that check the verdict, and what they need."""
    name, there = facts.problem_name, facts.proved_by
    verdict = _EXPECTED[facts.decided.verdict]
    if verdict is None:
        again = command_line("pfverify", "certify", name)
        return [_about(facts), paragraph("check.undecided"), Listing(again, words("check.again"))]
    certificate = there or f"{Path(_file(name)).stem}.cert"
    lines = [] if there else [command_line("pfverify", "certify", name, "-o", certificate)]
    lines.append(command_line("pfverify", "check", name, certificate, "--expect", verdict))
    return [
        _about(facts),
        paragraph("check.with-certificate" if there else "check.without-certificate"),
        Listing("\n".join(lines), words("check.commands")),
        paragraph("check.alone"),
        Listing("\n".join(_kernel(name, certificate)), words("check.alone-commands")),
    ]


def explore_command(facts: Facts) -> str:
    """Return the command for the page on which scale and epsilon are moved."""
    name = facts.problem_name
    return command_line("pfverify", "explore", name, "-o", f"{Path(_file(name)).stem}-explore.html")


def check_without_file(facts: Facts) -> list[Block]:
    """Return the digest, and who can check the verdict: not who has this page alone."""
    undecided = facts.decided.verdict is Verdict.UNDECIDED
    return [_about(facts), paragraph(f"check.without-file{'-undecided' * undecided}")]


def _file(name: str) -> str:
    """The name of a problem without what says that it is packaged."""
    return name.removeprefix(PREFIX)


def _about(facts: Facts) -> Listed:
    return Listed([
        Item(sentence("check.digest", digest=Code(facts.digest))),
        Item(sentence("check.version", version=__version__)),
    ])  # fmt: skip


def _kernel(name: str, certificate: str) -> list[str]:
    first = []
    if name.startswith(PREFIX):
        first = [command_line("pfverify", "demo", "--write", "problems")]
        name = f"problems/{name.removeprefix(PREFIX)}.toml"
    return [*first, command_line("python", "-I", "-S", "pfverify/kernel", name, certificate)]


def command_line(*words: str) -> str:
    """Return a command as a shell reads it back; what cannot be shown as it is stands escaped.

    Example: ``command_line("pfverify", "check", "my file")`` is ``"pfverify check 'my file'"``.
    """
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    """A word as a shell reads it back; one that cannot be shown as it is, escaped."""
    if word.isprintable():
        return shlex.quote(word)
    escaped = word.encode("unicode_escape").decode("ascii").replace("'", "\\'")
    return f"$'{escaped}'"
