"""Steps after the noise: their cuts and images, the maps in integers and in arrays, and chains."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from support import steps_oracle

from pfverify import Problem, certify
from pfverify.errors import InputError
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.kinds import STEPS, steps_of, steps_table
from pfverify.model.steps.limits import CutStep
from pfverify.model.steps.places import FAR, HIDDEN, LARGEST, Cut, place_of
from pfverify.model.steps.step import SUPPRESSED, PostStep, common_lattice, published

F = Fraction
PLACES = [F(k, 12) for k in range(-40, 41)]
TO = ("1", "2", "1/2", "3/2", "1/3")


def stated(random: Random, key: str) -> dict[str, Any]:
    ends = sorted({random.randint(-12, 12) for _ in range(random.randint(2, 5))})
    match key:
        case "clamp":
            return {key: [f"{ends[0]}/4", f"{random.choice(ends)}/4"]}
        case "threshold":
            keep = random.choice(["at-least", "above"])
            return {key: {"at": f"{ends[0]}/4", "keep": keep}}
        case "bins":
            return {key: {"edges": [f"{x}/4" for x in ends]}}
        case "round":
            ties = random.choice(["up", "down", "even"])
            return {key: {"to": random.choice(TO), "ties": ties}}
        case "floor" | "ceil":
            return {key: {"to": random.choice(TO)}}
        case _:
            raise AssertionError(f"say here what a {key} step may be")


KINDS = sorted(key for key, kind in STEPS.items() if not kind.wraps)


CUT = [key for key in KINDS if issubclass(STEPS[key], CutStep)]


def chain(random: Random, kinds: Sequence[str] = KINDS) -> tuple[PostStep, ...]:
    keys = [random.choice(kinds) for _ in range(random.randint(1, 3))]
    keys = [key for key in keys[:-1] if not STEPS[key].naming] + keys[-1:]
    return steps_of([stated(random, key) for key in keys])


def order(step: PostStep, output: Fraction | str) -> Any:
    """What sorts outputs."""
    if output == SUPPRESSED:
        return -1, 0
    return 0, step.images.index(output) if step.naming else output


@pytest.mark.parametrize("key", KINDS)
def test_a_step_never_decreases_and_says_so_in_every_way(key: str) -> None:
    jumps = sum(jumps_of_a_step_that_says_so_in_every_way(key, seed) for seed in range(6))
    assert (jumps > 0) is (key != "clamp"), "a clamp has no jump"


def jumps_of_a_step_that_says_so_in_every_way(key: str, seed: int) -> int:
    table = [stated(Random(seed), key)]
    (step,) = steps_of(table)
    unit = 12 * StepChain([step]).unit
    images = [step.apply(x) for x in PLACES]
    assert [str(one) for one in images] == [str(steps_oracle.published(table, x)) for x in PLACES]
    assert all(order(step, a) <= order(step, b) for a, b in pairwise(images))
    assert all(abs(b) <= max(abs(x), F(0)) + step.reach for x, b in zip(PLACES, images, strict=True)
               if isinstance(b, Fraction))  # fmt: skip
    places = [place_of(Cut(x), unit) for x in PLACES]
    singles = [step.image(place, unit) for place in places]
    said = StepChain([step], [F(1, unit)])
    assert said.unit == unit
    assert [said.told(one) for one in singles] == [str(one) for one in images]
    many = step.image(np.array([-FAR, *places]), unit).tolist()
    assert [HIDDEN if x == -FAR else x for x in many] == [HIDDEN, *singles]
    assert step.image(HIDDEN, unit) == HIDDEN
    if not step.naming:
        cuts = range(-200, 200)
        found = step.before(np.array(cuts), unit).tolist()
        for cut, one in zip(cuts, found, strict=True):
            assert step.before(cut, unit) == (one if abs(one) < LARGEST else one * float("inf"))
            assert all((image < cut) == (x < one) for x, image in zip(places, singles, strict=True))
    low, high = places[30], places[50]
    jumps, met = set(step.breaks(low, high, unit).tolist()), 0
    for a, b in pairwise(range(low, high)):
        images = step.image(a, unit), step.image(b, unit)
        if images[0] != images[1] and images != (a, b):
            assert b in jumps
            met += 1
    assert step.cuts is not None or min(jumps) <= low < high < max(jumps)
    return met


@pytest.mark.parametrize("key", KINDS)
def test_cuts_rise_and_each_has_a_part_on_either_side(key: str) -> None:
    random = Random(3)
    for _ in range(20):
        (step,) = steps_of([stated(random, key)])
        assert isinstance(step, CutStep) == (step.cuts is not None)
        if step.cuts is not None:
            assert list(step.cuts) == sorted(step.cuts)
            assert len(step.images) == len(step.cuts) + 1
            assert step.hides == (SUPPRESSED in step.images)
            assert step.naming == (step.most(F(1)) is not None)
            places = [place_of(cut, 4) for cut in step.cuts]
            changes = [step.image(x - 1, 4) != step.image(x, 4) for x in places]
            assert all(changes) or len(set(places)) < len(places)
        else:
            assert step.period is not None


def test_a_number_between_multiples_of_the_unit_is_told_from_them_and_from_none_there() -> None:
    assert [place_of(Cut(F(k, 6), after), 2) for k, after in (
        (3, False), (3, True), (4, False), (4, True), (5, False), (6, False)
    )] == [2, 3, 3, 3, 3, 4]  # fmt: skip
    assert place_of(Cut(F(-1, 6)), 2) == -1
    big = F(10**40 + 1, 3)
    assert place_of(Cut(big), 3) == 2 * (10**40 + 1)


@pytest.mark.parametrize("seed", range(40))
def test_a_chain_says_of_every_number_what_its_steps_do(seed: int) -> None:
    random = Random(seed)
    steps = chain(random)
    line = StepChain(steps, [F(1, 12)])
    outputs = [published(steps, x) for x in PLACES]
    assert [line.told(line.image(line.place(Cut(x)))) for x in PLACES] == outputs
    hidden = line.suppressed
    for x, output in zip(PLACES, outputs, strict=True):
        assert (output == SUPPRESSED) == (
            hidden is not None and (hidden.high is None or Cut(x) < hidden.high)
        )
        cell = line.cell(line.image(line.place(Cut(x))))
        inside = [
            (cell.low is None or cell.low <= Cut(y)) and (cell.high is None or Cut(y) < cell.high)
            for y in PLACES
        ]
        assert inside == [other == output for other in outputs]
        above = x + F(1, 10**6)
        found = line.behind(x)
        assert str(line.name(above)) == published(steps, above)
        assert (found is None) == (published(steps, above) == str(above))
    for side, far in ((-1, -(10**9)), (1, 10**9)):
        ends = {published(steps, F(far) + k) for k in range(5)}
        assert line.ends(side) == (len(ends) == 1)
    assert line.single == (len(set(outputs)) == 1 and line.ends(1) and line.ends(-1))


def test_a_number_that_becomes_itself_does_not_stay_where_those_around_it_do_not() -> None:
    line = StepChain(steps_of([{"round": {"to": 1}}]))
    assert line.image(line.place(Cut(F(2)))) == line.place(Cut(F(2)))
    assert not line.stays(line.place(Cut(F(2))))
    low = StepChain(steps_of([{"clamp": [2, 3]}]))
    assert [low.stays(low.place(Cut(F(x)))) for x in (1, 2, 3)] == [False, True, False]


def test_what_keeps_its_density_is_what_stays() -> None:
    reached = 0
    for seed in range(60):
        steps = chain(Random(seed), CUT)
        line = StepChain(steps)
        between = [x + F(1, 997) for x in PLACES]
        stays = [published(steps, x) == str(x) for x in between]
        if line.kept is None:
            assert not any(stays)
            continue
        reached += any(stays)
        for x, stay in zip(between, stays, strict=True):
            (part,) = (
                one for one in line.kept
                if (one.low is None or one.low < x) and (one.high is None or x < one.high)
            )  # fmt: skip
            assert part.output == (None if stay else published(steps, x))
    assert reached > 10


def test_numbers_of_any_size_are_exact() -> None:
    big = F(10**50 + 1, 7)
    steps = steps_of([{"clamp": [0, str(big)]}, {"threshold": {"at": str(big - 1)}}])
    line = StepChain(steps)
    assert line.behind(big - 1) is None
    found = line.behind(big)
    assert found == (big, None, str(big))
    assert line.suppressed is not None
    assert line.suppressed.high == Cut(big - 1)


def test_modulo_is_refused_where_cuts_are_asked_for_and_not_before() -> None:
    steps = steps_of([{"threshold": {"at": 1}}, {"modulo": 2}])
    line = StepChain(steps)
    assert line.suppressed is not None
    assert line.kept is None
    with pytest.raises(InputError, match="must never decrease"):
        line.behind(F(3))
    with pytest.raises(InputError, match="must never decrease"):
        StepChain(steps[::-1]).suppressed  # noqa: B018


@pytest.mark.parametrize(("value", "table"), [
    ({"clamp": [0, "1/2"]}, {"clamp": ["0", "1/2"]}),
    ({"threshold": {"at": "0.5"}}, {"threshold": {"at": "1/2", "keep": "at-least"}}),
    ({"bins": {"edges": [1, 2]}}, {"bins": {"edges": ["1", "2"]}}),
    ({"round": {"to": 2}}, {"round": {"to": "2", "ties": "up"}}),
    ({"ceil": {"to": 2}}, {"ceil": {"to": "2"}}),
    ({"modulo": 3}, {"modulo": "3"}),
])  # fmt: skip
def test_a_step_is_written_as_it_is_read(value: Any, table: Any) -> None:
    steps = steps_of([value])
    assert steps_table(steps) == [table]
    assert steps_table(steps_of([table])) == [table]


def test_lattices_of_what_becomes_of_a_lattice() -> None:
    found = (F(1, 2), F(1))
    clamp, hide, ties, modulo = steps_of([
        {"clamp": ["1/4", 3]}, {"threshold": {"at": "1/3"}}, {"round": {"to": "3/4"}},
        {"modulo": "3/2"},
    ])  # fmt: skip
    assert clamp.lattice(found) == (F(1, 2), F(1, 4))
    assert hide.lattice(found) == found
    assert ties.lattice(found) == ties.lattice(None) == (0, F(3, 4))
    assert modulo.lattice(found) == (F(1, 2), F(1, 2))
    assert clamp.lattice(None) is modulo.lattice(None) is None
    assert common_lattice([F(2)]) == (2, 1)


def problem(noise: dict[str, object], **more: object) -> dict[str, object]:
    return {"schema": "pfverify/problem/1", "epsilon": 1, "noise": noise, **more}


def test_a_ball_on_the_whole_line_is_refused_behind_steps() -> None:
    ball = {"kind": "winf-ball", "mass": {"0": 1}, "radius": "1/4"}
    table = problem(
        {"kind": "laplace", "scale": 1}, post=[{"round": {"to": 1}}],
        priors={"a": {"kind": "discrete", "mass": {"0": 1}}, "b": ball},
    )  # fmt: skip
    with pytest.raises(InputError, match=r"^post: families of kind winf-ball .*an alphabet, or"):
        certify(Problem.from_table(table))


def test_behind_a_sum_with_a_rest_a_table_is_said_to_have_no_scale() -> None:
    system = {"rest": "any", "user": {"low": {"point": 0}, "high": {"point": 2}}}
    for noise in ({"kind": "table", "weights": {"0": "1/2", "1": "1/2"}}, {"kind": "none"}):
        table = problem(noise, post=[{"round": {"to": 1}}], system=system)
        with pytest.raises(InputError, match=rf"noise of kind {noise['kind']} has no scale"):
            certify(Problem.from_table(table))
    bare = problem({"kind": "laplace", "scale": 0}, post=[{"round": {"to": 1}}], system=system)
    with pytest.raises(InputError, match=r"need noise of a scale above 0$"):
        certify(Problem.from_table(bare))
