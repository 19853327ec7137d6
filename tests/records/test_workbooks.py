"""Workbooks as records: what a sheet says, what is refused, and files that are hostile."""

from __future__ import annotations

import csv
import datetime
import subprocess
import sys
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import InputError, Problem, certify
from pfverify.edge.cli import main
from pfverify.records import workbook
from pfverify.records.prior import prior_of_file
from pfverify.records.source import TextReading

openpyxl = pytest.importorskip("openpyxl")

ROWS = [("yes", 1), ("yes", 0), ("no", 2), ("no", 2)]
HEAD = ("smoker", "visits")


def written(path: Path, rows: Any = (HEAD, *ROWS), **more: Any) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "People"
    for row in rows:
        book.active.append(row)
    for name, others in more.items():
        sheet = book.create_sheet(name)
        for row in others:
            sheet.append(row)
    book.save(path)
    return path


def counted(path: Path, sheet: str | None = None, **more: Any) -> Problem:
    reading = TextReading(sheet=sheet, names=more.pop("names", None))
    return prior_of_file(path, "smoker", "visits", reading=reading, **more).problem


def as_csv(path: Path, rows: Any = (HEAD, *ROWS)) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def same(one: Problem, other: Problem) -> bool:
    return one.to_table()["priors"] == other.to_table()["priors"]


def test_a_sheet_is_what_its_csv_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, text = written(tmp_path / "b.xlsx"), as_csv(tmp_path / "b.csv")
    assert same(counted(book), counted(text))
    words = ["--secret", "smoker", "--public", "visits", "--scale", "9", "-o"]
    assert main(["prior", str(book), *words, str(tmp_path / "m.toml")]) == 0
    assert "b.xlsx (sheet People)" in (tmp_path / "m.toml").read_text()
    problem = Problem.load(tmp_path / "m.toml")
    assert certify(problem).verdict == "certified"
    capsys.readouterr()


@given(st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(-(2**40), 2**40)), min_size=2, max_size=15,
).filter(lambda rows: len({name for name, _ in rows}) == 2))  # fmt: skip
@settings(max_examples=15, deadline=None)
def test_any_rows_are_counted_as_in_csv(rows: Any) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        book = written(Path(name) / "b.xlsx", [HEAD, *rows])
        assert same(counted(book), counted(as_csv(Path(name) / "b.csv", [HEAD, *rows])))


def test_sheets_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = written(tmp_path / "b.xlsx", [("x",)], Ages=[HEAD, *ROWS])
    with pytest.raises(InputError, match="there are 2 sheets, say --sheet with one of People, Age"):
        counted(book)
    with pytest.raises(InputError, match="--sheet: there is no sheet 'ages', expected one of"):
        counted(book, "ages")
    assert same(counted(book, "Ages"), counted(written(tmp_path / "c.xlsx")))
    words = ["--secret", "smoker", "--public", "visits"]
    assert main(["prior", str(book), *words, "--sheet", "Ages"]) == 0
    assert "sheet Ages" in capsys.readouterr().out
    assert main(["prior", str(as_csv(tmp_path / "b.csv")), *words, "--sheet", "Ages"]) == 2
    assert "--sheet: only a workbook (.xlsx) has sheets" in capsys.readouterr().err


def test_one_sheet_that_is_shown_is_the_one(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(written(tmp_path / "b.xlsx", More=[("x",)]))
    book["More"].sheet_state = "hidden"
    book["People"].row_dimensions[2].hidden = True  # it counts as all others
    book.save(tmp_path / "b.xlsx")
    assert same(counted(tmp_path / "b.xlsx"), counted(written(tmp_path / "c.xlsx")))


def test_dates_fractions_empty_rows_and_columns(tmp_path: Path) -> None:
    day = datetime.date(2024, 2, 29)
    rows = [(*HEAD, None, "day"), ("yes", 0.5, "note", day), (None, None), ("no", 1.5, None, day)]
    book = written(tmp_path / "b.xlsx", rows)
    with pytest.raises(InputError, match=r"0\.5 is a float"):
        counted(book)
    found = counted(book, options={"floats": "shortest"})
    assert atoms(found) == [[Fraction(3, 2)], [Fraction(1, 2)]]
    assert atoms(prior_of_file(book, "smoker", "day").problem) == [[19782], [19782]]


def atoms(problem: Problem) -> list[list[Fraction]]:
    return [[*law.mass] for law in problem.source.origin.laws["default"].values()]


def test_columns_may_be_named_from_outside(tmp_path: Path) -> None:
    book = written(tmp_path / "b.xlsx", ROWS)
    assert same(counted(book, names=[*HEAD]), counted(written(tmp_path / "c.xlsx")))


def formula(path: Path, value: str | None) -> Path:
    """A workbook with a formula, and the value that is kept for it."""
    plain = written(path, [HEAD, *ROWS[:3], ("no", "=1+1")])
    with zipfile.ZipFile(plain) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    (name,) = (name for name in parts if "worksheets/sheet" in name)
    assert b"<f>1+1</f><v" in parts[name]
    kept = b"" if value is None else b"<v>%s</v>" % value.encode()
    parts[name] = parts[name].replace(b"<f>1+1</f><v />", b"<f>1+1</f>" + kept)
    parts[name] = parts[name].replace(b"<f>1+1</f><v></v>", b"<f>1+1</f>" + kept)
    return packed(path, parts)


def packed(path: Path, parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def test_formulas_are_the_values_that_are_kept(tmp_path: Path) -> None:
    book = formula(tmp_path / "b.xlsx", "2")
    assert same(counted(book), counted(written(tmp_path / "c.xlsx")))
    with pytest.raises(InputError, match="row 5: a formula without a value in column 2; save the"):
        counted(formula(tmp_path / "d.xlsx", None))


def test_an_error_of_a_cell_is_one(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(written(tmp_path / "b.xlsx"))
    cell = book.active["B3"]
    cell.value, cell.data_type = "#DIV/0!", "e"
    book.save(tmp_path / "b.xlsx")
    with pytest.raises(InputError, match="row 3: the error #DIV/0! in column 2"):
        counted(tmp_path / "b.xlsx")


def changed(path: Path, change: Callable[[dict[str, bytes]], Any]) -> Path:
    with zipfile.ZipFile(written(path)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    return packed(path, parts)


SHEET = "xl/worksheets/sheet1.xml"
LAUGHS = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def put(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], Any]:
    def change(parts: dict[str, bytes]) -> None:
        assert old in parts[name]
        parts[name] = parts[name].replace(old, new)

    return change


HOSTILE: list[tuple[Callable[[dict[str, bytes]], Any], str]] = [
    (lambda parts: parts.update({SHEET: LAUGHS + parts[SHEET]}), "defines a document type"),
    (lambda parts: parts.update({SHEET: b"<!--" + b"-" * 70_000 + b"-->" + LAUGHS}), "no XML in"),
    (lambda parts: parts.update({SHEET: "<a/>".encode("utf-16")}), "is no XML in UTF-8"),
    (lambda parts: parts.update({SHEET: b"<worksheet"}), "the workbook cannot be read"),
    (lambda parts: parts.update({SHEET: b"<worksheet/>"}), "row 1: there are no names"),
    (lambda parts: parts.pop(SHEET), "the workbook cannot be read|there are 0 sheets"),
    (lambda parts: parts.pop("xl/workbook.xml"), "the workbook cannot be read"),
    (lambda parts: parts.update({"xl/more.xml": b" " * 1_000_001}),
     "a workbook of .* bytes in .* parts, expected at most"),
    (lambda parts: parts.update({f"xl/{k}": b"" for k in range(10_001)}), "in 10.* parts, expect"),
    (put(SHEET, b'<row r="4"', b'<row r="99999999999"'), "or 10000 cells"),
    (put(SHEET, b'<row r="4"', b'<row r="x"'), "the workbook cannot be read"),
    (put(SHEET, b'r="B4"', b'r="ZZZZ9"'), "the workbook cannot be read|more than"),
    (put(SHEET, b'r="B4"', b'r="XFD4"'), "or 10000 cells"),
    (put(SHEET, b"<v>0</v>", b"<v>" + b"9" * 5000 + b"</v>"), "."),
]


@pytest.mark.parametrize(("change", "said"), HOSTILE)
def test_a_hostile_workbook_is_refused_in_a_line(
    change: Any, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook, "MOST_CELLS", 10_000)
    monkeypatch.setattr(workbook, "MOST_ROWS", 1000)
    monkeypatch.setattr(workbook, "MOST_BYTES", 1_000_000)
    book = changed(tmp_path / "b.xlsx", change)
    with pytest.raises(InputError, match=said) as caught:
        counted(book)
    assert "\n" not in str(caught.value)


def test_a_dimension_that_lies_is_not_believed(tmp_path: Path) -> None:
    book = changed(tmp_path / "b.xlsx", put(SHEET, b'ref="A1:B5"', b'ref="A1:XFD1048576"'))
    assert same(counted(book), counted(written(tmp_path / "c.xlsx")))
    book = changed(tmp_path / "b.xlsx", put(SHEET, b'ref="A1:B5"', b'ref="A1:A1"'))
    assert same(counted(book), counted(written(tmp_path / "c.xlsx")))


@pytest.mark.parametrize(("rows", "said"), [
    ([("smoker", "smoker"), ("a", 1)], "the column 'smoker' occurs 2 times in the header"),
    ([("smoker", 0.5), ("a", 1)], "row 1: '0.5' is no name of a column"),
    ([], "row 1: there are no names of columns"),
    ([("smoker", "visit"), ("a", 1)], "no column 'visits'; did you mean 'visit'"),
    ([HEAD, ("a", datetime.time(1, 2)), ("b", 1)], "column 'visits'"),
    ([HEAD, ("a", True), ("b", 1)], "'true' is no number"),
    ([HEAD, ("a", None), ("b", 1)], "visits"),
])  # fmt: skip
def test_what_is_no_table_is_told(tmp_path: Path, rows: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        counted(written(tmp_path / "b.xlsx", rows))


def test_other_archives_and_old_files_are_named(tmp_path: Path) -> None:
    packed(tmp_path / "b.xlsx", {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"})
    with pytest.raises(InputError, match="a zip archive that is no workbook"):
        counted(tmp_path / "b.xlsx")
    (tmp_path / "b.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99))
    with pytest.raises(InputError, match="an old or encrypted spreadsheet"):
        counted(tmp_path / "b.xls")
    data = written(tmp_path / "c.xlsx").read_bytes()
    (tmp_path / "c.xlsx").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="a damaged spreadsheet, or zip archive"):
        counted(tmp_path / "c.xlsx")


@pytest.mark.parametrize(("name", "kind"), [
    ("b.xlsx", "workbook"), ("b.XLS", "workbook"), ("b.parquet", "Parquet file"),
])  # fmt: skip
def test_what_its_name_calls_a_workbook_is_not_read_as_text(
    tmp_path: Path, name: str, kind: str
) -> None:
    (tmp_path / name).write_bytes(b"\xff\x00 neither text nor a table")
    with pytest.raises(InputError, match=f"no {kind}, though its name ends in {name[1:]}"):
        counted(tmp_path / name)


def test_without_openpyxl_the_extra_is_named(tmp_path: Path) -> None:
    written(tmp_path / "b.xlsx")
    code = (
        "import sys; sys.modules['openpyxl'] = None\n"
        "from pfverify.edge.cli import main\n"
        "sys.exit(main(['prior', 'b.xlsx', '--secret', 'smoker', '--public', 'visits']))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert run.returncode == 2
    assert "a workbook needs openpyxl: in the checkout, pip install '.[xlsx]'" in run.stderr
