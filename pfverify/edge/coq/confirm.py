"""Coq's answer about an exported file: accepted, and on which axioms it rests."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from pfverify.edge.checked import AXIOMS, Confirmed
from pfverify.edge.coq.process import first_error, run
from pfverify.edge.coq.statements import IMPORTED
from pfverify.edge.coq.text import coq_text
from pfverify.edge.coq.theory import compiled_theory, theory_of
from pfverify.errors import UndecidedError, shorten
from pfverify.model.problem import Problem

_CLOSED = "Closed under the global context"
_FALSE = re.compile(r'"eq_refl" has type "true = true" while it is expected to have type')
_NAME = "exported"  # of the file, which is read in place of the one that `export` writes


def confirmed(problem: Path, certificate: Path, proofs: Path, seconds: float) -> Confirmed:
    """Export a certificate, which the kernel checks, and return what Coq says of it.

    Accepted is only what Coq closes within the time, on axioms of `AXIOMS`.

    Raises InputError where there is no Coq rule for the certificate, and where Coq or the theory is
    missing; UndecidedError where Coq does not end in time, or does not prove a theorem.
    """
    theory = theory_of(proofs).resolve()
    found = coq_text(Problem.load(problem), problem, certificate, "theory", f"{_NAME}.v")
    compiled = compiled_theory(theory, (*IMPORTED, *found.modules))
    with tempfile.TemporaryDirectory(prefix="pfverify-") as folder:
        (Path(folder) / f"{_NAME}.v").write_text(found.text + found.axioms, "ascii")
        command = ["coqc", "-q", "-R", str(compiled), "Pfverify", f"{_NAME}.v"]
        done = run(command, Path(folder), seconds)
    if done is None:
        raise UndecidedError(
            f"Coq had not finished after {seconds:g} s, and confirms nothing (--coq-timeout allows "
            "more)"
        )
    if done.code:
        why = first_error(done)
        if _FALSE.search(why) is not None:
            why = (
                "its checker does not show what the kernel accepts; it may leave it open (a tie, "
                "atoms hundreds of scales apart, a large epsilon), or one of the two is wrong"
            )
        raise UndecidedError(f"Coq confirms nothing: {shorten(why, 300)}")
    axioms = _axioms(done.out)
    accepted = set(axioms) <= set(AXIOMS)
    return Confirmed(accepted, found.theorems, axioms, str(theory), list(found.definitions),
                     list(found.taken))  # fmt: skip


def _axioms(printed: str) -> list[str]:
    """The axioms that are printed, sorted.

    Every line that is not set in counts as one, so that what is not understood is not allowed.
    """
    lines = [line for line in printed.splitlines() if line.strip()]
    if lines == [_CLOSED]:
        return []
    if lines[:1] != ["Axioms:"]:
        raise UndecidedError(f"Coq lists no axioms: {shorten(printed, 200)!r}")
    return sorted(line.split()[0] for line in lines[1:] if not line[0].isspace())
