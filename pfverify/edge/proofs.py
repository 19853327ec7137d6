"""What `pfverify prove` answers: the claims of a folder of proof files, checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pfverify.edge.cache_folder import cache_folder
from pfverify.edge.progress import progress
from pfverify.errors import InputError
from pfverify.exact.no_truth import NoTruth
from pfverify.proof import files, run
from pfverify.proof.exercises import Noticed, exercised
from pfverify.proof.outcome import Outcome, Result


@dataclass(frozen=True)
class Proofs(NoTruth, ask="use .held"):
    """What checking claims gave, how many there are per paper and result, and which have no file.

    `missing` is None where only some files were asked for. `change`: what was changed on purpose;
    `steps`: whether every step is shown; `exercises`: those of each file, where they were asked
    for. Attributes are the JSON keys.
    """

    claims: list[Outcome]
    counts: dict[str, dict[str, int]]
    missing: dict[str, list[str]] | None
    change: str | None = field(default=None, metadata={"json": False})
    steps: bool = field(default=False, metadata={"json": False})
    exercises: list[list[Noticed]] = field(default_factory=list, metadata={"json": False})

    @property
    def held(self) -> bool:
        """Whether every file earns the result that it declares."""
        return not any(outcome.failure for outcome in self.claims)


def selected(
    folder: Path, names: tuple[str, ...] = (), results: tuple[Result, ...] = ()
) -> list[Path]:
    """Return the proof files of these names that declare one of the results, if any is given.

    Raises InputError for what selects no file.
    """
    paths = files.proof_files(folder, names)
    return files.declaring(paths, results) if results else paths


def proved(
    folder: Path, names: tuple[str, ...], *, results: tuple[Result, ...] = (),
    change: str | None = None, steps: bool = False, exercises: bool = False, fresh: bool = False,
) -> Proofs:  # fmt: skip
    """Check the proof files of a folder, all or those of the names, or one with a change.

    A name is that of a claim, of a paper, or a pattern of claims; `results`: only files that
    declare one of these; `exercises`: check their breaks in the same pass; `fresh`: use nothing of
    what earlier runs found (with exercises and changes nothing is used). Raises InputError for what
    selects no file, and a change of other than one.
    """
    paths = selected(folder, names, results)
    noticed: list[list[Noticed]] = []
    if exercises:
        with progress("checking files and exercises", lines=True) as report:
            found = exercised(paths, report)
        outcomes, noticed = [one.outcome for one in found], [one.exercises for one in found]
    elif change is None:
        with (
            cache_folder("proofs", fresh=fresh) as place,
            progress("checking", lines=True) as report,
        ):
            outcomes = run.prove(paths, report, place)
    elif len(paths) == 1:
        outcomes = [run.prove_changed(paths[0], change)]
    else:
        raise InputError("--break: name the one ID to change")
    missing = None if names or results else run.missing_claims([path.stem for path in paths])
    return Proofs(outcomes, run.count_cells(outcomes), missing, change, steps, noticed)


def kept_words(claims: list[Outcome]) -> str | None:
    """Return a sentence on how many claims an earlier run checked, None if there are none."""
    kept = sum(claim.kept for claim in claims)
    if not kept:
        return None
    which = f"{kept} of these {len(claims)}" if len(claims) > 1 else "this claim"
    were, have, them = ("were", "have", "them") if kept > 1 else ("was", "has", "it")
    return (
        f"{which} {were} checked in earlier runs, by the same rules, and {have} not changed "
        f"since; --fresh checks {them} again"
    )
