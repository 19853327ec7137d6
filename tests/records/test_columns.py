"""Series and frames of pandas and polars as priors of a problem."""

from __future__ import annotations

import datetime
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, Finite, InputError, Laplace, Problem, certify
from pfverify.model.channels.matrix import Matrix
from pfverify.records.columns import prior_of_column

VALUES = [0, 1, 1, 3]
COUNTED = Discrete(counts={0: 1, 1: 2, 3: 1})


@pytest.mark.parametrize("column", [
    pd.Series(VALUES), pd.Series(VALUES, dtype="Int64"), pd.Series(VALUES, dtype="float64"),
    pd.Series(VALUES, dtype="category"), pd.Series(VALUES, name="age", index=[5, 5, 7, 9]),
    pd.Series([Decimal(x) for x in VALUES]), pl.Series("age", VALUES),
    pl.Series(VALUES).cast(float),
    pl.Series("age", VALUES).value_counts(), pd.Series(VALUES).value_counts().reset_index(),
    pd.DataFrame({"age": [1, 0, 3, 7], "count": [2, 1, 1, 0]}),
], ids=lambda one: type(one).__module__ + str(getattr(one, "dtype", "frame")))  # fmt: skip
def test_values_are_counted(column: Any) -> None:
    problem = Problem({"a": column, "b": Discrete({0: 1})}, noise=Laplace(4), epsilon=1)
    assert problem.source.origin.laws["default"]["a"] == COUNTED
    same = Problem({"a": COUNTED, "b": Discrete({0: 1})}, noise=Laplace(4), epsilon=1)
    assert problem == same
    assert certify(problem).verdict == certify(same).verdict


def test_texts_are_inputs_of_a_channel(tmp_path: Path) -> None:
    channel = Matrix(["no", "yes"], ["n", "y"], [["2/3", "1/3"], ["1/3", "2/3"]])
    priors = {"a": pd.Series(["yes", "yes", "no"]), "b": pl.Series(["no"])}
    problem = Problem(priors, channel=channel, epsilon=1)
    assert problem.source.origin.laws["default"]["a"] == Finite(counts={"yes": 2, "no": 1})
    problem.save(tmp_path / "mine.toml")
    assert Problem.load(tmp_path / "mine.toml") == problem


@given(st.lists(st.integers(-5, 5) | st.integers(-(2**62), 2**62), min_size=1, max_size=20))
@settings(max_examples=30, deadline=None)
def test_any_whole_numbers_are_counted_as_python_counts_them(values: list[int]) -> None:
    law = Discrete(counts=dict(Counter(values)))
    assert prior_of_column(pd.Series(values)) == law
    assert prior_of_column(pl.Series("x", values)) == law
    assert prior_of_column(pl.Series("x", values).value_counts()) == law


@pytest.mark.parametrize(("column", "said"), [
    (pd.Series([0.5, 1]), "0.5 is a float, which may not be the number that was written"),
    (pd.Series([2.0**60]), "is a float"),
    (pd.Series([1, None]), "a missing value, expected none: dropna"),
    (pl.Series([1, None]), "a missing value"),
    (pd.Series([True, False]), "truth values are no numbers, expected 0 and 1"),
    (pl.Series([True]), "truth values"),
    (pd.Series(["a", 1], dtype="object"), "texts such as 'a' among numbers"),
    (pd.Series([], dtype="int64"), "there are no values"),
    (pd.Series([[1]]), "expected text, a number or a day"),
    (pd.Series([datetime.date(2020, 1, 1)]), "expected a number or a text"),
    (pd.Series([float("inf")]), "inf is not a finite number"),
    (pd.Series(VALUES).value_counts(), "name count may be records or counts"),
    (pd.Series(VALUES, name="count"), "name count may be records or counts"),
    (pd.Series(VALUES).value_counts(normalize=True), "shares in floats are no exact masses"),
    (pl.Series("x", VALUES).value_counts(normalize=True), "shares in floats"),
    (pd.DataFrame({"x": VALUES}), "a frame with the columns 'x': expected values and count"),
    (pd.DataFrame({"x": VALUES, "y": VALUES}), "Problem.from_frame reads records"),
    (pd.DataFrame({"x": [0, 1], "count": [1, -1]}), "count: -1 is no number of records"),
    (pd.DataFrame({"x": [0, 1], "count": [1, 0.5]}), "count: 0.5 is no number of records"),
    (pd.DataFrame({"x": [0, 1], "count": [0, 0]}), "prior of 'a'"),
    (pl.LazyFrame({"x": [0], "count": [1]}), "LazyFrame has no rows yet"),
    (pd.Timestamp(0), "a Timestamp gives no list of values"),
])  # fmt: skip
def test_what_is_no_prior_is_told_in_a_line(column: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        Problem({"a": column, "b": Discrete({0: 1})}, noise=Laplace(4), epsilon=1)
    assert str(caught.value).startswith("prior of 'a': ")
    assert "\n" not in str(caught.value)


def test_a_lazy_frame_has_no_rows_and_a_frame_is_no_list_of_rows() -> None:
    names: dict[str, Any] = {"secret": "s", "public": "x", "epsilon": 1}
    lazy = pl.LazyFrame({"s": ["a", "b"], "x": [0, 1]})
    with pytest.raises(InputError, match="a LazyFrame has no rows yet, expected what its collect"):
        Problem.from_frame(lazy, **names)
    found = Problem.from_frame(lazy.collect(), **names)
    assert found == Problem.from_frame(lazy.collect().to_pandas(), **names)
    assert found.source.origin.laws["default"]["s=a"] == Discrete(counts={0: Fraction(1)})
    with pytest.raises(InputError, match=r"rows: a data frame is read by Problem\.from_frame"):
        Problem.from_records(lazy.collect().to_pandas(), **names)
