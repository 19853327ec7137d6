"""Arrays of numpy in a zip file: `rows`, and maybe the names of inputs and outputs.

Whole numbers and floats alone, whose sizes are looked at before they are unpacked; nothing of them
is executed.  Floats are the dyadic numbers that they are.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

from core.grammar import Malformed, shown
from core.work import spend
from reader.files import MAX_BYTES

CODES = {
    "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
    "f2": "e", "f4": "f", "f8": "d",
}  # fmt: skip
KNOWN = ("rows.npy", "inputs.npy", "outputs.npy")
MAGIC = b"\x93NUMPY"
# as numpy writes it: the type, whether columns come first, and one or two lengths
_HEADER = re.compile(
    r"\{'descr': '([<>|])([a-zA-Z])([0-9]{1,7})', 'fortran_order': (True|False), "
    r"'shape': \(([0-9]{1,9}),(?: ?([0-9]{1,9}),?)?\),? ?\} *\n"
)


class Array(NamedTuple):
    """What a header says, and the bytes behind it."""

    order: str
    kind: str
    size: int  # of the type, in its own units
    by_column: bool
    shape: tuple[int, ...]
    data: bytes


def arrays_of(data: bytes, what: str, most: int) -> tuple[list[str], list[str], list[list[Any]]]:
    """The inputs, the outputs and the rows, of at most so many entries."""
    found = {name: _array(stored, f"{what}: {name}") for name, stored in _unpacked(data, what)}
    if KNOWN[0] not in found:
        raise Malformed(f"{what} has no {KNOWN[0]}")
    rows = found[KNOWN[0]]
    if len(rows.shape) != 2 or rows.shape[0] * rows.shape[1] > most:
        raise Malformed(f"{what}: rows must have two dimensions, and at most {most} entries")
    names = [
        _names(found.get(name), count, f"{what}: {name}")
        for name, count in zip(KNOWN[1:], rows.shape, strict=True)
    ]
    return names[0], names[1], _numbers(rows, f"{what}: rows")


def _unpacked(data: bytes, what: str) -> list[tuple[str, bytes]]:
    """The names of what is stored, and its bytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            names = [entry.filename for entry in entries]
            if not {*names} <= {*KNOWN} or len({*names}) < len(names):
                raise Malformed(f"{what} must have {', '.join(KNOWN)}, each once, and nothing else")
            if sum(entry.file_size for entry in entries) > MAX_BYTES:
                raise Malformed(f"{what}: more than {MAX_BYTES} bytes, unpacked")
            if any(entry.compress_type not in (0, 8) for entry in entries):  # stored, deflated
                raise Malformed(f"{what} is packed in a way that is not known here")
            spend(sum(entry.file_size for entry in entries) >> 5)
            return [(entry.filename, _stored(archive, entry, what)) for entry in entries]
    except (
        zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError,
        ValueError, OSError,
    ) as reason:  # fmt: skip
        raise Malformed(f"{what} is no zip file: {shown(str(reason))}") from None


def _stored(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, what: str) -> bytes:
    """What is stored, of which no more is unpacked than it is said to have."""
    with archive.open(entry) as stored:
        data = stored.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise Malformed(f"{what}: an array of another size than is said")
    return data


def _array(stored: bytes, what: str) -> Array:
    """Its header (versions 1 and 2 of the format) and the bytes behind it."""
    version, width = stored[6:8], {b"\1\0": 2, b"\2\0": 4}.get(stored[6:8], 0)
    if stored[:6] != MAGIC or not width:
        raise Malformed(f"{what} is no array of a known version ({shown(version.hex())})")
    start = 8 + width
    end = start + int.from_bytes(stored[8:start], "little")
    read = _HEADER.fullmatch(stored[start:end].decode("latin-1"))
    if read is None or end > len(stored):
        raise Malformed(f"{what} has a header that is not known here")
    order, kind, size, by_column, first, second = read.groups()
    shape = (int(first),) if second is None else (int(first), int(second))
    return Array(order, kind, int(size), by_column == "True", shape, stored[end:])


def _names(array: Array | None, count: int, what: str) -> list[str]:
    """So many names; numbers from 0 where there are none."""
    spend(16 * count)
    if array is None:
        return [str(k) for k in range(count)]
    size = 4 * array.size
    if array.kind != "U" or array.shape != (count,) or len(array.data) != count * size:
        raise Malformed(f"{what} must have {count} texts")
    code = "utf-32-be" if array.order == ">" else "utf-32-le"
    parts = (array.data[k * size : (k + 1) * size] for k in range(count))
    try:
        return [part.decode(code).rstrip("\0") for part in parts]
    except UnicodeDecodeError:
        raise Malformed(f"{what} is no text") from None


def _numbers(array: Array, what: str) -> list[list[Any]]:
    """The rows, in exact numbers."""
    height, width = array.shape
    count, code = height * width, CODES.get(f"{array.kind}{array.size}")
    if code is None:
        raise Malformed(f"{what} must have whole numbers, or floats of 16, 32 or 64 bits")
    if len(array.data) != count * array.size:
        raise Malformed(f"{what} has other bytes than its header says")
    spend(8 * count)
    flat = struct.unpack(f"{'>' if array.order == '>' else '<'}{count}{code}", array.data)
    if array.kind == "f":
        if not all(map(isfinite, flat)):
            raise Malformed(f"{what} has an entry that is no finite number")
        spend(8 * count)
        flat = tuple(map(Fraction, flat))
    if array.by_column:
        return [[*flat[k::height]] for k in range(height)]
    return [[*flat[k * width : (k + 1) * width]] for k in range(height)]
