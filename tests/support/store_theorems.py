"""Write what follows from proofs/coq anew: python tests/support/store_theorems.py.

The table in its README is made from theorems.toml, and names the facts of the kernel for which
there is no theorem; the digests of its files go into the package.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from pfverify.edge.coq import theory
from pfverify.kernel.core.facts import FACTS
from pfverify.proof.theorems import CoqTheorem, theorems

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
README = PROOFS / "coq/README.md"
DIGESTS = Path(theory.__file__).with_name(theory.DIGESTS)
_PART = re.compile(
    r"(?<=<!-- made by tests/support/store_theorems\.py -->\n).*(?=<!-- end -->)", re.S
)


def table(rows: Sequence[CoqTheorem]) -> str:
    """The theorems as a table, and the facts of the kernel that none of them discharges."""
    lines = ["| claims | theorem | file | what it says |", "|---|---|---|---|"]
    for row in rows:
        claims = ", ".join(f"**{name}**" if name == row.fact else name for name in row.claims)
        says = row.says.replace("|", "\\|")
        lines.append(f"| {claims} | `{row.name}` | `{row.file}` | {says} |")
    left = ", ".join(sorted(FACTS.keys() - {row.fact for row in rows}))
    return "\n".join(
        [*lines, "", f"Facts that the kernel names without a theorem here: {left}.", ""]
    )


def stored(text: str, rows: Sequence[CoqTheorem]) -> str:
    """The text of the README with the table of these theorems; ValueError without a place."""
    if _PART.search(text) is None:
        raise ValueError("the README has no place for the table")
    return _PART.sub(lambda _: table(rows), text)


def digests() -> str:
    """The digest of every file of the theory, as the package has them."""
    head = "# made by tests/support/store_theorems.py: sha256 of the files of proofs/coq\n"
    return head + "".join(
        f'"{path.name}" = "{sha256(path.read_bytes()).hexdigest()}"\n'
        for path in sorted((PROOFS / "coq").glob("*.v"))
    )


if __name__ == "__main__":
    README.write_text(stored(README.read_text("utf-8"), theorems(PROOFS)), "utf-8")
    DIGESTS.write_text(digests(), "ascii")
