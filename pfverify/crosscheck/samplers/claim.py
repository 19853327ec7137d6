"""The claim (epsilon, delta) held against draws, on the event that the exact law finds worst."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import exp

from pfverify.crosscheck.samplers.parts import Chance, Chances, Event, Parts
from pfverify.crosscheck.samplers.reading import Key
from pfverify.exact.ball import Ball, Raw, fraction_of, precision, raw
from pfverify.exact.binomial import chance_above, chance_below, rare_count
from pfverify.model.target import Target

MISSED = Fraction(1, 100)
"""How rarely an excess that "would have been seen" is missed."""
_BITS = 256
_TIED = 1e-9  # parts whose ratio is as good as the largest
_MOST = 10**9  # draws of each secret


@dataclass(frozen=True)
class EventClaim:
    """One order of a pair: the event B for which P(B | first) <= e**epsilon P(B | second) + delta.

    `chances` are those of the event under both laws, exactly enclosed.
    """

    first: Key
    second: Key
    target: Target
    parts: Parts
    event: Event
    chances: tuple[Chance, Chance]

    def delta(self, drawn: tuple[int, int], counts: tuple[int, int], level: Fraction) -> Chance:
        """Return a confidence interval of P(B | first) - e**epsilon P(B | second).

        Each end is wrong with probability at most 2 `level`.
        """
        (n, m), (k, j) = drawn, counts
        low = self._gap(chance_above(n, k, level), chance_below(m, j, level))[0]
        high = self._gap(chance_below(n, k, level), chance_above(m, j, level))[1]
        return low, high

    def exact(self) -> Chance:
        """Enclose the same number under the exact laws."""
        (low, high), (other_low, other_high) = self.chances
        return self._gap(low, other_high)[0], self._gap(high, other_low)[1]

    def broken_by(self, delta: Fraction) -> bool:
        """Whether a lower bound is proved to be above the delta that is claimed."""
        with precision(_BITS):
            return bool(raw(delta) > self.target.delta.ball().raw)

    def seen(self, draws: int, level: Fraction) -> Fraction:
        """Return the excess over delta that so many draws of each secret show, all but rarely.

        The draws of the second secret are taken to be those of its exact law. 1 where none does.
        """
        low, high = self.chances[1]
        most = rare_count(draws, high, MISSED / 2) - 1  # so many draws of the second secret
        with precision(_BITS):
            growth, delta = self.target.exp_epsilon(), self.target.delta.ball().raw
            least = _upper(delta + growth * raw(chance_below(draws, most, level)))
            if least >= 1:
                return Fraction(1)
            shown = chance_below(draws, rare_count(draws, least, level) - 1, MISSED / 2)
            return max(Fraction(0), min(_upper(raw(shown) - growth * raw(low) - delta), 1 + low))

    def enough(self, excess: Fraction, level: Fraction) -> int | None:
        """Return a number of draws of each secret that shows an excess, to two digits.

        None where none does, as where even the exact chances allow the first secret everything.
        """
        with precision(_BITS):
            other = raw(self.chances[1][0])
            allowed = self.target.delta.ball().raw + self.target.exp_epsilon() * other
            if allowed >= 1 and excess < 1:
                return None
        return least_number(lambda draws: self.seen(draws, level) <= excess)

    def _gap(self, first: Fraction, second: Fraction) -> Chance:
        with precision(_BITS):
            found = raw(first) - self.target.exp_epsilon() * raw(second)
            return -_upper(-found), _upper(found)


def worst_event(first: Chances, second: Chances, target: Target) -> Event:
    """Return the parts where first / second is e**epsilon at least, or is largest.

    Floats choose it, from the exact laws; every event is a fair test.
    """
    with precision(_BITS):
        growth = exp(min(target.epsilon.ball().midpoint(), 700.0))
    ratios = {
        k: p / q if q else float("inf")
        for k, (p, q) in enumerate(zip(first.each, second.each, strict=True)) if p
    }  # fmt: skip
    least = min(growth, max(ratios.values())) * (1 - _TIED)
    return frozenset(k for k, ratio in ratios.items() if ratio >= least)


def least_number(shows: Callable[[int], bool]) -> int | None:
    """Return a number for which something holds, at most 1 in 64 above the least; None: too large.

    Example: ``least_number(lambda number: number >= 100)`` is 100.
    """
    low, high = 0, 1
    while not shows(high):
        if high >= _MOST:
            return None
        low, high = high, 2 * high
    while high - low > max(1, high // 64):
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high


def _upper(value: Raw) -> Fraction:
    """The upper end of a ball; 1, which is above every chance, where there is none."""
    found = Ball(value).ends()
    return Fraction(1) if found is None else fraction_of(found[1])
