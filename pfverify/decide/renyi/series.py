"""Taylor coefficients, in balls: of e to a square, of e to a series, of the logarithm of one.

Each follows from an equation that the function solves. Source: design fact F115.
"""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.exact.ball import Raw, raw


def bell(level: Raw, slope: Raw, bend: Raw, length: int) -> list[Raw]:
    """Return the coefficients 0 to `length` of e**(level + slope z + bend z**2).

    Example: ``bell(raw(0), raw(1), raw(0), 2)[2] * 2`` contains 1.
    """
    found, twice = [level.exp()], 2 * bend
    before = raw(0)
    for k in range(1, length + 1):
        before, now = found[-1], (slope * found[-1] + twice * before) / k
        found.append(now)
    return found


def exp_of(series: Sequence[Raw]) -> list[Raw]:
    """Return the coefficients of e to a series, as many as it has: f' = f times its derivative.

    Example: ``exp_of([raw(0), raw(1), raw(0)])[2] * 2`` contains 1.
    """
    found = [series[0].exp()]
    slopes = [k * x for k, x in enumerate(series)]
    for k in range(1, len(series)):
        total = slopes[1] * found[k - 1]
        for j in range(2, k + 1):
            total += slopes[j] * found[k - j]
        found.append(total / k)
    return found


def log_of(series: Sequence[Raw]) -> list[Raw]:
    """Return the coefficients of the logarithm of a series that is > 0, as many as it has.

    Example: ``log_of([raw(1), raw(1), raw(0)])[2] * 2`` contains -1.
    """
    first = series[0]
    found, slopes = [first.log()], [raw(0)]
    for k in range(1, len(series)):
        total = k * series[k]
        for j in range(1, k):
            total -= slopes[j] * series[k - j]
        slopes.append(total / first)
        found.append(slopes[-1] / k)
    return found


def product_of(one: Sequence[Raw], other: Sequence[Raw]) -> list[Raw]:
    """Return the coefficients of the product of two series, as many as both have.

    Example: ``product_of([raw(1), raw(1)], [raw(1), raw(1)])[1] - 2`` contains 0.
    """
    return [
        sum((one[j] * other[k - j] for j in range(k + 1)), raw(0)) for k in range(len(one))
    ]
