"""What earlier runs of `pfverify prove` found, by digest of what they read and of what checked it.

An entry says what the checker of one digest said of files of one digest, and is used for nothing
else. It is believed as one's own files are: who can write into the folder can write any result.
"""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pfverify.errors import InputError
from pfverify.files import write_text
from pfverify.proof.claim import Claim
from pfverify.proof.files import proof_files
from pfverify.proof.library import Library
from pfverify.proof.loader import load_proof
from pfverify.proof.outcome import Outcome, Result, StatedPart

_SCHEMA = "pfverify/remembered/1"
_LIBRARIES = ("sympy", "mpmath", "gmpy2", "python-flint", "z3-solver", "numpy", "scipy", "networkx")
_CODE = {".py", ".toml", ".json"}

Used = dict[str, list[str]]
"""Name by which a theorem was asked for -> the file that it named then, and its digest."""


class Remembering(Library):
    """The files of a folder, of which none is checked that was checked before as it is now.

    Only files that earn their result are remembered, each with the files that its check asked for.
    What cannot be read, is not whole, or is about other texts or rules is checked again.
    """

    def __init__(self, folder: Path, place: Path) -> None:
        """Take the folder of PAPER/ID.py files, and that of what is remembered."""
        super().__init__(folder)
        self._place, self._code, self._rules = place, _code_digest(), rules_digest()
        self._texts: dict[Path, str] = {}  # file -> digest of what was read when it was checked
        self._used: dict[Path, Used] = {}
        self._asked: dict[str, set[str]] = {}

    def remembered(self, path: Path) -> Outcome | None:
        """Return what an earlier check of this very file gave, None where there was none."""
        try:
            entry = json.loads(self._entry(path).read_text("utf-8"))
            said = entry.pop("sum")
            if said != _digest(_canonical(entry)) or entry["schema"] != _SCHEMA:
                return None
            if (entry["rules"], entry["text"]) != (self._rules, self._now(path)):
                return None
            used: Used = entry["used"]
            if any(self._now_named(name) != file for name, file in used.items()):
                return None
            found = _outcome(entry["outcome"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError, InputError):
            return None
        if found.failure:
            return None
        self._texts[path], self._used[path] = entry["text"], used
        return found

    def part(self, name: str, part: str) -> Any:
        """Return a part of a file as `Library.part`, and note who asked for it."""
        if self._open:
            self._asked.setdefault(self._open[-1], set()).add(name)
        return super().part(name, part)

    def _check(self, path: Path) -> tuple[Outcome, Claim | None]:
        found = self.remembered(path)
        if found is not None:
            try:
                return found, load_proof(path).claim
            except InputError:  # it changed just now
                pass
        try:
            self._texts[path] = self._now(path)
        except (OSError, ValueError):  # the outcome says so
            return super()._check(path)
        outcome, claim = super()._check(path)
        if not outcome.failure:
            self._remember(path, outcome)
        return outcome, claim

    def _remember(self, path: Path, outcome: Outcome) -> None:
        """Write what a check gave, unless what it read, or the rules, changed meanwhile."""
        used: Used = {}
        try:
            for name in self._asked.get(path.stem, ()):
                (file,) = proof_files(self._folder, [name])
                used |= {name: [self._relative(file), self._texts[file]], **self._used[file]}
            self._used[path] = used
            text = self._texts[path]
            if self._now(path) != text or _code_digest() != self._code:
                return
            entry = {"schema": _SCHEMA, "rules": self._rules, "text": text, "used": used,
                     "outcome": asdict(outcome)}  # fmt: skip
            whole = {**entry, "sum": _digest(_canonical(entry))}
            write_text(self._entry(path), json.dumps(whole))
        except (OSError, ValueError, KeyError, InputError):  # it is checked again next time
            return

    def _entry(self, path: Path) -> Path:
        """Where the entry of a file is: one for each file of each folder, which it replaces."""
        return self._place / f"{_digest(str(path.resolve()))[:32]}.json"

    def _relative(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()

    def _now(self, path: Path) -> str:
        """The digest of a file, its name, and every setting that it could import."""
        settings = sorted(path.parent.glob("settings/*.py"))
        read = [(self._relative(one), one.read_text("utf-8")) for one in (path, *settings)]
        return _digest(_canonical(read))

    def _now_named(self, name: str) -> list[str]:
        (file,) = proof_files(self._folder, [name])
        return [self._relative(file), self._now(file)]


def _outcome(data: dict[str, Any]) -> Outcome:
    """An outcome from its JSON; TypeError, KeyError and ValueError for what is none."""
    stated = [StatedPart(**part) for part in data["stated"]]
    return Outcome(**{**data, "declared": Result(data["declared"]), "stated": stated})


def rules_digest() -> str:
    """Return a digest of what checks: our code without commands and pages, and its libraries.

    Example: ``len(rules_digest())`` is 64.
    """
    run_by = [platform.python_implementation(), platform.python_version(), platform.machine()]
    libraries = {name: _version(name) for name in _LIBRARIES}
    return _digest(_canonical([run_by, libraries, _code_digest()]))


def _code_digest() -> str:
    root, read = Path(__file__).parents[1], hashlib.sha256()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.suffix in _CODE and name.parts[0] != "edge":  # which nothing that checks imports
            read.update(f"{name.as_posix()}\0{path.stat().st_size}\0".encode())
            read.update(path.read_bytes())
    return read.hexdigest()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
