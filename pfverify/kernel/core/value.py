"""What a number of the grammar is worth: its form, sums, enclosure and sign; and whether it is
defined, and in its range.

Fractions are done here; numbers with exp, log or sqrt go to `irrational`, which is loaded for them.
"""

from __future__ import annotations

from fractions import Fraction

from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Malformed, Number, combine
from core.zero import NIL, Form, Sum, constant


def form_of(x: Number) -> Form:
    """x as a linear form."""
    if isinstance(x, Fraction):
        return constant(x)
    from core import irrational

    return irrational.form_of(x)


def rate_form(scale: Number) -> Form:
    """1/scale as a linear form, for a positive scale."""
    if isinstance(scale, Fraction):
        return constant(1 / scale)
    from core import irrational

    return irrational.rate_form(scale)


def sums_of(x: Number) -> tuple[Sum, Sum]:
    """Exponential sums (N, D) with x = N/D; Undecided when x is not such a quotient."""
    if isinstance(x, Fraction):
        return ({NIL: x} if x else {}), {NIL: Fraction(1)}
    from core import irrational

    return irrational.sums_of(x)


def enclose_number(x: Number, ar: Arithmetic) -> Interval:
    """Enclosure of a number along its tree."""
    if isinstance(x, Fraction):
        return ar.of(x)
    from core import irrational

    return irrational.enclose_number(x, ar)


def sign(x: Number) -> int:
    """The sign of a defined number."""
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    from core import irrational

    return irrational.sign(x)


def require_defined(x: Number) -> None:
    """Malformed unless every divisor is nonzero and every argument of log and of sqrt is positive,
    decided."""
    if not isinstance(x, Fraction):
        from core import irrational

        irrational.require_defined(x)


def decided_sign(x: Number, what: str) -> int:
    """The sign of a number of the problem, or Malformed where it cannot be decided."""
    try:
        return sign(x)
    except Undecided as reason:
        raise Malformed(f"{what}: {reason}") from None


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
