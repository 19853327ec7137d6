"""Several problems in one call: which files a folder stands for, and what is left of failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pfverify.edge.leave import expected, fail
from pfverify.edge.packaged import PREFIX
from pfverify.edge.progress import Report, each
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Asked, View
from pfverify.errors import InputError
from pfverify.exact.no_truth import NoTruth
from pfverify.model.problem_file import NothingError, read_table

_SUFFIXES = {".toml", ".json"}
_STATED = {"epsilon", "noise", "channel", "priors", "beliefs", "system"}
CERTIFICATE = "pfverify/certificate/1"


@dataclass(frozen=True)
class Failed(NoTruth, ask="read .error"):
    """A problem about which nothing was decided, and why."""

    error: str


def named_problems(names: Sequence[str]) -> tuple[list[str], bool]:
    """Return the problems that were named, and whether they are a list: several, or a folder.

    A folder stands for the problem files in it (TOML and JSON), in the order of their names; other
    folders in it are left alone. What cannot be read counts as a problem, so that it is not missed.
    Raises InputError for a folder without any, and for a problem that is named twice.
    Example: ``named_problems(["census.toml"])`` is ``(["census.toml"], False)``.
    """
    found: list[str] = []
    for name in names:
        folder = Path(name)
        if not name or name.startswith(PREFIX) or not folder.is_dir():  # Path("") is a folder
            found.append(name)
            continue
        inside = [str(path) for path in sorted(folder.iterdir()) if _is_problem(path)]
        if not inside:
            raise InputError(f"{name}: there is no problem file (.toml or .json) in this folder")
        found += inside
    if twice := [name for k, name in enumerate(found) if name in found[:k]]:
        raise InputError(f"{twice[0]}: this problem is named twice")
    return found, len(names) > 1 or found != list(names)


def _is_problem(path: Path) -> bool:
    if path.suffix.lower() not in _SUFFIXES or (path.exists() and not path.is_file()):
        return False
    try:
        table = read_table(path)
    except NothingError:
        return False
    except InputError:
        return True
    schema = str(table.get("schema", ""))
    if schema in _other_schemas():  # with a problem's tables it is one, under the wrong schema
        return any(isinstance(table.get(key), dict) for key in _STATED)
    return schema.startswith("pfverify/") or not _STATED.isdisjoint(table)


@cache
def _other_schemas() -> frozenset[str]:
    """The schemas of what this package writes beside problems."""
    found = Path(__file__).with_name("schemas").iterdir()
    kinds = (path.name.removesuffix(".schema.json") for path in found)
    return frozenset({CERTIFICATE, *(f"pfverify/{kind}/1" for kind in kinds)})


def collected(
    names: Sequence[str], answer: Callable[[str], tuple[Sequence[View[Any]], int]], report: Report
) -> tuple[list[View[Any]], list[int]]:
    """Return the views and exit codes of the answers about every problem; of one that fails, why.

    What is expected to go wrong is collected and said on standard error, so that one problem does
    not hide the others.
    """
    views: list[View[Any]] = []
    codes: list[int] = []
    for name in each(names, report):
        try:
            found, code = answer(name)
        except Exception as error:
            wrong = expected(error)
            if wrong is None:
                raise
            message, code = wrong
            said = message if message.startswith(name) else f"{name}: {message}"
            found = [view_of(Failed(said), name, Asked(name, None))]
            fail(said, code)
        views += found
        codes.append(code)
    return views, codes


def certificate_places(names: Sequence[str], folder: str | None) -> dict[str, Path]:
    """Return problem -> FOLDER/NAME.cert, and make the folder; nothing without one.

    Raises InputError where two problems would share a certificate, and where there is no folder.
    """
    if folder is None:
        return {}
    places = certificates_of(names, Path(folder))
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror
        raise InputError(f"-o: {folder}: {why}, expected a folder for the certificates") from None
    return places


def certificates_of(names: Sequence[str], folder: Path | None = None) -> dict[str, Path]:
    """Return problem -> NAME.cert, in a folder or else beside its file.

    Raises InputError where two problems would share one.
    Example: ``certificates_of(["a/b.toml"], Path("out"))["a/b.toml"].name`` is ``"b.cert"``.
    """
    places: dict[Path, str] = {}
    for name in names:
        path = Path(name.removeprefix(PREFIX))
        stem = path.stem if path.suffix.lower() in _SUFFIXES else path.name
        place = (path.parent if folder is None else folder) / f"{stem}.cert"
        if place in places:
            raise InputError(f"{places[place]} and {name} would share the certificate {place}")
        places[place] = name
    return {name: place for place, name in places.items()}
