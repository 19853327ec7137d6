"""The cells of steps with a `modulo`, which parts numbers: an output may have several cells, and a
cell may come again after every period.

Steps that move numbers to multiples move y + L to what y is moved to, and L more, for every L that
is a multiple of twice their `to` (twice, as halves may go to even ones).  Where the modulus divides
L too what is published repeats after L.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from core.grammar import Malformed
from core.spans import SUPPRESSED
from core.work import spend
from reader.cells import CutLine, Stretch
from reader.steps import Stage, image_of


def turned(
    steps: Sequence[Stage], atoms: Sequence[Fraction], step: Fraction | None,
    bound: Fraction | None, most: int,
) -> tuple[list[Stretch], Fraction | None]:  # fmt: skip
    """The cells, and after how much they come again, if they do."""
    keys = [one.key for one in steps]
    at = keys.index("modulo")
    head, rest = steps[:at], steps[at:]
    if "clamp" in keys[:at]:
        return _named(CutLine(head, atoms[0], atoms[-1], step).every(most), rest), None
    if bound is not None:
        line = CutLine(head, atoms[0] - bound, atoms[-1] + bound, None)
        return _named(line.single(most), rest), None
    if not {"round", "floor", "ceil"}.issuperset(keys[:at]):
        raise Malformed("modulo follows a step that does not repeat")
    period = rest[0].edges[0]
    for unit in [*(2 * one.edges[0] for one in head), *([] if step is None else [step])]:
        spend(64)
        period = Fraction(
            lcm(period.numerator, unit.numerator), gcd(period.denominator, unit.denominator)
        )
    if step is not None:
        if period / step > most:
            raise Malformed("modulo: too many multiples of the step")
        points = [atoms[0] + k * step for k in range(int(period / step))]
        return [Stretch((y, 0), (y, 1), image_of(steps, y)) for y in points], period
    begin, end = (Fraction(0), 0), (period, 0)
    cut = [
        Stretch(max(low or begin, begin), min(high or end, end), output)
        for low, high, output in CutLine(head or rest[1:], begin[0], period, None).single(most)
    ]
    found = [one for one in cut if one.low and one.high and one.low[0] < one.high[0]]
    return _named(found, rest) if head else found, period


def _named(found: Sequence[Stretch], rest: Sequence[Stage]) -> list[Stretch]:
    """The same cells, of which the numbers go through more steps."""
    return [
        one if one.output == SUPPRESSED
        else one._replace(output=image_of(rest, Fraction(one.output)))
        for one in found
    ]  # fmt: skip
