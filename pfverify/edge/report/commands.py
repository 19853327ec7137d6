"""How a reader checks a report: the digest of the problem, and the commands."""

from __future__ import annotations

import shlex
from pathlib import Path

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Block, Code, Item, Listed, Listing, Paragraph
from pfverify.edge.packaged import PREFIX
from pfverify.edge.report.facts import Facts
from pfverify.version import __version__

_EXPECTED = {Verdict.CERTIFIED: "certified", Verdict.REFUTED: "refuted"}


def check_commands(facts: Facts) -> list[Block]:
    """Return the digest, the commands that check the verdict, and what they need."""
    about = Listed([
        Item(("The problem's digest (sha256 of its canonical form): ", Code(facts.digest))),
        Item((f"Made by pfverify {__version__}.",)),
    ])  # fmt: skip
    if facts.decided.verdict not in _EXPECTED:
        decide = _command("pfverify", "certify", facts.problem_name)
        why = "Undecided has no certificate; this decides again:"
        return [about, Paragraph((why,)), Listing(decide, "The command that decides again")]
    lines = _lines(facts)
    return [
        about,
        Paragraph((
            f"{_how(lines)}: a small program of the standard library that shares no code with the "
            "search. It ends with exit code 0 only if it proves exactly this.",
        )),
        Listing("\n".join(lines), "Commands that check the verdict"),
        Paragraph(("The kernel runs by itself too, from a checkout and without any installed "
                   "package:",)),
        Listing("\n".join(_kernel(facts)), "Commands that run the kernel alone"),
    ]  # fmt: skip


def _how(lines: list[str]) -> str:
    """What a reader needs, and what each line does."""
    if len(lines) == 1:  # the certificate is there
        return ("With the problem file, the certificate and pfverify, this lets the kernel alone "
                "check it")  # fmt: skip
    return ("With the problem file and pfverify installed, the first line writes the certificate "
            "and the second lets the kernel alone check it")  # fmt: skip


def _lines(facts: Facts) -> list[str]:
    name, certificate = facts.problem_name, _certificate(facts)
    written = facts.checked is not None and facts.checked.result.word == _expected(facts)
    first = [] if written else [_command("pfverify", "certify", name, "-o", certificate)]
    return [*first, _command("pfverify", "check", name, certificate, "--expect", _expected(facts))]


def _kernel(facts: Facts) -> list[str]:
    name, first = facts.problem_name, []
    if name.startswith(PREFIX):
        first = [_command("pfverify", "demo", "--write", "problems")]
        name = f"problems/{name.removeprefix(PREFIX)}.toml"
    return [*first, _command("python", "-I", "-S", "pfverify/kernel", name, _certificate(facts))]


def _expected(facts: Facts) -> str:
    return _EXPECTED[facts.decided.verdict]


def _certificate(facts: Facts) -> str:
    if facts.checked is not None and facts.checked.result.word == _expected(facts):
        return facts.checked.name
    return f"{Path(facts.problem_name.removeprefix(PREFIX)).stem}.cert"


def _command(*words: str) -> str:
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    """A word as a shell reads it back; one that cannot be shown as it is, escaped."""
    if word.isprintable():
        return shlex.quote(word)
    escaped = word.encode("unicode_escape").decode("ascii").replace("'", "\\'")
    return f"$'{escaped}'"
