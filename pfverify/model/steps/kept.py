"""What clamps and thresholds leave of a line: parts that keep their density, and single outputs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from pfverify.model.steps.limits import Clamp, Threshold
from pfverify.model.steps.step import Cut, PostStep, piece_of

Limit = Fraction | None
"""An end of a part, None where it has none."""


class Part(NamedTuple):
    """The numbers between two ends, which keep their density (None) or become one output."""

    low: Limit
    high: Limit
    output: str | None


def kept_parts(steps: Sequence[PostStep]) -> list[Part] | None:
    """Return the parts of the line from left to right; None where no number keeps its density.

    Single numbers of a line have no mass, so that it does not matter to which part an end belongs.
    Example: ``kept_parts([Clamp(0, 1)])[1]`` is ``Part(low=Fraction(0, 1), high=Fraction(1, 1),
    output=None)``.
    """
    if not all(isinstance(step, Clamp | Threshold) for step in steps):
        return None
    ends: set[Fraction] = set()
    for step in steps:
        if isinstance(step, Clamp):
            ends |= {step.low, step.high}
        elif isinstance(step, Threshold):
            ends.add(step.at)
    places = sorted(ends)
    limits: list[Limit] = [None, *places, None]
    found: list[Part] = []
    for low, high in pairwise(limits):
        inside = Cut(places[0] - 1) if low is None else Cut(low, after=True)
        image = piece_of(steps, inside).image
        output = None if image is None else str(image)
        if found and found[-1].output == output:
            found[-1] = found[-1]._replace(high=high)
        else:
            found.append(Part(low, high, output))
    return found if any(part.output is None for part in found) else None
