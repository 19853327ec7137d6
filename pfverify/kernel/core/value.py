"""What a number of the grammar is worth: its form, sums, enclosure and sign.

Fractions are done here; numbers with exp, log or sqrt go to `irrational`, which is loaded for them.
"""

from __future__ import annotations

from fractions import Fraction

from core.enclose import Arithmetic, Interval
from core.grammar import Number
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
