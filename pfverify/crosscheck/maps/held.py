"""A privacy map against the truth: whether what it says at a distance is private, and how tight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from pfverify.answers.certify import certify
from pfverify.answers.loss import loss
from pfverify.bridges.opendp import hardest_at, worst_of
from pfverify.bridges.opendp_json import built, tree_of
from pfverify.bridges.opendp_library import tree_of_measurement
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.maps.result import HeldValue, MapResult
from pfverify.crosscheck.maps.stated import Distance, MapValue, claimed, distance_text
from pfverify.crosscheck.maps.wired import asked_map, read_map
from pfverify.crosscheck.numeric import (
    enclosure_words,
    factor_of,
    gap_of,
    number_text,
    times_words,
)
from pfverify.crosscheck.reply import End, Reply
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.decimals import decimal_nearest
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.published import Infinite, extended
from pfverify.model.problem import Problem
from pfverify.workers.function import FunctionProcess, Limits
from pfverify.workers.place import Place, place
from pfverify.workers.process import GoneError, SilentError
from pfverify.workers.wire import BrokenFrameError

MAP = "map"
"""The kind of question."""
SIGNATURE = "a measurement, or a function without arguments that returns one"
"""How a function that makes a measurement is called."""
_SERVE = "from pfverify.crosscheck.maps.child import serve; serve()"
_TEXT = "pfverify.crosscheck.maps.child:same"
_LONGEST = 10**7  # bytes of a file
_DIGITS = 6  # in sentences
_NONE = Enclosure("0", "0")
_ASSUMED = (
    "what is published is what the measurement serializes to, of the two inputs at this distance "
    "that are hardest to tell apart; keys that are there have counts that are not 0",
    "noise is ideal where it is drawn on a grid as fine as floats are, sums are those of real "
    "numbers, and integers have no ends",
    "nothing is said about other distances, and about what runs beside the measurement",
)
_ORDER = (  # of what is found, the worst first
    (CrosscheckFindings.UNSOUND, {CaseOutcome.UNSOUND}),
    (CrosscheckFindings.FAILED, {CaseOutcome.CRASH, CaseOutcome.NAN}),
    (CrosscheckFindings.UNDECIDED, {CaseOutcome.UNDECIDED}),
)


@dataclass(frozen=True)
class MapQuestion:
    """At which distances a map is asked, or what it says there; and what it is held to.

    `delta`: of a map of another measure than epsilon and delta; `stated`: what the map says, so
    that nobody is asked; `waste`: the factor from which it is called loose; `gated`: whether that
    fails.
    """

    distances: Sequence[Distance] = ()
    delta: float | None = None
    stated: Sequence[MapValue] | None = None
    waste: float = 2.0
    gated: bool = False

    def __post_init__(self) -> None:
        if self.stated is None and not self.distances:
            raise InputError("kind map: at which distance of inputs? expected --d-in 1, or --map")
        if self.stated is not None and (self.distances or self.delta is not None):
            raise InputError("--map: has its own d_in and delta, so leave out --d-in and --delta")

    def asked(self) -> Sequence[Distance]:
        """Return the distances at which the map itself is asked."""
        return () if self.stated is not None else self.distances


def held_file(name: str, asked: MapQuestion, limits: Limits) -> MapResult:
    """Return what becomes of the map of a measurement in a file.

    What the map says is stated, or OpenDP builds the measurement anew in a process of its own.
    Raises InputError for a file that states no measurement that is known.
    """
    text = _text_of(name)
    if asked.stated is not None:
        return held(tree_of(text), name, asked.stated, asked)
    hardest_at(text, asked.distances[0])  # refused here, before OpenDP is asked for anything
    return _in_process(name, place(_TEXT), text, asked, limits)


def held_function(function: str, asked: MapQuestion, limits: Limits) -> MapResult:
    """Return what becomes of the map of the measurement that MODULE:FUNCTION returns.

    Raises InputError for a function that cannot be used, or returns none.
    """
    return _in_process(function, place(function), None, asked, limits)


def held_here(measurement: object, name: str, asked: MapQuestion) -> MapResult:
    """Return what becomes of the map of a measurement, or of its text where the map is stated.

    Raises InputError for what is no measurement that is known.
    """
    if asked.stated is not None:
        return held(tree_of_measurement(measurement), name, asked.stated, asked)
    if isinstance(measurement, str | Mapping):
        raise InputError("a text has no map: state what it says, expected claims={1: 0.5}")
    found = asked_map(measurement, asked.distances, asked.delta)
    return held(found.tree, name, found.values, asked)


def held(
    tree: object, name: str, values: Sequence[MapValue], asked: MapQuestion
) -> MapResult:
    """Hold what a map says to the truth of a measurement's own tree of constructors.

    Raises InputError for a constructor that is not known.
    Example: ``held({"__function__": "make_randomized_response_bool", "__module__":
    "measurements", "__kwargs__": {"prob": 0.75}}, "mine", [MapValue(1, 1.5)],
    MapQuestion([1])).found.value`` is ``"no failure found"``.
    """
    found = [_value(tree, one, asked) for one in values]
    gated = {CaseOutcome.WASTEFUL} if asked.gated else set()
    worst = CrosscheckFindings.NOTHING
    for finding, outcomes in reversed(_ORDER):
        failing = outcomes | (gated if finding is CrosscheckFindings.FAILED else set())
        if any(one.outcome in failing for one in found):
            worst = finding
    top = built(tree, "measurement")
    version = f" of OpenDP {top.version}" if top.version else ""
    return MapResult(
        name, MAP, shorten(f"{top.name}{version}"), worst, found, [*_ASSUMED]
    )


# ---------------------------------------------------------------- one distance


def _value(tree: object, one: MapValue, asked: MapQuestion) -> HeldValue:
    d_in = distance_text(one.d_in)
    hardest = hardest_at(tree, one.d_in)
    epsilon, delta = claimed(one.epsilon), claimed(one.delta)
    if one.refused is not None:
        return HeldValue(d_in, CaseOutcome.CRASH, f"it says nothing: {one.refused}")
    if epsilon is None or delta is None or epsilon < 0 or not 0 <= delta <= 1:
        words = f"epsilon {one.epsilon!r} and delta {one.delta!r} are no claim"
        return HeldValue(d_in, CaseOutcome.NAN, words)
    said = HeldValue(d_in, CaseOutcome.SOUND, "", extended(epsilon), extended(delta))
    if isinstance(epsilon, Infinite) or isinstance(delta, Infinite):
        loose = replace(said, factor=Infinite("inf"), words="it says inf, which claims nothing")
        return replace(loose, outcome=CaseOutcome.WASTEFUL)
    problems = hardest.problems(epsilon, delta)
    if not problems:
        return _judged(replace(said, truth=_NONE, exceeding=_NONE), Verdict.CERTIFIED, asked)
    truth, exceeding = map(_largest, zip(*map(_truth, problems), strict=True))
    worst = worst_of([certify(one) for one in problems])
    said = replace(said, truth=truth, problem=worst.problem)
    if not hardest.pure:
        said = replace(said, exceeding=exceeding)
    return _judged(said, worst.verdict, asked)


def _truth(problem: Problem) -> tuple[Enclosure | None, Enclosure | None]:
    """The least epsilon at the delta, and the least delta at the epsilon; None: undecided."""
    try:
        ends = loss(problem)
    except UndecidedError:
        return None, None
    least = ends.epsilon_star if ends.epsilon_at_delta is None else ends.epsilon_at_delta
    return least, ends.delta


def _largest(ends: Sequence[Enclosure | None]) -> Enclosure | None:
    """The largest of some numbers; None where one of them is not known."""
    known = [one for one in ends if one is not None]
    if len(known) < len(ends):
        return None
    return Enclosure(max(one.lower for one in known), max(one.upper for one in known))


def _judged(said: HeldValue, verdict: Verdict, asked: MapQuestion) -> HeldValue:
    """What a verdict makes of what a map says."""
    epsilon, delta = (Fraction(str(one)) for one in (said.epsilon, said.delta))
    factor = factor_of(epsilon, said.truth)
    at = f" at delta {number_text(delta)}" if delta else ""
    words = f"epsilon {number_text(epsilon)}{at}"
    around = enclosure_words(said.truth, _DIGITS)
    if verdict is Verdict.REFUTED:
        words = f"{words} is not enough: {_short(said, epsilon)}"
        return replace(said, outcome=CaseOutcome.UNSOUND, words=words, factor=factor)
    if verdict is not Verdict.CERTIFIED:
        words = f"{words}: is it {around}?"
        return replace(said, outcome=CaseOutcome.UNDECIDED, words=words, factor=factor)
    if factor is None or factor <= 1:
        words = f"{words} is enough, and {around} is the least"
        return replace(said, words=words, factor=factor)
    words = f"{words} is enough: {times_words(factor)} the least, which is {around}"
    loose = CaseOutcome.WASTEFUL if factor > asked.waste else CaseOutcome.SOUND
    return replace(said, outcome=loose, words=words, factor=factor)


def _short(said: HeldValue, epsilon: Fraction) -> str:
    """By how much a refuted epsilon is too small, and what delta it has instead."""
    gap = gap_of(epsilon, said.truth)
    by = ""
    endless = said.truth is not None and isinstance(said.truth.lower, Infinite)
    if gap is not None and not endless and not isinstance(gap, Infinite):
        by = f" (relative {decimal_nearest(Fraction(str(gap)), 3)} more)"
    words = f"the least is {enclosure_words(said.truth, _DIGITS)}{by}"
    if said.exceeding is None or isinstance(said.exceeding.lower, Infinite):
        return words
    return f"{words}; delta is {enclosure_words(said.exceeding, _DIGITS)} there"


# ---------------------------------------------------------------- where the measurement is


def _text_of(name: str) -> str:
    try:
        with Path(name).open("rb") as file:
            data = file.read(_LONGEST + 1)
    except OSError as error:
        raise InputError(f"{shorten(name, 200)}: {error.strerror}") from None
    except ValueError:
        raise InputError(f"{shorten(name, 200)}: no file can have this name") from None
    if len(data) > _LONGEST:
        raise InputError(f"{shorten(name, 200)}: more than {_LONGEST} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{shorten(name, 200)}: not UTF-8 text") from None


def _in_process(
    name: str, where: Place, text: str | None, asked: MapQuestion, limits: Limits
) -> MapResult:
    """Hold the map of a measurement that is made, and asked, in a process of its own."""
    head = {"text": text is not None, "d_in": [*asked.asked()], "delta": asked.delta}
    positional = ["text"] if text is not None else []
    with FunctionProcess(
        _SERVE, where, positional, expected=SIGNATURE, limits=limits
    ) as subject:
        try:
            found = read_map(*subject.asked(head, (text or "").encode("utf-8")), asked.asked())
        except (SilentError, GoneError) as error:
            raise InputError(f"{name}: {error}") from None
        except BrokenFrameError as error:
            raise InputError(f"{name}: {subject.overwritten(error)}") from None
    if isinstance(found, Reply):
        raise InputError(f"{name}: {_SAID[found.end].format(found.words)}")
    values = found.values if asked.stated is None else asked.stated
    result = held(found.tree, name, values, asked)
    if subject.unlimited is None:
        return result
    unlimited = f"its memory was not limited: {subject.unlimited}"
    return replace(result, assumed=[*result.assumed, unlimited])


_SAID = {
    End.RAISED: "it raised {}; expected a measurement of OpenDP, or its text",
    End.NO_NUMBER: "it returned {}",
    End.MEMORY: "it ran out of memory ({})",
    End.DIED: "{}",
    End.TIMEOUT: "{}",
}
