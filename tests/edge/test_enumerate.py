"""``pfverify enumerate``: from a program to a problem file that is certified and checked."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import pfverify
from pfverify import Channel, Problem, certify
from pfverify.edge.cli import main
from pfverify.model.digest import problem_digest

PROGRAM = '''
import os, time
from pfverify.program import choose, coin
print("imported")
def release(answer):
    print("run")
    if coin("1/2"):
        return answer
    return "yes" if coin("1/2") else "no"
def kind(x): return choose({type(x).__name__: 1})
def broken(x): return 1 // (x - 2)
def hangs(x): time.sleep(9)
def leaves(x): os._exit(0)
'''
KERNEL = Path(pfverify.__file__).parent / "kernel"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def enumerated(*options: str, name: str = "release") -> int:
    return main(["enumerate", f"program.py:{name}", *options])


def test_the_written_file_is_certified_and_the_kernel_checks_it(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = ["--inputs", "yes,no", "--epsilon", "log(3)", "-o", "release.toml"]
    assert enumerated(*asked) == 0
    out = capfd.readouterr().out
    assert "release.toml\n2 inputs, 2 outputs, 6 paths of choices, each run twice.\n" in out
    assert "certificates are about this table, and not about the program" in out
    problem = Problem.load("release.toml")
    told = problem.provenance
    assert told is not None
    assert (told.program, told.paths) == ("program.py:release", 6)
    assert told.program_sha256 == hashlib.sha256(PROGRAM.encode()).hexdigest()
    (here / "program.py").unlink()  # nothing asks for it again
    assert main(["certify", "release.toml", "-o", "release.cert"]) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert "the channel is the table enumerated from program.py:release; that the program" in out
    assert main(["check", "release.toml", "release.cert", "--expect", "certified"]) == 0
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(KERNEL), "release.toml", "release.cert"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("certified:"), done.stdout
    assert main(["certify", "release.toml", "--epsilon", "1"]) == 1
    assert main(["report", "release.toml", "-o", "page.html"]) == 0
    page = (here / "page.html").read_text("utf-8")
    assert "program.py:release" in page
    assert "Keep this as the records are kept" not in page


def test_it_is_the_problem_that_is_written_by_hand(here: Path) -> None:
    assert enumerated("--inputs", "yes", "--inputs", "no", "-o", "release.json") == 0
    by_hand = Problem(
        channel=Channel.of({
            "kind": "matrix", "inputs": ["yes", "no"], "outputs": ["yes", "no"],
            "rows": [["3/4", "1/4"], ["1/4", "3/4"]],
        }),
        epsilon=1,
    )  # fmt: skip
    found = Problem.load("release.json")
    assert found == by_hand
    assert problem_digest(found) == problem_digest(by_hand)
    assert certify(found).verdict == "refuted"


def test_priors_can_be_added_to_the_file(here: Path) -> None:
    assert enumerated("--inputs", "yes,no", "-o", "release.toml") == 0
    text = (here / "release.toml").read_text("utf-8")
    assert "# The epsilon is no recommendation: choose your own.\n" in text
    for name, mass in (("smoker", "1/2"), ("other", "1/3")):
        rest = "1/2" if mass == "1/2" else "2/3"
        text += f'[priors.{name}]\nkind = "finite"\nmass = {{ yes = "{mass}", no = "{rest}" }}\n'
    problem = Problem.from_text(text)
    assert problem.named_notion == "distp"
    assert certify(problem).verdict == "certified"


def test_without_output_the_file_is_printed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enumerated("--inputs", "yes,no") == 0
    out, err = capsys.readouterr()
    assert certify(Problem.from_text(out)).verdict == "refuted"
    assert "is assumed" in err
    assert enumerated("--inputs", "yes,no", "--json", "-o", "release.toml") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["paths"] == {"yes": 3, "no": 3}
    assert data["digest"] == problem_digest(Problem.load(str(here / "release.toml")))
    assert Problem.from_table(data["problem_file"]) == Problem.load("release.toml")


@pytest.mark.parametrize(
    ("given", "kinds"),
    [(["0,-1", "--inputs", "2"], ["int"]), (["0,a"], ["str"]), (["1.0, 2"], ["str"]),
     (["007,8"], ["int"]), (["²,1"], ["str"])],
)  # fmt: skip
def test_inputs_are_whole_numbers_where_all_are(
    here: Path, given: list[str], kinds: list[str]
) -> None:
    assert enumerated("--inputs", *given, "-o", "kind.toml", name="kind") == 0
    problem = Problem.load(str(here / "kind.toml"))
    assert isinstance(problem.release, Channel)
    assert [*problem.release.outputs] == kinds


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["program.py:broken", "--inputs", "1,2"],
         "program.py:broken: input 2, path without a choice: ZeroDivisionError: "),
        (["program.py:hangs", "--inputs", "1,2", "--timeout", "0.3"], "no answer within 0.3 s"),
        (["program.py:leaves", "--inputs", "1,2"], "its process ended with exit code 0"),
        (["program.py:release", "--inputs", "yes,no", "--paths", "5"],
         "program.py:release: it has more than 5 paths of choices"),
        (["program.py:gone", "--inputs", "yes,no"], "program.py:gone: there is no 'gone' in"),
        (["gone.py:release", "--inputs", "yes,no"], "there is no file gone.py"),
        (["program:release", "--inputs", "yes,no"], "program:release: expected FILE.py:FUNCTION"),
        (["program.py", "--inputs", "yes,no"], "program.py: expected FILE.py:FUNCTION"),
        (["program.py:hangs", "--inputs", "yes"], "channel: it has one input"),
        (["program.py:release", "--inputs", "yes,yes"], "inputs: 'yes' is there twice"),
        (["program.py:release", "--inputs", "yes,"], "inputs: '' is empty"),
        (["program.py:release"], "Missing option '--inputs'"),
        (["program.py:hangs", "--inputs", "yes,no", "--epsilon", "-1"], "epsilon: "),
        (["program.py:hangs", "--inputs", "yes,no", "--delta", "2"], "delta: "),
        (["program.py:release", "--inputs", "yes,no", "-o", "program.py"], "-o: program.py"),
        (["program.py:release", "--inputs", "yes,no", "-o", "release.txt"], "-o: release.txt"),
        (["program.py:release", "--inputs", "yes,no", "-o", "no/such.toml"], "-o no/such.toml"),
    ],
    ids=lambda value: " ".join(value[1:]) if isinstance(value, list) else None,
)
def test_bad_input_is_one_line(
    here: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["enumerate", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert sorted(path.name for path in here.iterdir() if path.is_file()) == ["program.py"]
