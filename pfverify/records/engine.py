"""Rows in groups through DuckDB: the engine scans and groups, and only the groups come back.

A connection may read one file and nothing else; names and paths never become text that is run.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pfverify.errors import InputError, shorten
from pfverify.records.rows import header
from pfverify.records.source import Group, RecordTable, Report

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY = "1GB"
"""What the engine takes before it works on disk."""
NO_COLUMNS_OF_FOLDERS = "hive_partitioning = false"
"""Else the column x of a file in a folder x=7 would be 7 in every row, whatever the file says."""
_FETCHED = 50_000  # groups at a time
_POLLED = 0.2  # seconds between two looks at the progress
_PLAIN = (
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
    "UBIGINT", "UHUGEINT", "DECIMAL", "FLOAT", "DOUBLE", "VARCHAR", "ENUM", "BOOLEAN", "DATE",
    "TIMESTAMP",
)  # fmt: skip


def require_engine() -> None:
    """Raise InputError with the remedy where DuckDB is not installed."""
    try:
        import duckdb  # noqa: F401
    except ImportError:
        raise InputError("this needs DuckDB: in the checkout, pip install '.[data]'") from None


def quoted(text: str) -> str:
    """Return a text as a literal of SQL. Example: ``quoted("it's")`` is ``"'it''s'"``."""
    if "\x00" in text:
        raise InputError("a name with a null byte")
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a name as an identifier of SQL. Example: ``identifier('a"b')`` is ``'"a""b"'``."""
    return '"' + name.replace('"', '""') + '"'


def plainly_named(path: Path, folder: Path) -> Path:
    """Return a path that the engine takes for no pattern: a link in the folder where it would."""
    if not any(mark in str(path) for mark in "*?["):
        return path
    link = folder / "data"
    link.symlink_to(path.resolve())
    return link


def connected(path: Path, folder: Path) -> DuckDBPyConnection:
    """Return a connection that may read this file alone; `folder` is for what memory lacks."""
    require_engine()
    import duckdb

    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": MEMORY,
        "temp_directory": str(folder),
        "preserve_insertion_order": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    connection = duckdb.connect(":memory:", config=settings)
    connection.execute("SET enable_progress_bar = true")  # it is polled
    connection.execute("SET enable_progress_bar_print = false")
    connection.execute(f"SET allowed_paths = [{quoted(str(path))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def grouped(
    connection: DuckDBPyConnection, scan: str, cells: Sequence[str], report: Report
) -> Iterator[Group]:
    """Yield the groups of a scan by these expressions, with how many rows each has."""
    import duckdb

    query = f"SELECT {', '.join(cells)}, count(*) FROM {scan} GROUP BY ALL"
    try:
        with _reported(connection, report):
            found = connection.execute(query)
        while rows := found.fetchmany(_FETCHED):
            for *values, count in rows:
                yield tuple(values), count
    except (duckdb.InterruptException, RuntimeError) as error:
        if "interrupted" not in str(error).lower():
            raise
        raise KeyboardInterrupt from None


@contextmanager
def _reported(connection: DuckDBPyConnection, report: Report) -> Iterator[None]:
    """Report how far a query is, from a thread beside it."""
    done = threading.Event()

    def look() -> None:
        while not done.wait(_POLLED):
            report(max(0, int(connection.query_progress())), 100)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


class ParquetTable(RecordTable):
    """A Parquet file: its own names and types."""

    def __init__(self, path: Path, folder: Path) -> None:
        """Read names and types; InputError for a damaged file."""
        require_engine()
        import duckdb

        path = plainly_named(path, folder)
        self._connection = connected(path, folder)
        self._scan = f"read_parquet({quoted(str(path))}, {NO_COLUMNS_OF_FOLDERS})"
        try:
            found = self._connection.execute(f"DESCRIBE SELECT * FROM {self._scan}").fetchall()
        except duckdb.Error as error:
            raise InputError(f"the Parquet file cannot be read: {first_line(error)}") from None
        self._types = {name.strip(): str(kind) for name, kind, *_ in found}
        self._called = header(name for name, *_ in found)
        self.columns = list(self._types)

    def groups(self, names: Sequence[str], report: Report) -> Iterator[Group]:
        """Yield the groups of these columns, as the values of Python that they are."""
        import duckdb

        for name in names:
            kind = self._types[name]
            if not kind.startswith(_PLAIN) or kind.endswith(("]", "TIME ZONE")):
                raise InputError(
                    f"column {shorten(name)!r} is {shorten(kind, 40)}, expected text, numbers or "
                    "days"
                )
        try:
            cells = [identifier(self._called[name]) for name in names]
            yield from grouped(self._connection, self._scan, cells, report)
        except duckdb.Error as error:
            raise InputError(f"the Parquet file cannot be read: {first_line(error)}") from None


def first_line(error: Exception) -> str:
    """Return the first line of an engine's message, shortened."""
    return shorten(str(error).strip().partition("\n")[0], 160)

