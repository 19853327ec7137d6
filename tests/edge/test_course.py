"""Exercises: the toolkit, and no stored answer, says what is right."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import pytest

from pfverify import Discrete, InputError, Laplace, Problem
from pfverify.edge import course
from pfverify.edge.packaged import load_example

Asked = Callable[[], course.Answered]
TIE = load_example("tie-point-masses")
STUDENT = load_example("student").replaced(epsilon="1/5")
ORDER = ("higher=no", "higher=yes")
TAIL = ("apart", "together")
THEOREM = load_example("theorem-2-fails")
CHANNEL = load_example("composition-breaks-distp")
LAWS = Discrete({0: "1/2", 2: "1/2"}), Discrete({1: 1})


def scaled(scale: Any) -> Problem:
    return TIE.replaced(scale=scale)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: course.judged("3", certified=[scaled], refuted=[lambda x: TIE.replaced(scale=1)]),
        lambda: course.least("3/log(3)", TIE, "scale"),
        lambda: course.least("0.2572", STUDENT, "epsilon", within="0.001"),
        lambda: course.verdict("refuted", STUDENT),
        lambda: course.witness({"y": 1}, STUDENT, ORDER),
        lambda: course.witness({"event": [["9", "inf"]]}, THEOREM, TAIL),
        lambda: course.witness({"event": [[9, float("inf")]]}, THEOREM, TAIL),
        lambda: course.witness({"output": "b,b"}, CHANNEL, ("either", "surely-a")),
        lambda: course.plan({(0, 1): "1/2", (2, 1): "1/2"}, *LAWS, within=1),
        lambda: course.obstacle({0}, *LAWS, closer=1),
        lambda: course.obstacle(["0", 2], *LAWS, closer=1),
    ],
)
def test_what_is_right(asked: Asked) -> None:
    said = asked()
    assert said.right is True, said
    assert repr(said).startswith("right: ")


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (lambda: course.judged("2", certified=[scaled]), "is refuted at scale 2"),
        (lambda: course.judged("3", refuted=[scaled]), "is certified at scale 3"),
        (lambda: course.judged("three", certified=[scaled]), "cannot be read"),
        (lambda: course.judged([3], certified=[scaled]), "cannot be read"),
        (lambda: course.judged(3, certified=[lambda x: scaled(x[0])]), "cannot be read"),
        (lambda: course.judged((3,), certified=[lambda x: scaled(*x, *x)]), "cannot be read"),
        (lambda: course.least("2", TIE, "scale"), "refuted at scale 2"),
        (lambda: course.least("3", TIE, "scale"), "not the least"),
        (lambda: course.least("0.2572", STUDENT, "epsilon", within="1e-9"), "not the least"),
        (lambda: course.verdict("certified", STUDENT), "it is refuted"),
        (lambda: course.verdict(True, STUDENT), 'write "certified" or "refuted", got True'),
        (lambda: course.verdict("no", STUDENT), "got 'no'"),
        (lambda: course.witness({"y": 0}, STUDENT, ORDER),
         'the kernel rejects it: no such margin is proved at "0"'),
        (lambda: course.witness({"y": 1}, STUDENT, ORDER, margin="1"), "rejects"),
        (lambda: course.witness({"y": 1}, STUDENT, ORDER[::-1]), "rejects"),
        (lambda: course.witness({"y": "one"}, STUDENT, ORDER), "y is to be a rational number"),
        (lambda: course.witness({"y": "1/0"}, STUDENT, ORDER), "y is to be a rational number"),
        (lambda: course.witness({"event": [["-inf", 9]]}, THEOREM, TAIL), "rejects"),
        (lambda: course.witness({"output": "b,b"}, CHANNEL, ("surely-a", "either")), "rejects"),
        (lambda: course.witness({"output": {1}}, CHANNEL, ("surely-a", "either")), "rejects"),
        (lambda: course.witness({"rule": "x"}, STUDENT, ORDER), "has one of the keys"),
        (lambda: course.witness(1, STUDENT, ORDER), "has one of the keys"),
        (lambda: course.plan({(0, 1): "1/2"}, *LAWS, within=1), "row 2 sums to 0, and not to 1/2"),
        (lambda: course.plan({(0, 1): "1/2", (2, 1): "1/2"}, *LAWS, within=0), "longer than"),
        (lambda: course.plan({(0, 1): "1/2", (2, 3): "1/2"}, *LAWS, within=1), "column 1"),
        (lambda: course.plan("no plan", *LAWS, within=1), "no plan"),
        (lambda: course.obstacle({0}, *LAWS, closer=2), "places closer than 2 take 1"),
        (lambda: course.obstacle({0, 7}, *LAWS, closer=1), "7 is no point"),
        (lambda: course.obstacle({"zero"}, *LAWS, closer=1), "set of numbers"),
        (lambda: course.obstacle([float("inf")], *LAWS, closer=1), "set of numbers"),
        (lambda: course.obstacle(0, *LAWS, closer=1), "set of numbers"),
    ],
)
def test_what_is_not(asked: Asked, why: str) -> None:
    said = asked()
    assert said.right is False
    assert why in said.why, said


@pytest.mark.parametrize(
    "asked",
    [
        lambda: course.judged(..., certified=[scaled]),
        lambda: course.least(..., TIE, "scale"),
        lambda: course.verdict(..., TIE),
        lambda: course.witness(..., STUDENT, ORDER),
        lambda: course.plan(..., *LAWS, within=1),
        lambda: course.obstacle(..., *LAWS, closer=1),
    ],
)
def test_the_dots_are_no_answer_yet(asked: Asked) -> None:
    said = asked()
    assert said.right is None
    assert repr(said).startswith("no answer yet: ")
    with pytest.raises(TypeError, match="no truth value"):
        bool(said)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: course.judged(None, certified=[scaled]),
        lambda: course.least(None, TIE, "scale"),
        lambda: course.verdict(None, TIE),
        lambda: course.witness(None, STUDENT, ORDER),
        lambda: course.plan(None, *LAWS, within=1),
        lambda: course.obstacle(None, *LAWS, closer=1),
    ],
)
def test_none_is_no_answer_either(asked: Asked) -> None:
    """It left the number of the problem, and was right or wrong with that."""
    assert asked().right is None


def test_an_exercise_that_asks_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="needs a problem"):
        course.judged("1")
    with pytest.raises(InputError, match="expected epsilon, delta or scale"):
        course.least("1", TIE, "form")
    for within in ("0", "1", "-1/2", "some"):
        with pytest.raises(InputError, match=r"^within: "):
            course.least("1", TIE, "scale", within=within)


def test_an_undecided_problem_is_neither() -> None:
    """A tie that no exact test knows passes for nothing."""
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    noise = Laplace("1/(log(53)*log(2)+log(59)*log(2))")
    tie = Problem(priors, noise=noise, epsilon="log(3127)*log(2)")
    said = [course.judged(1, **{word: [lambda _: tie]}) for word in ("certified", "refuted")]
    said += [course.verdict(word, tie) for word in ("certified", "refuted")]
    for one in said:
        assert one.right is False
        assert "is undecided" in one.why


def test_a_slider_moves_where_there_are_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    ipywidgets = pytest.importorskip("ipywidgets")
    made = []
    monkeypatch.setattr(ipywidgets, "interact", lambda draw, **fields: made.append((draw, fields)))
    drawn: list[str] = []
    course.slider(drawn.append, "epsilon", ["1/2", "1"], "1")
    ((draw, fields),) = made
    assert (fields["value"].value, fields["value"].options) == ("1", ("1/2", "1"))
    assert fields["value"].description == "epsilon"
    draw("1/2")
    assert drawn == ["1/2"]


def test_a_slider_is_a_picture_without(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "ipywidgets":
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    drawn: list[str] = []
    course.slider(drawn.append, "epsilon", ["1/2", "1"], "1")
    assert drawn == ["1"]
    with pytest.raises(InputError, match="none of the values"):
        course.slider(drawn.append, "epsilon", ["1/2", "1"], "2")


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (lambda: course.least("log(5/3", TIE, "scale"),
         "this cannot be read as an answer: cannot read 'log(5/3' as a number: a "
         "closing parenthesis is missing (expected digits, exp( ), log( ), sqrt( ), + - * / and "
         "parentheses)"),
        (lambda: course.least([3], TIE, "scale"), "cannot read '[3]' as a number"),
        (lambda: course.least("", TIE, "epsilon"), "cannot read '' as a number: it is empty"),
        (lambda: course.judged("log(5/3", certified=[lambda x: scaled(f"2*({x})")]),
         "cannot read 'log(5/3' as a number"),
        (lambda: course.judged(3, certified=[lambda x: scaled(x[0])]),
         "3 has another shape than what is asked for"),
        (lambda: course.witness({"y": [1]}, STUDENT, ORDER), "y is to be a rational number"),
        (lambda: course.witness({"event": 5}, THEOREM, TAIL),
         "event is to be a list of intervals, [[low, high], ...] with low <= high, such as"),
        (lambda: course.witness({"event": [1, 2]}, THEOREM, TAIL), "got [1, 2]"),
        (lambda: course.witness({"event": [[3, 1]]}, THEOREM, TAIL), "got [[3, 1]]"),
        (lambda: course.plan({0: 1}, *LAWS, within=1), "{(x, x'): mass, ...}, got {0: 1}"),
        (lambda: course.plan({(0, 1): "half"}, *LAWS, within=1),
         "this is no plan: mass of edge 0 -> 1: cannot read 'half'"),
        (lambda: course.obstacle({"zero"}, *LAWS, closer=1), "{x, ...}, got {'zero'}"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_shown_as_it_was_typed(asked: Asked, why: str) -> None:
    """The answer to a scale was echoed as '(log(5/3) * (1)', and a list as "must be a string"."""
    said = asked()
    assert said.right is False
    assert why in said.why, said
    for inside in ("* (1", "malformed", "must be", "subscriptable", "plan: plan"):
        assert inside not in said.why
