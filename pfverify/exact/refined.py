"""Numbers that a decision finds, with a way to know them better: only `written` makes text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from pfverify.errors import UndecidedError
from pfverify.exact.ball import Ball, Raw, fraction_of, precision, whole_ends
from pfverify.exact.grid import Grid
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.rising import rising

End = Fraction | float
"""An exact number >= 0; a float only where it is infinite."""
Balls = Callable[[int], Iterator[Ball]]
"""Better and better enclosures of a number, begun at a precision that promises so many bits."""


class Refined(NoTruth, ask="write it with `written`"):
    """A number >= 0, possibly infinite, that is known as well as it is asked for."""


@dataclass(frozen=True)
class Between(Refined):
    """A number of which nothing is known but two ends; exact where they are the same."""

    lower: End
    upper: End


def exactly(value: End) -> Between:
    """Return a number that is known exactly.

    Example: ``exactly(Fraction(1, 3)).upper`` is ``Fraction(1, 3)``.
    """
    return Between(value, value)


ZERO = exactly(Fraction(0))
INFINITE = exactly(inf)
PROBABILITY = Between(Fraction(0), Fraction(1))
ANYTHING = Between(Fraction(0), inf)


def untested(value: Fraction) -> bool:
    """Return False: there is no exact test of a number's value."""
    del value
    return False


@dataclass(frozen=True)
class ByBalls(Refined):
    """A number that balls enclose, and that is not above `most`.

    `is_exactly` tests whether a round number is the one enclosed, where no ball can tell. A number
    below `least` is known as nothing more than that. `ends` are two whole numbers, over a third,
    between which it is: they are tried before any ball.
    """

    balls: Balls
    most: End = inf
    is_exactly: Callable[[Fraction], bool] = untested
    least: Fraction = Fraction(0)
    ends: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class OnGrid(Refined):
    """A number with decided candidates around it: `bracket` finds them on any grid.

    It is not above `most`: all that is known where `bracket` raises UndecidedError. `is_exactly` is
    as of `ByBalls`.
    """

    bracket: Callable[[Grid], tuple[End, End]]
    most: Refined = ANYTHING
    is_exactly: Callable[[Fraction], bool] = untested


class RisingBalls:
    """A number's balls at doubling precision, from `first` bits beyond those asked for.

    A ball that is `known`, from `tried` bits, comes before all others.
    """

    __slots__ = ("first", "known", "last", "number", "tried")

    def __init__(
        self, number: Callable[[], Raw], first: int, last: int, known: Ball | None, tried: int
    ) -> None:
        self.number, self.first, self.last = number, first, last
        self.known, self.tried = known, tried

    def looked(self, bits: int) -> tuple[RisingBalls, tuple[int, int, int] | None]:
        """Return the same with the first ball known, for so many bits, and its `whole_ends`."""
        if self.known is not None:
            return self, None
        working = self.first + bits
        with precision(working):
            found = self.number()
            ends = whole_ends(found)
        return RisingBalls(self.number, self.first, self.last, Ball(found), working), ends

    def __call__(self, bits: int) -> Iterator[Ball]:
        """Yield them, for so many bits."""
        if self.known is not None:
            yield self.known
        for working in rising(self.first + bits, self.last):
            if working <= self.tried:
                continue
            with precision(working):
                ball = Ball(self.number())
            yield ball


def rising_balls(
    number: Callable[[], Raw], first: int, last: int, known: Ball | None = None, tried: int = 0
) -> RisingBalls:
    """Return a number's balls at doubling precision, from `first` bits beyond those asked for.

    A ball that is `known`, from `tried` bits, comes before all others.
    Example: ``next(rising_balls(lambda: Ball(2).log().raw, 64, 128)(48)).raw < 1`` is True.
    """
    return RisingBalls(number, first, last, known, tried)


def at_most(number: ByBalls | Between) -> End:
    """Return an exact number that another one does not exceed, about as small as is at hand.

    Example: ``at_most(exactly(Fraction(1, 3)))`` is ``Fraction(1, 3)``.
    """
    if isinstance(number, Between):
        return number.upper
    for ball in number.balls(0):
        if (ends := ball.ends()) is not None:
            return fraction_of(ends[1])
    return number.most


def ends_of(number: Refined, bits: int = 64) -> tuple[End, End]:
    """Return two exact numbers around another one: so many bits apart, of it or of 1, if known.

    Example: ``ends_of(exactly(Fraction(1, 3)))[0]`` is ``Fraction(1, 3)``.
    """
    match number:
        case Between(lower, upper):
            return lower, upper
        case ByBalls():
            low, high = Fraction(0), number.most
            for ball in number.balls(bits):
                with precision(bits + 32):  # at which the ends are rounded
                    ends = ball.ends()
                if ends is None:
                    continue
                low, high = max(fraction_of(ends[0]), low), min(fraction_of(ends[1]), high)
                if high - low <= max(high, 1) / (1 << bits):
                    break
            return low, high
        case OnGrid():
            try:
                return number.bracket(Grid(max(1, bits // 4)))
            except UndecidedError:
                return Fraction(0), ends_of(number.most, bits)[1]
        case _:
            raise TypeError(f"{type(number).__name__}: no such number has ends")
