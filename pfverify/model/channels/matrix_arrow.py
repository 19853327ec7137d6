"""A matrix as an Arrow file (Feather): a column ``input`` of texts, then one for each output."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.channels.channel import check_size
from pfverify.model.channels.matrix_csv import FIRST

_EXTRA = "pyarrow is not installed; in the checkout: pip install '.[arrow]'"
_EXPECTED = f"expected a first column {FIRST} of texts, then one of numbers for each output"


def of_arrow(data: bytes) -> tuple[list[str], list[str], list[tuple[int | Fraction, ...]]]:
    """Return the inputs, the outputs and the exact numbers of the rows; InputError for other bytes.

    Floats are the dyadic numbers that they are, and decimals what they say.
    Example: ``of_arrow(b"")`` raises.
    Source: Arrow columnar format, the IPC file format.
    """
    try:
        import pyarrow as pa
        from pyarrow import dataset, ipc
    except ImportError:
        raise InputError(_EXTRA) from None
    try:
        count = dataset.IpcFileFormat().make_fragment(pa.py_buffer(data)).count_rows()
        stored = ipc.open_file(pa.BufferReader(data))
        check_size(count, len(stored.schema), "its size")  # before anything is unpacked
        table = stored.read_all()
        table.validate(full=True)
    except InputError:
        raise
    except (pa.ArrowException, ValueError, OSError, MemoryError):
        raise InputError("this is no Arrow file (IPC file format, or Feather 2)") from None
    first, *outputs = table.column_names or [""]
    if first != FIRST or not outputs or not len(table):
        raise InputError(f"its columns begin with {shorten(first, 30)!r}, {_EXPECTED}")
    check_size(len(table), len(outputs), "its size")
    names = _listed(table.column(0), FIRST)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"column {FIRST!r}: {_EXPECTED}")
    columns = [
        [_exact(x, name) for x in _listed(table.column(k + 1), name)]
        for k, name in enumerate(outputs)
    ]
    return names, outputs, list(zip(*columns, strict=True))


def _listed(column: Any, name: str) -> list[Any]:
    if column.null_count:
        raise InputError(f"column {shorten(name, 30)!r}: an entry is missing")
    found: list[Any] = column.to_pylist()
    return found


def _exact(value: object, name: str) -> int | Fraction:
    from decimal import Decimal

    if type(value) is int:
        return value
    if isinstance(value, float | Decimal):
        try:
            return Fraction(value)
        except (ValueError, OverflowError):
            raise InputError(
                f"column {shorten(name, 30)!r}: {value} is no finite number"
            ) from None
    raise InputError(f"column {shorten(name, 30)!r}: {shorten(value, 30)!r} is no number")
