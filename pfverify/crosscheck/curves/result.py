"""What a table of points of a curve came to: a row for each, and the worst of what was found."""

from __future__ import annotations

from dataclasses import dataclass

from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended


@dataclass(frozen=True)
class HeldPoint(NoTruth, ask="read .outcome"):
    """A point of somebody's curve, and the truth. Attributes are the JSON keys.

    `said` is the number at `place`, None where there is none; `truth` are the proved bounds there.
    `unsound_by` and `loose_by` are how far it is beyond one of them, at least, on the side of too
    much privacy or too little; None: it is not. `factor` is at least what was said divided by the
    truth, of tests those that find out (1 - type II error).
    """

    place: str
    outcome: CaseOutcome
    words: str
    said: Extended | None = None
    truth: Enclosure | None = None
    unsound_by: Extended | None = None
    loose_by: Extended | None = None
    factor: Extended | None = None


@dataclass(frozen=True)
class HeldCurve(NoTruth, ask="compare .found"):
    """What was found of a table of points. Attributes are the JSON keys.

    `curve_kind`: profile, trade-off, odds or renyi; `points`: a row for each that was asked about.
    Nothing here is about other places: `assumed` says what was decided.
    """

    function: str
    kind: str
    curve_kind: str
    found: CrosscheckFindings
    points: list[HeldPoint]
    assumed: list[str]
