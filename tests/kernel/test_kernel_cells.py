"""Steps by cuts: where numbers end that become less than one; cells of a line, or a lattice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb  # noqa: F401  (the kernel's path)
import pytest
from core.enclose import Arithmetic
from core.grammar import Malformed
from core.spans import SUPPRESSED, Part
from core.zero import enclose_sum
from mpmath import exp, mpf
from reader import cells as cells_of_kernel
from reader.around import mass_around
from reader.cells import CutLine, Stretch
from reader.noise import Noise
from reader.outputs import _table, facts_of
from reader.steps import edges_of, image_of, parts_of, steps_of
from reader.turns import turned

F = Fraction
TINY = F(1, 1000)
STEPS: list[dict[str, Any]] = [
    {"clamp": ["-1", "2"]}, {"clamp": ["1", "1"]}, {"floor": {"to": "1"}}, {"ceil": {"to": "1"}},
    {"ceil": {"to": "3/2"}}, {"round": {"to": "1"}}, {"round": {"to": "1", "ties": "down"}},
    {"round": {"to": "2", "ties": "even"}}, {"round": {"to": "1", "ties": "even"}},
    {"threshold": {"at": "1"}}, {"threshold": {"at": "1", "keep": "above"}},
]  # fmt: skip
PLACES = [F(k, 4) for k in range(-16, 17)]


@pytest.mark.parametrize("step", STEPS)
def test_a_step_by_cuts(step: dict[str, Any]) -> None:
    """The image of a cut is that of the number, or of those just above it; before a cut lie the
    numbers with a lower image."""
    (stage,) = steps_of([step])
    for x in PLACES:
        assert image_of([stage], x) == _shown(stage.image((x, 0)), x)
        above = x + TINY
        assert image_of([stage], above) == _shown(stage.image((x, 1)), above)
        for side in (0, 1):
            end = stage.before((x, side))
            assert end is None or end is False or (isinstance(end, tuple) and end[1] in (0, 1))
            for y in (p + d for p in PLACES for d in (-TINY, F(0), TINY)):
                became = stage.of(y)
                lower = became == SUPPRESSED or (became, 0) < (x, side)
                assert lower == (end is None or (end is not False and (y, 0) < end)), (x, side, y)


def _shown(image: Any, x: Fraction) -> str:
    return image if isinstance(image, str) else str(x if image is None else image)


def test_the_ends_of_a_clamp_are_what_all_beyond_them_become() -> None:
    (stage,) = steps_of([{"clamp": ["-1", "2"]}])
    assert [stage.image((F(x), 0)) for x in (-2, -1, 0, 2, 3)] == [-1, -1, None, 2, 2]
    assert stage.image((F(-1), 1)) is None


def test_the_edges_of_bins() -> None:
    for least, word in ((1, "one"), (2, "two")):
        with pytest.raises(Malformed, match=f"edges must increase, at least {word}$"):
            edges_of([], least)


@pytest.mark.parametrize(
    ("post", "parts"),
    [
        ([{"clamp": ["3", "3"]}], ()),
        ([{"clamp": ["0", "9"]}, {"clamp": ["2", "5"]}],
         ((None, 2, "2"), (2, 5, None), (5, None, "5"))),
        ([{"clamp": ["0", "9"]}, {"threshold": {"at": "5", "keep": "above"}}],
         ((None, 5, SUPPRESSED), (5, 9, None), (9, None, "9"))),
        ([{"threshold": {"at": "1"}}], ((None, 1, SUPPRESSED), (1, None, None))),
    ],
)  # fmt: skip
def test_the_parts_of_the_line(post: Any, parts: Any) -> None:
    assert parts_of(steps_of(post)) == tuple(Part(*one) for one in parts)


def _holds(one: Stretch, y: Fraction) -> bool:
    return (one.low is None or one.low <= (y, 0)) and (one.high is None or (y, 0) < one.high)


@pytest.mark.parametrize("lattice", [F(1, 2), F(1), F(3), F(2, 3), None])
def test_all_cells_hold_every_point_once(lattice: Fraction | None) -> None:
    for post in (
        [{"clamp": ["-7/2", "5"]}, {"floor": {"to": "1"}}],
        [{"ceil": {"to": "2"}}, {"clamp": ["-3", "5"]}],
        [{"bins": {"edges": ["-2", "0", "7/2"]}}],
        [{"threshold": {"at": "-1"}}, {"bins": {"edges": ["0", "3"]}}],
    ):  # fmt: skip
        steps = steps_of(post)
        found = CutLine(steps, F(1, 4), F(13, 4), lattice).every(1000)
        for k in range(-40, 41):
            y = F(1, 4) + k * (lattice or F(1, 8))
            assert [x.output for x in found if _holds(x, y)] == [image_of(steps, y)], (post, y)


def test_cells_that_numbers_or_points_reach() -> None:
    line = CutLine(steps_of([{"floor": {"to": "1"}}]), F(0), F(3), F(1))
    for low, high, reached in (
        ((F(0), 1), (F(1), 0), False), ((F(0), 0), (F(1), 0), True), ((F(0), 1), (F(1), 1), True),
        ((F(1, 4), 0), (F(3, 4), 1), False), (None, (F(-9), 0), True), ((F(9), 1), None, True),
    ):  # fmt: skip
        assert line.reached(Stretch(low, high, "")) is reached
    no_lattice = CutLine(line.steps, F(0), F(3), None)
    assert no_lattice.reached(Stretch((F(1, 4), 0), (F(3, 4), 1), ""))
    assert [x.output for x in line.single(4)] == ["0", "1", "2", "3"]
    with pytest.raises(Malformed, match="too many outputs"):
        line.single(3)


def test_points_that_stay_what_they_are() -> None:
    steps = steps_of([{"threshold": {"at": "1"}}])
    found = CutLine(steps, F(0), F(2), F(1)).single(9)
    assert [x.high for x in found] == [(F(1), 0), (F(1), 1), (F(2), 1)]
    assert [x.output for x in found] == [SUPPRESSED, "1", "2"]


def test_the_numbers_just_above_a_place() -> None:
    line = CutLine(steps_of([{"ceil": {"to": "1"}}]), F(1), F(1), None)
    assert line.behind() == Stretch((F(1), 1), (F(2), 1), "2")


# ---------------------------------------------------------------- modulo


def test_cells_after_a_modulo() -> None:
    """Of one period on a line, of which none is without room."""
    for post in (
        [{"modulo": "3"}, {"floor": {"to": "1"}}], [{"floor": {"to": "1"}}, {"modulo": "3"}],
        [{"modulo": "3"}, {"bins": {"edges": ["1"]}}],
    ):  # fmt: skip
        steps = steps_of(post)
        found, period = turned(steps, [F(1, 3)], None, None, 99)
        assert period is not None
        assert period % 3 == 0
        for one in found:
            assert one.low is not None
            assert one.high is not None
            assert one.low[0] < one.high[0]
        for k in range(1, 8 * int(period)):
            y = F(2 * k + 1, 16)
            assert [x.output for x in found if _holds(x, y)] == [image_of(steps, y)]


def test_points_after_a_modulo() -> None:
    steps = steps_of([{"modulo": "2"}, {"threshold": {"at": "1"}}])
    found, period = turned(steps, [F(1)], F(1), None, 99)
    assert period == 2
    assert found == [
        Stretch((F(1), 0), (F(1), 1), "1"), Stretch((F(2), 0), (F(2), 1), SUPPRESSED)
    ]  # fmt: skip


@pytest.mark.parametrize("lattice", [None, F(1)])
def test_a_clamp_before_a_modulo_of_one_atom(lattice: Fraction | None) -> None:
    steps = steps_of([{"floor": {"to": "1"}}, {"clamp": ["0", "2"]}, {"modulo": "2"}])
    found, period = turned(steps, [F(5)], lattice, None, 99)
    assert period is None
    assert [x.output for x in found] == ["0", "1", "0"]


LINE, LATTICE = Noise("laplace", F(1), None), Noise("discrete-laplace", F(1), F(1))


def test_the_mass_of_a_cell_that_comes_again() -> None:
    """Against a sum over many periods."""
    ar, near, t = Arithmetic(200), mpf(2) ** -120, exp(mpf(-1))

    def value(mass: Any) -> mpf:
        if isinstance(mass, F):
            return mpf(mass.numerator) / mass.denominator
        whole = mpf(0)
        for below, above in mass.items():
            top, under = (enclose_sum(x, ar) for x in (above, dict(below)))
            whole += mpf(top[1]) / under[1] * mpf(2) ** (top[2] - under[2])
        return whole

    period = F(5)
    for low, high in ((-7, -4), (-1, 2), (0, 5), (1, 3), (3, 6), (4, 9), (4, 5), (11, 12)):
        points = mpf(0)
        for j in range(low, high):
            points += sum(t ** abs(j + 5 * k) for k in range(-30, 31)) * (1 - t) / (1 + t)
        half = F(1, 2)
        found = value(mass_around(LATTICE, period, low - half, high - half))
        assert abs(found - points) < near, (low, high)
    for low, high in ((-7, -4), (-1, 2), (0, 5), (1, 3), (3, 6), (4, 9)):
        total = mpf(0)
        for k in range(-30, 31):
            a, b = low + 5 * k, high + 5 * k
            total += _below(mpf(b)) - _below(mpf(a))
        assert abs(value(mass_around(LINE, period, F(low), F(high))) - total) < near, (low, high)


def _below(x: mpf) -> mpf:
    return 1 - exp(-x) / 2 if x >= 0 else exp(x) / 2


def test_what_does_not_come_again() -> None:
    bound = Noise("truncated-laplace", F(1), None, F(2))
    for noise, low, high in ((LINE, None, F(1)), (LINE, F(1), None), (bound, F(0), F(1))):
        with pytest.raises(Malformed, match="a cell without end does not come again"):
            mass_around(noise, F(5), low, high)


# ---------------------------------------------------------------- outputs


def test_outputs_are_counted_for_all_atoms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells_of_kernel, "MOST", 8)
    steps = steps_of([{"floor": {"to": "1"}}])
    assert len(_table(LINE, steps, [F(0), F(2)], single=False)) == 5
    with pytest.raises(Malformed, match="too many outputs"):
        _table(LINE, steps, [F(0), F(4)], single=False)


def test_the_facts_of_masses() -> None:
    bound = Noise("truncated-laplace", F(1), None, F(2))
    floor, turn = {"floor": {"to": "1"}}, {"modulo": "3"}
    for noise, post, single, facts in (
        (LINE, [floor], False, {"F45", "F45d"}), (LINE, [floor], True, {"F45"}),
        (LATTICE, [floor], False, {"F45e", "F45d"}), (LATTICE, [floor], True, {"F45e"}),
        (bound, [floor], False, {"F45"}), (LINE, [turn, floor], False, {"F45", "F49"}),
        (LINE, [{"clamp": ["0", "9"]}, turn], True, {"F45"}),
        (Noise("none", None, None), [floor], False, {"X"}),
    ):  # fmt: skip
        assert facts_of(noise, steps_of(post), single) == facts
