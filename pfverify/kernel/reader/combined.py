"""Laws of outputs that are made of laws: by a matrix, and independent outputs together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from core.grammar import Malformed
from core.masses import Outputs, Tuples, masses_of, outputs_of, total_of
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
