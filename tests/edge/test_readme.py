"""What the README shows works as shown: its problem file and its commands. It stays short."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.guides import Reader, blocks
from support.pages import section

from pfverify import Problem, certify
from pfverify.edge.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
MOST = 14_500  # bytes: what is longer belongs into a guide
OWN_DATA, WEEKLY = section(README, "Your own data"), section(README, "Every week for a year")


def commands(text: str) -> list[list[str]]:
    """The commands of indented lines, as words after `pfverify`."""
    return [shlex.split(line) for line in re.findall(r"^    pfverify (.*)$", text, re.MULTILINE)]


def problem_file() -> str:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", OWN_DATA, re.MULTILINE | re.DOTALL)
    return text


def test_it_is_short() -> None:
    assert (ROOT / "README.md").stat().st_size <= MOST


def test_the_problem_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(problem_file())
    assert certify(Problem.load(path)).verdict == "certified"


def test_the_way_from_a_table_to_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands about one's own data, on records of the counts of the problem file."""
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    cells = {"yes,no": 376, "yes,yes": 204, "no,no": 34, "no,yes": 35}
    rows = [row for row, count in cells.items() for _ in range(count)]
    Path("data.csv").write_text("\n".join(["higher,romantic", *rows]) + "\n")
    names = [words[0] for words in commands(OWN_DATA)]
    assert names == ["prior", "certify", "report", "calibrate"]
    printed = ""
    for words in commands(OWN_DATA):
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert err == ""
        printed += out
    (shown_output,) = re.findall(r"^   ```text\n(.*?)^   ```$", README, re.MULTILINE | re.DOTALL)
    assert [line for line in shown_output.splitlines() if line[3:] not in printed] == []
    made, shown = Problem.load("mine.toml"), Problem.from_text(problem_file())
    assert made.beliefs == shown.beliefs
    assert made.noise.canonical() == shown.noise.canonical()
    assert (made.epsilon, made.delta) == (shown.epsilon, shown.delta)
    assert Path("mine.html").stat().st_size > 10_000
    assert certify(Problem.load("scaled.toml")).verdict == "certified"
    check = re.findall(r"`pfverify (check mine\.toml [^`]*)`", README)
    assert [main(line.split()) for line in check] == [0]


def test_releases_of_a_year(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the problem file alone to a scale that is certified with a delta."""
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, main)
    reader.read(WEEKLY)
    assert len(reader.ran) == 5
    assert certify(Problem.load("mine.toml")).verdict == "certified"


def test_different_releases_of_a_year(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with other noise and other priors, which are named and not shown."""
    monkeypatch.chdir(tmp_path)
    (weekly,) = (block.text for block in blocks(WEEKLY) if block.file == "weekly.toml")
    week = weekly.replace("releases = 52\n", "")
    monthly = week.replace('"laplace"', '"gaussian"').replace('"1" = 1', '"5" = 1')
    yearly = week.replace('"laplace"', '"discrete-laplace"\nstep = 1').replace('"1" = 1', '"9" = 1')
    for name, text in {"week": week, "monthly": monthly, "yearly": yearly}.items():
        Path(f"{name}.toml").write_text(text)
    assert [main(words) for words in commands(WEEKLY)] == [0, 0]


def test_every_command_is_named() -> None:
    assert [name for name in COMMANDS if not re.search(rf"\b{name}\b", README)] == []
