"""What a problem may publish of several noisy numbers instead of them: the name of one of them.

`select`: that of the largest or the smallest; `first-above` and `first-below`: of the first, in
the order of the coordinates, on that side of a threshold, which has noise of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, number, rational
from pfverify.model.words import check_keys

if TYPE_CHECKING:
    from pfverify.model.choices.integrals import C, LineChances, Noisy

NONE = "none"
"""The output where no number is on that side."""
TIES = ("first", "last", "random")
_MOST_AT_RANDOM = 16  # numbers, whose ties have a sum of as many parts


class NameChoice(ABC):
    """Which of several noisy numbers is named."""

    key: ClassVar[str]

    @abstractmethod
    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names that may be published; InputError for coordinates of such a name."""

    @abstractmethod
    def chances(
        self, line: LineChances[C], numbers: Sequence[Noisy], threshold: int | None
    ) -> list[C]:
        """Return the chance of every output; `threshold`: the rate of its noise, None for none."""

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
    def threshold(self) -> NoisyThreshold | None:
        """The threshold, where there is one."""
        return None

    def with_threshold(self, scale: Number) -> NameChoice:
        """Return the same with another scale of the threshold's noise."""
        raise InputError(f"scale: {scale.text}, and there is no threshold")


@dataclass(frozen=True)
class Select(NameChoice):
    """The name of the largest number, or of the smallest; `ties`: of equal ones, which."""

    largest: bool
    ties: str = "first"
    key = "select"

    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the coordinates."""
        return tuple(names)

    def chances(
        self, line: LineChances[C], numbers: Sequence[Noisy], threshold: int | None
    ) -> list[C]:
        """Return the chance of each to be the largest."""
        from pfverify.model.choices.integrals import LatticeChances, each_greatest

        del threshold
        if not self.largest:
            numbers = [of._replace(at=-of.at) for of in numbers]
        if not isinstance(line, LatticeChances):  # where no two are equal
            return each_greatest(line, numbers)
        return [self._chance(line, numbers, k) for k in range(len(numbers))]

    def _chance(self, line: LineChances[C], numbers: Sequence[Noisy], chosen: int) -> C:
        size = len(numbers)
        if self.ties != "random":
            return self._sharing(line, numbers, chosen, None)
        # a tie of m numbers is won with chance 1/m, the mean of z**(m - 1) over z in [0, 1]: of a
        # polynomial in z, of which so many values tell all
        if size > _MOST_AT_RANDOM:
            raise InputError(
                f"post[0].ties: at random of {size} numbers, expected at most {_MOST_AT_RANDOM}; "
                "or first, or last"
            )
        terms = [
            (line.ring.number(weight), self._sharing(line, numbers, chosen, share))
            for share, weight in _mean(size)
        ]
        found: C = line.ring.total(terms)
        return found

    def _sharing(
        self, line: LineChances[C], numbers: Sequence[Noisy], chosen: int, share: Fraction | None
    ) -> C:
        """The chance that the others are below, or equal for a share of all ties."""
        from pfverify.model.choices.integrals import Side, chance

        sides = []
        for k, other in enumerate(numbers):
            if k != chosen:
                wins = (k > chosen) == (self.ties == "first")
                sides.append(Side(other, True, Fraction(wins) if share is None else share))
        return chance(line, numbers[chosen], sides)

    def parts(self, size: int) -> int:
        """Return one, or at random as many as there are numbers."""
        return size if self.ties == "random" else 1

    def canonical(self) -> dict[str, Any]:
        """Return `select` and `ties`."""
        return {"select": "argmax" if self.largest else "argmin", "ties": self.ties}

    @property
    def words(self) -> str:
        """Which is published."""
        which = "largest" if self.largest else "smallest"
        return f"the name of the {which} is published ({_TIE_WORDS[self.ties]})"


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
    """The name of the first number above a noisy threshold (or equal), or of the first below."""

    above: bool
    to: NoisyThreshold

    @property
    def key(self) -> str:  # type: ignore[override]
        """Its key in a file."""
        return "first-above" if self.above else "first-below"

    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the coordinates, and that of none."""
        if NONE in names:
            raise InputError(
                f"post[0].{self.key}: a coordinate is named {NONE!r}, which is the output where no "
                "number is on that side; expected another name"
            )
        return (*names, NONE)

    def chances(
        self, line: LineChances[C], numbers: Sequence[Noisy], threshold: int | None
    ) -> list[C]:
        """Return the chance of each to be the first, and of none."""
        from pfverify.model.choices.integrals import Noisy, Side, at_a_place, chance

        at = Noisy(self.to.at, threshold)
        if not self.above:
            at = at._replace(at=-at.at)
            numbers = [of._replace(at=-of.at) for of in numbers]
        found = []
        for k in range(len(numbers) + 1):
            sides = [Side(of, True) for of in numbers[:k]]
            sides += [Side(of, False) for of in numbers[k : k + 1]]
            found.append(
                at_a_place(line, at.at, sides) if threshold is None else chance(line, at, sides)
            )
        return found

    @property
    def threshold(self) -> NoisyThreshold:
        """The threshold."""
        return self.to

    def with_threshold(self, scale: Number) -> First:
        """Return the same with another scale of the threshold's noise."""
        return First(self.above, NoisyThreshold(self.to.at, scale, self.to.kind))

    def canonical(self) -> dict[str, Any]:
        """Return the table of the threshold."""
        return {self.key: self.to.canonical()}

    @property
    def words(self) -> str:
        """Which is published."""
        side = "at least" if self.above else "at most"
        noise = "without noise" if self.to.scale is None else (
            f"with its own noise of scale {shorten(self.to.scale.text, 24)}"
        )  # fmt: skip
        return (
            f"the name of the first that is {side} the threshold {self.to.at} ({noise}) is "
            f"published, else {NONE}"
        )


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
    check_keys(entry, ("select", "ties"), "post[0]: ")
    which, ties = entry["select"], entry.get("ties", "first")
    if which not in ("argmax", "argmin"):
        raise InputError(
            f"post[0].select: {shorten(which)!r} is unknown, expected argmax or argmin"
        )
    if ties not in TIES:
        raise InputError(
            f"post[0].ties: {shorten(ties)!r} is unknown, expected one of {', '.join(TIES)}"
        )
    return Select(which == "argmax", ties)


def _first(key: str) -> Callable[[Mapping[str, Any]], First]:
    def read(entry: Mapping[str, Any]) -> First:
        check_keys(entry, (key,), "post[0]: ")
        table = entry[key]
        where = f"post[0].{key}"
        if not isinstance(table, Mapping):
            raise InputError(f"{where}: expected a table with threshold and scale")
        check_keys(table, ("threshold", "scale", "kind"), f"{where}: ")
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
        if kind not in (None, "laplace", "discrete-laplace"):
            raise InputError(
                f"{where}.kind: {shorten(kind)!r} is not worked out, expected laplace or "
                "discrete-laplace"
            )
        return First(key == "first-above", NoisyThreshold(at, scale, kind))

    return read


CHOICES: dict[str, Callable[[Mapping[str, Any]], NameChoice]] = {
    "select": _select,
    "first-above": _first("first-above"),
    "first-below": _first("first-below"),
}
"""Key of a step -> what reads it."""


def choices_schema() -> dict[str, Any]:
    """Return the properties of such a step in the published schema."""
    amount = {"type": ["string", "integer", "number"]}
    threshold = {
        "type": "object", "required": ["threshold"], "additionalProperties": False,
        "properties": {"threshold": amount, "scale": amount,
                       "kind": {"enum": ["laplace", "discrete-laplace"]}},
    }  # fmt: skip
    return {
        "select": {
            "enum": ["argmax", "argmin"],
            "description": "the name of the largest, or the smallest, of several noisy numbers",
        },
        "ties": {"enum": list(TIES), "description": "of equal ones, which is chosen"},
        "first-above": {
            **threshold, "description": "the first number that is at least a noisy threshold"
        },
        "first-below": {
            **threshold, "description": "the first number that is at most a noisy threshold"
        },
    }  # fmt: skip
