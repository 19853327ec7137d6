"""The divergence of two laws of finitely many outputs, at many E: one pass over their masses.

With p from above and q from below H_E <= sum of [p - E q]_+, whose terms count where p/q > E: of
outputs in the order of p/q these are the last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from core.enclose import Arithmetic, Interval, shift_ceil, shift_floor
from core.work import price, product, spend
from core.zero import Form, exp_form


class Hinges:
    """Masses of the same outputs under two laws."""

    def __init__(self, p: Sequence[Interval], q: Sequence[Interval], ar: Arithmetic) -> None:
        self.ar, self.bits = ar, ar.bits
        spend(len(p) * (64 + 4 * price(self.bits) + len(p).bit_length() * product(2 * self.bits)))
        pairs = [
            (shift_ceil(a[1], a[2] + self.bits), max(0, shift_floor(b[0], b[2] + self.bits)))
            for a, b in zip(p, q, strict=True)
        ]
        # without q: at every E
        self.always = sum(a for a, b in pairs if not b)
        kept = sorted((Fraction(a, b), a, b) for a, b in pairs if b)
        self.ratios = [ratio for ratio, _, _ in kept]
        # of so many of the last
        self.p = [0, *accumulate(a for _, a, _ in reversed(kept))]
        self.q = [0, *accumulate(b for _, _, b in reversed(kept))]

    def above(self, growth: Form) -> Interval:
        """At least the divergence at E = e^growth."""
        low, _, e = exp_form(growth, self.ar)
        # masses lie between 2^-bits and 1, their ratios and sums within 2^far; a lower E is safe
        far = 3 * self.bits
        low, e = (0, 0) if e < -far else (low, min(e, far))
        spend(len(self.ratios).bit_length() * product(2 * self.bits))
        least = Fraction(low) * Fraction(2) ** e
        count = len(self.ratios) - bisect_right(self.ratios, least)
        p, q = self.p[count] + self.always, self.q[count]
        lost = shift_floor(low * q, e)
        return p - lost, p - lost, -self.bits
