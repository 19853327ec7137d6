"""Numbers in a problem file that have to be defined, and to lie in a range."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.enclose import Undecided
from core.grammar import Malformed, Number, combine
from core.shapes import number
from core.value import require_defined, sign
from core.work import spend


def decided_sign(x: Number, what: str) -> int:
    """The sign of a number of the problem, or Malformed where it cannot be decided."""
    try:
        return sign(x)
    except Undecided as reason:
        raise Malformed(f"{what}: {reason}") from None


def number_of(
    value: Any, what: str, least: Fraction | None = None, most: Fraction | None = None
) -> Number:
    """A defined number, not below `least` and not above `most`."""
    x = number(value, what)
    if not isinstance(x, Fraction):
        spend(64)
        require_defined(x)
    if least is not None and decided_sign(combine("-", x, least), what) < 0:
        raise Malformed(f"{what} must be at least {least}")
    if most is not None and decided_sign(combine("-", most, x), what) < 0:
        raise Malformed(f"{what} must be at most {most}")
    return x


def require_range(what: str, x: Number, decide: bool) -> None:
    """Malformed unless an epsilon is at least 0, a delta in [0, 1] and a scale positive or written
    as 0; without `decide` only of fractions, since others may need work."""
    if not isinstance(x, Fraction):
        if not decide:
            return
        try:
            require_defined(x)
        except Malformed as reason:
            raise Malformed(f"{what}: {reason}") from None
    s = decided_sign(x, what)
    if what == "epsilon" and s < 0:
        raise Malformed("epsilon must be at least 0")
    if what == "delta" and (s < 0 or decided_sign(combine("-", Fraction(1), x), what) < 0):
        raise Malformed("delta must lie in [0, 1]")
    if what == "scale" and (s < 0 or (s == 0 and not isinstance(x, Fraction))):
        raise Malformed("the scale must be positive, or written as 0")
