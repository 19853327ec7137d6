"""The extreme points of laws under linear constraints, against all systems of equations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.grammar import Malformed
from reader.extreme import Row, extreme_points

F = Fraction


def solved(rows: Sequence[Row], size: int) -> tuple[Fraction, ...] | None:
    """The only point at which all rows are equalities, if there is just one."""
    left = [[*row, most] for row, most in rows]
    for k in range(size):
        pivot = next((i for i in range(k, len(left)) if left[i][k]), None)
        if pivot is None:
            return None
        left[k], left[pivot] = left[pivot], left[k]
        left[k] = [x / left[k][k] for x in left[k]]
        for i, row in enumerate(left):
            if i != k and row[k]:
                left[i] = [x - row[k] * y for x, y in zip(row, left[k], strict=True)]
    return tuple(row[-1] for row in left[:size])


def corners(size: int, rows: Sequence[Row]) -> list[list[Fraction]]:
    """All laws that meet the rows, and as many of these or of the bounds of the simplex with
    equality as leave one law."""
    total: Row = ([F(1)] * size, F(1))
    bounds: list[Row] = [([F(-(j == k)) for j in range(size)], F(0)) for k in range(size)]
    found = {solved([total, *some], size) for some in combinations([*bounds, *rows], size - 1)}
    return [[*x] for x in sorted(x for x in found if x is not None)
            if all(sum(a * b for a, b in zip(row, x, strict=True)) <= most
                   for row, most in (*bounds, *rows))]  # fmt: skip


def some_rows(source: Random, size: int) -> list[Row]:
    """Few and small numbers, so that many rows meet in a point; some rows are equalities."""
    rows: list[Row] = []
    for _ in range(source.randint(1, 5 if size == 3 else 4)):
        row, most = [F(source.randint(-1, 2)) for _ in range(size)], F(source.randint(0, 4), 4)
        rows.append((row, most))
        if source.random() < 0.15:
            rows.append(([-a for a in row], -most))
    return rows


def test_they_are_the_corners_also_where_many_rows_meet() -> None:
    empty = 0
    for seed in range(90):
        source = Random(seed)
        size = 3 if seed % 3 else 4
        rows = some_rows(source, size)
        expected = corners(size, rows)
        if expected:
            assert extreme_points(size, rows) == expected, seed
            continue
        empty += 1
        with pytest.raises(Malformed, match=r"^a polytope without a law$"):
            extreme_points(size, rows)
    assert 0 < empty < 45


def test_a_law_that_one_row_alone_leaves_out() -> None:
    """The pyramid over a square: its tip is cut off, or met, or stays."""
    square: list[Row] = [([F(1), F(1), F(0), F(0)], F(1, 2)), ([F(0), F(1), F(1), F(0)], F(1, 2))]
    for most in range(-1, 5):
        rows: list[Row] = [*square, ([F(0), F(1), F(0), F(1)], F(most, 4))]
        expected = corners(4, rows)
        if most < 0:
            assert expected == []
        else:
            assert extreme_points(4, rows) == expected


def halved(inside: int, beyond: int) -> list[Row]:
    """Some places have at most half of the mass: so each of them shares it with one of the others,
    or one of the others has it all."""
    return [([*[F(0)] * inside, *[F(1)] * beyond], F(1, 2))]


def test_256_are_not_too_many() -> None:
    assert len(extreme_points(256, [])) == 256
    with pytest.raises(Malformed, match=r"^too many extreme laws$"):
        extreme_points(257, [])
    assert len(extreme_points(31, halved(16, 15))) == 256
    with pytest.raises(Malformed, match=r"^too many extreme laws$"):
        extreme_points(32, halved(16, 16))
