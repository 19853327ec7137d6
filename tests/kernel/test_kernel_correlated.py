"""Models of correlated records: how beliefs and tables of masses are stated, and what is asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.grammar import Malformed
from reader import correlated as source
from reader.correlated import Asked, Model, correlated, masses_of, require_sum, stated_models
from reader.records import Record

HALF = Fraction(1, 2)
KINDS = {"chain", "hmm"}


@pytest.mark.parametrize("kind", ["chain", "hmm"])
def test_one_model_has_no_name(kind: str) -> None:
    stated = {"states": ["a"]}
    assert [*stated_models({kind: stated}, KINDS)] == [("", kind, stated)]
    assert [*stated_models({kind: stated}, {kind})] == [("", kind, stated)]
    for belief, name in (("default", ""), ("other", "other")):
        value = {"beliefs": {belief: {kind: stated}}}
        assert [*stated_models(value, KINDS)] == [(name, kind, stated)]
        assert [*stated_models(value, {kind})] == [(name, kind, stated)]
    two = {"beliefs": {"default": {kind: 1}, "other": {kind: 2}}}
    assert [*stated_models(two, KINDS)] == [("default", kind, 1), ("other", kind, 2)]


@pytest.mark.parametrize("belief", [
    {}, {"chain": 1, "hmm": 1}, {"network": 1}, {"chain": 1, "network": 1},
    ["chain"], ["chain", "hmm"], [], "chain", "c", 1, None,
])  # fmt: skip
def test_a_belief_is_a_table_of_one_kind(belief: Any) -> None:
    with pytest.raises(Malformed) as refused:
        [*stated_models({"beliefs": {"x": belief}}, KINDS)]
    assert str(refused.value) == "belief \"x\" must be a table of one of ['chain', 'hmm']"


def test_beliefs_are_of_one_kind() -> None:
    with pytest.raises(Malformed, match=r"^beliefs must all be of one kind$"):
        [*stated_models({"beliefs": {"x": {"chain": 1}, "y": {"hmm": 1}}}, KINDS)]


def test_masses_are_at_least_0_and_sum_to_1() -> None:
    for fine in ([1], [HALF, HALF], [0, 1], [Fraction(1, 3)] * 3):
        require_sum([Fraction(x) for x in fine], "it")
    for wrong in ([], [HALF], [HALF] * 3, [-HALF, 3 * HALF], [-1, 2], [-2, 3]):
        with pytest.raises(Malformed) as refused:
            require_sum([Fraction(x) for x in wrong], "it")
        assert str(refused.value) == "it: masses must be at least 0 and sum to 1"


def test_tables_of_masses_nest_in_the_order_of_the_parents() -> None:
    law = {"a": "1/2", "b": "1/2"}
    half = {"a": HALF, "b": HALF}
    assert masses_of(law, "it") == {(): half}
    assert masses_of({"a": "1"}, "it", (), ["a", "b"]) == {(): {"a": Fraction(1), "b": 0}}
    left = [["x", "y"], ["u", "v", "w"]]
    nested = {x: dict.fromkeys(left[1], law) for x in left[0]}
    assert masses_of(nested, "it", left) == {(x, u): half for x in left[0] for u in left[1]}
    other = {u: dict.fromkeys(left[0], law) for u in left[1]}
    for wrong, said in (
        (other, 'it has the key "u", not supported by this kernel'),
        ({"x": nested["x"]}, 'it lacks "y"'),
        ({**nested, "y": {"u": law, "v": law}}, 'it of "y" lacks "w"'),
    ):
        with pytest.raises(Malformed) as refused:
            masses_of(wrong, "it", left)
        assert str(refused.value) == said


def test_a_table_of_masses_is_a_table() -> None:
    missing, sums = "it: a table of masses is missing", "it: masses must be at least 0 and sum to 1"
    cases: list[tuple[Any, list[str] | None, str]] = [
        ({}, None, missing), ([], None, missing), (["a"], None, missing), ("1", None, missing),
        (1, None, missing), ({}, ["a"], sums), ([], ["a"], "it must be a table"),
        (["a"], ["a"], "it must be a table"),
        ({"b": "1"}, ["a"], 'it has the key "b", not supported by this kernel'),
    ]  # fmt: skip
    for stated, states, said in cases:
        with pytest.raises(Malformed) as refused:
            masses_of(stated, "it", (), states)
        assert str(refused.value) == said


def coin(states: str, **chances: Any) -> Model:
    """One record, and secrets of it; the state k adds k."""
    law: dict[tuple[str, ...], Fraction] = {(s,): Fraction(x) for s, x in chances.items()}
    adds = {state: Fraction(k) for k, state in enumerate("abc")}
    return Model({0: Record((), law, adds)}, [Asked(0, "r", [*states])], chances)


def test_models_and_pairs_of_one_source() -> None:
    """A pair is asked about where a belief knows both secrets, be there no other secret."""
    fair, loaded, sure = coin("ab", a="1/2", b="1/2"), coin("ab", a="1/3", b="2/3"), coin("ab", a=1)
    pair, left = ["r:a", "r:b"], ", impossible secrets left out"
    for models, said in (
        ({"default": fair}, "records that are a coin as given"),
        ({"x": fair, "y": loaded}, "records that are one of 2 as given"),
        ({"x": fair, "y": sure}, f"records that are one of 2 as given{left}"),
        ({"x": sure, "y": fair}, f"records that are one of 2 as given{left}"),
        ({"default": coin("abc", a="1/2", b="1/2")}, f"records that are a coin as given{left}"),
    ):
        for value in ({}, {"pairs": [pair]}):
            found = correlated(value, models, "coins", "a coin")
            assert found.said == said
            assert found.asked == {"pairs": [pair]}
            assert found.beliefs.keys() == models.keys()
            assert found.written == {"coins": [[name, one.written] for name, one in models.items()]}
    beliefs = correlated({}, {"x": fair, "y": loaded}, "coins", "a coin").beliefs
    assert beliefs["y"]["r:b"] == {Fraction(1): Fraction(1)}
    assert correlated({}, {"x": sure}, "coins", "a coin").asked == {"pairs": []}
    with pytest.raises(Malformed) as refused:
        correlated({"pairs": [pair]}, {"x": sure}, "coins", "a coin")
    assert str(refused.value) == 'no belief has both secrets of "r:a and r:b"'
    with pytest.raises(Malformed, match=r"^the models of several beliefs must have the same sec"):
        correlated({}, {"x": fair, "y": coin("abc", a="1/2", b="1/2")}, "coins", "a coin")


def test_there_are_one_to_so_many_models(monkeypatch: pytest.MonkeyPatch) -> None:
    assert source.MAX_MODELS == 10_000
    monkeypatch.setattr(source, "MAX_MODELS", 3)
    models = {name: coin("ab", a="1/2", b="1/2") for name in "wxyz"}
    for count in range(5):
        some = dict([*models.items()][:count])
        if 1 <= count <= 3:
            assert len(correlated({}, some, "coins", "a coin").beliefs) == count
        else:
            with pytest.raises(Malformed, match=r"^expected 1 to 3 models of records$"):
                correlated({}, some, "coins", "a coin")
