"""Laws of the kinds of channels against their formulas, and tables that are none."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import mpmath
import pytest
from core.enclose import Arithmetic
from core.grammar import Malformed
from core.masses import enclose_mass, masses_of
from mpmath import mpf
from reader import channel_kinds
from reader.channel_kinds import Channel, read_channel

Table = dict[str, Any]


def channel(kind: str, **more: Any) -> Channel:
    return read_channel({"kind": kind, **more}, "channel")[0]


def rows(found: Channel) -> list[list[mpf]]:
    ar = Arithmetic(256)
    ends = [[enclose_mass(m, ar) for m in masses_of(law)] for law in found.laws]
    return [[mpmath.ldexp(low + high, e - 1) for low, high, e in row] for row in ends]


def same(found: Channel, expected: list[list[Any]]) -> None:
    made = rows(found)
    assert len(made) == len(expected)
    for row, other in zip(made, expected, strict=True):
        assert len(row) == len(other)
        assert abs(mpmath.fsum(row) - 1) < mpf(10) ** -50
        assert all(abs(x - y) < mpf(10) ** -50 for x, y in zip(row, other, strict=True))


@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("key", ["epsilon", "ratio"])
@pytest.mark.parametrize("value", ["1/3", "log(2)", "1/exp(1)"])
def test_truncated_geometric(size: int, key: str, value: str) -> None:
    x = {"1/3": mpf(1) / 3, "log(2)": mpmath.log(2), "1/exp(1)": mpmath.exp(-1)}[value]
    t = mpmath.exp(-x) if key == "epsilon" else x
    expected = [
        [t ** abs(x - y) * (1 if y in (0, size - 1) else 1 - t) / (1 + t) for y in range(size)]
        for x in range(size)
    ]
    same(channel("truncated-geometric", size=size, **{key: value}), expected)


CODES = {"a": "10", "b": "01", "c": "11"}


@pytest.mark.parametrize("codes", [None, CODES, {"a": "1", "b": "0", "c": "1"}])
@pytest.mark.parametrize("reported", [None, (Fraction(3, 4), Fraction(1, 8)), (0, 1)])
def test_rappor(codes: dict[str, str] | None, reported: tuple[Any, Any] | None) -> None:
    flip, inputs = Fraction(2, 5), ["a", "b", "c"]
    one, zero = reported or (1, 0)
    sent = codes or {x: "".join(str(int(x == y)) for y in inputs) for x in inputs}

    def of_bit(bit: str, seen: int) -> Fraction:
        kept = (1 - flip / 2) if bit == "1" else flip / 2
        up = kept * one + (1 - kept) * zero
        return up if seen else 1 - up

    table: Table = {"inputs": inputs, "flip": str(flip)}
    table |= {"codes": codes} if codes else {}
    table |= {"one": str(one), "zero": str(zero)} if reported else {}
    expected = []
    for x in inputs:
        row = []
        for seen in product((0, 1), repeat=len(sent["a"])):
            mass = Fraction(1)
            for bit, out in zip(sent[x], seen, strict=True):
                mass *= of_bit(bit, out)
            row.append(mpf(mass.numerator) / mass.denominator)
        expected.append(row)
    same(channel("rappor", **table), expected)


def test_randomized_response_exponential_and_planar() -> None:
    e = mpmath.e
    same(channel("randomized-response", inputs=["a", "b", "c"], epsilon=1),
         [[(e if x == y else 1) / (e + 2) for y in range(3)] for x in range(3)])  # fmt: skip
    same(channel("randomized-response", inputs=["a", "b", "c"], truth="1/2"),
         [[mpf(1) / (2 if x == y else 4) for y in range(3)] for x in range(3)])  # fmt: skip
    scores = [[0, 3, 1], [2, 0, 1]]
    table: Table = {"inputs": ["a", "b"], "outputs": ["x", "y", "z"], "epsilon": 1}
    for more, sensitivity in (({}, 3), ({"sensitivity": 5}, 5)):
        weights = [[mpmath.exp(mpf(u) / (2 * sensitivity)) for u in row] for row in scores]
        expected = [[w / mpmath.fsum(row) for w in row] for row in weights]
        same(channel("exponential", **table, scores=scores, **more), expected)
    points = {"a": [0, 0], "b": [3, 4], "c": [0, 1]}
    for more, places in (({}, points), ({"grid": {"u": [1, 0], "v": [5, 5]}}, None)):
        grid = places or more["grid"]
        weights = [[mpmath.exp(-mpmath.hypot(p[0] - g[0], p[1] - g[1]) / 2) for g in grid.values()]
                   for p in points.values()]  # fmt: skip
        expected = [[w / mpmath.fsum(row) for w in row] for row in weights]
        same(channel("planar", points=points, epsilon="1/2", **more), expected)
    assert rows(channel("planar", points={"a": [1]}, epsilon=1)) == [[1]]


def part(inputs: str, outputs: str, *written: str) -> Table:
    return {"kind": "matrix", "inputs": [*inputs], "outputs": [*outputs],
            "rows": [text.split() for text in written]}  # fmt: skip


def test_channels_of_channels() -> None:
    first = part("ab", "xy", "1/4 3/4", "1/2 1/2")
    second = part("ba", "yz", "1 0", "1/3 2/3")
    assert channel("composition", parts=[first]) == channel(**first)
    both = channel("composition", parts=[first, second])
    assert (both.inputs, both.outputs) == (("a", "b"), ("x,y", "x,z", "y,y", "y,z"))
    same(both, [[mpf(1) / 12, mpf(1) / 6, mpf(1) / 4, mpf(1) / 2], [0.5, 0, 0.5, 0]])
    mixed = channel("mixture", parts=[first, second], weights=["1/2", "1/2"])
    assert (mixed.inputs, mixed.outputs) == (("a", "b"), ("x", "y", "z"))
    same(mixed, [[mpf(1) / 8, mpf(13) / 24, mpf(1) / 3], [0.25, 0.75, 0]])
    every = channel("product", parts=[first, second])
    assert every.inputs == ("a,b", "a,a", "b,b", "b,a")
    last = part("yx", "uv", "1/5 4/5", "1 0")
    same(
        channel("cascade", parts=[first, last]),
        [[mpf(k) / 5 for k in row] for row in ((2, 3), (3, 2))],
    )


BITS = {"inputs": ["a", "b"], "flip": "1/2"}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (part("ab", "xy", "1 0", "1/0 1"), "division by zero"),
        (part("ab", "xy", "1 0"), "a row for each input"),
        (part("ab", "xy", "1 0", "1/2 1/3"), "does not sum to 1"),
        (part("", "x"), "at least 1 of them"),
        (part("a", "", ""), "at least 1 of them"),
        (part("aa", "x", "1", "1"), "a name occurs twice"),
        ({"kind": "randomized-response", "inputs": ["a"], "epsilon": 1}, "at least 2 of them"),
        ({"kind": "rappor", "inputs": ["a"], "flip": "1/2"}, "at least 2 of them"),
        ({"kind": "rappor", **BITS, "codes": {"a": "0"}}, "codes must name each input once"),
        ({"kind": "rappor", **BITS, "codes": {"a": "0", "b": "1", "c": "1"}}, "each input once"),
        ({"kind": "rappor", **BITS, "codes": ["0", "1"]}, "codes must name each input once"),
        ({"kind": "rappor", **BITS, "codes": {"a": "0", "b": "12"}}, "all of one length"),
        ({"kind": "rappor", **BITS, "codes": {"a": "0", "b": "11"}}, "all of one length"),
        ({"kind": "rappor", **BITS, "codes": {"a": "0", "b": "2"}}, "all of one length"),
        ({"kind": "rappor", **BITS, "codes": {"a": "", "b": ""}}, "must have 1 to 12 bits"),
        ({"kind": "rappor", **BITS, "codes": {"a": "0" * 13, "b": "1" * 13}}, "1 to 12 bits"),
        ({"kind": "rappor", **BITS, "one": "1"}, "both one and zero, or neither"),
        ({"kind": "truncated-geometric", "size": 1, "epsilon": 1}, "from 2 to 2000"),
        ({"kind": "truncated-geometric", "size": 2001, "epsilon": 1}, "from 2 to 2000"),
        ({"kind": "truncated-geometric", "size": 2, "epsilon": 0}, "between 0 and 1"),
        ({"kind": "truncated-geometric", "size": 2, "ratio": 0}, "between 0 and 1"),
        ({"kind": "truncated-geometric", "size": 2, "ratio": 1}, "between 0 and 1"),
        ({"kind": "planar", "points": {"a": [1, 2]}, "grid": {"b": [1]}, "epsilon": 1},
         "must have one dimension"),
        ({"kind": "composition", "parts": []}, "at least one part"),
        ({"kind": "composition", "parts": [part("ab", "x", "1", "1"), part("a", "x", "2")]},
         "channel, part 2"),
        ({"kind": "composition", "parts": [part("ab", "x", "1", "1"), part("a", "x", "1")]},
         "must have the same inputs"),
    ],
    ids=str,
)  # fmt: skip
def test_tables_that_are_no_channel(table: Table, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        read_channel(table, "channel")


def test_codes_may_have_1_to_12_bits() -> None:
    for length in (1, 12):
        codes = {"a": "0" * length, "b": "1" * length}
        assert len(channel("rappor", **BITS, codes=codes).outputs) == 1 << length


@pytest.mark.parametrize(
    ("table", "entries"),
    [
        (part("abc", "xy", "1 0", "1 0", "1 0"), 6),
        ({"kind": "rappor", **BITS}, 8),
        ({"kind": "truncated-geometric", "size": 3, "epsilon": 1}, 9),
        ({"kind": "product", "parts": [part("ab", "x", "1", "1")] * 2}, 4),
    ],
    ids=str,
)
def test_so_many_entries_and_no_more(
    table: Table, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_kinds, "MAX_ENTRIES", entries)
    read_channel(table, "channel")
    monkeypatch.setattr(channel_kinds, "MAX_ENTRIES", entries - 1)
    with pytest.raises(Malformed, match=f"more than {entries - 1} entries"):
        read_channel(table, "channel")
