"""Points of a curve against the proved one: unsound, loose, or between the bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from pfverify.answers.curves.kinds import TradeOff
from pfverify.answers.curves.places import Bounds, Places, curve_at
from pfverify.crosscheck.answers import NotAnAnswerError, Read, number_of
from pfverify.crosscheck.calling import replied
from pfverify.crosscheck.curves.result import HeldCurve, HeldPoint
from pfverify.crosscheck.curves.stated import CurveValue, axis_of, points_of_file
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.numeric import enclosure_words, factor_of, number_text, times_words
from pfverify.crosscheck.process import SubjectProcess
from pfverify.crosscheck.reply import End, Reply, reply_of
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.decide.assumptions import assumed
from pfverify.errors import UndecidedError, shorten, told_at
from pfverify.exact.decimals import decimal_lower, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import Number
from pfverify.exact.published import Extended, Infinite, extended
from pfverify.exact.refined import End as Bound
from pfverify.model.problem import Problem
from pfverify.workers.function import Limits
from pfverify.workers.place import place

CURVE = "curve"
"""The kind of question."""
_DIGITS, _SHOWN, _FEW = 15, 12, 4  # of bounds, of those in sentences, of how far a point is off
_ASSUMED = (
    "each point was held to proved bounds of the worst ordered pair of secrets at its place",
    "nothing is said about other places: between points a curve may still be unsound",
)
_FAILING = (  # of what is found, the worst first
    (CrosscheckFindings.UNSOUND, {CaseOutcome.UNSOUND}),
    (CrosscheckFindings.FAILED, {CaseOutcome.CRASH, CaseOutcome.TIMEOUT, CaseOutcome.MEMORY,
                                 CaseOutcome.NAN}),
    (CrosscheckFindings.UNDECIDED, {CaseOutcome.UNDECIDED}),
)  # fmt: skip
_ENDED = {
    End.RAISED: (CaseOutcome.CRASH, "it raised {}"),
    End.NO_NUMBER: (CaseOutcome.NAN, "it returned {}"),
    End.MEMORY: (CaseOutcome.MEMORY, "it ran out of memory ({})"),
    End.DIED: (CaseOutcome.CRASH, "{}"),
    End.TIMEOUT: (CaseOutcome.TIMEOUT, "{}"),
}
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class CurveQuestion:
    """The curve of a problem that points are held to.

    `waste`: the factor from which a point is called wasteful; `gated`: whether that fails.
    """

    problem: Problem
    curve: str = "profile"
    waste: float = 2.0
    gated: bool = False

    def __post_init__(self) -> None:
        axis_of(self.curve)

    @property
    def signature(self) -> str:
        """How a function of the curve is called."""
        axis = axis_of(self.curve)
        return f"{axis.value}({axis.place})"


def held_table(name: str, asked: CurveQuestion, report: Progress | None = None) -> HeldCurve:
    """Return what becomes of the points of a file, CSV or JSON.

    Raises InputError for a file that states none, and a problem without such curves.
    """
    return held_points(points_of_file(Path(name), asked.curve), name, asked, report)


def held_called(
    function: str, places: Sequence[Number], asked: CurveQuestion, limits: Limits,
    report: Progress | None = None,
) -> HeldCurve:  # fmt: skip
    """Return what becomes of MODULE:FUNCTION, asked in a process of its own at some places.

    Raises InputError for a function that cannot be used, and a problem without such curves.
    """
    curve_at(asked.problem, asked.curve)  # refused here, before anybody is asked
    name = axis_of(asked.curve).value
    positional = [axis_of(asked.curve).place]
    where = place(function)
    with SubjectProcess(where, positional, expected=asked.signature, limits=limits) as subject:
        points = [_answered(at, name, subject.call([float(at.fraction or 0)], {})) for at in places]
        unlimited = subject.unlimited
    result = held_points(points, function, asked, report)
    if unlimited is None:
        return result
    return replace(result, assumed=[*result.assumed, f"its memory was not limited: {unlimited}"])


def held_here(
    function: Callable[[float], object], places: Sequence[Number], name: str, asked: CurveQuestion
) -> HeldCurve:
    """Return what becomes of a function that is asked in this process at some places.

    Raises InputError for a problem without such curves.
    """
    value = axis_of(asked.curve).value
    points = []
    for at in places:
        answer = replied(function, [float(at.fraction or 0)], {}, (Exception, SystemExit))
        points.append(_answered(at, value, reply_of(*answer)))
    return held_points(points, name, asked)


def held_points(
    points: Sequence[CurveValue], name: str, asked: CurveQuestion, report: Progress | None = None
) -> HeldCurve:
    """Hold points to the proved curve of a problem, each at its own place.

    Raises InputError for a place that is none, and a problem without such curves.
    Example: ``held_points([CurveValue(Number.parse("1"), "1", Fraction(1, 2))], "mine",
    CurveQuestion(problem)).found.value`` is ``"no failure found"``.
    """
    bounds, found = curve_at(asked.problem, asked.curve), []
    for k, one in enumerate(points, 1):
        found.append(_point(bounds, one, asked, k))
        if report:
            report(k, len(points))
    worst = CrosscheckFindings.NOTHING
    gated = {CaseOutcome.WASTEFUL} if asked.gated else set()
    for finding, outcomes in reversed(_FAILING):
        failing = outcomes | (gated if finding is CrosscheckFindings.FAILED else set())
        if any(one.outcome in failing for one in found):
            worst = finding
    noise = asked.problem.release.noise
    taken = [*assumed(asked.problem, bare=noise.adds_nothing), *_ASSUMED]
    return HeldCurve(name, CURVE, asked.curve, worst, found, taken)


# ---------------------------------------------------------------- one point


def _answered(at: Number, name: str, reply: Reply) -> CurveValue:
    """What a function said at a place, or why it said nothing."""
    written = number_text(at.fraction or Fraction(0))
    if reply.end is not End.ANSWERED:
        failed, words = _ENDED[reply.end]
        return CurveValue(at, written, None, failed, words.format(reply.words))
    try:
        return CurveValue(at, written, number_of(reply.answer, name))
    except NotAnAnswerError as error:
        return CurveValue(at, written, None, CaseOutcome.NAN, f"the answer is {error}")


def _point(bounds: Places, one: CurveValue, asked: CurveQuestion, row: int) -> HeldPoint:
    axis, at = axis_of(asked.curve), shorten(one.written)
    if one.said is None:
        return HeldPoint(at, one.failed, one.words)
    words = f"{axis.value} {number_text(one.said)}"
    if one.said < 0 or (axis.bounded and one.said > 1):
        among = "from 0 to 1" if axis.bounded else ">= 0"
        return HeldPoint(at, CaseOutcome.NAN, f"{words} is not a number {among}")
    try:
        with told_at(f"point {row}: {axis.place} {at}: "):
            low, high = bounds(one.place)
    except UndecidedError as error:
        return HeldPoint(at, CaseOutcome.UNDECIDED, f"{words}: {error}", extended(one.said))
    return _judged(HeldPoint(at, CaseOutcome.SOUND, words), one.said, (low, high), asked)


def _judged(held: HeldPoint, said: Read, bounds: Bounds, asked: CurveQuestion) -> HeldPoint:
    """What proved bounds make of a number, of which too much privacy is above or below them."""
    low, high = bounds
    truth = Enclosure(_down(low), _up(high))
    tests = asked.curve == TradeOff.name
    below, above = _more(low, said), _more(said, high)
    short, loose = (above, below) if tests else (below, above)
    # of tests it is the chance to find out, which is above the truth where too little is claimed
    largest = Enclosure(_down(1 - high), _up(1 - low)) if tests else truth
    factor = factor_of(1 - said if tests and isinstance(said, Fraction) else said, largest)
    around = enclosure_words(truth, _SHOWN)
    held = replace(
        held, said=extended(said), truth=truth, unsound_by=short, loose_by=loose, factor=factor
    )
    if short is not None:
        side = "above" if tests else "below"
        words = f"{held.words} is {side} the truth, {around}, by at least {short}"
        return replace(held, outcome=CaseOutcome.UNSOUND, words=words)
    if loose is None:
        words = f"{held.words} agrees with the truth, {around}{_within(low, high)}"
        return replace(held, words=words)
    words = f"{held.words} is sound, and loose by at least {loose}: "
    if factor is None or factor <= asked.waste:
        return replace(held, words=f"{words}the truth is {around}")
    of = "the most that a test finds out" if tests else "the truth"
    words += f"{times_words(factor)} {of}, {enclosure_words(largest, _SHOWN)}"
    return replace(held, outcome=CaseOutcome.WASTEFUL, words=words)


def _more(larger: Bound | Infinite, smaller: Bound | Infinite) -> Extended | None:
    """How much a number is above another one, at least; None where it is not."""
    if not larger > smaller:
        return None
    if not isinstance(larger, Fraction) or not isinstance(smaller, Fraction):
        return Infinite("inf")
    return extended(decimal_lower(larger - smaller, _FEW))


def _within(low: Bound, high: Bound) -> str:
    if isinstance(low, float) or isinstance(high, float) or low == high:
        return ""
    return f", within {decimal_upper(high - low, 2)}"


def _down(end: Bound) -> str:
    return "inf" if isinstance(end, float) else decimal_lower(end, _DIGITS)


def _up(end: Bound) -> str:
    return "inf" if isinstance(end, float) else decimal_upper(end, _DIGITS)
