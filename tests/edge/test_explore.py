"""The page on which scale and epsilon are moved: its numbers are proved, what lies between is not.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.browser import Browser

import pfverify.edge.render
from pfverify import (
    BoundedLaplace,
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    Gaussian,
    GaussianNoise,
    InputError,
    Joint,
    Laplace,
    NoNoise,
    Problem,
    Repeated,
    TruncatedDiscreteLaplace,
    TruncatedLaplace,
    Verdict,
    certify,
    loss,
)
from pfverify.edge.cli import main
from pfverify.edge.explore.explore import explore, explored_page, save_explored
from pfverify.edge.explore.page import SCHEMA
from pfverify.edge.render.explored import json_text
from pfverify.edge.render.html import html_of
from pfverify.edge.report.report import report
from pfverify.model.channels.matrix import Matrix
from pfverify.model.composed import NamedTimes, separately
from pfverify.model.protection import Protection

POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
HOSTILE = ["</script><script>alert(1)</script>", "<!--", "]]>&amp;", "שלום", "x" * 3000]
ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]
CHANNEL = Matrix(["x", "y"], ["x", "y"], ROWS)
INPUTS = {"a": Finite({"x": 1}), "b": Finite({"y": 1})}
NORMAL = {"a": Gaussian(0, sd=1), "b": Gaussian(1, sd="3/2")}
RENYI = {"kind": "renyi", "order": 2}

DRAWN: dict[str, Problem] = {
    "laplace": Problem(POINTS, noise=Laplace(1), epsilon=1),
    "loose": Problem(POINTS, noise=Laplace(1), epsilon="1/2", delta="1/10"),
    "discrete-laplace": Problem(POINTS, noise=DiscreteLaplace(2), epsilon=1),
    "gaussian": Problem(POINTS, noise=GaussianNoise(2), epsilon=1, delta="1/10"),
    "discrete-gaussian": Problem(POINTS, noise=DiscreteGaussian(2), epsilon=1, delta="1/10"),
    "bounded": Problem(POINTS, noise=BoundedLaplace(2, low=-1, high=3), epsilon=1),
    "truncated": Problem(POINTS, noise=TruncatedLaplace(2, bound=3), epsilon=1, delta="1/2"),
    "truncated-discrete": Problem(
        POINTS, noise=TruncatedDiscreteLaplace(2, bound=3), epsilon=1, delta="1/2"
    ),
    "none": Problem(POINTS, noise=NoNoise(), epsilon=1, delta="1/2"),
    "nothing": Problem(POINTS, noise=Laplace(0), epsilon=1),
    "normal": Problem(NORMAL, noise=Laplace(2), epsilon=1),
    "channel": Problem(INPUTS, channel=CHANNEL, epsilon="log(3)"),
    "renyi": Problem(POINTS, noise=Laplace(1), epsilon=1, form=RENYI),
    "renyi-normal": Problem(POINTS, noise=GaussianNoise(1), epsilon=1, form=RENYI),
    "zcdp": Problem(POINTS, noise=GaussianNoise(1), epsilon=1, form={"kind": "zcdp"}),
    "far": Problem({"a": Discrete({0: 1}), "b": Discrete({10**30: 1})}, noise=Laplace(1),
                   epsilon=1),
    "nothing-allowed": Problem(POINTS, noise=Laplace(1), epsilon=0),
    "equal": Problem({"a": Discrete({0: 1}), "b": Discrete({0: 1})}, noise=Laplace(1), epsilon=1),
    "per-distance": Problem(POINTS, noise=Laplace(1), epsilon="1/2",
                            protection=Protection("xdistp", metric="winf")),
    "far-apart": Problem.load("example:largest-move"),
    "hostile": Problem({name: Discrete({k: 1})
                        for k, name in enumerate(HOSTILE)}, noise=Laplace(2), epsilon=1),
}  # fmt: skip


def data_of(page: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="explored">(.*?)</script>', page)
    return json.loads(text)


def page_of(name: str, values: int = 6) -> str:
    return explored_page(explore(DRAWN[name], values=values))


@pytest.mark.parametrize("name", DRAWN)
def test_numbers_of_the_page_are_those_of_certify_and_loss(name: str) -> None:
    problem = DRAWN[name]
    data = data_of(page_of(name))
    assert data["schema"] == SCHEMA
    assert len(data["values"]) == max(1, len(data["scales"])) * len(data["epsilons"]) <= 6
    for value in data["values"]:
        here = problem.replaced(epsilon=value["epsilon"], scale=value["scale"])
        found, lost = certify(here), loss(here)
        assert value["verdict"] == found.verdict.value
        sizes = {"loss": lost.epsilon_star, "divergence": lost.divergence}
        if found.pairs[0].delta is not None:
            sizes["delta"] = lost.delta
        for key, size in sizes.items():
            if size is None:
                assert key not in value
            else:
                assert value[key] == {"lower": str(size.lower), "upper": str(size.upper)}
        assert len(value["pairs"]) == len(data["pairs"]) <= 6
        for pair in value["pairs"]:
            assert pair["verdict"] in pair["said"]


BETWEEN = re.compile(r"the (loss|delta|divergence of order 2) is between (\S+) and (\S+?)[;,.]? ")


@pytest.mark.parametrize("name", ["laplace", "loose", "gaussian", "normal", "channel", "renyi"])
def test_numbers_in_sentences_are_rounded_outward(name: str) -> None:
    seen = 0
    for value in data_of(page_of(name, 12))["values"]:
        for one in (value, *value["pairs"]):
            for what, low, high in BETWEEN.findall(f"{one['said']} "):
                whole = one[what.partition(" ")[0]]
                assert Fraction(low) <= Fraction(whole["lower"])
                assert Fraction(whole["upper"]) <= Fraction(high.rstrip(".,;"))
                seen += 1
    assert seen >= (0 if name in ("loose", "laplace") else 4)


def test_the_page_is_one_file_whose_only_script_is_allowed_by_its_digest() -> None:
    page = page_of("hostile")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'\"" in page  # noqa: E501
    assert page.count("<script") == 2
    assert re.findall(r"""(?:src|href)=["'](?!data:,|#)""", page) == []
    assert page == page_of("hostile")


def test_the_script_makes_no_markup_and_no_code() -> None:
    script = (Path(pfverify.edge.render.__file__).parent / "explore.js").read_text("utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacent", "eval", "Function(", "document.write",
                 "fetch", "XMLHttp", "import", "setTimeout", "Math.exp", "Math.log"):
        assert word not in script


def test_json_cannot_end_its_element() -> None:
    text = json_text({"a": [*HOSTILE, "\u2028", "\ud800", "'\"\\"]})
    assert re.findall(r"[<>&\u2028]|[^ -~]", text) == []
    assert json.loads(text) == {"a": [*HOSTILE, "\u2028", "\ud800", "'\"\\"]}
    with pytest.raises(ValueError, match="JSON"):
        json_text(float("nan"))


REFUSED = [
    (Problem({name: Joint(["x", "y"], [[k, k, 1]]) for k, name in enumerate("ab")},
             noise=Laplace(1), epsilon=1),
     r"explore: more than one number is published \(2 numbers\)"),
    (Problem(POINTS, noise=Repeated(Laplace(1), count=3), epsilon=1), r"3 releases, all of one X"),
    (Problem(POINTS, noise=Laplace(), epsilon=0), "noise.scale: missing"),
    (separately([NamedTimes("twice", Problem(POINTS, noise=Laplace(1), epsilon=1), 2)]),
     "no law of the output is worked out for several problems together"),
    (Problem(POINTS, noise=Laplace("1e400"), epsilon="1e-400"), "too wide for a picture"),
    (Problem(POINTS, noise=Laplace("1e-400"), epsilon="1e400"), "too large for a picture"),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "message"), REFUSED)
def test_what_cannot_be_drawn_is_refused_by_name(problem: Problem, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        explore(problem)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["example:dummies", "-o", "x.html"], "an output is a whole tuple"),
        (["example:ten-releases", "-o", "x.html"], "more than one number is published (10 rel"),
        (["example:census", "-o", "x.pdf"], "expected a name that ends in .html"),
        (["example:census", "-o", "-"], "no file name"),
        (["example:census", "-o", "x.html", "--values", "0"], "values: 0, expected"),
        (["example:census", "-o", "x.html", "--scale", "1,,2"], "--scale: an empty value"),
        (["example:census", "-o", "x.html", "--epsilon", "x"], "epsilon: cannot read 'x'"),
        (["example:home-and-out", "-o", "x.html", "--scale", "1"], "through a channel"),
        (["example:census", "-o", "nowhere/x.html"], "cannot write"),
        (["example:nothing", "-o", "x.html"], "nothing"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["explore", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert [*tmp_path.iterdir()] == []


def test_the_command_writes_the_page_and_says_what_was_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "p.html"
    words = ["explore", "example:census", "--values", "4", "-o", str(page)]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "example:census: 4 values decided: " in said
    assert f"Wrote {page}." in said
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    shown = data_of(page.read_text("utf-8"))["values"]
    for value, other in zip(found["values"], shown, strict=True):
        assert [value[key] for key in ("scale", "epsilon", "verdict", "loss")] == [
            other[key] for key in ("scale", "epsilon", "verdict", "loss")]  # fmt: skip
    assert main([*words, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_given_scales_and_epsilons_are_decided(tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    words = ["explore", "example:census", "--scale", "0.5,log(3)", "--epsilon", "1", "--epsilon"]
    assert main([*words, "1/2", "-o", str(page)]) == 0
    data = data_of(page.read_text("utf-8"))
    assert (data["scales"], data["epsilons"]) == (["0.5", "log(3)"], ["0.5", "1"])


def test_a_value_that_is_undecided_says_why_and_is_no_verdict() -> None:
    found = explore(DRAWN["loose"], values=6)
    pairs = [replace(pair, verdict=Verdict.UNDECIDED, reason="a tie of normal laws", witness=None)
             for pair in found.values[2].pairs]  # fmt: skip
    values = [*found.values]
    values[2] = replace(values[2], verdict=Verdict.UNDECIDED, pairs=pairs, loss=None)
    page = explored_page(replace(found, values=values))
    told = data_of(page)["values"][2]
    assert (told["verdict"], told["tone"]) == ("undecided", "open")
    assert told["said"].startswith("Neither proved nor disproved of 2 ordered pairs: P(Y in B|s)")
    assert "a tie of normal laws" in told["said"]
    assert "a tie of normal laws" in told["pairs"][0]["said"]
    assert "loss" not in told
    assert "not known" in page


def test_a_value_names_the_pair_that_fails_though_another_one_is_drawn() -> None:
    priors = {f"s{k:02}": Discrete({k * k: 1}) for k in range(9)}
    found = explore(Problem(priors, noise=Laplace(20), epsilon=1), values=6)
    assert found.ordered_pairs == 72
    for value in found.values:
        assert 40 <= len(value.pairs) <= 41
        assert all(pair.proof is None for pair in value.pairs)
    data = data_of(explored_page(found))
    assert len(data["pairs"]) == 6
    refuted = [value for value in data["values"] if value["verdict"] == "refuted"]
    assert refuted
    assert all("“s00” against “s08”: it fails at y = 0" in value["said"]
               or "“s08” against “s00”: it fails at y = 64" in value["said"]
               for value in refuted)  # fmt: skip


def test_a_ratio_that_is_approached_in_a_tail_is_at_no_output() -> None:
    said = [value["pairs"][0]["said"] for value in data_of(page_of("normal"))["values"]]
    assert any("the largest log ratio is in the limit y -> " in one for one in said)
    assert not any("y = in" in one for one in said)
    said = [value["pairs"][0]["said"] for value in data_of(page_of("laplace"))["values"]]
    assert any("the largest log ratio is at y = " in one for one in said)


@pytest.mark.parametrize("name", ["renyi", "zcdp"])
def test_no_line_bounds_a_ratio_where_epsilon_bounds_a_divergence(name: str) -> None:
    page = page_of(name)
    assert "What ε bounds is a divergence, an average over all outputs" in page
    assert "ink dashes" not in page
    assert all("the divergence " in value["said"] for value in data_of(page)["values"])


def test_outputs_with_names_are_listed_by_their_numbers() -> None:
    page = page_of("channel")
    assert "The outputs: 1 = x; 2 = y." in page
    assert "number of the output, as listed" in page


def test_a_confidential_problem_says_so() -> None:
    rows = [("yes", 0), ("yes", 1), ("no", 0), ("no", 1)]
    counted = Problem.from_records(rows, epsilon=1, noise=Laplace(2))
    assert 'class="banner"' in explored_page(explore(counted, values=2))
    assert 'class="banner"' not in page_of("laplace")


def test_a_report_names_the_command_where_there_is_a_picture() -> None:
    page = html_of(report("example:census"))
    assert "<code>pfverify explore example:census -o census-explore.html</code>" in page
    assert "pfverify explore" not in html_of(report("example:census", redact=True))
    assert "pfverify explore" not in html_of(report("example:each-alone-nothing"))


def test_a_page_that_a_browser_does_not_open_at_once_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("pfverify.edge.explore.explore._MOST_BYTES", 1000)
    with pytest.raises(InputError, match="values: the page would have"):
        save_explored(explore(DRAWN["laplace"], values=2), tmp_path / "p.html")
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(InputError, match=r"expected a name that ends in \.html"):
        save_explored(explore(DRAWN["laplace"], values=2), "p.htm")


# ---------------------------------------------------------------- in a browser

SAID = """[...document.querySelectorAll('#said > span')].map(e => e.textContent)"""
SHOWN = """[...document.querySelectorAll('.state')].filter(e => e.offsetParent !== null)
  .map(e => [Number(e.dataset.scale), Number(e.dataset.pair)])"""
MARKED = """[...document.querySelectorAll('.state:not([hidden]) .at')].filter(
  e => getComputedStyle(e).display != 'none').flatMap(e => [...e.classList].filter(
  c => /^e[0-9]+$/.test(c)))"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """[...document.querySelectorAll('input, select, summary')].filter(e => {
  const box = e.getBoundingClientRect(); return box.width && box.height < 24 }).length"""


def moved(browser: Browser, name: str, place: int) -> None:
    browser.value(f"""(() => {{ const e = document.getElementById('{name}'); e.value = {place};
        e.dispatchEvent(new Event('input', {{bubbles: true}})) }})()""")


def pressed(browser: Browser, key: str) -> None:
    for kind in ("rawKeyDown", "keyUp"):
        codes = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9}
        browser.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                    windowsVirtualKeyCode=codes[key])  # fmt: skip


def opened(
    browser: Browser, folder: Path, page: str, width: int = 390, *, dark: bool = False
) -> Any:
    (folder / "p.html").write_text(page, "utf-8")
    browser.open(folder / "p.html", width, dark=dark)
    return data_of(page)


def positions(data: Any) -> Iterator[tuple[int, int]]:
    return product(range(max(1, 2 * len(data["scales"]) - 1)), range(2 * len(data["epsilons"]) - 1))


@pytest.mark.parametrize("name", ["laplace", "loose", "channel", "renyi", "hostile"])
def test_every_place_shows_the_text_of_its_value_or_that_it_lies_between(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    data = opened(browser, tmp_path, page_of(name, 9))
    count, verdicts = len(data["epsilons"]), {"certified", "refuted", "undecided"}
    for scale, epsilon in positions(data):
        if data["scales"]:
            moved(browser, "scale", scale)
        moved(browser, "epsilon", epsilon)
        head, whole, one = browser.value(SAID)
        around = [data["values"][k * count + j] for k, j in product(
            {scale // 2, -(-scale // 2)}, {epsilon // 2, -(-epsilon // 2)})]  # fmt: skip
        if len(around) == 1:
            (value,) = around
            assert head == f"{value['verdict']} {value['at']}"
            assert (whole, one) == (value["said"], value["pairs"][0]["said"])
        else:
            assert head.strip() == "not decided here"
            assert not any(word in head for word in verdicts)
            assert whole.startswith("Between ")
            assert one == ""
            for value in around:
                assert f"{value['at']} ({value['verdict']})" in whole
        assert browser.value("document.getElementById('verdict').className").split() == [
            "verdict", around[0]["tone"] if len(around) == 1 else "between"]  # fmt: skip
        assert {k for k, _ in browser.value(SHOWN)} == {scale // 2, -(-scale // 2)}
        assert {*browser.value(MARKED)} <= {f"e{epsilon // 2}", f"e{-(-epsilon // 2)}"}


def test_arrow_keys_move_from_a_value_over_what_lies_between_to_the_next(
    browser: Browser, tmp_path: Path
) -> None:
    data = opened(browser, tmp_path, page_of("laplace", 9))
    count = len(data["epsilons"])
    said = "document.getElementById('scale').getAttribute('aria-valuetext')"
    browser.value("document.getElementById('scale').focus()")
    pressed(browser, "Home")
    epsilon = int(browser.value("document.getElementById('epsilon').value")) // 2
    first, second = (data["values"][k * count + epsilon] for k in (0, 1))
    low, high = data["scales"][:2]
    assert browser.value(said) == f"{low}: {first['verdict']}"
    pressed(browser, "ArrowRight")
    assert browser.value(said) == f"between {low} and {high}: not decided here"
    assert first["at"] in browser.value(SAID)[1]
    assert second["at"] in browser.value(SAID)[1]
    pressed(browser, "ArrowRight")
    assert browser.value(said) == f"{high}: {second['verdict']}"
    assert browser.value(SAID)[1] == second["said"]
    pressed(browser, "Tab")
    assert browser.value("document.activeElement.id") == "epsilon"
    pressed(browser, "End")
    assert browser.value(SAID)[0].endswith(f"epsilon = {data['epsilons'][-1]}")
    pressed(browser, "Tab")
    assert browser.value("document.activeElement.id") == "pair"


def test_another_pair_has_its_own_pictures_and_words(browser: Browser, tmp_path: Path) -> None:
    data = opened(browser, tmp_path, page_of("hostile", 4))
    assert len(data["pairs"]) == 6
    assert browser.value("[...document.querySelectorAll('#pair option')].map(e => e.textContent)"
                         ) == data["pairs"]  # fmt: skip
    moved(browser, "pair", 3)
    assert {pair for _, pair in browser.value(SHOWN)} == {3}
    assert browser.value(SAID)[2] in {value["pairs"][3]["said"] for value in data["values"]}


@pytest.mark.parametrize(("name", "width", "dark"), [
    ("hostile", 390, False), ("loose", 390, True), ("channel", 1280, True),
    ("normal", 1280, False), ("far", 390, True),
])  # fmt: skip
def test_a_page_on_a_phone_and_in_the_dark(
    browser: Browser, tmp_path: Path, name: str, width: int, dark: bool
) -> None:
    opened(browser, tmp_path, page_of(name), width, dark=dark)
    for place in (0, 1):
        moved(browser, "epsilon", place)
        assert browser.complaints() == []
        assert browser.value(OVERFLOW) == 0
        assert browser.value(SMALL) == 0
        assert browser.violations() == []
    assert browser.value("document.querySelectorAll('svg [points*=NaN], svg [d*=NaN]').length") == 0
    assert browser.value("document.querySelectorAll('script').length") == 2


def test_without_a_script_there_is_one_value_and_the_table(
    browser: Browser, tmp_path: Path
) -> None:
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        data = opened(browser, tmp_path, page_of("laplace"))
        found = explore(DRAWN["laplace"], values=6)
        assert browser.value("document.getElementById('controls').offsetParent === null")
        assert browser.value(SAID)[1] == data["values"][found.start]["said"]
        assert browser.value("document.querySelectorAll('tbody tr').length") >= 6
        assert len(browser.value(SHOWN)) == 1
    finally:
        browser.ask("Emulation.setScriptExecutionDisabled", value=False)


MOVING = """[...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e);
  return s.transitionDuration != '0s' || s.animationName != 'none' }).length"""


def test_on_paper_there_are_no_sliders_and_nothing_moves_by_itself(
    browser: Browser, tmp_path: Path
) -> None:
    """A fade would show what lies between in the colour of a verdict, and some ask for none."""
    opened(browser, tmp_path, page_of("laplace"), 1280)
    assert browser.value(MOVING) == 0
    browser.ask("Emulation.setEmulatedMedia", media="print")
    assert browser.value("getComputedStyle(document.getElementById('controls')).display") == "none"
    assert browser.value("document.getElementById('said').offsetParent !== null")
    browser.ask("Emulation.setEmulatedMedia", media="")


def test_every_value_stands_in_the_tables(browser: Browser, tmp_path: Path) -> None:
    """What the sliders say, for those who do not move them."""
    data = opened(browser, tmp_path, page_of("loose"))
    rows = browser.value("""[...document.querySelectorAll('details tbody tr')].map(
        r => [...r.children].map(c => c.textContent))""")
    for value, row in zip(data["values"], rows, strict=True):
        texts = " ".join(row)
        assert row[2] == value["verdict"]
        assert all(value[key][end] in texts for key in ("loss", "delta") for end in ("lower",))
