"""What the digits of outputs tell of a secret: chosen on one half of draws, tested on the other.

Whatever event B is, P(B | first) <= e**epsilon P(B | second) + delta for the delta that the exact
law has at epsilon. Given the first half, the counts of the second are binomial, so that bounds of
Clopper and Pearson hold for the event that was chosen: at their level on average too.

Source: design facts F120 and F121.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp

import numpy as np

from pfverify.crosscheck.samplers.claim import MISSED
from pfverify.crosscheck.samplers.digits import DigitKind, kinds_of, number_of_kinds
from pfverify.crosscheck.samplers.floats import Codes, Floats
from pfverify.crosscheck.samplers.parts import Chance, Draws
from pfverify.crosscheck.samplers.reading import Key, number_in
from pfverify.exact.ball import Ball, Raw, fraction_of, precision, raw
from pfverify.exact.binomial import chance_above, chance_below, rare_count
from pfverify.model.target import Target

_BITS = 128
_LARGEST = 700.0  # of epsilon, in floats
_HALVED, _SEEDS = 0x68616C76, 1 << 64
_MOST = 400_000  # of the draws of a secret: each kind of event sorts them
_OUTWARD = 1 + Fraction(1, 2**40)  # the bounds are rounded by less
Halves = tuple[Floats, Floats]
"""The draws on which events are chosen, and those on which they are tested."""


@dataclass(frozen=True)
class LeakPair:
    """A pair of secrets, in both orders of which events about digits are tested.

    `allowed`: for each order the delta that the exact law has at epsilon, for every event, or the
    claim where that is less; `places`: values of X under both secrets; `scale`: of the noise, where
    it has one.
    """

    keys: tuple[Key, Key]
    target: Target
    allowed: tuple[Fraction, Fraction]
    places: tuple[float, ...]
    scale: float | None

    @property
    def tests(self) -> int:
        """How many events are tested, in both orders, each by two bounds."""
        return 2 * number_of_kinds(self.places, self.scale)


@dataclass(frozen=True)
class DigitLeak:
    """An event about digits as it was tested, in one order.

    `classes`: how many the event is made of; `drawn` and `counts`: of the first and the second
    secret, in the half that tests; `delta`: a confidence interval of P(B | first) - e**epsilon
    P(B | second); `seen` and `alone`: see `seen_at_all` and `seen_alone`.
    """

    keys: tuple[Key, Key]
    kind: str
    event: str
    classes: int
    allowed: Fraction
    drawn: tuple[int, int]
    counts: tuple[int, int]
    delta: Chance
    seen: Fraction
    alone: Fraction

    @property
    def refuted(self) -> bool:
        """Whether the lower end is above what every event is allowed."""
        return self.delta[0] > self.allowed


def halves(draws: Draws, seed: int | None) -> Halves:
    """Return draws in two halves, of which the first is the smaller: in random order, as numbers.

    Of more than 400,000 so many are taken.

    A function is called at one value of X after the other; in random order its draws are as if X
    had been drawn anew each time.

    Example: ``[len(half) for half in halves(np.arange(5.0), 0)]`` is ``[2, 3]``.
    """
    numbers = np.array([number_in(text) for text in draws]) if isinstance(draws, list) else draws
    # of another kind than the generators that samplers are given seeds for
    source = np.random.Generator(np.random.Philox([_HALVED, (seed or 0) % _SEEDS]))
    mixed = source.permutation(numbers)[:_MOST] + 0.0  # -0.0 is the number 0
    middle = len(mixed) // 2
    return mixed[:middle], mixed[middle:]


def leaks_of(pair: LeakPair, split: Mapping[Key, Halves], level: Fraction) -> list[DigitLeak]:
    """Return what comes of every kind of event in both orders, each bound at this level.

    Example: ``len(leaks_of(LeakPair((("", "a"), ("", "a")), Target(number("1"), number("0")),
    (Fraction(0), Fraction(0)), (), None), {("", "a"): halves([], 0)}, Fraction(1, 9)))`` is
    ``10``.
    """
    both = [split[key] for key in pair.keys]
    drawn = len(both[0][1]), len(both[1][1])
    learned = _finite(np.concatenate([choose for choose, _ in both]))
    found: tuple[list[DigitLeak], list[DigitLeak]] = ([], [])
    for kind in kinds_of(learned, pair.places, pair.scale):
        chosen_on, tested_on = (
            [kind.codes(_finite(one[half])) for one in both] for half in range(2)
        )
        for order, (a, b) in enumerate(((0, 1), (1, 0))):
            event = _chosen(kind, chosen_on[a], chosen_on[b], pair.target)
            counts = [int(np.isin(tested_on[k], event).sum()) for k in (a, b)]
            found[order].append(
                _tested(pair, order, kind, event, (drawn[a], drawn[b]), counts, level)
            )
    return [*found[0], *found[1]]


@lru_cache(maxsize=256)
def seen_at_all(target: Target, drawn: tuple[int, int], level: Fraction) -> Fraction:
    """Return the excess of a chosen event over what it is allowed that is seen in 99 of 100 runs.

    By Hoeffding's inequality, whatever the chances are; `drawn`: of both secrets, in the half that
    tests. 1 where nothing is seen.
    """
    with precision(_BITS):
        first, second = (_root(level, number) + _root(MISSED / 2, number) for number in drawn)
        return _most(first + target.exp_epsilon() * second)


@lru_cache(maxsize=256)
def seen_alone(
    target: Target, allowed: Fraction, drawn: tuple[int, int], level: Fraction
) -> Fraction:
    """Return the chance that a chosen event needs to be seen, if the second secret never has it.

    In 99 of 100 runs; `drawn` as of `seen_at_all`. 1 where none is enough.
    """
    number, other = drawn
    with precision(_BITS):
        never = raw(chance_below(other, 0, level))
        least = _most(raw(allowed) + target.exp_epsilon() * never)
    if least >= 1 or (needed := rare_count(number, least, level)) > number:
        return Fraction(1)
    return min(Fraction(1), chance_below(number, needed - 1, MISSED) * _OUTWARD)


def _chosen(kind: DigitKind, first: Codes, second: Codes, target: Target) -> Codes:
    """The classes in which the first secret has more than e**epsilon times the second's share.

    Floats choose, and the draws of the first half alone. A class is held to one draw of the second
    secret more than there are, except where it may be a single float.
    """
    classes, there = np.unique(first, return_counts=True)
    others, back = np.unique(second, return_counts=True)
    against = np.full(len(classes), 0 if kind.single else 1)
    known = np.isin(classes, others)
    against[known] += back[np.searchsorted(others, classes[known])]
    with precision(_BITS):
        growth = exp(min(target.epsilon.ball().midpoint(), _LARGEST))
    share, other = there / max(len(first), 1), against / max(len(second), 1)
    return classes[share / growth > other]  # divided, as growth may be 1e304


def _tested(
    pair: LeakPair, order: int, kind: DigitKind, event: Codes, drawn: tuple[int, int],
    counts: Sequence[int], level: Fraction,
) -> DigitLeak:  # fmt: skip
    (n, m), (k, j) = drawn, counts
    keys, allowed = (pair.keys if not order else pair.keys[::-1]), pair.allowed[order]
    with precision(_BITS):
        growth = pair.target.exp_epsilon()
        low = raw(chance_above(n, k, level)) - growth * raw(chance_below(m, j, level))
        high = raw(chance_below(n, k, level)) - growth * raw(chance_above(m, j, level))
        delta = -_upper(-low), _upper(high)
    return DigitLeak(
        keys, kind.name, kind.words(event.tolist()), len(event), allowed, drawn, (k, j), delta,
        seen_at_all(pair.target, drawn, level), seen_alone(pair.target, allowed, drawn, level),
    )  # fmt: skip


def _finite(y: Floats) -> Floats:
    return y[np.isfinite(y)]


def _root(level: Fraction, draws: int) -> Raw:
    return (-raw(level).log() / (2 * max(draws, 1))).sqrt()


def _upper(value: Raw) -> Fraction:
    found = Ball(value).ends()
    return Fraction(1) if found is None else fraction_of(found[1])


def _most(value: Raw) -> Fraction:
    """The upper end, 1 at most, with what the rounding of bounds may add."""
    return min(Fraction(1), _upper(value) * _OUTWARD)
