"""OpenDP's own draws: what `crosscheck` holds to the law that each mechanism is said to have.

One value, or one row, is the whole data set; there is no seed, as OpenDP takes none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pfverify.subjects.line import Array
from pfverify.subjects.optional import opendp

THRESHOLD = 5
"""The threshold of the two mechanisms that have one, as in issue 2922 of OpenDP."""
Published = list[int | str]
"""Numbers that are published, and the word for one that is not."""


def discrete_laplace(x: float, n: int, scale: float = 1.0) -> Array:
    """Return n draws of `make_laplace` on 64-bit integers.

    Raises InputError where OpenDP is not installed.
    Example: ``len(discrete_laplace(0, 3))`` is ``3``.
    """
    return _drawn("make_laplace", "l1_distance", int(x), n, scale)


def laplace(x: float, n: int, scale: float = 1.0) -> Array:
    """Return n draws of `make_laplace` on float64: discrete noise on the grid of the floats.

    Raises InputError where OpenDP is not installed.
    Example: ``len(laplace(0.5, 3))`` is ``3``.
    """
    return _drawn("make_laplace", "l1_distance", float(x), n, scale)


def gaussian(x: float, n: int, scale: float = 1.0) -> Array:
    """Return n draws of `make_gaussian` on float64: discrete noise on the grid of the floats.

    Raises InputError where OpenDP is not installed.
    Example: ``len(gaussian(0.5, 3))`` is ``3``.
    """
    return _drawn("make_gaussian", "l2_distance", float(x), n, scale)


def discrete_gaussian(x: float, n: int, scale: float = 1.0) -> Array:
    """Return n draws of `make_gaussian` on 64-bit integers.

    Raises InputError where OpenDP is not installed.
    Example: ``len(discrete_gaussian(0, 3))`` is ``3``.
    """
    return _drawn("make_gaussian", "l2_distance", int(x), n, scale)


def laplace_threshold(x: float | None, n: int, scale: float = 1.0) -> Published:
    """Return n draws of `make_laplace_threshold` for a key with the count x; None: no such key.

    What is not published is "suppressed". Raises InputError where OpenDP is not installed.
    Example: ``laplace_threshold(None, 2)`` is ``["suppressed", "suppressed"]``.
    """
    return _thresholded("laplace", x, n, scale)


def gaussian_threshold(x: float | None, n: int, scale: float = 1.0) -> Published:
    """Return n draws of `make_gaussian_threshold` for a key with the count x; None: no such key.

    What is not published is "suppressed". Raises InputError where OpenDP is not installed.
    Example: ``gaussian_threshold(None, 2)`` is ``["suppressed", "suppressed"]``.
    """
    return _thresholded("gaussian", x, n, scale)


def thresholding(noise: str, scale: float, threshold: int) -> Any:
    """Return OpenDP's mechanism that publishes keys from a threshold on, of a noise by its name.

    Raises InputError where OpenDP is not installed.
    Example: ``thresholding("laplace", 1.0, 5).map((1, 1, 1))[0]`` is ``1.0``.
    """
    dp = opendp()
    distance = {"laplace": dp.l01inf_distance, "gaussian": dp.l02inf_distance}[noise]
    return getattr(dp.m, f"make_{noise}_threshold")(
        dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i64")),
        distance(dp.absolute_distance(T="i64")), scale=float(scale), threshold=threshold,
    )  # fmt: skip


def _drawn(maker: str, distance: str, x: int | float, n: int, scale: float) -> Array:
    dp = opendp()
    atoms = dp.atom_domain(T="i64") if isinstance(x, int) else dp.atom_domain(T=float, nan=False)
    kind = "i64" if isinstance(x, int) else float
    space = dp.vector_domain(atoms), getattr(dp, distance)(T=kind)
    return np.array(getattr(dp.m, maker)(*space, scale=scale)([x] * n), dtype=np.float64)


def _thresholded(noise: str, x: float | None, n: int, scale: float) -> Published:
    """Each draw is one key of a map: the mechanism adds independent noise to every key."""
    keys = [str(k) for k in range(n)]
    release = thresholding(noise, scale, THRESHOLD)
    found = release({} if x is None else dict.fromkeys(keys, int(x)))
    return [found.get(key, "suppressed") for key in keys]
