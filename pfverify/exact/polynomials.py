"""Polynomials with integer coefficients: the weights of laws on a lattice, whose sums are products.

Exact whatever the precision, so that nothing of `pfverify.exact.ball` is needed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import isqrt, lcm
from typing import TypeVar

from flint import fmpz, fmpz_mod_ctx, fmpz_mod_poly_ctx, fmpz_mpoly, fmpz_mpoly_ctx, fmpz_poly

_PRIME = 2**521 - 1  # modulo which a common factor is looked for


class Polynomial:
    """An integer polynomial; coefficient k belongs to the k-th point of a lattice.

    Example: ``(Polynomial([1, 1]) ** 2).coefficients()`` is ``[1, 2, 1]``.
    """

    __slots__ = ("_poly",)

    def __init__(self, coefficients: Sequence[int]) -> None:
        self._poly = fmpz_poly(list(coefficients))

    @classmethod
    def _of(cls, poly: fmpz_poly) -> Polynomial:
        made = cls.__new__(cls)
        made._poly = poly
        return made

    def __reduce__(self) -> tuple[type[Polynomial], tuple[list[int]]]:
        return Polynomial, (self.coefficients(),)

    def __mul__(self, other: Polynomial) -> Polynomial:
        return Polynomial._of(self._poly * other._poly)

    def divided_down(self, divisor: int) -> Polynomial:
        """Return every coefficient, which is >= 0, over a number > 0, rounded down.

        Example: ``Polynomial([5, 2]).divided_down(3).coefficients()`` is ``[1]``.
        """
        # a polynomial division: below the divisor in absolute value it gives 0, so that it rounds
        # down numbers >= 0 alone
        return Polynomial._of(self._poly // divisor)

    def divided_up(self, divisor: int) -> Polynomial:
        """Return every coefficient, which is >= 0, over a number > 0, rounded up.

        Example: ``Polynomial([5, 2]).divided_up(3).coefficients()`` is ``[2, 1]``.
        """
        more = fmpz_poly([divisor - 1] * self._poly.length())
        return Polynomial._of((self._poly + more) // divisor)

    def cut(self, start: int, stop: int) -> Polynomial:
        """Return the coefficients from `start` to before `stop`, the first in place 0."""
        return Polynomial._of(self._poly.truncate(max(stop, 0)).right_shift(start))

    def moved(self, places: int) -> Polynomial:
        """Return the same, so many places further up."""
        return Polynomial._of(self._poly.left_shift(places))

    def within(self, little: int) -> tuple[int, int]:
        """Return places between which all coefficients >= 0 are but so much at either end.

        Example: ``Polynomial([1, 0, 5, 2]).within(1)`` is ``(2, 4)``.
        """
        found = self._poly.coeffs()
        ends = []
        for side in (found, found[::-1]):
            total, place = fmpz(0), 0
            for place, c in enumerate(side):  # noqa: B007 -- where it ends is what is asked
                total += c
                if total > little:
                    break
            else:
                place = len(side)
            ends.append(place)
        low, high = ends
        return (low, len(found) - high) if low + high < len(found) else (0, len(found))

    @property
    def length(self) -> int:
        """How many coefficients there are, up to the last that is not 0."""
        return int(self._poly.length())

    @property
    def total(self) -> int:
        """The sum of all coefficients."""
        return int(self._poly(1))

    def __add__(self, other: Polynomial) -> Polynomial:
        return Polynomial._of(self._poly + other._poly)

    def __pow__(self, exponent: int) -> Polynomial:
        return Polynomial._of(self._poly**exponent)

    def divided(self, divisor: Polynomial) -> Polynomial:
        """Return the quotient of an exact division; ArithmeticError where there is a remainder.

        Example: ``Polynomial([1, 2, 1]).divided(Polynomial([1, 1])).coefficients()`` is
        ``[1, 1]``.
        """
        quotient, remainder = divmod(self._poly, divisor._poly)
        if remainder:
            raise ArithmeticError("the division is not exact")
        return Polynomial._of(quotient)

    def lowest_terms(self, other: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Return (u, v) with u * other = v * self, without a common factor if one is found.

        Neither polynomial may be 0, and neither are u and v. A factor is looked for modulo a
        prime, and quotients whose coefficients are ratios of at most 260 bits are found; they are
        proved by multiplying out. Where that fails the two polynomials themselves are returned.

        Example: ``[p.coefficients() for p in Polynomial([1, 2, 1]).lowest_terms(Polynomial([2,
        2]))]`` is ``[[1, 1], [2]]``.
        """
        ring = _modulo_prime()
        mine, theirs = ring(self._poly), ring(other._poly)
        shared = mine.gcd(theirs)
        if shared.degree() < 1 or theirs.degree() < 0:
            return self, other
        unit = (theirs // shared).leading_coefficient()
        rows = [
            [_ratio_of(int(c / unit)) for c in (one // shared).coeffs()] for one in (mine, theirs)
        ]
        whole = lcm(*(c.denominator for row in rows for c in row))
        u, v = (Polynomial([int(c * whole) for c in row]) for row in rows)
        proved = u._poly * other._poly == v._poly * self._poly
        return (u, v) if proved else (self, other)

    def coefficients(self) -> list[int]:
        """Return the coefficients, the constant one first."""
        return [int(c) for c in self._poly.coeffs()]


@cache
def _modulo_prime() -> fmpz_mod_poly_ctx:
    """The polynomials modulo the prime: that it is one takes a while to see."""
    return fmpz_mod_poly_ctx(fmpz_mod_ctx(_PRIME))


def _ratio_of(residue: int) -> Fraction:
    """The ratio n/d of small numbers that a residue modulo the prime may stand for.

    residue = n/d + k prime/d: k/d is so near residue/prime that no other fraction is nearer.
    """
    near = Fraction(residue, _PRIME).limit_denominator(isqrt(_PRIME // 2))
    return Fraction(residue * near.denominator - near.numerator * _PRIME, near.denominator)


class PointPolynomial:
    """An integer polynomial of several variables: weights at points of whole coordinates >= 0.

    Example: ``(PointPolynomial({(1, 0): 1, (0, 1): 1}) ** 2).weights()[1, 1]`` is ``2``.
    """

    __slots__ = ("_poly",)

    def __init__(self, weights: Mapping[tuple[int, ...], int]) -> None:
        size = len(next(iter(weights)))
        context = fmpz_mpoly_ctx.get([f"x{k}" for k in range(size)], "lex")
        self._poly: fmpz_mpoly = context.from_dict(dict(weights))

    @classmethod
    def _of(cls, poly: fmpz_mpoly) -> PointPolynomial:
        made = cls.__new__(cls)
        made._poly = poly
        return made

    def __mul__(self, other: PointPolynomial) -> PointPolynomial:
        return PointPolynomial._of(self._poly * other._poly)

    def __pow__(self, exponent: int) -> PointPolynomial:
        return PointPolynomial._of(self._poly**exponent)

    def divided(self, divisor: PointPolynomial) -> PointPolynomial:
        """Return the quotient of an exact division; ArithmeticError where there is a remainder.

        Example: ``PointPolynomial({(1, 1): 2}).divided(PointPolynomial({(1, 0): 1})).weights()``
        is ``{(0, 1): 2}``.
        """
        quotient, remainder = divmod(self._poly, divisor._poly)
        if remainder:
            raise ArithmeticError("the division is not exact")
        return PointPolynomial._of(quotient)

    def weights(self) -> dict[tuple[int, ...], int]:
        """Return point -> weight."""
        return {
            tuple(map(int, point)): int(weight) for point, weight in self._poly.to_dict().items()
        }


Factor = TypeVar("Factor", Polynomial, PointPolynomial)


def product(factors: Sequence[Factor]) -> Factor:
    """Return the product of at least one polynomial, by halves: factors of like size are product.

    Example: ``product([Polynomial([1, 1])] * 2).coefficients()`` is ``[1, 2, 1]``.
    """
    if len(factors) == 1:
        return factors[0]
    half = len(factors) // 2
    return product(factors[:half]) * product(factors[half:])
