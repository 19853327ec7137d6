"""A slice of all combinations of some parameters by default, the rest in the batteries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest


def sliced(slices: int, *axes: Sequence[Any]) -> list[Any]:
    """Return all combinations as parameters, one in `slices` without the mark `long`.

    Where every axis has at least `slices` values, each two values of different axes are together in
    one of these: a Latin square.
    """
    found = []
    for places in product(*(range(len(axis)) for axis in axes)):
        values = (axis[k] for axis, k in zip(axes, places, strict=True))
        marks = pytest.mark.long if sum(places) % slices else ()
        found.append(pytest.param(*values, marks=marks))
    return found
