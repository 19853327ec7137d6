"""Multiplicative structure of integers by gcds alone, so that no integer is ever factored."""

from collections.abc import Iterable
from math import gcd, isqrt, log2

_LOW = (1 << 64) - 1


def integer_root(number: int, degree: int) -> int:
    """Return the integer part of the `degree`-th root of `number` (number >= 0, degree >= 1).

    Example: ``integer_root(80, 4)`` is ``2``.
    """
    if number < 2:
        return number
    guess = 1 << -(-number.bit_length() // degree)  # at or above the root
    while True:
        better = ((degree - 1) * guess + number // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


def perfect_power(number: int) -> tuple[int, int]:
    """Return ``(root, k)`` with ``root**k == number`` and k as large as possible (number >= 2).

    Only prime degrees are tried, each with a check of the low bits first, so that numbers of
    thousands of digits take milliseconds.

    Example: ``perfect_power(64)`` is ``(2, 6)``.
    """
    exponent = 1
    degree = 2
    while degree < number.bit_length():
        root = _exact_root(number, degree) if _is_prime(degree) else None
        if root is None:
            degree += 1
        else:
            number, exponent = root, exponent * degree
    return number, exponent


def _exact_root(number: int, degree: int) -> int | None:
    """The exact root of a prime degree, or None."""
    if number.bit_length() / degree < 45:  # a small root: logarithms place it to within one
        near = round(2 ** (log2(number) / degree))
        for root in (near - 1, near, near + 1):
            if root > 1 and pow(root, degree, 1 << 64) == number & _LOW and root**degree == number:
                return root
        return None
    root = integer_root(number, degree)
    return root if root**degree == number else None


def _is_prime(value: int) -> bool:
    return all(value % factor for factor in range(2, isqrt(value) + 1))


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Return pairwise coprime integers > 1, none a perfect power, that generate all `numbers`.

    Every given integer (>= 1) is a product of powers of the returned ones. Only gcds, exact
    divisions and integer roots are used.

    Example: ``coprime_base([12, 18, 8])`` is ``[2, 3]``.
    Source: D. J. Bernstein, Factoring into coprimes (the idea); Besicovitch 1940 (the use).
    """
    base: list[int] = []
    pending = [number for number in set(numbers) if number > 1]
    while pending:
        number = pending.pop()
        if number == 1:
            continue
        for index, other in enumerate(base):
            common = gcd(number, other)
            if common > 1:
                base.pop(index)
                pending += [common, other // common, number // common]
                break
        else:
            base.append(number)
    return sorted(perfect_power(number)[0] for number in base)


def exponents_over(base: list[int], number: int) -> list[int]:
    """Return the exponents that write `number` over a coprime base made from it.

    Raises ValueError when `number` is not a product of powers of the base.
    Example: ``exponents_over([2, 3], 12)`` is ``[2, 1]``.
    """
    exponents = []
    for factor in base:
        count = 0
        while number % factor == 0:
            number //= factor
            count += 1
        exponents.append(count)
    if number != 1:
        raise ValueError("the number is not a product over this base")
    return exponents
