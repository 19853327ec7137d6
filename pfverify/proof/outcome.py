"""What checking a claim gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn

from pfverify.exact.no_truth import NoTruth


class Result(StrEnum):
    """What is settled about a claim as printed. It has no truth value: compare with `is`."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    REPAIRED = "REPAIRED"
    BOTH_READINGS = "BOTH READINGS"
    NOT_CHECKABLE = "NOT CHECKABLE"

    def __bool__(self) -> NoReturn:
        raise TypeError("Result has no truth value: compare it, as in `result is Result.PROVED`")


class PartFails(Exception):  # noqa: N818
    """A part does not check: at which step, why, and where it is false if that is known."""

    def __init__(self, step: str, why: str, counterexample: str = "") -> None:
        super().__init__(f"{step}: {why}")
        self.step, self.why, self.counterexample = step, why, counterexample


@dataclass(frozen=True)
class StatedPart(NoTruth, ask="read its attributes"):
    """One part of a claim: what it assumes and states, as text and in LaTeX.

    `data` is what the statement is about (with the problems the kernel decides), `instances` are
    the examples in which the hypotheses hold, or the counterexample; both are also in LaTeX.
    """

    part: str
    kind: str
    words: str
    given: dict[str, str]
    statement: str
    latex: str
    given_latex: dict[str, str] = field(default_factory=dict)
    data: str = ""
    data_latex: str = ""
    instances: list[str] = field(default_factory=list)
    instances_latex: list[str] = field(default_factory=list)
    steps_latex: dict[str, str] = field(default_factory=dict)


@dataclass
class Outcome(NoTruth, ask='compare .result, and .failure with ""'):
    """What checking a claim gave; `failure` is empty when everything holds as declared.

    `kept`: an earlier run checked this very text by these very rules.
    """

    id: str
    words: str
    source: str
    declared: Result
    result: str = ""
    citations: list[str] = field(default_factory=list)
    open: str = ""
    reason: str = ""  # why nothing can be checked
    comparison: str = ""  # of the corrected with the printed statement, where it is decided
    stated: list[StatedPart] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)  # the other files whose theorems steps use
    steps: list[str] = field(default_factory=list)
    failure: str = ""
    failed_step: str = ""
    counterexample: str = ""
    seconds: float = 0.0
    kept: bool = False
