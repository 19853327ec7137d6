"""Tails of binomial laws and Clopper-Pearson bounds, in rigorous balls: no normal approximation.

A comparison that is not proved counts as "not rare", so that a bound is never tighter than the
exact one. Floats propose where to look for a bound; a ball proves what is returned.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, exp, floor, inf, isqrt, lgamma, log, log1p

from pfverify.errors import UndecidedError
from pfverify.exact.ball import Raw, current_precision, precision, raw
from pfverify.exact.rising import rising

_BITS = 128
_EXACT = 4_000  # records up to which a tail is a sum of fractions, where balls do not decide
_STEPS = 60  # of Newton's method, which takes about six
_CLOSE = 1e-12
_BACK = 2.0**-46  # how far a proposal is moved to its safe side, at first


def at_least(draws: int, count: int, chance: Fraction) -> Raw:
    """Enclose P(K >= count) for the number K of so many draws that fall into a set of this chance.

    Example: ``at_least(2, 1, Fraction(1, 2))`` contains 3/4.
    Source: the sum of the binomial law, whose terms fall from the mean on faster and faster.
    """
    if count <= 0 or chance == 1:
        return raw(1 if count <= draws else 0)
    if count > draws or chance == 0:
        return raw(0)
    with precision(max(_BITS, current_precision())):
        if count <= draws * chance:
            return raw(1) - _far_tail(draws, draws - count + 1, 1 - chance)
        return _far_tail(draws, count, chance)


def _far_tail(draws: int, count: int, chance: Fraction) -> Raw:
    """The same for a count above the mean: each term is less than the one before it, by a quotient
    that falls, so that a geometric series bounds what is left out."""
    odds, bits = raw(chance / (1 - chance)), current_precision()
    term = total = raw(1)
    for k in range(count, draws):
        quotient = odds * (draws - k) / (k + 1)
        term *= quotient
        total += term
        if term < total * raw(2) ** -bits and quotient < raw(1):
            total += raw(0).union(term * quotient / (1 - quotient))
            break
    ways = raw(draws + 1).lgamma() - raw(count + 1).lgamma() - raw(draws - count + 1).lgamma()
    first = ways + count * raw(chance).log() + (draws - count) * raw(1 - chance).log()
    return first.exp() * total


def rarely_at_least(draws: int, count: int, chance: Fraction, level: Fraction) -> bool:
    """Whether P(K >= count) is proved to be at most a level.

    Example: ``rarely_at_least(10, 10, Fraction(1, 2), Fraction(1, 1000))`` is True: it is 1/1024.
    """
    with precision(_BITS):
        return bool(at_least(draws, count, chance) <= raw(level))


def rarely_at_most(draws: int, count: int, chance: Fraction, level: Fraction) -> bool:
    """Whether P(K <= count) is proved to be at most a level.

    Example: ``rarely_at_most(10, 0, Fraction(1, 2), Fraction(1, 1000))`` is True.
    """
    return rarely_at_least(draws, draws - count, 1 - chance, level)


def chance_above(draws: int, count: int, level: Fraction) -> Fraction:
    """Return the lower Clopper-Pearson bound of a chance, rounded down to some ten digits.

    A set whose chance is below it has so many of the draws with probability at most `level`.
    Example: ``round(float(chance_above(1, 1, Fraction(1, 20))), 9)`` is 0.05.
    Source: Clopper and Pearson, "The use of confidence or fiducial limits", 1934.
    """
    if count <= 0:
        return Fraction(0)
    proposed, back = _proposed(draws, count, level), _BACK
    while back < 1:
        bound = Fraction(proposed * (1 - back))
        if rarely_at_least(draws, count, bound, level):
            return bound
        back *= 2
    return Fraction(0)


def chance_below(draws: int, count: int, level: Fraction) -> Fraction:
    """Return the upper Clopper-Pearson bound of a chance, rounded up.

    Example: ``round(float(chance_below(1, 0, Fraction(1, 20))), 9)`` is 0.95.
    """
    return 1 - chance_above(draws, draws - count, level)


@lru_cache(maxsize=4096)
def interval(draws: int, count: int, share: Fraction, unit: int) -> tuple[int, int]:
    """Return the Clopper-Pearson interval of a chance, its ends rounded outward, times `unit`.

    It fails to contain the chance with probability at most `share`. For count > 0 the lower end is
    the largest multiple p of 1/unit with P(K >= count | p) <= share/2; so is the upper, mirrored.
    Raises UndecidedError where no precision tells a tail from share/2.
    Example: ``interval(1, 1, Fraction(1, 10), 100)`` is ``(5, 100)``.
    Source: Clopper and Pearson, Biometrika 26 (1934); design fact F62.
    """
    low, high = (_end(draws, k, share / 2, unit) for k in (count, draws - count))
    return low, unit - high


def _end(draws: int, count: int, level: Fraction, unit: int) -> int:
    if count == 0:
        return 0
    end = min(floor(Fraction(_proposed(draws, count, level)) * unit), unit - 1)
    while not _is_rare(draws, count, Fraction(end, unit), level):
        end -= 1
    while _is_rare(draws, count, Fraction(end + 1, unit), level):
        end += 1
    return end


def _is_rare(draws: int, count: int, chance: Fraction, level: Fraction) -> bool:
    """Decide whether P(K >= count) is at most a level; a tie is at most."""
    if chance in (0, 1):
        return chance == 0 or level == 1
    for bits in rising(_BITS, 16 * _BITS):
        with precision(bits):
            tail, bound = at_least(draws, count, chance), raw(level)
            if tail <= bound:
                return True
            if tail > bound:
                return False
    if draws > _EXACT:
        raise UndecidedError(f"a tail of {draws} records is too near to what it is compared with")
    terms = (
        comb(draws, k) * chance**k * (1 - chance) ** (draws - k) for k in range(count, draws + 1)
    )
    return sum(terms, Fraction(0)) <= level


def rare_count(draws: int, chance: Fraction, level: Fraction) -> int:
    """Return the least count for which `rarely_at_least` holds; draws + 1 where none does.

    Example: ``rare_count(10, Fraction(1, 2), Fraction(1, 1000))`` is 10.
    """
    mean, high = draws * chance, draws + 1
    low = floor(mean) if level < Fraction(1, 2) else 0  # the tail from there on is 1/2 at least
    near = ceil(mean + isqrt(ceil(draws * -log(level))))  # Hoeffding's bound, not rounded
    if near < high and rarely_at_least(draws, near, chance, level):
        high = near
    while low < high:
        middle = (low + high) // 2
        if rarely_at_least(draws, middle, chance, level):
            high = middle
        else:
            low = middle + 1
    return high


def _proposed(draws: int, count: int, level: Fraction) -> float:
    """The chance at which P(K >= count) is about the level.

    Newton's method for its logarithm as a function of log(chance), which is concave and rises: from
    anywhere the second step is on the safe side of the root, and the others go up to it.
    """
    goal = log(level)
    front = lgamma(draws + 1) - lgamma(count) - lgamma(draws - count + 1)
    at = log(count / (draws + 1))
    for _ in range(_STEPS):
        chance = min(exp(at), 1 - 2.0**-53)
        if not chance:
            return 0.0
        with precision(_BITS):
            tail = float(at_least(draws, count, Fraction(chance)).log().mid())
        rest = (draws - count) * log1p(-chance)
        slope = exp(min(front + count * log(chance) + rest - tail, 700.0))
        step = (goal - tail) / slope if slope else -inf
        at += max(step, -700.0)
        if abs(step) < _CLOSE:
            break
    return exp(min(at, 0.0))
