"""Check the proof files of a folder in parallel, and count what they settle."""

from __future__ import annotations

import difflib
import importlib.util
import re
import signal
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Any, TypeVar

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.proof.breaking import broken
from pfverify.proof.check import check_claim
from pfverify.proof.citations import CITATIONS
from pfverify.proof.claim import Claim, Proved
from pfverify.proof.loader import load_proof
from pfverify.proof.outcome import Outcome, Result
from pfverify.proof.papers import PAPERS

Report = Callable[[int, int], None]
Item = TypeVar("Item")
Found = TypeVar("Found")


def proof_files(folder: Path, names: Sequence[str] = ()) -> list[Path]:
    """Return the proof files of a folder (paper/ID.py) in order, all or those of the names.

    A name is that of a claim ("N09"), of a paper ("noise-reduction"), or a pattern ("N1*"). Raises
    InputError for a folder without proofs, and for a name that selects nothing.
    """
    found = {path.stem: path for path in sorted(folder.glob("*/*.py"), key=_order)}
    if not found:
        raise InputError(
            f"{folder}: no proof files there, expected PAPER/ID.py; run this in a checkout of the "
            "project, or say --proofs DIR"
        )
    chosen = [path for name in names for path in _selected(name, found, folder)]
    return list(dict.fromkeys(chosen)) if names else list(found.values())


def _selected(name: str, found: Mapping[str, Path], folder: Path) -> list[Path]:
    selected = [path for claim, path in found.items()
                if name == path.parent.name or fnmatchcase(claim, name)]  # fmt: skip
    if not selected:
        papers = {path.parent.name for path in found.values()}
        close = difflib.get_close_matches(name, [*found, *papers], 3)
        hint = f"; did you mean {', '.join(close)}?" if close else ""
        raise InputError(f"{name}: no proof file of that name in {folder}{hint}")
    return selected


def declaring(paths: Sequence[Path], results: Collection[Result]) -> list[Path]:
    """Return the files that declare one of the results, and those that cannot be read.

    Raises InputError where there is none.
    """
    chosen = [path for path in paths if _declared(path) in (None, *results)]
    if not chosen:
        wanted = " or ".join(str(result) for result in results)
        raise InputError(f"none of these {len(paths)} files declares the result {wanted}")
    return chosen


def _declared(path: Path) -> Result | None:
    try:
        return load_proof(path).claim.result
    except InputError:
        return None


def _order(path: Path) -> tuple[str, list[tuple[int, str]]]:
    parts = re.findall(r"\d+|\D+", path.stem)
    return path.parent.name, [(int(p), "") if p.isdigit() else (-1, p) for p in parts]


def require_solver() -> None:
    """Raise InputError with the remedy when z3 is not installed."""
    if importlib.util.find_spec("z3") is None:
        raise InputError("proofs need the z3 solver: in the checkout, pip install '.[proofs]'")


class Library:
    """The files of a folder, each checked when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of PAPER/ID.py files."""
        self._folder = folder
        self._known: dict[Path, tuple[Outcome, Claim | None]] = {}
        self._open: list[str] = []  # the files that are being checked

    def outcome(self, path: Path) -> Outcome:
        """Return what checking a file gave."""
        return self._checked(path)[0]

    def part(self, name: str, part: str) -> Proved:
        """Return a part of a file if the file checks and the part is proved.

        Raises InputError for a file that is missing, fails, or uses the one that asks for it.
        """
        (path,) = proof_files(self._folder, [name])
        if name in self._open:
            raise InputError(f"a circle: {' -> '.join([*self._open, name])}")
        outcome, claim = self._checked(path)
        if claim is None or outcome.failure:
            raise InputError(f"it is not proved: {outcome.failure}")
        found = dict(claim.parts()).get(part)
        if not isinstance(found, Proved):
            raise InputError(f"it has no proved part {part!r}")
        return found

    def _checked(self, path: Path) -> tuple[Outcome, Claim | None]:
        if path not in self._known:
            self._open.append(path.stem)
            try:
                self._known[path] = self._check(path)
            finally:
                self._open.pop()
        return self._known[path]

    def _check(self, path: Path) -> tuple[Outcome, Claim | None]:
        try:
            claim = load_proof(path).claim
        except InputError as error:
            return Outcome(path.stem, "", "", Result.PROVED, failure=str(error),
                           failed_step="the file"), None  # fmt: skip
        outcome = check_claim(claim, kernel_word, library=self.part)
        name, paper = claim.id, claim.source.paper
        if name != path.stem:
            outcome.failure = outcome.failure or f"the claim's id is {name}, the file's {path.stem}"
        if paper != path.parent.name:
            outcome.failure = outcome.failure or f"a claim of {paper} in another folder"
        self._cite(outcome)
        return outcome, claim

    def _cite(self, outcome: Outcome) -> None:
        """What a used theorem rests on, the result rests on."""
        used = [self.outcome(proof_files(self._folder, [name])[0]) for name in outcome.uses]
        more = {c for other in used for c in other.citations} - {*outcome.citations}
        outcome.citations = sorted({*outcome.citations, *more})
        if more and not outcome.failure:
            outcome.result += f" given {', '.join(CITATIONS[c].words for c in sorted(more))}"


def prove(paths: Sequence[Path], report: Report | None = None) -> list[Outcome]:
    """Check proof files, in parallel; the outcomes are in the order of the paths.

    A file that cannot be read has an outcome with its failure, like a step that fails; so has one
    that uses a file which fails. Raises InputError where z3 is missing.
    """
    require_solver()
    return in_parallel(_outcome, paths, report)


def in_parallel(
    work: Callable[[Item], Found], items: Sequence[Item], report: Report | None = None
) -> list[Found]:
    """Return what a function of a module makes of each item, in their order, by processes."""
    workers = min(len(items), cpu_count() or 1)
    if workers <= 1:
        _libraries.clear()  # the files may have changed
        return [work(item) for item in items]
    found: dict[int, Found] = {}
    # spawn: the ball layer and the solver keep state that must not be copied half-way; on an
    # interrupt the parent ends the workers at once (leaving the block terminates them)
    with get_context("spawn").Pool(workers, _ignore_interrupts) as pool:
        for k, one in pool.imap_unordered(_numbered, [(work, k, i) for k, i in enumerate(items)]):
            found[k] = one
            if report:
                report(len(found), len(items))
    return [found[k] for k in range(len(items))]


_libraries: dict[Path, Library] = {}  # of a worker


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _numbered(job: tuple[Callable[[Any], Any], int, Any]) -> tuple[int, Any]:
    work, k, item = job
    return k, work(item)


def library_of(path: Path) -> Library:
    """Return the folder's files as this process knows them, for the file at a path."""
    folder = path.parent.parent
    return _libraries.setdefault(folder, Library(folder))


def _outcome(path: Path) -> Outcome:
    return library_of(path).outcome(path)


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
