"""Random bits, by default those of the operating system, and what is exact with them alone."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat

from pfverify.errors import PfverifyError, shorten

Source = Callable[[int], int]
"""Called with n: n random bits, as a whole number from 0 to 2**n - 1."""

WORD = 64
_MANY = 4096  # the word of many draws: some forty of them
TRIES = 10_000
_COMPARED = 32


class RandomnessError(PfverifyError):
    """The random bits of the source cannot be random: nothing was drawn."""


class Bits:
    """Independent fair bits from a source, which is asked for `word` of them at a time.

    Bits that are left over are used next, so keep one of these no longer than one run: a forked
    process would draw the same again. `first` is how many bits of a random real number are compared
    with thresholds at first. Raises RandomnessError for a source that returns anything but whole
    numbers of its range, and ValueError for a word above 32 bits that is no multiple of 32.
    Example: ``Bits(lambda count: 1, word=1).take(3)`` is 7.
    """

    def __init__(self, source: Source = secrets.randbits, word: int = WORD) -> None:
        self.word, self.first = word, min(word, _COMPARED)
        if word % self.first:
            raise ValueError(f"a word of {word} bits, expected a multiple of {_COMPARED}")
        self._source = source
        self._kept, self._count = 0, 0

    def take(self, count: int) -> int:
        """Return a uniform whole number from 0 to 2**count - 1."""
        while self._count < count:
            self._kept = self._kept << self.word | self._next()
            self._count += self.word
        self._count -= count
        found = self._kept >> self._count
        self._kept ^= found << self._count
        return found

    def firsts(self) -> Iterator[int]:
        """Yield uniform whole numbers of `first` bits without end: a word of the source at once.

        Example: ``next(Bits(lambda count: 6, word=4).firsts())`` is 6.
        """
        return chain.from_iterable(map(self._parts, repeat(None)))

    def _parts(self, _: None) -> Iterable[int]:
        word = self._next()
        if self.word == self.first:
            return (word,)
        return memoryview(word.to_bytes(self.word // 8, "little")).cast("I")

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


def bits_for(draws: int) -> Bits:
    """Return bits of the operating system, which is asked seldom where there are many draws.

    Example: ``bits_for(1).word`` is 64.
    """
    return Bits(word=WORD if draws == 1 else _MANY)


def tries() -> Iterator[int]:
    """Yield 0, 1, ... as long as going on is credible, for loops that chance must end.

    Each of those loops goes on with a chance of at most 2/3 (1/k at time k of a series). Raises
    RandomnessError after 10,000 times: of fair bits that has a chance below 10**-1700.
    """
    yield from range(TRIES)
    raise broken()


def broken() -> RandomnessError:
    """Return the error of a loop that came to its end, after `TRIES` times."""
    return RandomnessError(
        f"{TRIES} random choices came out alike: the source of random bits is broken"
    )
