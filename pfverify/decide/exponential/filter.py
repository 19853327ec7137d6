"""A float64 pass with a proved error bound: it only clears atoms that cannot be the worst.

An atom whose computed ratio is smaller than the largest by more than three error bounds is not the
largest. The rest go to balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pfverify.decide.exponential.pair import Pair
from pfverify.exact.ball import Ball, Raw, raw_float

if TYPE_CHECKING:
    from pfverify.laws.sweep.lattice import Ratios

_MOST = 64  # more candidates than this and the ball pass over all atoms is cheaper


@dataclass(frozen=True)
class Survivors:
    """The atoms (indices) that may carry the largest log ratio of one order.

    `loss` encloses the ratio's logarithm at the one where floats find it largest.
    """

    atoms: list[int]
    loss: Ball


def surviving_atoms(pair: Pair, rate: Raw) -> tuple[Survivors, Survivors] | None:
    """Return the atoms that may be worst in either order, or None where the pass does not apply.

    It applies to atoms on a lattice that is not much larger, whose sums stay far from underflow,
    unless there are few of them.
    """
    found = pair.float_ratios(rate)
    return None if found is None else survivors_of(found)


def survivors_of(found: Ratios) -> tuple[Survivors, Survivors] | None:
    """Return the atoms that may be worst in either order, or None where they are many."""
    import numpy as np

    ratio, error = found.ratio, found.error
    largest, smallest = float(ratio.max()), float(ratio.min())
    high = np.flatnonzero(ratio >= largest * (1 - 3 * error))
    low = np.flatnonzero(ratio <= smallest * (1 + 3 * error))
    if max(len(high), len(low)) > _MOST:
        return None
    off = raw_float(error)
    around = off.union(-off)
    return (
        Survivors(high.tolist(), Ball(raw_float(largest).log() + around)),
        Survivors(low.tolist(), Ball(around - raw_float(smallest).log())),
    )
