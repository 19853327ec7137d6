"""Laws of rational masses as arrays: whole weights over a total, and what floats know of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[Any]
    """Weights as int64 where their total fits, else as whole numbers of Python."""

TINY = 1e-290
"""Least mass, besides 0, that floats are taken to know."""
_WHOLE = 1 << 62  # totals up to which sums of weights fit in 64 bits


@dataclass(frozen=True, eq=False)
class WeightedLaw:
    """A law over finitely many outputs: whole weights >= 0 over their `total`.

    Floats of its probabilities are off by at most 3u of themselves, u = 2**-53: 64-bit weights and
    total are rounded and divided, other whole numbers are divided with one rounding.
    """

    weights: Column
    total: int

    @classmethod
    def of(cls, weights: Sequence[int] | Column, total: int) -> WeightedLaw:
        """Return the law of weights that sum to the total.

        Example: ``WeightedLaw.of([1, 3], 4).weights.tolist()`` is ``[1, 3]``.
        """
        import numpy as np

        return cls(np.asarray(weights, np.int64 if total < _WHOLE else object), total)

    @cached_property
    def floats(self) -> NDArray[np.float64] | None:
        """The masses; None where one that is not 0 is below `TINY`."""
        masses = self.probabilities(self.weights)
        small = self.weights.dtype == object and (masses[self.weights != 0] < TINY).any()
        return None if small else masses

    def probabilities(self, sums: Column) -> NDArray[np.float64]:
        """Return sums of weights as floats."""
        import numpy as np

        return np.asarray(sums / self.total, np.float64)
