"""What a step says of itself, before the noise or after it; `steps.kinds` lists them.

Steps after the noise never decrease: a larger number never becomes a smaller one, and the symbol
`suppressed` lies below all numbers. So what becomes of a number is told by cuts of the line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from pfverify.exact.common import common_step
from pfverify.model.fixed import Fixed
from pfverify.model.keys import Key, table_of_keys
from pfverify.model.steps.places import FAR, Cut, Integers
from pfverify.model.words import check_keys

SUPPRESSED = "suppressed"
"""What a threshold publishes in place of a number."""
Image = Fraction | str | None
"""What numbers become: one number, one name, or None where they stay what they are."""
Lattice = tuple[Fraction, Fraction] | None
"""A point and the step of a lattice that holds all numbers; None: they are of a line."""


class AnyStep(Fixed, ABC):
    """What is done to a number: to X before the noise, or to what is published.

    Attributes: `key`, its key in a file; `keys`, what its table there may have. Where it has
    another form than a table it says so itself.
    """

    key: ClassVar[str]
    keys: ClassVar[tuple[Key, ...]] = ()

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the definition of its value in the published schema."""
        return table_of_keys(cls.keys)

    @classmethod
    def from_value(cls, value: Any) -> AnyStep:
        """Return the step of a value that the schema accepts; InputError naming what is wrong."""
        check_keys(value, [key.name for key in cls.keys])
        return cls(**value)

    def canonical(self) -> Any:
        """Return its value with every number as exact text."""
        return {key.name: key.text(getattr(self, key.name)) for key in self.keys}

    @property
    @abstractmethod
    def words(self) -> str:
        """What it does, in a few words."""

    @abstractmethod
    def apply(self, number: Fraction) -> Fraction | str:
        """Return what becomes of one number."""


class PostStep(AnyStep):
    """What is done to a noisy number before it is published.

    Attributes: `cuts` of the line, from left to right, None where they are without end, and the
    `images` of the parts between them; `naming`, whether these are names, after which nothing can
    follow; `wraps`, whether larger numbers may become smaller ones; `period`, after how much the
    step repeats, None where it does not; `numbers`, of which a common denominator is one of all
    cuts and images; `reach`, how far from 0 it moves a number at most, or has a cut or an image.
    """

    naming: ClassVar[bool] = False
    wraps: ClassVar[bool] = False
    cuts: tuple[Cut, ...] | None = None
    images: tuple[Image, ...] = ()
    period: Fraction | None = None
    numbers: Sequence[Fraction]
    reach: Fraction

    @property
    def hides(self) -> bool:
        """Whether it suppresses numbers: they lie below all others."""
        return self.images[:1] == (SUPPRESSED,)

    def ends(self, side: int) -> bool:
        """Say whether it makes one of all numbers far out, to the left (-1) or right (1)."""
        return bool(self.images) and self.images[-1 if side > 0 else 0] is not None

    @abstractmethod
    def most(self, width: Fraction) -> int | None:
        """Return a bound of the number of outputs that numbers of such a width have, None: none."""

    @abstractmethod
    def lattice(self, found: Lattice) -> Lattice:
        """Return a lattice of what becomes of the numbers of one, or of a line."""

    # ---------------------------------------------------------------- cuts over a unit

    def image(self, cuts: Any, unit: int) -> Any:
        """Return what becomes of the numbers behind a cut, or many; what is suppressed stays so.

        Many are a sorted array, here and below.
        """
        if isinstance(cuts, float):
            return cuts
        found = self.moved(cuts, unit)
        if isinstance(cuts, int):
            return found
        import numpy as np

        return np.where(cuts == -FAR, -FAR, found)

    @abstractmethod
    def moved(self, cuts: Any, unit: Any) -> Any:
        """Return what becomes of the numbers behind a cut, or many, as the cuts before it."""

    @abstractmethod
    def before(self, cuts: Any, unit: int) -> Any:
        """Return the cut before which numbers become something before a cut, or many.

        -inf: none do, or what is suppressed alone; inf: all. In arrays these are beyond `LARGEST`.
        """

    @abstractmethod
    def breaks(self, first: int, last: int, unit: int) -> Integers:
        """Return its cuts from the begin of the run behind `first` to the end of that of `last`.

        There may be more.
        """


def published(steps: Sequence[PostStep], number: Fraction) -> str:
    """Return the output that one number becomes.

    Example: ``published([], Fraction(1, 2))`` is ``"1/2"``.
    """
    image: Fraction | str = number
    for step in steps:
        if isinstance(image, Fraction):
            image = step.apply(image)
    return str(image)


def common_lattice(numbers: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return a lattice that holds some numbers: the first, and the largest step.

    Example: ``common_lattice([Fraction(1), Fraction(3), Fraction(7)])[1]`` is 2.
    """
    first, *others = numbers
    return first, common_step(x - first for x in others) or Fraction(1)
