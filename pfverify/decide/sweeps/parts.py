"""Arrays of floats >= 0 with a proved error, and their products: what a sweep multiplies.

With u = 2**-53, a true value v >= 0 and its float w: w (1 - k u) <= v <= w (1 + k u) + missing,
but for second-order terms, which one per cent of k u covers. Sums of m products of such floats, in
any order, with or without fused operations, add m to the k of their factors. What is below 2**-500
is taken as 0 and goes into `missing`, so no product underflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp

import numpy as np
from numpy.typing import NDArray

from pfverify.exact.ball import Raw, float_near, raw_float

Array = NDArray[np.float64]
U = 2.0**-53
SMALL = 2.0**-500
_UP = 1 + 2.0**-20  # covers the rounding of what only has to be an upper bound


class BeyondFloats(ArithmeticError):  # noqa: N818
    """Floats do not enclose a number of these sizes."""


@dataclass(frozen=True)
class Bounded:
    """A matrix of polynomials (or of functions on a lattice), times 2**exponent.

    `values[i, j, x]`; `roundings` is k, and `missing` an absolute bound for every value.
    """

    values: Array
    exponent: int = 0
    roundings: int = 0
    missing: float = 0.0

    @property
    def degree(self) -> int:
        """The largest x."""
        return int(self.values.shape[2]) - 1

    def scaled(self) -> Bounded:
        """Return the same with the larger of its largest value and `missing` between 1/2 and 1.

        Small values are taken as 0. Where all are 0 `missing` alone is known: products of what is
        missing must not underflow to nothing.
        """
        top = max(float(self.values.max()), self.missing)
        if not top:
            return self
        power = frexp(top)[1]
        values, missing = np.ldexp(self.values, -power), self.missing * 2.0**-power
        small = (values < SMALL) & (values > 0)
        if small.any():
            values[small] = 0.0
            missing += SMALL
        return Bounded(values, self.exponent + power, self.roundings, missing * _UP)

    def _sums(self) -> float:
        return float(self.values.sum(axis=2).max() * _UP)

    def missing_with(self, other: Bounded) -> float:
        """Bound what is missing of a sum of products of the two, over all x and one index."""
        terms = self.values.shape[0] * min(self.values.shape[2], other.values.shape[2])
        each = self.missing * other._sums() + other.missing * self._sums()
        both = terms * self.missing * other.missing
        return float((self.values.shape[0] * each + both) * _UP)

    def _made(self, other: Bounded, values: Array, terms: int) -> Bounded:
        """What is made of the two by sums of so many products."""
        return Bounded(
            values, self.exponent + other.exponent, self.roundings + other.roundings + terms,
            self.missing_with(other),
        ).scaled()  # fmt: skip

    def then(self, other: Bounded) -> Bounded:
        """Return the product of two matrices of polynomials."""
        n, a, b = len(self.values), self.values, other.values
        values = np.zeros((n, n, self.degree + other.degree + 1))
        if min(self.degree, other.degree) < _SHORT:
            if other.degree < self.degree:
                for x in range(other.degree + 1):
                    values[:, :, x : x + self.degree + 1] += np.einsum(
                        "ikx,kj->ijx", a, b[:, :, x]
                    )
            else:
                for x in range(self.degree + 1):
                    values[:, :, x : x + other.degree + 1] += np.einsum(
                        "ik,kjx->ijx", a[:, :, x], b
                    )
        else:
            for i, j, k in np.ndindex(n, n, n):
                if a[i, k].any() and b[k, j].any():
                    values[i, j] += np.convolve(a[i, k], b[k, j])
        return self._made(other, values, n * (min(self.degree, other.degree) + 2))

    def outside(self, inside: Bounded, *, before: bool) -> Bounded:
        """Return what is outside a half, of what is outside the whole (`self`) and the other half.

        `self.values[i, j]` is of what happens before, ending in i, and after, starting in j;
        `inside` is the half `before` the one that remains, or after it.
        """
        n, values = len(self.values), self.values
        held = np.flatnonzero(inside.values.any(axis=(0, 1)))
        first, last = (int(held[0]), int(held[-1])) if len(held) else (0, 0)
        whole, degree = values.shape[2], inside.degree
        cut = values[:, :, degree - last : whole - first]
        short = np.ascontiguousarray(inside.values[:, :, first : last + 1])
        out = np.zeros((n, n, whole - degree))
        for i, j, k in np.ndindex(n, n, n):
            # before: sum over k of (whole from k) (half from k to i); after: (half from j to k)
            one, two = (short[k, i], cut[k, j]) if before else (short[j, k], cut[i, k])
            if one.any() and two.any():
                out[i, j] += np.convolve(two, one, "valid")
        return self._made(inside, out, n * (last - first + 2))


_SHORT = 8  # degree up to which a polynomial is multiplied by shifts


def proved_float(value: Raw) -> float:
    """Return a float within 2u of a ball > 0, relatively, or 0 where it is below 2**-500.

    Raises BeyondFloats where that is not proved.
    """
    found = float_near(value)
    if found is not None and found >= SMALL:
        return found
    if value < raw_float(SMALL):
        return 0.0
    raise BeyondFloats("a ball is too wide for a float")
