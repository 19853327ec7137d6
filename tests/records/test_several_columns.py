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
from pfverify.records.rows import public_columns, table_of_rows

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
        ("age,job=a", {"clip": [0, 50]}, "--clip: say of which column of --public, such as"),
        ("age,job=a", {"bin_width": 5}, "such as --bin-width 'age=NUMBER'"),
        ("age,job=a", {"bins": {10**9999: [0, 9]}}, "is no column of --public; it names age, job"),
        ("age,job=a", {"bins": {"agee": [0, 9]}}, "'agee' is no column of --public; did you mean"),
        ("age", {"bins": {"job": [0, 9]}}, "--bins: 'job' is no column of --public; it names age"),
        ("age,job=a", {"clip": {"job": [0, 1]}}, "--public job=a is 0 or 1 already"),
        ("age,job=a", {"clip": {"age": [9, 1]}}, "--clip: expected LOW,HIGH, two bounds"),
        ("age,job=a", {"bin_at": "lower"}, "--bin-at: there are no intervals"),
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


def test_in_python_the_remedy_is_a_table(people: Path) -> None:
    rows = [{"s": "x", "a": 1, "b": 2}, {"s": "y", "a": 2, "b": 2}]
    for options, why in (
        ({"clip": (0, 5)}, 'clip: say of which column of public, such as clip={"a": (LOW,HIGH)}'),
        ({"bin_width": 5}, 'such as bin_width={"a": (NUMBER)}'),
    ):
        with pytest.raises(InputError) as caught:
            Problem.from_records(rows, secret="s", public="a,b", epsilon=1, **options)  # type: ignore[arg-type]
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
    for more in (
        {"clip": [0, 1]}, {"codes": "order"}, {"fit": "gaussian"},
        {"bins": [0, 99], "bin_at": "lower"},
    ):  # fmt: skip
        with pytest.raises(InputError, match="--release histogram: it counts the categories"):
            prior_of_file(people, "smoker", "job", options={**options, **more})


def histogram(rows: list[dict[str, Any]], secret: str, **options: Any) -> dict[str, Any]:
    """The table of a histogram of x, which may be too long for this version of `[system]`."""
    target = {"epsilon": 1, "noise": {"kind": "laplace"}}
    return table_of_rows(rows, secret, "x", {"release": "histogram", **options}, target)


def test_of_many_categories_nothing_is_assumed_of_the_others() -> None:
    for size, rest in ((3, None), (9, "any"), (12, "any"), (1000, "any")):
        rows = [{"s": "ab"[k % 2], "x": f"c{k:03}"} for k in range(size)]
        table = histogram(rows, "s", rest="fitting")
        names = [f"c{k:03}" for k in range(size)]
        assert table["system"].get("rest") == rest
        assert table["system"]["categories"] == names
        if rest is not None:
            assert table["system"]["others"] == [{"point": "c000", "count": size - 1}]
            assert f"joint law of {size} categories" in table["provenance"]["rest"]
    edges = {"bins": range(11), "rest": "fitting"}  # of two rows, but ten cells
    table = histogram([{"s": "a", "x": 1}, {"s": "b", "x": 2}], "s", **edges)
    assert table["system"]["rest"] == "any"
    with pytest.raises(InputError, match="more than 1000 categories"):
        histogram([{"s": "a", "x": f"c{k}"} for k in range(1001)], "s")


def test_a_histogram_of_intervals_has_all_of_them_whatever_the_records() -> None:
    rows = [{"s": "ab"[k % 2], "x": x} for k, x in enumerate((3, 12, 12, 45, 59, 61, 70))]
    bins = {"bins": [0, 10, 30, 40, 60], "clip": [0, 59], "rest": "any"}
    table = histogram(rows, "x", **bins)
    cells = ["0 to below 10", "10 to below 30", "30 to below 40", "40 to below 60"]
    assert table["system"]["categories"] == cells
    assert table["system"]["user"] == {  # who is in an interval is the secret, in their order
        f"x={cells[k]}": {"point": cells[k]} for k in (0, 1, 3)
    }
    told = table["provenance"]
    assert told["records"] == {f"x={cells[0]}": 1, f"x={cells[1]}": 2, f"x={cells[3]}": 4}
    assert told["bins"] == "[0, 10) [10, 30) [30, 40) [40, 60)"  # no point stands for one
    assert "low" not in told
    assert Problem.from_table(table).epsilon.text == "1"
    by = histogram(rows, "s", **bins)["system"]["user"]
    assert by["s=a"] == {"counts": {cells[0]: 1, cells[1]: 1, cells[3]: 2}}
    even = {"bin_width": 20, "rest": "any"}
    wide = ["0 to below 20", "20 to below 40", "40 to below 60", "60 to below 80"]
    assert histogram(rows, "s", **even)["system"]["categories"] == wide  # from value to value
    clipped = histogram(rows, "s", **even, clip=[0, 119])["system"]["categories"]
    assert clipped == [*wide, "80 to below 100", "100 to below 120"]
    rows.append({"s": "a", "x": ""})
    found = histogram(rows, "s", **bins, missing="category")["system"]
    assert found["categories"] == [*cells, "(missing)"]
    with pytest.raises(InputError, match="2001 intervals, more than 1000"):
        histogram(rows[:4], "s", bin_width=1, clip=[0, 2000])


NUMBERS = st.lists(
    st.tuples(st.sampled_from("xy"), st.integers(-30, 90), st.integers(-9, 9)), max_size=15
)


@settings(deadline=None, max_examples=25)
@given(NUMBERS)
def test_intervals_and_bounds_of_each_column(rows: list[tuple[str, int, int]]) -> None:
    rows = [*rows, ("x", 5, 0), ("y", 85, 1)]
    table = [{"s": s, "a": a, "b": b, "c": b % 2} for s, a, b in rows]
    asked: dict[str, Any] = {
        "clip": {"a": (0, 59)}, "bins": {"a": [0, 20, 60]}, "bin_width": {"b": 4},
        "bin_at": "lower",
    }  # fmt: skip
    found = Problem.from_records(table, secret="s", public=["a", "b", "c"], epsilon=1, **asked)
    for secret in "xy":
        mine = Counter(
            (0 if min(max(a, 0), 59) < 20 else 20, b // 4 * 4, b % 2)
            for s, a, b in rows if s == secret
        )  # fmt: skip
        expected = {x: Fraction(n, mine.total()) for x, n in sorted(mine.items())}
        prior = found.beliefs["default"][f"s={secret}"]
        assert isinstance(prior, Joint)
        assert prior.mass == expected
    told = found.provenance
    assert told is not None
    assert told.clip == "a: values below 0 count as 0, values above 59 as 59"
    assert told.bins == (
        "a: [0, 20) [20, 60); X is the lower of the interval; "
        "b: [k*4, (k+1)*4) for whole k; X is the lower of the interval"
    )
    wide: dict[str, Any] = {"bin_width": {"a": 9}}
    both = Problem.from_records(table, secret="s", public=["a", "a=5"], epsilon=1, **wide)
    prior = both.beliefs["default"]["s=x"]
    assert isinstance(prior, Joint)
    assert prior.mass[Fraction(9, 2), 1] > 0
    alone = [
        Problem.from_records(table, secret="s", public="a", epsilon=1, clip=clip)
        for clip in ((0, 50), {"a": (0, 50)})
    ]
    assert alone[0] == alone[1]


@pytest.mark.parametrize(("most", "fits"), [(27, True), (26, False)])
def test_a_grid_that_cannot_be_decided_is_refused_beforehand(
    people: Path, monkeypatch: pytest.MonkeyPatch, most: int, fits: bool
) -> None:
    """Both priors together have 3 values of each of three columns."""
    rows = "".join(f"{s},{k},{k},{k}\n" for s, k in (("x", 1), ("x", 2), ("y", 2), ("y", 3)))
    people.write_text("s,a,b,c\n" + rows, "utf-8")
    monkeypatch.setattr("pfverify.records.prior.MOST_POINTS", most)
    if fits:
        assert prior_of_file(people, "s", "a,b,c").problem.numbers
        return
    with pytest.raises(InputError) as caught:
        prior_of_file(people, "s", "a,b,c")
    assert "a, b, c have 3 x 3 x 3 combinations of values, more than the 26" in str(caught.value)
    assert "(--bin-width a=WIDTH) and bounds (--clip a=LOW,HIGH), so that it has at most 2" in str(
        caught.value
    )
    binned: dict[str, Any] = {"bin_width": {"a": 2}}  # 0 and 2
    assert prior_of_file(people, "s", "a,b,c", options=binned).problem.numbers
    assert prior_of_file(people, "s", "a,b,c", noise={"kind": "none"}).problem.numbers
    people.write_text("s,x\np,a\np,b\nq,b\nq,c\n", "utf-8")  # laws over three categories
    monkeypatch.setattr("pfverify.records.prior.MOST_POINTS", 7)
    cells: dict[str, Any] = {"release": "histogram", "rest": "any"}
    with pytest.raises(InputError, match=r"2 x 2 x 2 .* make the category itself the secret"):
        prior_of_file(people, "s", "x", options=cells)
    assert prior_of_file(people, "x", "x", options=cells).problem.numbers
    people.write_text("s,a,b,c\nx,1,1,1\ny,2,2,2\n", "utf-8")  # 8 combinations of two points
    assert prior_of_file(people, "s", "a,b,c").problem.numbers
