"""The randomness that a program asks for: one outcome at a time, with exact chances.

While a program is enumerated every outcome gets its turn. In any other run outcomes are drawn, with
exactly these chances, from the random bits of the operating system: what is released is what was
enumerated.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from pfverify.program.choice import Chance, Choice, choose_choice, coin_choice, uniform_choice
from pfverify.sampling.bits import Bits

Outcome = TypeVar("Outcome", bound=Hashable)
Take = Callable[[Choice], int]
"""What answers a choice: the place of an outcome of a chance above 0."""


def drawn(choice: Choice) -> int:
    """Return the place of an outcome, drawn with exactly its chance.

    Example: ``drawn(coin_choice(1))`` is 0.
    """
    return bisect_right(choice.ends, Bits().below(choice.ends[-1]))


_take: Take = drawn


@contextmanager
def answered_by(take: Take) -> Iterator[None]:
    """Let a function answer every choice, as long as this lasts."""
    global _take
    before, _take = _take, take
    try:
        yield
    finally:
        _take = before


def coin(chance: Chance) -> bool:
    """Return True with this chance, as in ``coin("1/3")``.

    Raises InputError for a float, which is not the number that was written, and for no chance.
    Example: ``coin(1)`` is True.
    """
    return _take(coin_choice(chance)) == 0


def choose(chances: Mapping[Outcome, Chance]) -> Outcome:
    """Return one of the keys, with the chance that stands beside it.

    Raises InputError for chances that do not sum to exactly 1, and for floats.
    Example: ``choose({"a": 1, "never": 0})`` is ``"a"``.
    """
    return [*chances][_take(choose_choice(chances))]


def uniform(count: int) -> int:
    """Return a whole number from 0 to count - 1, each with the same chance.

    Raises InputError for a count below 1 or above a million.
    Example: ``uniform(1)`` is 0.
    """
    return _take(uniform_choice(count))
