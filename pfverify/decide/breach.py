"""Where a refuted target fails, in exact numbers: what a result writes as its witness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pfverify.exact.ball import Raw
from pfverify.exact.no_truth import NoTruth

Place = Fraction | str
"""An output; "-inf" and "inf" are the limits of the tails."""
Margin = Fraction | Raw | float
"""By how much: exactly, or a ball; a float only where it is infinite."""
Span = tuple[Place, Place]
"""All outputs from one to another, both included."""


class Boxes(NamedTuple):
    """So many cells of a grid with these more places on each axis: those that exceed."""

    number: int
    cuts: Sequence[Sequence[Fraction]]


class WithRest(NamedTuple):
    """One of the releases of X, where what is added to a part of X is a number, the `rest`."""

    release: int
    rest: Fraction


class Direction(NamedTuple):
    """The sum of all outputs, each with a weight."""

    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class Breach(NoTruth, ask="use `is None`"):
    """An output or an event at which the bound fails by more than 0, and the rule that says so.

    `margin` is exact, or a ball that is proved to be positive. One of the others is given: an
    output `y`, or an `event` of intervals; of named outputs one `output`, or a set of `outputs`;
    of tuples the `growth` above which the ratio of the masses is ("inf": where it is infinite).
    Where steps keep densities an event may have both: intervals of densities, and single `outputs`,
    which the ends of intervals are not; `noisy` are then the numbers before the steps. Of several
    numbers it is a `point`, or those `cells` that exceed.
    `release` is the one of several releases that fails by itself; `parts` are what each kind of
    fresh release exceeds; `part` the coordinates, or the release, that fail behind steps, maybe
    with a number added to X, or a sum of the outputs. `far`: where the rest of X is so large that
    no step behind it acts.
    `labels` are what a step says of outputs of all releases together, of which those with larger
    sums of labels fail. Where a divergence is too large nothing but the margin is given, and its
    `order` where those of all orders are bounded.
    """

    rule: str
    margin: Margin
    y: Fraction | None = None
    event: Sequence[Span] | None = None
    output: str | None = None
    outputs: Sequence[str] | None = None
    growth: Place | None = None
    noisy: Sequence[Span] | None = None
    point: tuple[Fraction, ...] | None = None
    cells: Boxes | None = None
    release: int | None = None
    parts: Sequence[tuple[str, Breach]] | None = None
    part: Sequence[str] | int | WithRest | Direction | None = None
    far: bool = False
    labels: Mapping[str, Any] | None = None
    order: Place | None = None


def no_gap() -> None:
    """Return the margin that there is where nothing exceeds: none."""


def proved(margin: Raw) -> bool:
    """Say whether a ball is proved to be positive, and has an end.

    Example: ``proved(raw(1) / 3)`` is True.
    """
    return bool(margin > 0 and margin.is_finite())
