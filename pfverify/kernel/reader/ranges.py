"""The ranges of the numbers of a problem."""

from __future__ import annotations

from fractions import Fraction

from core.defined import decided_sign, number_of
from core.grammar import Malformed, Number, combine
from core.value import require_defined

__all__ = ["decided_sign", "number_of", "require_range"]


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
