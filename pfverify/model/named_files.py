"""Files that a problem file names: they lie where its own folder says."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pfverify.errors import shorten

NAME = "file"
_INSIDE = ("channel", "noise", "parts", "base")
"""Keys of tables that may name a file, or hold such tables."""
_HERE: set[Path] = set()
_BEYOND_KERNEL = (".arrow", ".feather")


def read_from_here(path: Path) -> None:
    """Note a problem file that is a copy of what was given without a folder: names are from here.

    Example: ``read_from_here(Path("copy.toml"))`` is ``None``.
    """
    _HERE.add(path)


def folder_of(path: Path) -> Path:
    """Return the folder that names in a problem file are relative to.

    Example: ``folder_of(Path("mine/census.toml"))`` is ``Path("mine")``.
    """
    return Path() if path in _HERE else path.parent


def located(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the table of a problem whose files are named from the working directory.

    Example: ``located({"channel": {"file": "m.csv"}}, Path("mine"))["channel"]["file"]`` is
    ``"mine/m.csv"``.
    """
    return _renamed(table, lambda name: str(folder / name))


def moved(table: Mapping[str, Any], source: Path, target: Path) -> dict[str, Any]:
    """Return the table of a problem file as it is written in another folder.

    Example: ``moved({"channel": {"file": "m.csv"}}, Path("a"), Path("b"))["channel"]["file"]`` is
    ``"../a/m.csv"``.
    """
    old, new = os.path.realpath(source), os.path.realpath(target)
    if old == new:
        return dict(table)

    def renamed(name: str) -> str:
        folder, last = os.path.split(os.path.join(old, name))
        path = os.path.join(os.path.realpath(folder), last)  # behind all links
        return name if os.path.isabs(name) else Path(os.path.relpath(path, new)).as_posix()

    return _renamed(table, renamed)


def files_of(table: Mapping[str, Any]) -> list[str]:
    """Return the names of files in the table of a problem, as they are written.

    Example: ``files_of({"channel": {"file": "m.csv"}})`` is ``["m.csv"]``.
    """
    found: list[str] = []

    def noted(name: str) -> str:
        found.append(name)
        return name

    _renamed(table, noted)
    return found


def may_name(text: str) -> bool:
    """Say whether the text of a problem file may name another: the key may be written in escapes.

    Example: ``may_name('epsilon = 1')`` is ``False``.
    """
    return NAME in text or "\\" in text


def beyond_kernel(table: Mapping[str, Any]) -> str | None:
    """Return why the kernel reads no such problem file, with the remedy, or None where it may.

    Example: ``beyond_kernel({"channel": {"file": "m.csv"}})`` is ``None``.
    """
    for name in files_of(table):
        if os.path.splitext(name)[1].lower() in _BEYOND_KERNEL:
            return (
                f"the kernel reads no Arrow file, such as {shorten(name, 60)}; write the matrix as "
                "CSV or npz and name that"
            )
    return None


def _renamed(table: Mapping[str, Any], rename: Callable[[str], str]) -> dict[str, Any]:
    found = {key: _inside(x, rename) if key in _INSIDE else x for key, x in table.items()}
    if isinstance(name := found.get(NAME), str):
        found[NAME] = rename(name)
    return found


def _inside(value: Any, rename: Callable[[str], str]) -> Any:
    if isinstance(value, list | tuple):
        return [_inside(part, rename) for part in value]
    return _renamed(value, rename) if isinstance(value, Mapping) else value
