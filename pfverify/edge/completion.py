"""Completion in bash, zsh and fish: commands and options by click, problems and files here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    shell_complete,
    split_arg_string,
)

from pfverify.edge.packaged import PREFIX, example_names
from pfverify.errors import InputError, shorten

VARIABLE = "_PFVERIFY_COMPLETE"
SHELLS = ("bash", "zsh", "fish")
_SUFFIXES = {".toml", ".json"}


def complete(commands: click.Group, instruction: str) -> int:
    """Print what a shell asks for by `VARIABLE`, such as ``bash_source``; return the exit code.

    Raises InputError for another instruction, and where the shell's own variables are not there.
    """
    add_completion_class(_Bash)
    known = [f"{shell}_{what}" for shell in SHELLS for what in ("source", "complete")]
    if instruction not in known:
        expected = ", ".join(known[::2])
        raise InputError(f"{VARIABLE}: {shorten(instruction)!r}, expected one of {expected}")
    try:
        return shell_complete(commands, {}, "pfverify", VARIABLE, instruction)
    except (KeyError, ValueError) as error:
        raise InputError(f"{VARIABLE}: the shell sets it, together with {error}") from None


def problems(incomplete: str) -> list[CompletionItem[str]]:
    """Return what may go on as PROBLEM: packaged examples, problem files, folders."""
    examples = [PREFIX + name for name in example_names()]
    names = [name for name in examples if name.startswith(incomplete)]
    items = [CompletionItem(incomplete, type="dir")]
    return items + [CompletionItem(name) for name in [*names, *_files(incomplete)]]


def named_files(incomplete: str) -> list[CompletionItem[str]]:
    """Return that a file goes on here."""
    return [CompletionItem(incomplete, type="file")]


def terms(incomplete: str) -> list[CompletionItem[str]]:
    """Return the terms that `explain` knows and that begin so, with their sentences."""
    from pfverify.edge.glossary.entries import entries

    found = {entry.term: entry.sentence for entry in entries()}
    return [
        CompletionItem(term, help=sentence)
        for term, sentence in sorted(found.items())
        if term.startswith(incomplete) and term.isascii()
    ]


def _files(incomplete: str) -> Iterator[str]:
    """The problem files that a beginning of a path goes on to, as they would be typed."""
    folder, start = os.path.split(incomplete)
    try:
        names = sorted(os.listdir(os.path.expanduser(folder) or "."))
    except (OSError, ValueError):
        return
    for name in names:
        if name.startswith(start) and Path(name).suffix.lower() in _SUFFIXES and name.isprintable():
            yield os.path.join(folder, name)


class _Bash(BashComplete):
    """Bash takes a colon for the end of a word, so of example:NAME only NAME is replaced."""

    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n' response completion type value
    response=$(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1")
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            dir) compopt -o plusdirs ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$(printf '%%q' "$value")") ;;
        esac
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
    _cut = ""  # the part of the word that stays

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one at the cursor, and that one's beginning."""
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)[1:]
        incomplete = "" if not words or line[-1:].isspace() else words.pop()
        if ":" in os.environ["COMP_WORDBREAKS"]:
            value = incomplete.rpartition("=")[2] if incomplete.startswith("-") else incomplete
            self._cut = value[: value.rfind(":") + 1]
        return words, incomplete

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return a kind and a value."""
        return f"{item.type},{item.value.removeprefix(self._cut)}"
