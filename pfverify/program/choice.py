"""One question for randomness: its outcomes and their exact chances."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import lcm
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.program.values import name_of, plain
from pfverify.workers.wire import BrokenFrameError

Chance = int | str | Fraction | Decimal
"""What a chance may be given as: "1/3", never a float."""
MOST = 1_000_000
"""The most outcomes of one choice, and paths of a program."""
DEEPEST = 10_000
"""The most choices of one path."""


@dataclass(frozen=True)
class Choice:
    """A choice among outcomes. `text` states it, for another process: what two runs must share."""

    text: str
    names: tuple[str, ...]
    chances: tuple[Fraction, ...]

    @cached_property
    def possible(self) -> tuple[int, ...]:
        """The places of the outcomes of a chance above 0."""
        return tuple(place for place, chance in enumerate(self.chances) if chance)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The chances summed up to each outcome, over their common denominator, which is last."""
        bottom = lcm(*{chance.denominator for chance in self.chances})
        return tuple(accumulate(int(chance * bottom) for chance in self.chances))

    def words(self, place: int) -> str:
        """Return the choice and the outcome at a place, for people.

        Example: ``coin_choice("1/3").words(0)`` is ``"coin(1/3) = True"``.
        """
        kind, _, asked = self.text.partition(" ")
        shown = "" if kind == "choose" else f"({asked})"
        return f"{kind}{shown} = {shorten(self.names[place], 30)}"


@lru_cache(typed=True)
def coin_choice(chance: object) -> Choice:
    """Return the choice between True, with this chance, and False; InputError for no chance.

    Example: ``coin_choice("1/3").chances[1]`` is ``Fraction(2, 3)``.
    """
    true = _chance(chance, "coin")
    if true > 1:
        raise InputError(f"coin: {shorten(true)} is above 1, expected a chance")
    return Choice(f"coin {true}", ("True", "False"), (true, 1 - true))


@lru_cache(typed=True)
def uniform_choice(count: object) -> Choice:
    """Return the choice among 0 to count - 1, all alike; InputError for another count.

    Example: ``uniform_choice(3).names`` is ``("0", "1", "2")``.
    """
    if type(count) is not int or not 1 <= count <= MOST:
        raise InputError(f"uniform: {shorten(count)}, expected a whole number from 1 to {MOST}")
    return Choice(f"uniform {count}", tuple(map(str, range(count))), (Fraction(1, count),) * count)


def choose_choice(chances: object) -> Choice:
    """Return the choice among the keys of a table, with these chances.

    Raises InputError for chances that do not sum to exactly 1, or are none.
    Example: ``choose_choice({"a": 1, "b": 0}).possible`` is ``(0,)``.
    """
    if not isinstance(chances, Mapping) or not 1 <= len(chances) <= MOST:
        raise InputError("choose: expected a table of outcomes, each with its chance")
    names = (_name(place, key) for place, key in enumerate(chances))
    return _choose(zip(names, chances.values(), strict=True))


@lru_cache(4096)
def choice_of(text: str) -> Choice:
    """Return the choice that a text states; BrokenFrameError for one that states none.

    Example: ``choice_of("uniform 6").chances[0]`` is ``Fraction(1, 6)``.
    """
    kind, _, asked = text.partition(" ")
    try:
        match kind:
            case "coin":
                return coin_choice(asked)
            case "uniform":
                return uniform_choice(int(asked))
            case "choose":
                return _choose((str(name), str(chance)) for name, chance in json.loads(asked))
    except (ValueError, TypeError):  # InputError is one
        pass
    raise BrokenFrameError("a choice of no kind")


def _choose(entries: Iterable[tuple[str, object]]) -> Choice:
    read = [(name, _chance(chance, f"choose: {name}")) for name, chance in entries]
    names, chances = zip(*read, strict=True)
    if (total := sum(chances)) != 1:
        raise InputError(f"choose: the chances sum to {shorten(total)}, expected exactly 1")
    text = json.dumps([[name, str(chance)] for name, chance in read])
    return Choice(f"choose {text}", names, chances)


def _name(place: int, outcome: Any) -> str:
    """The name of an outcome, which may be any object."""
    try:
        return shorten(name_of(plain(outcome)), 30)
    except InputError:
        return f"outcome {place}"


def _chance(value: object, where: str) -> Fraction:
    found = rational(value, where)
    if found < 0:
        raise InputError(f"{where}: {shorten(found)} is below 0, expected a chance")
    return found
