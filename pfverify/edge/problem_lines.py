"""The line of a problem file that a statement is about, for people who open it there."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from pfverify.errors import InputError
from pfverify.model.problem_file import problem_text
from pfverify.model.sources.source import DEFAULT_BELIEF

_RELEASES = ("noise", "channel")
_KEY = re.compile(r"""[\w."' -]+?(?=\s*=)""")
_NAME = re.compile(r'"(?:[^"\\]|\\.)*"(?=\s*:)')


class ProblemLines:
    """A problem file in which keys are looked for, not parsed: nothing rests on what is found.

    Example: ``ProblemLines(Path("census.toml")).of("default", "Never-married")`` is ``27``.
    """

    def __init__(self, path: Path) -> None:
        """Take the file; one that is not there, or cannot be read, has no keys."""
        try:
            lines = problem_text(path).splitlines()
        except InputError:
            lines = []
        read = _json_keys if path.suffix.lower() == ".json" else _toml_keys
        self._first: dict[tuple[str, ...], int] = {}
        for keys, number in read(lines):
            self._first.setdefault(keys, number)

    def of(self, belief: str, secret: str) -> int:
        """Return the line (from 1) of a secret's prior, else of the noise or the channel, else 1.

        In JSON a secret is told by its name alone, whatever its belief.
        """
        ways = [("beliefs", belief, "priors", secret), ("system", "user", secret), (secret,)]
        if belief == DEFAULT_BELIEF:
            ways.append(("priors", secret))
        ways += [(name,) for name in _RELEASES]
        return next((self._first[way] for way in ways if way in self._first), 1)


def _toml_keys(lines: list[str]) -> list[tuple[tuple[str, ...], int]]:
    """The keys from the root to what each line begins."""
    found, header = [], list[str]()
    for number, line in enumerate(map(str.strip, lines), 1):
        if line.startswith("["):
            keys = header = _path(line, [])
        elif key := _KEY.match(line):
            keys = _path(f"{key[0]} = 0", header)
        else:
            continue
        found += [(tuple(keys[:depth]), number) for depth in range(1, len(keys) + 1)]
    return [(keys, number) for keys, number in found if len(keys) > 1 or keys[0] in _RELEASES]


def _path(text: str, header: list[str]) -> list[str]:
    try:
        table: Any = tomllib.loads(text)
    except ValueError:
        return []
    keys = list(header)
    while isinstance(table, dict) and table:
        (key, table), *_ = table.items()
        keys.append(key)
    return keys


def _json_keys(lines: list[str]) -> list[tuple[tuple[str, ...], int]]:
    """The keys that stand in each line, without what is around them."""
    return [
        ((key,), number)
        for number, line in enumerate(lines, 1)
        for name in _NAME.findall(line)
        if (key := _text(name)) is not None
    ]


def _text(literal: str) -> str | None:
    try:
        return str(json.loads(literal))
    except ValueError:  # an escape that there is not
        return None
