"""What the symbols of a proof file mean, in words that stand in its docstring or in a setting's.

A docstring may end with a list: a line "Symbols:", then lines such as "x, z: letters of a prior". A
name that no list has means what a sentence says that begins with it: "r is drawn from Rest." A file
says what a name means before the settings from which it imports.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from pfverify.proof.loader import ProofFile

_LIST = "\nSymbols:\n"
_ENTRY = re.compile(r"(\w+(?:, \w+)*): (\S.*)")
_SENTENCE = re.compile(  # what it says of one name, plainly
    r"(?:^|[.;:] )(\w+)(?:\([\w, ]+\))? is ((?:(?! and )[^,.;:`])+)[.;](?: |$)"
)


def words_for_symbols(file: ProofFile, text: str) -> dict[str, str]:
    """Return what names mean by the docstrings of a file of this text and of its settings."""
    return words_in(reversed([*file.settings.values(), text]))


def words_in(texts: Iterable[str]) -> dict[str, str]:
    """Return what names mean by the docstrings of files with these texts; the first one counts.

    Example: ``words_in(['"c(u) is a chance."'])`` is ``{"c": "a chance"}``.
    """
    found: dict[str, str] = {}
    prose: dict[str, str] = {}
    for text in texts:
        said, _, listed = (ast.get_docstring(ast.parse(text)) or "").partition(_LIST)
        for entry in map(_ENTRY.fullmatch, listed.splitlines()):
            for name in entry[1].split(", ") if entry else ():
                found.setdefault(name, entry[2] if entry else "")
        for name, words in _SENTENCE.findall(" ".join(said.split())):
            prose.setdefault(name, words)
    return {**prose, **found}
