"""Delimited text (CSV and its kin): header, delimiter, encoding, and the line that is wrong."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path

from pfverify.errors import InputError, shorten
from pfverify.model.problem_file import other_encoding
from pfverify.records.engine import (
    NO_COLUMNS_OF_FOLDERS,
    connected,
    first_line,
    grouped,
    plainly_named,
    quoted,
)
from pfverify.records.rows import header
from pfverify.records.source import Group, RecordTable, Report, TextReading, is_gzip, opened

_DELIMITERS = (",", ";", "\t", "|")  # looked for, in turn
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_NAMED = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";", "pipe": "|"}
_CHUNK = 1 << 20  # bytes at a time, and characters of a header at most
_LINE = re.compile(r"CSV Error on Line: (\d+)")


def delimited(path: Path, reading: TextReading, folder: Path) -> RecordTable:
    """Return the table of a delimited text file; InputError naming what is wrong with it."""
    if reading.encoding is not None or _has_returns(path):
        path = _plain(path, reading.encoding or "utf-8", folder)
    text = _first_line(path)
    delimiter = _delimiter(text, reading.delimiter)
    cells = _cells(text, delimiter)
    names = cells if reading.names is None else [name.strip() for name in reading.names]
    if len(names) != len(cells):
        raise InputError(
            f"--columns: {len(names)} names, but line 1 has {len(cells)} cells between "
            f"{_shown(delimiter)}"
        )
    header(names)  # none twice
    return DelimitedTable(path, names, delimiter, reading.names is None, folder)


class DelimitedTable(RecordTable):
    """Text cells, without the spaces around them; quotes as in CSV."""

    def __init__(
        self, path: Path, names: list[str], delimiter: str, has_header: bool, folder: Path
    ) -> None:
        """Take the file and its layout."""
        self.columns: list[str] = names
        self._path = path
        self._delimiter = delimiter
        self._has_header = has_header
        path = plainly_named(path, folder)
        self._connection = connected(path, folder)
        columns = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(names)))
        self._scan = (
            f"read_csv({quoted(str(path))}, auto_detect = false, columns = {{{columns}}}, "
            f"header = {str(has_header).lower()}, delim = {quoted(delimiter)}, quote = '\"', "
            "escape = '\"', strict_mode = true, "
            f"compression = '{'gzip' if is_gzip(path) else 'none'}', {NO_COLUMNS_OF_FOLDERS})"
        )

    def groups(self, names: Sequence[str], report: Report) -> Iterator[Group]:
        """Yield the groups of these columns, as texts or None.

        The records are counted here too: the engine can lose some without a word where a header
        has line breaks.
        """
        import duckdb

        cells = [f"trim(c{self.columns.index(name)}, ' \t')" for name in names]
        found = 0
        try:
            for group in grouped(self._connection, self._scan, cells, report):
                found += group[1]
                yield group
        except duckdb.Error as error:
            raise self._refusal(error) from None
        records = _records(self._path, self._delimiter) - self._has_header
        if found != records:
            raise InputError(f"{found} records were read, but there are {records}")

    def _refusal(self, error: Exception) -> InputError:
        """What is wrong with the file, as a second look at its lines tells."""
        width = len(self.columns)
        try:
            _require_utf8(self._path)
            with opened(self._path) as raw, TextIOWrapper(raw, "utf-8-sig", newline="") as text:
                reader = csv.reader(text, delimiter=self._delimiter, strict=True)
                for row in reader:
                    if row and len(row) != width:
                        return InputError(
                            f"line {reader.line_num}: {len(row)} cells between "
                            f"{_shown(self._delimiter)}, expected {width}"
                        )
        except InputError as found:
            return found
        except csv.Error as found:
            return InputError(f"line {reader.line_num}: {shorten(found, 100)}")
        place = _LINE.search(str(error))
        where = f"line {place[1]}" if place else "the file cannot be read"
        return InputError(f"{where}: {first_line(error)}")


def _has_returns(path: Path) -> bool:
    """Whether there are carriage returns: the engine takes lines that end in different ways, or
    such ends inside quotes, for other records than there are."""
    with opened(path) as file:
        return any(b"\r" in chunk for chunk in iter(lambda: file.read(_CHUNK), b""))


def _plain(path: Path, encoding: str, folder: Path) -> Path:
    """A copy in UTF-8 whose lines end in a newline alone, in the folder for temporary files."""
    copy = folder / "plain.csv"
    try:
        with (
            opened(path) as raw,
            TextIOWrapper(raw, encoding) as text,
            copy.open("w", encoding="utf-8", newline="") as out,
        ):
            shutil.copyfileobj(text, out)
    except LookupError:
        raise InputError(f"--encoding: {shorten(encoding)!r} is unknown, such as latin-1") from None
    except UnicodeError:
        if encoding == "utf-8":
            _require_utf8(path)
        raise InputError(f"the file is not {shorten(encoding)} text: say its --encoding") from None
    return copy


def _records(path: Path, delimiter: str) -> int:
    """How many records a file has, its header among them."""
    count = 0
    with opened(path) as lines:
        for line in lines:
            if b'"' in line:
                break
            count += line != b"\n"
        else:
            return count
    with opened(path) as raw, TextIOWrapper(raw, "utf-8-sig", newline="") as text:
        try:
            return sum(1 for row in csv.reader(text, delimiter=delimiter) if row)
        except csv.Error as error:
            raise InputError(shorten(error, 100)) from None


def _require_utf8(path: Path) -> None:
    with opened(path) as lines:
        for number, line in enumerate(lines, 1):
            _decoded(line, number)


def _decoded(line: bytes, number: int) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        other = other_encoding(line) if number == 1 else None
        name = "latin-1" if other is None else other.lower()
        raise InputError(
            f"line {number}: not UTF-8 text; say its encoding, such as --encoding {name}"
        ) from None


def _first_line(path: Path) -> str:
    """The first record, with the line breaks that quotes keep in it."""
    parts, length, is_open, is_blank = [], 0, False, True
    with opened(path) as lines:
        for number, line in enumerate(lines, 1):
            part = _decoded(line, number)
            parts.append(part)
            length += len(part)
            is_open ^= part.count('"') % 2 == 1
            is_blank = is_blank and not part.strip()
            if not is_open and not is_blank:
                break
            if length > _CHUNK:
                raise InputError("line 1: the header has a quote that does not end")
    if is_blank:
        raise InputError("the file is empty")
    return "".join(parts)


def _delimiter(line: str, given: str | None) -> str:
    """The delimiter that is said, or the one that splits the first line into the most cells."""
    bare = _QUOTED.sub("", line)
    found = {mark: bare.count(mark) for mark in _DELIMITERS}
    best = max(found, key=lambda mark: found[mark])
    if given is not None:
        mark = _NAMED.get(given, given)
        if len(mark) != 1 or mark in '"\r\n':
            raise InputError(f"--delimiter: {shorten(given)!r}, expected one character, or tab")
        if mark not in bare and found[best]:
            raise InputError(
                f"the delimiter {_shown(mark)} does not split the first line "
                f"({shorten(line, 60)!r}), but {_shown(best)} does"
            )
        return mark
    if found[best] and list(found.values()).count(found[best]) > 1:
        raise InputError(
            f"the first line ({shorten(line, 60)!r}) can be split in two ways: say --delimiter"
        )
    return best


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        rows = list(csv.reader(line.splitlines(keepends=True), delimiter=delimiter))
    except csv.Error as error:
        raise InputError(f"line 1: {shorten(error, 100)}") from None
    return [cell.strip() for cell in rows[0]] if rows else [""]


def _shown(mark: str) -> str:
    return {"\t": "tab", " ": "space"}.get(mark, repr(mark))
