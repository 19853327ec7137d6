"""Standard input in place of a file: a private copy that is there while a command runs."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

import click

from pfverify.edge.leave import warn
from pfverify.errors import InputError
from pfverify.model.named_files import read_from_here

DASH = "-"
NAME = "standard input"
_MAX_BYTES = 256 << 20
_KEY = "pfverify.edge.stdin"


def copied(what: str) -> Path:
    """Return a file with the bytes of standard input, which is read once; `what` takes them.

    The name ends in .json where the first character is an opening brace (after spaces and a byte
    order mark), with which no TOML begins, else in .toml.
    Raises InputError where it cannot be read, and where it is taken for something else already.
    """
    context = click.get_current_context().find_root()
    taken = context.meta.get(_KEY)
    if taken is None:
        from tempfile import TemporaryDirectory

        folder = Path(context.with_resource(TemporaryDirectory(prefix="pfverify-")))
        taken = context.meta[_KEY] = what, _written(folder)
        read_from_here(taken[1])
    known, path = taken
    if known != what:
        raise InputError(f"{DASH}: standard input is {known} already, expected a file for {what}")
    return path


def _written(folder: Path) -> Path:
    if sys.stdin is None:
        raise InputError(f"{NAME}: it is closed, expected a problem or a certificate")
    if sys.stdin.isatty():
        warn(f"reading {NAME}, up to Ctrl-D at the start of a line")
    try:
        data = sys.stdin.buffer.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{NAME}: cannot read: {error}") from None
    if len(data) > _MAX_BYTES:
        raise InputError(f"{NAME}: larger than {_MAX_BYTES >> 20} MiB")
    is_json = data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")
    path = folder / f"standard-input{'.json' if is_json else '.toml'}"
    path.write_bytes(data)
    return path
