"""Check proof files in parallel, and count what they settle."""

from __future__ import annotations

import importlib.util
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Any, TypeVar

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.proof.breaking import broken
from pfverify.proof.check import check_claim
from pfverify.proof.library import Library
from pfverify.proof.outcome import Outcome, Result
from pfverify.proof.papers import PAPERS
from pfverify.proof.remembered import Remembering

Report = Callable[[int, int], None]
Item = TypeVar("Item")
Found = TypeVar("Found")


def require_solver() -> None:
    """Raise InputError with the remedy when z3 is not installed."""
    if importlib.util.find_spec("z3") is None:
        raise InputError("proofs need the z3 solver: in the checkout, pip install '.[proofs]'")


def prove(
    paths: Sequence[Path], report: Report | None = None, place: Path | None = None
) -> list[Outcome]:
    """Check proof files, in parallel; the outcomes are in the order of the paths.

    A file that cannot be read has an outcome with its failure, like a step that fails; so has one
    that uses a file which fails. `place`: a folder of what earlier runs found, and of what this
    one finds; without it every file is checked. Raises InputError where z3 is missing.
    """
    require_solver()
    _libraries.clear()  # the files may have changed
    found = {path: one for path in paths if (one := _remembered(path, place)) is not None}
    rest = [path for path in paths if path not in found]

    def shown(done: int, total: int) -> None:
        if report:
            report(len(found) + done, len(paths))

    work = partial(outcome_of, place=place)
    checked = dict(zip(rest, in_parallel(work, rest, shown), strict=True))
    return [found[path] if path in found else checked[path] for path in paths]


def _remembered(path: Path, place: Path | None) -> Outcome | None:
    """What an earlier run found; what another worker of this one does is not that."""
    library = library_of(path, place)
    found = library.remembered(path) if isinstance(library, Remembering) else None
    return None if found is None else replace(found, kept=True)


def in_parallel(
    work: Callable[[Item], Found], items: Sequence[Item], report: Report | None = None
) -> list[Found]:
    """Return what a function of a module makes of each item, in their order, by processes."""
    workers = min(len(items), cpu_count() or 1)
    if workers <= 1:
        _libraries.clear()  # the files may have changed
        here = []
        for item in items:
            here.append(work(item))
            if report:
                report(len(here), len(items))
        return here
    found: dict[int, Found] = {}
    # spawn: the ball layer and the solver keep state that must not be copied half-way; on an
    # interrupt the parent ends the workers at once (leaving the block terminates them)
    with get_context("spawn").Pool(workers, _ignore_interrupts) as pool:
        for k, one in pool.imap_unordered(_numbered, [(work, k, i) for k, i in enumerate(items)]):
            found[k] = one
            if report:
                report(len(found), len(items))
    return [found[k] for k in range(len(items))]


_libraries: dict[tuple[Path, Path | None], Library] = {}  # of a worker


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _numbered(job: tuple[Callable[[Any], Any], int, Any]) -> tuple[int, Any]:
    work, k, item = job
    return k, work(item)


def library_of(path: Path, place: Path | None = None) -> Library:
    """Return the folder's files as this process knows them, for the file at a path."""
    folder = path.parent.parent
    if (folder, place) not in _libraries:
        made = Library(folder) if place is None else Remembering(folder, place)
        _libraries[folder, place] = made
    return _libraries[folder, place]


def outcome_of(path: Path, place: Path | None = None) -> Outcome:
    """Check the proof file at a path, in this process; `place` as in `prove`.

    Example: ``outcome_of(Path("proofs/noise-reduction/N09.py")).id`` is ``"N09"``.
    """
    return library_of(path, place).outcome(path)


def prove_changed(path: Path, change: str) -> Outcome:
    """Check the claim of a file with one change made on purpose (see `breaking.broken`)."""
    require_solver()
    library = Library(path.parent.parent)
    return check_claim(broken(path, change), kernel_word, examples=False, library=library.part)


PARTLY = "PROVED with citations or open parts"
COLUMNS = ["PROVED", PARTLY, *(str(r) for r in Result if r is not Result.PROVED)]


def column(outcome: Outcome) -> str:
    """Return the column of an outcome in the table of counts."""
    if outcome.failure:
        return "FAILED"
    if outcome.declared is Result.PROVED and (outcome.citations or outcome.open):
        return PARTLY
    return str(outcome.declared)


def count_cells(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    """Return the number of claims per paper and result."""
    cells: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        cells.setdefault(outcome.source.partition(" ")[0], Counter())[column(outcome)] += 1
    return {paper: dict(found) for paper, found in sorted(cells.items())}


def counts(outcomes: Sequence[Outcome]) -> str:
    """Return a Markdown table: claims per paper with a file, out of how many, and per result."""
    lines = [f"| paper | files | claims | {' | '.join(COLUMNS)} |",
             "|---|" + "---|" * (len(COLUMNS) + 2)]  # fmt: skip
    for paper, found in count_cells(outcomes).items():
        cells = [str(found.get(c, 0)) for c in COLUMNS]
        whole = len(PAPERS[paper].claims) if paper in PAPERS else 0
        lines.append(f"| {paper} | {sum(found.values())} | {whole or '-'} | {' | '.join(cells)} |")
    return "\n".join(lines)


def missing_claims(ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the claims of each paper that are not among the ids of files."""
    return {
        key: sorted(paper.claims - {*ids}) for key, paper in PAPERS.items() if paper.claims - {*ids}
    }


def coverage(ids: Sequence[str]) -> str:
    """Return a sentence: how many claims of the papers have a file, and which have none."""
    whole = sum(len(paper.claims) for paper in PAPERS.values())
    missing = missing_claims(ids)
    count = whole - sum(map(len, missing.values()))
    lists = "; ".join(f"{paper}: {', '.join(names)}" for paper, names in missing.items())
    text = f"{count} of the papers' {whole} claims have a file"
    return f"{text}; none yet: {lists}" if lists else text
