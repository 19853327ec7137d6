"""What a step says of itself, before the noise or after it; `steps.kinds` lists them.

Steps after the noise never decrease: a larger number never becomes a smaller one, and the symbol
`suppressed` lies below all numbers. So what becomes of a number is told by cuts of the line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple

from pfverify.model.fixed import Fixed

SUPPRESSED = "suppressed"
"""What a threshold publishes in place of a number."""


class Cut(NamedTuple):
    """A cut of the line: before a number, or `after` it. Cuts compare by their place."""

    at: Fraction
    after: bool = False


End = Cut | None
"""A cut, or None: the end of the line."""
Before = Cut | None | Literal[False]
"""The cut before which something holds: nowhere (False), everywhere (None)."""
Image = Fraction | str | None
"""What numbers become: one number, one name, or None where they stay what they are."""


class Stretch(NamedTuple):
    """Where a run of numbers ends, and what becomes of them."""

    end: End
    image: Image


class AnyStep(Fixed, ABC):
    """What is done to a number: to X before the noise, or to what is published.

    Attribute: `key`, its key in a file.
    """

    key: ClassVar[str]

    @classmethod
    @abstractmethod
    def schema(cls) -> dict[str, Any]:
        """Return the definition of its value in the published schema."""

    @classmethod
    @abstractmethod
    def from_value(cls, value: Any) -> AnyStep:
        """Return the step of a value that the schema accepts; InputError naming what is wrong."""

    @abstractmethod
    def canonical(self) -> Any:
        """Return its value with every number as exact text."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What it does, in a few words."""

    @abstractmethod
    def apply(self, number: Fraction) -> Fraction | str:
        """Return what becomes of one number."""


class PostStep(AnyStep):
    """What is done to a noisy number before it is published.

    Attribute: `naming`, whether its outputs are names, after which nothing can follow.
    """

    naming: ClassVar[bool] = False

    @abstractmethod
    def piece(self, start: Cut) -> Stretch:
        """Return how far the numbers behind a cut share what becomes of them, and what that is."""

    @abstractmethod
    def pulled(self, cut: Cut) -> Before:
        """Return the cut before which numbers become something before `cut`.

        False: none do; None: all.
        """

    @property
    @abstractmethod
    def reach(self) -> Fraction:
        """How far from 0 it moves a number at most, or has an end of what it publishes."""

    @property
    def hides(self) -> End:
        """The cut before which numbers are suppressed; None: nothing is."""
        return None

    def apply(self, number: Fraction) -> Fraction | str:
        """Return what becomes of one number."""
        image = self.piece(Cut(number)).image
        return number if image is None else image


def piece_of(steps: Sequence[PostStep], start: Cut) -> Stretch:
    """Return how far the numbers behind a cut share what all the steps make of them.

    Example: ``piece_of([], Cut(Fraction(0))).image`` is None: numbers stay what they are.
    """
    end: End = None
    image: Image = None
    for step in steps:
        if image is None:
            found = step.piece(start)
            image = found.image
            if found.end is not None and (end is None or found.end < end):
                end = found.end
        elif isinstance(image, Fraction):
            image = step.apply(image)
    return Stretch(end, image)


def pulled_through(steps: Sequence[PostStep], cut: Cut) -> Before:
    """Return the cut before which numbers become something before `cut`; as `PostStep.pulled`."""
    found: Before = cut
    for step in reversed(steps):
        if isinstance(found, Cut):
            found = step.pulled(found)
    return found


def published(steps: Sequence[PostStep], number: Fraction) -> str:
    """Return the output that one number becomes.

    Example: ``published([], Fraction(1, 2))`` is ``"1/2"``.
    """
    image: Fraction | str = number
    for step in steps:
        if isinstance(image, Fraction):
            image = step.apply(image)
    return str(image)


def hidden_before(steps: Sequence[PostStep]) -> Before:
    """Return the cut before which numbers are suppressed in the end; False: none, None: all."""
    last: Before = False
    for k, step in enumerate(steps):
        if step.hides is None or last is None:
            continue
        found = pulled_through(steps[:k], step.hides)
        if found is None or (isinstance(found, Cut) and (last is False or found > last)):
            last = found
    return last
