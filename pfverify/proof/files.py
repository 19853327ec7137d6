"""The proof files of a folder: all of them, or those of some names or results."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from pfverify.errors import InputError
from pfverify.proof.outcome import Result


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
    """Return the files that declare one of the results, and those of which that is not plain.

    Nothing is checked for it. Raises InputError where there is none.
    """
    chosen = [path for path in paths if declared(path) in (None, *results)]
    if not chosen:
        wanted = " or ".join(str(result) for result in results)
        raise InputError(f"none of these {len(paths)} files declares the result {wanted}")
    return chosen


def declared(path: Path) -> Result | None:
    """The result that a file declares, read from its syntax alone; None where that is not plain.

    Example: ``declared(Path("proofs/noise-reduction/N09.py")).name`` is ``"PROVED"``.

    The words for results, and `Claim`, are of the language: no file gives them another meaning.
    """
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    claims = [node for node in ast.walk(tree) if isinstance(node, ast.Call)
              and isinstance(node.func, ast.Name) and node.func.id == "Claim"]  # fmt: skip
    said = [word.value for claim in claims for word in claim.keywords if word.arg == "result"]
    match said:
        case [ast.Name(id=name)] if len(claims) == 1 and name in Result.__members__:
            return Result[name]
        case _:
            return None


def _order(path: Path) -> tuple[str, list[tuple[int, str]]]:
    parts = re.findall(r"\d+|\D+", path.stem)
    return path.parent.name, [(int(p), "") if p.isdigit() else (-1, p) for p in parts]
