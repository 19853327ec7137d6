"""The number that a Renyi divergence is the logarithm of: the integral of p**order q**(1 - order).

It is e**((order - 1) D); at least 1, and 1 only of equal laws. Of order 1 the number is D itself,
the integral of p log(p/q): no verdict asks for it. Source: design facts F90 and F118.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import CAP_BITS, Exponent, ExpSum
from pfverify.exact.number import Number
from pfverify.model.channels.entries import Entry, as_number, ball_of, sign_of

Quotient = tuple[ExpSum, ExpSum]
"""An exact number, as one exponential sum over another one > 0."""
_TIED = "the divergence may equal epsilon, and the tie is outside the exact classes"
_UNKNOWN = "it cannot be decided whether an output that one law gives is possible under the other"
_WRITTEN = 64  # products of numbers that are not rational, up to which they are written out


class RenyiMoment(ABC):
    """The number of one order of two laws.

    Attributes: `order`, of the divergence; `infinite`, whether q = 0 < p somewhere (None: that is
    not decided); `most_bits`, beyond which it is not worked out; `size`, about how much work it
    is (in tenths of a millisecond), which bounds how many orders are asked for.
    """

    order: Fraction
    infinite: bool | None = False
    most_bits: int = CAP_BITS
    size: int = 1

    @property
    def why(self) -> str:
        """Why it may not be known whether it is above a bound."""
        return _UNKNOWN if self.infinite is None else _TIED

    @abstractmethod
    def ball(self) -> Raw:
        """Return an enclosure at the current precision, of a number that is finite."""

    def exact(self) -> Quotient | None:
        """Return it exactly, for a tie; None where there is no such form."""
        return None

    def divergence_ball(self) -> Raw:
        """Return an enclosure of the divergence at the current precision."""
        found = self.ball()
        return found if self.order == 1 else found.log() / raw(self.order - 1)


class OfEqual(RenyiMoment):
    """Of one law from itself: 1."""

    def __init__(self, order: Fraction) -> None:
        self.order = order

    def ball(self) -> Raw:
        """Return 1."""
        return raw(1)

    def divergence_ball(self) -> Raw:
        """Return 0."""
        return raw(0)

    def exact(self) -> Quotient:
        """Return 1."""
        return ExpSum.constant(1), ExpSum.constant(1)


class OfMasses(RenyiMoment):
    """Of finitely many masses: the sum of q (p/q)**order."""

    def __init__(self, p: Sequence[Entry], q: Sequence[Entry], order: Fraction) -> None:
        self.order = order
        pairs = [(a, b) for a, b in zip(p, q, strict=True) if sign_of(a) != 0]
        signs = {sign_of(b) for _, b in pairs}
        self.infinite = 0 in signs or (None if None in signs else False)
        self.pairs, self.size = pairs, 1 + len(pairs) // 16

    def ball(self) -> Raw:
        """Return the sum of enclosures."""
        total = raw(0)
        for a, b in self.pairs:
            p, q = ball_of(a), ball_of(b)
            total += integrand(p, q, self.order)
        return total

    def exact(self) -> Quotient | None:
        """Return the sum exactly: of rational masses of any order, else of whole ones."""
        terms = [(a, b) for a, b in self.pairs
                 if isinstance(a, Fraction) and isinstance(b, Fraction)]  # fmt: skip
        if len(terms) < len(self.pairs):
            return self._of_numbers
        if self.order.denominator == 1:
            found = sum((b * (a / b) ** self.order.numerator for a, b in terms), Fraction(0))
            return ExpSum.constant(found), ExpSum.constant(1)
        powers = ((Exponent.log(a / b).times(self.order), b) for a, b in terms)
        return ExpSum.collect(powers), ExpSum.constant(1)

    @cached_property
    def _of_numbers(self) -> Quotient | None:
        order = self.order.numerator
        if self.order.denominator > 1 or len(self.pairs) * order > _WRITTEN:
            return None
        total = Number.of_rational(0)
        for a, b in self.pairs:
            p, q = as_number(a), as_number(b)
            ratio, term = p / q, q
            for _ in range(order):
                term *= ratio
            total += term
        return total.ratio


def integrand(p: Raw, q: Raw, order: Fraction) -> Raw:
    """Return q (p/q)**order of two numbers > 0, of order 1 p log(p/q).

    Example: ``integrand(raw(2), raw(1), Fraction(2)) - 4`` contains 0.
    """
    return p * (p / q).log() if order == 1 else q * power(p / q, order)


def power(base: Raw, order: Fraction) -> Raw:
    """Return a number > 0 to a rational power, at the current precision.

    Example: ``power(raw(4), Fraction(2)) - 16`` contains 0.
    """
    if order.denominator == 1:
        return base**order.numerator
    return (base.log() * raw(order)).exp()
