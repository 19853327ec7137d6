"""Counts of keys with noise each, of which those that are large enough are published.

Of a key that one data set alone has, seeing it says all: so of several that one data set has the
divergences are those of seeing any of them, with the chance 1 - (1 - c1)(1 - c2)...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from pfverify.bridges.steps import noise_of
from pfverify.model.channels.matrix import Matrix
from pfverify.model.composed import NamedTimes, separately
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.nothing import Nothing
from pfverify.model.problem import Problem
from pfverify.model.steps.limits import Threshold

_FEW = 2  # pairs whose names differ without a number


class KeyIn(Enum):
    """In which of two data sets a key is."""

    BOTH = "both"
    FIRST = "first"
    SECOND = "second"


class KeyMove(NamedTuple):
    """A key whose count is so much larger in one data set than in the other, or is in one alone."""

    by: Fraction
    where: KeyIn


KeyPair = tuple[KeyMove, ...]
_TwoLaws = tuple[Discrete | Nothing, Discrete | Nothing]
_WORDS = {
    KeyIn.BOTH: ("a count + {}", "a count"),
    KeyIn.FIRST: ("a key of {}", "no key"),
    KeyIn.SECOND: ("no key", "a key of {}"),
}


@dataclass(frozen=True)
class KeysStep:
    """Counts of keys with noise each, of which those that are at least `least` are published.

    `pairs`: of each pair of data sets, the keys that tell them apart. A key of both has counts so
    far above `least` that it is always published.
    Example: ``KeysStep("laplace", Fraction(2), Fraction(9), ()).present`` is ``()``.
    """

    noise: str
    size: Fraction
    least: Fraction
    pairs: tuple[KeyPair, ...]

    @property
    def present(self) -> tuple[KeyPair, ...]:
        """What tells data sets apart."""
        return self.pairs

    @property
    def absent(self) -> tuple[KeyPair, ...]:
        """What tells nothing apart."""
        return ()

    def problem(self) -> Problem:
        """Return the problem of all pairs: a part for each count, and for each key of one side."""
        kept = [_moves(pair, KeyIn.BOTH) for pair in self.pairs]
        alone = [[move for move in pair if move.where is not KeyIn.BOTH] for pair in self.pairs]
        parts = [
            *(self._part([_counts(pair, k) for pair in kept], kept=False)
              for k in range(max(map(len, kept)))),
            *(self._part([_keys(pair, k) for pair in alone], kept=True)
              for k in range(max(map(len, alone)))),
        ]  # fmt: skip
        return separately([NamedTimes(f"part {k + 1}", one) for k, one in enumerate(parts)])

    def problems(self) -> Iterator[Problem]:
        """Return the problem of each pair alone, without what tells nothing there."""
        for pair in self.pairs:
            parts = [*self._parts_of(pair)]
            if len(parts) == 1 and parts[0].times == 1:
                yield parts[0].problem
            else:
                yield separately(parts)

    def _parts_of(self, pair: KeyPair) -> Iterator[NamedTimes]:
        one = KeysStep(self.noise, self.size, self.least, (pair,))
        for by, times in Counter(_moves(pair, KeyIn.BOTH)).items():
            yield NamedTimes("counts", one._part([_counts([by], 0)], kept=False), times)
        for where in (KeyIn.FIRST, KeyIn.SECOND):
            moves = _moves(pair, where)
            if len(moves) > 1 and (seen := self._seen(moves)) is not None:
                yield NamedTimes("any key", _any_seen(seen, where, _named(0, pair, 1)))
                continue
            for by, times in Counter(moves).items():
                laws = _keys([KeyMove(by, where)], 0)
                yield NamedTimes("keys", one._part([laws], kept=True), times)

    def _part(self, laws: Sequence[_TwoLaws], *, kept: bool) -> Problem:
        """The problem of one number, of each pair of data sets."""
        names = [_named(k, pair, len(self.pairs)) for k, pair in enumerate(self.pairs)]
        priors = {
            name: law for two, both in zip(names, laws, strict=True)
            for name, law in zip(two, both, strict=True)
        }  # fmt: skip
        return Problem(
            priors, noise=noise_of(self.noise, self.size, Fraction(1)), pairs=names, epsilon=0,
            post=[Threshold(self.least)] if kept else None,
        )  # fmt: skip

    def _seen(self, moves: Sequence[Fraction]) -> str | None:
        """The chance that any of some keys is seen, None where it has no closed form."""
        if self.noise not in _TAILS:
            return None
        hidden = "*".join(f"(1-({self._tail(self.least - by)}))" for by in moves)
        return f"1-{hidden}"

    def _tail(self, least: Fraction) -> str:
        """The chance that noise is at least so much."""
        above, turned = _TAILS[self.noise]
        most = least if least > 0 else turned - least
        chance = above.format(most / self.size, 1 / self.size)
        return chance if least > 0 else f"1-{chance}"


_TAILS = {
    "laplace": ("exp(-({}))/2", 0),
    "discrete-laplace": ("exp(-({}))/(1+exp(-({})))", 1),
}
"""The chance that noise is at least some t > 0, of t/scale and 1/scale; at least -t: one minus that
of so much more than t."""


def _any_seen(chance: str, where: KeyIn, names: tuple[str, str]) -> Problem:
    """The problem of seeing any of the keys that one data set alone has."""
    rows = [[f"1-({chance})", chance], [1, 0]]
    channel = Matrix(names, ["none", "any"], rows if where is KeyIn.FIRST else rows[::-1])
    priors = {name: Finite({one: int(one == name) for one in names}) for name in names}
    return Problem(priors, channel=channel, epsilon=0)


def _moves(pair: KeyPair, where: KeyIn) -> list[Fraction]:
    return [move.by for move in pair if move.where is where]


def _counts(moves: Sequence[Fraction], k: int) -> _TwoLaws:
    """The k-th count that is in both data sets, which is 0 in one of them; else 0 in both."""
    return Discrete(mass={moves[k] if k < len(moves) else 0: 1}), Discrete(mass={0: 1})


def _keys(moves: Sequence[KeyMove], k: int) -> _TwoLaws:
    """The k-th key that is in one data set alone; else in none."""
    if k >= len(moves):
        return Nothing(), Nothing()
    there = Discrete(mass={moves[k].by: 1})
    return (there, Nothing()) if moves[k].where is KeyIn.FIRST else (Nothing(), there)


def _named(k: int, pair: KeyPair, many: int) -> tuple[str, str]:
    """What two data sets are called, by the keys that tell them apart."""
    said = [_WORDS[move.where] for move in pair]
    first, second = (
        ", ".join(words[side].format(move.by) for words, move in zip(said, pair, strict=True))
        for side in (0, 1)
    )
    return (first, second) if many <= _FEW else (f"{k + 1}: {first}", f"{k + 1}: {second}")
