"""The weights of the values of a coordinate in the upper sum: at least what they are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core import grid_sums
from core.box import Box, Boxed
from core.coordinates import Rows
from core.zero import constant
from mpmath import exp, mpf

F = Fraction


def weights_of(rows: Rows, step: Fraction | None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the upper sum is given, over its unit."""
    seen: list[list[mpf]] = []

    def upper_sum(p: Any, q: Any, factor: Any, weights: Sequence[Sequence[int]]) -> int:
        seen[:] = [[mpf(x) / mpf(2) ** p.unit.bits for x in of] for of in weights]
        return 0

    monkeypatch.setattr(grid_sums, "upper_sum", upper_sum)
    law = Boxed(rows, tuple(constant(F(1)) for _ in rows[0][0]), step)
    grid_sums.upper(F(0), Box(law, law, None, []), 64)
    return seen


def truth(axis: Sequence[int], step: int | None) -> list[mpf]:
    """The tails, the points of the lattice, and both ends of each gap; of one value all."""
    if len(axis) == 1:
        return [mpf(1)]
    t = mpf(1) if step is None else exp(-mpf(step))
    found = [mpf(0) if step is None else (1 - t) / (1 + t) for _ in axis]
    found[0] += t / (1 + t)
    found[-1] += t / (1 + t)
    for k in range(len(axis) - 1):
        tau = exp(-mpf(axis[k + 1] - axis[k]))
        for end in (k, k + 1):
            found[end] += (t - tau) / ((1 + t) * (1 + tau))
    return found


@pytest.mark.parametrize("step", [None, 1])
def test_weights_are_at_least_what_they_are(
    step: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    axes = [0, 1, 4], [5], [-2, 0, 1]
    rows: Rows = tuple(
        (tuple(F(x) for x in row), F(1, 3))
        for row in zip(axes[0], axes[1] * 3, axes[2], strict=True)
    )
    found = weights_of(rows, None if step is None else F(step), monkeypatch)
    assert found[1] == [1]
    for axis, of in zip(axes, found, strict=True):
        for weight, least in zip(of, truth(axis, step), strict=True):
            assert least - mpf(2) ** -190 <= weight <= least + mpf(2) ** -70
