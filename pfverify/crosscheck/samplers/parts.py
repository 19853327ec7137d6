"""Outputs in disjoint parts, chosen from exact laws: what counts draws, and what encloses chances.

A draw is taken as the float64 nearest to it, and the laws as those of outputs rounded so. Floats
choose where parts end; every chance is enclosed by the exact law.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import inf, isfinite, isnan, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfverify.crosscheck.samplers.quantiles import Quantiles, quantiles
from pfverify.crosscheck.samplers.reading import number_in
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Ball, Raw, fraction_of, precision, raw
from pfverify.laws.atoms import NoisyAtoms
from pfverify.laws.exponential import ExponentialAtoms
from pfverify.laws.gaussian_lattice import GaussianAtoms
from pfverify.laws.kept import KeptLaw
from pfverify.laws.laplace import LaplaceMixture
from pfverify.laws.law import AtPrecision, Law
from pfverify.laws.masses import BareAtoms, ChannelOutputs
from pfverify.laws.normal import NormalMixture
from pfverify.laws.truncated import TruncatedAtoms
from pfverify.model.steps.step import SUPPRESSED

Draws = NDArray[np.float64] | list[str]
"""Outputs that were drawn: numbers, or texts."""
Event = frozenset[int]
"""A set of outputs: the indices of its parts."""
Chance = tuple[Fraction, Fraction]
"""Two rationals around a probability."""
_BITS = 256
_SINGLES, _CHUNK = 48, 1 / 16
_SHOWN = 6


class Chances:
    """What a law gives to the parts: `each` in floats, to choose events, and exact enclosures."""

    def __init__(self, runs: Callable[[int, int], Raw], count: int) -> None:
        """Take what encloses the chance of the parts from one index to before another."""
        self._runs = runs
        with precision(_BITS):
            self.each = [max(float(runs(k, k + 1).mid()), 0.0) for k in range(count)]

    def of(self, event: Event) -> Chance:
        """Enclose the probability of an event; what is no output has none.

        Example: ``Chances(lambda start, end: raw(0), 1).of(frozenset())`` is ``(0, 0)``.
        """
        kept = sorted(k for k in event if k < len(self.each))
        if not kept:
            return Fraction(0), Fraction(0)
        starts = [k for k in kept if k - 1 not in event]
        ends = [k + 1 for k in kept if k + 1 not in event or k + 1 == len(self.each)]
        with precision(_BITS):
            total = sum(map(self._runs, starts, ends), raw(0))
            found = Ball(total).ends()
        if found is None:
            return Fraction(0), Fraction(1)
        low, high = map(fraction_of, found)
        return max(low, Fraction(0)), min(high, Fraction(1))


class Parts(ABC):
    """Disjoint sets of outputs. The index `size` stands for what is no output at all."""

    size: int

    @property
    def numeric(self) -> bool:
        """Whether an output may be a number, which has digits."""
        return True

    @abstractmethod
    def counts(self, draws: Draws) -> list[int]:
        """Return how many draws are in each part, and last how many are no output."""

    @abstractmethod
    def chances(self, law: Law[Any]) -> Chances:
        """Return what a law gives to the parts."""

    @abstractmethod
    def events(self, chances: Chances) -> list[Event]:
        """Return the events that a law is tested on, without what is no output."""

    @abstractmethod
    def words(self, event: Event) -> str:
        """Return an event in words, as in ``"2 < y <= 3"``."""

    @property
    def impossible(self) -> Event:
        """What is no output."""
        return frozenset({self.size})


class Intervals(Parts):
    """Parts of the line, between edges: (-inf, e1], (e1, e2], ... (em, inf)."""

    def __init__(self, laws: Sequence[Law[Fraction]], draws: int) -> None:
        self._found: list[Quantiles] = [quantiles(law, draws) for law in laws]
        self.edges = sorted({edge for one in self._found for edge in one.edges})
        self.size = len(self.edges) + 1
        self._lattices = [law for law in laws if law.step is not None]

    def counts(self, draws: Draws) -> list[int]:
        """Return how many draws are in each part; infinities, nan and other lattices are in none.

        Raises InputError for texts that are no numbers.
        """
        if isinstance(draws, list):
            draws = np.array([number_in(text) for text in draws], dtype=np.float64)
        values, many = np.unique(draws[np.isfinite(draws)], return_counts=True)
        if self._lattices:
            on = np.array([self._on_lattice(float(y)) for y in values], dtype=bool)
            values, many = values[on], many[on]
        where = np.searchsorted(np.array(self.edges), values, side="left")
        found = np.bincount(where, weights=many, minlength=self.size)
        counts = [int(count) for count in found]
        return [*counts, len(draws) - sum(counts)]

    def _on_lattice(self, y: float) -> bool:
        return any(
            isinstance(law, NoisyAtoms)
            and law.step is not None
            and float(law.lattice_point(Fraction(y) + law.step / 2)) == y
            for law in self._lattices
        )

    def chances(self, law: Law[Any]) -> Chances:
        """Return what a law gives to the parts: its distribution function beside each edge."""
        with precision(_BITS):
            at = law.at_precision()
            below = [at.below(Fraction(nextafter(edge, -inf))) for edge in self.edges]
            above = [at.below(Fraction(nextafter(edge, inf))) for edge in self.edges]

        def runs(start: int, end: int) -> Raw:
            """From the edge before `start` to that before `end`, however the edges are rounded."""
            high = below[end - 1].union(above[end - 1]) if end < self.size else raw(1)
            low = below[start - 1].union(above[start - 1]) if start else raw(0)
            return high - low

        return Chances(runs, self.size)

    def events(self, chances: Chances) -> list[Event]:
        """Return tails, outsides and cells of about equal chance, of the first of the laws."""
        first = self._found[0]
        at = {edge: k + 1 for k, edge in enumerate(self.edges)}
        found = [frozenset(range(at[edge])) for edge in first.edges]
        for low, high in first.tails:
            found.append(frozenset(range(at[low])) | frozenset(range(at[high], self.size)))
        cells = [0, *(at[edge] for edge in first.cells), self.size]
        found += [frozenset(range(a, b)) for a, b in pairwise(cells)]
        if self._lattices:
            found += [frozenset({k}) for k, mass in enumerate(chances.each) if mass > _CHUNK / 4]
        return _distinct(found, self.size)

    def words(self, event: Event) -> str:
        """Return an event as inequalities."""
        found = []
        for start, end in _runs(event - self.impossible):
            low = self.edges[start - 1] if start else -inf
            found.append(_between(low, self.edges[end - 1] if end < self.size else inf))
        return _listed([*found, *(["no output of the release"] if self.size in event else [])])


class NamedParts(Parts):
    """Parts of which some have names: `_texts` is name -> index."""

    _texts: dict[str, int]

    def counts(self, draws: Draws) -> list[int]:
        """Return how many draws are in each part: by its name, or by the number that it writes."""
        found = [0] * (self.size + 1)
        if isinstance(draws, list):
            for text, count in Counter(draws).items():
                known = self._texts.get(text)
                found[self._place_of(number_in(text)) if known is None else known] += count
        else:
            for y, count in zip(*np.unique(draws, return_counts=True), strict=True):
                found[self._place_of(float(y))] += int(count)
        return found

    @abstractmethod
    def _place_of(self, number: float) -> int:
        """The index of the part that a number is in, `size` where it is in none."""


class SingleOutputs(NamedParts):
    """Every output by itself: atoms, or the names that a channel puts out.

    "X and more" and "less than X", as releases with steps name outputs without end, are all the
    numbers there that have no name of their own.
    """

    def __init__(self, laws: Sequence[Law[Any]]) -> None:
        outputs = dict.fromkeys(output for law in laws for output in law.outputs)
        self._ends: list[tuple[float, float, int]] = []
        self._texts: dict[str, int] = {}
        self._numbers: dict[float, int] = {}
        self._places: dict[object, int] = {}
        self.names: list[str] = []
        for output in outputs:
            number = number_in(output) if isinstance(output, str) else float(output)
            known = self._numbers.get(number) if isfinite(number) else None
            if isinstance(output, Fraction) and known is not None:
                self._places[output] = known  # two atoms that are one float64
                continue
            self._places[output] = self._texts[str(output)] = len(self.names)
            if isfinite(number):
                self._numbers.setdefault(number, len(self.names))
            elif isinstance(output, str) and (ends := _without_end(output)):
                self._ends.append((*ends, len(self.names)))
            self.names.append(str(output))
        self.size = len(self.names)

    @property
    def numeric(self) -> bool:
        """Whether an output is a number, or stands for some."""
        return bool(self._numbers or self._ends)

    def _place_of(self, number: float) -> int:
        ends = (k for low, high, k in self._ends if low <= number < high)
        return self._numbers.get(number, next(ends, self.size))

    def chances(self, law: Law[Any]) -> Chances:
        """Return the masses of a law."""
        with precision(_BITS):
            at = law.at_precision()
            masses = [raw(0)] * self.size
            for output in law.outputs:
                masses[self._places[output]] += at.value(output)
            sums = list(accumulate(masses, initial=raw(0)))

        def runs(start: int, end: int) -> Raw:
            return masses[start] if end == start + 1 else sums[end] - sums[start]

        return Chances(runs, self.size)

    def events(self, chances: Chances) -> list[Event]:
        """Return the most likely outputs, runs of about equal chance, and what has no chance."""
        each = chances.each
        likely = sorted(range(self.size), key=lambda k: -each[k])[:_SINGLES]
        found = [frozenset({k}) for k in likely if each[k]]
        found.append(frozenset(range(self.size)) - frozenset(likely))
        found.append(frozenset(k for k, mass in enumerate(each) if not mass))
        if self.size > _SINGLES:
            sums = list(accumulate(each))
            ends = [bisect_left(sums, k * _CHUNK) for k in range(1, round(1 / _CHUNK))]
            cells = [0, *sorted(set(ends) - {0}), self.size]
            found += [frozenset(range(a, b)) for a, b in pairwise(cells)]
        return _distinct(found, self.size)

    def words(self, event: Event) -> str:
        """Return the names of an event."""
        names = [repr(self.names[k]) for k in sorted(event - self.impossible)]
        return _listed([*names, *(["no output of the release"] if self.size in event else [])])


class MixedParts(NamedParts):
    """Single outputs, and the cells of what keeps its density, from left to right.

    A draw that is the float64 of a single output is taken as that.
    """

    def __init__(self, given: Sequence[Law[Any]], draws: int) -> None:
        laws = [law for law in given if isinstance(law, KeptLaw)]
        noisy = [law.noisy for law in laws if law.noisy is not None]
        edges = sorted({edge for law in noisy for edge in quantiles(law, draws).edges})
        self.names: list[str | None] = []
        self._ends: list[tuple[float, float]] = []
        if any(part not in law.parts for law in laws for part in law.singles):
            self.names.append(SUPPRESSED)  # no row alone, no number
            self._ends.append((-inf, -inf))
        for part in laws[0].parts:
            low = -inf if part.low is None else float(part.low)
            high = inf if part.high is None else float(part.high)
            inner = [] if part.output else [edge for edge in edges if low < edge < high]
            for ends in pairwise([low, *inner, high]):
                self.names.append(part.output)
                self._ends.append(ends)
        self.size = len(self.names)
        self._texts = {name: k for k, name in enumerate(self.names) if name is not None}
        numbers = {number_in(name): k for name, k in self._texts.items()}
        self._numbers = {y: k for y, k in numbers.items() if isfinite(y)}

    def _place_of(self, number: float) -> int:
        if number in self._numbers or not isfinite(number):
            return self._numbers.get(number, self.size)
        at = bisect_left(self._ends, number, key=lambda ends: ends[1])
        inside = (k for k in (at, at + 1) if k < self.size and self.names[k] is None)
        return next(
            (k for k in inside if self._ends[k][0] <= number <= self._ends[k][1]), self.size
        )

    def chances(self, law: Law[Any]) -> Chances:
        """Return the chance of every part, however the ends of cells are rounded."""
        if not isinstance(law, KeptLaw):
            raise InputError("a law of single outputs beside a density: expected, got another")
        with precision(_BITS):
            at, masses = law.at_precision(), list[Raw]()
            noisy = None if law.noisy is None else law.noisy.at_precision()
            for name, ends in zip(self.names, self._ends, strict=True):
                mass, places = raw(0), ends
                if name is not None:
                    mass, places = at.value(name), (number_in(name),) * 2
                if noisy is not None and not isnan(places[0]):  # with what is rounded to a number
                    low, high = (_around(noisy, edge) for edge in places)
                    mass += raw(law.chance) * (high - low)
                masses.append(mass)

        def runs(start: int, end: int) -> Raw:
            return sum(masses[start:end], raw(0))

        return Chances(runs, self.size)

    def events(self, chances: Chances) -> list[Event]:
        """Return every part by itself, and all from the left up to each."""
        del chances
        each = [frozenset({k}) for k in range(self.size)]
        return _distinct([*each, *(frozenset(range(k)) for k in range(self.size))], self.size)

    def words(self, event: Event) -> str:
        """Return the names of an event, and neighbouring cells as inequalities."""
        found = []
        for start, end in _runs(event - self.impossible):
            cells = list[tuple[float, float]]()
            for k in range(start, end + 1):
                name = self.names[k] if k < end else ""
                if name is None:
                    cells.append(self._ends[k])
                    continue
                if cells:
                    found.append(_between(cells[0][0], cells[-1][1]))
                    cells.clear()
                found += [repr(name)] * bool(name)
        return _listed([*found, *(["no output of the release"] if self.size in event else [])])


def _around(at: AtPrecision[Fraction], edge: float) -> Raw:
    """The distribution function on both sides of an edge, however it was rounded."""
    if not isfinite(edge):
        return raw(int(edge > 0))
    return at.below(Fraction(nextafter(edge, -inf))).union(
        at.below(Fraction(nextafter(edge, inf)))
    )


def _without_end(output: str) -> tuple[float, float] | None:
    """The numbers that an output such as "6 and more" stands for."""
    low, high = number_in(output.removesuffix(" and more")), number_in(
        output.removeprefix("less than ")
    )  # fmt: skip
    if isfinite(low):
        return low, inf
    return (nextafter(-inf, 0), high) if isfinite(high) else None


def _distinct(events: Iterable[Event], size: int) -> list[Event]:
    """Events without doubles, and without nothing and everything."""
    return [one for one in dict.fromkeys(events) if 0 < len(one) < size]


def _between(low: float, high: float) -> str:
    """An interval as inequalities."""
    first = f"{_edge(low)} < " if isfinite(low) else ""
    last = f" <= {_edge(high)}" if isfinite(high) else ""
    return f"{first}y{last}" if first or last else "any y"


def _edge(edge: float) -> str:
    return repr(edge).removesuffix(".0")


def _runs(event: Event) -> list[tuple[int, int]]:
    kept = sorted(event)
    starts = [k for k in kept if k - 1 not in event]
    return list(zip(starts, [k + 1 for k in kept if k + 1 not in event], strict=True))


def _listed(words: Sequence[str]) -> str:
    more = len(words) - _SHOWN
    shown = [*words[:_SHOWN], *([f"{more} more"] if more > 0 else [])]
    return " or ".join(shown) or "nothing"


@dataclass(frozen=True)
class _Maker:
    """How a kind of law is taken apart: `family` tells which laws go together."""

    family: str
    make: Callable[[Sequence[Law[Any]], int], Parts]


_LINE = _Maker("numbers on the line", Intervals)
_FINITE = _Maker("outputs that can be counted", lambda laws, _: SingleOutputs(laws))
MAKERS: dict[type[Law[Any]], _Maker] = {
    ExponentialAtoms: _LINE, LaplaceMixture: _LINE, NormalMixture: _LINE,
    GaussianAtoms: _LINE, TruncatedAtoms: _LINE,
    BareAtoms: _FINITE, ChannelOutputs: _FINITE,
    KeptLaw: _Maker("numbers with a density beside single outputs", MixedParts),
}  # fmt: skip
"""Kind of law -> its parts; a kind without a row is refused by name."""


def parts_of(laws: Sequence[Law[Any]], draws: int) -> Parts:
    """Return the parts that some laws are tested on, for so many draws, chosen by the first.

    Raises InputError for a kind of law whose draws cannot be read.
    Example: ``parts_of([BareAtoms(Discrete({0: "1/2", 3: "1/2"}))], 1000).size`` is 2.
    """
    makers = []
    for law in laws:
        maker = MAKERS.get(type(law))
        if maker is None:
            raise InputError(f"draws of a {shorten(type(law).__name__)} law cannot be tested")
        makers.append(maker)
    if len({maker.family for maker in makers}) != 1:
        raise InputError("the two laws of a pair have outputs of different kinds")
    return makers[0].make(laws, draws)
