"""A file of records as a table: its columns, and its rows in groups."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from pfverify.errors import InputError, shorten

Report = Callable[[int, int], None]
"""Called with (done, total); a total of 0: how much there is to do is not known."""
GZIP = b"\x1f\x8b"
"""What a file packed with gzip begins with."""

Group = tuple[tuple[object, ...], int]
"""The cells of some columns, and how many rows have exactly these."""


@dataclass(frozen=True)
class RecordSource:
    """Where the rows come from: a file's name and the digest of its bytes, and a condition."""

    data: str | None = None
    sha256: str | None = None
    where: str | None = None


@dataclass(frozen=True)
class TextReading:
    """How a text file is read, where it does not say so itself.

    `delimiter`: between the cells; `names`: of the columns, where the first line is no header;
    `encoding`: of the text; `sheet`: of a workbook, its name.
    """

    delimiter: str | None = None
    names: Sequence[str] | None = None
    encoding: str | None = None
    sheet: str | None = None


class RecordTable(ABC):
    """Rows under named columns. `columns`: their names, or None where only the rows tell; `part`:
    which part of the file they are, empty where they are all of it."""

    columns: list[str] | None
    part = ""

    @abstractmethod
    def groups(self, names: Sequence[str], report: Report) -> Iterator[Group]:
        """Yield the cells of these columns with how many rows have them, every row once.

        Raises InputError naming the line or the column.
        """


def is_gzip(path: Path) -> bool:
    """Say whether the bytes of a file are packed with gzip."""
    with path.open("rb") as file:
        return file.read(2) == GZIP


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Give the bytes of a file, unpacked where they are packed with gzip.

    Raises InputError where it ends too early, or is not packed as it claims.
    """
    try:
        with gzip.open(path, "rb") if is_gzip(path) else path.open("rb") as file:
            yield cast(IO[bytes], file)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"the file is damaged: {shorten(error, 100)}") from None


def sha256(path: Path) -> str:
    """Return the sha256 of a file's bytes, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
