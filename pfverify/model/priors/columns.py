"""Whole atoms and counts as columns of 64-bit integers, without a Python object per atom.

It only takes what is plainly right. Whatever else there is (a fraction, a float, a negative or huge
number, an atom twice) is no column: it is read one by one, which says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_TOTAL = 1 << 62
"""Of atoms and of the sum of counts: differences fit in 64 bits with their sign."""
_MANY = 500  # pairs from which it pays


@dataclass(frozen=True, eq=False)
class Columns:
    """Atoms and their counts: arrays of int64 of one length, which cannot be written to.

    `points` are sorted and differ; `weights` are > 0 and have no common factor. Differences of
    points and the sum of the weights fit in int64. The counts were `factor` times the weights.
    `empty` are the points whose weight was 0.
    """

    points: NDArray[np.int64]
    weights: NDArray[np.int64]
    factor: int = 1
    empty: tuple[int, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Columns) and (
            len(self.points) == len(other.points)
            and bool((self.points == other.points).all())
            and bool((self.weights == other.weights).all())
        )

    def texts(self) -> Iterator[tuple[str, str]]:
        """Return every point with weight/total in lowest terms, as text."""
        import numpy as np

        total = int(self.weights.sum())
        different, places = np.unique(self.weights, return_inverse=True)  # many are the same
        masses = np.array([str(Fraction(w, total)) for w in different.tolist()], object)
        return zip(map(str, self.points.tolist()), masses[places].tolist(), strict=True)


def columns_of_arrays(table: object) -> Columns | None:
    """Return the columns of a tuple of two arrays of integers, or None.

    Example: ``columns_of_arrays(([0, 1], [376, 204]))`` is ``None``: they are lists.
    """
    if not isinstance(table, tuple) or len(table) != 2:
        return None
    if any(type(part).__module__ != "numpy" for part in table):
        return None
    import numpy as np

    if any(type(part) is not np.ndarray or part.ndim != 1 for part in table):
        return None
    return _checked(*map(_of_array, table))


def columns_of_pairs(pairs: list[tuple[Any, Any]]) -> Columns | None:
    """Return the columns of pairs (atom, count) of integers, or of text that is one; or None.

    Example: ``columns_of_pairs([(0, 376), (1, 204)])`` is None: so few are read one by one.
    """
    if len(pairs) < _MANY:
        return None
    return _checked(_of_list([atom for atom, _ in pairs]), _of_list([count for _, count in pairs]))


def columns_of_integers(points: tuple[int, ...], weights: tuple[int, ...]) -> Columns | None:
    """Return the columns of sorted integer points with weights > 0; None where some are too large.

    Example: ``columns_of_integers((0, 1), (3, 2**70))`` is ``None``.
    """
    return _checked(_of_list([*points]), _of_list([*weights]))


def _of_array(column: NDArray[Any]) -> NDArray[np.int64] | None:
    import numpy as np

    if column.dtype.kind not in "iu" or not len(column):
        return None
    if column.dtype.kind == "u" and int(column.max()) >= MOST_TOTAL:
        return None
    return np.array(column, np.int64)  # the caller's own may be written to later


def _of_list(column: list[Any]) -> NDArray[np.int64] | None:
    import numpy as np

    kinds = set(map(type, column))
    try:
        if kinds == {str}:
            whole = list(map(int, column))
            if list(map(str, whole)) != column:  # such as "007" or " 1"
                return None
            column = whole
        elif not all(_is_integer(kind) for kind in kinds):
            return None
        return np.fromiter(column, np.int64, len(column))
    except (ValueError, OverflowError):
        return None


def _is_integer(kind: type) -> bool:
    import numpy as np

    span = issubclass(kind, np.timedelta64)  # an integer to numpy
    return kind is int or (issubclass(kind, np.integer) and not span)


def _checked(points: NDArray[np.int64] | None, weights: NDArray[np.int64] | None) -> Columns | None:
    """The columns, sorted, in lowest terms, without counts of 0; None where anything is wrong."""
    if points is None or weights is None or len(points) != len(weights):
        return None
    import numpy as np

    if int(points.min()) <= -MOST_TOTAL or int(points.max()) >= MOST_TOTAL:
        return None
    if int(weights.min()) < 0 or int(weights.max()) * len(weights) >= MOST_TOTAL:
        return None
    if not (np.diff(points) > 0).all():
        order = np.argsort(points)
        points, weights = points[order], weights[order]
        if not (np.diff(points) > 0).all():
            return None
    empty: tuple[int, ...] = ()
    if not weights.all():
        kept = np.flatnonzero(weights)
        if not len(kept):
            return None
        empty = tuple(points[weights == 0].tolist())
        points, weights = points[kept], weights[kept]
    factor = int(np.gcd.reduce(weights))
    weights = weights // factor
    for column in (points, weights):
        column.flags.writeable = False
    return Columns(points, weights, factor, empty)
