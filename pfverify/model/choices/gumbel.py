"""How likely one number with Gumbel noise is above others: weights e**(x/scale) over their sum."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from pfverify.errors import InputError
from pfverify.model.choices.integrals import C, ChanceRing, ChoiceChances, Noisy, Side

_ONE_SCALE = "gumbel noise of several scales is not worked out, expected one"


class GumbelChances(ChoiceChances[C]):
    """Gumbel noise of one scale: of any numbers each is the greatest in proportion to its weight.

    Source: design fact F83.
    """

    def __init__(self, ring: ChanceRing[C]) -> None:
        self.ring = ring

    def ordered(self, order: Sequence[Noisy], rest: Sequence[Side]) -> C:
        """Return the chance that each is the greatest of those that are left."""
        if any(of.times != order[0].times for of in (*order, *(side.of for side in rest))):
            raise InputError(f"noise.scale: {_ONE_SCALE}")
        left = [*order, *(side.of for side in rest if side.below)]
        parts = [self._first(of, left[k:]) for k, of in enumerate(order)]
        return reduce(self.product, parts)

    def beside(self, y: Fraction, sides: Sequence[Side]) -> C:
        """Refuse: beside a number without noise there is no such proportion."""
        del y, sides
        raise InputError("post[0]: gumbel noise needs a threshold with gumbel noise of its scale")

    def chance(self, given: Noisy, sides: Sequence[Side]) -> C:
        """Return the chance that all sides hold at y; InputError where more than one is above.

        That one is the greatest of all, and y of the rest.
        """
        if any(side.of.times != given.times for side in sides):
            raise InputError(f"noise.scale: {_ONE_SCALE}")
        above = [side.of for side in sides if not side.below]
        if len(above) > 1:
            raise InputError(
                "post[0]: more than one number above another is not worked out for gumbel noise"
            )
        rest = [given, *(side.of for side in sides if side.below)]
        found = self._first(given, rest)
        return self.product(self._first(above[0], [*above, *rest]), found) if above else found

    def _first(self, chosen: Noisy, numbers: Sequence[Noisy]) -> C:
        """The chance that a number is the greatest of some."""
        ring, top = self.ring, max(of.at for of in numbers)
        one = ring.number(Fraction(1))

        def weight(of: Noisy) -> C:
            return ring.power((top - of.at) * (of.times or 0))

        whole = ring.total([(one, weight(of)) for of in numbers])
        return ring.quotient(weight(chosen), whole)
