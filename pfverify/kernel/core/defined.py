"""Numbers of a file, beside those of every problem, that have to be defined and in a range."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.grammar import Malformed, Number, combine
from core.shapes import number
from core.value import decided_sign, require_defined
from core.work import spend


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
