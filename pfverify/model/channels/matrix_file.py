"""Matrices of channels in files of their own: CSV, arrays of numpy, Arrow."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from pfverify.errors import InputError, shorten, told_at

MAX_BYTES = 256 << 20
"""Of a file, and of what it holds once it is unpacked."""
SUFFIXES = ".csv, .npz, .arrow or .feather"
"""Of the files that are read."""
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


class MatrixFile(NamedTuple):
    """What a file states: names, and a row for every input, not yet looked at."""

    inputs: Sequence[str]
    outputs: Sequence[str]
    rows: Sequence[Sequence[str | int | Fraction]]


def read_matrix(name: object, digest: object = None) -> MatrixFile:
    """Return what a file states, by its suffix; `digest`: of its bytes, None where it is not said.

    Raises InputError that begins with the key: for a file that is not there, that is too large or
    has other bytes, and for one that is not of its format.
    Example: ``read_matrix("no-such-file.csv")`` raises.
    """
    if not isinstance(name, str) or not name:
        raise InputError(f"file: expected the name of a file in quotes, got {shorten(name)!r}")
    with told_at(f"file: {shorten(name, 100)}: "):
        path, data = Path(name), _bytes_of(Path(name))
    if digest is not None:
        _check_digest(digest, data, name)
    with told_at(f"file: {shorten(name, 100)}: "):
        return _read(path.suffix.lower(), data)


def _read(suffix: str, data: bytes) -> MatrixFile:
    match suffix:
        case ".csv":
            from pfverify.model.channels.matrix_csv import of_csv

            return MatrixFile(*of_csv(data))
        case ".npz":
            from pfverify.model.channels.matrix_npz import of_npz

            return MatrixFile(*of_npz(data, MAX_BYTES))
        case ".arrow" | ".feather":
            from pfverify.model.channels.matrix_arrow import of_arrow

            return MatrixFile(*of_arrow(data))
        case _:
            raise InputError(f"expected a name that ends in {SUFFIXES}")


def _bytes_of(path: Path) -> bytes:
    try:
        if not path.exists():
            from pfverify.model.problem_file import near_file

            raise InputError(f"there is no such file{near_file(path)}")
        if not path.is_file():
            raise InputError(f"this is no regular file, expected one that ends in {SUFFIXES}")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"the file is larger than {MAX_BYTES >> 20} MiB")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("no file can have this name") from None  # a null byte in it


def _check_digest(digest: object, data: bytes, name: str) -> None:
    if not isinstance(digest, str) or _DIGEST.fullmatch(digest) is None:
        raise InputError(
            f"digest: {shorten(digest)!r} is none, expected sha256: and 64 hexadecimal digits in "
            "lower case"
        )
    found = f"sha256:{hashlib.sha256(data).hexdigest()}"
    if digest != found:
        raise InputError(f"digest: the bytes of {shorten(name, 100)} have another one: {found}")
