"""Products of polynomials with many coefficients that are integers >= 0.

Kronecker's substitution: with every coefficient written in a slot of equally many decimal digits,
wide enough for those of the product, two polynomials are two numbers whose product has the
coefficients of theirs in its slots.  `decimal` multiplies such numbers in n log n.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, Rounded

from core.rules import Rejected
from core.work import TooMuchWork, spend

MOST = 40_000_000  # digits of one product
LONGEST = 4300  # digits that Python makes a number of


def convolved(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The coefficients of the product, exactly."""
    slot = sum(len(str(x)) for x in (max(a), max(b), min(len(a), len(b))))
    count = len(a) + len(b) - 1
    if slot > LONGEST:
        raise Rejected("masses of too many digits")
    if slot * count > MOST:
        raise TooMuchWork(f"too much work: a product of more than {MOST} digits")
    spend(256 + count + (slot * count >> 2))
    exactly = Context(slot * (count + 1), Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, Rounded])
    first, second = (Decimal("".join([f"{x:0{slot}d}" for x in p])) for p in (a, b))
    text = str(exactly.multiply(first, second)).zfill(slot * count)
    return [int(text[k : k + slot]) for k in range(0, slot * count, slot)]
