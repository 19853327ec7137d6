"""Values, choices and draws, each by itself."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify.errors import InputError
from pfverify.program import choose, coin, uniform
from pfverify.program.child import ProgramRun, TooManyError
from pfverify.program.choice import Choice, choice_of, choose_choice, coin_choice, uniform_choice
from pfverify.program.paths import ProgramPath, _read
from pfverify.program.values import name_of, plain, value_of
from pfverify.sampling.bits import Bits
from pfverify.workers.wire import BrokenFrameError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.fractions(),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
)


@settings(max_examples=50)
@given(VALUES)
def test_values_come_back_as_they_are(value: object) -> None:
    data = json.loads(json.dumps(plain(value)))
    assert value_of(data) == value
    assert isinstance(name_of(data), str)


@settings(max_examples=50)
@given(VALUES, VALUES)
def test_values_that_differ_are_written_differently(one: object, other: object) -> None:
    if json.dumps(plain(one)) == json.dumps(plain(other)):
        assert one == other


@pytest.mark.parametrize("data", [0.5, {"fraction": 1}, {}, [[0.5]], b"a"])
def test_what_is_no_value_has_no_name(data: Any) -> None:
    with pytest.raises(BrokenFrameError):
        name_of(data)


CHOICES = [
    coin_choice("1/3"), coin_choice(1), coin_choice(0), uniform_choice(1), uniform_choice(7),
    choose_choice({"a": "1/2", None: "0", (1, "b"): "0.5"}), choose_choice({object: 1, 2: 0}),
]  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.text)
def test_a_choice_is_what_its_text_states(choice: Choice) -> None:
    assert choice_of(choice.text) == choice
    assert sum(choice.chances) == 1
    assert all(choice.chances[place] for place in choice.possible)


@pytest.mark.parametrize(
    "text",
    ["", "coin", "coin 2", "coin -1/2", "uniform 0", "uniform x", "choose", "choose 3",
     'choose [["a", "1/2"]]', 'choose [["a"]]', "choose []", "dice 6"],
)  # fmt: skip
def test_what_states_no_choice(text: str) -> None:
    with pytest.raises(BrokenFrameError):
        choice_of(text)


@pytest.mark.parametrize(
    "answer",
    [b"", b"{}", b"[]", b'{"asked": 3, "returned": 1}', b'{"asked": ["dice 6"], "returned": 1}',
     b'{"asked": []}', b'{"asked": [], "returned": 0.5}', b'{"asked": [3], "returned": 1}',
     b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_answer_of_a_run(answer: bytes) -> None:
    with pytest.raises(BrokenFrameError):
        _read(ProgramPath(1, (), (), Fraction(1)), answer)


def test_an_answer_is_a_path_with_its_chance() -> None:
    start = ProgramPath(1, ("coin 1/3",), (1,), Fraction(2, 3))
    answer = {"asked": ["coin 1/3", "uniform 4", "coin 0"], "returned": "a"}
    path, _ = _read(start, json.dumps(answer).encode())
    assert (path.taken, path.chance, path.returned) == ((1, 0, 1), Fraction(1, 6), "a")
    assert path.words() == "input 1, path coin(1/3) = False, uniform(4) = 0, coin(0) = False"


def test_a_run_stops_where_there_are_too_many_paths() -> None:
    run = ProgramRun([], 3)
    assert [run.take(coin_choice("1/2")) for _ in range(2)] == [0, 0]
    assert run.take(coin_choice(0)) == 1
    with pytest.raises(TooManyError):
        run.take(coin_choice("1/2"))


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.text)
def test_a_draw_has_exactly_the_chances(choice: Choice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all equally likely random numbers, each outcome has its share."""
    from pfverify.program.randomness import drawn

    found: Counter[int] = Counter()
    bottom = choice.ends[-1]
    for number in range(bottom):
        monkeypatch.setattr(Bits, "below", lambda _, bound, number=number: number % bound)
        found[drawn(choice)] += 1
    assert [Fraction(found[k], bottom) for k in range(len(choice.chances))] == [*choice.chances]


def test_a_program_that_runs_by_itself_draws() -> None:
    assert {coin("1/2") for _ in range(100)} == {True, False}
    assert {uniform(3) for _ in range(200)} == {0, 1, 2}
    assert {choose({"a": "1/2", 1: "1/2", None: 0}) for _ in range(100)} == {"a", 1}
    with pytest.raises(InputError, match=r"0\.5 is a float"):
        coin(0.5)  # type: ignore[arg-type]
