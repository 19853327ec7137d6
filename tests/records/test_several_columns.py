"""Several public columns, counted into joint priors."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Problem
from pfverify.answers.footing import footing
from pfverify.errors import InputError
from pfverify.model.priors.joint import Joint
from pfverify.records.prior import prior_of_file
from pfverify.records.rows import public_columns

PEOPLE = "smoker,age,job\nyes,34,a\nno,41,a\nno,29,b\nyes,57,b\nno,63,a\nno,34,b\nyes,34,a\n"


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, "utf-8")
    return path


def test_points_of_a_file(people: Path) -> None:
    found = prior_of_file(people, "smoker", "age, job=a")
    priors = found.problem.beliefs["default"]
    assert priors["smoker=yes"] == Joint(["age", "job=a"], counts=[[34, 1, 2], [57, 0, 1]])
    assert found.table["priors"]["smoker=no"]["counts"] == [
        [29, 0, 1], [34, 0, 1], [41, 1, 1], [63, 1, 1],
    ]  # fmt: skip
    told = found.provenance
    assert (told.public, told.records) == ("age,job=a", {"smoker=no": 4, "smoker=yes": 3})
    assert told.smallest_cell == {"records": 1, "secret": "smoker=no", "value": "(29, 0)"}
    assert told.empty_cells == 6
    assert Problem.from_text(found.text) == found.problem
    rests = footing(found.problem, few=2)
    assert [cell.value for cell in rests.rare] == [
        "(29, 0)", "(34, 0)", "(41, 1)", "(63, 1)", "(57, 0)",
    ]  # fmt: skip
    assert rests.why == "the priors are of several numbers"
    assert not footing(found.problem, few=1).rare


ROWS = st.lists(
    st.tuples(st.sampled_from("xy"), st.integers(-2, 2), st.sampled_from(["-2.25", "3", "0.5"])),
    min_size=1, max_size=12,
)  # fmt: skip


@settings(deadline=None, max_examples=25)
@given(ROWS)
def test_points_are_counted_as_they_are(rows: list[tuple[str, int, str]]) -> None:
    rows = [*rows, ("x", 0, "3"), ("y", 0, "3")]
    table = [{"s": s, "a": a, "b": b} for s, a, b in rows]
    found = Problem.from_records(table, secret="s", public=["b", "a"], epsilon=1)
    for secret in "xy":
        mine = [(Fraction(b), Fraction(a)) for s, a, b in rows if s == secret]
        expected = {x: Fraction(n, len(mine)) for x, n in sorted(Counter(mine).items())}
        prior = found.beliefs["default"][f"s={secret}"]
        assert isinstance(prior, Joint)
        assert prior.mass == expected
    columns = {name: [row[name] for row in table] for name in "sab"}
    again = Problem.from_frame(Frame(columns), secret="s", public="b,a", epsilon=1)
    assert again == found


class Frame:
    """So much of a data frame as is looked at."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns = [*columns]
        self._of = columns

    def __getitem__(self, name: str) -> Column:
        return Column(self._of[name])


class Column(list[Any]):
    def tolist(self) -> list[Any]:
        return [*self]


def test_which_columns_a_text_names() -> None:
    known = ["age", "job", "a,b", "a"]
    for text, expected in (
        ("a,b", [("a,b", None)]),
        ("age,a", [("age", None), ("a", None)]),
        ("job=x,y", [("job", "x,y")]),
        ("job=x,a", [("job", "x"), ("a", None)]),
        ("zip,code", [("zip,code", None)]),
    ):
        assert public_columns(text, known) == expected
    assert public_columns("age,job", None) == [("age", None), ("job", None)]
    assert public_columns("job=x,age", None) == [("job", "x,age")]
    with pytest.raises(InputError, match="no column 'agee'; did you mean 'age'"):
        public_columns("job,agee", known)


@pytest.mark.parametrize(
    ("public", "options", "why"),
    [
        ("age,job", {}, "column 'job': 'a' is no number; code the categories"),
        ("age,age", {}, "--public: a column occurs twice"),
        ("age,smoker=yes", {}, "--secret and --public: the same column 'smoker'"),
        ("age,job=z", {}, "--public: no row has the value 'z' in column 'job'"),
        ("age,job=a", {"clip": [0, 50]}, "--clip: it is for one column, and --public names 2"),
        ("age,job=a", {"bin_width": 5}, "--bin-width: it is for one column"),
        ("age,job=a", {"fit": "gaussian"}, "--fit: it is for one column"),
        ("age,job=a", {"release": "sum"}, "--release: it is for one column"),
        ("age,job", {"codes": "order"}, "--codes order: it is for one column"),
        ("age,job=a", {"missing": "category"}, "--missing category: it is for one column"),
        ("age,job=a", {"missing_values": ["57"]}, "1 of 7 rows have no value in column 'age'"),
    ],
)
def test_what_is_refused(people: Path, public: str, options: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError) as caught:
        prior_of_file(people, "smoker", public, options=options)
    assert why in str(caught.value)


def test_what_is_read_as_of_one_column(people: Path) -> None:
    options = {"codes": "a=1/2,b=3", "missing_values": ["57"], "missing": "drop"}
    found = prior_of_file(people, "smoker", "job,age", options=options)
    assert found.problem.beliefs["default"]["smoker=yes"] == Joint(["job", "age"], [["1/2", 34, 1]])
    assert found.provenance.dropped == {"missing": 1}
    with pytest.raises(InputError, match="row 1: expected a mapping"):
        Problem.from_records([("a", 1, 2)], public=["age", "job"], epsilon=1)


def test_a_histogram_of_categories(people: Path) -> None:
    options = {"release": "histogram", "absent": "away"}
    found = prior_of_file(people, "job", "job", options=options)
    assert found.table["system"] == {
        "release": "histogram", "categories": ["a", "b"],
        "others": [{"counts": {"a": 4, "b": 3}, "count": 6}],
        "user": {"job=a": {"point": "a"}, "job=b": {"point": "b"}, "away": "absent"},
    }  # fmt: skip
    prior = found.problem.beliefs["default"]["away"]
    assert isinstance(prior, Joint)
    assert prior.mass[6, 0] == Fraction(4, 7) ** 6
    by = prior_of_file(people, "smoker", "job", options={"release": "histogram", "rest": "any"})
    assert by.table["system"]["user"]["smoker=no"] == {"counts": {"a": 2, "b": 2}}
    assert by.table["system"]["others"] == [{"point": "a", "count": 6}]
    assert [(cell.value, cell.records) for cell in footing(by.problem).rare] == [
        ("b", 1), ("a", 2), ("b", 2), ("a", 2),
    ]  # fmt: skip
    assert Problem.from_text(by.text) == by.problem
    for more, why in (
        ({"clip": [0, 1]}, "--release histogram: it counts the categories"),
        ({"codes": "order"}, "--release histogram: it counts the categories"),
    ):
        with pytest.raises(InputError, match=why):
            prior_of_file(people, "smoker", "job", options={**options, **more})
    nine = [{"s": s, "x": f"{k}"} for k in range(9) for s in "ab"]
    with pytest.raises(InputError, match="more than 8 categories"):
        Problem.from_records(nine, secret="s", public="x", epsilon=1, release="histogram")
