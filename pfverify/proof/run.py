"""Check the proof files of a folder in parallel, and count what they settle."""

from __future__ import annotations

import difflib
import importlib.util
import re
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.proof.breaking import broken
from pfverify.proof.check import check_claim
from pfverify.proof.loader import load_proof
from pfverify.proof.outcome import Outcome, Result
from pfverify.proof.papers import PAPERS

Report = Callable[[int, int], None]


def proof_files(folder: Path, ids: Sequence[str] = ()) -> list[Path]:
    """Return the proof files of a folder (paper/ID.py), all or those of the ids, in order.

    Raises InputError for a folder without proofs, and for an id without a file.
    """
    found = {path.stem: path for path in sorted(folder.glob("*/*.py"), key=_order)}
    if not found:
        raise InputError(
            f"{folder}: no proof files there, expected PAPER/ID.py; run this in a checkout of the "
            "project, or say --proofs DIR"
        )
    missing = [name for name in ids if name not in found]
    if missing:
        close = difflib.get_close_matches(missing[0], found, 3)
        hint = f"; did you mean {', '.join(close)}?" if close else ""
        raise InputError(f"{missing[0]}: no proof file of that name in {folder}{hint}")
    return [found[name] for name in ids] if ids else list(found.values())


def _order(path: Path) -> tuple[str, list[tuple[int, str]]]:
    parts = re.findall(r"\d+|\D+", path.stem)
    return path.parent.name, [(int(p), "") if p.isdigit() else (-1, p) for p in parts]


def require_solver() -> None:
    """Raise InputError with the remedy when z3 is not installed."""
    if importlib.util.find_spec("z3") is None:
        raise InputError("proofs need the z3 solver: in the checkout, pip install '.[proofs]'")


def prove(paths: Sequence[Path], report: Report | None = None) -> list[Outcome]:
    """Check proof files, in parallel; the outcomes are in the order of the paths.

    A file that cannot be read has an outcome with its failure, like a step that fails.
    Raises InputError where z3 is missing.
    """
    require_solver()
    outcomes: dict[Path, Outcome] = {}
    workers = min(len(paths), cpu_count() or 1)
    if workers <= 1:
        return [_checked(path) for path in paths]
    # spawn: the ball layer and the solver keep state that must not be copied half-way; on an
    # interrupt the parent ends the workers at once (leaving the block terminates them)
    with get_context("spawn").Pool(workers, _ignore_interrupts) as pool:
        for path, outcome in pool.imap_unordered(_with_path, paths):
            outcomes[path] = outcome
            if report:
                report(len(outcomes), len(paths))
    return [outcomes[path] for path in paths]


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _with_path(path: Path) -> tuple[Path, Outcome]:
    return path, _checked(path)


def _checked(path: Path) -> Outcome:
    try:
        claim = load_proof(path).claim
    except InputError as error:
        return Outcome(path.stem, "", "", Result.PROVED, failure=str(error), failed_step="the file")
    outcome = check_claim(claim, kernel_word)
    if claim.id != path.stem:
        outcome.failure = outcome.failure or f"the claim's id is {claim.id}, the file's {path.stem}"
    if claim.source.paper != path.parent.name:
        outcome.failure = outcome.failure or f"a claim of {claim.source.paper} in another folder"
    return outcome


def prove_changed(path: Path, change: str) -> Outcome:
    """Check the claim of a file with one change made on purpose (see `breaking.broken`)."""
    require_solver()
    return check_claim(broken(path, change), kernel_word, examples=False)


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
