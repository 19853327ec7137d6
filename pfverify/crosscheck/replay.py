"""Asking one case again: its text on a command line, or a file."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pfverify.crosscheck.case import Case
from pfverify.errors import InputError, require, shorten, told_at

_LONGEST = 4000  # characters of a case on a command line
_MOST = 256 << 20  # bytes of a file
_EXPECTED = "expected a case as JSON, its file, or a report that --json wrote"


def text_of(case: Case) -> str:
    """Return a case as JSON in one word, its floats as hexadecimal text, without its origin.

    Example: ``case_of(text_of(case)) == case`` is True.
    """
    table = {name: part for name, part in case.to_dict().items() if name != "origin"}
    return json.dumps(_bare(table), separators=(",", ":"))


def case_of(text: str) -> Case:
    """Return the case of a JSON text or file; of a report, the first of its smallest cases.

    Raises InputError for anything else.
    """
    require(text, str, "a case")
    table, name = _table(text)
    if "smallest" in table:
        found = table["smallest"]
        if not isinstance(found, list) or not found or not isinstance(found[0], dict):
            raise InputError(f"{name}: there is no failing case in this report")
        table = found[0].get("case", {})
    with told_at(f"{name}: "):
        case = Case.from_dict(table)
        _check_question(case)
    return case


def command(case: Case, function: str, options: Sequence[str]) -> str:
    """Return the command that asks a case again, in words where the case is too long for a line.

    Example: ``command(case, "mine:scale", [])[:29]`` is ``"pfverify crosscheck mine:scale"[:29]``.
    """
    words = ["pfverify", "crosscheck", function, "--kind", case.kind, *options, "--replay"]
    text = text_of(case)
    if len(text) > _LONGEST:
        return f"{shlex.join(words)} REPORT (a file that --json wrote: {case.size} atoms)"
    return shlex.join([*words, text])


def _check_question(case: Case) -> None:
    """Raise InputError for floats that are no question, before a function is asked."""
    case.arguments()
    if case.q is not None:
        case.problem()
    else:
        case.p.prior()
        case.noise_with(None)


def _bare(value: Any) -> Any:
    """Return a case without the decimals, which stand beside what is exact."""
    if isinstance(value, dict):
        return {key: _bare(part) for key, part in value.items() if key != "decimal"}
    return [_bare(part) for part in value] if isinstance(value, list) else value


def _table(text: str) -> tuple[dict[str, Any], str]:
    """Return the JSON object behind a text and what to call it."""
    name = "--replay"
    if not text.lstrip().startswith("{"):
        name = f"--replay {shorten(text)}"
        text = _contents(text, name)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{name}: this is no JSON, {_EXPECTED}") from None
    if not isinstance(found, dict):
        raise InputError(f"{name}: this is no JSON object, {_EXPECTED}")
    return found, name


def _contents(path: str, name: str) -> str:
    try:
        file = Path(path)
        if not file.is_file():
            raise InputError(f"{name}: there is no such file, {_EXPECTED}")
        if file.stat().st_size > _MOST:
            raise InputError(f"{name}: larger than {_MOST >> 20} MiB")
        return file.read_text("utf-8")
    except (OSError, ValueError) as error:  # a name that no file can have; not text
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: cannot be read, {_EXPECTED}") from None
