"""Views: every kind of result has one, and whoever draws them needs to know nothing else."""

from __future__ import annotations

import html
import io
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    Problem,
    calibrate,
    certify,
    loss,
    sample,
)
from pfverify.answers.composed import ComposeResult, composed
from pfverify.answers.coupling import Couplings
from pfverify.answers.coupling import couplings as couplings_of
from pfverify.answers.curves.curve import curve
from pfverify.answers.dummies import calibrate_dummies
from pfverify.answers.grid import grid_certify
from pfverify.answers.largest_radius import largest_radius
from pfverify.answers.least_size import least_size
from pfverify.answers.lifting import Liftings, liftings
from pfverify.answers.methods import Minimum
from pfverify.answers.most_releases import most_releases
from pfverify.answers.outcome import CertifyResult
from pfverify.answers.plan_check import PlanCheck, judged
from pfverify.certificate.checking import Trusts
from pfverify.crosscheck.curves.held import CurveQuestion, held_points
from pfverify.crosscheck.curves.result import HeldCurve
from pfverify.crosscheck.curves.stated import points_of
from pfverify.crosscheck.finding import CaseOutcome as CaseOutcome
from pfverify.crosscheck.maps.held import MapQuestion, held
from pfverify.crosscheck.maps.result import MapResult
from pfverify.crosscheck.maps.stated import MapValue
from pfverify.crosscheck.question import question
from pfverify.crosscheck.reply import End, Reply
from pfverify.crosscheck.run import CrosscheckFindings, CrosscheckResult, crosscheck
from pfverify.crosscheck.samplers.parts import Draws
from pfverify.crosscheck.samplers.plan import planned
from pfverify.crosscheck.samplers.result import SamplerFindings, SamplerResult
from pfverify.decide.verdict import Verdict
from pfverify.edge import codes, packaged
from pfverify.edge.book import Book, Chapter
from pfverify.edge.checked import Checked
from pfverify.edge.document import (
    VERDICT_TONES,
    Block,
    Paragraph,
    Phrase,
    Section,
    Table,
    Text,
    Tone,
    Toned,
    say,
    simple_table,
    text_of,
)
from pfverify.edge.explain import explained
from pfverify.edge.explore.explore import explore
from pfverify.edge.glossary.entries import Terms, lookup
from pfverify.edge.latex import fragment
from pfverify.edge.many import Failed
from pfverify.edge.pages import Code, Display, Heading, Hidden, Item, Link, Listed, Listing, Maths
from pfverify.edge.papers.distribution import properties
from pfverify.edge.papers.locations import compare_locations
from pfverify.edge.papers.scales import (
    CurvesResult,
    DemoResult,
    ScaleCell,
    ScaleRow,
    ScaleTable,
)
from pfverify.edge.pictures import (
    Axis,
    Band,
    Bar,
    BarChart,
    Bars,
    Dots,
    Graph,
    GuideLine,
    Line,
    Mark,
    Node,
    Plot,
)
from pfverify.edge.proofs import Proofs
from pfverify.edge.render import markdown, notebook, picture_file, terminal
from pfverify.edge.render.console import Output
from pfverify.edge.render.html import Writer
from pfverify.edge.render.kinds import drawer
from pfverify.edge.render.shape import Shape
from pfverify.edge.render.terminal import STYLES, draw
from pfverify.edge.start.found import Started
from pfverify.edge.start.run import started
from pfverify.edge.views.described import TONES
from pfverify.edge.views.failed import TallyView
from pfverify.edge.views.registry import VIEWS, view_of
from pfverify.edge.views.view import View
from pfverify.edge.words import excess_word, inequality, sizes_words
from pfverify.errors import InputError
from pfverify.model.composed import NamedPart, repeatedly
from pfverify.model.noises.none import NoNoise
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.repeated import Repeated
from pfverify.program.channel import channel_of
from pfverify.program.problem import EnumeratedProblem, enumerated_problem
from pfverify.proof.outcome import Outcome, Result, StatedPart
from pfverify.records.prior import CountedPrior, prior_of_file
from pfverify.records.ptable import PtableProblem, ptable_problem
from pfverify.transport.plan_file import read_plan


def problem(**more: Any) -> Problem:
    priors = {"a<b>": Discrete({0: 1}), "[/]": Discrete({1: 1})}
    return Problem(**({"priors": priors, "noise": Laplace(1), "epsilon": "1/2"} | more))


def couplings() -> Couplings:
    relation = [(Fraction(0), Fraction(0))]
    return couplings_of(problem(), list(problem().questions()), relation=relation)


def plan_check(folder: Path) -> PlanCheck:
    plan = folder / "plan.csv"
    plan.write_text("from,to,mass\n0,1,1/2\n")
    item = next(iter(problem().questions()))
    return judged(item, read_plan(plan), None, None, Fraction(1), ("forest",))


def related(folder: Path) -> Liftings:
    table = folder / "relation.csv"
    table.write_text("from,to\nhome,office\n")
    problem = packaged.load_example("home-and-out")
    items = list(problem.questions())
    return liftings(problem, items, table, None, lambda done, total: None)


def curves() -> CurvesResult:
    cells = [
        ScaleCell(method=name, scale="2", verdict=Verdict.CERTIFIED)
        for name in ("user_largest", "user_moment")
    ]
    row = ScaleRow(epsilon="1", cells=cells, any_rest="2", minimum=Minimum("1", "2", None),
                   waste="1")  # fmt: skip
    return CurvesResult([ScaleTable(figure="Figure 4", reading="a reading", rows=[row])],
                        all_certified=True)  # fmt: skip


def demo() -> DemoResult:
    cells = [
        ScaleCell(method=method, published="1.00", scale="1.004", verdict=Verdict.CERTIFIED,
                  recomputes=method == "l1")
        for method in ("l1", "wasserstein", "relaxed_published")
    ]  # fmt: skip
    row = ScaleRow(epsilon="1", cells=cells, relaxed="1", minimum=Minimum("0", "0", "why"),
                   waste=None)  # fmt: skip
    table = ScaleTable(title="Data", example="census", rows=[row])
    return DemoResult([table], ["one is wrong"], all_certified=True)


def proofs() -> Proofs:
    part = StatedPart(
        "whole", "refuted", "words", {"h": "x > 0"}, "x = 1", "x=1", instances=["x = 2"]
    )
    good = Outcome("N1", "it holds", "paper 1", Result.PROVED, "PROVED", stated=[part],
                   uses=["N2"], comparison="weaker", steps=["by rule"])  # fmt: skip
    wrong = Outcome("N2", "it fails", "paper 2", Result.PROVED, failure="no", counterexample="y")
    return Proofs([good, wrong], {"paper": {"PROVED": 1}}, None, steps=True)


def trusted() -> Trusts:
    return Trusts(lines=7, files={"core.py": 7}, rules={"pure": ["F1"], "scale": []})


def counted(folder: Path) -> CountedPrior:
    """A problem counted from a small file."""
    (folder / "p.csv").write_text("s,x\na,0\na,1\nb,1\nb,\n")
    return prior_of_file(folder / "p.csv", "s", "x", options={"missing": "drop"})


def enumerated(folder: Path) -> EnumeratedProblem:
    """A problem enumerated from a small program."""
    (folder / "p.py").write_text(
        "from pfverify.program import coin\ndef release(x): return x or coin('1/3')"
    )
    return enumerated_problem(channel_of(f"{folder / 'p.py'}:release", [True, False]))


def begun(folder: Path) -> Started:
    given = {"publish": "count", "rows": "1", "secret": "presence", "times": "1",
             "after": "suppress", "noise": "discrete-laplace", "epsilon": "1,1e-6"}  # fmt: skip
    unknown = {"noise": "noise that can be drawn"}
    return started(given, unknown, folder / "begun.toml", lambda done, total: None)


def noise_table(folder: Path) -> PtableProblem:
    """A problem of a small noise table."""
    (folder / "t.csv").write_text("i,v,p\n0,0,1\n1,-1,0.5\n1,1,0.25\n")
    return ptable_problem(folder / "t.csv", rescale=True)


class Quarter:
    """A function in this process: a quarter of a scale that is private, unsound in most cases."""

    takes = ()

    def call(self, values: list[Any], named: dict[str, float]) -> Reply:
        atoms, *_, epsilon = values
        return Reply(End.ANSWERED, (atoms[-1] - atoms[0]) / epsilon / 4)


def crosschecked() -> CrosscheckResult:
    return crosscheck(Quarter(), "mine:quarter", question("scale", count=3))


def drawn() -> SamplerResult:
    """A claim that its draws refute, of one that is met, and a law that they break."""
    priors = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: 1})}
    stated = Problem(priors, noise=NoNoise(), epsilon=1, delta="1/10")
    draws: dict[tuple[str, str], Draws] = {
        ("default", "a"): ["0", "1"] * 500, ("default", "b"): ["0"] * 999 + ["2"],
    }  # fmt: skip
    plan = planned(stated, "release", dict.fromkeys(draws, 1000))
    return plan.result(draws, "mine:draws", called=True, seed=0, excess=Fraction(1, 10))


def mapped() -> MapResult:
    """A map that says too little, too much, and what is enough."""
    tree = {"__function__": "make_randomized_response_bool", "__module__": "measurements",
            "__kwargs__": {"prob": 0.75}}  # fmt: skip
    said = [MapValue(1, 1.0), MapValue(1, 5.0), MapValue(1, 0.75, 0.25), MapValue(1, refused="no")]
    return held(tree, "mine:response", said, MapQuestion([1]))


def points() -> HeldCurve:
    """Points that say too little, too much, what is true, and nothing."""
    said = {"0": "0.04", "1/10": "0.5", "1/4": "0.00894836057726724", "1/2": "nan"}
    return held_points(points_of(said, "profile"), "mine:delta", CurveQuestion(problem()))


def twice() -> ComposeResult:
    parts = [NamedPart(name, packaged.load_example("census")) for name in ("one", "two")]
    return composed(repeatedly(parts, "same"), parts)


RESULTS: dict[str, Callable[[Path], object]] = {
    "CertifyResult": lambda folder: certify(problem()),
    "LossResult": lambda folder: loss(problem()),
    "CurveResult": lambda folder: curve(problem(), end=1, gap="1/10"),
    "CrosscheckResult": lambda folder: crosschecked(),
    "SamplerResult": lambda folder: drawn(),
    "MapResult": lambda folder: mapped(),
    "HeldCurve": lambda folder: points(),
    "CalibrateResult": lambda folder: calibrate(problem()),
    "Explored": lambda folder: explore(problem(), values=3),
    "LeastSizeResult": lambda folder: least_size(
        packaged.load_example("threshold"), "threshold"
    ),
    "LargestRadiusResult": lambda folder: largest_radius(packaged.load_example("student"), "tv"),
    "MostReleasesResult": lambda folder: most_releases(packaged.load_example("census")),
    "ComposeResult": lambda folder: twice(),
    "GridResult": lambda folder: grid_certify(problem(), 3),
    "DummiesResult": lambda folder: calibrate_dummies(packaged.load_example("dummies")),
    "Checked": lambda folder: Checked(
        "refuted", "expected certified, but the certificate proves: a message", True, "certified",
        False, 1, trusts=trusted(),
    ),
    "Couplings": lambda folder: couplings(),
    "Failed": lambda folder: Failed("p.toml: why"),
    "PlanCheck": plan_check,
    "DemoResult": lambda folder: demo(),
    "CurvesResult": lambda folder: curves(),
    "Liftings": lambda folder: related(folder),
    "LocationsResult": lambda folder: compare_locations(sides=(2,)),
    "PropertiesResult": lambda folder: properties(),
    "CountedPrior": lambda folder: counted(folder),
    "EnumeratedProblem": lambda folder: enumerated(folder),
    "PtableProblem": lambda folder: noise_table(folder),
    "Started": lambda folder: begun(folder),
    "Examples": lambda folder: packaged.listed_examples(),
    "Explanation": lambda folder: explained(problem(), certify(problem())),
    "Terms": lambda folder: Terms((*lookup("coupling"), *lookup("waste")), whole=True),
    "Fragment": lambda folder: fragment(problem(), certify(problem())),
    "Proofs": lambda folder: proofs(),
    "SampleResult": lambda folder: sample(DiscreteLaplace(2), 3),
    "Book": lambda folder: Book([Chapter("N1", "p", "text", proofs().claims[0], None, [])],
                                frozenset()),
}


@cache
def view(kind: str, folder: Path) -> View[Any]:
    return view_of(RESULTS[kind](folder), "p.toml")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("views")


def test_the_table_of_views_names_what_there_is() -> None:
    assert {kind.rpartition(".")[2] for kind in VIEWS} == set(RESULTS)
    for kind, view_name in VIEWS.items():
        module, _, name = kind.rpartition(".")
        assert isinstance(getattr(import_module(module), name), type)
        home, _, name = view_name.partition(".")
        made = getattr(import_module(f"pfverify.edge.views.{home}"), name)
        assert issubclass(made, View)


@dataclass(frozen=True)
class Another(CertifyResult):
    """A kind of its own: what its base would say may not be all."""


@pytest.mark.parametrize("result", [None, "text", object(), {"verdict": "certified"}], ids=type)
def test_an_unknown_kind_of_result_is_an_error(result: object) -> None:
    with pytest.raises(TypeError, match="has no view"):
        view_of(result)


def test_so_is_a_subclass_of_a_known_one() -> None:
    with pytest.raises(TypeError, match="Another has no view"):
        view_of(Another(**vars(certify(problem()))))


def as_html(sections: list[Section]) -> str:
    """A report that knows views alone: what another renderer comes to."""

    def words(parts: Text) -> str:
        return "".join(
            html.escape(part) if isinstance(part, str)
            else f'<b class="{part.tone.value}">{html.escape(part.text)}</b>'
            for part in parts
        )  # fmt: skip

    def table(data: Table) -> str:
        head = "".join(f"<th>{html.escape(column.header)}</th>" for column in data.columns)
        rows = ["".join(f"<td>{words(cell)}</td>" for cell in row) for row in data.rows]
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    out = []
    for section in sections:
        if section.headline is not None:
            out.append(f"<h2>{words(section.headline.text)}</h2>")
        out += [f"<p>{words(sentence.text)}</p>" for sentence in section.said]
        out += [f"<li>{html.escape(text)}</li>" for text in section.assumed]
        out += [f"<p>{words(sentence.text)}</p>" for sentence in section.undecided]
        out += map(table, section.tables)
        out += [f"<p>{words(sentence.text)}</p>" for sentence in section.notes]
    return "\n".join(out)


@pytest.mark.parametrize("kind", RESULTS)
def test_another_renderer_needs_the_view_alone(kind: str, folder: Path) -> None:
    shown = view(kind, folder)
    text = as_html(shown.sections())
    assert text
    if kind in ("CertifyResult", "LossResult", "GridResult", "CalibrateResult"):
        assert '<b class="title">p.toml</b>' in text
    if kind in ("CertifyResult", "LossResult", "GridResult", "Couplings", "Explanation"):
        assert "a&lt;b&gt;" in text
        assert "[/]" in text
    assert json.loads(json.dumps(shown.data())) == shown.data()


@pytest.mark.parametrize("kind", RESULTS)
def test_tables_are_whole(kind: str, folder: Path) -> None:
    for section in view(kind, folder).sections():
        for table in section.tables:
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.columns)}


@pytest.mark.parametrize("kind", RESULTS)
def test_rows_of_data_have_one_header_or_there_are_none(kind: str, folder: Path) -> None:
    shown = view(kind, folder)
    if kind in ("CertifyResult", "CrosscheckResult", "CurveResult", "LossResult", "CalibrateResult",
                "LeastSizeResult", "MostReleasesResult", "DummiesResult", "LocationsResult",
                "LargestRadiusResult",
                "ComposeResult", "Explored",
                "PropertiesResult", "SampleResult", "SamplerResult", "MapResult",
                "HeldCurve"):  # fmt: skip
        rows = shown.rows()
        assert rows
        assert len({tuple(row) for row in rows}) == 1
    else:
        with pytest.raises(InputError, match=f"{kind}: there is no table of data"):
            shown.rows()


def test_every_verdict_has_a_tone_and_every_tone_a_style() -> None:
    assert set(VERDICT_TONES) == set(Verdict)
    assert set(STYLES) == set(Tone)
    assert set(TONES) == {*Verdict, *CaseOutcome, *CrosscheckFindings, *SamplerFindings}


def test_every_renderer_has_a_row_for_every_kind_and_no_default() -> None:
    blocks, inlines = set(Block.__subclasses__()), {str, *Phrase.__subclasses__()}
    assert {Paragraph, Graph, Listed} <= blocks  # of each file that defines some
    assert {Toned, Link} <= inlines
    named = {kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"
             for kind in terminal.BLOCKS}  # fmt: skip
    more = blocks - {Paragraph, Table}  # what all others are made of there
    assert named == {f"{kind.__module__}.{kind.__qualname__}" for kind in more}
    assert len(named) == len(terminal.BLOCKS)
    assert set(markdown.BLOCKS) == blocks
    assert set(markdown.INLINES) == inlines
    assert set(Writer("").kinds) == blocks | inlines
    for table in (terminal.BLOCKS, markdown.BLOCKS, markdown.INLINES, Writer("").kinds):
        with pytest.raises(TypeError, match="Another has no row in this renderer"):
            drawer(table, Another(**vars(certify(problem()))))


class Everything(View[None]):
    """Each kind of what can be shown, once."""

    def sections(self) -> list[Section]:
        marks: list[Mark] = [
            Line([(0, 1), (1, 2)], "s0"), Band([(0, 0, 1), (1, 1, 2)], "s1"), Bars([(0, 1)], "s2"),
            Dots([(1, math.inf)], "bad", "cross"), GuideLine(1, "ink dashes", upright=False),
            GuideLine(0.5, "bad dots"),
        ]  # fmt: skip
        parts = (
            "said <b>", Toned("toned", Tone.BAD), Link("linked"), Code("code"),
            Maths("<mi>m</mi>", "m"),
        )  # fmt: skip
        source = Listing("one line\nand another", "label")
        return [Section(say("headline"), [
            Heading(("heading",)), Paragraph(parts, "labelled"),
            Display([["<mi>f</mi>"]], "formula"),
            Listed([Item(("entry",), [source]), Item(("second",))], numbered=True),
            simple_table("caption", ["header"], [[("a cell of a table",)]]),
            Hidden("summary", [say("hidden")]),
            source, Plot("plot", "of floats", Axis("x"), Axis(), marks, [("ink dashes", "a rule")]),
            BarChart("chart", "of values", "scale", [Bar("bar", 1.0, "certified")]),
            Graph("graph", [Node("box", "", "k", "word")], [], [("k", "kind")]),
        ])]  # fmt: skip


def test_every_kind_is_shown_in_every_form(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    everything = Everything(None)
    out = io.StringIO()
    draw(Output(file=out, width=150), everything)
    markdown.render([everything], Shape.ONE)
    pages = [out.getvalue(), capsys.readouterr().out, notebook.html(everything)]
    for page in pages:
        for words in ("headline", "heading", "labelled", "toned", "linked", "code", "entry",
                      "second", "and another", "caption", "header", "cell", "summary", "hidden",
                      ):  # fmt: skip
            assert words in page
    assert "  1. entry\n" in pages[0]
    assert "(of floats)\n  bar" in pages[0]
    assert "1. entry\n\n   ```\n   one line\n   and another\n   ```\n1. second" in pages[1]
    assert "said &lt;b&gt;" in pages[1]
    assert pages[2].count("<svg") == 3
    (section,) = everything.sections()
    pictures = [block for block in section.blocks if isinstance(block, Plot | BarChart)]
    assert len(pictures) == 2
    for picture in pictures:
        picture_file.save(picture, str(tmp_path / "picture.svg"))
        assert picture.title in (tmp_path / "picture.svg").read_text("utf-8")


def test_every_verdict_has_an_exit_code() -> None:
    expected = {"certified": 0, "refuted": 1, "undecided": 3, "observed on a grid": 3}
    assert {verdict.value: codes.decided(verdict) for verdict in Verdict} == expected
    failing = {"unsound": 1, "failed": 1, "undecided": 3, "no failure found": 0}
    assert {found.value: codes.found_code(found) for found in CrosscheckFindings} == failing
    with pytest.raises(KeyError):
        codes.decided("certainly")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scales", "code"), [(("2",), 0), (("1",), 1), (("2", "1", "3"), 1), (("2", "3"), 0)]
)
def test_one_refuted_problem_of_a_sweep_makes_it_1(scales: tuple[str, ...], code: int) -> None:
    results = [certify(problem(noise=Laplace(scale))) for scale in scales]
    assert codes.certify_code(results) == code


def test_an_undecided_problem_counts_before_a_certified_one_and_after_a_refuted_one() -> None:
    good, wrong = certify(problem(noise=Laplace(2))), certify(problem())
    open_ = replace(good, verdict=Verdict.UNDECIDED)
    assert codes.certify_code([good, open_, good]) == 3
    assert codes.certify_code([open_, wrong, good]) == 1


def test_a_long_tally_shows_what_is_not_good_before_it_is_cut_off() -> None:
    good = view_of(certify(packaged.load_example("census")), "good")
    failed = [view_of(Failed("cannot be read"), f"failed {k}") for k in range(2)]
    short, long = [good, *failed], [*[good] * 41, *failed]
    for views, first in ((short, "good"), (long, "failed 0")):
        (section,) = TallyView(views, "").sections()
        (table,) = section.tables
        assert table.rows[0][0] == (first,)
    assert len(table.rows) == 40


def test_an_undecided_verdict_says_why_after_what_it_assumes() -> None:
    result = certify(problem())
    pairs = [replace(pair, verdict=Verdict.UNDECIDED, reason="it <ties>") for pair in result.pairs]
    undecided = view_of(replace(result, verdict=Verdict.UNDECIDED, pairs=pairs))
    text = as_html(undecided.sections())
    assert text.count("Undecided because it &lt;ties&gt;") == 1
    assert "Neither proved nor disproved" in text
    out = io.StringIO()
    draw(Output(file=out, width=150), undecided)
    assert "priors given\n  Undecided because it <ties>\nfrom " in out.getvalue()


def test_a_pair_with_a_density_has_a_view_too() -> None:
    normal = Problem({"a": Gaussian(0, 1), "b": Gaussian(1, 1)}, noise=Laplace(1), epsilon=2)
    assert "in the limit y -&gt;" in as_html(view_of(loss(normal), "p").sections())


@pytest.mark.parametrize(
    ("verdict", "sign"), [("certified", "<="), ("refuted", ">"), ("undecided", "against")]
)
@pytest.mark.parametrize("delta", [0, "1/50"])
def test_an_order_is_written_out_with_the_sign_of_its_verdict(
    verdict: str, sign: str, delta: object
) -> None:
    asked = problem(delta=delta)
    result = certify(asked)
    worst = replace(result.pairs[0], verdict=Verdict(verdict))
    *_, last = (line for line in explained(asked, replace(result, pairs=[worst])).lines
                if line.startswith("So "))  # fmt: skip
    assert f" {sign} " in last
    assert f": {verdict}" in last


@pytest.mark.parametrize("say", [excess_word, lambda form: inequality(form, "1", "0")])
def test_an_unknown_notion_has_no_words(say: Callable[[str], str]) -> None:
    with pytest.raises(InputError, match="'bayes' is unknown"):
        say("bayes")


def test_scales_that_are_listed_are_said_once() -> None:
    several = Coordinates(Laplace(), ["35.6046", "3"])
    said = sizes_words("laplace", "35.6046", several.several)
    assert said == "scales 35.6046, 3 by coordinate"
    with_ratio = sizes_words("laplace", "1/4", "scales 1/4, 1/3 by coordinate")
    assert with_ratio == "scales 0.25, 1/3 by coordinate"
    many = Repeated(Laplace(2), count=3)
    assert sizes_words("laplace", "2", many.several) == "scale 2; 3 releases, all of one X"
    assert sizes_words("laplace", "2", None) == "scale 2"


def test_parts_of_mixtures_that_are_not_shown_are_counted() -> None:
    found = crosschecked()
    row = {"decimal": ["1", "0", "1"]}
    case = {"origin": "", "p": {"rows": [row] * 10}, "q": {"rows": [row]}}
    long = replace(found, smallest=[replace(found.smallest[0], case=case)])
    sections = view_of(long, "f").sections()
    (table,) = (table for section in sections for table in section.tables)
    assert [column.header for column in table.columns] == ["law", "weight", "mean", "variance"]
    assert len(table.rows) == 8
    notes = [text_of(note.text) for section in sections for note in section.notes]
    assert "… and 3 more parts (--json has all)" in notes
