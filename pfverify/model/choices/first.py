"""The names of the first of several noisy numbers on one side of a noisy threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.choices.choice import NameChoice, NoisyThreshold, check_few, distinct

if TYPE_CHECKING:
    from pfverify.model.choices.integrals import C, ChoiceChances, Noisy

NONE = "none"
"""The output where no number is on that side."""


@dataclass(frozen=True)
class First(NameChoice):
    """The names of the first numbers above a noisy threshold (or equal), or of the first below.

    `count`: how many are named, one at first; `redraw`: whether the threshold's noise is drawn anew
    after each of them but the last. Where there are fewer the last name is `NONE`.
    """

    above: bool
    to: NoisyThreshold
    count: int = 1
    redraw: bool = True

    @property
    def key(self) -> str:  # type: ignore[override]
        """Its key in a file."""
        return "first-above" if self.above else "first-below"

    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the coordinates, or of so many in their order, and that of none."""
        where, size = f"post[0].{self.key}", len(names)
        if NONE in names:
            raise InputError(
                f"{where}: a coordinate is named {NONE!r}, which is the output where no "
                "number is on that side; expected another name"
            )
        if self.count > size:
            raise InputError(f"{where}.count: {self.count} of {size} numbers, expected at most all")
        check_few(sum(comb(size, k) for k in range(self.count + 1)), f"{where}.count")
        chosen = (([names[k] for k in found], end) for found, end in self._found(size))
        return distinct(
            ((*found, *([NONE] if end is None else [])) for found, end in chosen), f"{where}.count"
        )

    def _found(self, size: int) -> Iterator[tuple[tuple[int, ...], int | None]]:
        """Which numbers may be named, and how many were looked at; None: all, and not enough."""
        for found in combinations(range(size), self.count):
            yield found, found[-1] + 1
        for fewer in reversed(range(self.count)):
            for found in combinations(range(size), fewer):
                yield found, None

    def chances(
        self, line: ChoiceChances[C], numbers: Sequence[Noisy], threshold: Noisy | None
    ) -> list[C]:
        """Return the chance of each to be the first, and of none."""
        from pfverify.model.choices.integrals import Noisy, Side

        at = threshold or Noisy(self.to.at, None)
        if not self.above:
            at = at._replace(at=-at.at)
            numbers = [of._replace(at=-of.at) for of in numbers]
        size = len(numbers)
        runs: dict[tuple[int, int, tuple[int, ...]], C] = {}

        def run(begin: int, end: int, hits: tuple[int, ...]) -> C:
            """The chance that of some numbers these are on that side, with one draw of noise."""
            if (begin, end, hits) not in runs:
                sides = [Side(numbers[k], k not in hits) for k in range(begin, end)]
                runs[begin, end, hits] = (
                    line.beside(at.at, sides) if at.bare else line.chance(at, sides)
                )
            return runs[begin, end, hits]

        every = []
        for found, end in self._found(size):
            if not self.redraw:
                every.append(run(0, size if end is None else end, found))
                continue
            begins = (0, *(k + 1 for k in found))
            parts = [run(a, k + 1, (k,)) for a, k in zip(begins, found, strict=False)]
            if end is None and begins[-1] < size:
                parts.append(run(begins[-1], size, ()))
            every.append(reduce(line.product, parts))
        return every

    def parts(self, size: int) -> int:
        """Return one, or how many outputs there are where more than one is named."""
        return 1 if self.count == 1 else sum(comb(size, k) for k in range(self.count + 1))

    @property
    def threshold(self) -> NoisyThreshold:
        """The threshold."""
        return self.to

    def named(
        self, names: Sequence[str], numbers: Sequence[Fraction], thresholds: Iterator[Fraction],
        below: Callable[[int], int],
    ) -> str:  # fmt: skip
        """Return the names of the first on that side, in their order."""
        del below
        found, limit = list[str](), next(thresholds)
        for name, x in zip(names, numbers, strict=True):
            if x >= limit if self.above else x <= limit:
                found.append(name)
                if len(found) == self.count:
                    return ", ".join(found)
                limit = next(thresholds) if self.redraw else limit
        return ", ".join([*found, NONE])

    @property
    def of_largest(self) -> bool:
        """Whether it is what is above."""
        return self.above

    def with_threshold(self, scale: Number) -> First:
        """Return the same with another scale of the threshold's noise."""
        return replace(self, to=replace(self.to, scale=scale))

    def without_kind(self) -> First:
        """Return the same with a threshold whose noise is of the kind of the numbers'."""
        return replace(self, to=replace(self.to, kind=None))

    def canonical(self) -> dict[str, Any]:
        """Return the table of the threshold, and of more names than one."""
        more = {} if self.count == 1 else {"count": self.count, "redraw": self.redraw}
        return {self.key: {**self.to.canonical(), **more}}

    @property
    def words(self) -> str:
        """Which is published."""
        side = "at least" if self.above else "at most"
        noise = "without noise" if self.to.scale is None else (
            f"with its own noise of scale {shorten(self.to.scale.text, 24)}"
        )  # fmt: skip
        if self.count == 1:
            return (
                f"the name of the first that is {side} the threshold {self.to.at} ({noise}) is "
                f"published, else {NONE}"
            )
        drawn = "drawn anew after each" if self.redraw else "drawn once"
        again = "" if self.to.scale is None else f", {drawn}"
        return (
            f"the names of the first {self.count} that are {side} the threshold {self.to.at} "
            f"({noise}{again}) are published, and {NONE} after fewer"
        )
