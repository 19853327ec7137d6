"""A certificate that the kernel takes for too much work: the verdict is shown, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pfverify import Problem
from pfverify.certificate import build
from pfverify.certificate.checking import CheckResult
from pfverify.edge.cli import main
from pfverify.edge.packaged import load_example

REFUSED = CheckResult("rejected", "too much work for files of this size: more than 3 units", 1)
REMEDY = 'rest = "any" needs no sum'
FEWER = "fewer pairs in one problem file"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")  # lines are whole


def crowd(count: int, **more: str) -> Problem:
    system = {"others": [{"bernoulli": "1/2", "count": count}], **more}
    system["user"] = {"no": {"point": 0}, "yes": {"point": 1}}
    noise = {"kind": "laplace", "scale": "3/2"}
    stated = {"schema": "pfverify/problem/1", "epsilon": 1, "noise": noise, "system": system}
    return Problem.from_table(stated)


def test_a_sum_that_is_too_large_is_told_before_the_work_and_the_verdict_after_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    crowd(20_000).save("mine.toml")
    assert main(["certify", "mine.toml", "-o", "mine.cert"]) == 3
    said = capsys.readouterr()
    assert said.out.startswith("mine.toml: certified\n")
    first, last = said.err.splitlines()
    assert first.startswith("pfverify: no certificate will be written: too much work: a sum of")
    assert last.startswith("pfverify: certified, but without a certificate: too much work")
    assert REMEDY in first
    assert REMEDY in last
    assert not Path("mine.cert").exists()
    crowd(20_000, rest="any").save("any.toml")
    assert main(["certify", "any.toml", "-o", "any.cert"]) == 0
    assert Path("any.cert").exists()


@pytest.mark.parametrize(("command", "words"), [
    ("certify", "certified, but without a certificate"),
    ("calibrate", "scales, but without a certificate"),
])  # fmt: skip
def test_the_budget_of_a_check_takes_no_answer_away(
    command: str, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "run_kernel", lambda *given, **options: REFUSED)
    load_example("census").save("census.toml")
    crowd(3).save("few.toml")
    for name, remedy in (("census.toml", FEWER), ("few.toml", REMEDY)):
        assert main([command, name, "-o", "mine.cert"]) == 3
        said = capsys.readouterr()
        assert said.out.startswith(name)
        assert words in said.err.splitlines()[-1]
        assert remedy in said.err.splitlines()[-1]
    assert main(["certify", "census.toml", "--scale", "3", "-o", "other.cert"]) == 3
    assert capsys.readouterr().out.startswith("census.toml")
    assert {path.name for path in Path().iterdir()} == {"census.toml", "few.toml"}
    assert main(["certify", "census.toml", "few.toml", "-o", "all"]) == 3
    assert "certified, but without a certificate" in capsys.readouterr().err


def test_a_proof_that_the_kernel_does_not_accept_is_told_as_such(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = CheckResult("rejected", 'pure "a" -> "b": no tie is proved at the atom "0"', 1)
    monkeypatch.setattr(build, "run_kernel", lambda *given, **options: wrong)
    load_example("census").save("census.toml")
    assert main(["certify", "census.toml", "-o", "mine.cert"]) == 3
    said = capsys.readouterr()
    assert said.out.startswith("census.toml: certified")
    assert "the kernel does not accept the proof" in said.err
    assert "the verdict is the package's alone" in said.err
    assert not Path("mine.cert").exists()
    assert REMEDY not in said.err
