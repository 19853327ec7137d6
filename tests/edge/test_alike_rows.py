"""What is equal is shown once, with its number; what programs read has every row."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from pathlib import Path

import pytest
from junitparser import JUnitXml

from pfverify import Discrete, Laplace, Problem
from pfverify.edge.cli import main
from pfverify.edge.document import AS_BEFORE
from pfverify.edge.render.html import html_of
from pfverify.edge.report.report import report
from pfverify.edge.views.pairs import ALIKE, listed, named_pairs
from pfverify.model.provenance import CONFIDENTIAL, WARNING
from pfverify.records.build import size_text


def alike(secrets: int, last: int = 1, scale: str = "2") -> Problem:
    """Secrets that are all 0 for sure, but the last one."""
    priors = {f"s{k}": Discrete({0: 1}) for k in range(secrets - 1)}
    return Problem(
        priors | {"other": Discrete({last: 1})}, noise=Laplace(scale), epsilon=1
    )  # fmt: skip


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main([*words])
    return capsys.readouterr().out


def words_of(page: str) -> str:
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", text)))


def test_names_are_listed_with_their_number() -> None:
    assert listed(["a", "b", "a"]) == "a, b"
    assert listed(["b", "a", "c"]) == "b, a, c"
    assert listed("abacd") == "a, b, c, ... (4)"


def test_pairs_of_the_same_numbers_are_one_row(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = str(tmp_path / "p.toml")
    alike(14).save(name)
    for command in ("certify", "loss"):
        out = printed(capsys, command, name)
        rows = [line for line in out.splitlines() if "│" in line]
        first, second = ([cell.strip() for cell in row.split("│")] for row in rows)
        assert first[:2] == ["26 pairs, such as s0", "other"]
        assert second[0] == "156 pairs: s0, s1, s2, ... (13)"
        assert "0.5" in first
        assert first[-1] == "0, ... (2)"
        assert "0.5" not in second
        assert "A row of several ordered pairs: each has these numbers" in out
        assert "more ordered pairs" not in out
        assert len(json.loads(printed(capsys, command, name, "--json"))["pairs"]) == 14 * 13
        table = csv.DictReader(io.StringIO(printed(capsys, command, name, "--csv")))
        assert len({(row["from"], row["to"]) for row in table}) == 14 * 13
    assert "| 26 pairs, such as s0 |" in printed(capsys, "certify", name, "--format", "markdown")


@pytest.mark.parametrize(("secrets", "rows"), [(2, 2), (3, 6), (4, 2)])
def test_a_short_table_stays_as_it_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, secrets: int, rows: int
) -> None:
    name = str(tmp_path / "p.toml")
    alike(secrets).save(name)
    out = printed(capsys, "certify", name)
    assert len([line for line in out.splitlines() if "│" in line]) == rows
    assert ("A row of several ordered pairs" in out) == (" pairs: " in out) == (secrets == 4)


@pytest.mark.parametrize("same", [ALIKE - 1, ALIKE])
def test_few_that_are_equal_have_rows_of_their_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, same: int
) -> None:
    """Of so many equal secrets as many pairs in each order have one loss with another secret."""
    priors = {f"t{k}": Discrete({0: 1}) for k in range(same)}
    priors |= {f"s{k}": Discrete({0: f"{k + 1}/9", 1: f"{8 - k}/9"}) for k in range(3)}
    name = str(tmp_path / "p.toml")
    Problem(priors, noise=Laplace(2), epsilon=1).save(name)
    out = printed(capsys, "certify", name)
    of_other = [line for line in out.splitlines() if re.search(r"t0|t1, ", line) and "s0" in line]
    assert len(of_other) == 2
    assert all(("pairs: " in line) == (same >= ALIKE) for line in of_other), out


def test_the_rest_is_counted_in_pairs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Every shown row but the first groups is one pair; what is left out is counted one by one."""
    priors = {f"s{k}": Discrete({0: f"{60 + k * k}/400", 1: f"{340 - k * k}/400"})
              for k in range(8)}  # fmt: skip
    priors |= {f"t{k}": Discrete({0: "1/400", 1: "399/400"}) for k in range(4)}
    name = str(tmp_path / "p.toml")
    Problem(priors, noise=Laplace(2), epsilon=1).save(name)
    out = printed(capsys, "certify", name)
    rows = [line for line in out.splitlines() if "│" in line]
    assert len(rows) == 40
    counted = sum(int(found[1]) if (found := re.match(r"(\d+) pairs(?:: |, such as )", row)) else 1
                  for row in rows)  # fmt: skip
    assert counted > 60
    left = re.search(r"and (\d+) more ordered pairs \(all less close", out)
    assert left is not None
    assert counted + int(left[1]) == 12 * 11


def test_recipes_of_the_same_numbers_are_one_row(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = str(tmp_path / "p.toml")
    alike(2).save(name)
    methods = json.loads(printed(capsys, "calibrate", name, "--json"))["methods"]
    assert len(methods) >= 8
    assert {row["scale"] for row in methods.values()} == {"1"}
    out = printed(capsys, "calibrate", name)
    rows = [line for line in out.splitlines() if "│" in line]
    label = f"l1 and {len(methods) - 2} more"
    assert [row.split("│")[0].strip() for row in rows] == [label, "minimum"]
    said = " ".join(out.split())
    assert f"{label}, with the same numbers: {', '.join([*methods][:-1])} " in said
    made = html_of(report(Problem.load(name)))
    page = words_of(made)
    assert f"{label} 1.0000 certified 1.00x" in page
    assert f"These recipes ask for the same here: {', '.join([*methods][:-1])}." in page
    assert f"Each recipe by itself ({len(methods)})" in page
    for recipe in methods:
        assert f" {recipe} 1.0000 certified" in page
    assert made.count(">minimum</text>") == made.count(f">{label}</text>") == 1
    assert "wasserstein</text>" not in made


def test_recipes_of_other_numbers_have_rows_of_their_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = printed(capsys, "calibrate", "example:census")
    methods = json.loads(printed(capsys, "calibrate", "example:census", "--json"))["methods"]
    assert [line.split("│")[0].strip() for line in out.splitlines() if "│" in line] == [*methods]


def test_a_report_shows_what_is_equal_once(tmp_path: Path) -> None:
    problem = alike(14)
    page = words_of(html_of(report(problem)))
    assert "26 pairs, such as s0 other certified 0.5" in page
    assert "All 182 ordered pairs" in page
    for name in ("s0", "s7", "s12"):
        assert f" other {name} certified 0.5" in page  # in the whole table
    redacted = html_of(report(problem, redact=True))
    shown = re.sub("<details.*?</details>", "", redacted, flags=re.DOTALL)
    assert "91 pairs: s0, s1, s2, ... (13)" in words_of(shown)
    assert shown.count('class="badge') == 1
    assert " s3 other certified" in words_of(redacted)


def test_junit_has_one_case_for_many_that_hold(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = str(tmp_path / "p.toml")
    alike(14).save(name)
    found = JUnitXml.fromstring(printed(capsys, "certify", name, "--format", "junit").encode())
    (suite,) = found
    assert (found.tests, found.failures, found.errors) == (1, 0, 0)
    (case,) = suite
    assert (case.name, case.classname) == ("certified ordered pairs", name)
    assert case.is_passed
    lines = case.system_out.splitlines()
    assert lines[0] == "182 certified ordered pairs:"
    assert len({*lines}) == 183
    said = "certified for epsilon = 1, delta = 0; the loss is exactly 1/2."
    assert f"s3 against other: {said}" in lines


def test_each_pair_that_fails_is_a_case_of_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = str(tmp_path / "p.toml")
    alike(14, last=9).save(name)
    found = JUnitXml.fromstring(printed(capsys, "certify", name, "--format", "junit").encode())
    assert (found.tests, found.failures, found.errors) == (27, 26, 0)
    (suite,) = found
    assert len([*suite]) == len({case.name for case in suite}) == 27
    assert {f"other -> s{k}" for k in range(13)} <= {case.name for case in suite}
    alike(3).save(name)
    few = JUnitXml.fromstring(printed(capsys, "certify", name, "--format", "junit").encode())
    assert sorted(case.name for case in next(iter(few)))[:2] == ["other -> s0", "other -> s1"]


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_what_is_assumed_is_said_once(capsys: pytest.CaptureFixture[str], form: str) -> None:
    names = [f"example:{name}" for name in ("census", "bank", "flu", "student")]
    out = printed(capsys, "certify", *names, "--format", form)
    said = [line.strip() for line in out.splitlines() if line.strip().startswith("Assumed: ")]
    given, same, chain, again = said
    assert given == again
    assert same == f"Assumed: {AS_BEFORE}"
    assert "Markov chain" in chain


TABLE = "s,v\n" + "a,0\na,1\nb,1\nb,0\n" * 9


@pytest.mark.parametrize(("how", "assumed"), [
    (["--public", "v"], True),
    (["--public", "v", "--release", "sum", "--clip", "0,1", "--rest", "any"], True),
    (["--public", "s=a", "--release", "count", "--rest", "known"], True),
    (["--public", "s=a", "--release", "count", "--rest", "any"], False),
    (["--public", "s=a", "--release", "count", "--rest", "any", "--absent", "gone"], False),
])  # fmt: skip
def test_priors_are_assumed_where_there_are_any(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, how: list[str], assumed: bool
) -> None:
    (tmp_path / "d.csv").write_text(TABLE, "utf-8")
    problem = tmp_path / "p.toml"
    asked = ["prior", str(tmp_path / "d.csv"), "--secret", "s", *how, "--scale", "9"]
    out = " ".join(printed(capsys, *asked, "-o", str(problem)).split())
    assert (f"Assumed: {WARNING}" in out) == assumed
    assert "Assumed: Keep" not in out
    assert out.count(CONFIDENTIAL) == 1
    page = re.sub("<details.*?</details>", "", html_of(report(problem)), flags=re.DOTALL)
    assert words_of(page).count(CONFIDENTIAL) == 1
    assert words_of(page).count(f"Bear in mind: {WARNING}") == assumed


def test_no_size_is_beyond_what_a_reader_can_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert size_text(3 << 33) == "3.0 GiB"
    rows = "".join(f"{'ab'[k % 2]},c{k % 12}\n" for k in range(3000))
    (tmp_path / "d.csv").write_text("s,v\n" + rows, "utf-8")
    asked = ["prior", str(tmp_path / "d.csv"), "--secret", "v", "--public", "v=c1"]
    out = " ".join(printed(capsys, *asked, "--release", "count", "-o",
                           str(tmp_path / "p.toml")).split())  # fmt: skip
    assert re.search(r"sum would take some [0-9.]+ MiB of memory, more than the 512.0 KiB", out)
    (tmp_path / "d.csv").write_text(
        "v\n" + "".join(f"c{k % 8}\n" for k in range(3000)), "utf-8"
    )  # fmt: skip
    asked = ["prior", str(tmp_path / "d.csv"), "--secret", "v", "--public", "v"]
    out = " ".join(printed(capsys, *asked, "--release", "histogram", "-o",
                           str(tmp_path / "p.toml")).split())  # fmt: skip
    assert "law of their sum would take more memory than any machine has" in out
    assert "TiB" not in out


def test_a_row_says_which_pairs_it_means() -> None:
    """All pairs of some names, or of some against others; else it names one of them."""
    every = [(a, b) for a in "abcd" for b in "abcd" if a != b]
    assert named_pairs(every) == ("12 pairs: a, b, c, ... (4)", "b, c, d, ... (4)")
    one_way = [(a, b) for a, b in every if a < b]
    assert named_pairs(one_way) == ("6 pairs: a, b, c", "b, c, d")
    across = [(a, b) for a in "ab" for b in "xyz"]
    assert named_pairs(across) == ("6 pairs: a, b", "x, y, z")
    assert named_pairs([*one_way[:2], ("c", "d")]) == ("3 pairs, such as a", "b")
    assert named_pairs([("a", "b")]) == ("a", "b")
