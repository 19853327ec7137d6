"""Steps behind several noisy numbers: what is read, the parts, and what steps leave of a number."""

from __future__ import annotations

import json
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import composed_builder as cb
import joint_corpus as jc
import kernel_builder as kb  # noqa: F401
import pytest
from core.grammar import Malformed
from core.rules import Rejected
from core.work import Check, TooMuchWork, checking
from reader import reader, releases
from reader.goals import goals_of
from reader.releases import Together
from reader.steps import steps_of
from reader.unprocessed import Apart, _own, release

F = Fraction
BINS, FLOOR = {"bins": {"edges": ["1/2"]}}, {"floor": {"to": "1"}}
LAPLACE = {"kind": "laplace", "scale": 1, "releases": 2}


def stated(**more: Any) -> dict[str, Any]:
    return {"noise": LAPLACE, "post": [BINS], "priors": {}, **more}


def apart(value: Any) -> Apart:
    problem = reader.problem_of(json.loads(json.dumps(value)))
    amount = problem.release.amount
    return Apart(next(iter(goals_of(problem, problem.release.at(amount), Check(0)))))


def of_two() -> Apart:
    low, high = jc.joint([0, 0, 1]), jc.joint([1, 1, 1])
    return apart(jc.problem(low, high, 1, noise=LAPLACE, post=[{"coordinate": "x", **BINS}]))


def of_one(noise: Any) -> Apart:
    low, high = ({"kind": "discrete", "counts": {x: 1}} for x in "01")
    return apart(jc.problem(low, high, 1, noise=noise, post=[BINS]))


def test_the_steps_of_a_number_are_read_together() -> None:
    for post in ([BINS, FLOOR], [{"coordinate": "x", **x} for x in (BINS, FLOOR)]):
        with pytest.raises(Malformed, match="nothing follows bins"):
            release(stated(post=post))
    two = release(stated(post=[{"coordinate": "x", **BINS}, {"coordinate": "y", **FLOOR}]))
    assert [(name, step.key) for name, step in two.steps] == [("x", "bins"), ("y", "floor")]


def test_priors_are_given_at_one_epsilon() -> None:
    usual = stated()
    del usual["priors"]
    for value in (usual, {**usual, "chain": {}}, stated(notion="xdistp")):
        with pytest.raises(Malformed, match="need given priors, at one epsilon"):
            release(value)
    assert release({**usual, "beliefs": {}}).steps
    assert release({**usual, "system": {"rest": "any"}}).any_rest


def test_every_law_that_shares_the_outputs_of_a_part_costs_something() -> None:
    spent = []
    for atoms in (1, 50):
        law = {"kind": "discrete", "counts": {str(k): 1 for k in range(atoms)}}
        laws = {f"s{k}": law for k in range(1000 // atoms)}
        value = jc.problem(cb.point(0), cb.point(1), 1, noise=LAPLACE, post=[BINS])
        found = apart({**value, "priors": {**value["priors"], **laws}, "pairs": [["a", "b"]]})
        with checking(1000) as check:
            found.part(0, F(1), F(1))
            spent.append(check.spent)
    assert min(spent) > 8000


def test_a_part_names_coordinates() -> None:
    two = of_two()
    assert [two.part([name], F(1), F(0))[0].epsilon for name in "xy"] == [1, 1]
    for named in ([], ["x", "x"], ["z"], ["x", "z"]):
        with pytest.raises(Rejected, match="a part must name different coordinates, of"):
            two.part(named, F(1), F(0))
    with pytest.raises(Rejected, match="a part must name coordinates"):
        two.part(0, F(1), F(0))
    with pytest.raises(Rejected, match="a part of several coordinates is one without steps"):
        two.part(["x", "y"], F(1), F(0))
    found = of_two()
    found.release = found.release._replace(steps=())
    assert found.part(["x", "y"], F(1), F(0))[0].P.names == ("x", "y")


def test_a_part_of_one_number_is_a_release() -> None:
    fresh = of_one({"kind": "laplace", "scales": [1, 2], "draws": "fresh"})
    for k in (0, 1):
        assert fresh.part(k, F(1), F(0))[0].epsilon == 1
    with pytest.raises(Malformed):
        fresh.part(2, F(1), F(0))
    with pytest.raises(Rejected, match="a part must name coordinates"):
        of_one({"kind": "laplace", "total": 1}).part(0, F(1), F(0))


def test_an_output_has_a_place_for_every_coordinate() -> None:
    with pytest.raises((ValueError, Rejected)):
        of_two().fails_with({"rule": "pure-refuted", "y": []})


@pytest.mark.parametrize(
    ("post", "places"),
    [
        ([{"clamp": ["0", "9"]}], {-1: False, 0: True, 4: True, 9: True, 10: False}),
        ([{"threshold": {"at": "2"}}], {1: False, 2: True, 3: True}),
        ([{"clamp": ["3", "3"]}], {3: False, 2: False}),
        ([FLOOR], {0: False, 2: False}),
    ],
)
def test_numbers_of_a_line_that_stay_what_they_are(post: Any, places: dict[int, bool]) -> None:
    for x, own in places.items():
        assert _own(steps_of(post), F(x), None) is own


def test_as_many_rows_as_a_grid_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: Any = [((F(k),), F(1, 3)) for k in range(3)]
    goal: Any = SimpleNamespace(release=SimpleNamespace(kind="fresh"))
    monkeypatch.setattr(releases, "MOST_ROWS", 9)
    assert len(Together(goal)._drawn(rows, 2)) == 9
    monkeypatch.setattr(releases, "MOST_ROWS", 8)
    with pytest.raises(TooMuchWork, match="a grid of so many draws"):
        Together(goal)._drawn(rows, 2)
