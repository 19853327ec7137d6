"""The view of checked claims: words, results and, where one fails, the step and why."""

from __future__ import annotations

from pfverify.edge.document import Inline, Toned, bad, good
from pfverify.edge.proofs import Proofs, kept_words
from pfverify.edge.views.view import View
from pfverify.proof import run
from pfverify.proof.outcome import Outcome, StatedPart


class ProofsView(View[Proofs]):
    """The claims of proof files: a table, steps if asked for, what failed, and how many."""

    schema = "prove"
    of = "proofs"

    def earned(self, claim: Outcome) -> Toned:
        """Return the result of a claim."""
        word = claim.result or "FAILED"
        return bad(word) if claim.failure else good(word)

    def seconds(self, claim: Outcome) -> str:
        """Return how long a claim took."""
        return f"{claim.seconds:.1f}"

    def kind(self, part: StatedPart) -> str:
        """Return what a part is."""
        return f"{part.part} ({part.kind}{f': {part.words}' if part.words else ''})"

    def instances(self, part: StatedPart) -> list[str]:
        """Return where a part holds, or fails."""
        word = "fails in" if part.kind == "refuted" else "holds in"
        return [f"{word} {one}" for one in part.instances if one]

    def unchecked(self, claim: Outcome) -> bool:
        """Say whether it is told why nothing can be checked."""
        return bool(claim.reason) and self.result.change is None

    def unharmed(self, claim: Outcome) -> bool:
        """Say whether a claim holds although it was changed on purpose."""
        return not claim.failure and self.result.change is not None

    def failed_step(self, claim: Outcome) -> str:
        """Return where it fails."""
        return claim.failed_step or "the file"

    def held(self) -> int:
        """How many claims hold."""
        return sum(not claim.failure for claim in self.result.claims)

    def failures(self) -> tuple[Inline, ...]:
        """How many fail, if any."""
        count = len(self.result.claims) - self.held()
        return (", ", bad(f"{count} failed")) if count else ()

    def kept(self) -> str | None:
        """How many were not checked again."""
        return kept_words(self.result.claims) or None


class CountsView(ProofsView):
    """The counts of claims alone, per paper and result, and which have no file."""

    of = "counts"

    def table(self) -> list[str]:
        """The lines of the table."""
        return run.counts(self.result.claims).splitlines()

    def coverage(self) -> str | None:
        """How many of the papers' claims have files, where all files were asked for."""
        if self.result.missing is None:
            return None
        return run.coverage([claim.id for claim in self.result.claims])
