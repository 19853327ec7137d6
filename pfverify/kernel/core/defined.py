"""Numbers of a problem or a certificate that have to be defined, and to lie in a range."""

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
