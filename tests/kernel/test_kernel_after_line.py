"""Steps behind normal laws, and behind the points of a lattice: the outputs by their ends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb  # noqa: F401  (the kernel's path)
import pytest
from core.gaussian_lattice import Run
from core.grammar import Malformed
from core.spans import SUPPRESSED, Part
from reader.after_lattice import LatticePost
from reader.after_line import LinePost, behind
from reader.noise import Noise
from reader.steps import NO_ROW, steps_of

F = Fraction
FLOOR = {"floor": {"to": "1"}}
NOISE = Noise("gaussian", F(1), None)


@pytest.mark.parametrize(
    ("post", "places", "parts"),
    [
        ([FLOOR], [F(1, 2), F(3, 2), F(7, 4), F(2), F(5, 2)],
         [(0, 1, "0"), (1, 2, "1"), (2, 3, "2")]),
        ([FLOOR], [F(1, 2), F(2, 3), F(9, 2)], [(0, 1, "0"), (4, 5, "4")]),
        ([{"threshold": {"at": "5"}}, FLOOR], [F(1), F(11, 2)],
         [(None, 5, SUPPRESSED), (5, 6, "5")]),
        ([{"threshold": {"at": "5"}}, FLOOR], [], [(None, 5, SUPPRESSED)]),
        ([{"clamp": ["0", "1"]}, {"threshold": {"at": "5"}}, FLOOR], [F(1)],
         [(None, None, SUPPRESSED)]),
        ([{"clamp": ["6", "9"]}, {"threshold": {"at": "5"}}, FLOOR], [F(1), F(17, 2)],
         [(None, 7, "6"), (8, 9, "8")]),
    ],
)  # fmt: skip
def test_the_outputs_of_a_line(post: Any, places: list[Fraction], parts: Any) -> None:
    assert LinePost(tuple(steps_of(post))).outputs(places) == [Part(*one) for one in parts]


def test_no_row_needs_a_threshold_that_hides_numbers() -> None:
    law: dict[Any, Fraction] = {NO_ROW: F(1, 2), F(1): F(1, 2)}
    hides_none = steps_of([{"clamp": ["6", "9"]}, {"threshold": {"at": "5"}}, FLOOR])
    for steps in (steps_of([FLOOR]), hides_none):
        with pytest.raises(Malformed, match="nothing needs a threshold that hides numbers"):
            behind(law, NOISE, steps)
        behind({F(1): F(1)}, NOISE, steps)
    behind(law, NOISE, steps_of([{"threshold": {"at": "5"}}, FLOOR]))
    behind(law, NOISE, steps_of([{"clamp": ["0", "1"]}, {"threshold": {"at": "5"}}, FLOOR]))


def test_what_is_suppressed_of_a_lattice() -> None:
    for post, run in (
        ([FLOOR], Run(0, -1, SUPPRESSED)),
        ([{"threshold": {"at": "3"}}], Run(None, 5, SUPPRESSED)),
        ([{"clamp": ["0", "1"]}, {"threshold": {"at": "5"}}], Run(None, None, SUPPRESSED)),
    ):
        assert LatticePost(tuple(steps_of(post)), F(1, 2)).hidden(F(0)) == run


def test_outputs_of_a_lattice_by_name() -> None:
    post = LatticePost(tuple(steps_of([{"threshold": {"at": "3"}}])), F(1, 2))
    assert post.named(F(0), "7/2") == Run(7, 7, "7/2")
    assert post.named(F(0), "3") == Run(6, 6, "3")
    assert post.named(F(0), "2") is None
    assert post.named(F(0), SUPPRESSED) is None
    floors = LatticePost(tuple(steps_of([FLOOR])), F(1, 2))
    assert floors.named(F(0), "2") == Run(4, 5, "2")
    assert floors.runs(F(0), 3, 5) == [Run(2, 3, "1"), Run(4, 5, "2")]
