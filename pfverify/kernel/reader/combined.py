"""Laws of outputs that are made of laws: by a matrix, and independent outputs together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, factorial, prod
from operator import mul
from typing import Any

from core.grammar import Malformed
from core.kinds import Mass
from core.masses import ONE, Outputs, Tuples, masses_of, outputs_of, total_of
from core.shapes import MAX_COMMON_BITS, common_denominator
from core.work import product, spend
from reader.by_secret import Made

KEPT = 4_000_000  # masses of laws that are kept


def through(law: Outputs, rows: Sequence[Outputs]) -> Outputs:
    """The law of what a matrix makes of a law: the sum of its masses times the rows."""
    used = [(w, row) for w, row in zip(masses_of(law), rows, strict=True) if w != 0]
    if len(used) == 1 and used[0][0] == 1:
        return used[0][1]
    parts = [w / row.whole for w, row in used if isinstance(w, Fraction) and row.whole]
    if len(parts) < len(used):
        columns = zip(*(masses_of(row) for _, row in used), strict=True)
        return outputs_of([
            total_of((w, m) for (w, _), m in zip(used, column, strict=True) if m != 0)
            for column in columns
        ])  # fmt: skip
    whole, size = common_denominator(parts, "masses"), len(used[0][1].counts)
    spend(len(used) * size * (1 + product(whole.bit_length())))
    sums = [0] * size
    for part, (_, row) in zip(parts, used, strict=True):
        factor = part.numerator * (whole // part.denominator)
        sums = [s + factor * n if n else s for s, n in zip(sums, row.counts, strict=True)]
    return Outputs(whole, tuple(sums), ())


def independent(laws: Sequence[Outputs]) -> Outputs:
    """The law of independent outputs together, that of the last law changing first."""
    found = Outputs(1, (1,), ())
    for law in laws:
        whole = found.whole * law.whole
        if whole.bit_length() > MAX_COMMON_BITS:
            raise Malformed("a common denominator that is too long")
        size = len(found.counts or found.masses) * len(law.counts or law.masses)
        spend(size * (8 + product(whole.bit_length())))
        if whole:
            found = Outputs(whole, tuple(n * m for n in found.counts for m in law.counts), ())
        else:
            one, other = masses_of(found), masses_of(law)
            found = outputs_of([total_of([(x, y)]) for x in one for y in other])
    return found


Counts = tuple[tuple[int, int], ...]  # outputs by their places, and how often each came


def counts(outputs: int, copies: int, most: int, what: str) -> list[Counts]:
    """How often each of some outputs can come of some copies, most of the first at first; Malformed
    for more than `most`."""
    size = comb(copies + outputs - 1, min(copies, outputs - 1))
    if size > most:
        raise Malformed(f"{what}: more than {most} counts")
    spend(16 * size * min(copies, outputs))
    if copies < outputs:
        drawn = combinations_with_replacement(range(outputs), copies)
        return [tuple(Counter(each).items()) for each in drawn]
    whole, found = copies + outputs - 1, list[Counts]()
    for bars in combinations(range(whole), outputs - 1):  # between what one has and what the next
        gaps = [high - low - 1 for low, high in pairwise((-1, *bars, whole))]
        found.append(tuple((k, n) for k, n in enumerate(reversed(gaps)) if n))
    return found


def counted(law: Outputs, copies: int, found: Sequence[Counts]) -> Outputs:
    """The law of how often each output came of independent copies.  Whatever the law, all orders
    of the same counts have one mass, and are joined (F84)."""
    bits = copies * max(1, law.whole.bit_length())
    if bits > MAX_COMMON_BITS:
        raise Malformed("masses of copies that are too long")
    spend(len(found) * (8 + product(bits)))
    ways = [factorial(copies) // prod(factorial(n) for _, n in each) for each in found]
    if law.whole:
        above = (prod(law.counts[k] ** n for k, n in each) for each in found)
        return Outputs(law.whole**copies, tuple(map(mul, ways, above)), ())
    from core import quotients

    tops, below = quotients.over_one(masses_of(law))
    powers: list[list[Mass]] = [[ONE, x] for x in [*tops, below]]
    for power in powers:
        for _ in range(copies - 1):
            power.append(total_of([(power[-1], power[1])]))
    masses = list[Mass]()
    for n, each in zip(ways, found, strict=True):
        mass: Mass = Fraction(n)
        for k, times in each:
            mass = total_of([(mass, powers[k][times])])
        masses.append(total_of([(mass, powers[-1][copies])]))
    return outputs_of(masses)


Hidden = tuple[int, tuple[Fraction, ...]]  # among so many dummies, and the masses of one


def lifted(
    rows: Mapping[Any, Outputs], names: tuple[str, ...],
    priors: Mapping[str, Mapping[Any, Fraction]], hidden: Hidden | None = None,
) -> Made:  # fmt: skip
    """Secret -> the law of the named outputs, of which each input has a row, when the input has the
    secret's prior."""

    def law(secret: str) -> Outputs | Tuples:
        used = {x: m for x, m in priors[secret].items() if m}
        found = through(outputs_of([*used.values()]), [rows[x] for x in used])
        found = found._replace(names=names)
        return found if hidden is None else Tuples(found, *hidden)

    return Made(priors, law, KEPT // len(names))
