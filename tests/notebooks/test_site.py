"""The documentation site is built without a warning, and its pages need no network."""

from __future__ import annotations

import importlib.util
import re
from html import unescape
from pathlib import Path

import pytest
from support.books import SOURCE, build, small
from support.browser import Browser, chromium

import pfverify
import pfverify.many
import pfverify.oracle
from pfverify.edge.cli import COMMANDS
from pfverify.edge.glossary.entries import entries
from pfverify.model.schema import problem_schema

CODE = re.compile(r"<(pre|script|code).*?</\1>", re.DOTALL)
pytestmark = [
    pytest.mark.long,  # .ci/run builds the site in a step of its own, by these tests
    pytest.mark.skipif(
        importlib.util.find_spec("jupyter_book") is None,
        reason="jupyter-book is missing: the extra docs",
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built pages."""
    out = tmp_path_factory.mktemp("site")
    run = build(SOURCE, out)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    return out / "_build" / "html"


def words(page: Path) -> str:
    """The text of a page."""
    return unescape(re.sub(r"<[^>]*>", "", page.read_text("utf-8")))


def sources() -> list[str]:
    """Every page that is written by hand, without its suffix."""
    found = [*SOURCE.glob("*.md"), *SOURCE.glob("*.ipynb"), *SOURCE.glob("[a-z]*/*.md")]
    return sorted(str(path.relative_to(SOURCE).with_suffix("")) for path in found)


def test_every_source_is_a_page(site: Path) -> None:
    assert len(sources()) > 10
    for name in sources():
        assert (site / f"{name}.html").exists(), f"{name} is not in _toc.yml"


def test_the_reference_names_everything(site: Path) -> None:
    python = (site / "reference" / "python.html").read_text("utf-8")
    for name in set(pfverify.__all__) - {"__version__"}:
        assert f'id="pfverify.{name}"' in python, name
    for module in (pfverify.many, pfverify.oracle):
        for name in module.__all__:
            assert f'id="{module.__name__}.{name}"' in python, name
    commands = words(site / "reference" / "commands.html")
    for name in COMMANDS:
        assert f"pfverify {name} [OPTIONS]" in commands, name
    terms = words(site / "reference" / "terms.html")
    for entry in entries():
        assert " ".join(entry.sentence.replace("`", "").split()) in terms, entry.term
    keys = words(site / "reference" / "problem-file.html")
    for name in problem_schema()["properties"]:
        assert re.search(rf"^{name}$", keys, re.MULTILINE), name


def test_formulas_are_formulas(site: Path) -> None:
    """No dollar is left over, and no prose stands between two of them."""
    for name in sources():
        page = (site / f"{name}.html").read_text("utf-8")
        for formula in re.findall(r"<math.*?</math>", page, re.DOTALL):
            assert len(re.findall("<mi>[a-zA-Z]</mi>", formula)) <= 25, (name, formula)
        assert "$" not in re.sub(r"<[^>]*>", "", re.sub(CODE, "", page)), name


def test_a_half_is_a_half(site: Path) -> None:
    """Digits after \\tfrac are its two numbers, and a logarithm stands apart from what it is of."""
    for name in ("04-a-theorem-that-fails", "09-what-really-runs"):
        page = (site / f"{name}.html").read_text("utf-8")
        assert "<mn>12</mn>" not in page
        assert re.search(r"<mn>1</mn>\s*<mn>2</mn>\s*</mfrac>", page), name
    page = (site / "11-ten-releases.html").read_text("utf-8")
    assert re.search(r"<mi>log</mi>\s*<mo>[^<]*</mo>\s*<mspace", page)


def test_the_link_to_the_proofs_is_where_they_are_built(site: Path) -> None:
    page = site / "reference" / "proofs.html"
    (place,) = re.findall(r"prove --html notebooks/_build/html/(\S+)", words(page))
    (link,) = re.findall(r'href="([^"]*)">Open the book', page.read_text("utf-8"))
    assert (page.parent / link).resolve() == (site / place / "index.html").resolve()


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")
def test_the_pages_in_a_browser(site: Path, tmp_path: Path) -> None:
    """No request leaves the machine, nothing is wrong on the console, and phones are served."""
    pages = sorted(site.glob("*.html")) + sorted(site.glob("[a-z]*/*.html"))
    assert len(pages) > len(sources())
    with Browser(str(chromium()), tmp_path) as browser:
        for page in pages:
            browser.open(page, 390)
            assert browser.complaints() == [], page
            assert browser.value("document.documentElement.scrollWidth") <= 390, page
        for name in ("index", "reference/problem-file"):
            browser.open(site / f"{name}.html", 1280)
            serious = [v for v in browser.violations() if v.startswith(("serious", "critical"))]
            assert serious == [], name


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")
def test_code_is_not_cut_off_and_set_up_is_folded(site: Path, tmp_path: Path) -> None:
    notebooks = sorted(site.glob("[0-9]*.html"))
    assert len(notebooks) == len(list(SOURCE.glob("*.ipynb")))
    wide = """[...document.querySelectorAll('.cell_input pre, div.highlight pre')].filter(
        e => e.clientWidth && e.scrollWidth > e.clientWidth).length"""
    seen = "[...document.querySelectorAll('.cell_input pre')].filter(e => e.clientWidth).length"
    folded = """[...document.querySelectorAll('details')].filter(
        e => !e.open && e.textContent.includes('Show the set-up')).length"""
    with Browser(str(chromium()), tmp_path) as browser:
        for page in notebooks:
            browser.open(page, 1280)
            assert browser.value(wide) == 0, page
            assert browser.value(seen) > 2, page
            assert browser.value(folded) == 1, page


def test_a_formula_that_cannot_be_read_fails_the_build(tmp_path: Path) -> None:
    """The strictness is not only said: a small book with one bad formula."""
    source = small(tmp_path, {"index": r"# A page" "\n\n" r"$x \nosuchcommand y$"})
    run = build(source, tmp_path)
    assert run.returncode != 0
    assert "nosuchcommand" in run.stdout + run.stderr
