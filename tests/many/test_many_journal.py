"""Files of results: a run that was ended goes on, to the same file; any other file is refused."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.questions import asking, many_pairs

from pfverify.edge.cli import main
from pfverify.errors import InputError
from pfverify.many import run
from pfverify.many.journal import journal
from pfverify.many.question import CommandQuestion

NAMES = ("certified", "refuted", "unscaled", "pairs")
WORDS = ["certify", *(f"{name}.toml" for name in NAMES), "--json", "--results", "out.jsonl"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Problems of which one has no scale and one so many pairs that they are asked in parts."""
    monkeypatch.chdir(tmp_path)
    many_pairs(2).save("certified.toml")
    many_pairs(2, epsilon="1/100").save("refuted.toml")
    (tmp_path / "unscaled.toml").write_text(
        Path("certified.toml").read_text().replace('scale = "3"', "")
    )
    many_pairs(8).save("pairs.toml")
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], words: list[str]) -> tuple[int, str, list[str]]:
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err.splitlines()


def test_a_file_that_was_cut_anywhere_is_completed_to_the_same_bytes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, alone, said = printed(capsys, WORDS[:-2])
    assert (code, len(said)) == (2, 1)
    assert printed(capsys, WORDS) == (code, alone, said)
    file = Path("out.jsonl")
    whole = file.read_bytes()
    ends = [k + 1 for k, byte in enumerate(whole) if byte == 10]
    assert len(ends) == 5  # the pairs are in two parts
    for cut in (0, 3, ends[0] - 1, ends[0], ends[1] + 40, ends[3], len(whole) - 1, len(whole)):
        file.write_bytes(whole[:cut])
        again = printed(capsys, WORDS)
        lines = sum(end <= cut for end in ends)
        told = ["its last line was not finished"] * (cut not in (0, *ends))
        told += [f"{lines} of 5 results were taken from this file, and not decided"] * (lines > 0)
        assert again[:2] == (code, alone)
        assert again[2][-1] == said[0]
        assert all(a in b for a, b in zip(told, again[2][:-1], strict=True))
        assert file.read_bytes() == whole


def test_every_line_keeps_its_schema(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, WORDS)
    place = files("pfverify.edge") / "schemas" / "answer.schema.json"
    validator = Draft202012Validator(json.loads(place.read_text("utf-8")))
    lines = Path("out.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    for line in found:
        validator.validate(line)
    assert [next(key for key in line if key in ("result", "pairs", "error")) for line in found] == [
        "result", "result", "error", "pairs", "pairs",
    ]  # fmt: skip


def test_lines_are_put_in_the_order_of_the_questions(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, WORDS)
    file = Path("out.jsonl")
    whole = file.read_bytes()
    file.write_bytes(b"".join(whole.splitlines(keepends=True)[::-1]))
    printed(capsys, WORDS)
    assert file.read_bytes() == whole


def test_a_batch_says_what_one_by_one_says(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = printed(capsys, WORDS)
    for item in json.loads(out)["results"]:
        if item["problem"] != "unscaled.toml":
            _, alone, _ = printed(capsys, ["certify", item["problem"], "--json"])
            assert json.dumps(item, indent=2, ensure_ascii=False) + "\n" == alone


def test_a_run_that_was_killed_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many_pairs(12).save("pairs.toml")  # 66 pairs in 5 parts
    words = ["certify", "pairs.toml", "--digits", "150", "--csv", "--results"]
    run = subprocess.Popen(
        [sys.executable, "-m", "pfverify", *words, "out.jsonl", "--jobs", "2"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    file, end = Path("out.jsonl"), time.monotonic() + 60
    while not (file.exists() and file.read_bytes().count(b"\n")):
        assert time.monotonic() < end
        time.sleep(0.01)
    run.kill()
    run.wait(60)
    assert 1 <= file.read_bytes().count(b"\n") < 5
    _, out, said = printed(capsys, [*words, "out.jsonl"])
    assert "of 5 results were taken from this file" in said[-1]
    assert printed(capsys, [*words, "whole.jsonl"]) == (0, out, [])
    assert file.read_bytes() == Path("whole.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--digits", "10"], "another number of digits (certified.toml, digits 12)"),
        (["--epsilon", "1"], "another problem or other numbers (certified.toml, digest "),
        (["--delta", "1/2"], "another problem or other numbers (certified.toml, digest "),
        (["--scale", "7"], "another problem or other numbers (certified.toml, digest "),
    ],
    ids=str,
)
def test_a_file_of_other_options_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    words = ["certify", "certified.toml", "--results", "out.jsonl"]
    printed(capsys, words)
    before = Path("out.jsonl").read_bytes()
    code, out, err = printed(capsys, [*words, *more])
    assert (code, out, len(err)) == (2, "", 1)
    assert err[0].startswith(f"pfverify: out.jsonl, line 1: it is about {said}")
    assert Path("out.jsonl").read_bytes() == before


def changed(line: str, **values: Any) -> str:
    """A line that another run might have written: its sum is right."""
    from pfverify.many.journal import _digest

    data = json.loads(line) | values
    del data["checksum"]
    return json.dumps(data | {"checksum": _digest(data)}) + "\n"


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (lambda line: line * 2, "line 2: a second answer to the same question"),
        (lambda line: line.replace("certified", "refuted", 3), "line 1: the line was changed"),
        (lambda line: changed(line, version="0.0.1"), "line 1: it is about another version of pf"),
        (lambda line: changed(line, command="loss"), "line 1: it is about another command"),
        (lambda line: changed(line, problem="b.toml"), "line 1: it is about a problem or part"),
        (lambda line: changed(line, kind="lost", error="x"), "has an error of a kind that is not"),
        (lambda line: changed(line, kind="input", error=1), "has an error of a kind that is not"),
        (lambda line: changed(line, result={}), "an answer is not what this version writes"),
        (lambda line: line.replace(": ", ":"), "line 1: the line is written in another way"),
        (lambda line: line + "{}\n", "line 2: this is no line of a file of results"),
        (lambda line: line + "[" * 100_000 + "\n", "line 2: this is no line of a file of results"),
        (lambda line: "\n" + line, "line 1: this is no line of a file of results"),
        (lambda line: 'epsilon = "1"', "this is no file of results"),
        (lambda line: line + "# end", "this is no file of results"),
    ],
)
def test_a_file_of_anything_else_is_refused_and_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str], alter: Any, said: str
) -> None:
    words = ["certify", "certified.toml", "--results", "out.jsonl"]
    printed(capsys, words)
    file = Path("out.jsonl")
    file.write_text(alter(file.read_text()))
    before = file.read_bytes()
    code, out, err = printed(capsys, words)
    assert (code, out) == (2, "")
    assert said in err[-1]
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("certified.toml", "expected a name that ends in .jsonl"),
        ("", "expected a name that ends in .jsonl"),
        ("missing/out.jsonl", "cannot write: No such file or directory"),
        ("folder.jsonl", "cannot write: this is no regular file"),
        ("a\0.jsonl", "no file can have this name"),
    ],
    ids=repr,
)
def test_a_file_that_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    Path("folder.jsonl").mkdir()
    code, out, err = printed(capsys, ["certify", "certified.toml", "--results", name])
    assert (code, out, len(err)) == (2, "", 1)
    assert said in err[0]


@pytest.mark.parametrize("command", ["certify", "calibrate"])
def test_a_certificate_does_not_replace_the_file(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    words = [command, "certified.toml", "--results", "./out.jsonl", "-o", "out.jsonl"]
    said = "pfverify: --results and -o: name the same file, expected two"
    assert printed(capsys, words) == (2, "", [said])


def asked() -> dict[str, CommandQuestion]:
    return {run._text(question): question for question in asking("certify", many_pairs(2))}


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "out.jsonl"
    with (
        journal(path, asked()),
        pytest.raises(InputError, match="another run is writing"),
        journal(path, asked()),
    ):
        pass


def test_an_answer_that_another_run_need_not_meet_is_not_kept(tmp_path: Path) -> None:
    path, questions = tmp_path / "out.jsonl", asked()
    with journal(path, questions) as file:
        for text in questions:
            file.keep(text, {"error": "out of memory", "kind": "lost"})
    assert path.read_bytes() == b""


@pytest.mark.parametrize("command", ["loss", "calibrate"])
def test_loss_and_calibrate_take_several_problems_too(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    names = [str(folder / f"{name}.toml") for name in NAMES[:2]]
    code, alone, said = printed(capsys, [command, *names, "none/here.toml", "--json"])
    assert (code, said) == (2, ["pfverify: none/here.toml: there is no such file"])
    *items, failed = json.loads(alone)["results"]
    assert failed["schema"] == "pfverify/failed/1"
    for item, name in zip(items, names, strict=True):
        _, one, _ = printed(capsys, [command, name, "--json"])
        assert json.dumps(item, indent=2, ensure_ascii=False) + "\n" == one
    words = [command, *names, "none/here.toml", "--json", "--results", "out.jsonl"]
    for _ in range(2):
        assert printed(capsys, words)[:2] == (code, alone)


def test_a_table_of_two_kinds_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["calibrate", "certified.toml", "example:dummies", "--csv"]
    assert printed(capsys, words) == (
        2, "", ["pfverify: --csv: the answers are tables of several kinds; use --json"]
    )  # fmt: skip
