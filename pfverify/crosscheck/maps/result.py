"""What a privacy map came to: a row for each distance, and the worst of what was found."""

from __future__ import annotations

from dataclasses import dataclass, field

from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended
from pfverify.model.problem import Problem


@dataclass(frozen=True)
class HeldValue(NoTruth, ask="read .outcome"):
    """What a map says at one distance, and the truth. Attributes are the JSON keys.

    `d_in` has colons between several numbers. `epsilon` and `delta` are what the map says, None
    where it says nothing; `truth` is the least epsilon at that delta, and `exceeding` the least
    delta at that epsilon, None where another pair of inputs may be the hardest one for it;
    `factor` is at least epsilon divided by the truth. `problem` is whether the map is right, as a
    question; of several pairs of inputs it is about the first one that is refuted, or undecided.
    """

    d_in: str
    outcome: CaseOutcome
    words: str
    epsilon: Extended | None = None
    delta: Extended | None = None
    truth: Enclosure | None = None
    exceeding: Enclosure | None = None
    factor: Extended | None = None
    problem: Problem | None = field(default=None, compare=False, metadata={"json": False})


@dataclass(frozen=True)
class MapResult(NoTruth, ask="compare .found"):
    """What was found of a privacy map. Attributes are the JSON keys.

    `measurement`: the constructor that is outermost; `values`: a row for each distance that was
    asked about. Nothing here is about other distances: `assumed` says what was decided.
    """

    function: str
    kind: str
    measurement: str
    found: CrosscheckFindings
    values: list[HeldValue]
    assumed: list[str]
