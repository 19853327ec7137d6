"""What a judge says of one answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import inf
from typing import Any, NoReturn

from pfverify.crosscheck.case import Case
from pfverify.errors import InputError, shorten
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended

_ROUNDING = Fraction(1, 10**9)  # a part of the truth: by so much floats go wrong of themselves
_ROUNDING_DIGITS = 9


class CaseOutcome(StrEnum):
    """What became of one case. It has no truth value: compare with `is`."""

    SOUND = "sound"
    UNSOUND = "unsound"
    WASTEFUL = "wasteful"
    WRONG_DIGITS = "wrong digits"
    CRASH = "crash"
    TIMEOUT = "timeout"
    MEMORY = "out of memory"
    NAN = "not an answer"
    UNDECIDED = "undecided"

    def __bool__(self) -> NoReturn:  # text is true unless empty: "unsound" would be true
        raise TypeError(
            "CaseOutcome has no truth value: compare it, as in `outcome is CaseOutcome.SOUND`"
        )


SIDES = ("upper", "lower", "nearest", "coupling")


@dataclass(frozen=True)
class Promised:
    """What an implementation promises, and how strictly it is held to it.

    Attributes: `side`, what an answer is to be ("upper": never below the truth, "lower": never
    above it, "nearest": right to `digits` significant digits, "coupling": a plan; None: what its
    kind promises by default); `waste`, the factor above the truth from which a sound answer is
    wasteful; `tolerance`, how far the marginals of a plan may be off, of a total mass of 1;
    `absolute`, how far an answer that is "nearest" may be off with fewer right digits.
    Raises InputError naming what was wrong.
    """

    side: str | None = None
    digits: int = 12
    waste: float = 2.0
    tolerance: float = 1e-12
    absolute: float = 0.0

    def __post_init__(self) -> None:
        if self.side is not None and self.side not in SIDES:
            offered = ", ".join(SIDES)
            raise InputError(f"claim: {shorten(self.side)!r} is unknown, expected {offered}")
        if type(self.digits) is not int or not 1 <= self.digits <= 17:
            raise InputError(f"digits: {shorten(self.digits)!r} is not an integer from 1 to 17")
        if not _is_number(self.waste) or not self.waste >= 1:
            raise InputError(f"waste: {shorten(self.waste)!r} is not a factor >= 1")
        if not _is_number(self.tolerance) or not 0 <= self.tolerance < 1:
            raise InputError(f"tolerance: {shorten(self.tolerance)!r} is not a number in [0, 1)")
        if not _is_number(self.absolute) or not 0 <= self.absolute < inf:
            raise InputError(f"absolute: {shorten(self.absolute)!r} is not a finite number >= 0")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True)
class Finding(NoTruth, ask="read .outcome"):
    """The judgement of one answer.

    Attributes: `words`, what was found, for people; `answer`, as it was given (None: there was
    none); `truth`, an enclosure of the exact answer where one was worked out; `factor`, at least
    the answer divided by the truth (for a plan: its mean distance by the least one); `digits`, how
    many significant digits are right: the first wrong one is the next; `gap`, of an unsound number:
    at least how far it is from the truth, as a part of the truth.
    """

    outcome: CaseOutcome
    words: str
    case: Case
    answer: Any = field(default=None, compare=False)
    truth: Enclosure | None = None
    factor: Extended | None = None
    digits: int | None = None
    gap: Extended | None = None

    @property
    def beyond_rounding(self) -> bool:
        """Whether it is off by more than errors of rounding: a mistake in the mathematics."""
        if self.outcome is CaseOutcome.WRONG_DIGITS:
            return self.digits is not None and self.digits < _ROUNDING_DIGITS
        return self.gap is not None and self.gap > _ROUNDING
