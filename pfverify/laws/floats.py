"""Laws as floats, with a bound of how far they are off."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from pfverify.exact.ball import precision
from pfverify.exact.rising import rising
from pfverify.laws.law import Law, Y

_BITS = 96
_LAST_BITS = 1 << 13
_RIGHT = 2.0**-50


def log_weights(law: Law[Y], places: Sequence[Y]) -> list[float]:
    """Return the logarithm of the density or mass at every place, -inf where it is 0.

    Each is off by at most 2**-49 of itself, or of 1. Raises UndecidedError where a mass is not told
    from 0.
    """
    found = {y: -inf for y in places if law.known_weight(y) == 0}
    for bits in rising(_BITS, _LAST_BITS, why="a density or mass is not told from 0"):
        with precision(bits):
            at = law.at_precision()
            for y in places:
                if y not in found:
                    log = at.weight(y).log()
                    if log.rad() <= _RIGHT * (1 + abs(log)):
                        found[y] = float(log.mid())
        if len(found) == len(set(places)):
            break
    return [found[y] for y in places]
