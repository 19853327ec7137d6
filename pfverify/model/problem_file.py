"""Problem files as tables: TOML, or JSON of the same shape; what they say is read elsewhere."""

from __future__ import annotations

import codecs
import re
import tomllib
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.large_toml import toml_table

MAX_BYTES = 256 * 1024 * 1024
BOM = "\ufeff"  # a byte order mark, which some editors put before UTF-8; the kernel skips it too
_LINE = re.compile(r"\(at line (\d+), ")  # in the messages of tomllib
_BARE = re.compile(r"""\s*([\w-]+)\s*=\s*([^"'\[\]{}#]+?)\s*(?:#.*)?""")  # key = a bare value
_EXPECTED = "expected a problem; to start from one: pfverify demo --write FOLDER"
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


class NothingError(InputError):
    """A file that states nothing at all."""


def table_of_text(text: str, *, json_format: bool) -> dict[str, Any]:
    """Return the table that a text in TOML or JSON is; decimals stay text, to be read exactly.

    One byte order mark before it is skipped. Raises InputError for what is neither.
    Example: ``table_of_text("delta = 0.5", json_format=False)`` is ``{"delta": "0.5"}``.
    """
    text = require_text(text).removeprefix(BOM)
    if not text.strip():
        raise NothingError(f"it is empty, {_EXPECTED}")
    try:
        if json_format:
            import json

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
    if not data:
        raise NothingError(f"it has no keys, {_EXPECTED}")
    return data


def require_text(text: object) -> str:
    """Return a text as it is; InputError for anything else, such as the bytes of a file."""
    if not isinstance(text, str):
        hint = "; decode them first" if isinstance(text, bytes | bytearray) else ""
        raise InputError(f"the text of a problem: expected str, got {type(text).__name__}{hint}")
    return text


def to_json(table: dict[str, Any]) -> str:
    """Return the JSON text of a table.

    Example: ``to_json({})`` is ``'{}\\n'``.
    """
    import json

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
        return _decoded(path.read_bytes())
    except FileNotFoundError:
        raise InputError(f"there is no such file{near_file(path)}") from None
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
    from pfverify.exact.number import number, readings

    try:
        number(text)
    except InputError:
        return readings(text)
    return [text]


def near_file(path: Path) -> str:
    """Return a hint at the file that may be meant by the name of one that is not there, or nothing.

    The names before their suffixes have to be close: a suffix is what most of them share.
    Example: ``near_file(Path("no-such-folder/census.toml"))`` is ``""``.
    """
    from difflib import get_close_matches

    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    stems = {name: Path(name).stem.casefold() for name in names}
    close = get_close_matches(path.stem.casefold(), set(stems.values()), 1)
    alike = [name for name in names if stems[name] in close]
    near = get_close_matches(path.name, alike, 1, cutoff=0)
    return f"; did you mean {near[0]}?" if near else ""


def other_encoding(data: bytes) -> str | None:
    """Return the name of the encoding with two or four bytes a letter that bytes have, or None.

    Example: ``other_encoding("a".encode("utf-16"))`` is ``"UTF-16"``.
    """
    wide = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
    if data.startswith(wide):
        return "UTF-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    without_mark = len(data) > 1 and (not data[0]) != (not data[1])
    return "UTF-16" if without_mark else None


def _decoded(data: bytes) -> str:
    """The text of UTF-8, line ends as they are."""
    if (other := other_encoding(data)) is not None:
        raise InputError(f"the file seems to be {other} text, expected UTF-8: save it as that")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text, expected TOML or JSON") from None
    if "\0" in text:
        raise InputError("the file has null bytes and is no text, expected TOML or JSON")
    return text


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
