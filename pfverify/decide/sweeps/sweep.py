"""The density of what a chain releases under every secret, in one sweep over time.

A block of times takes what happens outside it - for the state that it begins in and the one that it
ends in, the masses of all that the other records add, already spread by the noise - and hands to
each half the same with what the other half adds: log2(T) short products for every record. All terms
are >= 0, so the errors stay relative (`parts`).

With r = e**-(step/scale), p(y) = sum of mass(x) r**|x - y| up to a constant. Beyond the outputs
that are swept it is known well enough: p(y) r**-y grows with y to the total of mass(x) r**-x, and
mirrored. Between two points of the lattice a ratio of densities is monotone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from pfverify.decide.sweeps.parts import SMALL, Array, BeyondFloats, Bounded, U, proved_float
from pfverify.decide.sweeps.windows import Tilted, Window, bulk, where
from pfverify.exact.ball import Raw, precision, raw, raw_float
from pfverify.laws.rate import Rate
from pfverify.model.chains.enclosed import LongChain

BITS = 128
_STEEP = 500.0  # e to it is a float
_BLOCK = 12  # records that are taken one by one


class Row(NamedTuple):
    """A density in a window: `values` times 2**exponent, off as a `Bounded` is."""

    values: Array
    exponent: int
    roundings: int
    missing: float


class Sweep:
    """Densities at every output of a window, under every secret, block by block of times."""

    def __init__(self, chain: LongChain, rate: Rate, window: Window) -> None:
        self._chain, self._rate, self.window = chain, rate, window
        self._known: dict[object, Bounded] = {}
        self._shared: dict[object, Mapping[str, Bounded]] = {}  # of times alike
        self._degrees = [0]
        for places in chain.places:
            self._degrees.append(self._degrees[-1] + _degree(places))

    def blocks(self, wanted: Sequence[int]) -> Iterator[dict[tuple[int, str], Row]]:
        """Yield (time, name) -> density, for all the wanted times, in their order."""
        times = np.array(sorted(wanted))
        return self._inside(0, self._chain.length, self._whole(), times)

    def _inside(
        self, first: int, last: int, outside: Bounded, times: Array
    ) -> Iterator[dict[tuple[int, str], Row]]:
        """All times after `first`, up to `last`, of which one at least is wanted."""
        if not np.searchsorted(times, last, "right") > np.searchsorted(times, first, "right"):
            return
        if last - first <= _BLOCK:
            yield self._rows(first, last, outside)
            return
        half = (first + last) // 2
        before = outside.outside(self._between(half, last), before=False)
        yield from self._inside(first, half, before, times)
        del before
        after = outside.outside(self._between(first, half), before=True)
        yield from self._inside(half, last, after, times)

    def _whole(self) -> Bounded:
        """The noise alone, at all that may be outside: spread over the states at the start."""
        start, low = list(self._chain.chain.start.values()), self.window.low - self._degrees[-1]
        values = np.zeros((len(start), self.window.high - low + 1))
        with precision(BITS):
            rate, tilt = self._step_rate(), raw_float(self.window.tilt)
            for side in (-1, 1):
                ratio = (-rate).exp() * tilt**side
                if not ratio < 1:
                    raise BeyondFloats("a window is tilted by more than the noise falls")
                power = raw(1)
                for distance in range(self.window.high + 1 if side > 0 else 1 - low):
                    found = [proved_float(power * raw(mass)) if mass else 0.0 for mass in start]
                    if not any(found):
                        break
                    values[:, side * distance - low] = found
                    power *= ratio
        spread = np.repeat(values[:, None, :], len(start), axis=1)
        return Bounded(spread, 0, 3, SMALL).scaled()

    def _step_rate(self) -> Raw:
        return self._rate.ball().raw * raw(self._chain.step)

    # ---------------------------------------------------------------- what records add

    def _key(self, first: int, last: int) -> object:
        return last - first if self._chain.alike else (first, last)

    def _between(self, first: int, last: int) -> Bounded:
        """What the records after `first` up to `last` add, from state to state."""
        key = self._key(first, last)
        if key not in self._known:
            if last - first == 0:
                one = np.eye(len(self._chain.chain.states))[:, :, None]
                found = Bounded(one)
            elif last - first == 1:
                found = self._one(last, None)
            else:
                half = (first + last) // 2
                found = self._between(first, half).then(self._between(half, last))
            self._known[key] = found
        return self._known[key]

    def _one(self, time: int, name: str | None) -> Bounded:
        """What the record at a time adds (None), or adds if it is what a name says."""
        places, n = self._chain.places[time - 1], len(self._chain.chain.states)
        adds, chances = self._chain.adds(time, name), self._chain.chances(time)
        values = np.zeros((n, n, _degree(places) + 1))
        with precision(BITS):
            tilt = raw_float(self.window.tilt)
            sizes = [log2(w) + k * log2(self.window.tilt) for row in adds for k, w in row]
            exponent = int(max(sizes, default=0.0))
            unit, missing = raw(2) ** -exponent, 0.0
            for i, row in enumerate(adds):
                for k in {k for k, _ in row}:
                    weight = raw(sum(w for other, w in row if other == k)) * tilt**k * unit
                    for j, chance in enumerate(chances[i]):
                        if chance:
                            values[i, j, k] = found = proved_float(weight * raw(chance))
                            missing = missing if found else SMALL
        return Bounded(values, exponent, 3, missing).scaled()

    def _rows(self, first: int, last: int, outside: Bounded) -> dict[tuple[int, str], Row]:
        """The densities under the secrets at the times of one block."""
        inner = [
            ((time, name), part)
            for time in range(first + 1, last + 1)
            for name, part in self._inner(first, time, last).items()
        ]
        n, degree = len(outside.values), self._degrees[last] - self._degrees[first]
        factors = np.array([part.values[:, :, ::-1] for _, part in inner])
        size = self.window.high - self.window.low + 1
        values = np.zeros((len(inner), size))
        for i, j in np.ndindex(n, n):
            if outside.values[i, j].any():
                runs = sliding_window_view(outside.values[i, j], degree + 1)
                values += factors[:, i, j] @ runs.T
        terms, total = n * n * (degree + 2), float(outside.values.sum())
        found = {}
        for (key, part), row in zip(inner, values, strict=True):
            missing = part.missing * total + outside.missing * float(part.values.sum())
            missing = 1.01 * (missing + terms * part.missing * outside.missing)
            found[key] = Row(
                row, part.exponent + outside.exponent,
                part.roundings + outside.roundings + terms, missing,
            )  # fmt: skip
        return found

    def _inner(self, first: int, time: int, last: int) -> Mapping[str, Bounded]:
        """What a block adds whose record at a time is what a name says: name -> part."""
        names = self._chain.names_at(time)
        key = time - first, last - first, *names
        if key not in self._shared:
            before, after = self._between(first, time - 1), self._between(time, last)
            found = {name: before.then(self._one(time, name)).then(after) for name in names}
            if not self._chain.alike:
                return found
            self._shared[key] = found
        return self._shared[key]


def _degree(places: Sequence[Mapping[str, tuple[int, int]]]) -> int:
    return max(k for seen in places for k, _ in seen.values())


class Totals:
    """Time -> name -> sum of mass(x) z**x over all x, as balls."""

    def __init__(self, chain: LongChain, z: Raw) -> None:
        n, length = len(chain.chain.states), chain.length
        known: dict[object, list[list[Raw]]] = {}
        self._tables: list[dict[str, Raw]] = []

        def steps(time: int) -> list[list[Raw]]:
            """The chances from a time to the next."""
            key = 0 if chain.alike else time
            if key not in known:
                known[key] = [[raw(chance) for chance in row] for row in chain.chances(time)]
            return known[key]

        def added(time: int, name: str | None) -> list[Raw]:
            key = (0 if chain.alike else time, name)
            if key not in sums:
                sums[key] = [
                    sum((raw(w) * z**k for k, w in row), raw(0)) for row in chain.adds(time, name)
                ]
            return sums[key]

        sums: dict[object, list[Raw]] = {}
        rows = [[raw(1)] * n]
        for time in range(length, 0, -1):
            adds, chances = added(time, None), steps(time)
            after = [sum(map(Raw.__mul__, row, rows[-1]), raw(0)) for row in chances]
            rows[-1] = after  # what comes after the record at the time, from its state
            rows.append([one * two for one, two in zip(adds, after, strict=True)])
        rows.pop()
        before = [raw(mass) for mass in chain.chain.start.values()]
        for time in range(1, length + 1):
            after = rows.pop()
            around = [one * two for one, two in zip(before, after, strict=True)]
            self._tables.append({
                name: sum(map(Raw.__mul__, added(time, name), around), raw(0))
                for name in chain.names_at(time)
            })
            moved = [one * two for one, two in zip(before, added(time, None), strict=True)]
            chances = steps(time)
            columns = zip(*chances, strict=True)
            before = [sum(map(Raw.__mul__, moved, column), raw(0)) for column in columns]

    def at(self, time: int, name: str) -> Raw:
        """Return the sum given what the record at a time is, times the probability of that."""
        return self._tables[time - 1][name]


class Sweeps:
    """Sweeps of one chain and one noise, window by window, which go on together.

    Attributes: `rate`, of the noise for a step of the lattice, `windows`, and `chances`, the
    probabilities of the secrets.
    """

    def __init__(self, chain: LongChain, rate: Rate, windows: Sequence[Window]) -> None:
        self.chain, self.windows = chain, windows
        with precision(BITS):
            self.rate = rate.ball().raw * raw(chain.step)
            self.chances = Totals(chain, raw(1))
        self._sweeps = [Sweep(chain, rate, window) for window in windows]
        self._too_wide: str | None = None
        self._begin()

    def _begin(self) -> None:
        times = sorted(self.chain.chain.times)
        self._running = [sweep.blocks(times) for sweep in self._sweeps]
        self._held: list[dict[tuple[int, str], Row]] = [{} for _ in self._sweeps]

    def rows(self, time: int, name: str) -> list[Row]:
        """Return the density under a secret, in every window: fast in the order of times.

        Raises BeyondFloats where floats do not enclose it.
        """
        key = time, name
        if self._too_wide is not None:
            raise BeyondFloats(self._too_wide)
        if key not in self._held[0]:
            if self._held[0] and time < next(iter(self._held[0]))[0]:
                self._begin()
            try:
                while key not in self._held[0]:
                    self._held = [next(running) for running in self._running]
            except BeyondFloats as error:  # for every time: a sweep that has ended does not go on
                self._too_wide = str(error)
                raise
        return [held[key] for held in self._held]


class RatioSweeps(Sweeps):
    """Of all outputs at which a ratio may be largest.

    Attributes: `totals` and `mirrored`, of mass(x) r**-x and r**x.
    """

    def __init__(self, chain: LongChain, rate: Rate) -> None:
        with precision(BITS):
            step_rate = rate.ball().raw * raw(chain.step)
            found = where(_tilted(chain), min(float(step_rate.mid()), _STEEP), chain.degree)
            self.totals = Totals(chain, step_rate.exp())
            self.mirrored = Totals(chain, (-step_rate).exp())
        for one, two in pairwise(found):
            if one.high != two.low:
                raise RuntimeError("windows of outputs do not meet")
        super().__init__(chain, rate, found)

    def at_end(self, rows: Sequence[Row], *, upward: bool) -> Raw:
        """Return at least p(y) r**-y at the last output of all windows, or p(y) r**y at the first.

        Nothing is divided by the chance of the secret.
        """
        end = -1 if upward else 0
        row, window = rows[end], self.windows[end]
        place = window.high if upward else window.low
        found = raw_float(float(row.values[end])) * raw(2) ** row.exponent
        found *= 1 - raw_float(1.01 * U * row.roundings)
        fall = (self.rate if upward else -self.rate).exp() / raw_float(window.tilt)
        return found * fall**place


class AreaSweeps(Sweeps):
    """Of the outputs that are probable, for areas below densities.

    Attributes: `low_tilt` and `high_tilt`, tilts z of what is below and above them, and `below` and
    `above`, the totals of mass(x) z**x.
    """

    def __init__(self, chain: LongChain, rate: Rate) -> None:
        with precision(BITS):
            about = min(float((rate.ball().raw * raw(chain.step)).mid()), _STEEP)
            self.window, low, high = bulk(_tilted(chain), about, chain.degree)
            self.low_tilt, self.high_tilt = raw_float(low), raw_float(high)
            self.below, self.above = Totals(chain, self.low_tilt), Totals(chain, self.high_tilt)
        super().__init__(chain, rate, [self.window])


def _tilted(chain: LongChain) -> Tilted:
    times = range(1, 2 if chain.alike else chain.length + 1)
    most = max(len(row) for time in times for row in chain.adds(time, None))
    n = len(chain.chain.states)
    places, weights = np.zeros((len(times), n, most)), np.zeros((len(times), n, most))
    for time in times:
        for s, row in enumerate(chain.adds(time, None)):
            total = sum(w for _, w in row)
            for q, (k, w) in enumerate(row):
                places[time - 1, s, q], weights[time - 1, s, q] = k, w / total
    chances = np.array([[[float(x) for x in row] for row in chain.chances(t)] for t in times])
    start = np.array([float(mass) for mass in chain.chain.start.values()])
    there = start > 0
    if chain.alike:
        for _ in range(n):
            there |= there @ chances[0] > 0
        chances[0, ~there] = 0.0
    else:
        for one in chances:
            one[~there] = 0.0
            there = there @ one > 0
    return Tilted(start, chances, places, weights, chain.length, chain.degree)
