"""A report on a phone, on paper and in its pictures: nothing cut, alone or on top of another."""

from __future__ import annotations

import re
import shutil
import subprocess
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Browser, chromium

from pfverify import (
    Discrete,
    DiscreteLaplace,
    GaussianNoise,
    InputError,
    Laplace,
    Problem,
    certify,
    sample,
)
from pfverify.edge.cli import main
from pfverify.edge.document import Table
from pfverify.edge.render.html import html_of
from pfverify.edge.render.markdown import markdown_of
from pfverify.edge.report.report import Front, report, save_report, written
from pfverify.exact.decimals import decimal_upper
from pfverify.laws.kinds import ADDED
from pfverify.model.kinds import NOISES
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.noises.truncated_laplace import TruncatedLaplace


def rows(count: int) -> Problem:
    """Many values, some of them close to each other beside one that is far away."""
    yes = [("yes", v) for v in (0, 1, 2, 40) for _ in range(50 + v)]
    no = [("no", v) for v in (0, 1, 2, 3, 900) for _ in range(count - v // 20)]
    return Problem.from_records([*yes, *no], epsilon="1/2", noise=Laplace(2000))


PROBLEMS: dict[str, Problem | str] = {
    "records": rows(60), "theorem-2-fails": "example:theorem-2-fails",
    "rappor-one-time": "example:rappor-one-time", "census": "example:census",
}  # fmt: skip


def words_of(page: str) -> str:
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", text)))


OPEN = "document.querySelectorAll('details').forEach(d => { d.open = true })"
CLIPPED = """[document.documentElement, ...document.querySelectorAll('main *')].filter(e =>
  !e.closest('svg') && !e.closest('math') && e.clientWidth && e.scrollWidth > e.clientWidth + 1)
  .map(e => e.tagName + '.' + e.className)"""
TOUCHING = """[...document.querySelectorAll('svg')].flatMap(svg => {
  const boxes = [...svg.querySelectorAll('text')].map(
    t => [t.textContent, t.getBoundingClientRect()]);
  return boxes.flatMap(([a, p], k) => boxes.slice(k + 1).filter(([b, q]) =>
    p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 2 && q.top < p.bottom - 2)
    .map(([b]) => a + ' on ' + b)) })"""


@pytest.mark.parametrize("name", PROBLEMS)
def test_nothing_is_cut_on_a_phone_and_no_text_of_a_picture_touches_another(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    save_report(report(PROBLEMS[name]), tmp_path / "r.html")
    for width in (360, 1280):
        browser.open(tmp_path / "r.html", width)
        browser.value(OPEN)
        assert browser.value("document.querySelectorAll('svg text').length") > 8
        assert browser.value(TOUCHING) == []
        if width == 360:
            assert browser.value(CLIPPED) == []


@pytest.mark.parametrize("name", ["records", "theorem-2-fails"])
def test_on_paper_no_heading_stands_alone_and_pages_are_full(tmp_path: Path, name: str) -> None:
    if chromium() is None or not all(map(shutil.which, ("pdftotext", "pdftoppm"))):
        pytest.skip("there is no Chromium, or nothing that reads a PDF, on this machine")
    made = report(PROBLEMS[name])
    paper = tmp_path / "r.pdf"
    save_report(made, paper)
    text = subprocess.run(["pdftotext", "-layout", paper, "-"], capture_output=True, check=True)
    pages = [[line.strip() for line in page.splitlines() if line.strip()]
             for page in text.stdout.decode().split("\f")][:-1]  # fmt: skip
    assert len(pages) >= 4
    headings = {part.title for part in made.parts}
    assert headings <= {line for page in pages for line in page}
    captions = {block.caption for part in made.parts for block in part.blocks
                if isinstance(block, Table)}  # fmt: skip
    assert len(captions & {line for page in pages for line in page}) >= 2
    for page in pages:
        assert page[-1] not in headings
        assert not page[-1].endswith(":")
        assert not captions & set(page[-3:])  # of a table whose rows are on the next page
    subprocess.run(["pdftoppm", "-gray", "-r", "30", paper, tmp_path / "page"], check=True)
    for page in sorted(tmp_path.glob("page-*.pgm"))[:-1]:  # the last one ends where it ends
        header, size, _, data = page.read_bytes().split(b"\n", 3)
        assert header == b"P5"
        wide, high = map(int, size.split())
        ink = np.frombuffer(data, np.uint8).reshape(high, wide).min(axis=1) < 200
        assert np.flatnonzero(ink)[-1] > 0.6 * high, page.name


def test_losses_have_3_digits_and_the_rest_on_demand() -> None:
    page = html_of(report("example:census"))
    folded = next(one for one in re.findall("<details.*?</details>", page, re.DOTALL)
                  if "The losses with all digits" in one)  # fmt: skip
    rest = page.replace(folded, "")
    pairs = certify(Problem.load("example:census")).pairs
    assert len(pairs) == 2
    for pair in pairs:
        assert pair.loss is not None
        whole = str(pair.loss.upper)
        assert len(whole) > 8
        assert f"{pair.loss.lower} to {whole}" in folded
        assert whole not in rest
        assert f">{decimal_upper(Fraction(whole), 3)}<" in rest


def test_a_report_has_a_title_an_owner_a_date_and_one_thing_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.html"
    head = ["--title", "Loans <2025>", "--owner", "Data & office", "--date", "2025-11-23"]
    assert main(["report", "example:theorem-2-fails", "-o", str(out), *head]) == 1
    capsys.readouterr()
    page = words_of(out.read_text("utf-8"))
    assert "Loans <2025> Owner: Data & office; Date: 2025-11-23" in page
    assert page.count("What to do:") == 1
    assert "do not publish the number with so little noise. A scale of 5.07 is enough" in page
    assert "under it" not in page
    bare = report("example:census")
    assert "Owner:" not in html_of(bare)
    assert words_of(html_of(bare)).count("What to do: publish the number once, with exactly") == 1
    assert "What to do:" in markdown_of(Front("t").on(bare))
    assert Front("", "", "").on(bare) == Front().on(bare)


@pytest.mark.parametrize(("how", "said"), [
    ({}, "publish the number once, with exactly"),
    ({"clip": (0, 2)}, "publish the number once, from values clipped as is assumed below, with"),
    ({"clip": (0, 2), "bin_width": 2}, "from values clipped and put into their intervals as is"),
])  # fmt: skip
def test_what_to_do_says_what_the_number_is_made_of(how: dict[str, Any], said: str) -> None:
    rows = [("ab"[k % 2], k % 5) for k in range(40)]
    counted = Problem.from_records(rows, epsilon=1, **how).replaced(scale=50)
    assert said in words_of(html_of(report(counted)))


def test_what_to_do_is_enough() -> None:
    """The scale that a refuted report recommends is certified."""
    priors = {"a": Discrete({0: "1/2", 3: "1/2"}), "b": Discrete({0: "1/7", 3: "6/7"})}
    problem = Problem(priors, noise=Laplace("1/100"), epsilon="1/3")
    said = words_of(html_of(written("p.toml", problem)))
    scale = re.search(r"A scale of (\S+) is enough", said)
    assert scale is not None
    assert certify(problem.replaced(scale=scale[1])).certified


def axes(page: str) -> list[str]:
    """The names of all axes that lie."""
    found = re.findall('<text x="[0-9.]+" y="[0-9.]+" text-anchor="middle">([^<]*)</text>', page)
    return [unescape(text) for text in found if not re.fullmatch(r"[-\u22120-9.e+]*", text)]


def counted(tmp_path: Path, column: str, values: list[str], *more: str) -> str:
    rows = "".join(f"{'yn'[k % 2]},{values[k * k % len(values)]}\n" for k in range(90))
    (tmp_path / "d.csv").write_text(f's,"{column}"\n{rows}', "utf-8")
    asked = ["prior", str(tmp_path / "d.csv"), "--secret", "s", "--public", column, *more]
    assert main([*asked, "--scale", "300", "-o", str(tmp_path / "p.toml")]) == 0
    return html_of(report(tmp_path / "p.toml"))


DAYS = [f"2024-03-{day:02d}" for day in range(1, 24)]
NUMBERS = ["0", "3", "7", "8"]


@pytest.mark.parametrize(("column", "values", "more", "said"), [
    ("age", NUMBERS, [], ["published number y: age", "value: age", "scale, in the unit of age"]),
    ("age", NUMBERS, ["--release", "sum", "--clip", "0,8", "--rest", "any"],
     ["published number y: sum of age", "value: sum of age", "scale, in the unit of age"]),
    ("visit", DAYS, [], ["published number y: visit (days since 1970-01-01)",
                         "visit (days since 1970-01-01)", "scale, in days"]),
    ("first visit to the clinic in that year", DAYS, [],
     ["first visit to th...hat year (days since 1970-01-01)", "scale, in days"]),
    ("<b>\u05d0", NUMBERS, [], ["published number y: \u2068<b>\u05d0\u2069"]),
])  # fmt: skip
def test_axes_have_the_column_and_its_unit(
    tmp_path: Path, column: str, values: list[str], more: list[str], said: list[str]
) -> None:
    found = axes(counted(tmp_path, column, values, *more))
    for words in said:
        assert any(words in name for name in found), found
    assert "published number y" not in found


def test_axes_of_a_file_without_names_say_what_they_are() -> None:
    found = axes(html_of(report("example:theorem-2-fails")))
    assert "published number y" in found
    assert "scale" in found


def test_no_name_of_an_axis_leaves_its_picture(browser: Browser, tmp_path: Path) -> None:
    page = counted(tmp_path, "first visit to the clinic, wherever it was, in that year", DAYS)
    (tmp_path / "r.html").write_text(page, "utf-8")
    outside = """[...document.querySelectorAll('svg')].flatMap(svg => {
      const frame = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].filter(t => {
        const box = t.getBoundingClientRect();
        return box.left < frame.left - 1 || box.right > frame.right + 1 }).map(
          t => t.textContent) })"""
    for width in (390, 1280):
        browser.open(tmp_path / "r.html", width)
        assert browser.value(TOUCHING) == []
        assert browser.value(outside) == []


NOISES_DRAWN = {
    "laplace": (Laplace(9), False), "gaussian": (GaussianNoise(9), False),
    "discrete-laplace": (DiscreteLaplace(9, step=1), True),
    "discrete-gaussian": (DiscreteGaussian(9, step=1), True),
    "truncated-discrete-laplace": (TruncatedDiscreteLaplace(9, step=1, bound=40), True),
    "bounded-laplace": (BoundedLaplace(9, low=0, high=40), False),
    "truncated-laplace": (TruncatedLaplace(9, bound=40), False),
    "table": (TableNoise({-1: "1/4", 0: "1/2", 1: "1/4"}), True),
}  # fmt: skip


@pytest.mark.parametrize("kind", [
    name for name, kind in NOISES.items() if ADDED[kind] and name != "none"
])  # fmt: skip
def test_an_exact_sampler_is_named_where_there_is_one(kind: str) -> None:
    """What the page says of drawing the noise is what sample does."""
    noise, exact = NOISES_DRAWN[kind]
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    problem = Problem(priors, noise=noise, epsilon=2, delta="1/2")
    page = words_of(html_of(report(problem)))
    (said,) = re.findall(r"What to do: publish the number once, .*?again", page)
    assert ("from a sampler that is exact" in said) is exact
    assert ("which no computer draws exactly" in said) is not exact
    if exact:
        assert len(sample(problem).draws) == 1
    else:
        with pytest.raises(InputError, match="continuous"):
            sample(problem)
