"""Channels: written out, randomized response, and what is refused of any."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from pfverify import Channel, InputError, Problem
from pfverify.exact.number import Number, number
from pfverify.model.channels.kinds import CHANNELS, channel_schema, read_channel
from pfverify.model.channels.matrix import Matrix
from pfverify.model.channels.randomized_response import RandomizedResponse

F = Fraction


def matrix(*rows: list[object], **keys: Any) -> dict[str, Any]:
    names = {"inputs": ["a", "b"][: len(rows)], "outputs": ["x", "y"]}
    return {"kind": "matrix", **names, "rows": list(rows)} | keys


def response(*inputs: str, **keys: Any) -> dict[str, Any]:
    return {"kind": "randomized-response", "inputs": list(inputs), **keys}


def message(table: object) -> str:
    with pytest.raises(InputError) as caught:
        Channel.of(table)
    text = str(caught.value)
    assert text.splitlines() == [text]
    return text


def test_the_names_are_those_of_the_classes() -> None:
    assert {name: kind.kind for name, kind in CHANNELS.items()} == {k: k for k in CHANNELS}
    schema = channel_schema()
    assert schema["channel"]["properties"]["kind"]["enum"] == list(CHANNELS)
    for name, kind in CHANNELS.items():
        own = schema[f"channel-{name}"]
        assert set(own["properties"]) == {key.name for key in kind.keys}
        assert set(own.get("required", [])) == {key.name for key in kind.keys if key.needed}


def test_rows_are_fractions_where_they_are_rational() -> None:
    found = Channel.of(matrix(["exp(log(3))/4", "0.25"], ["1-exp(-1)", "exp(-1)"]))
    assert found.rows[0] == (F(3, 4), F(1, 4))
    assert type(found.rows[0][0]) is Fraction
    assert found.rows[1] == (number("1-exp(-1)"), number("exp(-1)"))
    assert found.row("b") == found.rows[1]
    assert found.inputs == ("a", "b")
    assert found.outputs == ("x", "y")


def test_the_canonical_form_does_not_know_how_numbers_were_spelled() -> None:
    one = Channel.of(matrix(["0.5", "2/4"], [0, 1]))
    other = Channel.of(matrix([F(1, 2), "5e-1"], ["0", "1.0"]))
    assert one.canonical() == other.canonical()
    assert one == other
    assert hash(one) == hash(other)
    assert one.canonical()["rows"] == [["1/2", "1/2"], ["0", "1"]]
    assert one != Channel.of(matrix(["1/3", "2/3"], [0, 1]))
    assert Channel.of(response("a", "b", epsilon="0.5")) == RandomizedResponse(
        ["a", "b"], epsilon=F(1, 2)
    )
    assert Channel.of(response("a", "b", truth=".5")).canonical() == response("a", "b", truth="1/2")


@pytest.mark.parametrize("table", [
    matrix(["1/2", "1/2"], ["0", "1"]),
    matrix(["exp(-1)", "(1-exp(-1))"]),
    response("a", "b", "c", epsilon="log(3)"),
    response("a", "b", truth="2/3"),
], ids=json.dumps)  # fmt: skip
def test_a_channel_writes_the_table_that_it_reads(table: dict[str, Any]) -> None:
    found = Channel.of(table)
    assert found.to_table() == table
    assert Channel.of(found.to_table()) == found


@pytest.mark.parametrize("k", [2, 3, 7])
def test_randomized_response(k: int) -> None:
    names = [f"v{i}" for i in range(k)]
    found = RandomizedResponse(names, epsilon="log(5/2)")
    told, other = F(5, 2) / (F(5, 2) + k - 1), 1 / (F(5, 2) + k - 1)
    for i, row in enumerate(found.rows):
        assert row == tuple(told if i == j else other for j in range(k))
    assert found.rows == RandomizedResponse(names, truth=told).rows
    for entry in RandomizedResponse(names, epsilon=1).rows[0]:
        assert isinstance(entry, Number)
    assert RandomizedResponse(names, epsilon=0).rows[1] == (F(1, k),) * k
    assert RandomizedResponse(names, truth=0).rows[0][0] == 0
    log_ratio = RandomizedResponse(names, epsilon="1/3").rows[0]
    first, second = log_ratio[0], log_ratio[1]
    assert isinstance(first, Number)
    assert isinstance(second, Number)
    assert (first / second - number("exp(1/3)")).sign() == 0


def test_large_budgets_are_told_in_one_line_or_kept() -> None:
    for epsilon in ("1e9", 10**12, "1e9*log(3)", "1e4000"):
        said = message(response("a", "b", epsilon=epsilon))
        assert said.startswith("channel.epsilon: ")
        assert "must be below 1e9" in said
    for epsilon in ("999999999", "1e6*log(3)", "1e8*log(2)"):
        rows = Channel.of(response("a", "b", epsilon=epsilon)).rows
        assert all(isinstance(entry, Number) and entry.sign() == 1 for entry in rows[0])


BAD: dict[str, tuple[object, str]] = {
    "less": (matrix(["1/2", "1/2"], ["1/2", "1/3"]),
             "rows[1]: the row of 'b' sums to 5/6, which is 1/6 less than 1, expected exactly 1"),
    "more": (matrix([1, "1/3"]),
             "rows[0]: the row of 'a' sums to 4/3, which is 1/3 more than 1, expected exactly 1"),
    "irrational": (matrix(["exp(-1)", "1/2"]),
                   "rows[0]: the row of 'a' sums to about 0.132 less than 1, expected exactly 1"),
    "tiny": (matrix(["exp(-1e8)", 1]),
             "rows[0]: the row of 'a' sums to less than 1e-300 more than 1, expected exactly 1"),
    "undecided": (matrix(["log(2)*log(3)", "1-log(3)*log(2)"]),
                  "rows[0]: cannot decide whether the row of 'a' sums to 1"),
    "negative": (matrix(["3/2", "-1/2"]), "rows[0]: -1/2 is negative, expected a number >= 0"),
    "float": (matrix([0.5, 0.5]), "rows[0]: 0.5 is a float, which is not the number you wrote; "
              'give it as text ("0.5") or as a Fraction'),
    "true": (matrix([True, 0]), "rows[0]: True is not a number"),
    "none": (matrix([None, 0]), "rows[0]: None is not a number"),
    "zero": (matrix(["1/0", 0]), "rows[0]: division by zero: 0 is exactly 0"),
    "short": (matrix(["1"]), "rows[0]: the row of 'a' has 1 entries, expected 2, one for each "
              "output"),
    "few rows": (matrix([1, 0], inputs=["a", "b", "c"]),
                 "rows: 1 rows, expected 3, one for each input"),
    "no list": (matrix("ab"), "rows[0]: expected a list of numbers, got 'ab'"),
    "no rows": (matrix(rows=3, inputs=["a"]), "rows: expected a list of rows, got '3'"),
    "twice": (matrix([1, 0], [1, 0], inputs=["a", "a"]),
              "inputs: 'a' is there twice, expected distinct names"),
    "name": (matrix([1, 0], outputs=["x", 3]), "outputs: '3' is not text, expected names in "
             "quotes"),
    "blank": (matrix([1, 0], outputs=["x", " "]), "outputs: ' ' is empty or not printable text"),
    "line": (matrix([1, 0], outputs=["x", "a\nb"]),
             "outputs: 'a\\nb' is empty or not printable text"),
    "nobody": (matrix(inputs=[]), "inputs: there is none, expected at least 1"),
    "alone": (response("a", truth=1), "inputs: there is only 'a', expected at least 2"),
    "both": (response("a", "b", truth=1, epsilon=1),
             "epsilon: expected exactly one of epsilon and truth, got both"),
    "neither": (response("a", "b"),
                "epsilon: expected exactly one of epsilon and truth, got neither"),
    "budget": (response("a", "b", epsilon="-1/2"),
               "epsilon: -1/2 is negative, expected a number >= 0"),
    "chance": (response("a", "b", truth="3/2"), "truth: 3/2 is outside [0, 1]"),
    "word": (response("a", "b", epsilon="big"),
             "epsilon: cannot read 'big' as a number: unexpected 'b' (expected digits, exp( ), "
             "log( ), sqrt( ), + - * / and parentheses)"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_in_one_line_that_begins_with_the_key(name: str) -> None:
    table, said = BAD[name]
    assert message(table) == f"channel.{said}"


def test_a_table_is_of_a_known_kind_and_has_its_keys_alone() -> None:
    kinds = ", ".join(CHANNELS)
    assert message([]) == "channel: expected a table of a channel, got list"
    assert message({}) == f"channel: missing key 'kind', expected one of {kinds}"
    for kind in ("laplace", 3, None, ["matrix"]):
        said = message({"kind": kind})
        assert said.startswith(f"channel.kind: {str(kind)!r} is unknown, expected {kinds}")
    assert message({"kind": "Matrix"}).endswith("; did you mean 'matrix'?")
    assert message({"kind": "matrix", "inputs": ["a"], "outputs": ["x"]}) == (
        "channel: missing key 'rows' of a channel of kind matrix"
    )
    said = message(matrix([1, 0]) | {"row": []})
    assert said == "channel: unknown key 'row'; did you mean 'rows'?"
    with pytest.raises(InputError, match=r"^channel\.base\.truth: "):
        read_channel("channel.base", response("a", "b", truth=2))


FIVE = list("abcde")
SQUARE: dict[str, Any] = {
    "kind": "matrix", "inputs": FIVE, "outputs": FIVE,
    "rows": [[int(x == y) for y in FIVE] for x in FIVE],
}  # fmt: skip
BITS = {"kind": "rappor", "inputs": FIVE, "flip": "1/2"}
PLANE: dict[str, Any] = {
    "kind": "planar", "epsilon": 1, "points": {x: [k] for k, x in enumerate(FIVE)},
}  # fmt: skip


@pytest.mark.parametrize(("channel", "said"), [
    (SQUARE | {"rows": [*SQUARE["rows"][:4], [0, 0, 0, 0, {}]]},
     "rows[4]: expected a number or text, got dict"),
    (SQUARE | {"rows": [*SQUARE["rows"][:4], {"a": 1}]},
     "rows[4]: expected a list of numbers, got"),
    (SQUARE | {"rows": [*SQUARE["rows"][:4], 3]}, "rows[4]: expected a list of numbers, got '3'"),
    (SQUARE | {"inputs": [*"abcd", 5]}, "inputs: '5' is not text, expected names in quotes"),
    (SQUARE | {"outputs": [*"abcd", None]},
     "outputs: 'None' is not text, expected names in quotes"),
    (BITS | {"codes": dict.fromkeys("abcd", "01") | {"e": 1}},
     "codes.e: '1' is no text of bits, as in 0110"),
    (PLANE | {"points": {**PLANE["points"], "e": 4}},
     "points.e: expected a list of coordinates, got '4'"),
    (PLANE | {"grid": {**PLANE["points"], "e": [{}]}},
     "grid.e: expected a number or text, got dict"),
    (SQUARE | {"inputs_related": [["a", x] for x in "bcd"] + [["a", 5]]}, "inputs_related: "),
    (SQUARE | {"inputs_related": [["a", x] for x in "bcd"] + [7]}, "inputs_related: "),
])  # fmt: skip
def test_what_the_schema_does_not_look_at_is_looked_at(channel: dict[str, Any], said: str) -> None:
    """The schema sees the first entries of large lists."""
    table = {"schema": "pfverify/problem/1", "epsilon": 1, "channel": channel}
    with pytest.raises(InputError) as caught:
        Problem.from_table(table)
    assert str(caught.value).startswith(f"channel.{said}")
    assert len(str(caught.value).splitlines()) == 1


def test_a_channel_stays_as_it_was_checked() -> None:
    found = Matrix(["a"], ["x"], [[1]])
    with pytest.raises(AttributeError, match="make another Matrix"):
        found.inputs = ("b",)
    assert found.rows is found.rows
