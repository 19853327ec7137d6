"""Exponential sums with a few square roots of exponential sums, and their zero test.

A tie of a hockey-stick divergence with delta is such a number: every sign change of
p - e**epsilon q inside a gap contributes one square root.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, Exponent, ExpSum
from pfverify.exact.rising import rising

MAX_ROOTS = 3  # the norm multiplies 2**roots conjugates
_MAX_TERMS = 4000


class RadicalSum:
    """A sum of ExpSum times products of distinct square roots; immutable.

    Example: ``(RadicalSum.root(ExpSum.constant(2)) * RadicalSum.root(ExpSum.constant(2))).ball()``
    contains 2.
    """

    def __init__(self, terms: dict[frozenset[ExpSum], ExpSum]) -> None:
        self.terms = {roots: c for roots, c in terms.items() if c.terms}

    @classmethod
    def of(cls, value: ExpSum) -> RadicalSum:
        """Return a number without roots."""
        return cls({frozenset(): value})

    @classmethod
    def root(cls, value: ExpSum) -> RadicalSum:
        """Return the square root of a sum already proved positive.

        The largest term is taken out, so that proportional radicands share one root.
        """
        value = value.canonical() or value
        exponent, coefficient = value.leading()
        size = abs(coefficient)
        outside = ExpSum.power((exponent + Exponent.log(size)).times(Fraction(1, 2)))
        rest = ExpSum({e - exponent: c / size for e, c in value.terms.items()})
        if rest == ExpSum.constant(1):
            return cls.of(outside)
        return cls({frozenset([rest]): outside})

    def __add__(self, other: RadicalSum) -> RadicalSum:
        terms = dict(self.terms)
        for roots, value in other.terms.items():
            terms[roots] = terms.get(roots, ExpSum({})) + value
        return RadicalSum(terms)

    def __sub__(self, other: RadicalSum) -> RadicalSum:
        return self + other.times(ExpSum.constant(-1))

    def times(self, factor: ExpSum) -> RadicalSum:
        """Return this number multiplied by a sum without roots."""
        return RadicalSum({roots: value * factor for roots, value in self.terms.items()})

    def __mul__(self, other: RadicalSum) -> RadicalSum:
        total = RadicalSum({})
        for mine, a in self.terms.items():
            for theirs, b in other.terms.items():
                value = a * b
                for shared in mine & theirs:
                    value = value * shared
                total = total + RadicalSum({mine ^ theirs: value})
        return total

    def roots(self) -> list[ExpSum]:
        """Return the different radicands."""
        return list({root for roots in self.terms for root in roots})

    def flipped(self, root: ExpSum) -> RadicalSum:
        """Return the conjugate in which one square root has the other sign."""
        return RadicalSum({r: -c if root in r else c for r, c in self.terms.items()})

    def ball(self) -> Ball:
        """Return an enclosure at the current precision."""
        total = raw(0)
        for roots, value in self.terms.items():
            part = value.ball().raw
            for root in roots:
                part *= root.ball().raw.sqrt()
            total += part
        return Ball(total)

    def is_zero(self) -> Answer:
        """Say whether the number is exactly zero.

        The norm (the product of all conjugates) is an exponential sum. If it is not zero, neither
        is the number; if it is zero and balls keep every other conjugate away from zero, the
        number is zero. UNKNOWN beyond three different roots or where a sum is undecided.
        """
        value = RadicalSum({r: c.canonical() or c for r, c in self.terms.items()})
        roots = value.roots()
        if len(roots) > MAX_ROOTS or sum(len(c.terms) for c in value.terms.values()) > _MAX_TERMS:
            return Answer.UNKNOWN
        if roots and rising_sign(value.ball, 128, CAP_BITS // 8):
            return Answer.NO  # balls tell it from zero far faster than its norm does
        norm = value
        for root in roots:
            norm = norm * norm.flipped(root)
            norm = RadicalSum({r: c.canonical() or c for r, c in norm.terms.items()})
        answer = norm.terms.get(frozenset(), ExpSum({})).is_zero()
        if answer is not Answer.YES or not roots:
            return answer
        others = []
        for signs in product((False, True), repeat=len(roots)):
            conjugate = value
            for root, flip in zip(roots, signs, strict=True):
                conjugate = conjugate.flipped(root) if flip else conjugate
            if any(signs):
                others.append(conjugate)
        for bits in rising(128, CAP_BITS // 8):
            with precision(bits):
                if all(conjugate.ball().certain_sign() for conjugate in others):
                    return Answer.YES
        return Answer.UNKNOWN
