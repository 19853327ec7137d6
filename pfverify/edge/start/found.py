"""The answer about what was made: the smallest scale that was found, and the verdict at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import log, sqrt

from pfverify.answers.calibrate import calibrate
from pfverify.answers.certify import certify
from pfverify.answers.least_size import least_size
from pfverify.decide.gap import within
from pfverify.decide.verdict import Verdict
from pfverify.edge.progress import Report
from pfverify.edge.scaled import rounded_scale
from pfverify.edge.start.leaves import Table, made
from pfverify.edge.start.read import target
from pfverify.exact.decimals import decimal_text
from pfverify.exact.grid import Grid
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import number, rational
from pfverify.exact.published import Infinite
from pfverify.model.problem import Problem
from pfverify.results import UNSAID
from pfverify.scales.search import Search, settled_verdict

GAP = "1/20"
"""How near the bounds of many releases with a delta are brought: a scale that is asked for with few
digits needs no more, and every verdict on the way takes seconds."""
_SMALL, _LEAST = 1e-300, 0.3  # of a target in floats, and of a sigma to begin with
_TINY = Fraction(1, 100)  # a sigma where none is too small
_SELDOM = "a record is drawn so seldom that delta lets it be shown; no smaller one was asked about"
_ONE_BY_ONE = "more discrete Gaussian noise is not always more private: each is decided by itself"
_FACTORS = (Fraction(1), Fraction(101, 100), Fraction(21, 20), Fraction(6, 5), Fraction(2))
_DIGITS = Grid(2)  # of the scale of a training, of which every verdict takes seconds


@dataclass(frozen=True)
class Found(NoTruth, ask="read .verdict"):
    """The table with its numbers, its problem, and what is known of the scale.

    `verdict` is None where the file is still to be completed. `scale` is the smallest that was
    found, rounded up; `refuted` one that is too small, where one is known, and `why` says why
    there is no scale, or what is known of those between.
    """

    problem_file: Table
    problem: Problem | None = field(metadata=UNSAID)
    verdict: Verdict | None
    assumed: list[str]
    scale: str | None = None
    refuted: str | None = None
    why: str | None = None
    threshold: str | None = None


@dataclass(frozen=True, kw_only=True)
class Started(Found, ask="read .verdict"):
    """What was found, with what was answered and assumed, the file, and what comes next.

    `digest` is that of the problem, None where there is none yet.
    """

    output: str
    answers: dict[str, str]
    unknown: dict[str, str]
    epsilon: str
    delta: str
    next: list[str]
    digest: str | None
    make: str = field(metadata=UNSAID)
    promise: str | None = field(metadata=UNSAID, default=None)


def found(make: str, given: Mapping[str, str], report: Report) -> Found:
    """Return the problem of these answers with the smallest scale that was found, decided.

    Raises InputError for answers that no problem states.
    Example: ``found("answer", {"answers": "a,b", "times": "1", "epsilon": "1"}, print).scale`` is
    None.
    """
    with within(GAP):
        return _DECIDED[make](make, given, report)


def _nothing(make: str, given: Mapping[str, str], report: Report) -> Found:
    """A file that is still to be completed."""
    return Found(made(make, given), None, None, [])


def _alone(make: str, given: Mapping[str, str], report: Report) -> Found:
    """What has no scale: its numbers follow from the target."""
    return _certified(made(make, given), report)


def _scaled(make: str, given: Mapping[str, str], report: Report) -> Found:
    """The smallest scale without the steps after the noise, which hide and never show more."""
    table = made(make, given)
    plain = {key: part for key, part in table.items() if key != "post"}
    if given["noise"] == "discrete-gaussian":
        return _near_normal(table, plain, report)
    least = calibrate(Problem.from_table(plain), progress=report).minimum
    if isinstance(least.upper, Infinite):
        return Found(table, Problem.from_table(table), least.verdict, [], why=least.reason)
    refuted = None if str(least.lower) == "0" else str(least.lower)
    scale = rounded_scale(least.upper, None)
    return _certified(table, report, scale=scale, refuted=refuted, why=least.reason)


def _near_normal(table: Table, plain: Table, report: Report) -> Found:
    """A scale of discrete Gaussian noise, of which no fact says that more is more private.

    Normal noise proposes it, and the problem is decided at that scale, or at one somewhat larger.
    """
    noise = {key: part for key, part in plain["noise"].items() if key != "step"}
    normal = Problem.from_table({**plain, "noise": {**noise, "kind": "gaussian"}})
    proposed = calibrate(normal, progress=report).minimum.upper
    found = Found(table, Problem.from_table(table), Verdict.UNDECIDED, [], why=_ONE_BY_ONE)
    if isinstance(proposed, Infinite):
        return found
    for more in _FACTORS:
        scale = rounded_scale(decimal_text(Fraction(str(proposed)) * more), None)
        found = _certified(table, report, scale=scale, why=_ONE_BY_ONE)
        if found.verdict is Verdict.CERTIFIED:
            break
    return found


def _of_training(make: str, given: Mapping[str, str], report: Report) -> Found:
    """Two digits of sigma, each verdict on the way by the bounds of all steps together.

    Where every record is in every step all of them are one release of normal noise, exactly.
    """
    if given["rate"] == "1":
        return _scaled(make, given, report)
    table = made(make, given)

    def decide(sigma: Fraction) -> Verdict:
        return settled_verdict(Problem.from_table(_with_scale(table, decimal_text(sigma))))

    if Fraction(given["rate"]) * int(given["times"]) <= _delta(given):
        return _certified(table, report, scale=decimal_text(_TINY), why=_SELDOM)
    search = Search("at scale {}", decide, decimal_text)
    lower, upper, why = search.decimals(_DIGITS.nearest(_guess(given)), _DIGITS)
    return _certified(
        table, report, scale=decimal_text(upper), refuted=decimal_text(lower), why=why
    )


def _delta(given: Mapping[str, str]) -> Fraction:
    return rational(target(given["epsilon"])[1], "delta")


def _guess(given: Mapping[str, str]) -> Fraction:
    """Where to look first: the leading term of the composed noise, in floats; it decides nothing.
    """
    values = [number(part).fraction for part in target(given["epsilon"])]
    epsilon, delta = (1.0 if value is None else float(value) for value in values)
    far = sqrt(2 * log(1.25 / max(delta, _SMALL)))
    first = float(Fraction(given["rate"])) * sqrt(int(given["times"])) * far / max(epsilon, _SMALL)
    return Fraction(max(first, _LEAST))


def _of_suppressed(make: str, given: Mapping[str, str], report: Report) -> Found:
    """The smallest scale among others, and at that scale the least threshold for a row alone."""
    among = _scaled("number", dict(given) | {"after": "nothing"}, report)
    if among.scale is None:
        return among
    table = _with_scale(made(make, given), among.scale)
    least = least_size(Problem.from_table(table), "threshold", progress=report).minimum
    if isinstance(least.upper, Infinite):
        problem = Problem.from_table(table)
        return Found(table, problem, Verdict.UNDECIDED, [], why=least.reason)
    at = str(least.upper)
    (step,) = table["post"]
    table["post"] = [{"threshold": {**step["threshold"], "at": at}}]
    return _certified(table, report, scale=among.scale, refuted=among.refuted, threshold=at)


def _with_scale(table: Table, scale: str) -> Table:
    return {**table, "noise": {**table["noise"], "scale": scale}}


def _certified(
    table: Table, report: Report, *, scale: str | None = None, refuted: str | None = None,
    why: str | None = None, threshold: str | None = None,
) -> Found:  # fmt: skip
    """The verdict at the scale, which is decided again: a rounded one is another number."""
    written = table if scale is None else _with_scale(table, scale)
    problem = Problem.from_table(written)
    result = certify(problem, progress=report)
    reason = why if result.verdict is Verdict.CERTIFIED else "; ".join(result.reasons) or why
    return Found(
        written, problem, result.verdict, result.assumed, scale, refuted, reason, threshold
    )


_DECIDED = {
    "number": _scaled,
    "table": _scaled,
    "answer": _alone,
    "training": _of_training,
    "suppressed": _of_suppressed,
    "property": _nothing,
}
