"""Quotients of two exponential sums: their logarithms, and those that are one exponent."""

from __future__ import annotations

from pfverify.exact.expsum import Exponent, ExpSum

_MAX_TERMS = 64  # terms of an exponential sum kept exactly
_MAX_WEIGHT = 2000  # terms of sums, with those inside their exponents


def logarithm_of(ratio: tuple[ExpSum, ExpSum]) -> Exponent | None:
    """Return the logarithm of a quotient that is proved positive; None where it nests too much.

    The largest term of a sum is taken out of its logarithm, so each level of logarithms of sums
    inside each other is about twice as large as the one below it.
    """
    top, bottom = ratio
    if _weight(top, _MAX_WEIGHT) + _weight(bottom, _MAX_WEIGHT) > _MAX_WEIGHT:
        return None
    if top.sign() == -1:
        top, bottom = -top, -bottom
    return Exponent.log_of_sum(top) - Exponent.log_of_sum(bottom)


def _weight(total: ExpSum | Exponent, limit: int) -> int:
    """Count the terms of a sum, inner ones included, up to about a limit."""
    keys: list[object] = []
    if isinstance(total, Exponent):
        keys += total.parts
    else:
        keys += total.terms
    weight = len(keys)
    for key in keys:
        if weight > limit:
            break
        if isinstance(key, ExpSum | Exponent):
            weight += _weight(key, limit - weight)
    return weight


def exponent_of(top: ExpSum, bottom: ExpSum) -> Exponent | None:
    """Return top/bottom as an exponent where the bottom is one term or a sum of square roots."""
    if len(bottom.terms) != 1:
        bottom = _collected(bottom)
    if len(bottom.terms) != 1:
        inverse = Exponent.of_sum(bottom).inverse_of_roots()
        return None if inverse is None else Exponent.of_sum(_collected(top)).product(inverse)
    ((power, coefficient),) = bottom.terms.items()
    return Exponent.of_sum(_collected(top * ExpSum.power(-power, 1 / coefficient)))


def _collected(total: ExpSum) -> ExpSum:
    """The same sum with its radicals collected, where it has any: sqrt(2)*sqrt(8) is 4."""
    if not any(isinstance(key, int) for power in total.terms for key in power.parts):
        return total
    terms = []
    for power, coefficient in (total.canonical() or total).terms.items():
        c, rest = power.split().without_whole_powers()
        terms.append((rest, c * coefficient))
    return ExpSum.collect(terms)


def kept_quotient(top: ExpSum, bottom: ExpSum) -> tuple[ExpSum, ExpSum] | None:
    """Return a quotient of sums of few terms as it is, None for a longer one."""
    fits = len(top.terms) <= _MAX_TERMS and len(bottom.terms) <= _MAX_TERMS
    return (top, bottom) if fits else None
