"""What the binary digits of floats tell: the lowest one, and from where a float can be reached.

A float is the binary number that it is. Each function here is one of the number alone, so that
whatever it says of draws is a fair event, however well it guesses how they were made.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Truths = NDArray[np.bool_]

ZERO = 1 << 11
"""The "exponent" of 0, which is a multiple of every power of two."""
_BITS = 53
_GRIDS = (53, 32, 24)  # binary places of uniform numbers, as generators make them
_NEAR = range(-2, 3)  # how far the rounding of an inverse may be off, on the grid
_COARSE = -20  # multiples of 2^-20 are too rare among floats to be met by chance


def significand(y: Floats) -> Codes:
    """Return the 53 binary digits of each float as a whole number, 0 for 0.

    Example: ``significand(np.array([0.75])).tolist()`` is ``[3 << 51]``.
    """
    return np.ldexp(np.frexp(np.abs(y))[0], _BITS).astype(np.int64)


def size(y: Floats) -> Codes:
    """Return e where 2^e <= abs(y) < 2^(e + 1), `ZERO` for 0.

    Example: ``size(np.array([0.75, 0.0])).tolist()`` is ``[-1, 2048]``.
    """
    return np.where(y == 0, ZERO, np.frexp(y)[1].astype(np.int64) - 1)


def lowest_bit(y: Floats) -> Codes:
    """Return the largest v for which 2^v divides each float, `ZERO` for 0.

    Example: ``lowest_bit(np.array([0.75, 6.0, 0.0])).tolist()`` is ``[-2, 1, 2048]``.
    """
    digits = significand(y)
    trailing = np.frexp((digits & -digits).astype(np.float64))[1].astype(np.int64) - 1
    return np.where(y == 0, ZERO, size(y) - (_BITS - 1) + trailing)


def reachable(y: Floats, x: float, scale: float) -> Truths:
    """Return which floats the textbook sampler can reach from x: x + scale log(U) or x - that.

    U is on a grid of 53, 32 or 24 binary places, or all is worked out in float32. What rounds
    otherwise is missed now and then.

    Example: ``reachable(np.array([1 + 2 * np.log(0.25)]), 1.0, 2.0).tolist()`` is ``[True]``.
    Source: Mironov, "On significance of the least significant bits for differential privacy", 2012.
    """
    with np.errstate(all="ignore"):
        found = np.zeros(y.shape, dtype=bool)
        for places in _GRIDS:
            found |= _reached(y, np.float64(x), np.float64(scale), places)
        short = y.astype(np.float32)
        found |= (short == y) & _reached(short, np.float32(x), np.float32(scale), 24)
    return found


def multiple(y: Floats, x: float, scale: float) -> Truths:
    """Return which floats are x + scale L, rounded twice, for some float L.

    Example: ``multiple(np.array([1.5]), 1.0, 0.5).tolist()`` is ``[True]``.
    """
    with np.errstate(all="ignore"):
        near = (y - x) / scale
        tried = (near, np.nextafter(near, -np.inf), np.nextafter(near, np.inf))
        first, low, high = (x + scale * one == y for one in tried)
    return np.asarray(first | low | high)


def on_coarse_lattice(y: Floats, x: float, scale: float) -> Truths:
    """Return which floats have a quotient (y - x) / scale that 2^-20 divides.

    Example: ``on_coarse_lattice(np.array([1.5, 1.1]), 1.0, 0.5).tolist()`` is ``[True, False]``.
    """
    with np.errstate(all="ignore"):
        quotient = (y - x) / scale
    return np.isfinite(quotient) & (lowest_bit(np.nan_to_num(quotient)) >= _COARSE)


def fraction(y: Floats) -> Codes:
    """Return the part of each float after the point, in units of 1e-9, rounded.

    Example: ``fraction(np.array([2.25, -0.75])).tolist()`` is ``[250000000, 250000000]``.
    """
    with np.errstate(all="ignore"):
        part = np.nan_to_num(y - np.floor(y))
    return np.rint(part * 1e9).astype(np.int64) % 10**9


def _reached(y: NDArray[Any], x: Any, scale: Any, places: int) -> Truths:
    """The same on one grid, in the arithmetic of y: U is guessed from y, and then tried."""
    far = np.abs(y.astype(np.float64) - np.float64(x)) / np.float64(scale)
    guess = np.rint(np.ldexp(np.exp(-far), places))
    found = np.zeros(y.shape, dtype=bool)
    for off in _NEAR:
        u = np.ldexp(np.clip(guess + off, 1, 2.0**places), -places)
        noise = scale * np.log(u.astype(y.dtype))
        found |= (x + noise == y) | (x - noise == y)
    return found
