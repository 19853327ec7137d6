"""What steps with `modulo` publish: cells that become one output together, or come again and again.

Steps before it that move numbers to multiples, and the steps of the lattice, repeat after a common
multiple of all of them and of the modulus: cells in one period say it all. After a clamp they are
finitely many anyway, and so they are where the noise has a bound.
Source: design fact F49.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from pfverify.errors import InputError
from pfverify.model.steps.cells import every_cell, single_cells
from pfverify.model.steps.chain import Cell
from pfverify.model.steps.places import Cut
from pfverify.model.steps.step import SUPPRESSED, PostStep, published


def turned_cells(
    steps: Sequence[PostStep],
    atoms: Sequence[Fraction],
    lattice: Fraction | None,
    reach: Fraction | None,
    most: int,
) -> tuple[list[Cell], Fraction | None]:
    """Return cells with what they are published as, and after how much they come again.

    That is None where they do not. An output may have several cells. `reach`: how far the noise
    goes, None where it has no end. Raises InputError as `cells`, and for other orders of steps.
    """
    at = next(k for k, step in enumerate(steps) if step.wraps)
    before, rest = steps[:at], steps[at:]
    first, last = atoms[0], atoms[-1]
    if all(any(step.ends(side) for step in before) for side in (-1, 1)):
        return _named(every_cell(before, first, last, lattice, most), rest), None
    if reach is not None:
        found = single_cells(before, first - reach, last + reach, lattice, most)
        return _named(found, rest), None
    periods = [step.period for step in steps[: at + 1] if step.period is not None]
    if len(periods) <= at:
        raise InputError(
            f"post[{at}]: modulo follows a threshold, which is not worked out; expected it first, "
            "or after round, floor, ceil or a clamp"
        )
    period = _common([*periods, *([lattice] if lattice else [])])
    if lattice is not None:
        count = int(period / lattice)
        if count > most:
            raise InputError(f"post[{at}]: modulo leaves {count} outputs, expected at most {most}")
        points = [first + k * lattice for k in range(count)]
        return [Cell(Cut(y), Cut(y, after=True), published(steps, y)) for y in points], period
    if before:
        return _named(_within(single_cells(before, Fraction(0), period, None, most), period),
                      rest), period  # fmt: skip
    return _within(single_cells(rest[1:], Fraction(0), period, None, most), period), period


def _named(found: Sequence[Cell], rest: Sequence[PostStep]) -> list[Cell]:
    """The same cells, of which the numbers go through more steps."""
    return [
        cell if cell.output == SUPPRESSED
        else cell._replace(output=published(rest, Fraction(cell.output)))
        for cell in found
    ]  # fmt: skip


def _within(found: Sequence[Cell], period: Fraction) -> list[Cell]:
    """What lies in the first period of cells that follow each other."""
    start, end = Cut(Fraction(0)), Cut(period)
    cut = [
        (max(cell.low or start, start), min(cell.high or end, end), cell.output) for cell in found
    ]
    return [Cell(low, high, output) for low, high, output in cut if low.at < high.at]


def _common(values: Sequence[Fraction]) -> Fraction:
    """The least common multiple of numbers > 0."""
    return Fraction(lcm(*(x.numerator for x in values)), gcd(*(x.denominator for x in values)))
