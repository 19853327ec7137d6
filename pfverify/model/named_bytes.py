"""The bytes of a file that a problem file names, which may say their digest."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from pfverify.errors import InputError, shorten, told_at

MAX_BYTES = 64 << 20
"""Of a file, and of what it holds once it is unpacked: as many as the kernel reads."""
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def bytes_of_named(name: object, digest: object, suffixes: str) -> bytes:
    """Return the bytes of a file; `digest`: of them, None where it is not said.

    Raises InputError that begins with the key: for a file that is not there (it ends in one of the
    `suffixes`, in words), or is too large, or has other bytes.
    Example: ``bytes_of_named("no-such-file.csv", None, ".csv")`` raises.
    """
    if not isinstance(name, str) or not name:
        raise InputError(f"file: expected the name of a file in quotes, got {shorten(name)!r}")
    with told_at(f"file: {shorten(name, 100)}: "):
        data = _bytes_of(Path(name), suffixes)
    if digest is not None:
        _check_digest(digest, data, name)
    return data


def _bytes_of(path: Path, suffixes: str) -> bytes:
    try:
        if not path.exists():
            from pfverify.model.problem_file import near_file

            raise InputError(f"there is no such file{near_file(path)}")
        if not path.is_file():
            raise InputError(f"this is no regular file, expected one that ends in {suffixes}")
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
