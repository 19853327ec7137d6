"""What the README shows works as shown: its problem files, commands and Python."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tomllib
from pathlib import Path

import pytest

from pfverify import Problem, certify
from pfverify.edge.cli import main
from pfverify.model.systems.system import system_schema

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
ELSEWHERE = ("crosscheck", "demo", "prior", "prove")  # commands that tests of their own run


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    """The commands of indented lines and of the table, as words after `pfverify`."""
    shown = re.findall(r"^    pfverify ([^#\n]*)", README, re.MULTILINE)
    shown += re.findall(r"^\| .* \| `pfverify (.*)` \|$", README, re.MULTILINE)
    found = [re.findall(r'"[^"]*"|\S+', line) for line in shown]
    return [
        words for words in found if words[0] not in ELSEWHERE and words[::3] != ["check", "--coq"]
    ]


def problem_files() -> list[str]:
    return [text for text in blocks("toml") if "schema" in text]


def test_there_is_something_to_test() -> None:
    assert len(problem_files()) == 4
    assert len(blocks("python")) == 3
    names = {words[0] for words in commands()}
    assert names == {
        "calibrate", "certify", "check", "coupling", "explain", "export", "loss", "report",
        "sample",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("number", "verdict"), [(0, "certified"), (1, "certified"), (2, "refuted"), (3, "certified")]
)
def test_the_problem_files(tmp_path: Path, number: int, verdict: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(problem_files()[number])
    assert certify(Problem.load(path)).verdict == verdict


def test_the_other_keys_are_valid_toml() -> None:
    text, of_systems = [text for text in blocks("toml") if "schema" not in text]
    assert set(tomllib.loads(text)) == {"delta", "form", "pairs", "noise"}
    assert {*tomllib.loads(of_systems)} == {*system_schema()["system"]["properties"]} - {
        "others", "user",
    }  # fmt: skip


@pytest.mark.parametrize("key", ["release", "presence_model", "rest", "pair_set", "protect"])
def test_every_key_of_a_system_may_be_added(tmp_path: Path, key: str) -> None:
    """What the README shows for a key, and each other value that its comment names."""
    _, text = [text for text in blocks("toml") if "schema" not in text]
    table = tomllib.loads(problem_files()[1])
    shown = re.findall(rf'^{key} .*(?:\n +#.*)*', text, re.MULTILINE)[0]
    values = re.findall(r'"([a-z-]+)"', shown)
    assert values[0] == tomllib.loads(text)[key]
    for value in values:
        system = table["system"] | {key: value}
        if key == "pair_set" and value.startswith("laws"):
            half = {"bernoulli": "1/2"}
            system["user"] = {"P": half, "Q": {"bernoulli": "2/3"}, "away": "absent"}
        if key == "protect":
            system = {"others": system["others"], "pair_set": "values", key: value}
        Problem.from_table(table | {"system": system})


def test_every_key_of_the_problem_files_may_be_added(tmp_path: Path) -> None:
    """The block of further keys, with the secrets and atoms of a problem that has them all."""
    text, _ = [text for text in blocks("toml") if "schema" not in text]
    path = tmp_path / "all.toml"
    priors = "".join(
        f'[priors.{name}]\nkind = "discrete"\ncounts = {{ "0" = {k}, "1" = 3 }}\n'
        for k, name in enumerate("ab", 1)
    )
    path.write_text(f'schema = "pfverify/problem/1"\nepsilon = 1\n{text}{priors}')
    assert certify(Problem.load(path)).verdict == "certified"


def test_the_commands_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(problem_files()[0])
    Path("mean.toml").write_text(problem_files()[1])
    assert main(["coupling", "mine.toml", "--json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    rows = [f"{edge['from']},{edge['to']},{edge['mass']}" for edge in pair["plan"]]
    Path("plan.csv").write_text("\n".join(["from,to,mass", *rows]) + "\n")
    Path("proofs").symlink_to(ROOT / "proofs")
    ran = sorted(commands(), key=lambda words: "-o" not in words)  # check what was written
    for words in ran:
        code = main(words)
        out, err = capsys.readouterr()
        assert (words, code, err) == (words, 0, "")
        assert out or "-o" in words
    assert Path("mine.cert").exists()


def test_the_way_from_a_table_to_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first three commands about one's own data, on records of the counts shown below them."""
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    cells = {"yes,no": 376, "yes,yes": 204, "no,no": 34, "no,yes": 35}
    rows = [row for row, count in cells.items() for _ in range(count)]
    Path("data.csv").write_text("\n".join(["higher,romantic", *rows]) + "\n")
    section = README.split("## Your own data")[1]
    lines = re.findall(r"^    pfverify (.*)$", section, re.MULTILINE)[:3]
    assert [line.split()[0] for line in lines] == ["prior", "certify", "report"]
    for line in lines:
        assert main(line.split()) == 0
        assert capsys.readouterr().err == ""
    made = Problem.load("mine.toml").replaced(epsilon="1/2")
    shown = Problem.from_text(problem_files()[0])
    assert made.beliefs == shown.beliefs
    assert made.noise.canonical() == shown.noise.canonical()
    assert Path("mine.html").stat().st_size > 10_000


def printed(comment: str) -> bool:
    """Whether a comment states what is printed (others describe it)."""
    return re.fullmatch(r"(certified|refuted|[\d.]+)(:.*)?", comment) is not None


@pytest.mark.parametrize("number", range(3))
def test_the_python_prints_what_its_comments_say(number: int) -> None:
    code = blocks("python")[number]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, f"README, block {number}", "exec"), {})
    comments = re.findall(r"^print\(.*\) +# (.*)$", code, re.MULTILINE)
    lines = out.getvalue().splitlines()
    assert len(comments) == len(lines) > 0
    for line, comment in zip(lines, comments, strict=True):
        if printed(comment):
            assert line == comment.split(":")[0]


def test_most_comments_state_what_is_printed() -> None:
    comments = re.findall(r"^print\(.*\) +# (.*)$", "".join(blocks("python")), re.MULTILINE)
    assert sum(map(printed, comments)) == len(comments) - 2
