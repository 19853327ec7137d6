"""A cross-check: ask a function every case, judge what it answers, shrink what fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Any, NoReturn, Protocol

from pfverify.crosscheck.case import Case
from pfverify.crosscheck.finding import CaseOutcome, Finding, Promised
from pfverify.crosscheck.kinds import judge
from pfverify.crosscheck.question import FunctionQuestion
from pfverify.crosscheck.replay import command, text_of
from pfverify.crosscheck.reply import End, Reply
from pfverify.crosscheck.shrink import MOST, shrunk
from pfverify.errors import shorten
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended
from pfverify.model.problem import Problem

_SHOWN = 60  # characters of an answer
_ENDED_MOST = {End.TIMEOUT: 10, End.DIED: 50}
"""After so many calls that ended so, no more cases are asked."""
_SHRINKING = {CaseOutcome.TIMEOUT: 4, CaseOutcome.CRASH: 60, CaseOutcome.MEMORY: 60}
"""How many calls shrink a case that costs its process, or time."""
_LARGE, _LARGE_MOST = 2000, 20  # atoms of a case that takes long to judge, and calls for it
_MANY_RELEASES_MOST = 12  # so does one of many releases
_ASSUMED = (
    "each answer was decided exactly for the floats that were passed, as rational numbers",
    "nothing is proved about other inputs: a cross-check never certifies a function",
)

_FAILED = {
    CaseOutcome.SOUND: False,
    CaseOutcome.UNSOUND: True,
    CaseOutcome.WASTEFUL: False,
    CaseOutcome.WRONG_DIGITS: True,
    CaseOutcome.CRASH: True,
    CaseOutcome.TIMEOUT: True,
    CaseOutcome.MEMORY: True,
    CaseOutcome.NAN: True,
    CaseOutcome.UNDECIDED: False,
}


class CrosscheckFindings(StrEnum):
    """What a whole cross-check found. It has no truth value: compare with `is`."""

    UNSOUND = "unsound"
    FAILED = "failed"
    UNDECIDED = "undecided"
    NOTHING = "no failure found"

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "CrosscheckFindings has no truth value: compare it, as in "
            "`found is CrosscheckFindings.NOTHING`"
        )


class Callee(Protocol):
    """A function that can be asked, wherever it runs."""

    takes: tuple[str, ...]

    def call(self, values: list[Any], named: dict[str, float]) -> Reply:
        """Return what comes of a call."""


@dataclass(frozen=True)
class OutcomeCounts(NoTruth, ask="read .count"):
    """How many cases had an outcome."""

    outcome: CaseOutcome
    count: int


@dataclass(frozen=True)
class CheckedCase(NoTruth, ask="read .outcome"):
    """One case and what became of it. Attributes are the JSON keys.

    `number` counts the cases from 1; `answer` is text, None where there was none.
    """

    number: int
    origin: str
    outcome: CaseOutcome
    words: str
    answer: str | None
    truth: Enclosure | None
    factor: Extended | None
    digits: int | None


@dataclass(frozen=True)
class Smallest(NoTruth, ask="read .outcome"):
    """The smallest case that was found with an outcome. Attributes are the JSON keys.

    `count`: how many of the cases asked ended so; `first`: the number of the first of them, from
    which this one was shrunk; `replay`: the command that asks it again, and `text` the case
    in it; `problem`: the question whether the answer holds, or without an answer the case's own,
    None for a density; `stated`: whether it is the former.
    """

    outcome: CaseOutcome
    count: int
    first: int
    words: str
    answer: str | None
    truth: Enclosure | None
    factor: Extended | None
    digits: int | None
    case: dict[str, Any]
    replay: str
    text: str = field(compare=False, metadata={"json": False})
    problem: Problem | None = field(default=None, compare=False, metadata={"json": False})
    stated: bool = field(default=False, compare=False, metadata={"json": False})


@dataclass(frozen=True)
class CrosscheckResult(NoTruth, ask="compare .found"):
    """What a function answered to many cases, and what was found. Attributes are the JSON keys.

    `asked` of `planned` cases were asked (`stopped` says why not all, else None); `outcomes` counts
    them; `smallest` has a case for every outcome that fails, and the most wasteful one; the factors
    leave out those that are infinite, as where the truth is 0. Nothing here certifies the function:
    `assumed` says what was decided.
    """

    function: str
    kind: str
    signature: str
    noise: str | None
    claim: str
    found: CrosscheckFindings
    seed: int | None
    planned: int
    asked: int
    stopped: str | None
    outcomes: list[OutcomeCounts]
    largest_factor: Extended | None
    median_factor: Extended | None
    least_digits: int | None
    smallest: list[Smallest]
    answers: list[CheckedCase]
    assumed: list[str]


def judged(reply: Reply, case: Case, claim: Promised) -> Finding:
    """Return what a reply is worth: the judge's finding about an answer, else what came instead.

    Example: ``judged(Reply(End.DIED, words="it died"), case, Promised()).outcome`` is
    ``CaseOutcome.CRASH``.
    """
    match reply.end:
        case End.ANSWERED:
            return judge(case, reply.answer, claim)
        case End.NO_NUMBER:
            return Finding(CaseOutcome.NAN, f"the answer is {reply.words}", case)
        case End.RAISED:
            return Finding(CaseOutcome.CRASH, f"it raised {reply.words}", case)
        case End.MEMORY:
            return Finding(CaseOutcome.MEMORY, f"it ran out of memory ({reply.words})", case)
        case End.DIED:
            return Finding(CaseOutcome.CRASH, reply.words, case)
        case End.TIMEOUT:
            return Finding(CaseOutcome.TIMEOUT, reply.words, case)


def crosscheck(
    callee: Callee,
    function: str,
    question: FunctionQuestion,
    *,
    gated: bool = False,
    options: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> CrosscheckResult:
    """Ask every case of a question, judge the answers, and shrink the failing ones.

    After some calls without an end, or that end their process, no more are made. `function` is how
    the callee is named; `gated`: a wasteful answer fails too; `options` are those of the command
    that asks a case again; `progress` is called with the numbers of cases done and planned.
    """
    run = _Run(callee, function, question, [*question.options(), *options])
    for number, case in enumerate(question.cases(delta="delta" in callee.takes), 1):
        run.ask(number, case)
        progress(number, question.count)
        if run.stopped is not None:
            break
    return run.result(gated=gated)


class _Run:
    """The state of a cross-check."""

    def __init__(
        self, callee: Callee, function: str, question: FunctionQuestion, options: Sequence[str]
    ) -> None:
        self.callee, self.function, self.question = callee, function, question
        self.options = options
        self.answers: list[CheckedCase] = []
        self.stopped: str | None = None
        self._ends: Counter[End] = Counter()
        self._kept: dict[CaseOutcome, tuple[int, Finding]] = {}

    def ask(self, number: int, case: Case) -> None:
        """Ask one case and note what became of it."""
        finding = self._found(case)
        self.answers.append(_answered(number, finding))
        first, kept = self._kept.get(finding.outcome, (number, None))
        if kept is None or _better(finding, kept):
            self._kept[finding.outcome] = first, finding
        for end, most in _ENDED_MOST.items():
            if self._ends[end] >= most:
                self.stopped = f"{most} calls ended so: {finding.words}"

    def _found(self, case: Case) -> Finding:
        reply = self.callee.call(*case.arguments())
        self._ends[reply.end] += 1
        return judged(reply, case, self.question.claim)

    def result(self, *, gated: bool) -> CrosscheckResult:
        """Return all that was found, with the smallest cases."""
        asked = self.question
        counts = Counter(one.outcome for one in self.answers)
        factors = sorted(
            one.factor for one in self.answers if one.factor is not None and isfinite(one.factor)
        )
        return CrosscheckResult(
            function=self.function,
            kind=asked.kind.name,
            signature=asked.signature,
            noise=asked.settings.noise or None,
            claim=str(asked.claim.side),
            found=found_in(counts, gated=gated),
            seed=asked.seed,
            planned=asked.count,
            asked=len(self.answers),
            stopped=self.stopped,
            outcomes=[OutcomeCounts(one, counts[one]) for one in CaseOutcome if counts[one]],
            largest_factor=factors[-1] if factors else None,
            median_factor=factors[len(factors) // 2] if factors else None,
            least_digits=min((d for one in self.answers if (d := one.digits) is not None),
                             default=None),
            smallest=[self._smallest(one, counts[one]) for one in CaseOutcome if self._told(one)],
            answers=self.answers,
            assumed=list(_ASSUMED),
        )  # fmt: skip

    def _told(self, outcome: CaseOutcome) -> bool:
        return outcome in self._kept and (_FAILED[outcome] or outcome is CaseOutcome.WASTEFUL)

    def _smallest(self, outcome: CaseOutcome, count: int) -> Smallest:
        first, finding = self._kept[outcome]
        if _FAILED[outcome]:
            asks = self.question.settings.asks
            finding = shrunk(finding, self._found, most=_shrinking(finding), asks=asks)
        case, kind = finding.case, self.question.kind
        stated = kind.stated(case, finding.answer)
        return Smallest(
            outcome=outcome,
            count=count,
            first=first,
            words=finding.words,
            answer=_answer(finding),
            truth=finding.truth,
            factor=finding.factor,
            digits=finding.digits,
            case=case.to_dict(),
            replay=command(case, self.function, self.options),
            text=text_of(case),
            problem=case.problem() if stated is None and kind.pair else stated,
            stated=stated is not None,
        )




def found_in(counts: Counter[CaseOutcome], *, gated: bool) -> CrosscheckFindings:
    """Return what outcomes come to: the worst of them.

    Example: ``found_in(Counter([CaseOutcome.SOUND]), gated=False)`` is
    ``CrosscheckFindings.NOTHING``.
    """
    if counts[CaseOutcome.UNSOUND]:
        return CrosscheckFindings.UNSOUND
    if any(_FAILED[outcome] for outcome in counts) or (gated and counts[CaseOutcome.WASTEFUL]):
        return CrosscheckFindings.FAILED
    return (
        CrosscheckFindings.UNDECIDED
        if counts[CaseOutcome.UNDECIDED]
        else CrosscheckFindings.NOTHING
    )


def _shrinking(finding: Finding) -> int:
    """How many calls are worth a smaller case: few where one takes long."""
    if finding.case.count is not None:
        return _MANY_RELEASES_MOST
    if finding.case.size > _LARGE:
        return _LARGE_MOST
    return _SHRINKING.get(finding.outcome, MOST)


def _better(finding: Finding, kept: Finding) -> bool:
    """Whether a finding tells more than the one that is kept: a larger finite factor, a mistake

    where there was an error of rounding, else a smaller case.
    """
    if finding.outcome is CaseOutcome.WASTEFUL:
        return _finite(finding) > _finite(kept)
    if finding.beyond_rounding is not kept.beyond_rounding:
        return finding.beyond_rounding
    return finding.case.size < kept.case.size


def _finite(finding: Finding) -> Extended | int:
    """The factor of a finding, 0 where there is none or the truth is 0."""
    return finding.factor if finding.factor is not None and isfinite(finding.factor) else 0


def _answered(number: int, finding: Finding) -> CheckedCase:
    return CheckedCase(
        number=number,
        origin=finding.case.origin,
        outcome=finding.outcome,
        words=finding.words,
        answer=_answer(finding),
        truth=finding.truth,
        factor=finding.factor,
        digits=finding.digits,
    )


def _answer(finding: Finding) -> str | None:
    """Return an answer as text: a float to its last digit, an array shortened."""
    if finding.answer is None:
        return None
    return shorten(getattr(finding.answer, "tolist", lambda: finding.answer)(), _SHOWN)
