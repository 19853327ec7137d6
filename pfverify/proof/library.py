"""The proof files of a folder, which use each other's theorems."""

from __future__ import annotations

from pathlib import Path

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.proof.check import check_claim
from pfverify.proof.citations import CITATIONS
from pfverify.proof.claim import Claim, Proved
from pfverify.proof.files import proof_files
from pfverify.proof.loader import load_proof
from pfverify.proof.outcome import Outcome, Result


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
