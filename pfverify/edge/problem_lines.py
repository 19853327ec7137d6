"""The line of a problem file that a statement is about, for people who open it there."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from pfverify.errors import InputError
from pfverify.model.problem import DEFAULT_BELIEF
from pfverify.model.problem_file import problem_text

_RELEASES = ("noise", "channel")


def line_of(path: Path, belief: str, secret: str) -> int:
    """Return the line (from 1) of a secret's prior, else of the noise or the channel, else 1.

    It is looked for, not parsed: a place to show, on which nothing rests.
    Example: ``line_of(Path("census.toml"), "default", "Never-married")`` is ``21``.
    """
    try:
        lines = problem_text(path).splitlines()
    except InputError:
        return 1
    find = _in_json if path.suffix.lower() == ".json" else _in_toml
    return find(lines, belief, secret)


def _in_toml(lines: list[str], belief: str, secret: str) -> int:
    ways = [["beliefs", belief, "priors", secret], ["system", "user", secret]]
    if belief == DEFAULT_BELIEF:
        ways.append(["priors", secret])
    release, header = 1, list[str]()
    for number, line in enumerate(lines, 1):
        keys = _keys(line.strip(), header)
        if line.strip().startswith("["):
            header = keys
        if keys in ways:
            return number
        if release == 1 and keys[:1] in ([one] for one in _RELEASES):
            release = number
    return release


def _keys(line: str, header: list[str]) -> list[str]:
    """The keys from the root to what a line begins; none where it begins nothing."""
    if line.startswith("["):
        return _path(line, [])
    found = re.match(r"""[\w."' -]+?(?=\s*=)""", line)
    return [] if found is None else _path(f"{found[0]} = 0", header)


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


def _in_json(lines: list[str], belief: str, secret: str) -> int:
    names = [secret, *_RELEASES]
    for name in names:
        written = {json.dumps(name), json.dumps(name, ensure_ascii=False)}
        key = re.compile(rf"(?:{'|'.join(map(re.escape, written))})\s*:")
        for number, line in enumerate(lines, 1):
            if key.search(line):
                return number
    return 1
