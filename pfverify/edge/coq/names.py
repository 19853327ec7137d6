"""Names of secrets and files as identifiers of Coq, and any text inside its comments."""

from __future__ import annotations

import re
import unicodedata

from pfverify.errors import shorten

_LONGEST = 40


class CoqNames:
    """Identifiers that are all different, and none of which the theory or Coq has.

    Each begins or ends with words of ours (`prior_...`, `..._is_private`), which keeps it apart
    from what statements use.
    Example: ``CoqNames().new("prior", "higher=yes")`` is ``"prior_higher_yes"``.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, before: str, text: str, after: str = "") -> str:
        """Return a new identifier: the words before and after, and what is ASCII of a text."""
        middle = _ascii(text) or "unnamed"
        if not before and not middle[0].isalpha():
            middle = f"problem_{middle}"
        name = whole = "_".join(filter(None, (before, middle, after)))
        count = 1
        while name in self._taken:
            count += 1
            name = f"{whole}_{count}"
        self._taken.add(name)
        return name


def file_of(stem: str) -> str:
    """Return a name for a file that coqc takes. Example: ``file_of("a b")`` is ``"a_b.v"``."""
    return f"{CoqNames().new('', stem)}.v"


def is_file_name(name: str) -> bool:
    """Say whether coqc takes a name for a file. Example: ``is_file_name("a-b.v")`` is False."""
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*\.v", name) is not None


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text[: 10 * _LONGEST])
    kept = "".join(mark for mark in plain if not unicodedata.combining(mark))
    return re.sub(r"[^A-Za-z0-9]+", "_", kept)[:_LONGEST].strip("_")


def commented(text: str, limit: int = 60) -> str:
    """Return any text as ASCII that can stand inside a comment of Coq, where strings count too.

    Example: ``len(commented("*"))`` is ``4``: a backslash, x2a.
    """
    plain = ascii(text)[1:-1].replace("*", "\\x2a").replace('"', "\\x22")
    return shorten(plain, limit)
