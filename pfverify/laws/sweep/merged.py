"""The common support of two priors of atoms: in arrays where there are many, else in lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pfverify.model.priors.discrete import Discrete

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Integers: TypeAlias = "NDArray[np.int64]"
Weights: TypeAlias = "tuple[Integers | list[int], Integers | list[int]]"
W = TypeVar("W")

_MANY = 500  # atoms of a prior from which arrays pay
_LIMIT = 1 << 62  # of points in arrays: their differences fit in 64 bits


@dataclass(frozen=True, eq=False)
class Merged:
    """Sorted points of either prior, and both weights at each of them (0 where there is none)."""

    points: Integers | list[int]
    work: Callable[[], Weights]

    @cached_property
    def weights(self) -> Weights:
        """The weights, which take work where they are long."""
        return self.work()

    @cached_property
    def distinct_gaps(self) -> list[int]:
        """The different distances of neighbouring points, sorted."""
        if isinstance(self.points, list):
            return sorted(set(gaps_between(self.points)))
        import numpy as np

        gaps = np.diff(self.points)
        if not len(gaps) or (gaps == gaps[0]).all():
            gaps = gaps[:1]
        found: list[int] = np.unique(gaps).tolist()
        return found


def as_list(numbers: Integers | list[int]) -> list[int]:
    """Return integers of Python."""
    if isinstance(numbers, list):
        return numbers
    found: list[int] = numbers.tolist()
    return found


def gaps_between(points: Sequence[int]) -> list[int]:
    """Return the distances of neighbours. Example: ``gaps_between([1, 3, 4])`` is ``[2, 1]``."""
    return [b - a for a, b in pairwise(points)]


def merged(first: Discrete, second: Discrete, denominator: int) -> Merged:
    """Return the common support of two priors, its points over this denominator.

    The denominator is a multiple of those of the priors.
    Example: ``merged(Discrete({0: 1}), Discrete({"1/2": 1}), 2).points`` is ``[0, 1]``.
    """
    factors = denominator // first.denominator, denominator // second.denominator
    return _by_arrays(first, second, factors) or _by_lists(first, second, factors)


def _by_arrays(first: Discrete, second: Discrete, factors: tuple[int, int]) -> Merged | None:
    """None where there are too few atoms for arrays, or too large ones."""
    if max(first.size, second.size) < _MANY or first.columns is None or second.columns is None:
        return None
    import numpy as np

    columns = first.columns, second.columns
    places = []
    for column, factor in zip(columns, factors, strict=True):
        if max(abs(int(column.points[k])) for k in (0, -1)) * factor >= _LIMIT:
            return None
        places.append(column.points if factor == 1 else column.points * factor)
    if np.array_equal(places[0], places[1]):
        return Merged(places[0], lambda: (columns[0].weights, columns[1].weights))
    points = np.union1d(*places)
    both = np.zeros((2, len(points)), np.int64)
    for line, place, column in zip(both, places, columns, strict=True):
        line[np.searchsorted(points, place)] = column.weights
    return Merged(points, lambda: (both[0], both[1]))


def _by_lists(first: Discrete, second: Discrete, factors: tuple[int, int]) -> Merged:
    one, other = (
        prior.points if factor == 1 else [p * factor for p in prior.points]
        for prior, factor in zip((first, second), factors, strict=True)
    )
    support = sorted({*one, *other})

    def work() -> Weights:
        return placed(one, first.weights, support), placed(other, second.weights, support)

    return Merged(support, work)


def placed(points: Sequence[int], weights: Sequence[W], support: Sequence[int]) -> list[W | int]:
    """Return the weights on a support of which the points are part, 0 where there is none.

    Example: ``placed([1, 3], [5, 6], [1, 2, 3])`` is ``[5, 0, 6]``.
    """
    table = dict(zip(points, weights, strict=True))
    return [table.get(point, 0) for point in support]
