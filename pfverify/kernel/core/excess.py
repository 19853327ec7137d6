"""The sign of p - e^epsilon q - delta for two masses p and q."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from core.enclose import Arithmetic, Undecided
from core.grammar import Number
from core.value import enclose_number, sums_of
from core.zero import NIL, SIGN_BITS, Form, add, exp_form, is_zero, multiply


def sign_of_excess(p: Fraction, q: Fraction, epsilon: Form, delta: Number) -> int:
    """The sign of p - e^epsilon q - delta, decided at rising precision and by the zero test."""
    for bits in SIGN_BITS:
        ar = Arithmetic(bits)
        factor = exp_form(epsilon, ar)
        value = ar.sub(ar.of(p), ar.mul(factor, ar.of(q)))
        low, high, _ = ar.sub(value, enclose_number(delta, ar))
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if bits == SIGN_BITS[0]:
            with suppress(Undecided):
                n, d = sums_of(delta)
                difference = add({NIL: p}, {epsilon: q}, Fraction(-1))
                if is_zero(add(multiply(difference, d), n, Fraction(-1))):
                    return 0
    raise Undecided("the priors' excess is not decided")
