"""The name of the largest of several noisy numbers, or of the smallest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import perm
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError
from pfverify.model.choices.choice import NameChoice, check_few, distinct

if TYPE_CHECKING:
    from pfverify.model.choices.integrals import C, ChoiceChances, Noisy

_MOST_AT_RANDOM = 16  # numbers, whose ties have a sum of as many parts
_TIE_WORDS = {
    "first": "of equal ones the first", "last": "of equal ones the last",
    "random": "of equal ones any with the same chance",
}  # fmt: skip


@dataclass(frozen=True)
class Select(NameChoice):
    """The name of the largest number, or of the smallest; `ties`: of equal ones, which.

    `top`: how many are named, in their order.
    """

    largest: bool
    ties: str = "first"
    top: int = 1
    key = "select"

    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the coordinates, or of so many in every order."""
        if self.top > len(names):
            raise InputError(f"post[0].top: {self.top} of {len(names)} numbers, expected fewer")
        check_few(perm(len(names), self.top), "post[0].top")
        return distinct(permutations(names, self.top), "post[0].top")

    def chances(
        self, line: ChoiceChances[C], numbers: Sequence[Noisy], threshold: Noisy | None
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

    def _chance(self, line: ChoiceChances[C], numbers: Sequence[Noisy], order: Sequence[int]) -> C:
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
        self, line: ChoiceChances[C], numbers: Sequence[Noisy], order: Sequence[int],
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
        return line.ordered([numbers[k] for k in order], sides)

    def parts(self, size: int) -> int:
        """Return one, times the numbers at random, times the orders of the others named."""
        return (size if self.ties == "random" else 1) * perm(size - 1, self.top - 1)

    @property
    def ordered(self) -> int:
        """How many are named."""
        return self.top

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
