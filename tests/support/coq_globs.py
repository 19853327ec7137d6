"""What the statements of a file of Coq rest on, as coqc itself notes it in its .glob files."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_REFERENCE = re.compile(r"R(\d+):\d+ Pfverify\.(\w+) \S+ (\S+) \w+$")
_ENTRY = re.compile(r"(def|prf|ind|rec|constr|proj|not|ax|mod|inst) (\d+):\d+ \S+ (\S+)$")


@dataclass(frozen=True)
class Glob:
    """Where each thing of a file begins, and (place, module, name) of all that it refers to."""

    begins: list[tuple[int, str]]
    refers: list[tuple[int, str, str]]

    def of(self, name: str) -> Iterator[tuple[str, str]]:
        """What a definition refers to."""
        starts = [place for place, _ in self.begins]
        for place, module, other in self.refers:
            index = bisect_right(starts, place) - 1
            if index >= 0 and self.begins[index][1] == name:
                yield module, other


@cache
def read(path: Path) -> Glob:
    """Read a .glob file."""
    lines = path.read_text("utf-8").splitlines()
    entries = [found for line in lines if (found := _ENTRY.match(line))]
    named = [found for line in lines if (found := _REFERENCE.match(line))]
    return Glob(
        sorted((int(one[2]), one[3]) for one in entries if one[1] not in ("constr", "proj")),
        [(int(one[1]), one[2], one[3]) for one in named],
    )


def defining(folder: Path, theory: Path) -> set[str]:
    """The modules with all definitions that the statements (not the proofs) of claim.v rest on."""
    text = (folder / "claim.v").read_bytes()
    proofs = [(one.start(), one.end()) for one in re.finditer(rb"(?s)\nProof\..*?Qed\.", text)]
    pending = {
        (module, name) for place, module, name in read(folder / "claim.glob").refers
        if not any(start <= place < end for start, end in proofs)
    }  # fmt: skip
    seen: set[tuple[str, str]] = set()
    while pending:
        module, name = pending.pop()
        seen.add((module, name))
        pending |= {*read(theory / f"{module}.glob").of(name)} - seen
    return {module for module, name in seen if name != "<>"}
