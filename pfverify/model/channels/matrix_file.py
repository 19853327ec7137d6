"""Matrices of channels in files of their own: CSV, arrays of numpy, Arrow."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.named_bytes import MAX_BYTES, bytes_of_named

SUFFIXES = ".csv, .npz, .arrow or .feather"
"""Of the files that are read."""


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
    data = bytes_of_named(name, digest, SUFFIXES)
    with told_at(f"file: {shorten(name, 100)}: "):
        return _read(os.path.splitext(str(name))[1].lower(), data)


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
