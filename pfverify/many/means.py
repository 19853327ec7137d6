"""By what means questions are answered; nothing that is slow to import."""

from __future__ import annotations

from dataclasses import dataclass

from pfverify.errors import InputError, shorten

MAX_JOBS = 1024


@dataclass(frozen=True)
class Means:
    """How questions are answered: `jobs` processes on this machine."""

    jobs: int = 1

    def __post_init__(self) -> None:
        jobs = self.jobs
        if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= MAX_JOBS:
            raise InputError(f"jobs: {shorten(jobs)!r} is not an integer from 1 to {MAX_JOBS}")

    @property
    def plain(self) -> bool:
        """Whether nothing is asked for but the answers, here."""
        return self.jobs == 1
