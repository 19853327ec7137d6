"""Several parts in the kernel: their names, what is no part, and what is no proof of them."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import kernel_builder as kb  # noqa: F401  (the kernel's path)
import pytest
from core.grammar import Malformed
from core.kinds import Mixture
from core.rules import Rejected
from core.work import checking
from reader.composition import EachPart
from reader.goals import goals_of
from reader.reader import problem_of
from reader.several import Several
from support.kernel_run import certificate_of, kernel_said

from pfverify import Problem, certify

Json = dict[str, Any]
A, B = ({"kind": "discrete", "mass": {str(k): "1"}} for k in (0, 1))
POINTS = {"a": A, "b": B}
MIXED = {"a": {"kind": "discrete", "mass": {"0": "1/3", "1": "2/3"}}, "b": B}


def noise(**more: Any) -> Json:
    return {"kind": "laplace", "scale": "2", **more}


def whole(*parts: Json, **more: Any) -> Json:
    return {"schema": "pfverify/problem/1", "epsilon": "1", "delta": "1/10", **more,
            "parts": [*parts]}  # fmt: skip


def pieces(*parts: Json, **more: Any) -> list[tuple[Any, int]]:
    problem = problem_of(whole(*parts, **more))
    with checking(10_000) as check:
        goal = next(iter(goals_of(problem, problem.release.at(None), check)))
        return EachPart(goal).parts()


def test_parts_are_named_by_words() -> None:
    one = {"noise": noise(), "priors": MIXED}
    assert pieces(one, {**one, "times": 3}) == [(["part 1"], 1), (["part 2"], 3)]
    fresh = {"noise": {"kind": "laplace", "scales": ["1", "2", "1"], "draws": "fresh"},
             "priors": MIXED, "times": 5}  # fmt: skip
    assert pieces(fresh) == [(["part 1", "release 1"], 10), (["part 1", "release 2"], 5)]
    points = {"noise": noise(releases=4), "priors": POINTS}
    assert pieces(points) == [(["part 1", "release 1"], 4)]
    assert pieces(points, delta="0") == [(["part 1"], 1)]  # worth one


def test_releases_of_one_x_that_is_no_point_stay_together() -> None:
    shared = {"noise": noise(releases=4), "priors": MIXED}
    assert pieces(shared) == [(["part 1"], 1)]
    normal = {"a": {"kind": "gaussian", "mean": "0", "variance": "1"}, "b": B}
    assert pieces({"noise": noise(releases=4), "priors": normal}) == [(["part 1"], 1)]
    assert len(Mixture(())) == 1  # a tuple of one, and no law of one atom


def test_a_part_is_released_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """To release it takes as long as it has scales, each of which is a part of its own."""
    scales = [str(k + 1) for k in range(50)]
    fresh = {"noise": {"kind": "laplace", "scales": scales, "draws": "fresh"}, "priors": POINTS}
    problem, released = problem_of(whole(fresh, fresh)), list[Any]()
    at = Several.at
    monkeypatch.setattr(Several, "at", lambda self, x: released.append(x) or at(self, x))
    with checking(10_000) as check:
        goal = next(iter(goals_of(problem, problem.release.at(None), check)))
        found = EachPart(goal)
        names = [name for name, _ in found.parts()]
        goals = [found.part(name, Fraction(k), Fraction(1))[0] for k, name in enumerate(names)]
    assert [(one.epsilon, one.delta) for one in goals] == [(k, 1) for k in range(100)]
    assert [one.release.amount for one in goals] == 2 * [int(x) for x in scales]
    assert len(released) == 2


CHANNEL = {"channel": {"kind": "randomized-response", "inputs": ["a", "b"], "epsilon": "1"}}


@pytest.mark.parametrize(("part", "said"), [
    ({"noise": noise(), "priors": {"a": A, "c": B}}, "different"),
    ({"noise": noise(), "beliefs": {"x": {"priors": POINTS}}}, "different beliefs"),
    ({"noise": noise(), "priors": {"a": {"kind": "any-of", "laws": [{"0": "1"}, {"1": "1"}]},
                                   "b": B}}, "different|given laws"),
    ({"noise": {"kind": "laplace"}, "priors": POINTS}, "no scale"),
    ({"noise": noise(), "priors": POINTS, "times": 0}, "times"),
    ({"noise": noise(), "priors": POINTS, "times": 1_000_000}, "more than"),
    ({"noise": noise(), "priors": POINTS, "delta": "0"}, "part 2 must be a table"),
    (CHANNEL, "notion"),
    ({"parts": []}, "part 2 must be a table"),
    (3, "part 2 must be a table"),
])  # fmt: skip
def test_what_is_no_part(part: Any, said: str) -> None:
    with checking(10_000), pytest.raises(Malformed, match=said):
        problem_of(whole({"noise": noise(), "priors": POINTS}, part))


@pytest.mark.parametrize("key", ["noise", "priors", "channel", "post", "pre", "metric"])
def test_nothing_else_stands_beside_parts(key: str) -> None:
    with checking(10_000), pytest.raises(Malformed):
        problem_of(whole({"noise": noise(), "priors": POINTS}, **{key: {}}))


ASKED = Problem.from_table(whole(
    {"noise": noise(), "priors": POINTS, "times": 2}, {"noise": noise(), "priors": MIXED},
    epsilon="3", delta="0",
))  # fmt: skip


def said_of(problem: Problem, change: Any) -> str:
    found = certify(problem)
    steps = json.loads(json.dumps(certificate_of(problem, found, 128)["steps"]))
    assert kernel_said(problem, found.verdict, steps)[0] == found.verdict
    change(steps[0])
    return kernel_said(problem, found.verdict, steps)[0]


def _lie(step: Json) -> None:
    step["parts"][0]["epsilon"] = "1/10"


def _twice(step: Json) -> None:
    step["parts"][1]["part"] = step["parts"][0]["part"]


def _one_less(step: Json) -> None:
    del step["parts"][1]


def _other_order(step: Json) -> None:
    step["parts"].reverse()


def _no_name(step: Json) -> None:
    step["parts"][0]["part"] = 0


@pytest.mark.parametrize("change", [_lie, _twice, _one_less, _other_order, _no_name])
@pytest.mark.parametrize("epsilon", ["3", "1"])
def test_a_changed_product_proves_nothing(change: Any, epsilon: str) -> None:
    if epsilon == "1" and change in (_lie, _one_less):
        return  # fewer losses may still refute
    assert said_of(ASKED.replaced(epsilon=epsilon), change) in ("rejected", "malformed")


@pytest.mark.parametrize("named", [["part 3"], ["part 1", "release 1"], [], ["part"], 0, "part 1"])
def test_a_part_that_there_is_not(named: Any) -> None:
    problem = problem_of(ASKED.to_table())
    with checking(10_000) as check:
        goal = next(iter(goals_of(problem, problem.release.at(None), check)))
        with pytest.raises((Rejected, Malformed)):
            EachPart(goal).part(named, goal.epsilon, goal.delta)


def test_no_one_release_stands_for_parts() -> None:
    problem = problem_of(ASKED.to_table())
    with checking(10_000) as check:
        goal = next(iter(goals_of(problem, problem.release.at(None), check)))
    found = EachPart(goal)
    for ask in (
        lambda: found.whole({}), lambda: found.fails_with({}), found.parts_of_x, found.atoms,
        lambda: found.part_of_x([], []), lambda: found.between(0, 1), lambda: found.alike(0, 1),
    ):  # fmt: skip
        with pytest.raises(Rejected):
            ask()
