"""Laws of a number with (discrete, or truncated) Laplace noise on a line: see `sweep`."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from core.enclose import Interval
from core.grammar import Malformed, canonical, shown
from core.kinds import Prior
from core.rules import Goal, Rejected, Step
from core.shapes import array, canonical_rational
from core.zero import NIL, Sum, times

if TYPE_CHECKING:
    from core.protocols import Noise
    from core.spans import Part

NOTHING = Fraction(0)


class Noisy(NamedTuple):
    """A law of X, the noise that is added, and what becomes of the sum."""

    atoms: Prior  # in order
    noise: Noise
    nothing: Fraction  # the mass of no row, which is suppressed
    parts: tuple[Part, ...]  # of the line, from left to right; none: all of it keeps its density
    known: dict[int, list[Interval]]  # the masses of all parts, by precision

    def whole(self) -> Sum:
        """All mass, in the unit of masses: kappa, less what noise with a bound has not."""
        noise = self.noise
        if noise.step is not None:
            half = noise.decay(noise.step / 2)
            return {half: Fraction(1), times(half, -Fraction(1)): Fraction(1)}
        two = Fraction(2)
        return {NIL: two} if noise.bound is None else {NIL: two, noise.decay(noise.bound): -two}


Lines = Goal[Noisy, object]


def noisy(atoms: Prior, noise: Noise, nothing: Fraction = NOTHING,
          parts: tuple[Part, ...] = ()) -> Noisy:  # fmt: skip
    """Such a law."""
    return Noisy(atoms, noise, nothing, parts, {})


def claimed_ties(step: Step, points: Collection[Fraction], what: str) -> set[Fraction]:
    """The ties that a step claims: some of the points, in increasing order."""
    ties = [canonical_rational(x, "a tie") for x in array(step["ties"], "ties")]
    if any(a >= b for a, b in pairwise(ties)):
        raise Malformed("ties must increase")
    for x in ties:
        if x not in points:
            raise Rejected(f"the tie {shown(canonical(x))} is not {what}")
    return set(ties)
