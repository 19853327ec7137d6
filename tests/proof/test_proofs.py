"""Every file in proofs/ earns the result that it declares, and the page about them how many.

By default some files are checked, which have every kind of step; .ci/run has `pfverify prove` check
all of them.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from support.proofs import EACH, FILES, PROOFS, SOME, loaded

from pfverify.proof.claim import Claim, Proved
from pfverify.proof.language import LANGUAGE
from pfverify.proof.outcome import Result
from pfverify.proof.papers import PAPERS
from pfverify.proof.rules import Arithmetic
from pfverify.proof.run import COLUMNS, counts, coverage, missing_claims, prove

ROOT = Path(__file__).resolve().parents[2]
COUNTED = ROOT / "notebooks/reference/proofs.md"
SHARED = ROOT.parent / "shared"
FACTS = {
    *("F1", "F2", "F3", "F3b", "F4", "F4b", "F5", "F6", "F7", "F8", "F8b", "F8c", "F8d", "F9"),
    *("F9LP", "F10", "F10a", "F10b", "F10c", "F10d", "F10e", "F10f", "F10g", "F10h", "F11", "F12"),
    *("F13", "F13b", "F14", "F15"),
    *("F16", "F16b", "F17", "F17b", "F18"),
    *("F19", "F19b", "F20", "F21"),
    *("F25", "F26", "F27"),
    *("F22", "F23", "F24"),
    *("F4c", "F7b", "F11b", "F28", "F29", "F30"),
    *("F31", "F32", "F33"),
    *("F10i", "F10j", "F5b"),
    *("F13c", "F14b"),
    *("F34", "F34b", "F35", "F36", "F36b"),
    *("F37", "F37b", "F37c", "F37d"),
    *("F38", "F38b"),
    *("DPI", "F2a", "F2G", "F4L", "INJ", "MGF", "MIX", "TAIL", "TAILa"),
    *("F40", "F40a", "F40b", "F40c", "F40d", "F40e", "F40f", "F40g", "F40h", "F40i"),
    *("F40j", "F40k", "F40l"),
    *("F41", "F41b", "F41c"),
    *("F42", "F42a", "F42b", "F42c", "F42d", "F42e", "F42f", "F42g", "F42h"),
    *("F43", "F43b", "F43c", "F43d", "F43e", "F43f", "F43g", "F43h", "F43i", "F44"),
    *("F45", "F45b", "F45c", "F45d", "F45e", "F46", "F46b", "F46c", "F47", "F47b", "F47c"),
    *("F48", "F48b", "F48c", "F48d", "F48e", "F48f", "F48g", "F48h", "F48i", "F48j"),
    *("F49", "F50", "F51", "F52", "F52b", "F52c", "F52d"),
    *("F60", "F60a", "F60b", "F60c", "F60d", "F61", "F61a", "F61b", "F61c", "F61d"),
    *("F61e", "F62", "F62a", "F62b", "F62c", "F62d", "F62e"),
    *("F63", "F63a", "F63b", "F63c", "F63d", "F63e", "F63f", "F63g"),
    *("F70", "F70a", "F70b", "F71", "F71a", "F71b", "F71c", "F72", "F72a", "F72b", "F72c"),
    *("F73", "F73a", "F73b", "F73c", "F74", "F74a", "F74b", "F74c"),
    *("F75", "F75a", "F75b", "F75c", "F76", "F76a", "F76b", "F76c", "F77", "F77b"),
}
ROWS = {  # the rows of the audit of the four papers
    "gaussian-priors": {f"G{k:02}" for k in range(1, 45)} | {"G08b"},
    "multi-user": {f"M{k:02}" for k in range(1, 50)} | {"M17b", "M29b", "M32b"},
    "noise-reduction": {f"N{k:02}" for k in range(1, 50)} | {"N14b"},
    "distribution-privacy": {f"D{k:02}" for k in range(1, 29)} | {"D08b"},
}
SIZES = {"gaussian-priors": 45, "multi-user": 52, "noise-reduction": 50, "distribution-privacy": 29}
PAPER_FILES = {
    "gaussian-priors": "ding-2024-gaussian-priors.txt",
    "noise-reduction": "yang-noise-reduction.txt",
    "multi-user": "ding-multi-user.txt",
    "distribution-privacy": "kawamoto-murakami-distribution-privacy.txt",
}
MAX_LINES, USUAL_LINES, USUAL_FACTS = 60, 40, 8
# files of more than 40 lines: these only become fewer
LONGER = {
    "G21",
    "G25",
}


@pytest.mark.slow
@pytest.mark.usefixtures("one_process", "kernel_here")
def test_some_files_of_every_kind_earn_their_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pfverify.proof.library.load_proof", loaded)  # once for all tests
    outcomes = prove(SOME)
    assert {o.id: o.failure for o in outcomes if o.failure} == {}
    assert not any("UNKNOWN" in o.result for o in outcomes)


@pytest.mark.long
@pytest.mark.usefixtures("one_process", "kernel_here")
@pytest.mark.parametrize("paper", sorted({path.parent.name for path in FILES}))
def test_every_file_earns_its_result_and_its_page_is_current(paper: str) -> None:
    outcomes = prove([path for path in FILES if path.parent.name == paper])
    assert {o.id: o.failure for o in outcomes if o.failure} == {}
    assert not any("UNKNOWN" in o.result for o in outcomes)
    row = counts(outcomes).splitlines()[-1]
    assert row.startswith(f"| {paper} |")
    assert row in COUNTED.read_text("utf-8").splitlines()


def used(path: Path) -> set[str]:
    """The words of the language that a file uses, and what its claim consists of."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)} & LANGUAGE.keys()
    keys = {node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg}
    return names | {f"{key}=" for key in keys & Claim.__dataclass_fields__.keys()}


def test_the_files_that_are_checked_by_default_use_all_that_is_used() -> None:
    whole = set().union(*map(used, FILES))
    assert {*map(str, Result)} <= {word.replace("_", " ") for word in whole}
    assert {"arithmetic", "induction", "certificate", "theorem", "tighter=", "readings="} <= whole
    assert whole - set().union(*map(used, SOME)) == set()
    assert {path.parent.name for path in SOME} == {path.parent.name for path in FILES}


def test_the_page_counts_what_is_declared() -> None:
    """Which of the proved ones rest on citations, or leave parts open, is seen in checking them."""
    rows = re.findall(r"^\| ([a-z-]+) \| (.*) \|$", COUNTED.read_text("utf-8"), re.M)
    table = {paper: cells.split(" | ") for paper, cells in rows}
    for paper in {path.parent.name for path in FILES}:
        texts = [path.read_text("utf-8") for path in FILES if path.parent.name == paper]
        files, claims, *cells = table[paper]
        assert int(files) == len(texts)
        assert claims == str(SIZES.get(paper, "-"))
        found = Counter(re.findall(r"\bresult=([A-Z_]+)", " ".join(texts)))
        said = dict(zip(COLUMNS, map(int, cells), strict=True))
        proved = said.pop("PROVED") + said.pop("PROVED with citations or open parts")
        assert proved == found.pop("PROVED", 0), paper
        assert {name: count for name, count in said.items() if count} == {
            name.replace("_", " "): count for name, count in found.items()
        }, paper


def test_results_that_contradict_or_confirm_the_audit() -> None:
    """They are results here, not opinions."""

    def declared(paper: str, name: str) -> Result:
        return loaded(PROOFS / paper / f"{name}.py").claim.result

    found = {name: declared("noise-reduction", name) for name in ("N05", "N09", "N20")}
    assert found == {"N05": Result.REPAIRED, "N09": Result.PROVED, "N20": Result.REFUTED}
    assert declared("gaussian-priors", "G07") is Result.PROVED
    for name in ("G21", "G25", "G26"):
        assert declared("gaussian-priors", name) is Result.REPAIRED
    for name in ("D07", "D08", "D11", "D12", "D17"):
        assert declared("distribution-privacy", name) is Result.REPAIRED
    for name in ("D08b", "D14", "D16"):  # a factor that is not needed
        claim = loaded(PROOFS / "distribution-privacy" / f"{name}.py").claim
        assert claim.result is Result.PROVED
        assert claim.tighter is not None


def test_what_is_open_or_narrower_than_its_title_is_said() -> None:
    for name, part in (("D22", "printed"), ("D24", "corrected")):
        claim = loaded(PROOFS / "distribution-privacy" / f"{name}.py").claim
        assert "dummies" in claim.open
        (example,) = dict(claim.parts())[part].examples
        assert min(len(example.domains["Y"]), example.values["k"].fraction) >= 2
        assert len({mass.fraction for mass in example.tables["f"].values()}) > 1
    for paper, name in (("multi-user", "M06"), ("noise-reduction", "N08")):
        assert "finitely many letters" in loaded(PROOFS / paper / f"{name}.py").claim.words
    g21 = loaded(PROOFS / "gaussian-priors" / "G21.py").claim.corrected
    assert g21 is not None
    assert "densities" in {step.name for step in g21.steps}


def test_every_row_has_a_file() -> None:
    assert {paper: len(rows) for paper, rows in ROWS.items()} == SIZES
    assert sum(SIZES.values()) == 176
    found = {path.stem: path.parent.name for path in FILES}
    assert {*found} >= FACTS
    for paper, rows in ROWS.items():
        assert PAPERS[paper].claims == rows
        here = {name for name, folder in found.items() if folder == paper}
        assert here == rows
    assert missing_claims([*found]) == {}
    text = "176 of the papers' 176 claims have a file"
    assert coverage([*found]) == text
    assert f"\n{text}" in COUNTED.read_text("utf-8")


def test_a_row_without_a_file_is_listed() -> None:
    found = {path.stem for path in FILES} - {"D04", "N09"}
    assert missing_claims([*found]) == {"distribution-privacy": ["D04"], "noise-reduction": ["N09"]}
    text = "174 of the papers' 176 claims have a file; none yet: noise-reduction: N09; "
    assert coverage([*found]) == f"{text}distribution-privacy: D04"


def test_the_rows_are_those_of_the_audit() -> None:
    ledger = SHARED / "ledger.md"
    if not ledger.exists():
        pytest.skip("the ledger is not beside the project")
    rows = set(re.findall(r"^\| ([GMND]\d+b?) \|", ledger.read_text("utf-8"), re.MULTILINE))
    assert rows == set().union(*ROWS.values())


@pytest.mark.parametrize("path", EACH)
def test_files_are_short_and_plain(path: Path) -> None:
    text = path.read_text("utf-8")
    proof = re.split(r"\n    (?:meaning|breaks)=\[", text)[0]  # what exercises need comes after it
    proof = re.sub(r'\n\nSymbols:\n.*?"""', '"""', proof, count=1, flags=re.DOTALL)  # words
    assert len(proof.splitlines()) <= (MAX_LINES if path.stem in LONGER else USUAL_LINES)
    claim = loaded(path).claim
    assert claim.id == path.stem
    assert claim.source.paper == path.parent.name
    assert 20 <= len(claim.words) <= 400


@pytest.mark.parametrize("path", EACH)
def test_arithmetic_steps_use_few_facts(path: Path) -> None:
    parts = [part for _, part in loaded(path).claim.parts() if isinstance(part, Proved)]
    rules = {step.name: step.rule for part in parts for step in part.all_steps()}
    many = {(path.stem, name) for name, rule in rules.items()
            if isinstance(rule, Arithmetic) and len(rule.using) > USUAL_FACTS}  # fmt: skip
    assert many == set()


def test_the_exceptions_are_not_more_than_they_were() -> None:
    assert len(LONGER) == 2


@pytest.mark.parametrize("paper", PAPER_FILES)
def test_sources_name_numbers_that_the_paper_has(paper: str) -> None:
    text_file = SHARED / "papers" / PAPER_FILES[paper]
    if not text_file.exists():
        pytest.skip("the papers are not beside the project")
    text = text_file.read_text("utf-8")
    for k, mark in enumerate("¹²³⁴⁵⁶⁷⁸⁹", 1):
        text = text.replace(mark, f"footnote {k}")
    text = re.sub(r"(?m)^(\d)\.(\d)? ", r"Section \1.\2 ", text).replace("Fig.", "Figure")
    text = " ".join(text.split())
    missing = []
    for number in sorted(PAPERS[paper].numbers):
        for part in re.findall(r"\(\d+\)|[A-Z][a-z]+ \d(?:\.\d)?|footnote \d|Abstract", number):
            found = part in text or part.replace("(", "\\tag{").replace(")", "}") in text
            if not found and not part.startswith("Section"):
                missing.append(part)
    assert missing == []
