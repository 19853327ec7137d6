"""Sums of independent users on a lattice: polynomials, multiplied when their weights are asked for.

Before that their masses are known nearly, by convolutions in extended floats (of x86 processors),
whose 64 bits tell more than 12 digits in the end and whose exponents of 15 bits hold the masses of
a sum of thousands of users. All terms are positive, so that errors stay relative. With u = 2**-64:

- the mass of one user is rounded once, as weight and total have at most 63 bits;
- a mass of a convolution is the sum of at most m products, m the length of the shorter factor, in
  any order: to the errors of both factors come u for a product and u for each sum it goes through,
  at most m u together;
- terms of second order are covered by one per cent, and so is what underflows: no mass is below
  `_TINY`, and 2**20 products lose less than 1e-4930 together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pfverify.exact.polynomials import Polynomial, product
from pfverify.model.priors.deferred import Deferred, Nearly

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BITS = 64
_TINY = "1e-4900"


@dataclass(frozen=True, eq=False)
class Weighted(Deferred):
    """Atoms origin + k * step whose masses are weights over `total`; `last` is the last k.

    Either `own` weights, or those of the sum of so many users of each of the `parts`. Weights have
    no common factor, as those of the users have none (Gauss's lemma). `full`: whether all users
    have positive weights at all places from the first to the last, and so the sum.
    """

    origin: Fraction
    total: int
    last: int
    full: bool
    own: Polynomial | None = None
    parts: tuple[tuple[Weighted, int], ...] = ()

    @cached_property
    def weights(self) -> Polynomial:
        """The weights as coefficients."""
        if self.own is not None:
            return self.own
        return product([Polynomial([1]), *(one.weights**count for one, count in self.parts)])

    def exact(self) -> tuple[int, ...]:
        """Return the weights."""
        return tuple(self.weights.coefficients())

    def differs(self, other: Deferred) -> bool:
        """Say whether both are one sum with one user more, who is not the same."""
        if not isinstance(other, Weighted) or self.parts[:1] != other.parts[:1]:
            return False
        match self.parts[1:], other.parts[1:]:
            case ((one, 1),), ((another, 1),):
                return one.exact() != another.exact()
        return False

    def nearly(self) -> Nearly | None:
        """Return the masses by convolutions of extended floats, None where there are none."""
        found = self._floats if _extended_floats() else None
        if found is None:
            return None
        import numpy as np

        parts, exponents = np.frexp(found.masses)
        integers = np.ldexp(parts, _BITS).astype(np.uint64)
        error = 1.01 * found.error * 2.0**-_BITS
        return Nearly(integers.tolist(), (exponents - _BITS).tolist(), error)

    @cached_property
    def _floats(self) -> Extended | None:
        if self.own is not None:
            return Extended.of(self.own.coefficients(), self.total)
        found = [(one._floats, count) for one, count in self.parts]
        powers = [None if one is None else one.power(count) for one, count in found]
        return Extended.product(powers)


@dataclass(frozen=True, eq=False)
class Extended:
    """Masses in extended floats, each of which is off by at most `error` u of itself."""

    masses: NDArray[np.longdouble]
    error: int

    @classmethod
    def of(cls, weights: Sequence[int], total: int) -> Extended | None:
        """Return the masses of weights over a total, None where one of them has too many bits."""
        import numpy as np

        if total >= 1 << (_BITS - 1):
            return None
        tops, bottom = (np.array(x, np.int64).astype(np.longdouble) for x in (weights, total))
        return cls(tops / bottom, 1)

    @classmethod
    def product(cls, factors: Sequence[Extended | None]) -> Extended | None:
        """Return the masses of a sum, by halves, None where one of them is too small."""
        import numpy as np

        if not factors:
            return cls(np.ones(1, np.longdouble), 0)
        if len(factors) == 1:
            return factors[0]
        half = len(factors) // 2
        first, second = cls.product(factors[:half]), cls.product(factors[half:])
        if first is None or second is None:
            return None
        masses = np.convolve(first.masses, second.masses)
        if masses.min() < np.longdouble(_TINY):
            return None
        terms = min(len(first.masses), len(second.masses))
        return cls(masses, first.error + second.error + terms)

    def power(self, count: int) -> Extended | None:
        """Return the masses of the sum of so many users."""
        if count < 2:
            return self if count else Extended.product([])
        half = self.power(count // 2)
        return Extended.product([half, half, *([self] if count % 2 else [])])


def _extended_floats() -> bool:
    """Whether numpy has them, and the processor is set to round to all of their bits."""
    import numpy as np

    kind, one = np.finfo(np.longdouble), np.longdouble(1)
    return kind.nmant == _BITS - 1 and kind.maxexp == 1 << 14 and bool(one + one / 2**63 > one)
