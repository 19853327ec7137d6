"""Matrices of channels written as files, for both readers."""

from __future__ import annotations

import csv
import io
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

EPSILON = "5/4"


class Stated(NamedTuple):
    """Names, and a row of texts or numbers for each input."""

    inputs: Sequence[str]
    outputs: Sequence[str]
    rows: Sequence[Sequence[Any]]


AB = Stated(["a", "b"], ["x", "y"], [["3/4", "0.25"], ["1/4", "3/4"]])
COUNTS = Stated(["a", "b"], ["x", "y"], [[3, 1], [1, 3]])


def csv_bytes(matrix: Stated, end: str = "\n") -> bytes:
    """The matrix as CSV."""
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator=end)
    lines.writerow(["input", *matrix.outputs])
    pairs = zip(matrix.inputs, matrix.rows, strict=True)
    lines.writerows([name, *map(str, row)] for name, row in pairs)
    return text.getvalue().encode()


def npz_bytes(packed: bool = False, **arrays: Any) -> bytes:
    """Arrays as numpy writes them."""
    data = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(data, **arrays)
    return data.getvalue()


def matrix_npz(matrix: Stated, dtype: str, packed: bool = False, order: Any = "C") -> bytes:
    """The matrix as arrays."""
    rows = np.array(matrix.rows, dtype, order=order)
    return npz_bytes(
        packed, rows=rows, inputs=np.array(matrix.inputs), outputs=np.array(matrix.outputs)
    )


def arrow_bytes(matrix: Stated) -> bytes:
    """The matrix as an Arrow file."""
    import pyarrow as pa
    from pyarrow import ipc

    columns = dict(zip(matrix.outputs, zip(*matrix.rows, strict=True), strict=True))
    table = pa.table({"input": list(matrix.inputs), **{k: list(x) for k, x in columns.items()}})
    out = pa.BufferOutputStream()
    with ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    data: bytes = out.getvalue().to_pybytes()
    return data


def problem_of(channel: dict[str, Any], epsilon: str = EPSILON) -> dict[str, Any]:
    """A problem about all inputs of a channel."""
    return {
        "schema": "pfverify/problem/1", "epsilon": epsilon, "delta": "1/10",
        "channel": {"kind": "matrix", **channel},
    }  # fmt: skip


def inline(matrix: Stated, **more: Any) -> dict[str, Any]:
    """The keys that state a matrix in the problem itself."""
    rows = [[str(x) if not isinstance(x, int) else x for x in row] for row in matrix.rows]
    return {"inputs": [*matrix.inputs], "outputs": [*matrix.outputs], "rows": rows, **more}


def named(folder: Path, name: str, data: bytes, **more: Any) -> dict[str, Any]:
    """The keys that state a matrix by a file, which is written."""
    (folder / name).write_bytes(data)
    return {"file": name, **more}


@contextmanager
def most_bytes() -> Iterator[Callable[[], int]]:
    """What tells afterwards how many bytes of Python there were at most."""
    tracemalloc.start()
    found = 0
    try:
        yield lambda: found
    finally:
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()


def lying(size: int, said: int) -> bytes:
    """A zip file with so many zeros as `rows`, which are said to be few: size and checksum are of
    those."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packed.compress(bytes(size)) + packed.flush()
    name = b"rows.npy"
    common = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, zlib.crc32(bytes(said)), len(data), said,
                         len(name), 0)  # fmt: skip
    local = b"PK\3\4" + common + name + data
    central = b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0)
    central += name
    end = struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    found = local + central + b"PK\5\6" + end
    assert zipfile.ZipFile(io.BytesIO(found)).infolist()[0].file_size == said
    return found
