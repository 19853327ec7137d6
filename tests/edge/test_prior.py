"""`pfverify prior`: from a table to a problem, equal in every count, or one line that says why."""

from __future__ import annotations

import contextlib
import csv
import gzip
import hashlib
import io
import json
import random
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tomllib
from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pfverify import InputError
from pfverify.edge.cli import commands, main
from pfverify.edge.hidden_words import hidden_words
from pfverify.edge.packaged import example_text, load_example
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem
from pfverify.model.problem_file import to_json
from pfverify.model.provenance import Provenance
from pfverify.records.bins import AT
from pfverify.records.coding import FLOATS
from pfverify.records.conditions import condition
from pfverify.records.engine import connected, quoted
from pfverify.records.mixtures import laws
from pfverify.records.options import POLICIES, RARE, RELEASES, RESTS
from pfverify.records.prior import prior_of_file
from pfverify.records.source import TextReading

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the public data files are not here")

PATIENTS = "age,sex,cp,trestbps,chol,fbs,restecg,thalach,exang,oldpeak,slope,ca,thal,num"
COUNTED = ("census", "student", "bank", "students-mean")  # their files say by which command
EDUCATION = (
    "adult.csv.gz --secret race --public education-num --fit mixture --delta 1/2 --scale 1.82 "
    "--where \"income in ('<=50K', '>50K')\" --pairs Black:Asian-Pac-Islander --epsilon 1"
)


def command_of(name: str) -> str:
    """The command in the comments of a packaged problem, after `pfverify prior`."""
    if name == "education":
        return EDUCATION
    text = re.search(r"^# Counted by: pfverify prior (.*(?:\n#  .*)*)", example_text(name), re.M)
    assert text is not None
    return re.sub(r",\s+", ",", text[1].replace("\n#", " "))


@needs_data
@pytest.mark.parametrize("name", [*COUNTED, "education"])
def test_a_packaged_problem_is_regenerated_by_one_command(name: str, tmp_path: Path) -> None:
    file, *options = shlex.split(command_of(name))
    output = tmp_path / "made.toml"
    if name == "education":
        pytest.importorskip("sklearn")
    assert main(["prior", str(DATA / file), *options, "-o", str(output)]) == 0
    made = Problem.load(output)
    assert made == load_example(name)
    assert problem_digest(made) == problem_digest(load_example(name))


@needs_data
def test_the_cholesterol_of_patients_without_a_header(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    output = tmp_path / "made.toml"
    options = ["--columns", PATIENTS, "--secret", "sex", "--public", "chol", "--missing", "drop",
               "--missing-values", "?", "--fit", "mixture", "--pairs", "0:1"]  # fmt: skip
    file = str(DATA / "processed.hungarian.data")
    assert main(["prior", file, *options, "--epsilon", "1", "-o", str(output)]) == 0
    made = Problem.load(output)
    packaged = load_example("cholesterol")
    assert [*made.beliefs["default"].values()] == [*packaged.beliefs["default"].values()]
    assert made.provenance is not None
    assert made.provenance.dropped == {"missing": 23}
    assert (made.provenance.fit or "").startswith("mixture of 3 normal laws")


# ---------------------------------------------------------------- equal in every count

Row = tuple[str | None, int | Decimal | None]

secrets = st.sampled_from(["a", "b", "x y", 'q"q', "c,c", "é", "d;d", "'"]) | st.none()
values = (
    st.integers(-3, 3)
    | st.decimals(-2, 2, places=1).map(lambda d: d.normalize() + 0)
    | st.integers(10**20, 10**20 + 1)
    | st.none()
)
tables = st.lists(st.tuples(secrets, values), min_size=1, max_size=30)


def counted(rows: list[Row]) -> dict[str, dict[Fraction, int]]:
    """The counts of the rows that miss nothing, by secret, in plain Python."""
    found: dict[str, Counter[Fraction]] = {}
    for secret, value in rows:
        if secret is not None and value is not None:
            found.setdefault(secret, Counter())[Fraction(value)] += 1
    return {secret: dict(counts) for secret, counts in found.items()}


def counts_of(table: dict[str, Any]) -> dict[str, dict[Fraction, int]]:
    """The counts of a problem's table, by the value of the secret."""
    return {
        name.removeprefix("s="): {Fraction(x): n for x, n in prior["counts"].items()}
        for name, prior in table["priors"].items()
    }


def cell(value: object) -> str:
    return "" if value is None else f"{value:f}" if isinstance(value, Decimal) else str(value)


def write_csv(path: Path, rows: list[Row], delimiter: str = ",", **layout: Any) -> Path:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", **layout)
    writer.writerows([("t", "s", "x"), *(("t", *map(cell, row)) for row in rows)])
    data = out.getvalue().encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def write_json_lines(path: Path, rows: list[Row]) -> Path:
    lines = [
        f'{{"s": {json.dumps(secret)}, "x": {cell(value) or "null"}}}\n' for secret, value in rows
    ]
    data = "".join(lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def write_parquet(path: Path, rows: list[Row]) -> Path:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {
        "s": arrow.array([row[0] for row in rows], arrow.string()),
        "x": arrow.array([row[1] for row in rows], arrow.decimal128(30, 2)),
    }
    parquet.write_table(arrow.table(columns), path)
    return path


DROP = {"missing": "drop"}


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=tables, seed=st.integers(0, 99))
def test_every_format_gives_the_counts_of_plain_python(
    rows: list[Row], seed: int, tmp_path: Path
) -> None:
    expected = counted(rows)
    shuffled = random.Random(seed).sample(rows, len(rows))
    files = [
        write_csv(tmp_path / "a.csv", rows),
        write_csv(tmp_path / "b.csv", shuffled, ";", quoting=csv.QUOTE_ALL),
        write_csv(tmp_path / "c.tsv.gz", rows, "\t"),
        write_json_lines(tmp_path / "d.jsonl", shuffled),
        write_json_lines(tmp_path / "e.ndjson.gz", rows),
        write_parquet(tmp_path / "f.parquet", rows),
    ]
    for file in files:
        try:
            found = prior_of_file(file, "s", "x", options=DROP)
        except InputError as error:
            if len(expected) > 1 or "has one value" not in str(error).replace("no", "one"):
                raise
            continue
        assert len(expected) > 1
        assert counts_of(found.table) == expected, file.name
        told = found.provenance
        assert told.rows_read == len(rows)
        assert told.rows_used == sum(sum(counts.values()) for counts in expected.values())
        assert (told.dropped or {}).get("missing", 0) == len(rows) - told.rows_used
        smallest = min(n for counts in expected.values() for n in counts.values())
        assert told.smallest_cell is not None
        assert told.smallest_cell["records"] == smallest
        assert Problem.from_text(found.text) == found.problem
    mappings = [{"s": secret, "x": value} for secret, value in shuffled]
    if len(expected) > 1:
        same = Problem.from_records(mappings, secret="s", public="x", epsilon=1, **DROP)
        assert same == found.problem


@pytest.mark.parametrize("mark", [",", ";", "\t", "|", ":", " ", "§"])
def test_any_delimiter(mark: str, tmp_path: Path) -> None:
    rows: list[Row] = [("a", 1), ("b", 2), ("b", 3)]
    path = write_csv(tmp_path / "p.txt", rows, mark)
    found = prior_of_file(path, "s", "x", reading=TextReading(delimiter=mark))
    assert counts_of(found.table) == counted(rows)


def test_line_ends_byte_order_mark_spaces_and_line_breaks_in_quotes(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes('\ufeff"s" , x,"n\no"\r\n a ,\t1 ,\r\n"b", 2,"c\nd"\r\n\r\n'.encode())
    found = prior_of_file(path, "s", "x", options={"short_names": True})
    assert found.rows == {"a": 1, "b": 1}


def test_the_digest_and_the_name_of_the_file_are_told(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "p.csv.gz", [("a", 1), ("b", 2)])
    told = prior_of_file(path, "s", "x").provenance
    assert told.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert told.data == "p.csv.gz"


def test_floats_of_parquet_are_read_as_asked(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    nan = float("nan")
    columns = {"s": ["a", "a", "b", "b"], "x": [0.1, 1.0, 1.0, nan], "y": [1.0, 2, 3, nan]}
    parquet.write_table(arrow.table(columns), tmp_path / "p.parquet")

    def counts(column: str, **options: Any) -> dict[str, dict[Fraction, int]]:
        given = {"missing": "drop", **options}
        return counts_of(prior_of_file(tmp_path / "p.parquet", "s", column, options=given).table)

    assert counts("y") == {"a": {Fraction(1): 1, Fraction(2): 1}, "b": {Fraction(3): 1}}
    with pytest.raises(InputError, match=r"0.1 is a float.*--floats shortest"):
        counts("x")
    assert counts("x", floats="shortest")["a"] == {Fraction(1, 10): 1, Fraction(1): 1}
    assert counts("x", floats="exact")["a"] == {Fraction(0.1): 1, Fraction(1): 1}


@pytest.mark.parametrize("folder", ["x=7", "s=a", "c1=a", "c2=7"])
def test_a_folder_named_like_a_column_says_nothing_about_it(tmp_path: Path, folder: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / folder).mkdir()
    rows = [("a", 1), ("b", 2), ("b", 3)]
    text = write_csv(tmp_path / folder / "p.csv", rows)
    columns = {"s": [name for name, _ in rows], "x": [value for _, value in rows]}
    packed = tmp_path / folder / "p.parquet"
    parquet.write_table(arrow.table(columns), packed)
    for path in (text, packed):
        found = counts_of(prior_of_file(path, "s", "x").table)
        assert found == {"a": {Fraction(1): 1}, "b": {Fraction(2): 1, Fraction(3): 1}}


def test_whole_floats_that_may_be_rounded_are_floats_like_others() -> None:
    rows = [("a", 2.0**53), ("b", 2.0**53 + 2), ("b", 1e23)]  # the second may have been ...993

    def read(rows: list[tuple[str, float]], floats: str) -> set[Fraction]:
        found = Problem.from_records(rows, epsilon=1, floats=floats).beliefs["default"]
        return {part.mean for prior in found.values() for part in prior.components}

    with pytest.raises(InputError, match=r"9007199254740994.0 is a float"):
        read(rows, "whole")
    assert read(rows, "shortest") == {Fraction(2**53), Fraction(2**53 + 2), Fraction(10**23)}
    assert read(rows, "exact") == {Fraction(2**53), Fraction(2**53 + 2), Fraction(1e23)}


def test_types_of_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    days = [datetime(2024, 1, 1), datetime(2024, 1, 2), datetime(2024, 1, 3)]
    columns = {
        "s": arrow.array(["a", "b", "b"]).dictionary_encode(),
        "days": [day.date() for day in days],
        "nanoseconds": arrow.array(days, arrow.timestamp("ns")),
        "seconds": arrow.array(days, arrow.timestamp("s")),
        "unsigned": arrow.array([2**64 - 1, 0, 1], arrow.uint64()),
        "long": arrow.array([Decimal(10**37), Decimal(1), Decimal(1)], arrow.decimal128(38, 0)),
        "hours": arrow.array([datetime(2024, 1, 1, 5)] * 3, arrow.timestamp("us")),
        "zone": arrow.array(days, arrow.timestamp("us", tz="UTC")),
        "list": [[1]] * 3,
        "bytes": [b"a"] * 3,
        "truth": [True, False, True],
    }
    path = tmp_path / "p.parquet"
    parquet.write_table(arrow.table(columns), path)
    for name in ("days", "nanoseconds", "seconds"):
        assert counts_of(prior_of_file(path, "s", name).table)["a"] == {Fraction(19723): 1}
    for name, value in (("unsigned", 2**64 - 1), ("long", 10**37)):
        assert counts_of(prior_of_file(path, "s", name).table)["a"] == {Fraction(value): 1}
    truth = prior_of_file(path, "s", "truth", options={"codes": "true=1,false=0"})
    assert counts_of(truth.table)["a"] == {Fraction(1): 1}
    for name, message in (("hours", "time of day"), ("zone", "TIME ZONE"), ("list", r"\[\]"),
                          ("bytes", "BLOB")):  # fmt: skip
        with pytest.raises(InputError, match=f"column '{name}'.*{message}"):
            prior_of_file(path, "s", name)


def test_json_numbers_keep_every_digit(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"s":"a","x":0.1000000000000000055}\n{"s":"b","x":123456789012345678901}\n')
    found = counts_of(prior_of_file(path, "s", "x").table)
    assert found["a"] == {Fraction("0.1000000000000000055"): 1}
    assert found["b"] == {Fraction(123456789012345678901): 1}


# ---------------------------------------------------------------- what is asked for

PEOPLE = "smoker,age,job,born\n" + "".join(
    f"{row}\n" for row in (
        "yes,34,baker,1990-05-01", "no,41,baker,1983-01-31", "no,29,clerk,1995-12-24",
        "yes,57,clerk,1967-07-07", "no,63,,1961-02-28", "no,34,clerk,1990-05-01",
    )
)  # fmt: skip


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, "utf-8")
    return path


def made(people: Path, *options: str) -> dict[str, Any]:
    """The table of the problem that the command writes."""
    output = people.parent / "made.toml"
    assert main(["prior", str(people), "--secret", "smoker", *options, "-o", str(output)]) == 0
    return tomllib.loads(output.read_text("utf-8"))


def test_days_are_days_since_1970(people: Path) -> None:
    table = made(people, "--public", "born")
    assert table["priors"]["smoker=yes"]["counts"] == {
        str((date(1990, 5, 1) - date(1970, 1, 1)).days): 1,
        str((date(1967, 7, 7) - date(1970, 1, 1)).days): 1,
    }
    assert table["provenance"]["unit"] == "days since 1970-01-01"


def test_categories_in_order_and_missing_as_one(people: Path) -> None:
    table = made(people, "--public", "job", "--codes", "order", "--missing", "category")
    assert table["provenance"]["codes"] == {"baker": "0", "clerk": "1", "(missing)": "2"}
    assert table["priors"]["smoker=no"]["counts"] == {"0": 1, "1": 2, "2": 1}


def test_codes_from_a_file(people: Path) -> None:
    folder = people.parent
    (folder / "c.csv").write_text("baker,1/2\nclerk,-1\n(missing),7\n")
    (folder / "c.toml").write_text('baker = "1/2"\nclerk = -1\n"(missing)" = 7\n')
    (folder / "c.json").write_text('{"baker": 0.5, "clerk": -1, "(missing)": 7}')
    for name in ("c.csv", "c.toml", "c.json"):
        codes = ["--codes", str(folder / name), "--missing", "category"]
        table = made(people, "--public", "job", *codes)
        assert table["priors"]["smoker=no"]["counts"] == {"-1": 2, "0.5": 1, "7": 1}


def test_intervals_are_closed_on_the_left(people: Path) -> None:
    table = made(people, "--public", "age", "--bins", "29,34,57,70")
    assert table["priors"]["smoker=no"]["counts"] == {"31.5": 1, "45.5": 2, "63.5": 1}
    table = made(people, "--public", "age", "--bin-width", "10", "--bin-at", "lower")
    assert table["priors"]["smoker=no"]["counts"] == {"20": 1, "30": 1, "40": 1, "60": 1}
    assert table["provenance"]["bins"].startswith("[k*10, (k+1)*10)")
    table = made(people, "--public", "born", "--bins", "1960-01-01,1990-05-01,2000-01-01",
                 "--bin-at", "upper")  # fmt: skip
    assert sum(table["priors"]["smoker=no"]["counts"].values()) == 4


def test_rare_secrets(people: Path) -> None:
    options = ["--secret", "age", "--public", "born", "--rare", "2"]
    output = people.parent / "made.toml"
    assert main(["prior", str(people), *options, "--rare-do", "merge", "-o", str(output)]) == 0
    table = tomllib.loads(output.read_text("utf-8"))
    assert list(table["priors"]) == ["age=34", "(rare)"]
    assert sum(table["priors"]["(rare)"]["counts"].values()) == 4
    people.write_text(PEOPLE + "yes,41,x,1990-01-01\n")
    assert main(["prior", str(people), *options, "--rare-do", "drop", "-o", str(output)]) == 0
    table = tomllib.loads(output.read_text("utf-8"))
    assert list(table["priors"]) == ["age=34", "age=41"]
    assert table["provenance"]["dropped"] == {"rare": 3}


def test_a_count_sum_and_mean_are_systems_of_all_rows(people: Path) -> None:
    table = made(people, "--public", "smoker=yes", "--release", "count", "--absent", "away")
    assert table["system"] == {
        "release": "sum", "others": [{"bernoulli": "1/3", "count": 5}],
        "user": {"smoker=no": {"point": "0"}, "smoker=yes": {"point": "1"}, "away": "absent"},
    }  # fmt: skip
    table = made(people, "--public", "age", "--release", "mean", "--rest", "any")
    assert table["system"]["release"] == "mean"
    assert table["system"]["rest"] == "any"
    assert table["system"]["others"] == [{"point": 0, "count": 5}]  # their law decides nothing
    assert table["system"]["user"]["smoker=yes"] == {"counts": {"34": 1, "57": 1}}
    table = made(people, "--public", "age", "--release", "sum", "--fit", "gaussian")
    assert set(table["system"]["others"][0]) == {"mean", "variance", "count"}


RELEASED = {
    "count": ["--public", "bad=yes"],
    "sum": ["--public", "age", "--absent", "away"],
    "mean": ["--public", "cents", "--bin-width", "1000"],
    "mean of raw cents": ["--public", "cents"],
    "mean, fitted": ["--public", "age", "--fit", "gaussian"],
    "discrete noise": ["--public", "age", "--noise", "discrete-laplace", "--step", "1"],
    "a given scale": ["--public", "age", "--scale", "80"],
    "mean, clipped": ["--public", "cents", "--clip", "0,50000"],
}


MANY = {"count", "mean, clipped"}  # of many rows by default; the others in the batteries


@pytest.mark.parametrize(
    ("name", "rows"),
    [pytest.param(name, rows, marks=() if rows < 3000 or name in MANY else pytest.mark.long)
     for name in RELEASED for rows in (10, 100, 3000)],
)  # fmt: skip
def test_the_next_command_succeeds_on_sums_of_many_rows(
    name: str, rows: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(rows)
    lines = [
        f"{chance.choice(['yes', 'no'])},{chance.randrange(18, 90)},{chance.randrange(10**6)}\n"
        for _ in range(rows)
    ]
    data, output = tmp_path / "a table.csv", tmp_path / "of mine.toml"
    data.write_text("bad,age,cents\n" + "".join(lines))
    release = name.split()[0].rstrip(",") if name.startswith(("count", "mean")) else "sum"
    given = ["--secret", "bad", *RELEASED[name], "--release", release, "-o", str(output)]
    assert main(["prior", str(data), *given]) == 0
    system = tomllib.loads(output.read_text("utf-8"))["system"]
    if rows == 3000 and "fitted" not in name:  # each reached its case
        assert system["rest"] == "any"
        assert system["others"] == [{"point": 0, "count": 2999}]
    if rows == 10 and "raw" not in name:
        assert "rest" not in system
    out = capsys.readouterr().out
    assert f"rest: {system.get('rest', 'known')}: " in out
    assert ("more than the 512.0 KiB" in " ".join(out.split())) == (system.get("rest") == "any")
    (command,) = [line for line in out.splitlines() if line.startswith("Next: pfverify ")]
    assert main(shlex.split(command.removeprefix("Next: pfverify "))) == 0
    assert "certified" in capsys.readouterr().out
    if "given" not in name:
        assert main(["certify", str(tmp_path / "of mine-scaled.toml")]) == 0


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    values=st.lists(st.integers(-500, 500), min_size=2, max_size=30),
    bounds=st.tuples(st.integers(-300, 0), st.integers(1, 300)),
)
def test_clipped_values_are_counted_at_the_bounds(
    values: list[int], bounds: tuple[int, int], tmp_path: Path
) -> None:
    low, high = bounds
    rows = [(("yes", "no")[k % 2], value) for k, value in enumerate(values)]
    (path := tmp_path / "c.csv").write_text("s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
    found = prior_of_file(path, "s", "x", options={"clip": [str(low), str(high)]})
    by_hand = Counter((s, min(max(x, low), high)) for s, x in rows)
    assert by_hand == {
        (name.removeprefix("s="), int(value)): count
        for name, prior in found.table["priors"].items()
        for value, count in prior["counts"].items()
    }
    assert found.provenance.clip == (
        f"values below {low} count as {low}, values above {high} as {high}"
    )
    given = {"secret": "s", "public": "x", "epsilon": 1}
    assert Problem.from_records(rows, **given, clip=(low, high)) == found.problem


def test_clipping_is_stated_and_its_absence_is_remarked(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--secret", "smoker", "--public", "age", "--release", "mean", "--scale", "40"]
    output = str(people.parent / "made.toml")
    for option, remarked in (
        ([], True), (["--clip", "30,60"], False), (["--bins", "0,100"], False),
        (["--bin-width", "10"], True), (["--fit", "gaussian"], False),
    ):  # fmt: skip
        assert main(["prior", str(people), *given, *option, "-o", output]) == 0
        assert ("nothing bounds age" in capsys.readouterr().out) == remarked
    main(["prior", str(people), *given, "--clip", "30,60", "-o", output])
    told = tomllib.loads(Path(output).read_text("utf-8"))["provenance"]["clip"]
    assert told == "values below 30 count as 30, values above 60 as 60"
    capsys.readouterr()
    for command in ("certify", "calibrate", "loss"):
        assert main([command, output]) == 0
        assert f"what is released is clipped: {told}" in capsys.readouterr().out
    main(["prior", str(people), *given[:6], "--public", "smoker=yes", "-o", output])
    assert "nothing bounds" not in capsys.readouterr().out


def test_that_intervals_stand_for_values_is_stated(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The points of intervals are released, not the values themselves."""
    output = str(people.parent / "made.toml")
    asked = ["prior", str(people), "--secret", "smoker", "--public", "age", "--scale", "40"]
    for release in ("value", "mean"):
        assert main([*asked, "--release", release, "--bin-width", "10", "-o", output]) == 0
        told = tomllib.loads(Path(output).read_text("utf-8"))["provenance"]["bins"]
        assert told.endswith("X is the middle of the interval")
        capsys.readouterr()
        for command in ("certify", "calibrate", "loss"):
            assert main([command, output]) == 0
            assert f"what is released is counted in intervals: {told}" in capsys.readouterr().out


def test_a_fitted_normal_law_has_the_exact_moments_rounded(people: Path) -> None:
    table = made(people, "--public", "age", "--fit", "gaussian")
    assert table["provenance"]["fit"].startswith("gaussian")
    law = table["priors"]["smoker=no"]
    ages = [41, 29, 63, 34]
    assert Fraction(law["mean"]) == Fraction(sum(ages), 4)
    assert Fraction(law["variance"]) == Fraction(f"{statistics.pvariance(ages):.1f}")


def test_a_problem_from_a_table_is_certified_and_checked(people: Path) -> None:
    made(people, "--public", "age", "--scale", "40", "--epsilon", "1")
    problem, proof = str(people.parent / "made.toml"), str(people.parent / "made.cert")
    assert main(["certify", problem, "-o", proof]) == 0
    assert main(["check", problem, proof, "--expect", "certified"]) == 0


def test_without_a_file_the_problem_alone_is_printed(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prior", str(people), "--secret", "smoker", "--public", "age"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert Problem.from_text(out).epsilon.text == "1"
    assert "no recommendation" in out
    assert main(["prior", str(people), "--secret", "smoker", "--public", "age", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert Problem.from_table(data["problem_file"]) == Problem.from_text(out)
    assert data["digest"] == problem_digest(Problem.from_text(out))
    assert data["rows"] == {"smoker=no": 4, "smoker=yes": 2}


def test_json_files_are_written_too(people: Path) -> None:
    output = people.parent / "made.json"
    options = ["--secret", "smoker", "--public", "age", "--delta", "0.01"]
    assert main(["prior", str(people), *options, "-o", str(output)]) == 0
    assert json.loads(output.read_text("utf-8"))["priors"]["smoker=yes"]["counts"] == {
        "34": 1, "57": 1,
    }  # fmt: skip
    assert Problem.load(output).delta.text == "1/100"


def test_a_value_that_looks_like_none_is_remarked_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, output = tmp_path / "p.csv", tmp_path / "made.toml"
    path.write_text("s,x\na,yes\nb,no\n?,N/A\n?,yes\n")
    secret = "the value '?' counts as one of s; if it stands for no value: --missing-values "

    def said(*options: str) -> str:
        assert main(["prior", str(path), "--secret", "s", *options]) == 0
        return " ".join("".join(capsys.readouterr()).split())

    saved = ("-o", str(output))
    coded = ("--codes", "yes=1,no=0,N/A=0")
    assert f"{secret}'?'" in said("--public", "x", *coded, *saved)
    assert tomllib.loads(output.read_text())["priors"]["s=?"]["counts"] == {"0": 1, "1": 1}
    both = said("--public", "x", "--codes", "order", *saved)
    assert f"{secret}'?,N/A'" in both
    assert "the value 'N/A' counts as one of x; " in both
    assert "the value 'N/A' counts as one of x; " in said("--public", "x=yes", *saved)
    for options in (
        ("--missing-values", "?,N/A", "--missing", "drop"), ("--pairs", "a:b", "--where", "s != ?"),
        ("--where", "x != N/A and s != ?"),
    ):  # fmt: skip
        assert "counts as one of" not in said("--public", "x=yes", *options, *saved)
    assert secret not in said("--public", "x=yes", "--pairs", "a:b", *saved)
    rare = "--rare-do", "drop", "--rare", "2"
    path.write_text("s,x\na,1\na,2\nb,1\nb,1\n?,1\n")
    assert secret not in said("--public", "x", *rare, *saved)
    assert secret in said("--public", "x", *saved)


@pytest.mark.parametrize("options", [(), ("--json",), ("--json", "-o", "made.toml")])
def test_remarks_stay_out_of_what_programs_read(
    options: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text("s,x\na,1\nUnknown,2\n")
    assert main(["prior", "p.csv", "--secret", "s", "--public", "x", *options]) == 0
    out, err = capsys.readouterr()
    assert err == (
        "pfverify: the value 'Unknown' counts as one of s; if it stands for no value: "
        "--missing-values Unknown\n"
    )
    table = json.loads(out)["problem_file"] if options else tomllib.loads(out)
    assert set(table["priors"]) == {"s=a", "s=Unknown"}


def test_the_smallest_and_the_empty_cells_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for rows, expected in (
        ("a,1\nb,1\n", "smallest cell: 1 of value 1, s=a\n"),
        ("a,1\na,2\nb,1\n", "smallest cell: 1 of value 1, s=a; 1 cell is empty\n"),
        ("a,1\nb,2\n", "smallest cell: 1 of value 1, s=a; 2 cells are empty\n"),
    ):
        (tmp_path / "p.csv").write_text(f"s,x\n{rows}")
        options = ["--secret", "s", "--public", "x", "-o", str(tmp_path / "made.toml")]
        assert main(["prior", str(tmp_path / "p.csv"), *options]) == 0
        assert expected in capsys.readouterr().out


def test_help_shows_the_choices_that_there_are() -> None:
    shown = {option.opts[0]: option.metavar for option in commands.commands["prior"].params}
    for option, choices in {
        "--release": RELEASES, "--rest": RESTS, "--missing": POLICIES, "--rare-do": RARE,
        "--floats": FLOATS, "--bin-at": AT, "--fit": laws(None),
    }.items():  # fmt: skip
        assert shown[option] == "|".join(choices)


NAMES = [" age", "age ", "\tage", " age "]


@pytest.mark.parametrize("name", NAMES)
def test_spaces_around_the_names_of_columns_count_nowhere(name: str, tmp_path: Path) -> None:
    rows = [{"s": "a", name: 1}, {"s": "b", name: 2}, {"s": "b", name: 1}]
    pairs = [(row["s"], row[name]) for row in rows]
    expected = Problem.from_records(pairs, secret="s", public="x", epsilon=1)
    frame = pytest.importorskip("pandas").DataFrame(rows)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "t.jsonl").write_text(lines)
    cells = "".join(f"{row['s']},{row[name]}\n" for row in rows)
    (tmp_path / "t.csv").write_text(f's,"{name}"\n{cells}')
    frame.to_parquet(tmp_path / "t.parquet")
    for asked_name in ("age", name):
        assert Problem.from_frame(frame, secret="s", public=asked_name, epsilon=1) == expected
        assert Problem.from_records(rows, secret="s", public=asked_name, epsilon=1) == expected
        for file in ("t.csv", "t.jsonl", "t.parquet"):
            found = prior_of_file(tmp_path / file, "s ", asked_name, options={})
            assert found.problem == expected


def test_names_that_are_alike_without_spaces_are_refused(tmp_path: Path) -> None:
    frame = pytest.importorskip("pandas").DataFrame([["a", 1, 2]], columns=["s", "x", " x"])
    (tmp_path / "t.csv").write_text("s,x, x\na,1,2\n")
    (tmp_path / "t.jsonl").write_text('{"s": "a", "x": 1, " x": 2}\n')
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="'x' occurs 2 times"):
        Problem.from_frame(frame, secret="s", public="x", epsilon=1)
    for file in ("t.csv", "t.jsonl", "t.parquet"):
        with pytest.raises(InputError, match=r"twice|'x' occurs 2 times"):
            prior_of_file(tmp_path / file, "s", "x")


# ---------------------------------------------------------------- several numbers, many releases


def test_what_is_said_of_each_column(people: Path) -> None:
    given = ["--public", "age,job=baker", "--missing", "drop"]
    table = made(people, *given, "--bins", "age=0,40,70", "--bin-at", "lower",
                 "--clip", "age=30,60")  # fmt: skip
    assert table["priors"]["smoker=no"]["counts"] == [[0, 0, 2], [40, 1, 1]]
    told = table["provenance"]
    assert told["bins"] == "age: [0, 40) [40, 70); X is the lower of the interval"
    assert told["clip"] == "age: values below 30 count as 30, values above 60 as 60"
    one = [made(people, "--public", "age", "--clip", f"{name}30,60") for name in ("", " age = ")]
    assert one[0] == one[1]
    table = made(people, "--public", "born,age", "--missing", "drop", "--bins",
                 "born=1960-01-01,1990-01-01,2000-01-01", "--bin-width", "age=20")  # fmt: skip
    assert table["priors"]["smoker=yes"]["counts"] == [[1826, 50, 1], [9131, 30, 1]]


@pytest.mark.parametrize(
    ("options", "noise", "command"),
    [
        (["--scale", "30, 2"], {"scale": ["30", "2"]}, "certify"),
        (["--scale", "30"], {"scale": "30"}, "certify"),
        (["--releases", "52"], {"releases": 52}, "calibrate"),
        (["--releases", "3", "--scale", "9,6"], {"releases": 3, "scale": ["9", "6"]}, "certify"),
        ([], {}, "calibrate"),
    ],
)
def test_scales_of_each_number_and_releases(
    options: list[str], noise: dict[str, Any], command: str, people: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """And the next command that is printed answers."""
    given = ["--public", "age,job=baker", "--missing", "drop", "--bins", "age=0,40,70"]
    assert made(people, *given, *options)["noise"] == {"kind": "laplace", **noise}
    (line,) = [x for x in capsys.readouterr().out.splitlines() if x.startswith("Next: pfverify ")]
    said = shlex.split(line.removeprefix("Next: pfverify "))
    assert said[0] == command
    assert main(said) in (0, 1)  # a scale that is stated may be too small
    out = capsys.readouterr().out
    assert ("52 releases" in out) == (noise.get("releases") == 52)
    assert "certified" in out or "refuted" in out


def test_a_grid_that_is_too_large_is_told_with_what_makes_it_small(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """200 values of each of three columns: 8,000,000 combinations."""
    path, output = tmp_path / "p.csv", tmp_path / "made.toml"
    lines = [f"{'ab'[k % 2]},{k},{k * 7 % 200},{k * 3 % 200}" for k in range(200)]
    path.write_text("\n".join(["s,x,y,z", *lines, ""]))
    asked = ["prior", str(path), "--secret", "s", "--public", "x,y,z", "-o", str(output)]
    assert main(asked) == 2
    assert capsys.readouterr().err == (
        f"pfverify: {path}: --public: x, y, z have 200 x 200 x 200 combinations of values, more "
        "than the 4000000 that can be decided; put values into intervals (--bin-width x=WIDTH) and "
        "bounds (--clip x=LOW,HIGH), so that it has at most 100\n"
    )
    assert not output.exists()
    widths = [part for name in "xyz" for part in ("--bin-width", f"{name}=50")]
    assert main([*asked, *widths]) == 0
    (line,) = [x for x in capsys.readouterr().out.splitlines() if x.startswith("Next: ")]
    assert main(shlex.split(line.removeprefix("Next: pfverify "))) == 0


def test_a_histogram_of_intervals_of_the_secret_itself(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = people.parent / "made.toml"
    asked = ["--secret", "age", "--public", "age", "--release", "histogram", "--rest", "any"]
    assert main(["prior", str(people), *asked, "--bins", "0,30,60,90", "-o", str(output)]) == 0
    cells = ["0 to below 30", "30 to below 60", "60 to below 90"]
    table = tomllib.loads(output.read_text("utf-8"))
    assert table["system"]["categories"] == cells
    assert table["system"]["user"] == {f"age={x}": {"point": x} for x in cells}
    assert table["provenance"]["records"] == dict(
        zip((f"age={x}" for x in cells), (1, 4, 1), strict=True)
    )
    capsys.readouterr()
    assert main(["certify", str(output), "--scale", "2"]) == 0
    said = capsys.readouterr().out
    assert "what is released is counted in intervals: [0, 30) [30, 60) [60, 90)\n" in said
    assert main(["certify", str(output), "--scale", "1.99"]) == 1


# ---------------------------------------------------------------- conditions


def rows_where(people: Path, text: str) -> int:
    given = {"short_names": True, "missing": "category", "codes": {"(missing)": 0}}
    options: dict[str, Any] = {**given, "release": "sum", "absent": "away"}
    used = prior_of_file(people, "smoker", "age", where=text, options=options).provenance.rows_used
    assert used is not None
    return used


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("age >= 34", 5), ("age > 34", 3), ("age < 34", 1), ("age <= 34.0", 3), ("age = 3.4e1", 2),
        ("age != 34", 4), ("job = baker", 2), ("job != baker", 4), ("job in (baker, clerk)", 5),
        ("job not in (baker)", 4), ("not job = baker", 4), ("job = ''", 1),
        ("age > 30 and age < 50", 3), ("age < 30 or age > 60", 2),
        ("(age < 30 or age > 60) and job = clerk", 1),
        ("age < 30 or age > 60 and job = clerk", 1), ("born >= 1990-05-01", 3), ("AGE >= 1", None),
        ('job == "clerk" AND "smoker" = \'no\'', 2),
    ],
)  # fmt: skip
def test_a_condition_selects_rows(people: Path, text: str, rows: int | None) -> None:
    if rows is None:
        with pytest.raises(InputError, match="no column 'AGE'"):
            rows_where(people, text)
    else:
        assert rows_where(people, text) == rows


@given(st.text(max_size=30))
@settings(max_examples=200, deadline=None)
def test_a_condition_is_read_or_refused_in_one_line(text: str) -> None:
    said = ""
    try:
        condition(text)
    except InputError as error:
        said = str(error)
    assert "\n" not in said


@given(st.lists(st.sampled_from(["a", "=", "(", ")", "and", "or", "not", "in", ",", "'", "<", "1"]),
                max_size=14))  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_scrambled_conditions_are_read_or_refused(words: list[str]) -> None:
    with contextlib.suppress(InputError):
        found = condition(" ".join(words))
        found.holds(dict.fromkeys(found.columns, "1"))


# ---------------------------------------------------------------- bad input

BAD = {
    "one value": ("s,x\na,1\na,2\n", [], "column 's' has one value ('a')"),
    "no column": ("smoker,age\na,1\nb,2\n", ["--public", "aeg"], "did you mean 'age'"),
    "text": ("s,x\na,foo\nb,bar\n", [], "count one with --public COL=VALUE"),
    "short line": ("s,x\na,1\nb\n", [], "line 3: 1 cells"),
    "long line": ("s,x\na,1\nb,2,3\n", [], "line 3: 3 cells"),
    "open header": ('s,"x\na,1\n' + "b,2\n" * 400_000, [], "a quote that does not end"),
    "open quote": ('s,x\na,1\nb,"2\n', [], "line 3"),
    "delimiter": ("s;x\na;1\nb;2\n", ["--delimiter", ","], "does not split the first line ('s;x')"),
    "two delimiters": ("s,x;y\na,1;1\n", [], "say --delimiter"),
    "wrong delimiter": ("s,x\na,1\n", ["--delimiter", ",,"], "expected one character"),
    "empty": ("", [], "the file is empty"),
    "blank": ("\n\n", [], "the file is empty"),
    "header alone": ("s,x\n", [], "there are no rows"),
    "not utf-8": (b"s,x\na,1\nb\xe9,2\n", [], "line 3: not UTF-8"),
    "utf-16": ("s,x\na,1\n".encode("utf-16"), [], "line 1: not UTF-8"),
    "encoding": ("s,x\na,1\n", ["--encoding", "nope"], "'nope' is unknown"),
    "not that encoding": ("s,x\né,1\n", ["--encoding", "ascii"], "not ascii text"),
    "overflow": ("s,x\na,1e9999\nb,2\n", [], "overflows"),
    "duplicate": ("s,x,x\na,1,1\n", [], "'x' occurs 2 times"),
    "missing": ("s,x\na,1\nb,\n", [], "1 of 2 rows have no value in column 'x'"),
    "missing, no code": ("s,x\na,1\nb,\n", ["--missing", "category"], "need a number"),
    "mixed": ("s,x\na,1\nb,2024-01-01\n", [], "both days and numbers"),
    "comma": ("s;x\na;1,5\nb;2\n", [], "--decimal-comma"),
    "thousands": ("s;x\na;1,5\nb;1.234\n", ["--decimal-comma"], "1.234 as 1234 or as 1,234"),
    "thousands and a comma": ("s;x\na;1.234,5\nb;2\n", ["--decimal-comma"], "no point is read"),
    "millions": ("s;x\na;1.234.567\nb;2\n", ["--decimal-comma"], "no point is read"),
    "date": ("s,x\na,01/02/2024\nb,2\n", [], "--date-format"),
    "no such day": ("s,x\na,31/02/2024\n", ["--date-format", "%d/%m/%Y"], "is no date of the form"),
    "no code": ("s,x\na,foo\nb,fo\n", ["--codes", "foo=1"], "did you mean 'foo'"),
    "codes twice": ("s,x\na,foo\n", ["--codes", "foo=1,foo=2"], "two numbers"),
    "codes": ("s,x\na,foo\n", ["--codes", "foo"], "expected NAME=NUMBER"),
    "code": ("s,x\na,foo\n", ["--codes", "foo=x"], "--codes: foo"),
    "order of numbers": ("s,x\na,1\nb,2\n", ["--codes", "order"], "needs no code"),
    "pairs": ("s,x\na,1\nb,2\n", ["--pairs", "a:c"], "no value 'c'"),
    "pair": ("s,x\na,1\nb,2\n", ["--pairs", "a"], "expected A:B"),
    "rare": ("s,x\na,1\nb,2\n", ["--rare", "2"], "has 1 records"),
    "all rare": ("s,x\na,1\nb,2\n", ["--rare", "2", "--rare-do", "drop"], "every row is left out"),
    "rare-do": ("s,x\na,1\nb,2\n", ["--rare-do", "drop"], "--rare"),
    "outside": ("s,x\na,1\nb,2\n", ["--bins", "0,2"], "the value 2 is in no interval"),
    "edges": ("s,x\na,1\nb,2\n", ["--bins", "2,0"], "edges that rise"),
    "width": ("s,x\na,1\nb,2\n", ["--bin-width", "0"], "--bin-width"),
    "bins and width": ("s,x\na,1\nb,2\n", ["--bin-width", "1", "--bins", "0,1"], "exclude"),
    "bin-at": ("s,x\na,1\nb,2\n", ["--bin-at", "lower"], "no intervals"),
    "release": ("s,x\na,1\nb,2\n", ["--release", "median"], "'median'"),
    "count": ("s,x\na,1\nb,2\n", ["--release", "count"], "--public 'x=VALUE'"),
    "absent": ("s,x\na,1\nb,2\n", ["--absent", "n"], "has others"),
    "taken": ("s,x\na,1\nb,0\n", ["--release", "sum", "--absent", "s=a"], "already"),
    "clip": ("s,x\na,1\nb,2\n", ["--clip", "5,0"], "two bounds that rise"),
    "one clip": ("s,x\na,1\nb,2\n", ["--clip", "5"], "LOW,HIGH"),
    "clip of a fit": ("s,x\na,1\nb,2\n", ["--clip", "0,5", "--fit", "gaussian"], "no bounds"),
    "clip of one": ("s,x\na,1\nb,2\n", ["--public", "x=1", "--clip", "0,1"], "0 or 1 already"),
    "clip twice": ("s,x\na,1\nb,2\n", ["--clip", "0,1", "--clip", "0,2"], "given 2 times"),
    "clip of one column twice": (
        "s,x\na,1\nb,2\n", ["--clip", "x=0,1", "--clip", "x=0,2"], "twice for the column 'x'"
    ),
    "clip of no column": ("s,x\na,1\nb,2\n", ["--clip", "y=0,1"], "'y' is no column of --public"),
    "width of no column": ("s,x\na,1\nb,2\n", ["--public", "x,x=1", "--bin-width", "2"],
                           "say of which column of --public, such as --bin-width 'x=NUMBER'"),
    "no release": ("s,x\na,1\nb,2\n", ["--releases", "0"], "not a whole number from 1"),
    "scales of one": ("s,x\na,1\nb,2\n", ["--scale", "3,2"], "scale"),
    "clip, no number": ("s,x\na,1\nb,2\n", ["--clip", "0,many"], "--clip"),
    "fit": ("s,x\na,1\nb,2\n", ["--fit", "kde"], "gaussian or mixture"),
    "fit of one": ("s,x\na,1\nb,2\n", ["--fit", "gaussian"], "the same number"),
    "components": ("s,x\na,1\nb,2\n", ["--components", "2"], "only --fit mixture"),
    "condition": ("s,x\na,1\nb,2\n", ["--where", "x >"], "expected a value"),
    "no order": ("s,x\na,foo\nb,2\n", ["--where", "x > 1"], "not ordered"),
    "no such value": ("s,x\na,yes\nb,no\n", ["--public", "x=yse"], "did you mean 'yes'?"),
    "nothing like it": ("s,x\na,1\nb,2\n", ["--public", "x=7"], "no row has the value '7'"),
    "no row left": ("s,x\na,1\nb,2\n", ["--where", "x > 5"], "left out (where: 2)"),
    "one column": ("s x\na 1\nb 2\n", [], "say --delimiter"),
    "epsilon": ("s,x\na,1\nb,2\n", ["--epsilon", "-1"], "epsilon"),
    "noise": ("s,x\na,1\nb,2\n", ["--noise", "cauchy"], "'cauchy'"),
    "lattice": ("s,x\na,0.5\nb,2\n", ["--noise", "discrete-laplace", "--step", "1"], "lattice"),
    "same column": ("s,x\n1,1\n2,2\n", ["--public", "s"], "the same column 's'"),
    "same value": ("s,x\na,1\nb,2\n", ["--public", "s=a"], "the same column 's'"),
    "columns": ("a,1\nb,2\n", ["--columns", "s,x,y"], "3 names"),
    "name of a file": ("s,x\na,1\nb,2\n", ["-o", "made.txt"], ".toml or .json"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_that_says_what_to_do(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, options, expected = BAD[name]
    path = tmp_path / "p.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    columns = "smoker" if name == "no column" else "s"
    given = ["--secret", columns, *([] if "--public" in options else ["--public", "x"])]
    output = [] if "-o" in options else ["-o", str(tmp_path / "made.toml")]
    assert main(["prior", str(path), *given, *options, *output]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert len(err) < (560 if "bounds.json" in err else 420)  # it has a whole file
    assert expected in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.csv"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"s":"a","x":1}\n{"s":"b"\n', "line 2: not JSON"), ('[{"s":"a"}]\n', "got list"),
        ('{"s":"a","x":1}\n{"s":"b","x":[2]}\n', "line 2: column 'x'"),
        ('{"s":"a","s":"b"}\n', "twice"),
        ('{"s":"a","x":NaN}\n', "NaN"), ('{"s":"a","y":1}\n{"s":"b","y":1}\n', "no column 'x'"),
        ("[" * 100_000, "nested"), ('{"s":"a","x":' + "9" * 5000 + "}\n", "line 1"),
        ("\n", "no rows"),
    ],
)  # fmt: skip
def test_bad_json_lines(content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match=re.escape(expected)) as caught:
        prior_of_file(path, "s", "x", options=DROP)
    assert "\n" not in str(caught.value)


def test_damaged_and_foreign_files(tmp_path: Path) -> None:
    whole = gzip.compress(b"s,x\n" + b"a,1\nb,2\n" * 10_000)
    parts = {
        "cut.csv.gz": (whole[:60], "damaged"), "cut2.csv.gz": (whole[:-20], "damaged"),
        "cut.jsonl.gz": (whole[:60], "line 1"), "p.parquet": (b"PAR1" * 9, "Parquet"),
        "p.xlsx": (b"PK\x03\x04", "spreadsheet"),
    }  # fmt: skip
    for name, (content, expected) in parts.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=expected) as caught:
            prior_of_file(tmp_path / name, "s", "x")
        assert str(caught.value).startswith(str(tmp_path / name))
    for name, expected in (("no.csv", "no such file"), ("", "no regular file")):
        with pytest.raises(InputError, match=expected):
            prior_of_file(tmp_path / name, "s", "x")


@pytest.mark.parametrize("command", ["certify", "loss", "calibrate", "coupling", "check"])
@pytest.mark.parametrize("name", ["d.csv", "d.csv.gz", "d.parquet", "d.jsonl"])
def test_a_table_given_as_a_problem_is_answered_with_prior(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("s,x\na,1\n")
    more = ["x.cert"] if command == "check" else []
    assert main([command, str(tmp_path / name), *more]) == 2
    err = capsys.readouterr().err
    assert f"pfverify prior {name} --secret COLUMN --public COLUMN" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("options", [[], ["--secret", "s", "--public", "x"]])
@pytest.mark.parametrize("name", ["p.toml", "p.json"])
def test_a_problem_given_as_records_is_answered_with_what_decides_it(
    name: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem, path = load_example("student"), tmp_path / name
    path.write_text(to_json(problem.to_table()) if name == "p.json" else example_text("student"))
    assert main(["prior", str(path), *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "this is a problem file already" in err
    assert f"pfverify certify {path} decides it" in err


# ---------------------------------------------------------------- what is not done


def test_names_and_values_are_never_run(tmp_path: Path) -> None:
    """Quotes, commands and functions in headers, cells, options and the file's name are text."""
    (tmp_path / "other.csv").write_text("s,x\nstolen,9\n")
    column = "x\"; DROP TABLE t; --'"
    secret = "read_text('other.csv')"
    path = tmp_path / "it's [a]*?; DROP.csv"
    out = io.StringIO()
    csv.writer(out).writerows([(secret, column), ("a' OR '1'='1", "1"), ("b", "2")])
    path.write_text(out.getvalue())
    (tmp_path / "it's aXY; DROP.csv").write_text(out.getvalue() * 2)  # what a pattern would match
    found = prior_of_file(path, secret, column, where=f'"{secret}" != \'c"\'')
    assert found.rows == {f"{secret}=a' OR '1'='1": 1, f"{secret}=b": 1}
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix != ".csv") == []


def test_the_engine_reads_one_file_alone(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("s,x\na,1\n")
    work = tmp_path / "work"  # the engine's own folder
    work.mkdir()
    connection = connected(tmp_path / "one.csv", work)
    assert connection.execute(f"FROM read_csv({quoted(str(tmp_path / 'one.csv'))})").fetchall()
    for query in (
        f"FROM read_csv({quoted(str(tmp_path / 'two.csv'))})",
        f"FROM read_text({quoted(str(tmp_path / '*'))})",
        f"COPY (SELECT 1) TO {quoted(str(tmp_path / 'three.csv'))}",
        "SET enable_external_access = true", "INSTALL httpfs", "FROM read_csv('/etc/passwd')",
    ):  # fmt: skip
        with pytest.raises(duckdb.Error):
            connection.execute(query)


def test_without_duckdb_the_remedy_is_named(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    (people.parent / "p.parquet").write_bytes(b"PAR1")
    for name in ("people.csv", "p.parquet"):
        path = str(people.parent / name)
        assert main(["prior", path, "--secret", "smoker", "--public", "age"]) == 2
        assert "in the checkout, pip install '.[data]'" in capsys.readouterr().err


def test_nothing_heavy_is_imported_for_help() -> None:
    code = (
        "import sys\nfrom pfverify.edge.cli import main\nmain(['prior', '--help'])\n"
        "print(*{'duckdb', 'sklearn', 'numpy', 'pandas'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ""


@pytest.mark.parametrize("broken", ["interrupt", "disk"])
def test_what_does_not_end_well_leaves_no_file(
    broken: str, people: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object) -> None:
        raise KeyboardInterrupt if broken == "interrupt" else OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    output = people.parent / "made.toml"
    options = ["--secret", "smoker", "--public", "age", "-o", str(output)]
    assert main(["prior", str(people), *options]) == (130 if broken == "interrupt" else 2)
    assert capsys.readouterr().err.count("\n") == 1
    assert [p.name for p in people.parent.iterdir()] == ["people.csv"]


@pytest.mark.parametrize(
    "rows", [100_000, pytest.param(10_000_000, marks=pytest.mark.long)], ids=str
)
def test_a_long_parquet_file_within_two_gigabytes(rows: int, tmp_path: Path) -> None:
    """Few values, and as many as there are rows, in intervals; the peak is of all processes."""
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "long.parquet"
    duckdb.connect().execute(
        f"COPY (SELECT ['a','b','c'][1 + (i * 7919) % 3] s, (i * 104729) % 100 x, i * 3 u "
        f"FROM range({rows}) t(i)) TO {quoted(str(path))} (FORMAT parquet)"
    )
    for options in (["--public", "x"], ["--public", "u", "--bin-width", str(rows // 10)]):
        output = tmp_path / "made.toml"
        command = [sys.executable, "-m", "pfverify", "prior", str(path), "--secret", "s", *options]
        subprocess.run([*command, "-o", str(output)], check=True, stdout=subprocess.DEVNULL)
        told = Problem.load(output).provenance
        assert told is not None
        assert told.rows_used == rows
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert peak < 2 * 1024**2, f"{peak} KiB"


CITY = "s,age,visits\n" + "".join(f"{'ab'[k % 2]},{k % 70},{k % 6}\n" for k in range(200))


def said_of(tmp_path: Path, capsys: pytest.CaptureFixture[str], *asked: str) -> str:
    """What is printed of these 200 records; the problem is p.toml."""
    (tmp_path / "city.csv").write_text(CITY)
    to = ["-o", str(tmp_path / "p.toml")]
    main(["prior", str(tmp_path / "city.csv"), "--secret", "s", *asked, *to])
    out, err = capsys.readouterr()
    return " ".join((out + err).split())


def test_a_clip_into_one_interval_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--public", "age", "--bins", "0,18,65,101", "--clip"]
    for more in ([], ["--release", "histogram"]):
        said = said_of(tmp_path, capsys, *asked, "0,5", *more)
        assert "--clip: from 0 to 5 every value is in one interval (0 to below 18)" in said
        assert not (tmp_path / "p.toml").exists()
    assert "200 used" in said_of(tmp_path, capsys, *asked, "0,18")
    assert "200 used" in said_of(tmp_path, capsys, *asked, "0,101")
    alone = ["--release", "histogram", "--absent", "gone"]
    assert "200 used" in said_of(tmp_path, capsys, *asked, "0,5", *alone)


def test_one_scale_for_several_columns_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = ["--public", "age,visits", "--bins", "age=0,30,50,70"]
    said = said_of(tmp_path, capsys, *two)
    assert "one scale is for all 2 columns, however large their numbers are; --scale A,B" in said
    assert "such as that of ranges which are chosen without looking at the data (--clip)" in said
    said = said_of(tmp_path, capsys, *two, "--clip", "visits=0,6")
    assert "(that of their ranges: --scale 45,6)" in said
    for more in (["--scale", "45,6"], ["--noise", "none"]):
        assert "one scale is for all" not in said_of(tmp_path, capsys, *two, *more)


def test_releases_are_of_one_x_or_of_fresh_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weekly = ["--public", "age", "--bins", "0,30,70", "--releases", "52"]
    assert "52 releases, all of the same X" in said_of(tmp_path, capsys, *weekly)
    assert not Problem.load(tmp_path / "p.toml").release.fresh  # type: ignore[attr-defined]
    said = said_of(tmp_path, capsys, *weekly, "--draws", "fresh")
    assert "52 releases, each of a fresh X: the records change between releases" in said
    assert Problem.load(tmp_path / "p.toml").release.fresh  # type: ignore[attr-defined]
    assert " releases, " not in said_of(tmp_path, capsys, *weekly[:-2])
    assert "draws: of how many releases?" in said_of(
        tmp_path, capsys, *weekly[:-2], "--draws", "same"
    )


def test_a_value_without_likeness_lists_those_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d.csv").write_text("s,x\na,yes\nb,no\n")
    asked = ["prior", str(tmp_path / "d.csv"), "--secret", "s", "--public"]
    assert main([*asked, "x=maybe"]) == 2
    assert capsys.readouterr().err.rstrip().endswith("'maybe' in column 'x'; it has no, yes")
    assert main([*asked, "x=ye"]) == 2
    assert capsys.readouterr().err.rstrip().endswith("did you mean 'yes'?")


@pytest.mark.parametrize(("data", "said"), [
    ("ages.xlsx (sheet of 2020)", "pfverify prior ages.xlsx --sheet 'of 2020' --secret a"),
    ("AGES.XLSM (sheet x (sheet y))", "pfverify prior AGES.XLSM --sheet 'x (sheet y)' --secret a"),
    ("ages (sheet 2).csv", "pfverify prior 'ages (sheet 2).csv' --secret a"),
    (None, "pfverify prior DATA --secret a"),
])  # fmt: skip
def test_a_command_that_is_proposed_names_the_file_and_the_sheet(
    data: str | None, said: str
) -> None:
    (words,) = hidden_words(Provenance(data=data, secret="b", public="a"))
    assert f"{said} --public a says how to hide it too." in words


@pytest.mark.parametrize(("scale", "command"), [
    ("2", "calibrate mine.toml --write mine-scaled.toml --method region"),
    ("20", "certify mine.toml"),
])  # fmt: skip
def test_the_next_command_is_the_safe_one_where_a_scale_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    scale: str, command: str,
) -> None:  # fmt: skip
    """Of the counts as exact 1.703 is enough, of all laws that they leave possible 9.9."""
    monkeypatch.chdir(tmp_path)
    Path("d.csv").write_text("higher,romantic\nyes,yes\nyes,no\nno,yes\nno,no\nyes,yes\n")
    asked = ["--secret", "higher", "--public", "romantic=yes", "--epsilon", "0.1"]
    assert main(["prior", "d.csv", *asked, "--scale", scale, "-o", "mine.toml"]) == 0
    assert f"Next: pfverify {command}\n" in capsys.readouterr().out
