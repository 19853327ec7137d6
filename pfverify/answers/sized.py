"""What answers in place of a scale have in common: a size, at the scale that a problem has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pfverify.answers.outcome import checked_digits, checked_progress, target_text
from pfverify.decide.verdict import Verdict
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Real
from pfverify.model.problem import Problem, as_problem
from pfverify.results import UNSAID, WHERE_SAID, Shown


@dataclass(frozen=True, repr=False, kw_only=True)
class SizedResult(Shown, NoTruth):
    """A threshold, a bound, a number of releases or a radius for a target at one scale.

    `problem` is what was asked about, `found` the same with the certified size.
    """

    scale: Real
    noise: str
    epsilon: Real
    delta: Real
    form: str
    assumed: list[str]
    notion: str | None = field(default=None, metadata=WHERE_SAID)
    problem: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)
    found: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)

    @property
    def verdict(self) -> Verdict:
        """Certified; refuted where no size is private; undecided where none could be decided."""
        raise NotImplementedError(f"{type(self).__name__} does not say what was decided")

    def _ends(self) -> str:
        """Return the size, in a few words."""
        raise NotImplementedError(f"{type(self).__name__} does not say what was found")

    def _line(self) -> str:
        return f"{self._ends()} for {target_text(self.epsilon, self.delta)}"


def asked_at_scale(
    problem: Problem | str | Path, digits: int, progress: Callable[[int, int], None] | None
) -> Problem:
    """Return the problem that is asked about, InputError for arguments that are none."""
    checked_progress(progress)
    problem = as_problem(problem)
    checked_digits(digits)
    return problem
