"""``pfverify compose --fresh``: different problems, each so many independent draws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pfverify import Problem, certify
from pfverify.edge.cli import main
from pfverify.model.composed import NamedTimes, separately

WEEKLY = """schema = "pfverify/problem/1"
epsilon = 2
delta = "1e-6"
noise = { kind = "laplace", scale = 20 }
[priors]
yes = { kind = "discrete", mass = { 1 = 1 } }
no = { kind = "discrete", mass = { 0 = 1 } }
"""
YEARLY = """schema = "pfverify/problem/1"
epsilon = 2
delta = "1e-6"
channel = { kind = "randomized-response", inputs = ["yes", "no"], epsilon = "1/2" }
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "weekly.toml").write_text(WEEKLY, "utf-8")
    (tmp_path / "yearly.toml").write_text(YEARLY, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> int:
    return int(main(["compose", *words, "--fresh"]) or 0)


@pytest.mark.usefixtures("kernel_here")
def test_a_year_of_weeks_and_a_yearly_answer(capsys: Any) -> None:
    assert run("weekly.toml*52", "yearly.toml", "--write", "all.toml", "-o", "all.cert") == 0
    told = capsys.readouterr().out
    assert "adding is wasteful here" in told
    assert "all at delta" not in told
    assert main(["check", "all.toml", "all.cert"]) == 0
    problem = Problem.load("all.toml")
    assert problem.release.several.startswith("53 releases")  # type: ignore[union-attr]
    assert certify(problem).certified
    for command in (["loss"], ["certify", "--explain"], ["report", "-o", "page.md"]):
        assert main([command[0], "all.toml", *command[1:]]) == 0
    assert "part 1: 52 * 0.05" in capsys.readouterr().out
    assert main(["calibrate", "all.toml"]) == 2
    assert "several parts, and no one scale" in capsys.readouterr().err


def test_the_answer_in_json(capsys: Any) -> None:
    assert run("weekly.toml*52", "yearly.toml", "--epsilon", "1/10", "--delta", "0", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [(part["name"], part["times"]) for part in found["parts"]] == [
        ("weekly", 52), ("yearly", 1)
    ]  # fmt: skip
    assert (found["added"]["adding"], found["verdict"]) == ("right to these digits", "refuted")
    assert "draws" not in found


def test_a_composed_problem_composes_again() -> None:
    year = separately([NamedTimes("weekly", Problem.load("weekly.toml"), 52),
                       NamedTimes("yearly", Problem.load("yearly.toml"))])  # fmt: skip
    week = NamedTimes("weekly", Problem.load("weekly.toml"))
    two = separately([NamedTimes("year", year, 2), week])
    assert [part.times for part in two.release.parts] == [104, 2, 1]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("words", "said"), [
    (["weekly.toml*0"], "weekly.toml*0: expected PROBLEM*N"),
    (["weekly.toml", "--gap", "0"], "gap: 0 is not from 1e-9 to less than 1"),
    (["weekly.toml*1000001"], "an integer N from 1 to 1000000"),
    (["weekly.toml*2x"], "expected PROBLEM*N"),
    (["*3"], "*3: expected PROBLEM*N"),
    (["nothing.toml*3"], "nothing.toml: there is no such file"),
    (["weekly.toml*1000000", "yearly.toml"], "1000001 releases in all"),
    (["weekly.toml", "--draws", "fresh"], "--fresh: not with --draws"),
    (["weekly.toml", "example:census", "--epsilon", "1", "--delta", "0"],
     "pairs of secrets are not those"),
    (["weekly.toml", "other.toml"], "with --epsilon and --delta"),
])  # fmt: skip
def test_what_is_wrong_is_one_line(words: list[str], said: str, capsys: Any) -> None:
    Path("other.toml").write_text(WEEKLY.replace("epsilon = 2", "epsilon = 3"), "utf-8")
    assert run(*words) == 2
    told = capsys.readouterr().err.strip()
    assert said in told
    assert "\n" not in told


def test_old_words_do_not_count(capsys: Any) -> None:
    assert main(["compose", "weekly.toml*2", "weekly.toml", "--draws", "fresh"]) == 2
    assert "weekly.toml*2: PROBLEM*N is only with --fresh" in capsys.readouterr().err
