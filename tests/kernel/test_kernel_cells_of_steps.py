"""Steps after noise by numbers: every number lies in one cell, which has its output."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.grammar import Malformed
from reader.steps import SUPPRESSED, image_of, steps_of
from reader.turns import turned

F = Fraction
Json = dict[str, Any]
TENTH = F(1, 10)


def in_cells(cells: Sequence[Any], y: Fraction) -> list[str]:
    """The outputs of the cells that a number lies in."""
    return [
        cell.output
        for cell in cells
        if (cell.low is None or cell.low <= (y, 0)) and (cell.high is None or (y, 0) < cell.high)
    ]


def image(post: Sequence[Json], y: Fraction) -> Fraction | str:
    """What a number becomes, from the words of the steps alone."""
    for step in post:
        ((key, what),) = step.items()
        if isinstance(y, str):
            return y
        if key == "clamp":
            y = min(max(y, F(what[0])), F(what[1]))
        elif key == "modulo":
            y = y - (y // F(what)) * F(what)
        elif key == "threshold":
            hidden = y <= F(what["at"]) if what.get("keep") == "above" else y < F(what["at"])
            y = SUPPRESSED if hidden else y  # type: ignore[assignment]
        elif key == "bins":
            edges = [None, *(F(x) for x in what["edges"]), None]
            for a, b in pairwise(edges):
                if (a is None or a <= y) and (b is None or y < b):
                    low = "(-inf" if a is None else f"[{a}"
                    return f"{low}, {'inf' if b is None else b})"
        else:
            to = F(what["to"])
            k = y // to
            if key == "ceil":
                k = -(-y // to)
            elif key == "round":
                rest = y / to - k
                ties = what.get("ties", "up")
                odd = k % 2 == 1
                tie = ties == "up" or (ties == "even" and odd)
                k += rest > F(1, 2) or (rest == F(1, 2) and tie)
            y = k * to
    return y


MOVES: list[Json] = [
    {"round": {"to": 1}}, {"round": {"to": "1/2", "ties": "down"}},
    {"round": {"to": 2, "ties": "even"}}, {"round": {"to": "3/2", "ties": "even"}},
    {"floor": {"to": 1}}, {"floor": {"to": "3/2"}}, {"ceil": {"to": "1/2"}}, {"ceil": {"to": 2}},
]  # fmt: skip
LATER: list[Json] = [
    *MOVES, {"clamp": ["1/2", 2]}, {"threshold": {"at": 1}},
    {"threshold": {"at": "3/2", "keep": "above"}}, {"bins": {"edges": ["1/2", 1, 2]}},
]  # fmt: skip


def drawn(rng: Random) -> list[Json]:
    return [*rng.choices(MOVES, k=rng.randint(0, 2)), {"modulo": rng.choice([1, 2, "5/2", 3])},
            *rng.choices(LATER, k=rng.randint(0, 2))]  # fmt: skip


def read(post: list[Json]) -> Any:
    """The steps; None where they are refused."""
    try:
        return steps_of(post)
    except Malformed:
        return None


def test_images_are_those_of_the_words() -> None:
    for seed in range(150):
        rng = Random(seed)
        post = rng.choices([*LATER, {"modulo": "5/2"}], k=rng.randint(1, 3))
        if (steps := read(post)) is None:
            continue
        for k in range(-41, 42):
            assert image_of(steps, k * TENTH) == str(image(post, k * TENTH)), (post, k)


def test_cells_that_come_again_hold_every_number_once() -> None:
    count = 0
    for seed in range(80):
        rng = Random(seed)
        post = drawn(rng)
        steps = read(post)
        if steps is None or (post[0].keys() == {"modulo"} and len(post) == 1):
            continue
        at = rng.choice([F(0), F(1, 3), F(-7, 2)])
        try:
            cells, period = turned(steps, [at, at + 3], None, None, 1000)
        except Malformed:
            continue
        assert period is not None
        assert sum(one.high[0] - one.low[0] for one in cells if one.low and one.high) == period
        count += 1
        for k in range(-30, 100):
            y = k * TENTH + F(1, 70)  # single numbers have no mass, so not at the end of a cell
            assert in_cells(cells, y % period) == [str(image(post, y))], (post, y)
    assert count > 35


def test_cells_of_a_lattice_that_come_again() -> None:
    count = 0
    for seed in range(80):
        rng = Random(seed)
        post, step = drawn(rng), rng.choice([F(1), F(1, 2), F(3, 4)])
        steps = read(post)
        if steps is None:
            continue
        at = rng.choice([F(0), F(1, 3), F(-7, 2)])
        cells, period = turned(steps, [at, at + 3 * step], step, None, 1000)
        assert period is not None
        assert len(cells) == period / step
        count += 1
        for k in range(-25, 40):
            y = at + k * step
            assert in_cells(cells, at + (y - at) % period) == [str(image(post, y))], (post, y)
    assert count > 60
    for most, few in ((6, False), (5, True)):  # 3/1: three times two points
        steps = steps_of([{"modulo": 3}])
        if few:
            with pytest.raises(Malformed):
                turned(steps, [F(0)], F(1, 2), None, most)
        else:
            assert turned(steps, [F(0)], F(1, 2), None, most)[1] == 3


@pytest.mark.parametrize("bound", [None, F(2)])
def test_cells_before_a_modulo_that_do_not_come_again(bound: Fraction | None) -> None:
    """Behind a clamp, or of noise that is bounded: no period."""
    count = 0
    for seed in range(80):
        rng = Random(seed)
        head = rng.choices(MOVES, k=rng.randint(1, 2))
        if bound is None:
            head.insert(rng.randint(0, len(head)), {"clamp": ["-3/2", "7/2"]})
        post = [*head, {"modulo": rng.choice([1, 2, "5/2", 3])}, *rng.choices(LATER, k=1)]
        steps = read(post)
        if steps is None:
            continue
        atoms = [F(-1, 3), F(0), F(1), F(5, 2)]
        cells, period = turned(steps, atoms, None, bound, 1000)
        assert period is None
        count += 1
        for k in range(-23, 45) if bound is not None else range(-90, 90):
            assert in_cells(cells, k * TENTH) == [str(image(post, k * TENTH))], (post, k)
    assert count > 50
