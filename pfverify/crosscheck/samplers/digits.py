"""Kinds of events about the digits of outputs: each sorts floats into classes, and names them.

A kind says nothing of a law. Which of its classes make an event is chosen in `leaks`, from draws.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from pfverify.crosscheck.samplers.floats import (
    ZERO,
    Codes,
    Floats,
    fraction,
    lowest_bit,
    multiple,
    on_coarse_lattice,
    reachable,
    significand,
    size,
)

_SHOWN = 3
_LAST = 8  # of the binary digits
_WIDE = 1 << 13  # more than any exponent of a float, `ZERO` included
_PLACES = 8  # values of X that outputs are traced to, at most
_COMMON = 52  # no float has more trailing zeros among its digits


class DigitKind(ABC):
    """A way to sort finite floats into classes by their digits.

    `name`: what is looked at, in words; `single`: whether a class is so small that one draw in it
    says something, as that a float was drawn before.
    """

    name: ClassVar[str]
    single: ClassVar[bool] = False

    @abstractmethod
    def codes(self, y: Floats) -> Codes:
        """Return the class of each float."""

    @abstractmethod
    def word(self, code: int) -> str:
        """Return a class in words, as in ``"2^-53"``."""

    def words(self, codes: Sequence[int]) -> str:
        """Return several classes in words: some of them, and how many more."""
        more = len(codes) - _SHOWN
        shown = [self.word(code) for code in codes[:_SHOWN]]
        return " or ".join([*shown, *([f"{more} more"] if more > 0 else [])]) or "nothing"


class LowestBit(DigitKind):
    """Of which power of two an output is an odd multiple."""

    name = "lowest bit"

    def codes(self, y: Floats) -> Codes:
        """Return the exponent of the lowest bit."""
        return lowest_bit(y)

    def word(self, code: int) -> str:
        """Return the power of two."""
        return "y = 0" if code == ZERO else f"lowest bit {_power(code)}"


class SizeAndLowestBit(DigitKind):
    """The highest and the lowest bit: how finely outputs of a size are spread."""

    name = "size and lowest bit"

    def codes(self, y: Floats) -> Codes:
        """Return both exponents as one number."""
        return (size(y) + _WIDE // 2) * _WIDE + lowest_bit(y) + _WIDE // 2

    def word(self, code: int) -> str:
        """Return both powers of two."""
        high, low = (part - _WIDE // 2 for part in divmod(code, _WIDE))
        if high == ZERO:
            return "y = 0"
        return f"{_power(high)} <= |y| < {_power(high + 1)} with lowest bit {_power(low)}"


class LastDigits(DigitKind):
    """The last eight binary digits, before those that are 0 in all the outputs that it learns from.

    Of draws in float32 these are the last of the 24 that there are.
    """

    name = "last eight binary digits"

    def __init__(self, learned: Floats) -> None:
        """Take outputs of the half on which events are chosen."""
        every = int(np.bitwise_or.reduce(significand(learned), initial=0))
        self._shift = (every & -every).bit_length() - 1 if every else _COMMON

    def codes(self, y: Floats) -> Codes:
        """Return those digits as a number."""
        return (significand(y) >> self._shift) & ((1 << _LAST) - 1)

    def word(self, code: int) -> str:
        """Return the digits."""
        return f"digits {code:0{_LAST}b} from 2^{self._shift} of the last place on"


class Traced(DigitKind):
    """What is said of an output for each of some values of X, as one bit for each."""

    def __init__(self, places: Sequence[float], scale: float) -> None:
        """Take values that X may have, of which so many count, and the scale of the noise."""
        self._places, self._scale = list(places[:_PLACES]), scale

    def word(self, code: int) -> str:
        """Return from which values, and from which not."""
        yes = [repr(x) for k, x in enumerate(self._places) if code >> k & 1]
        no = [repr(x) for k, x in enumerate(self._places) if not code >> k & 1]
        parts = [f"from {', '.join(yes)}"] * bool(yes) + [f"not from {', '.join(no)}"] * bool(no)
        return f"{self.name}: {' but '.join(parts)}"


class Reachable(Traced):
    """From which values of X the textbook sampler reaches an output."""

    name = "floats that are reachable by scale * log(U)"

    def codes(self, y: Floats) -> Codes:
        """Return a bit for each value."""
        found = np.zeros(y.shape, dtype=np.int64)
        for k, x in enumerate(self._places):
            found |= reachable(y, x, self._scale).astype(np.int64) << k
        return found


class ScaleMultiples(Traced):
    """Whether (y - x) / scale is a float without rounding, and whether on a coarse lattice."""

    name = "floats that are multiples of the scale"

    def codes(self, y: Floats) -> Codes:
        """Return two bits for each value: a multiple; on the lattice."""
        count, found = len(self._places), np.zeros(y.shape, dtype=np.int64)
        for k, x in enumerate(self._places):
            found |= multiple(y, x, self._scale).astype(np.int64) << k
            found |= on_coarse_lattice(y, x, self._scale).astype(np.int64) << (k + count)
        return found

    def word(self, code: int) -> str:
        """Return what holds of which values."""
        count = len(self._places)
        coarse = [repr(x) for k, x in enumerate(self._places) if code >> (k + count) & 1]
        more = f", on a coarse lattice from {', '.join(coarse)}" if coarse else ""
        return super().word(code & ((1 << count) - 1)) + more


class SeenFloats(DigitKind):
    """Each float by itself: outputs that come again."""

    name = "floats that were drawn before"
    single = True

    def codes(self, y: Floats) -> Codes:
        """Return the 64 bits of each float."""
        return np.ascontiguousarray(y).view(np.int64)

    def word(self, code: int) -> str:
        """Return the float."""
        return f"y = {np.int64(code).view(np.float64)!s}"


class Fractions(DigitKind):
    """What is after the point of y, or of y / scale: on which translated lattice an output is."""

    name = "part after the point"
    single = True

    def __init__(self, scale: float | None = None) -> None:
        """Take what outputs are divided by, None for nothing."""
        self._scale = scale

    def codes(self, y: Floats) -> Codes:
        """Return the part after the point, in units of 1e-9."""
        with np.errstate(all="ignore"):
            return fraction(y if self._scale is None else y / self._scale)

    def word(self, code: int) -> str:
        """Return the part after the point."""
        of = "y" if self._scale is None else "y / scale"
        return f"{of} modulo 1 about {code / 1e9:.9g}"


class FractionsOfScale(Fractions):
    """What is after the point of y / scale."""

    name = "part of y / scale after the point"


def kinds_of(
    learned: Floats, places: Sequence[float], scale: float | None
) -> list[DigitKind]:
    """Return the kinds of events for draws around some values of X, without any if X has a density.

    `learned` are outputs of the half on which events are chosen. How many kinds there are depends
    on what is known of X and the noise alone: see `number_of_kinds`.

    Example: ``len(kinds_of(np.zeros(0), [], None))`` is 5.
    """
    kinds: list[DigitKind] = [
        LowestBit(), SizeAndLowestBit(), LastDigits(learned), SeenFloats(), Fractions(),
    ]  # fmt: skip
    if scale:
        kinds.append(FractionsOfScale(scale))
    if scale and places:
        kinds += [Reachable(places, scale), ScaleMultiples(places, scale)]
    return kinds


def number_of_kinds(places: Sequence[float], scale: float | None) -> int:
    """Return how many kinds of events there are, before any draw.

    Example: ``number_of_kinds([0.0, 1.0], 2.0)`` is 8.
    """
    return len(kinds_of(np.zeros(0), places, scale))


def _power(exponent: int) -> str:
    return f"2^{exponent}"
