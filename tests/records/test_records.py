"""Rows of Python and data frames become the same problem, with every number exact."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfverify import Discrete, DiscreteLaplace, Gaussian, InputError, Problem
from pfverify.model.sources.users import Users
from pfverify.records import callers
from pfverify.records.bins import read_bins
from pfverify.records.laws import DIGITS, short, short_mean

ROWS = [("a", 0), ("a", 1), ("a", 1), ("b", 1), ("b", Decimal("0.5"))]
LAWS = {"a": Discrete(counts={0: 1, 1: 2}), "b": Discrete(counts={1: 1, "1/2": 1})}


def test_pairs_mappings_and_generators_are_rows() -> None:
    pair = namedtuple("pair", ["s", "x"])
    mappings = [{"s": s, "x": x, "other": None} for s, x in ROWS]
    assert Problem.from_records(ROWS, epsilon=1).beliefs["default"] == LAWS
    assert Problem.from_records((pair(*row) for row in ROWS), epsilon=1).beliefs["default"] == LAWS
    named = Problem.from_records(mappings, secret="s", public="x", epsilon="1/2", delta="0.01")
    assert named.beliefs["default"] == {f"s={name}": law for name, law in LAWS.items()}
    assert named.epsilon.text == "1/2"
    assert named.delta.text == "1/100"
    assert named.noise.kind == "laplace"
    assert named.noise.scale is None


def test_the_noise_is_checked_against_the_atoms() -> None:
    assert Problem.from_records(ROWS, epsilon=1, noise=DiscreteLaplace(1, "1/2")).noise.scale
    with pytest.raises(InputError, match="lattice"):
        Problem.from_records(ROWS, epsilon=1, noise=DiscreteLaplace(1))


COLUMNS: dict[str, list[Any]] = {
    "s": ["a", "b", "b", "a", None, "b"],
    "whole": [1, 2, None, 3, 4, 2],
    "money": [Decimal("1.10"), Decimal("2"), None, Decimal("3"), Decimal("4"), Decimal("2.00")],
    "text": ["1", " 2", "", "3.0", "4", "2e0"],
    "born": [date(1970, 1, 2), date(2000, 2, 29), None, date(1969, 12, 31), date(2000, 1, 1),
             date(2000, 2, 29)],
    "float": [0.5, 2.0, float("nan"), 3.0, 4.0, 2.0],
}  # fmt: skip


def pandas_frame() -> Any:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS)
    frame["s"] = frame["s"].astype("category")
    frame["born"] = pandas.to_datetime(frame["born"])
    return frame


def nullable_pandas_frame() -> Any:
    return pandas_frame().astype({"whole": "Int64", "text": "string"})


def polars_frame() -> Any:
    polars = pytest.importorskip("polars")
    return polars.DataFrame(COLUMNS, strict=False)


def arrow_table() -> Any:
    arrow = pytest.importorskip("pyarrow")
    return arrow.table({**COLUMNS, "s": arrow.array(COLUMNS["s"]).dictionary_encode()})


FRAMES = {
    "pandas": pandas_frame, "nullable pandas": nullable_pandas_frame, "polars": polars_frame,
    "pyarrow": arrow_table,
}  # fmt: skip
OPTIONS: dict[str, Any] = {"missing": "drop", "short_names": True, "epsilon": 1}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("column", ["whole", "money", "text", "born", "float"])
def test_a_frame_is_the_rows_that_it_shows(make: Any, column: str) -> None:
    options = {**OPTIONS, **({"floats": "exact"} if column == "float" else {})}
    found = Problem.from_frame(make(), secret="s", public=column, **options)
    rows = list(zip(COLUMNS["s"], COLUMNS[column], strict=True))
    assert found == Problem.from_records(rows, **options)
    assert found.provenance is not None
    assert found.provenance.dropped == {"missing": 2}
    assert found.provenance.rows_read == 6
    if column in ("whole", "text"):
        assert found.beliefs["default"]["a"] == Discrete(counts={1: 1, 3: 1})
    if column == "born":
        assert found.beliefs["default"]["a"] == Discrete(counts={1: 1, -1: 1})
        assert found.provenance.unit == "days since 1970-01-01"


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_a_frame_without_the_column(make: Any) -> None:
    with pytest.raises(InputError, match="no column 'wole'; did you mean 'whole'"):
        Problem.from_frame(make(), secret="s", public="wole", epsilon=1)
    with pytest.raises(InputError, match=r"column 'float': 0.5 is a float.*floats="):
        Problem.from_frame(make(), secret="s", public="float", epsilon=1, missing="drop")


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_one_value_of_a_column_counts_1(make: Any) -> None:
    found = Problem.from_frame(make(), secret="s", public="whole = 1", **OPTIONS)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    assert found == Problem.from_records(iter(rows), secret="s", public="whole=1", **OPTIONS)
    assert found.beliefs["default"]["a"] == Discrete(counts={0: 1, 1: 1})
    assert found.provenance is not None
    assert found.provenance.public == "whole=1"
    with pytest.raises(InputError, match="no row has the value '7' in column 'whole'"):
        Problem.from_frame(make(), secret="s", public="whole=7", **OPTIONS)
    with pytest.raises(InputError, match="no column 'wole=1'"):
        Problem.from_frame(make(), secret="s", public="wole=1", **OPTIONS)


def test_a_column_with_the_whole_name_comes_first() -> None:
    rows = [{"s": "a", "x=1": 5, "x": 1}, {"s": "b", "x=1": 6, "x": 2}]
    found = Problem.from_records(rows, secret="s", public="x=1", epsilon=1)
    assert found.beliefs["default"]["s=a"] == Discrete(counts={5: 1})
    with pytest.raises(InputError, match="row 1: no column 'y=1'"):
        Problem.from_records(rows, secret="s", public="y=1", epsilon=1)
    pairs = Problem.from_records([("a", "no"), ("b", "yes")], public="x=yes", epsilon=1)
    assert pairs.beliefs["default"]["b"] == Discrete(counts={1: 1})


def test_what_is_no_frame() -> None:
    for frame in (None, 3, "s", [], {}, object(), pytest):
        with pytest.raises(InputError, match="expected a data frame"):
            Problem.from_frame(frame, secret="s", public="x", epsilon=1)
    pandas = pytest.importorskip("pandas")
    twice = pandas.DataFrame([[1, 2]], columns=["s", "s"])
    with pytest.raises(InputError, match="'s' occurs 2 times"):
        Problem.from_frame(twice, secret="s", public="x", epsilon=1)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no rows"), ("ab", "expected mappings or pairs"), ({"a": 1}, "expected mappings"),
        (3, "expected mappings"), ([1], "row 1"), ([("a", 1), ("a", 1, 2)], "row 2"),
        ([{"secret": "a"}], "row 1: no column 'value'"), ([("a", 0.5), ("b", 1)], "floats"),
        ([("a", float("inf")), ("b", 1)], "not a finite number"), ([("a", [1])], "is a list"),
        ([("a", datetime(2024, 1, 1, 5)), ("b", 1)], "time of day"), ([("a", 1)], "one value"),
        ([("a", 10**5000), ("b", 1)], "overflows"), ([("a", Decimal("1e9999"))], "overflows"),
        ([("a", Fraction(1, 10**999)), ("b", 1)], "overflows"), ([("a", None)], "no value"),
        ([("a\x00", 1), ("b", 1)], "not printable"),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_read(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Problem.from_records(rows, epsilon=1)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "ignore"}, "missing: 'ignore', expected error, drop, category"),
        ({"colour": 1}, "no such option"), ({"rare": -1}, "^rare"), ({"rare": 1.5}, "^rare"),
        ({"pairs": [("a",)]}, "no pair"), ({"pairs": 3}, "^pairs"), ({"bins": [0]}, "^bins"),
        ({"bin_width": 0.5}, "^bin_width"), ({"codes": 3}, "^codes"), ({"codes": {}}, "^codes"),
        ({"fit": "mixture"}, "expected gaussian"), ({"missing_values": 3}, "^missing_values"),
        ({"release": None}, "^release"), ({"absent": "away"}, "has others"),
    ],
)  # fmt: skip
def test_options_that_are_wrong(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Problem.from_records(ROWS, epsilon=1, **options)


MISUSED: list[tuple[list[Any], dict[str, Any], str]] = [
    ([("a", 1)], {"release": "median"}, "release: 'median'"),
    ([("a", None), ("b", 1)], {}, 'missing="drop" or missing="category"'),
    ([("a", "3,5")], {}, "say decimal_comma=True where"),
    ([("a", "01/02/2024")], {}, 'date_format="%d/%m/%Y"'),
    ([("a", "red")], {}, 'codes="NAME=NUMBER,..." or codes="order"'),
    ([("a", "red")], {"codes": "blue=1"}, "as in codes='...,red=NUMBER'"),
    ([("a", 0.5)], {}, 'floats="shortest" (the decimal shown) or floats="exact"'),
    ([("a", 7)], {"bins": [0, 5]}, "bins: the value 7"),
    ([("a", 7)], {"bin_width": 0}, "bin_width: 0, expected"),
    ([("a", 7)], {"bin_at": "middle"}, "say bins or bin_width"),
    ([("a", 7)], {"clip": (5, 1)}, "clip: expected LOW,HIGH"),
    ([("a", 7), ("b", 8)], {"release": "count"}, "release=\"count\": column 'x' is not 0 or 1 in "),
    ([("a", 7), ("b", 8)], {"rare": 2}, 'rare_do="drop", or rare_do="merge"'),
    ([("a", 7), ("b", 8)], {"absent": "c"}, 'absent: only a release="count", sum or mean'),
    ([("a", 7), ("b", 8)], {"pairs": [("a", "c")]}, "pairs: column 's' has no value 'c'"),
]


@pytest.mark.parametrize(("rows", "options", "expected"), MISUSED)
def test_messages_to_python_callers_name_its_arguments(
    rows: list[Any], options: dict[str, Any], expected: str
) -> None:
    with pytest.raises(InputError) as caught:
        Problem.from_records(rows, secret="s", public="x", epsilon=1, **options)
    assert expected in str(caught.value)
    assert "--" not in str(caught.value)


def test_every_option_of_a_message_is_an_argument() -> None:
    """No other option is spoken of than those that are translated, or are left out.

    What reads files is asked by the command alone.
    """
    texts, left = {}, ["rows"]
    while left:
        name = left.pop()
        texts[name] = Path(callers.__file__).with_name(f"{name}.py").read_text("utf-8")
        left += {*re.findall(r"^from pfverify\.records\.(\w+)", texts[name], re.M)} - {*texts}
    assert {"build", "cells", "coding"} < set(texts)
    assert "delimited" not in texts
    said = {name for text in texts.values() for name in re.findall(r"--([a-z]+(?:-[a-z]+)*)", text)}
    assert len(said) > 12
    for name in said - {"where"}:
        assert "--" not in callers.in_python(f"say --{name}, or --{name} so")
        assert name.replace("-", "_") in callers.in_python(f"say --{name}")


def test_a_secret_that_is_what_is_published() -> None:
    rows = [{"romantic": name} for name in ["yes"] * 239 + ["no"] * 410]
    problem = Problem.from_records(
        rows, secret="romantic", public="romantic", codes={"no": 0, "yes": 1}, release="mean",
        absent="absent", epsilon=1,
    )  # fmt: skip
    assert isinstance(problem.source, Users)
    system = problem.source.system
    assert [case.role for case in system.user.values()] == ["value", "value", "absent"]
    assert system.size == 649


widths = st.fractions(Fraction(1, 9), 9, max_denominator=9)
values = st.integers(-99, 99) | st.fractions(-99, 99, max_denominator=30)


@given(width=widths, value=values)
def test_an_even_interval_holds_its_values(width: Fraction, value: int | Fraction) -> None:
    points = {}
    for at in ("lower", "middle", "upper"):
        bins = read_bins(None, width, at)
        assert bins is not None
        low, high = bins.ends(bins.place(value))
        assert low <= value < high
        assert high - low == width
        assert (low / width).denominator == 1
        points[at] = bins.point(value)
    assert (points["lower"], points["upper"]) == (low, high)
    assert 2 * points["middle"] == low + high


@given(edges=st.lists(values, min_size=2, max_size=8, unique=True).map(sorted), value=values)
def test_an_interval_between_edges_holds_its_values(edges: list[Any], value: Fraction) -> None:
    bins = read_bins(edges, None, "lower")
    assert bins is not None
    if edges[0] <= value < edges[-1]:
        low, high = bins.ends(bins.place(value))
        assert low <= value < high
        assert {low, high} <= set(edges)
        assert not any(low < edge < high for edge in edges)
    else:
        with pytest.raises(InputError, match="in no interval"):
            bins.point(value)


@given(st.fractions(max_denominator=10**6).filter(bool), st.fractions(Fraction(1, 10**9), 10**9))
def test_fitted_numbers_are_near_and_short(mean: Fraction, variance: Fraction) -> None:
    for value in (mean, variance):
        assert abs(Fraction(short(value)) - value) <= abs(value) / 10 ** (DIGITS - 1) / 2
    error = abs(Fraction(short_mean(mean, variance)) - mean)
    assert 4 * (error * 50) ** 2 <= variance


@given(st.lists(st.tuples(st.sampled_from("ab"), values), min_size=1, max_size=30))
def test_a_normal_law_has_the_moments_of_the_rows(rows: list[tuple[str, Any]]) -> None:
    groups = {name: [Fraction(x) for s, x in rows if s == name] for name in "ab"}
    moments = {}
    for name, found in groups.items():
        if len(set(found)) < 2:
            with pytest.raises(InputError):
                Problem.from_records(rows, epsilon=1, fit="gaussian")
            return
        mean = sum(found, Fraction(0)) / len(found)
        moments[name] = mean, sum(((x - mean) ** 2 for x in found), Fraction(0)) / len(found)
    laws = Problem.from_records(rows, epsilon=1, fit="gaussian").beliefs["default"]
    for name, (mean, variance) in moments.items():
        assert laws[name] == Gaussian(short_mean(mean, variance), short(variance))


def test_rows_are_read_once_and_kept_nowhere() -> None:
    def many() -> Iterator[tuple[str, int]]:
        for k in range(100_000):
            yield ("a" if k % 2 else "b"), k

    problem = Problem.from_records(many(), epsilon=1, bin_width=25_000, bin_at="lower")
    assert problem.beliefs["default"]["a"] == Discrete(
        counts={k * 25_000: 12_500 for k in range(4)}
    )
    with pytest.raises(InputError, match="bin_width"):
        Problem.from_records(((s, 10 * k) for k in range(200_001) for s in "ab"), epsilon=1)


def test_a_float_that_may_be_another_number_is_no_secret() -> None:
    rows = [(float(2**53), 1), (float(2**53 + 2), 2)]
    with pytest.raises(InputError, match=r"a float above 2\*\*53 names nothing"):
        Problem.from_records(rows, epsilon=1)
    named = Problem.from_records([(float(2**53), 1), (2.5, 2)], epsilon=1)
    assert [name.rpartition("=")[2] for name in named.beliefs["default"]] == ["2.5", str(2**53)]
