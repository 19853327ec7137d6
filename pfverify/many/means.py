"""By what means questions are answered; nothing that is slow to import."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pfverify.errors import InputError, shorten

MAX_JOBS = 1024
SUFFIX = ".jsonl"
_ADDRESS = re.compile(r"tcp://(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}", re.ASCII)


@dataclass(frozen=True)
class Means:
    """How questions are answered: in `jobs` processes on this machine, or by a Dask `scheduler`.

    `results` is the file of results that the answers go to, and that a run goes on from.
    """

    jobs: int = 1
    scheduler: str | None = None
    results: Path | None = None

    def __post_init__(self) -> None:
        jobs = self.jobs
        if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= MAX_JOBS:
            raise InputError(f"jobs: {shorten(jobs)!r} is not an integer from 1 to {MAX_JOBS}")

        if self.results is not None and self.results.suffix.lower() != SUFFIX:
            name = shorten(self.results, 200)
            raise InputError(f"results: {name}: expected a name that ends in {SUFFIX}")
        if self.scheduler is not None:
            if not _ADDRESS.fullmatch(self.scheduler):
                raise InputError(
                    f"scheduler: {shorten(self.scheduler)!r} is no address, expected one such as "
                    "tcp://127.0.0.1:8786"
                )
            if jobs != 1:
                raise InputError("jobs: not with a scheduler, whose workers do the work")

    @property
    def plain(self) -> bool:
        """Whether nothing is asked for but the answers, here."""
        return self == Means()
