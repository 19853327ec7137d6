"""Where the tails and the cells of a law on the line end: floats, chosen from the law alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pfverify.exact.ball import precision
from pfverify.laws.atoms import NoisyAtoms
from pfverify.laws.law import AtPrecision, Law

_BITS = 256
_CELLS = 16
_FAR = 48  # beyond 2**-48 next to nothing lies
_NEAR = 1e-4  # of a tail's mass, that it may be off
_HALVINGS, _LARGEST = 80, 1e300
_AROUND = 4  # lattice points on either side of the middle that are cells of their own


@dataclass(frozen=True)
class Quantiles:
    """Edges between parts of the line.

    `tails`: where the lower and the upper tail of mass about 2**-k end and begin, k = 2, 3, ...;
    `cells`: the edges between cells of about equal mass; `edges`: all of them, ascending.
    """

    tails: list[tuple[float, float]]
    cells: list[float]
    edges: list[float]


def quantiles(law: Law[Fraction], draws: int) -> Quantiles:
    """Return edges for so many draws: tails down to 1/draws, one far tail, and 16 cells.

    On a lattice every edge lies between two of its points.
    """
    powers = [*range(2, draws.bit_length() + 2), _FAR]
    with precision(_BITS):
        at = law.at_precision()
        place = _snapped(law)
        lower = [place(_quantile(at, 2.0**-k, upper=False)) for k in powers]
        upper = [place(_quantile(at, 2.0**-k, upper=True)) for k in powers]
        middle = _quantile(at, 0.5, upper=False)
        cells = sorted(
            {place(_quantile(at, min(k, _CELLS - k) / _CELLS, upper=2 * k > _CELLS))
             for k in range(1, _CELLS)}
        )  # fmt: skip
    around = []
    if law.step is not None:
        around = [place(middle + float(k * law.step)) for k in range(-_AROUND, _AROUND + 1)]
    edges = sorted({*lower, *upper, *cells, *around})
    return Quantiles(list(zip(lower, upper, strict=True)), cells, edges)


def _snapped(law: Law[Fraction]) -> Callable[[float], float]:
    """What moves an edge off the points of a lattice: to the middle between two of them."""
    step = law.step
    if step is None or not isinstance(law, NoisyAtoms):
        return lambda y: y
    return lambda y: float(law.lattice_point(Fraction(y)) + step / 2)


def _quantile(at: AtPrecision[Any], mass: float, *, upper: bool) -> float:
    """A float below which (`upper`: above which) about this mass lies: a proposal, by halving."""

    def excess(y: float) -> float:
        """Rises with y: below 0 where too little lies below, or too much above."""
        below = at.below(Fraction(y))
        return mass - float((1 - below).mid()) if upper else float(below.mid()) - mass

    low, high = -1.0, 1.0
    while excess(high) < 0 and high < _LARGEST:
        low, high = high, 2 * high
    while excess(low) >= 0 and low > -_LARGEST:
        low, high = 2 * low, low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = excess(middle)
        if abs(found) < _NEAR * mass:
            return middle
        low, high = (middle, high) if found < 0 else (low, middle)
    return high
