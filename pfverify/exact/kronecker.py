"""Whether a sum of monomials times powers of fixed polynomials is the zero polynomial.

All variables are replaced by powers of two so large that no two monomials can mix (Kronecker
substitution): the polynomial is zero exactly when one integer is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod

MAX_BITS = 200_000_000  # of the integer that is worked out

Monomial = tuple[Fraction, tuple[int, ...]]
"""A coefficient and the exponents (of any sign) of the variables."""

Term = tuple[Fraction, tuple[int, ...], tuple[int, ...]]
"""A coefficient, exponents of the variables, and powers (>= 0) of the polynomials."""


def is_zero_polynomial(
    terms: Sequence[Term], polynomials: Sequence[Sequence[Monomial]]
) -> bool | None:
    """Say whether sum of c * x**e * prod P_i**m_i vanishes identically; None if it is too large.

    A term is (c, (e,), (m,)).
    Example: ``is_zero_polynomial([(1, (0,), (2,)), (-1, (2,), (0,)), (-2, (1,), (0,)),
    (-1, (0,), (0,))], [[(1, (0,)), (1, (1,))]])`` is True: with P = 1 + x, P**2 - x**2 - 2 x - 1.
    """
    if not terms:
        return True
    width = len(terms[0][1])
    heights = [max(powers[i] for _, _, powers in terms) for i in range(len(polynomials))]
    scaled, shifts, norms, spans = [], [], [], []
    for polynomial in polynomials:
        whole = lcm(*(c.denominator for c, _ in polynomial))
        low = [min(e[j] for _, e in polynomial) for j in range(width)]
        scaled.append(
            (whole, [(int(c * whole), tuple(x - s for x, s in zip(e, low, strict=True)))
                     for c, e in polynomial])
        )
        shifts.append(low)
        norms.append(sum(abs(c) for c, _ in scaled[-1][1]))
        spans.append([max(e[j] for _, e in scaled[-1][1]) for j in range(width)])
    common = lcm(*(c.denominator for c, _, _ in terms))
    rows: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for c, exponents, powers in terms:
        # P**m = (whole P)**m / whole**m: bring every term to the largest power of `whole`
        factor = prod(w ** (h - m) for (w, _), h, m in zip(scaled, heights, powers, strict=True))
        moved = tuple(
            exponents[j] + sum(m * s[j] for m, s in zip(powers, shifts, strict=True))
            for j in range(width)
        )
        key = (powers, moved)
        rows[key] = rows.get(key, 0) + int(c * common) * factor
    lowest = [min(moved[j] for _, moved in rows) for j in range(width)]
    degrees = [
        max(
            moved[j] - lowest[j] + sum(m * s[j] for m, s in zip(powers, spans, strict=True))
            for powers, moved in rows
        )
        for j in range(width)
    ]
    bound = sum(
        abs(weight) * prod(n**m for n, m in zip(norms, powers, strict=True))
        for (powers, _), weight in rows.items()
    )
    bits = bound.bit_length() + 2  # every coefficient is below half of 2**bits
    if bits * prod(degree + 1 for degree in degrees) > MAX_BITS:
        return None
    places, stride = [], bits
    for degree in degrees:
        places.append(stride)
        stride *= degree + 1

    def at(exponents: Sequence[int]) -> int:
        return sum(e * p for e, p in zip(exponents, places, strict=True))

    values = [sum(c << at(e) for c, e in polynomial) for _, polynomial in scaled]
    collected: dict[tuple[int, ...], int] = {}
    for (powers, moved), weight in rows.items():
        position = at([m - low for m, low in zip(moved, lowest, strict=True)])
        collected[powers] = collected.get(powers, 0) + (weight << position)
    return _horner(collected, values) == 0


def _horner(table: dict[tuple[int, ...], int], values: Sequence[int]) -> int:
    """Evaluate sum of coefficient * prod values**powers, one value after another."""
    if not values:
        return table.get((), 0)
    inner: dict[int, dict[tuple[int, ...], int]] = {}
    for (first, *rest), coefficient in table.items():
        inner.setdefault(first, {})[tuple(rest)] = coefficient
    total = 0
    for power in range(max(inner), -1, -1):
        total *= values[0]
        if power in inner:
            total += _horner(inner[power], values[1:])
    return total
