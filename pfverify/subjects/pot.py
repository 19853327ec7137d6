"""Transport plans of POT (Python Optimal Transport)."""

from __future__ import annotations

from typing import Any

import numpy as np

from pfverify.subjects.line import Array
from pfverify.subjects.optional import library


def monotone_plan(atoms: Array, p: Array, q: Array) -> Array:
    """Return the rows (i, j, mass) of `ot.emd_1d` under the distance of the line.

    Raises InputError where POT is not installed.
    Example: ``monotone_plan(np.array([0.0, 1]), np.array([1.0, 0]), np.array([0.0, 1])).max()`` is
    ``1.0``.
    """
    plan = _ot().emd_1d(
        atoms, atoms, p / p.sum(), q / q.sum(), metric="cityblock", dense=False
    )  # fmt: skip
    return np.column_stack([plan.row, plan.col, plan.data])


def network_plan(atoms: Array, p: Array, q: Array) -> Array:
    """Return the rows of `ot.emd`, the network simplex on the dense matrix of distances.

    Raises InputError where POT is not installed.
    Example: ``network_plan(np.array([0.0, 1]), np.array([1.0, 0]), np.array([0.0, 1])).max()`` is
    ``1.0``.
    """
    return _rows(_ot().emd(p / p.sum(), q / q.sum(), _distances(atoms)))


def entropic_plan(atoms: Array, p: Array, q: Array) -> Array:
    """Return the rows of `ot.sinkhorn`, regularised by 1/20 of the largest distance.

    Raises InputError where POT is not installed.
    Example: ``len(entropic_plan(np.array([0.0, 1]), np.array([0.5, 0.5]), np.array([0.5, 0.5])))``
    is ``4``; no mass is 0.
    """
    some_p, some_q = np.flatnonzero(p), np.flatnonzero(q)  # it divides by masses
    distances = _distances(atoms)[np.ix_(some_p, some_q)]
    reg = distances.max() / 20 or 1.0
    rows = _rows(_ot().sinkhorn(p[some_p] / p.sum(), q[some_q] / q.sum(), distances, reg=reg))
    return np.column_stack(
        [some_p[rows[:, 0].astype(int)], some_q[rows[:, 1].astype(int)], rows[:, 2]]
    )


def _ot() -> Any:
    return library("ot", "POT")


def _distances(atoms: Array) -> Array:
    return np.abs(atoms[:, None] - atoms[None, :])


def _rows(plan: Array) -> Array:
    i, j = np.nonzero(plan)
    return np.column_stack([i, j, plan[i, j]])
