"""Random bits, by default those of the operating system, and what is exact with them alone."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

from pfverify.errors import PfverifyError, shorten

Source = Callable[[int], int]
"""Called with n: n random bits, as a whole number from 0 to 2**n - 1."""

WORD = 64
_TRIES = 10_000


class RandomnessError(PfverifyError):
    """The random bits of the source cannot be random: nothing was drawn."""


class Bits:
    """Independent fair bits from a source, which is asked for `word` of them at a time.

    Bits that are left over are used next, so keep one of these no longer than one run: a forked
    process would draw the same again. Every method takes an expected number of bits that is near
    the entropy of what it returns, and raises RandomnessError for a source that returns anything
    but whole numbers of its range.
    Example: ``Bits(lambda count: 1, word=1).take(3)`` is 7.
    """

    def __init__(self, source: Source = secrets.randbits, word: int = WORD) -> None:
        self.word = word
        self._source = source
        self._kept, self._count = 0, 0

    def take(self, count: int) -> int:
        """Return a uniform whole number from 0 to 2**count - 1."""
        while self._count < count:
            self._kept = self._kept << self.word | self._next()
            self._count += self.word
        self._count -= count
        found = self._kept >> self._count
        self._kept &= (1 << self._count) - 1
        return found

    def below(self, bound: int) -> int:
        """Return a uniform whole number from 0 to bound - 1, by rejection."""
        count = (bound - 1).bit_length()
        return next(found for _ in tries() if (found := self.take(count)) < bound)

    def coin(self, top: int, bottom: int) -> bool:
        """Return True with chance top/bottom, 0 <= top <= bottom.

        Example: ``Bits().coin(0, 3)`` is False.
        """
        return self.below(bottom) < top

    def _next(self) -> int:
        found = self._source(self.word)
        if type(found) is not int or not 0 <= found < 1 << self.word:
            raise RandomnessError(
                f"the source of random bits returned {shorten(found, 30)!r}, expected a whole "
                f"number of {self.word} bits"
            )
        return found


def tries() -> Iterator[int]:
    """Yield 0, 1, ... as long as going on is credible, for loops that chance must end.

    Each of those loops goes on with a chance of at most 2/3 (1/k at time k of a series). Raises
    RandomnessError after 10,000 times: of fair bits that has a chance below 10**-1700.
    """
    yield from range(_TRIES)
    raise RandomnessError(
        f"{_TRIES} random choices came out alike: the source of random bits is broken"
    )
