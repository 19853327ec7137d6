"""Problem files as tables: TOML, or JSON of the same shape; what they say is read elsewhere."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import number, readings
from pfverify.model.large_toml import toml_table

MAX_BYTES = 256 * 1024 * 1024
BOM = "\ufeff"  # a byte order mark, which some editors put before UTF-8; the kernel skips it too
_LINE = re.compile(r"\(at line (\d+), ")  # in the messages of tomllib
_BARE = re.compile(r"""\s*([\w-]+)\s*=\s*([^"'\[\]{}#]+?)\s*(?:#.*)?""")  # key = a bare value
_DATA = {
    ".csv", ".tsv", ".gz", ".jsonl", ".ndjson", ".parquet", ".xls", ".xlsx", ".npz", ".arrow",
    ".feather",
}  # fmt: skip


def read_table(path: Path) -> dict[str, Any]:
    """Return the table of a problem file; TOML unless its suffix is ``.json``.

    Raises InputError saying what was found and what was expected.
    Example: ``read_table(Path("census.toml"))["schema"]`` is ``"pfverify/problem/1"``.
    """
    return table_of_text(problem_text(path), json_format=path.suffix.lower() == ".json")


def table_of_text(text: str, *, json_format: bool) -> dict[str, Any]:
    """Return the table that a text in TOML or JSON is; decimals stay text, to be read exactly.

    One byte order mark before it is skipped. Raises InputError for what is neither.
    Example: ``table_of_text("delta = 0.5", json_format=False)`` is ``{"delta": "0.5"}``.
    """
    text = text.removeprefix(BOM)
    try:
        if json_format:
            data = json.loads(
                text,
                parse_float=str,
                parse_constant=_refuse_constant,
                object_pairs_hook=_unique_keys,
            )
        else:
            data = toml_table(text, _toml_decimal)
    except RecursionError:
        raise InputError("the file is nested too deeply") from None
    except InputError:
        raise
    except ValueError as error:
        kind, hint = ("JSON", "") if json_format else ("TOML", _quoted(text, str(error)))
        raise InputError(f"this is not {kind}: {shorten(error, 120)}{hint}") from None
    if not isinstance(data, dict):
        raise InputError(f"expected a table of keys, got {type(data).__name__}")
    return data


def to_json(table: dict[str, Any]) -> str:
    """Return the JSON text of a table.

    Example: ``to_json({})`` is ``'{}\\n'``.
    """
    return json.dumps(table, indent=2, ensure_ascii=False) + "\n"


def require_problem_file(path: Path) -> None:
    """Raise InputError where the name of a file says that it is a table of data.

    Example: ``require_problem_file(Path("people.csv"))`` raises.
    """
    if path.suffix.lower() in _DATA:
        raise InputError(
            "this is a table of data, expected a problem file (TOML or JSON); make one with: "
            f"pfverify prior {shorten(path.name, 40)} --secret COLUMN --public COLUMN -o PROBLEM"
        )


def problem_text(path: Path) -> str:
    """Return the text of a problem file, as it is.

    Raises InputError where there is none, or it cannot be read.
    Example: ``problem_text(Path("census.toml")).startswith("#")`` is ``True``.
    """
    try:
        path.stat()
    except ValueError:  # a null byte, or half of a surrogate pair
        raise InputError("no file can have this name") from None
    except OSError:  # said below
        pass
    require_problem_file(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"the file is larger than {MAX_BYTES >> 20} MiB")
        return path.read_bytes().decode("utf-8")  # line ends as they are
    except FileNotFoundError:
        near = difflib.get_close_matches(path.name, _neighbours(path), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"there is no such file{hint}") from None
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text, expected TOML or JSON") from None
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}") from None


def _quoted(text: str, error: str) -> str:
    """What to write where a number that is no decimal stands in TOML without quotes, or nothing."""
    line = _LINE.search(error)
    found = line and _BARE.fullmatch(text.split("\n")[int(line[1]) - 1])
    if not found:
        return ""
    key, value = found.groups()
    try:
        tomllib.loads(f"key = {value}")
    except ValueError:
        return "".join(f'; write {key} = "{one}"' for one in _numbers(value)[:1])
    return ""  # the value is not what is wrong


def _numbers(text: str) -> list[str]:
    """The numbers that a text is, or may stand for."""
    try:
        number(text)
    except InputError:
        return readings(text)
    return [text]


def _neighbours(path: Path) -> list[str]:
    try:
        return [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return []


def _toml_decimal(text: str) -> str:
    return text.replace("_", "")  # TOML allows 1_000.5


def _refuse_constant(name: str) -> None:
    raise InputError(f"{name} is not a number here, expected a finite one")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InputError(f"duplicate key {shorten(key, 30)!r}")
            seen.add(key)
    return table
