"""The user's folder for what need not be worked out again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def cache_folder(name: str, *, fresh: bool = False) -> Iterator[Path | None]:
    """A folder of this name in the user's cache; None where there is none, or others may write.

    `fresh`: an empty one, from which the files replace those in the cache at the end.
    """
    place = _place(name)
    if place is None or not fresh:
        yield place
        return
    try:
        made = tempfile.TemporaryDirectory(prefix=".fresh-", dir=place)
    except OSError:  # such as a full disk
        yield None
        return
    with made as empty:
        yield Path(empty)
        for path in Path(empty).iterdir():
            with suppress(OSError):
                path.replace(place / path.name)


def _base() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("pfverify", appauthor=False)


def _place(name: str) -> Path | None:
    try:
        place = _base() / name
        if not place.is_absolute():  # there is no home
            return None
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = place.stat()
    except (ImportError, OSError):
        return None
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
        return None
    return place if os.access(place, os.W_OK) else None
