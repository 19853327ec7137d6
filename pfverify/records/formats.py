"""Which table a file is, by its first bytes and its name."""

from __future__ import annotations

from pathlib import Path

from pfverify.errors import InputError
from pfverify.model.problem_file import near_file
from pfverify.records.delimited import delimited
from pfverify.records.engine import ParquetTable
from pfverify.records.json_lines import JsonLines
from pfverify.records.source import GZIP, RecordTable, TextReading
from pfverify.records.workbook import Sheet, is_workbook

_JSON_LINES = {".jsonl", ".ndjson", ".json"}
_PACKED = {".xlsx": "workbook", ".xls": "workbook", ".parquet": "Parquet file"}
_PARQUET, _ZIP, _OLD = b"PAR1", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


def open_table(path: Path, reading: TextReading, folder: Path) -> RecordTable:
    """Return the table that a file is, by its first bytes and its name.

    `folder` is for files that the work needs. Raises InputError where it is none.
    Example: ``open_table(Path("no.csv"), TextReading(), Path())`` raises.
    """
    start = _begin(path)
    if start.startswith(_ZIP) and is_workbook(path):
        return Sheet(path, reading)
    if reading.sheet is not None:
        raise InputError("--sheet: only a workbook (.xlsx) has sheets")
    if start.startswith(_PARQUET):
        return ParquetTable(path, folder)
    if start.startswith(_ZIP):
        raise InputError("a zip archive that is no workbook, expected .xlsx, CSV or Parquet")
    if start.startswith(_OLD):
        raise InputError("an old or encrypted spreadsheet, expected .xlsx, or CSV")
    name = path.with_suffix("") if start.startswith(GZIP) else path
    if kind := _PACKED.get(name.suffix.lower()):
        raise InputError(
            f"this is no {kind}, though its name ends in {name.suffix}; name a table in text .csv"
        )
    if name.suffix.lower() in _JSON_LINES:
        return JsonLines(path)
    return delimited(path, reading, folder)


def _begin(path: Path) -> bytes:
    try:
        if not path.is_file():
            if path.exists():
                raise InputError(
                    "this is no regular file, expected CSV, Parquet, JSON lines or .xlsx"
                )
            raise InputError(f"there is no such file{near_file(path)}")
        with path.open("rb") as file:
            start = file.read(4)
    except ValueError as error:  # a null byte
        if isinstance(error, InputError):
            raise
        raise InputError("no file can have this name") from None
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}") from None
    if not start:
        raise InputError("the file is empty")
    return start
