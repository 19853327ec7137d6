"""From two files to one line: what is said of a verdict, on what it rests, and the arguments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import checker
import kernel_builder as kb
import pytest
from core.grammar import shown
from core.work import AT_LEAST, PER_BYTE, Check

IDEAL = "assuming ideal real-valued noise, "
KEPT = "ideal noise, the steps as stated and beliefs as given"
RESTS = {  # the rules that held, and what is assumed
    "bare-delta-tie": ("no-noise", "assuming one release, beliefs as given"),
    "bare-refuted-event": ("event-refuted", "assuming one release, beliefs as given"),
    "bare-variance": ("no-noise", "assuming one release, beliefs as given"),
    "pure-plain": ("pure", f"{IDEAL}one release, beliefs as given"),
    "pure-refuted-plain": ("pure-refuted", f"{IDEAL}one release, beliefs as given"),
    "moment-tie": ("moment", f"{IDEAL}one release, beliefs as given"),
    "product-parts": ("channel product releases", f"{IDEAL}2 releases, all of one X, the steps as "
                      "stated and beliefs as given"),
    "product": ("product pure",
                f"{IDEAL}2 releases, each of a fresh draw of X, beliefs as given"),
    "kept-pure": ("kept releases", f"assuming one release, {KEPT}"),
    "lattice-kept-floor": ("kept", f"assuming one release, {KEPT}"),
    "families-intervals": ("families pure", f"{IDEAL}one release, beliefs that are any members of "
                           "the families"),
    "families-refuted": ("pure-refuted", f"{IDEAL}one release, beliefs that are any members of the "
                         "families"),
    "any-rest-steps": ("pure system", f"{IDEAL}one release, users independent, the laws of the "
                       "others unknown"),
}  # fmt: skip


def stored(name: str) -> tuple[kb.Json, kb.Json]:
    case = json.loads((kb.CORPUS / "accept" / f"{name}.json").read_text())
    return case["problem"], case["certificate"]


@pytest.mark.parametrize("name", RESTS)
def test_what_an_answer_rests_on(name: str) -> None:
    found = kb.checked(*stored(name))
    assert found.check is not None
    assert (" ".join(sorted(found.check.rules)), found.message.split("; ")[-1]) == RESTS[name]


def test_scales_of_a_variance_are_standard_deviations() -> None:
    said = " (scales are standard deviations); "
    assert said in kb.run(*stored("no-scale-normal"))[1]
    for name in ("no-scale-plain", "minimum-pointwise"):
        assert "standard deviations" not in kb.run(*stored(name))[1]


P, Q = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}  # log 2 apart at most


@pytest.mark.parametrize("digits", [1, 97, 98, 99, 100, 120])
def test_numbers_are_said_in_up_to_100_characters(digits: int) -> None:
    epsilon = "9" * digits + "/2"
    value = kb.problem(P, Q, epsilon)
    message = kb.run(value, kb.certificate(value, "certified", kb.both("pure", 64, {"ties": []})))[
        1
    ]
    text = shown(epsilon, 100)
    assert f" epsilon={text[1:-1]} delta=0 form=events noise=laplace scale=1; " in message
    assert (text == f'"{epsilon}"') == (digits <= 98)


@pytest.mark.parametrize("length", [29, 30, 31, 40])
def test_a_belief_is_named_in_up_to_30_characters(length: int) -> None:
    name = ("belief " * 9)[:length]
    value = kb.problem(P, Q, "1/2", scale="1/100")
    value["beliefs"] = {name: {"priors": value.pop("priors")}}
    step = {**kb.step("pure-refuted", y="0", margin="0.1"), "belief": name}
    word, message = kb.run(value, kb.certificate(value, "refuted", [step]))
    assert word == "refuted"
    assert message.startswith(f'pure-refuted "a" -> "b" of belief {shown(name, 30)} fails at y=0: ')


@pytest.mark.parametrize("wrong", [["tests"], "tests", None, {"tests": 1}, {"a": "1", "b": None}])
def test_producers_are_names_and_versions(wrong: Any) -> None:
    problem, certificate = stored("pure-plain")
    answer = kb.run(problem, {**certificate, "produced_by": wrong})
    assert answer == ("malformed", "produced_by must map names to versions")
    for right in ({}, {"a": "1", "b": ""}):
        assert kb.run(problem, {**certificate, "produced_by": right})[0] == "certified"


def test_the_bytes_of_both_files_allow_work() -> None:
    """No spaces, and not what decides nothing."""
    problem, certificate = stored("pure-plain")
    more = {**problem, "provenance": {"note": "x" * 99}}, {**certificate, "created": "today"}
    own = {k: v for k, v in certificate.items() if k not in ("produced_by", "created")}
    bare = {k: v for k, v in problem.items() if k != "provenance"}
    size = sum(len(json.dumps(value, separators=(",", ":"))) for value in (bare, own))
    for files in ((problem, certificate), more):
        found = kb.checked(json.dumps(files[0], indent=4), files[1])
        assert found.word == "certified", found.message
        assert found.check is not None
        assert found.check.allowed == AT_LEAST + PER_BYTE * size


def test_a_file_that_cannot_be_read_is_malformed(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.json")
    found = checker.check_files(missing, missing)
    assert (found.word, found.check) == ("malformed", None)
    assert found.message.startswith("cannot read ")


@pytest.mark.parametrize("held", [None, "pure"])
@pytest.mark.parametrize(("arguments", "files"), [
    (["p", "c"], ("p", "c")), (["--trusts", "p", "c"], ("p", "c")),
    (["--trusts", "c"], ("--trusts", "c")), (["p", "--trusts"], ("p", "--trusts")),
    ([], None), (["p"], None), (["p", "--trusts", "c"], None), (["p", "c", "--trusts"], None),
    (["--trusts", "p", "c", "d"], None), (["--trusts"], None),
    (["--folder", "f", "p", "c"], ("p", "c", "f")), (["--folder", "p", "c"], None),
    (["p", "--folder", "f", "c"], None), (["--folder", "p"], ("--folder", "p")),
    (["--trusts", "--folder", "f", "p", "c"], ("p", "c", "f")), (["f", "p", "c", "d", "e"], None),
])  # fmt: skip
def test_the_arguments_name_two_files(
    arguments: list[str], files: tuple[str, ...] | None, held: str | None,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    asked: list[tuple[str, ...]] = []

    def checked(problem: str, certificate: str, folder: str | None) -> checker.Checked:
        asked.append((problem, certificate) if folder is None else (problem, certificate, folder))
        check = None
        if held is not None:
            check = Check(0)
            check.held(held, {"F1"})
        return checker.Checked("rejected", "no\nmore é", check)

    monkeypatch.setattr(checker, "check_files", checked)
    code = checker.main(arguments)
    first, *rest = capsys.readouterr().out.splitlines()
    assert asked == ([] if files is None else [files])
    if files is None:
        usage = "malformed: usage: python -I -S pfverify/kernel PROBLEM CERTIFICATE"
        assert (code, first, rest) == (2, usage, [])
        return
    assert (code, first) == (1, "rejected: no more \\xe9")
    assert any(line.startswith("file ") for line in rest) == (len(arguments) in (3, 5))
    rules = [line for line in rest if line.startswith("rule ")]
    assert [line.split(":")[0] for line in rules] == (
        ["rule pure"] if held is not None and len(arguments) in (3, 5) else []
    )
