"""A matrix as arrays of numpy: ``rows``, and maybe the names of inputs and outputs.

No pickled object is ever read, and no array is made before its size is known to be small enough.
"""

from __future__ import annotations

import io
import re
import struct
import sys
import zipfile
import zlib
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.channels.channel import MAX_ENTRIES, check_size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROWS, INPUTS, OUTPUTS = "rows", "inputs", "outputs"
_KNOWN = (ROWS, INPUTS, OUTPUTS)
_NUMBERS = {"i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"}
_MAX_HEADER = 4096
_LENGTHS = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4}
"""How a file begins, by its version, and the bytes that then say how long the header is."""
_HEADER = re.compile(
    r"\{'descr': '([<>|][biufcmMOSUV][0-9]{0,7}(?:\[[0-9a-z]+\])?)', "
    r"'fortran_order': (True|False), 'shape': \(([0-9]{1,9},(?: ?[0-9]{1,9},?){0,8})\),? ?\} *\n"
)
_BAD_ZIP = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError,
    ValueError, OSError,
)  # fmt: skip

Row = list[int] | list[Fraction]


def of_npz(data: bytes, most: int) -> tuple[list[str], list[str], list[Row]]:
    """Return the inputs, the outputs and the exact numbers of the rows; InputError for other bytes.

    `most`: bytes of all arrays. Floats are the dyadic numbers that they are.
    Example: ``of_npz(b"", 100)`` raises.
    Source: NumPy Enhancement Proposal 1, versions 1 and 2 of the format.
    """
    arrays = {name: _array(name, stored) for name, stored in _unpacked(data, most).items()}
    if ROWS not in arrays:
        raise InputError(f"it has no array {ROWS}, expected one with a row for each input")
    rows = arrays.pop(ROWS)
    names = [
        _names(arrays.get(key), key, count)
        for key, count in zip((INPUTS, OUTPUTS), rows.shape, strict=True)
    ]
    return names[0], names[1], _exact(rows)


def _unpacked(data: bytes, most: int) -> dict[str, bytes]:
    """The bytes of the arrays, by their names."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found, left = dict[str, bytes](), most
            for entry in archive.infolist():
                name = entry.filename.removesuffix(".npy")
                if name == entry.filename or name not in _KNOWN or name in found:
                    twice = "is there twice" if name in found else "is not known"
                    raise InputError(
                        f"{shorten(ascii(entry.filename), 30)} {twice}, expected the arrays "
                        f"{', '.join(_KNOWN)}"
                    )
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise InputError(f"{name}: it is packed in another way than numpy does")
                left -= entry.file_size
                if left < 0:
                    raise InputError(f"{name}: with it, it is larger than {most >> 20} MiB")
                with archive.open(entry) as stored:  # which may hold more than it says
                    found[name] = stored.read(entry.file_size + 1)
                if len(found[name]) != entry.file_size:
                    raise InputError(f"{name}: it has another size than it says")
            return found
    except _BAD_ZIP as error:
        if isinstance(error, InputError):
            raise
        raise InputError("this is no file of arrays as numpy.savez writes it") from None


def _array(name: str, stored: bytes) -> NDArray[Any]:
    """An array of numbers, or of names, whose header says no more than there is."""
    import numpy as np

    with told_at(f"{name}: "):
        dtype, by_column, shape, start = _header(stored)
        if name == ROWS:
            if len(shape) != 2 or 0 in shape:
                raise InputError(f"it has the shape {shape}, expected rows and columns")
            if dtype.str[1:] not in _NUMBERS:
                raise InputError(
                    f"its entries are {dtype}, expected whole numbers, or floats of 16, 32 or 64 "
                    "bits"
                )
            check_size(shape[0], shape[1], "shape")
        elif dtype.kind != "U" or len(shape) != 1 or shape[0] > MAX_ENTRIES:
            raise InputError(f"it is {dtype} of shape {shape}, expected a list of texts")
        if len(stored) - start != prod(shape) * dtype.itemsize:
            raise InputError("it has other bytes than its header says")
        if not dtype.itemsize:  # texts of no letters
            return np.zeros(shape, dtype)
        letters = dtype.str.replace("U", "u4")[:3] if dtype.kind == "U" else None
        if letters and (np.frombuffer(stored, letters, offset=start) > sys.maxunicode).any():
            raise InputError("it has what is no letter")
        flat = np.frombuffer(stored, dtype, offset=start)
        return flat.reshape(shape, order="F" if by_column else "C")


def _header(stored: bytes) -> tuple[np.dtype[Any], bool, tuple[int, ...], int]:
    """The type, whether columns come first, the shape, and where the numbers begin.

    It is read as text: what numpy itself reads it with takes more than numpy writes.
    """
    import numpy as np

    width = _LENGTHS.get(stored[:8], 0)
    start = 8 + width
    end = start + int.from_bytes(stored[8:start], "little")
    text = stored[start : min(end, start + _MAX_HEADER)].decode("latin-1")
    found = _HEADER.fullmatch(text) if width else None
    if found is None:
        raise InputError("this is no array of numbers or texts as numpy writes it")
    descr, by_column, lengths = found.groups()
    try:
        dtype = np.dtype(descr)
    except TypeError:
        raise InputError(f"its entries are {descr!r}, which numpy does not know") from None
    if dtype.hasobject:
        raise InputError("it has objects of Python, expected numbers or texts: none is unpickled")
    return dtype, by_column == "True", tuple(map(int, re.findall("[0-9]+", lengths))), end


def _names(array: NDArray[Any] | None, key: str, count: int) -> list[str]:
    if array is None:
        return [str(k) for k in range(count)]
    if len(array) != count:
        raise InputError(f"{key}: {len(array)} names, expected {count}, as {ROWS} has")
    return [str(name) for name in array.tolist()]


def _exact(rows: NDArray[Any]) -> list[Row]:
    """The entries as exact numbers."""
    import numpy as np

    if rows.dtype.kind != "f":
        return [row.tolist() for row in rows]
    wrong = np.argwhere(~np.isfinite(rows))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise InputError(f"{ROWS}[{row}][{column}]: {rows[row, column]} is no finite number")
    known: dict[float, Fraction] = {}
    return [[_fraction(x, known) for x in row.tolist()] for row in rows]


def _fraction(value: float, known: dict[float, Fraction]) -> Fraction:
    found = known.get(value)
    if found is None:
        found = known[value] = Fraction(value)
    return found
