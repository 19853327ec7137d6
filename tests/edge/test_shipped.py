"""The page of every subject: it is about those of the registry, and what it says is found again."""

from __future__ import annotations

import importlib
import re
import shlex
from importlib.metadata import PackageNotFoundError
from math import erfc, exp, sqrt
from pathlib import Path

import pytest

from pfverify.crosscheck.kinds import judge
from pfverify.crosscheck.replay import case_of
from pfverify.edge import shipped, shipped_draws
from pfverify.edge.cli import main
from pfverify.errors import InputError
from pfverify.subjects import optional
from pfverify.subjects.registry import SUBJECTS
from pfverify.workers.function import Limits

PAGE = Path(__file__).parents[2] / "notebooks" / "reference" / "implementations.md"
TEXT = PAGE.read_text("utf-8")
ROWS = re.findall(r"^\| (\w+:\w+) \| (\S+) (\S+) \|", TEXT, re.MULTILINE)
SECTIONS = dict(re.findall(r"^### (\S+)\n(.*?)(?=^##)", TEXT, re.MULTILINE | re.DOTALL))
SMALLEST = re.compile(r"^- smallest case, (.*?) \(\d+ times\):.*?^  (pfverify [^\n]*)", re.M | re.S)


def test_the_page_is_about_every_subject():
    assert [name for name, _, _ in ROWS] == list(SECTIONS) == list(SUBJECTS)
    for name, library, _ in ROWS:
        subject = SUBJECTS[name]
        assert library == subject.library
        for line in (f"- promise: {subject.promise}\n", f"- held to: {subject.claim}\n"):
            assert line in SECTIONS[name]


def test_the_laws_of_samplers_are_those_of_the_page():
    assert TEXT.endswith(shipped.sampler())


def test_the_thresholded_counts_of_opendp_are_those_of_the_page():
    assert "| 1 | 5 | 0.004925833956035741 | refuted | `exp(-4)/(1+exp(-1))` | 0.0133898 |" in TEXT
    if f"delta that OpenDP {shipped.installed('opendp')} reports" in TEXT:
        assert shipped.thresholded() in TEXT


def test_the_tails_of_discrete_gaussian_noise_are_those_of_the_page():
    """A count of 1, at least 5, and the numbers that OpenDP 0.16.0 reports: a continuous tail."""
    for sigma in (1, 2):
        bells = [exp(-(k**2) / (2 * sigma**2)) for k in range(-60, 61)]
        exact = sum(bells[64:]) / sum(bells)
        assert float(shipped_draws.reached(sigma).lower) == pytest.approx(exact, rel=1e-11)
        said = erfc(4 / sigma / sqrt(2)) / 2
        row = re.search(rf"^\| {sigma} \| 5 \| (\S+) \| (\S+) \| below it", TEXT, re.MULTILINE)
        assert row
        assert (float(row[1]), float(row[2])) == (
            pytest.approx(said, rel=1e-6), pytest.approx(exact, rel=1e-5)
        )  # fmt: skip


def _is_here(library, version):
    """Whether a library is installed as it was when the page was made: some are not needed here."""
    try:
        return shipped.installed(library) == version
    except InputError:
        return False


def replays():
    """What the page says of each smallest case, where the libraries are those it was made with."""
    used = re.search(r"numpy (\S+) and scipy (\S+)\.\n", TEXT)
    same = used and used.groups() == (shipped.installed("numpy"), shipped.installed("scipy"))
    for name, library, version in ROWS:
        if same and _is_here(library, version):
            for outcome, command in SMALLEST.findall(SECTIONS[name]):
                if outcome not in ("crash", "timeout", "out of memory"):
                    yield name, outcome, shlex.split(command)


def test_the_smallest_cases_of_the_page_fail_again():
    for name, outcome, command in replays():
        module, _, function = name.partition(":")
        asked = getattr(importlib.import_module(f"pfverify.subjects.{module}"), function)
        case = case_of(command[command.index("--replay") + 1])
        values, named = case.arguments()
        claim = shipped.asked_of(SUBJECTS[name], 1, 0).claim
        assert judge(case, asked(*values, **named), claim).outcome.value == outcome, command


def test_a_subject_is_asked_in_a_process_of_its_own_and_told():
    subject = SUBJECTS["numpy_float64:loss"]
    (found,) = shipped.verdicts([subject], 2, 0, Limits(), lambda done, total: None)
    text = shipped.section(found)
    assert text.startswith("### numpy_float64:loss\n\n- asked: `loss(atoms, p, q, scale)`")
    assert "- outcomes: 2 sound\n- worst: no answer was on the wrong side\n" in text
    page = shipped.page([found], 2, 0, draws=300)
    assert "| make_gaussian, integers | discrete-gaussian |" in page
    assert f"| numpy_float64:loss | numpy {found.version} | no failure found |" in page


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--shipped", "page.html"], "--shipped: cannot write 'page.html', expected a new file"),
        (["--shipped", "no/page.md"], "--shipped: cannot write 'no/page.md'"),
        (["mine:scale", "--shipped", "page.md"], "--shipped: takes --cases, --seed, --timeout"),
        (["--shipped", "page.md", "--json"], "--shipped: takes --cases"),
        (["--shipped", "page.md", "--cases", "0"], "cases: 0 is not"),
    ],
)
def test_bad_input_is_one_line(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["crosscheck", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_an_absent_library_is_told_with_its_remedy(monkeypatch, capsys):
    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(optional, "version", absent)
    for arguments in (
        ["pfverify.subjects.pot:monotone_plan", "--kind", "plan"],
        ["--shipped", "page.md"],
    ):
        assert main(["crosscheck", *arguments]) == 2
        words = capsys.readouterr().err
        remedy = r"in the checkout, pip install '\.\[subjects\]'"
        assert re.search(rf"this subject needs \S+: {remedy}\n$", words)
        assert words.count("\n") == 1
