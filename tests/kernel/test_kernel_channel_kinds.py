"""Channels as tables state them: entries, names and codes that there may be, and laws of kinds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.enclose import Arithmetic
from core.grammar import Malformed
from core.masses import enclose_mass, masses_of
from mpmath import mp
from reader import channel_kinds
from reader.channel_kinds import read_channel

F = Fraction
Table = dict[str, Any]


def refusal(table: Any) -> str:
    with pytest.raises(Malformed) as refused:
        read_channel(table, "it")
    return str(refused.value)


def matrix(*rows: list[Any]) -> Table:
    names = [f"y{k}" for k in range(len(rows[0]))]
    return {"kind": "matrix", "inputs": [*"abcd"][: len(rows)], "outputs": names, "rows": [*rows]}


def laws(table: Table) -> list[list[Any]]:
    return [masses_of(law) for law in read_channel(table, "it")[0].laws]


def test_entries_are_masses() -> None:
    """Each from 0 to 1, and a row sums to 1."""
    assert laws(matrix([0, 1], ["1/2", "1/2"])) == [[0, 1], [F(1, 2), F(1, 2)]]
    row = 'it: the row of "a"'
    for entries, said in (
        (["-1/2", 1, "1/2"], f"{row} must be at least 0"),
        (["-1e-9", "1", "1e-9"], f"{row} must be at least 0"),
        (["3/2", 0, 0], f"{row} must be at most 1"),
        (["1.000000001", 0, 0], f"{row} must be at most 1"),
        ([2, "-1", 0], f"{row} must be at most 1"),
        (["1-exp(1)", "exp(1)/3", "1/2"], f"{row} must be at least 0"),
        (["exp(1)/2", 0, 0], f"{row} must be at most 1"),
        (["1/2", "1/3", "1/7"], f"{row} does not sum to 1"),
        (["1/2", "1/3", "1/5"], f"{row} does not sum to 1"),
        (["exp(-1)", "1-exp(-1)", "1e-30"], f"{row} does not sum to 1"),
        ([0, 0, 0], f"{row} does not sum to 1"),
    ):
        assert refusal(matrix(entries)) == said


def test_names_of_inputs_and_outputs() -> None:
    for key in ("inputs", "outputs"):
        for names, said in (
            (["a", "b\n"], 'the name "b\\n" is empty or not printable'),
            ([" ", "b"], 'the name " " is empty or not printable'),
            (["a", "a"], f"it: {key}: a name occurs twice"),
            ([], f"it: {key}: at least 1 of them"),
        ):
            assert refusal({**matrix([0, 1], [1, 0]), key: names}) == said
    assert refusal({"kind": "randomized-response", "inputs": ["a"], "truth": 1}) == (
        "it: inputs: at least 2 of them"
    )
    places = {"kind": "planar", "points": {"a": [0], "b\n": [1]}, "epsilon": 1}
    assert refusal(places) == 'the name "b\\n" is empty or not printable'


def test_codes() -> None:
    table = {"kind": "rappor", "inputs": ["a", "b"], "flip": "1/2"}
    stays, other = F(3, 4), F(1, 4)
    assert laws({**table, "codes": {"a": "01", "b": "11"}}) == [
        [other * stays, stays * stays, other * other, stays * other],
        [other * other, other * stays, stays * other, stays * stays],
    ]
    for codes, said in (
        ({"a": "0", "b": ["1"]}, "it: a code must be a string"),
        ({"a": 0, "b": "1"}, "it: a code must be a string"),
        ({"a": "0"}, "it: codes must name each input once"),
        ({"a": "0", "b": "1", "c": "1"}, "it: codes must name each input once"),
        (["a", "b"], "it: codes must name each input once"),
        ({"a": "01", "b": "1"}, "it: codes must be bits, all of one length"),
        ({"a": "1", "b": "01"}, "it: codes must be bits, all of one length"),
        ({"a": "1", "b": "2"}, "it: codes must be bits, all of one length"),
        ({"a": "", "b": ""}, "it: a code must have 1 to 12 bits"),
        ({"a": "0" * 13, "b": "1" * 13}, "it: a code must have 1 to 12 bits"),
    ):
        assert refusal({**table, "codes": codes}) == said
    for key in ("one", "zero"):
        assert refusal({**table, key: "1/2"}) == "it must have both one and zero, or neither"
    reported = laws({**table, "one": "2/3", "zero": "1/5", "codes": {"a": "0", "b": "1"}})
    for law, kept in zip(reported, (other, stays), strict=True):
        one = kept * F(2, 3) + (1 - kept) * F(1, 5)
        assert law == [1 - one, one]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_truncated_geometric_law(size: int) -> None:
    """At both ends all that is beyond them."""
    t = F(2, 7)
    found = laws({"kind": "truncated-geometric", "size": size, "ratio": "2/7"})
    for x, law in enumerate(found):
        inside = [(1 - t) / (1 + t) * t ** abs(x - y) for y in range(size)]
        inside[0], inside[-1] = t**x / (1 + t), t ** (size - 1 - x) / (1 + t)
        assert law == inside
        assert sum(law) == 1
    ar = Arithmetic(64)
    for law in laws({"kind": "truncated-geometric", "size": size, "epsilon": 1}):
        assert len(law) == size
        low, high, e = ar.fit(0, 0, 0)
        for mass in law:
            low, high, e = ar.add((low, high, e), enclose_mass(mass, ar))
        assert mp.ldexp(low, e) <= 1 <= mp.ldexp(high, e)


def test_a_mixture_of_one_part_is_the_part() -> None:
    part = matrix(["1/3", "2/3"], [1, 0])
    assert laws({"kind": "mixture", "parts": [part], "weights": [1]}) == laws(part)
    assert refusal({"kind": "mixture", "parts": [part], "weights": ["1/2", "1/2"]}) == (
        "it: a weight for each part"
    )
    other = {**part, "inputs": ["a", "c"]}
    for kind, more in (("mixture", {"weights": ["1/2", "1/2"]}), ("composition", {})):
        for parts in ([part, other], [other, part]):
            assert refusal({"kind": kind, "parts": parts, **more}) == (
                "it: the parts must have the same inputs"
            )


def test_parts_meet_by_their_names() -> None:
    """Whatever the order in which they are written."""
    first = matrix(["1/3", "2/3"], [1, 0])
    turned = {**first, "inputs": ["b", "a"], "rows": first["rows"][::-1]}
    mixed = {"kind": "mixture", "weights": ["1/4", "3/4"]}
    assert laws({**mixed, "parts": [first, turned]}) == laws(first)
    after = {"kind": "matrix", "inputs": ["y1", "y0"], "outputs": ["z", "w"],
             "rows": [["1/5", "4/5"], ["1/2", "1/2"]]}  # fmt: skip
    z = F(1, 3) * F(1, 2) + F(2, 3) * F(1, 5)
    cascade = {"kind": "cascade", "parts": [first, after]}
    assert laws(cascade) == [[z, 1 - z], [F(1, 2), F(1, 2)]]


def test_a_cascade_over_an_output_that_never_comes() -> None:
    """Its row may be of masses that are no fractions, though none of them is used."""
    first = matrix([0, "1/2", "1/2"])
    after = {"kind": "matrix", "inputs": ["y0", "y1", "y2"], "outputs": ["z", "w"],
             "rows": [["exp(-1)", "1-exp(-1)"], ["1/2", "1/2"], ["1/3", "2/3"]]}  # fmt: skip
    assert laws({"kind": "cascade", "parts": [first, after]}) == [[F(5, 12), F(7, 12)]]


def test_a_channel_of_so_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_kinds, "MAX_ENTRIES", 6)
    assert len(laws(matrix([1, 0, 0], [0, 1, 0]))) == 2
    assert refusal(matrix([1, 0, 0, 0], [0, 1, 0, 0])) == "it: more than 6 entries"
