"""The book of claims: whole, linked, escaped, readable, and opened in a browser."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from support.browser import Browser
from support.proofs import FILES, PROOFS, SOME, loaded, with_used

from pfverify.edge.book import Book, Chapter, book_of, check_place, write_files
from pfverify.edge.cli import main
from pfverify.edge.pages import Listing, Maths
from pfverify.edge.render.html import rendered
from pfverify.edge.render.layers import layered
from pfverify.edge.render.svg import ticks
from pfverify.edge.views import claim_page
from pfverify.edge.views.book import BookView
from pfverify.edge.views.claim_problems import problem_blocks
from pfverify.edge.views.typeset import lettered, typeset
from pfverify.errors import InputError
from pfverify.model.problem import Problem
from pfverify.proof import exercises, run
from pfverify.proof.claim import Proved
from pfverify.proof.exercises import Noticed, exercised
from pfverify.proof.files import proof_files
from pfverify.proof.outcome import Outcome, Result
from pfverify.proof.papers import PAPERS
from pfverify.proof.shown import problems_of
from pfverify.proof.theorems import CoqTheorem, theorems

WITH_EXERCISES = ("N09", "G11", "G12", "F10c", "F10a", "D03")
FIRST = [
    "index.html", "graph.html", "assumed.html", "rules.html", "papers/gaussian-priors.html",
    *(f"claims/{name}.html" for name in ("N09", "G25", "M41", "D02", "F1", "G11")),
]  # fmt: skip
NAMED = {"N09", "G25", "M41", "D02", "D03", "F1", "G11", "M06", "G21"}  # by tests of this file


class Read(HTMLParser):
    """What the checks ask of a page: tags in order with their attributes, ids, and text."""

    VOID = frozenset({"meta", "link", "br", "img", "path", "rect", "polyline"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    @property
    def ids(self) -> list[str]:
        return [str(a["id"]) for _, a in self.tags if "id" in a]


class Site:
    """A book of proof files, with what they declare of results, uses and exercises."""

    def __init__(self, files: list[Path]) -> None:
        self.files = files
        in_coq = theorems(PROOFS)
        self.chapters = [chapter(path, in_coq) for path in files]
        left_out = frozenset(path.stem for path in {*FILES} - {*files})
        self.pages = rendered(BookView(Book(self.chapters, left_out), "book").site())
        self.read = {
            place: Read(text) for place, text in self.pages.items() if place.endswith(".html")
        }

    def text(self, place: str) -> str:
        return " ".join(" ".join(self.read[place].text).split())

    def links(self) -> Iterator[tuple[str, str]]:
        for place, page in self.read.items():
            for tag, attributes in page.tags:
                for name in ("href", "src"):
                    if name in attributes and tag != "link":
                        yield place, str(attributes[name])


def chapter(path: Path, in_coq: list[CoqTheorem]) -> Chapter:
    file = loaded(path)
    claim = file.claim
    source = f"{claim.source.paper} {claim.source.number}"
    outcome = Outcome(claim.id, claim.words, source, claim.result, reason=claim.not_checkable)
    outcome.uses = re.findall(r'theorem\(\s*"(\w+)"', path.read_text("utf-8"))
    exercises = [Noticed(entry, entry.step, "it does not follow") for entry in claim.breaks]
    about = [theorem for theorem in in_coq if path.stem in theorem.claims]
    return Chapter(path.stem, path.parent.name, path.read_text("utf-8"), outcome, file, exercises,
                   theorems=about)  # fmt: skip


@cache
def book(*, whole: bool) -> Site:
    """The book of all files (a minute), or of some, those that tests name, and what they use."""
    return Site(FILES if whole else with_used({path.stem for path in SOME} | NAMED))


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "whole"])
def site(request: pytest.FixtureRequest) -> Site:
    return book(whole=request.param)


@pytest.mark.slow
def test_every_step_says_in_one_sentence_why_it_is_taken(site: Site) -> None:
    because = re.compile(
        "It is taken because|It is the statement itself|It is a part of the statement|"
        "It is taken so that|No other step rests on it by name"
    )
    unnamed = steps = 0
    for chapter in site.chapters:
        assert chapter.file is not None
        proved = [part for _, part in chapter.file.claim.parts() if isinstance(part, Proved)]
        count = sum(1 for part in proved for _ in part.all_steps())
        found = because.findall(site.text(f"claims/{chapter.name}.html"))
        assert len(found) == count, chapter.name
        steps += count
        unnamed += sum("No other" in one for one in found)
    assert steps > 4 * len(site.files)
    assert unnamed < steps / (50 if site.files == FILES else 25)
    page = site.text("claims/M06.html")
    assert re.search(r"It is taken because four\s+rests on it", page)
    assert "It is a part of the statement" in page


def test_the_table_of_symbols_says_what_they_mean() -> None:
    page = book(whole=False).text("claims/M06.html")
    assert "the plan of the two priors; a function, never negative" in page
    assert "the last letter; a member of the finite set X" in page


def test_the_index_says_what_claims_say_and_the_graph_is_by_paper(site: Site) -> None:
    index = site.text("index.html")
    plain = 0
    for chapter in site.chapters:
        assert f'href="claims/{chapter.name}.html"' in site.pages["index.html"]
        (words,) = re.findall(rf"\b{chapter.name} : (\S+ \S+)", index)
        plain += chapter.outcome.words.startswith(words)  # others begin with a formula
    assert plain > len(site.files) / 2
    graph = site.pages["graph.html"]
    for key in PAPERS:
        assert f'id="graph-{key}"' in graph
    assert graph.count("<svg") == len(PAPERS)


def test_there_is_a_page_for_every_file_and_paper_and_all_rows_are_listed(site: Site) -> None:
    names = {path.stem for path in site.files}
    whole = {f"claims/{name}.html" for name in names} | {f"papers/{key}.html" for key in PAPERS}
    assert {*site.pages} == whole | {
        "index.html", "graph.html", "assumed.html", "rules.html", "style.css"
    }  # fmt: skip
    index = site.text("index.html")
    for key, paper in PAPERS.items():
        listed = site.text(f"papers/{key}.html")
        for name in paper.claims:
            assert re.search(rf"\b{name}\b", listed)
            assert re.search(rf"\b{name}\b", index)
            assert name in names or len(site.files) < len(FILES)
    assert sum(len(paper.claims) for paper in PAPERS.values()) == 176


def test_a_row_without_a_page_says_why() -> None:
    one = [chapter for chapter in book(whole=False).chapters if chapter.name == "D03"]
    files = rendered(BookView(Book(one, frozenset({"D04"})), "book").site())
    listed = " ".join(Read(files["papers/distribution-privacy.html"]).text)
    assert "no file yet" in listed
    assert "has a file, left out here" in listed


def test_every_link_leads_somewhere_in_the_book(site: Site) -> None:
    count = 0
    for place, link in site.links():
        assert ":" not in link, link
        target, _, part = link.partition("#")
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(place), unquote(target)))
        whole = whole if target else place
        assert whole in site.pages, f"{place}: {link}"
        if part:
            assert part in site.read[whole].ids, f"{place}: {link}"
        count += 1
    assert count > 10 * len(site.files)


def test_every_page_can_be_reached_from_the_first(site: Site) -> None:
    leads: dict[str, set[str]] = {place: set() for place in site.read}
    for place, link in site.links():
        if target := link.partition("#")[0]:
            leads[place].add(posixpath.normpath(posixpath.join(posixpath.dirname(place), target)))
    seen, todo = {"index.html"}, ["index.html"]
    while todo:
        new = leads[todo.pop()] - seen
        seen |= new
        todo += new
    assert seen == {*site.read}


def test_pages_are_well_formed_and_ask_the_network_for_nothing(site: Site) -> None:
    for place, page in site.read.items():
        assert len(page.ids) == len({*page.ids}), place
        tags = [tag for tag, _ in page.tags]
        assert not {"script", "iframe", "img", "form", "object"} & {*tags}
        assert tags.count("h1") == tags.count("main") == tags.count("head") == 1
        assert page.tags[0] == ("html", {"lang": "en"})
        outside = r"(?:href|src|url)\s*[=(]\s*[\"']?\s*(?:https?:)?//"
        assert not re.search(outside, site.pages[place])
    assert "url(" not in site.pages["style.css"]
    assert "@import" not in site.pages["style.css"]


def test_a_page_begins_with_a_way_to_its_text(site: Site) -> None:
    for page in site.read.values():
        first = next(a for tag, a in page.tags if tag == "a")
        assert (first["class"], first["href"]) == ("skip", "#main")
        assert {"header", "nav", "main", "footer"} <= {tag for tag, _ in page.tags}


def test_text_of_files_is_escaped() -> None:
    nasty = '<script>alert("x")</script>&amp;\'"'
    outcome = Outcome(nasty, nasty, f"design {nasty}", Result.PROVED, failure=nasty,
                      failed_step=nasty, reason=nasty, open=nasty, uses=[nasty])  # fmt: skip
    chapter = Chapter("a#b ?", "design", nasty, outcome, None, [])
    files = rendered(BookView(Book([chapter], frozenset()), "book").site())
    text = files["claims/a#b ?.html"]
    assert "<script" not in "".join(files.values())
    assert "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;amp;" in text
    assert 'href="claims/a%23b%20%3F.html"' in files["index.html"]
    assert "FAILED" in text


def test_words_are_set_with_the_letters_of_formulas() -> None:
    def shown(words: str) -> str:
        parts = (part if isinstance(part, str) else part.markup for part in typeset(words))
        return re.sub("<[^>]*>", "", "".join(parts))

    assert shown("e^epsilon, tau* <= 2 w_ml") == "eε, τ* ≤ 2 wml"
    for words in ("a delta-alpha x_{1}", "pi <b> & x", "", "theta"):
        assert all(isinstance(part, str | Maths) for part in typeset(words))
    assert shown("beta version, betas, x_{1}, __init__, a^( user_moment n_") == (
        "β version, betas, x_{1}, __init__, a^( user_moment n_"
    )
    assert lettered("tau* and pi, beta2") == "τ* and π, β2"


@pytest.mark.parametrize(
    ("words", "markup"),
    [
        ("e^(|x - x'|/theta)", '<msup><mi mathvariant="normal">e</mi><mrow><mo>|</mo><mi>x</mi>'
         '<mo>\u2212</mo><mrow><mi>x</mi><mo lspace="0" rspace="0">\u2032</mo></mrow><mo>|</mo>'
         "<mo>/</mo><mi>θ</mi></mrow></msup>"),
        ("2^K", "<msup><mn>2</mn><mrow><mi>K</mi></mrow></msup>"),
        ("10^-3", "<msup><mn>10</mn><mrow><mo>\u2212</mo><mn>3</mn></mrow></msup>"),
        ("r_(i+1)", "<msub><mi>r</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow></msub>"),
        ("t^|k|", "<msup><mi>t</mi><mrow><mo>|</mo><mi>k</mi><mo>|</mo></mrow></msup>"),
        ("]_+", "<msub><mo>]</mo><mrow><mo>+</mo></mrow></msub>"),
        ("e^(-s^2/(2 b))", '<msup><mi mathvariant="normal">e</mi><mrow><mo>\u2212</mo><msup>'
         "<mi>s</mi><mrow><mn>2</mn></mrow></msup><mo>/</mo><mo>(</mo><mn>2</mn><mi>b</mi><mo>)</mo>"
         "</mrow></msup>"),
        ("x^(<b>&)", "<msup><mi>x</mi><mrow><mo>&lt;</mo><mi>b</mi><mo>&gt;</mo><mo>&amp;</mo>"
         "</mrow></msup>"),
    ],
)  # fmt: skip
def test_powers_and_indices_are_set_as_formulas(words: str, markup: str) -> None:
    """Titles of claims showed e^(|x - x'|/θ) as it is typed."""
    before, found, after = typeset(f"if {words} is")
    assert (before, after) == ("if ", " is")
    assert isinstance(found, Maths)
    assert found.markup == markup


def test_a_power_of_any_depth_or_length_is_no_trouble() -> None:
    for words in ("e^(" * 1500 + ")" * 1500, "x^(" + "y" * 5000 + ")", "x^" * 5000, "|" * 5000):
        assert typeset(words)


def test_no_title_of_a_claim_has_a_power_in_plain_text() -> None:
    calls = [node for path in FILES[::4] for node in ast.walk(ast.parse(path.read_text("utf-8")))
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
             and node.func.id == "Claim"]  # fmt: skip
    words = [part.value for call in calls for word in call.keywords if word.arg == "words"
             for part in ast.walk(word.value) if isinstance(part, ast.Constant)]  # fmt: skip
    titles = [*map(typeset, words)]
    assert len(titles) >= len(calls) == len(FILES[::4])
    assert sum(isinstance(part, Maths) for title in titles for part in title) > 100
    left = ["".join(part for part in title if isinstance(part, str)) for title in titles]
    assert [text for text in left if re.search(r"[\w)\]]\^|[A-Za-z)\]]_[\w(+]", text)] == []


def test_captions_are_set_as_formulas_and_narrow_pages_stack_the_counts(site: Site) -> None:
    captions = [one for page in site.pages.values()
                for one in re.findall("<caption>.*?</caption>", page)]  # fmt: skip
    assert sum("<math>" in one for one in captions) > 10
    assert [one for one in captions if re.search(r"[A-Za-z\u03b1-\u03c9]_\w", one)] == []
    assert '<table class="stacked"><caption>Claims by paper' in site.pages["index.html"]


def test_axes_have_round_numbers() -> None:
    assert ticks(-4, 6) == [-4, -2, 0, 2, 4, 6]
    assert ticks(0.5, 5.5) == [1, 2, 3, 4, 5]
    for low, high in ((-1e-9, 1e-9), (0.0, 0.419), (3.0, 3e6)):
        found = ticks(low, high)
        assert 3 <= len(found) <= 7
        assert low <= found[0] < found[-1] <= high


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_pictures_have_contrast_in_light_and_dark() -> None:
    style = book(whole=False).pages["style.css"]
    themes = re.findall(r":root \{([^}]*--paper.*?)\}", style, re.DOTALL)
    assert len(themes) == 2
    for theme in themes:
        colour = dict(re.findall(r"--([\w-]+): (#\w{6})", theme))
        pairs = [("ink", f"{tone}-tint", 4.5) for tone in ("good", "bad", "open", "none")]
        pairs += [(one, "paper", 3.0) for one in ("s0", "s1", "s2", "s3", "soft", "bad")]
        for ink, paper, least in pairs:
            high, low = sorted((luminance(colour[ink]), luminance(colour[paper])), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= least, (ink, paper)


def test_a_layout_puts_what_is_used_below() -> None:
    arrows = [(0, 1), (1, 2), (0, 2), (3, 2)]
    spots = layered(5, arrows)
    assert all(spots[a][1] < spots[b][1] for a, b in arrows)
    assert len({*spots}) == 5
    assert layered(0, []) == []
    wide = layered(40, [(k, 39) for k in range(39)])
    assert max(column for column, _ in wide) < 12
    assert all(row < wide[39][1] for _, row in wide[:39])


def test_a_folder_is_replaced_only_if_it_is_an_earlier_book(tmp_path: Path) -> None:
    book = tmp_path / "book"
    write_files(book, {"index.html": "1", "claims/a.html": "2"})
    write_files(book, {"index.html": "3"})
    assert sorted(p.name for p in book.iterdir()) == ["contents.json", "index.html"]
    (book / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"it has notes\.txt"):
        write_files(book, {"index.html": "4"})
    assert (book / "index.html").read_text() == "3"
    other = tmp_path / "other"
    other.mkdir()
    check_place(other)
    (other / "contents.json").write_text('{"files": ["x"]}')
    for place, why in ((other, "no earlier book"), (book / "index.html", "is a file"),
                       (tmp_path / "no" / "book", "no such folder")):  # fmt: skip
        with pytest.raises(InputError, match=why):
            check_place(place)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["book", "other"]


def test_what_cannot_be_written_leaves_the_earlier_book(tmp_path: Path) -> None:
    book = tmp_path / "book"
    write_files(book, {"index.html": "1"})
    with pytest.raises(UnicodeEncodeError):
        write_files(book, {"index.html": "2", "x.html": "\ud800"})
    assert (book / "index.html").read_text() == "1"
    assert [p.name for p in tmp_path.iterdir()] == ["book"]


def test_a_book_that_cannot_be_written_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").write_text("x")
    common = ["prove", "N09", "--proofs", str(PROOFS), "--html"]
    for arguments in ([str(tmp_path)], [str(tmp_path / "b"), "--break", "drop columns"]):
        assert main([*common, *arguments]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.fixture(scope="module")
def checked(one_process: None) -> Book:
    paths, (mixtures,) = proof_files(PROOFS, WITH_EXERCISES), proof_files(PROOFS, ("G25",))
    about = CoqTheorem(("N09", "N12"), "one_side", "Sides.v", "One side.", "F9", "Lemma a : 1 < 2.")
    found = exercised(paths)
    outcomes = [*(one.outcome for one in found), run.outcome_of(mixtures)]
    exercises = [*(one.exercises for one in found), []]
    return book_of([*paths, mixtures], outcomes, exercises, FILES, [about])


@pytest.mark.usefixtures("one_process")
def test_a_book_is_checked_in_one_pass_and_typeset_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    passes, made = [], []
    in_parallel, page = exercises.in_parallel, claim_page.page

    def counted(work: Any, jobs: Any, report: Any) -> Any:
        passes.append(len(jobs))
        return in_parallel(work, jobs, report)

    def typeset_once(place: str, *rest: Any) -> Any:
        made.append(place)
        return page(place, *rest)

    monkeypatch.setattr(exercises, "in_parallel", counted)
    monkeypatch.setattr(run, "in_parallel", counted)
    monkeypatch.setattr(claim_page, "page", typeset_once)
    common = ["prove", "F3", "F10a", "--proofs", str(PROOFS), "--html"]
    assert main([*common, str(tmp_path / "book")]) == 0
    breaks = sum(len(loaded(path).claim.breaks) for path in proof_files(PROOFS, ("F3", "F10a")))
    assert breaks > 0
    assert passes == [2 + breaks]
    assert sorted(made) == ["claims/F10a.html", "claims/F3.html"]
    assert "pages" in capsys.readouterr().out


def test_a_book_of_checked_files(checked: Book) -> None:
    assert checked.held
    files = rendered(BookView(checked, "book").site())
    page = " ".join(Read(files["claims/N09.html"]).text)
    for words in ("If every column sum", "by", "arithmetic", "column above", "Answer", "Exercises",
                  "the formula does not follow", "e", "ε", "the statement, here", "everywhere",
                  "In the paper these hold as well"):  # fmt: skip
        assert words in page
    assert 'href="#printed--column-20-above"' in files["claims/N09.html"]
    assert "<polyline" in files["claims/G11.html"]
    mixtures = " ".join(Read(files["claims/G25.html"]).text)
    for words in ("It is certified if", "P(Y in B|s)", "for every event B", "B = [", "above",
                  "Of the problem"):  # fmt: skip
        assert words in mixtures
    assert "<polyline" in files["claims/G25.html"]
    assert 'href="../rules.html#rule-termwise"' in files["claims/G25.html"]
    assert "the means and variances behind the figure" in files["assumed.html"]
    assert 'href="F10a.html"' in files["claims/F10c.html"]
    assert 'href="F10c.html"' in files["claims/F10a.html"]
    assert "has a file, left out here" in files["papers/gaussian-priors.html"]
    assert '<a href="claims/F10a.html"' in files["graph.html"]
    assert "one_side</code> in proofs/coq/Sides.v: One side." in files["claims/N09.html"]
    assert "Lemma a : 1 &lt; 2." in files["claims/N09.html"]
    assert "proofs/coq" not in files["claims/G25.html"]
    assert '<a href="claims/N09.html">N09</a>: one_side (Sides.v)' in files["assumed.html"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "some"
    write_files(made, book(whole=False).pages)
    return made


@pytest.fixture(scope="module")
def whole_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "whole"
    write_files(made, book(whole=True).pages)
    return made


OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """[...document.querySelectorAll('.wide, .formula, pre, .drawn')].filter(e =>
  e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != 'auto').length"""
SMALL = """[...document.querySelectorAll('header a, summary')].filter(e => {
  const box = e.getBoundingClientRect(); return box.width && box.height < 24 }).length"""
EVERY = [*FIRST[:4], *(f"papers/{key}.html" for key in PAPERS),
         *(f"claims/{path.stem}.html" for path in FILES)]  # fmt: skip
WAYS = [(width, dark) for width in (390, 1280) for dark in (False, True)]
SMALL_AND_DARK, WIDE_AND_LIGHT = (390, True), (1280, False)


def ways(place: str) -> list[tuple[int, bool]]:
    """How a page of some claims is looked at: one claim in all ways, the list in two."""
    if place == "claims/N09.html":
        return WAYS
    two = [SMALL_AND_DARK, WIDE_AND_LIGHT]
    return two if place == "index.html" else [two[FIRST.index(place) % 2]]


def looks(places: list[str], of: Callable[[str], list[tuple[int, bool]]]) -> list[Any]:
    return [
        pytest.param(place, width, dark, id=f"{place}-{width}-{'dark' if dark else 'light'}")
        for place in places
        for width, dark in of(place)
    ]


@pytest.mark.parametrize(("place", "width", "dark"), looks(FIRST, ways))
def test_pages_in_a_browser(
    browser: Browser, folder: Path, place: str, width: int, dark: bool
) -> None:
    browser.open(folder / place, width, dark=dark)
    assert browser.complaints() == []
    assert browser.violations() == []
    assert browser.value(OVERFLOW) == 0
    assert browser.value(CUT) == 0
    assert browser.value(SMALL) == 0
    paper = browser.value("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(21, 24, 27)" if dark else "rgb(253, 253, 251)")
    if place.startswith("claims/"):
        height = "(document.querySelector('.formula math')?.getBoundingClientRect().height ?? 99)"
        assert browser.value(height) > 6


@pytest.mark.long
@pytest.mark.parametrize(("place", "width", "dark"), looks(EVERY, lambda _: WAYS))
def test_every_page_in_a_browser(
    browser: Browser, whole_folder: Path, place: str, width: int, dark: bool
) -> None:
    test_pages_in_a_browser(browser, whole_folder, place, width, dark)


@pytest.mark.parametrize("name", ["M06", "G21"])
def test_names_of_the_file_keep_formulas_on_the_page(
    browser: Browser, folder: Path, name: str
) -> None:
    browser.open(folder / f"claims/{name}.html", 1200)
    wide = """[...document.querySelectorAll('.formula, .wide')].filter(
        e => e.scrollWidth > e.clientWidth + 1).length"""
    assert browser.value("document.querySelectorAll('.formula').length") > 10
    assert browser.value(wide) == 0
    assert browser.value(OVERFLOW) == 0
    assert "keep names of the proof file" in browser.value("document.body.innerText")


@pytest.mark.parametrize(
    ("planted", "rule"),
    [
        ('<p style="color: #999; background: #fff">It is hard to read.</p>', "color-contrast"),
        ('<p><a href="index.html"></a></p>', "link-name"),
        ("<details><summary>Answer</summary><img src='x.png'></details>", "image-alt"),
    ],
)
def test_what_hinders_a_reader_is_found(
    browser: Browser, tmp_path: Path, planted: str, rule: str
) -> None:
    pages = book(whole=False).pages
    page = pages["assumed.html"].replace("</main>", f"{planted}</main>")
    (tmp_path / "style.css").write_text(pages["style.css"])
    (tmp_path / "assumed.html").write_text(page)
    browser.open(tmp_path / "assumed.html", 390)
    assert [one.split(": ")[1] for one in browser.violations()] == [rule]


def test_an_answer_is_hidden_until_it_is_asked_for(
    browser: Browser, checked: Book, tmp_path: Path
) -> None:
    write_files(tmp_path / "book", rendered(BookView(checked, "book").site()))
    browser.open(tmp_path / "book" / "claims" / "N09.html", 390)
    answer = "[...document.querySelectorAll('details')].find(e => e.innerText.includes('Answer'))"
    height = f"{answer}.getBoundingClientRect().height"
    before = browser.value(height)
    browser.value(f"{answer}.querySelector('summary').click()")
    assert browser.value(height) > before + 20
    assert browser.value(OVERFLOW) == 0


@pytest.mark.parametrize("name", ["F12", "G25", "N14"])
def test_a_problem_is_shown_as_a_file_that_states_it(name: str) -> None:
    (path,) = (path for path in FILES if path.stem == name)
    shown = 0
    for _, part in loaded(path).claim.parts():
        texts = [block.text for block in problem_blocks(part) if isinstance(block, Listing)]
        stated = [Problem.from_table(dict(table)) for table in problems_of(part)]
        assert [*map(Problem.from_text, texts)] == stated
        shown += len(texts)
    assert shown
