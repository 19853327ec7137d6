"""What `pfverify prove` answers: the claims of a folder of proof files, checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pfverify.edge.progress import progress
from pfverify.errors import InputError
from pfverify.exact.no_truth import NoTruth
from pfverify.proof import run
from pfverify.proof.outcome import Outcome


@dataclass(frozen=True)
class Proofs(NoTruth, ask="use .held"):
    """What checking claims gave, how many there are per paper and result, and which have no file.

    `missing` is None where only some files were asked for. `change`: what was changed on purpose;
    `steps`: whether every step is shown. Attributes are the JSON keys.
    """

    claims: list[Outcome]
    counts: dict[str, dict[str, int]]
    missing: dict[str, list[str]] | None
    change: str | None = field(default=None, metadata={"json": False})
    steps: bool = field(default=False, metadata={"json": False})

    @property
    def held(self) -> bool:
        """Whether every file earns the result that it declares."""
        return not any(outcome.failure for outcome in self.claims)


@dataclass(frozen=True)
class Counts(NoTruth, ask="read its attributes"):
    """The counts alone, as text: per paper and result, and which claims have no file."""

    table: str
    coverage: str | None


def proved(
    folder: Path, ids: tuple[str, ...], *, change: str | None = None, steps: bool = False
) -> Proofs:
    """Check the proof files of a folder, all or those of the ids, or one with a change.

    Raises InputError for an id without a file, and a change of other than one.
    """
    paths = run.proof_files(folder, ids)
    if change is None:
        with progress("checking") as report:
            outcomes = run.prove(paths, report)
    elif len(paths) == 1:
        outcomes = [run.prove_changed(paths[0], change)]
    else:
        raise InputError("--break: name the one ID to change")
    missing = None if ids else run.missing_claims([path.stem for path in paths])
    return Proofs(outcomes, run.count_cells(outcomes), missing, change, steps)


def counted(found: Proofs) -> Counts:
    """Return the counts of claims that were checked."""
    coverage = None
    if found.missing is not None:
        coverage = run.coverage([outcome.id for outcome in found.claims])
    return Counts(run.counts(found.claims), coverage)
