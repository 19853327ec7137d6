"""Laws of a number with (discrete, or truncated) Laplace noise on a line: see `sweep`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from core.enclose import Interval
from core.kinds import LAWS, Prior
from core.rules import Goal
from core.zero import NIL, Sum

if TYPE_CHECKING:
    from core.interfaces import Noise
    from core.spans import Part

NOTHING = Fraction(0)


class Noisy(NamedTuple):
    """A law of X, the noise that is added, and what becomes of the sum."""

    atoms: Prior  # in order
    noise: Noise
    nothing: Fraction  # the mass of no row, which is suppressed
    parts: tuple[Part, ...]  # of the line, from left to right; none: all of it keeps its density
    known: dict[int, list[Interval]]  # the masses of all parts, by precision

    @property
    def law_of_x(self) -> Prior:
        """It, without what becomes of it, or is known of that."""
        return self.atoms


Lines = Goal[Noisy, object]
LAWS[Noisy] = "kept"


def noisy(atoms: Prior, noise: Noise, nothing: Fraction = NOTHING,
          parts: tuple[Part, ...] = ()) -> Noisy:  # fmt: skip
    """Such a law."""
    return Noisy(atoms, noise, nothing, parts, {})


def all_mass(law: Noisy, other: Noisy | None = None) -> Sum:
    """All mass, in the unit of exact masses: kappa, less what noise with a bound has not; in a
    window the product of 2 C(x) over the atoms of both laws."""
    noise, two = law.noise, Fraction(2)
    if noise.window is not None:
        from core.window import others

        return others(noise, {**law.atoms, **(other.atoms if other else {})})
    if noise.step is not None:
        return {noise.decay(x): Fraction(1) for x in (noise.step / 2, -noise.step / 2)}
    return {NIL: two} if noise.bound is None else {NIL: two, noise.decay(noise.bound): -two}
