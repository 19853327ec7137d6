"""Problems as Coq reads them, many in one file, and the answers of the checker for each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pfverify import Problem
from pfverify.edge.coq.names import CoqNames
from pfverify.edge.coq.numbers import coq_number, logarithm_bases
from pfverify.edge.coq.tables import Tables
from support import coq

# what the theorems exclude, that both are true, is not tried: at a tie it would be the slower part
_ASK = """\
Definition ask bases d := if certify 64 bases d then (true, false) else (false, refute 64 d).
"""


@dataclass(frozen=True)
class Data:
    """Definitions of `scale`, `epsilon` and `pairs` in Coq, and the bases of their logarithms."""

    definitions: str
    bases: Sequence[int]


def data_of(problem: Problem) -> Data:
    """A problem with one epsilon, as the exporter writes its data."""
    items = list(problem.questions())
    tables = Tables(items, CoqNames())
    pairs = [
        f"({tables.name(i.belief, i.first)}, {tables.name(i.belief, i.second)})" for i in items
    ]
    lines = [
        f"Definition scale : number := {coq_number(problem.scale())}.",
        f"Definition epsilon : number := {coq_number(problem.epsilon)}.",
        *tables.lines(),
        f"Definition pairs := [{'; '.join(pairs)}].",
    ]
    return Data("\n".join(lines), logarithm_bases([problem.scale(), problem.epsilon]))


def answers(folder: Path, asked: Iterable[Data], limit: int) -> list[tuple[bool, bool]]:
    """Whether the checker certifies each, and if it does not, whether it refutes it.

    All in one run of coqc. Raises RuntimeError, TimeoutExpired.
    """
    modules, terms = [], []
    for k, data in enumerate(asked):
        modules.append(f"Module M{k}.\n{data.definitions}\nEnd M{k}.\n")
        bases = "; ".join(map(str, data.bases))
        terms.append(f"ask [{bases}]%positive (Problem M{k}.scale M{k}.epsilon M{k}.pairs)")
    text = f"{coq.HEAD}{_ASK}{''.join(modules)}Eval vm_compute in [{'; '.join(terms)}].\n"
    done = coq.run(folder, text, limit)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found = re.findall(r"\(\s*(true|false),\s+(true|false)\)", done.stdout)
    if len(found) != len(terms):
        raise RuntimeError(f"{len(terms)} questions, {len(found)} answers: {done.stdout[:1000]}")
    return [(certified == "true", refuted == "true") for certified, refuted in found]
