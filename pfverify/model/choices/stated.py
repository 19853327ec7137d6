"""What a problem may publish of several noisy numbers instead of them: the name of one of them.

`select`: that of the largest or the smallest; `first-above` and `first-below`: of the first, in
the order of the coordinates, on that side of a threshold, which has noise of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import combinations, permutations
from math import comb, perm
from typing import TYPE_CHECKING, Any, ClassVar

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, number, rational
from pfverify.model.choices.kinds import NAMES
from pfverify.model.keys import NUMBER
from pfverify.model.words import check_keys

if TYPE_CHECKING:
    from pfverify.model.choices.integrals import C, Chances, Noisy

NONE = "none"
"""The output where no number is on that side."""
TIES = ("first", "last", "random")
_MOST_AT_RANDOM = 16  # numbers, whose ties have a sum of as many parts
_MOST_OUTPUTS = 4096
MOST_ORDERED = 2
"""Numbers that are named in their order."""


class NameChoice(ABC):
    """Which of several noisy numbers is named."""

    key: ClassVar[str]

    @abstractmethod
    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names that may be published; InputError for coordinates of such a name."""

    @abstractmethod
    def chances(
        self, line: Chances[C], numbers: Sequence[Noisy], threshold: Noisy | None
    ) -> list[C]:
        """Return the chance of every output; `threshold`: None where there is none."""

    @abstractmethod
    def named(
        self, names: Sequence[str], numbers: Sequence[Fraction], thresholds: Iterator[Fraction],
        below: Callable[[int], int],
    ) -> str:  # fmt: skip
        """Return what is published of some noisy numbers.

        `thresholds`: noisy ones, each drawn anew; `below(n)`: an integer drawn from 0 to n - 1.
        """

    @abstractmethod
    def canonical(self) -> dict[str, Any]:
        """Return the table that `choice_of` reads as this."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What it does, in words."""

    def parts(self, size: int) -> int:
        """Return of how many sums a chance among so many numbers is made."""
        del size
        return 1

    @property
    @abstractmethod
    def of_largest(self) -> bool:
        """Whether what is large is named, and not what is small."""

    @property
    def threshold(self) -> NoisyThreshold | None:
        """The threshold, where there is one."""
        return None

    def with_threshold(self, scale: Number) -> NameChoice:
        """Return the same with another scale of the threshold's noise."""
        raise InputError(f"scale: {scale.text}, and there is no threshold")

    def without_kind(self) -> NameChoice:
        """Return the same with a threshold whose noise is of the kind of the numbers'."""
        return self


@dataclass(frozen=True)
class Select(NameChoice):
    """The name of the largest number, or of the smallest; `ties`: of equal ones, which.

    `top`: how many are named, in their order; two at most.
    """

    largest: bool
    ties: str = "first"
    top: int = 1
    key = "select"

    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the coordinates, or of so many in every order."""
        if self.top > len(names):
            raise InputError(f"post[0].top: {self.top} of {len(names)} numbers, expected fewer")
        _few(perm(len(names), self.top), "post[0].top")
        return _distinct(permutations(names, self.top), "post[0].top")

    def chances(
        self, line: Chances[C], numbers: Sequence[Noisy], threshold: Noisy | None
    ) -> list[C]:
        """Return the chance of each to be the largest."""
        del threshold
        if not self.largest:
            numbers = [of._replace(at=-of.at) for of in numbers]
        if self.top == 1 and not line.ties:
            return line.each_greatest(numbers)
        return [
            self._chance(line, numbers, order)
            for order in permutations(range(len(numbers)), self.top)
        ]

    def _chance(self, line: Chances[C], numbers: Sequence[Noisy], order: Sequence[int]) -> C:
        size = len(numbers)
        if self.ties != "random" or not line.ties:
            return self._sharing(line, numbers, order, None)
        # a tie of m numbers is won with chance 1/m, the mean of z**(m - 1) over z in [0, 1]: of a
        # polynomial in z, of which so many values tell all
        most = _MOST_AT_RANDOM if self.top == 1 else _MOST_AT_RANDOM // 2
        if size > most and line.ties:
            raise InputError(
                f"post[0].ties: at random of {size} numbers, expected at most {most}; or first, or "
                "last"
            )
        terms = [
            (line.ring.number(weight), self._sharing(line, numbers, order, share))
            for share, weight in _mean(size)
        ]
        found: C = line.ring.total(terms)
        return found

    def _sharing(
        self, line: Chances[C], numbers: Sequence[Noisy], order: Sequence[int],
        share: Fraction | None,
    ) -> C:  # fmt: skip
        """The chance that those before the last are above it, and the others below, or equal for a
        share of all ties."""
        from pfverify.model.choices.integrals import Side

        *above, chosen = order
        sides = []
        for k, other in enumerate(numbers):
            if k != chosen:
                wins = (k > chosen) == (self.ties == "first")
                sides.append(
                    Side(other, k not in above, Fraction(wins) if share is None else share)
                )
        return line.chance(numbers[chosen], sides)

    def parts(self, size: int) -> int:
        """Return one, times the numbers at random, times the others where two are named."""
        return (size if self.ties == "random" else 1) * (size - 1 if self.top > 1 else 1)

    def named(
        self, names: Sequence[str], numbers: Sequence[Fraction], thresholds: Iterator[Fraction],
        below: Callable[[int], int],
    ) -> str:  # fmt: skip
        """Return the name of the largest, or of so many in their order."""
        del thresholds
        left, found = {name: x if self.largest else -x for name, x in zip(
            names, numbers, strict=True)}, list[str]()  # fmt: skip
        for _ in range(self.top):
            top = max(left.values())
            equal = [name for name, x in left.items() if x == top]
            place = {"first": 0, "last": -1}.get(self.ties)
            found.append(equal[below(len(equal)) if place is None else place])
            del left[found[-1]]
        return ", ".join(found)

    @property
    def of_largest(self) -> bool:
        """Whether it is the largest."""
        return self.largest

    def canonical(self) -> dict[str, Any]:
        """Return `select` and `ties`, and `top` where that is not 1."""
        top = {} if self.top == 1 else {"top": self.top}
        return {"select": "argmax" if self.largest else "argmin", "ties": self.ties, **top}

    @property
    def words(self) -> str:
        """Which is published."""
        which = "largest" if self.largest else "smallest"
        named = f"name of the {which} is" if self.top == 1 else (
            f"names of the {self.top} {which} in their order are"
        )  # fmt: skip
        return f"the {named} published ({_TIE_WORDS[self.ties]})"


_TIE_WORDS = {
    "first": "of equal ones the first", "last": "of equal ones the last",
    "random": "of equal ones any with the same chance",
}  # fmt: skip


@dataclass(frozen=True)
class NoisyThreshold:
    """A threshold, and the scale of its noise: None for no noise; `kind`: where it is stated."""

    at: Fraction
    scale: Number | None
    kind: str | None = None

    def canonical(self) -> dict[str, Any]:
        """Return the table of it."""
        kind = {} if self.kind is None else {"kind": self.kind}
        scale = {} if self.scale is None else {"scale": self.scale.text}
        return {"threshold": str(self.at), **scale, **kind}


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
        _few(sum(comb(size, k) for k in range(self.count + 1)), f"{where}.count")
        chosen = (([names[k] for k in found], end) for found, end in self._found(size))
        return _distinct(
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
        self, line: Chances[C], numbers: Sequence[Noisy], threshold: Noisy | None
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


def _few(outputs: int, where: str) -> None:
    if outputs > _MOST_OUTPUTS:
        raise InputError(
            f"{where}: {shorten(outputs)} outputs, at most {_MOST_OUTPUTS} are worked out"
        )


def _distinct(found: Iterable[Sequence[str]], where: str) -> tuple[str, ...]:
    """The names of outputs, which must differ."""
    names = tuple(", ".join(names) for names in found)
    if len({*names}) < len(names):
        raise InputError(
            f"{where}: two outputs have one name, as a coordinate has a comma in its own; expected "
            "names without"
        )
    return names


def _mean(size: int) -> list[tuple[Fraction, Fraction]]:
    """Places in [0, 1] and weights, by which a polynomial of a degree below `size` has its mean."""
    if size == 1:
        return [(Fraction(0), Fraction(1))]
    places = [Fraction(k, size - 1) for k in range(size)]
    found = []
    for k, place in enumerate(places):
        powers = [Fraction(1)]  # of the polynomial that is 1 there and 0 at the others
        for other in (x for m, x in enumerate(places) if m != k):
            up = [Fraction(0), *powers]
            powers = [
                (a - other * b) / (place - other) for a, b in zip(up, [*powers, Fraction(0)],
                                                                 strict=True)
            ]  # fmt: skip
        weight = sum((c / (n + 1) for n, c in enumerate(powers)), Fraction(0))
        found.append((place, weight))
    return found


def states_choice(post: object) -> bool:
    """Say whether a list of steps states a choice.

    Example: ``states_choice([{"select": "argmax"}])`` is ``True``.
    """
    entries = post if isinstance(post, Sequence) and not isinstance(post, str) else []
    return any(isinstance(entry, NameChoice) or (
        isinstance(entry, Mapping) and not set(CHOICES).isdisjoint(entry)
    ) for entry in entries)  # fmt: skip


def choice_of(post: object) -> NameChoice:
    """Return the choice of a list of one step; InputError naming what is wrong.

    Example: ``choice_of([{"select": "argmin"}]).words.startswith("the name of the smallest")``.
    """
    if not isinstance(post, Sequence) or len(post) != 1:
        raise InputError("post: a choice is the only step, expected one")
    (entry,) = post
    if isinstance(entry, NameChoice):
        return entry
    if not isinstance(entry, Mapping):
        raise InputError("post[0]: expected a table")
    (key, *more) = [name for name in CHOICES if name in entry]
    if more:
        raise InputError(f"post[0]: {key} and {more[0]} are two choices, expected one")
    return CHOICES[key](entry)


def _select(entry: Mapping[str, Any]) -> Select:
    check_keys(entry, ("select", "ties", "top"), "post[0]: ")
    which, ties = entry["select"], entry.get("ties", "first")
    top = _count(entry.get("top", 1), "post[0].top")
    if top > MOST_ORDERED:
        raise InputError(
            f"post[0].top: the order of {top} numbers is not worked out, expected at most "
            f"{MOST_ORDERED}"
        )
    if which not in ("argmax", "argmin"):
        raise InputError(
            f"post[0].select: {shorten(which)!r} is unknown, expected argmax or argmin"
        )
    if ties not in TIES:
        raise InputError(
            f"post[0].ties: {shorten(ties)!r} is unknown, expected one of {', '.join(TIES)}"
        )
    return Select(which == "argmax", ties, top)


def _count(value: object, where: str) -> int:
    if type(value) is not int or value < 1:
        raise InputError(f"{where}: {shorten(value)}, expected a whole number from 1 on")
    return value


def _first(key: str) -> Callable[[Mapping[str, Any]], First]:
    def read(entry: Mapping[str, Any]) -> First:
        check_keys(entry, (key,), "post[0]: ")
        table = entry[key]
        where = f"post[0].{key}"
        if not isinstance(table, Mapping):
            raise InputError(f"{where}: expected a table with threshold and scale")
        check_keys(table, ("threshold", "scale", "kind", "count", "redraw"), f"{where}: ")
        if "threshold" not in table:
            raise InputError(f"{where}.threshold: missing, expected a rational number")
        at = rational(table["threshold"], f"{where}.threshold")
        scale = None
        if "scale" in table:
            scale = number(table["scale"], f"{where}.scale")
            if scale.sign() != 1:
                raise InputError(
                    f"{where}.scale: {shorten(scale.text)} is not above 0; leave it out for a "
                    "threshold without noise"
                )
        kind = table.get("kind")
        if kind not in (None, *NAMES):
            raise InputError(
                f"{where}.kind: {shorten(kind)!r} is not worked out, expected one of "
                f"{', '.join(NAMES)}"
            )
        count, redraw = _count(table.get("count", 1), f"{where}.count"), table.get("redraw", True)
        if type(redraw) is not bool:
            raise InputError(f"{where}.redraw: {shorten(redraw)}, expected true or false")
        return First(key == "first-above", NoisyThreshold(at, scale, kind), count, redraw)

    return read


CHOICES: dict[str, Callable[[Mapping[str, Any]], NameChoice]] = {
    "select": _select,
    "first-above": _first("first-above"),
    "first-below": _first("first-below"),
}
"""Key of a step -> what reads it."""


def choices_schema() -> dict[str, Any]:
    """Return the properties of such a step in the published schema."""
    threshold = {
        "type": "object", "required": ["threshold"], "additionalProperties": False,
        "properties": {
            "threshold": NUMBER, "scale": NUMBER, "kind": {"enum": [*NAMES]},
            "count": {"type": "integer", "minimum": 1, "description": "how many are named"},
            "redraw": {
                "type": "boolean",
                "description": "whether the threshold's noise is drawn anew after each (true)",
            },
        },
    }  # fmt: skip
    return {
        "select": {
            "enum": ["argmax", "argmin"],
            "description": "the name of the largest, or the smallest, of several noisy numbers",
        },
        "ties": {"enum": list(TIES), "description": "of equal ones, which is chosen"},
        "top": {
            "type": "integer", "minimum": 1,
            "description": f"how many are named, in their order, {MOST_ORDERED} at most",
        },
        "first-above": {
            **threshold, "description": "the first number that is at least a noisy threshold"
        },
        "first-below": {
            **threshold, "description": "the first number that is at most a noisy threshold"
        },
    }  # fmt: skip
