"""The judge of one number: a scale, a loss or a divergence, held to what it claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ulp

from pfverify.crosscheck.answers import NotAnAnswerError, number_of
from pfverify.crosscheck.case import Case
from pfverify.crosscheck.finding import CaseOutcome, Finding, Promised
from pfverify.crosscheck.truth import DIGITS, Truth
from pfverify.errors import UndecidedError
from pfverify.exact.decimals import decimal_lower, decimal_nearest, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid
from pfverify.exact.published import Extended, Infinite, extended

FLOAT_DIGITS = 17
_APART = (FLOAT_DIGITS, DIGITS, 40, 80)  # digits that may tell an answer from the truth
_SHOWN = 6  # digits of a number in a sentence
_MANY = 10**6  # units in the last place that are no longer said
_TINY = Fraction(1, 1 << 1074)  # the least float above 0
_INF = Infinite("inf")


@dataclass(frozen=True)
class NumberJudge:
    """The judge of a kind whose answer is one number.

    `name` is what an answer is called, `truth_name` what the exact one is; an answer is not
    wasteful where it is above the truth by at most `slack`.
    """

    name: str
    truth_name: str
    truth_of: Callable[[Case], Truth]
    slack: Fraction

    def __call__(self, case: Case, answer: object, claim: Promised) -> Finding:
        """Judge an answer, whatever it is, by a claim with a side."""
        try:
            read = number_of(answer, self.name)
        except NotAnAnswerError as error:
            return Finding(CaseOutcome.NAN, f"the answer is {error}", case, answer)
        held = _Held(self, case, answer, read, self.truth_of(case), claim)
        try:
            return _SIDES[str(claim.side)](held)
        except UndecidedError as error:
            return held.found(CaseOutcome.UNDECIDED, f"{held.said} is undecided: {error}")


class _Held:
    """One answer, held against the truth of its case."""

    def __init__(
        self,
        judge: NumberJudge,
        case: Case,
        answer: object,
        read: Fraction | Infinite,
        truth: Truth,
        claim: Promised,
    ) -> None:
        self.judge, self.case, self.answer, self.read = judge, case, answer, read
        self.truth, self.claim = truth, claim
        self.said = f"the {judge.name} {number_text(read)}"

    def found(self, outcome: CaseOutcome, words: str, factor: Extended | None = None) -> Finding:
        """Return a finding with the truth, the digits that are right, and the gap."""
        around = self.truth.enclosure
        digits = None if around is None else right_digits(self.read, around)
        gap = gap_of(self.read, around) if outcome is CaseOutcome.UNSOUND else None
        return Finding(outcome, words, self.case, self.answer, around, factor, digits, gap)

    def around(self) -> str:
        """Return the truth in a few words."""
        return f"{self.judge.truth_name}, {enclosure_words(self.truth.enclosure)}"

    def apart(self, where: str) -> tuple[str, Enclosure | None]:
        """Return the answer beside the truth, with digits that tell them apart, and an enclosure

        of the truth that does, if one of so many digits was found.
        """
        if isinstance(self.read, Infinite):
            return f"{self.said} is {where} {self.around()}", self.truth.enclosure
        for digits in _APART:
            around = self._enclosed(digits)
            if around is None or isinstance(around.upper, Infinite):
                break
            words = f"is {where} {self.judge.truth_name}, {enclosure_words(around, digits)}"
            if _reads(where, number_text(self.read), around, digits):
                return f"{self.said} {words}", around
            exact = decimal_nearest(self.read, digits)
            if _reads(where, exact, around, digits):
                return f"{self.said} ({exact}) {words}", around
        return f"{self.said} is {where} {self.around()}", self.truth.enclosure

    def _enclosed(self, digits: int) -> Enclosure | None:
        """Enclose the truth to some digits, for words: None where that is undecided."""
        if digits <= DIGITS:
            return self.truth.enclosure
        try:
            return self.truth.enclosed(digits)
        except UndecidedError:
            return None

    def sign(self) -> int | None:
        """Return the sign of truth - answer, exactly."""
        if isinstance(self.read, Infinite):
            around = self.truth.enclosure
            if self.read < 0:
                return 1
            return None if around is None else 0 if around.lower == _INF else -1
        found = self.truth.against(self.read)
        if found.sign is None:
            raise UndecidedError(found.reason)
        return found.sign


def _upper(held: _Held) -> Finding:
    """An answer that must not be below the truth."""
    sign = held.sign()
    if sign is None:
        return held.found(CaseOutcome.UNDECIDED, f"{held.said}: is it {held.around()}?")
    if sign > 0:
        return held.found(CaseOutcome.UNSOUND, _too_low(held))
    factor = factor_of(held.read, held.truth.enclosure)
    if factor is not None and factor > held.claim.waste and not _within(held):
        words = f"{held.said} is sound, but {times_words(factor)} {held.around()}"
        return held.found(CaseOutcome.WASTEFUL, words, factor)
    how = _exactly(held) if sign == 0 else f"not below {held.around()}"
    return held.found(CaseOutcome.SOUND, f"{held.said} is {how}", factor)


def _lower(held: _Held) -> Finding:
    """An answer that must not be above the truth."""
    sign = held.sign()
    if sign is None:
        return held.found(CaseOutcome.UNDECIDED, f"{held.said}: is it {held.around()}?")
    if sign < 0:
        return held.found(CaseOutcome.UNSOUND, held.apart("above")[0])
    how = _exactly(held) if sign == 0 else f"not above {held.around()}"
    return held.found(CaseOutcome.SOUND, f"{held.said} is {how}")


def _exactly(held: _Held) -> str:
    return f"exactly {held.judge.truth_name}"


def _nearest(held: _Held) -> Finding:
    """An answer that must be right to some digits."""
    around = held.truth.enclosure
    digits = None if around is None else right_digits(held.read, around)
    wanted = held.claim.digits
    if around is not None and digits is not None and digits < wanted:
        near = is_within(held.read, around, held.claim.absolute)
        if near:
            words = f"{held.said} is off by at most {held.claim.absolute!r}"
            return held.found(CaseOutcome.SOUND, f"{words}: it is {enclosure_words(around)}")
        digits = None if near is None else digits
    if digits is None:
        return held.found(CaseOutcome.UNDECIDED, f"{held.said}: is it {held.around()}?")
    return held.found(*digits_found(held.said, digits, wanted, around))


_SIDES: dict[str, Callable[[_Held], Finding]] = {
    "upper": _upper,
    "lower": _lower,
    "nearest": _nearest,
}


def digits_found(
    said: str, digits: int, wanted: int, around: Enclosure | None
) -> tuple[CaseOutcome, str]:
    """Return the outcome and words for an answer of which so many digits are right.

    Example: ``digits_found("the loss 0.4", 0, 12, Enclosure("1", "1"))[0].value`` is
    ``'wrong digits'``.
    """
    truth = enclosure_words(around)
    if digits >= wanted:
        return CaseOutcome.SOUND, f"{said} is right to {digits} digits"
    wrong = f"digit {digits + 1} is the first wrong one"
    return CaseOutcome.WRONG_DIGITS, f"{said} is right to {digits} digits, {wrong}: it is {truth}"


def right_digits(read: Fraction | Infinite, around: Enclosure) -> int | None:
    """Return how many significant digits of an answer are right, at most 17; None: unknown.

    n digits are right where the answer is off by at most half a unit in the n-th of the truth; all
    are where it is off by at most the least float.
    Example: ``right_digits(Fraction("3.14"), Enclosure("3.14159", "3.1416"))`` is 3.
    """
    low, high = around.lower, around.upper
    if isinstance(read, Infinite) or isinstance(low, Infinite):
        return FLOAT_DIGITS if read == low else 0
    if isinstance(high, Infinite):
        return None
    error = max(abs(read - low), abs(read - high))
    if error <= _TINY:
        return FLOAT_DIGITS
    if high <= 0 or low <= 0:
        return 0
    return next(
        (n for n in range(FLOAT_DIGITS, 0, -1) if 2 * error <= Grid(n).step(low)), 0
    )


def is_within(read: Fraction | Infinite, around: Enclosure, absolute: float) -> bool | None:
    """Return whether an answer is off by at most `absolute`; None where the enclosure is too wide.

    Example: ``is_within(Fraction(0), Enclosure("1e-30", "2e-30"), 1e-12)`` is True.
    """
    low, high, allowed = around.lower, around.upper, Fraction(absolute)
    if isinstance(read, Infinite) or isinstance(low, Infinite):
        return read == low
    if isinstance(high, Infinite):
        return None if read >= low - allowed else False
    if max(abs(read - low), abs(read - high)) <= allowed:
        return True
    return None if low - allowed <= read <= high + allowed else False


def gap_of(read: Fraction | Infinite, around: Enclosure | None) -> Extended | None:
    """Return how far an answer is from the truth at least, as a part of it; None: unknown.

    Example: ``gap_of(Fraction(3), Enclosure("4", "5"))`` is ``1/4``.
    """
    if around is None or isinstance(around.upper, Infinite):
        return None if around is None or around.lower != _INF else extended("1")
    if isinstance(read, Infinite) or around.upper == 0:
        return _INF
    if around.lower <= 0:
        return None
    for end, off in ((around.lower, around.lower - read), (around.upper, read - around.upper)):
        if off > 0:
            return extended(Fraction(off / end))
    return None


def factor_of(read: Fraction | Infinite, around: Enclosure | None) -> Extended | None:
    """Return a lower bound of answer / truth, 1 where both are 0; None where nothing is known.

    Example: ``factor_of(Fraction(3), Enclosure("1", "1.5"))`` is 2.
    """
    if around is None:
        return None
    high = around.upper
    if isinstance(high, Infinite):
        return extended("1") if read == high and around.lower == high else None
    if isinstance(read, Infinite):
        return _INF
    if high == 0:
        return _INF if read > 0 else extended("1")
    return extended(decimal_lower(Fraction(read / high), _SHOWN + FLOAT_DIGITS))


def times_words(factor: Extended) -> str:
    """Return a factor in a sentence.

    Example: ``times_words(Infinite("inf"))`` is ``'no finite multiple of'``.
    """
    if isinstance(factor, Infinite):
        return "no finite multiple of"
    return f"at least {decimal_lower(factor, 4)} times"


def _within(held: _Held) -> bool:
    """Whether an answer is above the truth by so little that it is no waste."""
    around = held.truth.enclosure
    if around is None or isinstance(held.read, Infinite) or isinstance(around.lower, Infinite):
        return False
    return held.read - around.lower <= held.judge.slack


def _too_low(held: _Held) -> str:
    """Words for an answer below the truth: by how much, and what refutes it."""
    if isinstance(held.read, Infinite) or held.read < 0:
        return f"{held.said} is negative, and below {held.around()}"
    words, around = held.apart("below")
    if around is not None and isinstance(around.lower, Infinite):
        return words  # a witness for one of many finite numbers says nothing more
    gap = gap_of(held.read, around)
    if around is not None and gap is not None and not isinstance(gap, Infinite):
        units = _units(Fraction(around.lower) - held.read, held.read)
        words += f" (relative {decimal_nearest(Fraction(gap), 3)}{units})"
    refuting = held.truth.refuted_words(held.read)
    return f"{words}; {refuting}" if refuting else words


def _units(gap: Fraction, read: Fraction) -> str:
    """Return a gap in units in the last place of an answer, where it is a few of them."""
    units = gap / Fraction(ulp(float(read)))
    if units > _MANY:
        return ""
    text = decimal_nearest(units, 3)
    return f", {text} unit{'s'[: text != '1']} in the last place"


def number_text(read: Fraction | Infinite) -> str:
    """Return a number of an answer as text: as a float prints, else rounded.

    Example: ``number_text(Fraction(0.1))`` is ``'0.1'``.
    """
    if isinstance(read, Infinite):
        return str(read)
    try:
        near = float(read)
    except OverflowError:
        return decimal_nearest(read, FLOAT_DIGITS)
    return repr(near) if Fraction(near) == read else decimal_nearest(read, FLOAT_DIGITS + 4)


def _reads(where: str, number: str, around: Enclosure, digits: int) -> bool:
    """Whether a number that is printed is below or above a finite enclosure that is printed."""
    low, high = around.lower, around.upper
    if where == "below":
        return Fraction(number) < Fraction(decimal_lower(Fraction(low), digits))
    return Fraction(number) > Fraction(decimal_upper(Fraction(high), digits))


def enclosure_words(around: Enclosure | None, digits: int = FLOAT_DIGITS) -> str:
    """Return an enclosure in a sentence, rounded outward to some digits.

    Example: ``enclosure_words(Enclosure("0.5", "0.5"))`` is ``'0.5'``.
    """
    if around is None:
        return "undecided"
    low, high = around.lower, around.upper
    if isinstance(low, Infinite):
        return str(low)
    below = decimal_lower(Fraction(low), digits)
    if isinstance(high, Infinite):
        return f"at least {below}"
    above = decimal_upper(Fraction(high), digits)
    return below if below == above else f"between {below} and {above}"
