"""A sheet of a workbook (.xlsx) as a table, through openpyxl, which reads it row by row.

Before that the archive is looked at: how large it is unpacked, and that none of its parts defines
entities. Formulas count as the values that the workbook keeps for them; one without a value is an
error, as nothing is calculated here.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from pfverify.errors import InputError, PfverifyError, shorten
from pfverify.records.rows import header
from pfverify.records.source import Group, RecordTable, Report, TextReading

MOST_BYTES = 1 << 28
"""Of all parts of a workbook, unpacked."""
MOST_CELLS = 10**7
"""That are read, empty ones among others and rows that are left out too."""
MOST_ROWS = 1 << 20
"""Of a sheet, as the programs that write them have it; rows that are not there count too."""
_MOST_PARTS = 10_000
_PROLOG = 1 << 16  # bytes in which the first element of a part begins
_CHUNK = 1 << 20
_CONTENTS, _FOLDER = "[Content_Types].xml", "xl/"
_ELEMENT = re.compile(rb"<[A-Za-z_]")
_FORMULA = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?f[\s/>]")
_EVERY = 10_000  # rows between two reports


class Sheet(RecordTable):
    """One sheet of a workbook: the names in its first row, and what is in the others."""

    def __init__(self, path: Path, reading: TextReading) -> None:
        """Read the names; InputError for what is no workbook, and without a sheet of that name."""
        _require_openpyxl()
        self._formulas = _checked(path)
        self._path = path
        with _read() as openpyxl:
            self._books = [
                openpyxl.load_workbook(path, read_only=True, data_only=values, keep_links=False)
                for values in ((True, False) if self._formulas else (True,))
            ]
            self._name = _sheet(self._books[0], reading.sheet)
            self.part = f"sheet {self._name}"
        self._headed = reading.names is None
        names = [*(reading.names or ())]
        self._called = {name: k for k, name in enumerate(names)}
        if self._headed:
            self._called = _names(next(self._rows(), ()))
        self.columns = [*self._called]

    def groups(self, names: Sequence[str], report: Report) -> Iterator[Group]:
        """Yield the cells of these columns, row by row; empty rows are none."""
        places = [self._called[name] for name in names]
        for number, row in enumerate(self._rows(), 1):
            if number % _EVERY == 0:
                report(0, 0)
            if (number == 1 and self._headed) or all(cell is None for cell in row):
                continue
            yield tuple(row[k] if k < len(row) else None for k in places), 1

    def _rows(self) -> Iterator[Sequence[Any]]:
        """The values of every row, of formulas those that the workbook keeps."""
        left = MOST_CELLS
        with _read():
            sheets = [book[self._name] for book in self._books]
            for sheet in sheets:
                sheet.reset_dimensions()  # which may be said wrong
            stated = iter(sheets[1].rows) if self._formulas else repeat(())
            rows = zip(sheets[0].rows, stated, strict=False)  # of no formulas there is no end
            for number, (row, formulas) in enumerate(rows, 1):
                left -= len(row)
                if left < 0 or number > MOST_ROWS:
                    raise InputError(
                        f"more than {MOST_ROWS} rows or {MOST_CELLS} cells, expected CSV"
                    )
                for k, formula in enumerate(formulas):
                    if formula.data_type == "f" and row[k].value is None:
                        raise InputError(
                            f"row {number}: a formula without a value in column {k + 1}; save the "
                            "workbook in the program that calculates it"
                        )
                for k, cell in enumerate(row):
                    if cell.data_type == "e":
                        raise InputError(
                            f"row {number}: the error {shorten(cell.value, 20)} in column {k + 1}"
                        )
                yield [cell.value for cell in row]


def is_workbook(path: Path) -> bool:
    """Say whether a zip archive is a workbook, by the names of its parts.

    Raises InputError where it is damaged.
    """
    with _archive(path) as archive:
        names = archive.namelist()
    return _CONTENTS in names and any(name.startswith(_FOLDER) for name in names)


def _require_openpyxl() -> None:
    try:
        import openpyxl  # noqa: F401
    except ImportError:
        raise InputError(
            "a workbook needs openpyxl: in the checkout, pip install '.[xlsx]'; or save it as CSV"
        ) from None


@contextmanager
def _read() -> Iterator[Any]:
    """Give openpyxl; what it raises about a workbook is an InputError."""
    import openpyxl

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what is no cell
            yield openpyxl
    except PfverifyError:
        raise
    except Exception as error:  # of every kind
        said = shorten(f"{type(error).__name__}: {error}", 120)
        raise InputError(f"the workbook cannot be read: {said}") from None


@contextmanager
def _archive(path: Path) -> Iterator[ZipFile]:
    try:
        with ZipFile(path) as archive:
            yield archive
    except (BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"a damaged spreadsheet, or zip archive: {shorten(error, 100)}") from None


def _checked(path: Path) -> bool:
    """Whether a sheet has a formula; InputError for an archive that is too large, or hostile."""
    formulas = False
    with _archive(path) as archive:
        parts = archive.infolist()
        size = sum(part.file_size for part in parts)
        if size > MOST_BYTES or len(parts) > _MOST_PARTS:
            raise InputError(
                f"a workbook of {size} bytes in {len(parts)} parts, expected at most {MOST_BYTES} "
                f"in {_MOST_PARTS}; save it as CSV"
            )
        for part in parts:
            if not part.filename.lower().endswith((".xml", ".rels")):
                continue
            with archive.open(part) as file:
                _check_prolog(file.read(_PROLOG))
            if "/worksheets/" in f"/{part.filename}" and not formulas:
                with archive.open(part) as file:
                    formulas = _has_formula(file)
    return formulas


def _check_prolog(start: bytes) -> None:
    """Raise InputError for a document type: entities may make a small part endless."""
    first = _ELEMENT.search(start)
    if b"\x00" in start or (start.strip() and first is None):
        raise InputError("a part of the workbook is no XML in UTF-8")
    if b"<!DOCTYPE" in (start if first is None else start[: first.start()]):
        raise InputError("a part of the workbook defines a document type, which none needs")


def _has_formula(file: IO[bytes]) -> bool:
    before = b""
    while chunk := file.read(_CHUNK):
        if _FORMULA.search(before + chunk):
            return True
        before = chunk[-200:]  # a tag may be in two chunks
    return False


def _sheet(book: Any, wanted: str | None) -> str:
    """The name of the sheet that is asked for, or of the only one that is shown."""
    names = [sheet.title for sheet in book.worksheets]
    shown = [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"]
    if wanted is None and len(shown) == 1:
        return str(shown[0])
    if wanted in names:
        return str(wanted)
    listed = shorten(", ".join(names), 120)
    if wanted is None:
        raise InputError(f"there are {len(shown)} sheets, say --sheet with one of {listed}")
    raise InputError(f"--sheet: there is no sheet {shorten(wanted)!r}, expected one of {listed}")


def _names(row: Sequence[object]) -> dict[str, int]:
    """Where each column is, by the names in the first row; those without a name are none."""
    texts = {}
    for k, cell in enumerate(row):
        if cell is not None and not isinstance(cell, str | int):
            raise InputError(f"row 1: {shorten(cell)!r} is no name of a column")
        texts[k] = "" if cell is None else str(cell).strip()
    header(texts.values())
    found = {name: k for k, name in texts.items() if name}
    if not found:
        raise InputError("row 1: there are no names of columns")
    return found
