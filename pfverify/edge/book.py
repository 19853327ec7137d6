"""The book of `pfverify prove --html`: claims with all that is shown about them, in a folder.

The folder is complete or not there: it is written beside its place and renamed. A folder is
replaced only if it is an earlier book and nothing else is in it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pfverify.answers.certify import certify
from pfverify.edge.progress import each, progress
from pfverify.edge.words import witness_words
from pfverify.errors import InputError
from pfverify.exact.no_truth import NoTruth
from pfverify.model.problem import Problem
from pfverify.proof.claim import Claim, Refuted
from pfverify.proof.exercises import Noticed
from pfverify.proof.loader import ProofFile, load_proof
from pfverify.proof.outcome import Outcome
from pfverify.proof.theorems import CoqTheorem

_CONTENTS = "contents.json"
_SCHEMA = "pfverify/book/1"


@dataclass(frozen=True)
class Chapter(NoTruth, ask="read its attributes"):
    """A proof file: its name, its text, what checking it gave, and it as read if it can be.

    `witnesses` says, for each part whose problem is refuted, at which output or event it fails;
    `theorems` are those in Coq about the claim.
    """

    name: str
    paper: str
    text: str
    outcome: Outcome
    file: ProofFile | None
    exercises: list[Noticed]
    witnesses: Mapping[str, str] = field(default_factory=dict)
    theorems: Sequence[CoqTheorem] = ()


@dataclass(frozen=True)
class Book(NoTruth, ask="read its attributes"):
    """The chapters, in order, and the names of files that were left out."""

    chapters: list[Chapter]
    left_out: frozenset[str]

    @property
    def held(self) -> bool:
        """Whether every file earns its result and every exercise fails where it says."""
        wrong = any(one.failure for chapter in self.chapters for one in chapter.exercises)
        return not wrong and not any(chapter.outcome.failure for chapter in self.chapters)


def book_of(
    paths: Sequence[Path], outcomes: Sequence[Outcome], exercises: Sequence[list[Noticed]],
    whole: Sequence[Path], theorems: Sequence[CoqTheorem] = (),
) -> Book:  # fmt: skip
    """Return the book of files that were checked, with their exercises; `whole` are all files."""
    checked = list(zip(paths, outcomes, exercises, strict=True))
    with progress("reading") as report:
        chapters = [
            _chapter(path, outcome, noticed, [one for one in theorems if path.stem in one.claims])
            for path, outcome, noticed in each(checked, report)
        ]
    return Book(chapters, frozenset(path.stem for path in {*whole} - {*paths}))


def _chapter(
    path: Path, outcome: Outcome, exercises: list[Noticed], theorems: list[CoqTheorem]
) -> Chapter:
    file = None
    try:
        text = path.read_text("utf-8", errors="replace")
        file = load_proof(path)
    except OSError as error:
        text = f"cannot read: {error.strerror}"
    except InputError:  # the outcome says why
        pass
    found = {} if file is None or outcome.failure else _witnesses(file.claim)
    return Chapter(path.stem, path.parent.name, text, outcome, file, exercises, found, theorems)


def _witnesses(claim: Claim) -> dict[str, str]:
    """Where the problem of each refuted part fails, and by how much."""
    found: dict[str, str] = {}
    for name, part in claim.parts():
        if isinstance(part, Refuted) and part.problem is not None:
            result = certify(Problem.from_table(part.problem))
            for pair in result.pairs:
                if pair.witness is not None:
                    where = witness_words(pair.witness, result.delta)
                    found.setdefault(name, f"from {pair.from_} against {pair.to} at {where}")
    return found


def check_place(folder: Path) -> None:
    """Raise InputError unless a book can be written there: nothing there, or an earlier book."""
    folder = Path(os.path.realpath(folder))
    if not folder.parent.is_dir():
        raise InputError(f"--html: {folder.parent}: no such folder")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"--html: {folder} is a file, expected a folder")
    here = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    if here and (extra := here - _written(folder)):
        raise InputError(
            f"--html: {folder} is no earlier book alone, it has {min(extra)}; name another folder"
        )


def _written(folder: Path) -> set[str]:
    """The files of the book in a folder, none if there is none."""
    try:
        contents = json.loads((folder / _CONTENTS).read_text("utf-8"))
    except (OSError, ValueError):
        return set()
    if not isinstance(contents, dict) or contents.get("schema") != _SCHEMA:
        return set()
    return {_CONTENTS, *map(str, contents.get("files", []))}


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a book, all or none. Raises InputError as `check_place`, and OSError."""
    check_place(folder)
    folder = Path(os.path.realpath(folder))
    contents = {"schema": _SCHEMA, "files": sorted(files)}
    made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    old = made.with_name(f"{made.name}.old")
    try:
        for place, text in {**files, _CONTENTS: json.dumps(contents, indent=1) + "\n"}.items():
            path = made / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        made.chmod(0o755)
        if folder.exists():
            folder.rename(old)
        try:
            made.rename(folder)
        except BaseException:
            if old.exists():
                old.rename(folder)
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
