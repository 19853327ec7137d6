"""What clamps and thresholds leave of a law on the line: a density in parts, and single outputs.

Source: design fact F45.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.exact.ball import Raw, raw
from pfverify.laws.law import AtPrecision, Law, Weight
from pfverify.model.steps.chain import Limit, Part
from pfverify.model.steps.step import SUPPRESSED

NumberOrName = Fraction | str
"""A number that keeps its density, or the name of a single output."""


class KeptLaw(Law[NumberOrName]):
    """The law of a number with noise behind steps that keep its density in part.

    Attributes: `noisy`, the law of that number where there is a row, None where there never is one;
    `chance`, how likely a row is; `parts` of the line, from left to right.
    """

    forms = ()  # what is written out of a `forms.Behind`, as which it is compared
    no_density = None
    no_mass = "the released law has single outputs beside a density"
    no_order = "what is suppressed is no number"

    def __init__(
        self, noisy: Law[Fraction] | None, chance: Fraction, parts: Sequence[Part]
    ) -> None:
        self.noisy, self.chance, self.parts = noisy, chance, tuple(parts)

    @property
    def singles(self) -> list[Part]:
        """The single outputs from left to right, each with the numbers that become it.

        What no row is published as is there too, even if no number is suppressed.
        """
        found = [part for part in self.parts if part.output is not None]
        if self.chance < 1 and all(part.output != SUPPRESSED for part in found):
            found.insert(0, Part(None, None, SUPPRESSED))
        return found

    @property
    def marks(self) -> list[Fraction]:
        """Those of the number with noise, and where parts end."""
        ends = [end for part in self.parts for end in (part.low, part.high) if end is not None]
        return [*ends, *([] if self.noisy is None else self.noisy.marks)]

    def width(self, variance: Fraction) -> Raw:
        """Return that of the number with noise."""
        return raw(1) if self.noisy is None else self.noisy.width(variance)

    def keeps(self, y: Fraction) -> bool:
        """Say whether a number keeps its density, ends of parts included."""
        return any(
            part.output is None
            and (part.low is None or part.low <= y) and (part.high is None or y <= part.high)
            for part in self.parts
        )  # fmt: skip

    def within(self, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
        """Return the ends of what an interval shares with the part that keeps its density.

        That is the end of the part next to it, twice, where they share nothing.
        """
        part = next(part for part in self.parts if part.output is None)
        a, b = (
            min(max(end, end if part.low is None else part.low), end if part.high is None
                else part.high) for end in (low, high)
        )  # fmt: skip
        return a, b

    def part_of(self, name: str) -> Part | None:
        """Return the numbers that become a single output, None where none do."""
        return next((part for part in self.parts if part.output == name), None)

    def at_precision(self) -> _KeptAtPrecision:
        """Return densities and masses at the current precision."""
        return _KeptAtPrecision(self)

    def known_weight(self, y: NumberOrName) -> Fraction | None:
        """Return the density, or the mass, where it is rational at sight."""
        if isinstance(y, Fraction):
            if self.noisy is None or not self.keeps(y):
                return Fraction(0)
            known = self.noisy.known_weight(y)
            return None if known is None else known * self.chance
        part, hidden = self.part_of(y), (1 - self.chance) * (y == SUPPRESSED)
        if part is None or self.noisy is None:
            return hidden
        low, high = self._below(part.low, 0), self._below(part.high, 1)
        return None if low is None or high is None else hidden + self.chance * (high - low)

    def _below(self, end: Limit, far: int) -> Fraction | None:
        if end is None or self.noisy is None:
            return Fraction(far)
        return self.noisy.known_below(end)


class _KeptAtPrecision(AtPrecision[NumberOrName]):
    def __init__(self, law: KeptLaw) -> None:
        self.law = law
        self.noisy = None if law.noisy is None else law.noisy.at_precision()

    def weight(self, y: NumberOrName) -> Weight:
        """Return the density at a number, or the mass of a single output."""
        chance = raw(self.law.chance)
        if isinstance(y, Fraction):
            if self.noisy is None or not self.law.keeps(y):
                return Weight(raw(0), raw(0))
            found = self.noisy.weight(y)
            return Weight(found.offset, found.size * chance)
        part, mass = self.law.part_of(y), raw(0)
        if part is not None:
            mass = chance * (self._noisy_below(part.high, 1) - self._noisy_below(part.low, 0))
        if y == SUPPRESSED:
            mass += 1 - chance
        return Weight(raw(0), mass)

    def _noisy_below(self, end: Limit, far: int) -> Raw:
        if self.noisy is None:
            return raw(0)
        return raw(far) if end is None else self.noisy.below(end)

    def below(self, y: NumberOrName) -> Raw:
        """Refuse: raises InputError, since what is suppressed has no place in an order."""
        raise InputError(f"y: {self.law.no_order}")
