"""Files that are either complete or not there."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from pfverify.errors import InputError, shorten


def save_text(path: Path, text: str) -> None:
    """Write a file that a user named, as `write_text`.

    Raises InputError that begins with its name where it cannot be written.
    Example: ``save_text(Path("no-such-folder/mine.toml"), "")`` raises.
    """
    try:
        write_text(path, text)
    except OSError as error:
        raise InputError(f"{shorten(path, 200)}: cannot write: {error.strerror}") from None
    except ValueError:  # a null byte
        raise InputError(f"{shorten(path, 200)}: no file can have this name") from None


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 file as `write_bytes` does."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file through a temporary file in the same folder, fsync and rename.

    An interrupted run leaves the old file, or none; a link keeps pointing to it. Raises OSError
    (also for a path that is there and is not a regular file).
    """
    import tempfile

    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
