"""The outcome of a decision: a verdict, and the base of what carries one."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NoReturn

from pfverify.exact.no_truth import NoTruth


class Verdict(StrEnum):
    """The outcome of a decision. It has no truth value: compare with `is`."""

    CERTIFIED = "certified"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    OBSERVED = "observed on a grid"

    def __bool__(self) -> NoReturn:  # text is true unless empty: "refuted" would be true
        raise TypeError(
            "Verdict has no truth value: compare it, as in `verdict is Verdict.CERTIFIED`, or use "
            ".certified, .refuted or .undecided of the result"
        )


class Decided(NoTruth, ask="use .certified, .refuted or .undecided"):
    """Base of the results that carry a `verdict`."""

    verdict: Verdict

    @property
    def certified(self) -> bool:
        """Whether the target is proved."""
        return self.verdict is Verdict.CERTIFIED

    @property
    def refuted(self) -> bool:
        """Whether the target is disproved."""
        return self.verdict is Verdict.REFUTED

    @property
    def undecided(self) -> bool:
        """Whether the target is neither proved nor disproved."""
        return self.verdict is Verdict.UNDECIDED


def verdict_of(sign: int | None) -> Verdict:
    """Return the verdict on "excess <= 0" from the sign of the excess."""
    if sign is None:
        return Verdict.UNDECIDED
    return Verdict.REFUTED if sign > 0 else Verdict.CERTIFIED


def joined(verdicts: list[Verdict]) -> Verdict:
    """Return the verdict on a conjunction: one refutation refutes it all.

    Raises ValueError for none at all, which would prove nothing.
    """
    if not verdicts:
        raise ValueError("there is no verdict to join")
    return joined_lazily(iter(verdicts))


def joined_lazily(verdicts: Iterator[Verdict]) -> Verdict:
    """Return the verdict of all of several, asking no further than the first refuted one.

    Example: ``joined_lazily(iter([Verdict.UNDECIDED, Verdict.REFUTED])).value`` is ``"refuted"``.
    """
    worst = Verdict.CERTIFIED
    for verdict in verdicts:
        if verdict is Verdict.REFUTED:
            return verdict
        if verdict is Verdict.UNDECIDED:
            worst = verdict
    return worst
