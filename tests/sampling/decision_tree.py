"""The decision tree of a sampler: every way in which its random choices can come out, exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from pfverify.exact.ball import Ball, precision
from pfverify.sampling.bits import Bits

T = TypeVar("T")
HALF = Fraction(1, 2)


class Tree(NamedTuple):
    """Result -> the mass of the paths that end with it, and the mass of paths cut off."""

    law: dict[object, Fraction]
    left: Fraction
    paths: int

    def encloses(self, result: object, chance: Callable[[], Ball] | Fraction) -> bool:
        """Whether a chance lies between what is found and what could still come."""
        found = self.law.get(result, Fraction(0))
        with precision(256):
            exact = (Ball(chance) if isinstance(chance, Fraction) else chance()).raw
            low, high = Ball(found).raw, Ball(found + self.left).raw
            return not (exact < low or exact > high)


class ForkError(Exception):
    """The path so far ends here, with choices of these chances."""

    def __init__(self, chances: Sequence[Fraction]) -> None:
        self.chances = chances


class Choices(Bits):
    """Random choices that follow a path; behind its end they raise `ForkError`.

    `coins`: a coin and a number below a bound are one choice each; else all is made of single bits.
    """

    def __init__(self, path: Sequence[int], *, coins: bool) -> None:
        super().__init__(lambda count: self._choose([HALF, HALF]), word=1)
        self._path, self._at, self._coins = path, 0, coins

    def _choose(self, chances: Sequence[Fraction]) -> int:
        if max(chances) == 1:
            return chances.index(Fraction(1))
        if self._at == len(self._path):
            raise ForkError(chances)
        self._at += 1
        return self._path[self._at - 1]

    def below(self, bound: int) -> int:
        if not self._coins:
            return super().below(bound)
        return self._choose([Fraction(1, bound)] * bound)

    def coin(self, top: int, bottom: int) -> bool:
        if not self._coins:
            return super().coin(top, bottom)
        chance = Fraction(top, bottom)
        return self._choose([1 - chance, chance]) == 1


def tree(run: Callable[[Bits], object], least: Fraction, *, coins: bool = False) -> Tree:
    """Every path of at least some mass: what is not followed to its end is counted as left."""
    law: dict[object, Fraction] = {}
    left, paths = Fraction(0), 0
    todo: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while todo:
        path, mass = todo.pop()
        if mass < least:
            left += mass
            continue
        try:
            result = run(Choices(path, coins=coins))
        except ForkError as fork:
            todo += [((*path, k), mass * c) for k, c in enumerate(fork.chances) if c]
        else:
            law[result] = law.get(result, Fraction(0)) + mass
            paths += 1
    assert sum(law.values()) + left == 1
    return Tree(law, left, paths)
