"""The theorems in Coq beside a folder of proof files: coq/theorems.toml, and their statements.

Nothing here runs Coq: `sh proofs/coq/compile` checks them.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from pfverify.errors import InputError
from pfverify.exact.no_truth import NoTruth

TABLE = "coq/theorems.toml"
_FILE, _NAME = r"[A-Z]\w*\.v", r"[a-z]\w*"
_STATEMENT = r"^[ ]*(?:Theorem|Lemma|Corollary) {}\b.*?\.(?=\s+Proof\b)"


@dataclass(frozen=True)
class CoqTheorem(NoTruth, ask="read its attributes"):
    """A theorem in Coq: the claims it proves, its name and file, and what it says in words.

    `fact`: the fact that the kernel names, empty if none; `statement`: its text in the file.
    """

    claims: tuple[str, ...]
    name: str
    file: str
    says: str
    fact: str
    statement: str


def theorems(folder: Path) -> list[CoqTheorem]:
    """Return the theorems beside a folder of proof files, in the table's order; none without one.

    Raises InputError for a table that is not as expected, and for a theorem that its file does not
    state.

    Example: ``theorems(Path("no such folder"))`` is ``[]``.
    """
    table = folder / TABLE
    if not table.exists():
        return []
    try:
        rows = tomllib.loads(table.read_text("utf-8")).get("theorem", [])
    except (OSError, ValueError) as error:
        raise InputError(f"{table}: {error}") from None
    return [_theorem(table, row) for row in rows]


def _theorem(table: Path, row: dict[str, object]) -> CoqTheorem:
    match row:
        case {"claims": [*claims], "name": str(name), "file": str(file), "says": str(says)} if (
            row.keys() <= {"claims", "name", "file", "says", "fact"}
            and re.fullmatch(_NAME, name) and re.fullmatch(_FILE, file)
        ):  # fmt: skip
            statement = _statement(table.parent / file, name)
            fact = str(row.get("fact", ""))
            return CoqTheorem(tuple(map(str, claims)), name, file, says, fact, statement)
        case _:
            raise InputError(
                f"{table}: {row}: expected claims, name, file, says and perhaps fact of a theorem"
            )


def _statement(file: Path, name: str) -> str:
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    found = re.search(_STATEMENT.format(name), text, re.DOTALL | re.MULTILINE)
    if found is None:
        raise InputError(f"{file}: it states no theorem {name}")
    return found[0].strip()
