"""`pfverify crosscheck` and `assert_sound`: words, data, exit codes, files, bad input."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from pfverify import InputError, Problem, certify
from pfverify.crosscheck import isolated
from pfverify.crosscheck.reply import End, Reply
from pfverify.edge.cli import main
from pfverify.testing import assert_sound

FUNCTIONS = '''
import os, time
import numpy as np

def longest(atoms, p, q, epsilon):
    """Sound: no mass moves farther than from end to end."""
    return np.nextafter(np.nextafter(atoms[-1] - atoms[0], np.inf) / epsilon, np.inf)

def half(atoms, p, q, epsilon):
    print("prints")
    return longest(atoms, p, q, epsilon) / 2

def moody(atoms, p, q, epsilon):
    """Whatever can go wrong, by turns."""
    if len(atoms) == 3: return float("nan")
    if len(atoms) == 5: os._exit(3)
    if p[0] == 1.0: raise ValueError("a point")
    return longest(atoms, p, q, epsilon)

def slow(atoms, p, q, epsilon):
    time.sleep(99)

def other(atoms): pass

number = 3
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "given.py").write_text(FUNCTIONS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["crosscheck", *arguments])
    captured = capfd.readouterr()
    return code, captured.out, captured.err


def test_an_unsound_function_is_found_shrunk_and_written_down(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words, the problem file that refutes it, and the replay, which finds the same."""
    monkeypatch.setenv("COLUMNS", "80")  # the command can be copied from a narrow screen
    arguments = ("given:half", "--kind", "scale", "--cases", "12", "--problem", "small.toml")
    code, out, err = run(capfd, *arguments)
    assert code == 1
    assert "prints" in err
    assert "prints" not in out
    assert out.startswith("given:half: unsound\n")
    shown = " ".join(out.split())
    assert "12 cases asked of scale(atoms, p, q, epsilon, delta=...), laplace noise: " in shown
    assert "a cross-check never certifies a function" in shown
    assert "wrote small.toml" in out
    assert certify(Problem.load("small.toml")).verdict == "refuted"
    again = re.search(r"Again: pfverify crosscheck (.*\\\n.*)", out)
    assert again is not None
    words = shlex.split(again[1].replace("\\\n", ""))
    code, out, _ = run(capfd, *words)
    assert code == 1
    assert "1 case asked" in out
    code, out, _ = run(capfd, *words, "--json")
    (folder / "report.json").write_text(out)
    assert json.loads(out)["seed"] is None
    replayed = run(capfd, "given:half", "--replay", "report.json", "--json")
    assert (replayed[0], json.loads(replayed[1])) == (1, json.loads(out))


def test_the_json_tells_failures_apart_and_keeps_its_schema(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Crashes, exits and nan are told apart, and all of them exit 1."""
    code, out, _ = run(capfd, "given.py:moody", "--kind", "scale", "--cases", "22", "--json")
    data = json.loads(out)
    schema = Path(main.__code__.co_filename).parent / "schemas/crosscheck.schema.json"
    Draft202012Validator(json.loads(schema.read_text("utf-8"))).validate(data)
    assert (code, data["found"]) == (1, "failed")
    counts = {one["outcome"]: one["count"] for one in data["outcomes"]}
    assert sum(counts.values()) == data["asked"] == data["planned"] == len(data["answers"]) == 22
    assert {"crash", "not an answer"} <= set(counts)
    words = " ".join(one["words"] for one in data["answers"])
    assert "it raised ValueError: a point" in words
    assert "its process ended with exit code 3" in words
    assert {one["outcome"] for one in data["smallest"]} == set(counts) - {"sound"}


def test_a_sound_function_passes_and_the_csv_has_a_row_per_case(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ("given:longest", "--kind", "scale", "--cases", "8", "--seed", "3")
    code, out, err = run(capfd, *arguments, "--csv")
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["case"] for row in rows] == [str(number) for number in range(1, 9)]
    assert {row["outcome"] for row in rows} <= {"sound", "wasteful"}
    assert all(float(row["answer"]) >= float(row["truth_lower"]) for row in rows)
    assert {row["schema"] for row in rows} == {"pfverify/crosscheck/1"}
    assert run(capfd, *arguments, "--waste", "1")[0] == 1  # what is said of waste is asked for


@pytest.mark.parametrize(
    ("kind", "asking"),
    [("scale", "calibrate"), ("loss", "loss"), ("delta", "loss"), ("plan", "coupling")],
)
def test_the_problem_of_a_case_without_an_answer_is_its_question(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    kind: str, asking: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(isolated, "SubjectProcess", Silent)
    code, out, _ = run(
        capfd, "given:f", "--kind", kind, "--cases", "2", "--problem", "question.toml"
    )
    assert code == 1
    assert f"pfverify {asking} question.toml" in out
    assert main([asking, "question.toml"]) == 0
    monkeypatch.setattr(isolated, "SubjectProcess", Quiet)
    (folder / "question.toml").unlink()
    words = ["given:f", "--kind", "scale", "--cases", "2", "--problem", "question.toml"]
    assert "nothing failed, so question.toml was not written" in run(capfd, *words)[1]


def test_a_call_that_does_not_end_is_a_timeout(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(
        capfd, "given:slow", "--kind", "scale", "--cases", "1", "--timeout", "0.3", "--json"
    )
    data = json.loads(out)
    assert (code, data["outcomes"]) == (1, [{"outcome": "timeout", "count": 1}])
    assert "--timeout 0.3" in data["smallest"][0]["replay"]


def test_vectors_need_no_function(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "--kind", "loss", "--cases", "3", "--vectors", "v.json")
    assert (code, err) == (0, "")
    assert "wrote v.json" in out
    assert json.loads((folder / "v.json").read_text())


def test_memory_that_is_not_limited_is_assumed(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unlimited(Quiet):
        unlimited = "this platform sets no limit"

    monkeypatch.setattr(isolated, "SubjectProcess", Unlimited)
    code, out, _ = run(capfd, "given:f", "--kind", "scale", "--cases", "2", "--json")
    assert code == 0
    assert "its memory was not limited: this platform sets" in json.loads(out)["assumed"][-1]
    monkeypatch.setattr(isolated, "SubjectProcess", Quiet)
    out = run(capfd, "given:f", "--kind", "scale", "--cases", "2", "--json")[1]
    assert "certifies" in json.loads(out)["assumed"][-1]


class Quiet:
    """A process that answers without being one."""

    takes = ()
    unlimited: str | None = None

    def __init__(self, *_: object, **__: object) -> None: ...

    def __enter__(self) -> Quiet:
        return self

    def __exit__(self, *_: object) -> None: ...

    def call(self, *_: object) -> Reply:
        return Reply(End.ANSWERED, 1e9)


class Silent(Quiet):
    """One that has no answer."""

    def call(self, *_: object) -> Reply:
        return Reply(End.RAISED, words="ValueError")


SCALE = ("given:longest", "--kind", "scale")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--kind: expected one of scale, loss, delta, density, plan"),
        (["--kind", "scale"], "expected MODULE:FUNCTION, or --vectors"),
        (["given:longest"], "--kind: expected one of"),
        (["given:longest", "--kind", "sale"], "kind: 'sale' is unknown, expected scale, loss"),
        ([*SCALE, "--noise", "cauchy"], "noise: 'cauchy'"),
        (["given:longest", "--kind", "plan", "--noise", "laplace"], "noise: a plan has none"),
        ([*SCALE, "--laws", "cauchy"], "laws: 'cauchy'"),
        ([*SCALE, "--cases", "0"], "cases: 0 is not an integer from 1 to"),
        ([*SCALE, "--cases", "-4"], "cases: -4 is not an integer from 1 to"),
        ([*SCALE, "--cases", "many"], "'many' is not a valid integer"),
        ([*SCALE, "--seed", "-1"], "seed: -1 is not an integer from 0 to"),
        ([*SCALE, "--timeout", "0"], "timeout: 0.0 is not a number of seconds > 0"),
        ([*SCALE, "--timeout", "nan"], "timeout: nan is not"),
        ([*SCALE, "--memory", "-1"], "memory: -1 is not a number of MiB"),
        ([*SCALE, "--claim", "best"], "claim: 'best' is unknown"),
        ([*SCALE, "--claim", "coupling"], "claim: a scale is not 'coupling'"),
        ([*SCALE, "--digits", "0"], "digits: '0' is not"),
        ([*SCALE, "--waste", "0.5"], "waste: '0.5' is not a factor >= 1"),
        ([*SCALE, "--tolerance", "2"], "tolerance: '2.0' is not"),
        ([*SCALE, "--json", "--csv"], "--csv: not with --json"),
        ([*SCALE, "--problem", "no/such/folder.toml"], "--problem: cannot write"),
        ([*SCALE, "--problem", "small.txt"], "expected a name that ends in .toml"),
        ([*SCALE, "--vectors", "no/such/folder.json"], "--vectors: cannot write"),
        ([*SCALE, "--vectors", "."], "--vectors: cannot write"),
        (["given:f", "--kind", "density", "--problem", "a.toml"], "a density compares nothing"),
        (["given.py:f", "--kind", "loss", "--vectors", "given.py"], "given.py is an input of this"),
        ([*SCALE, "--vectors", "a.toml", "--problem", "a.toml"], "expected two files"),
        ([*SCALE, "--replay", "{"], "--replay: this is no JSON, expected a case as JSON"),
        ([*SCALE, "--replay", "gone.json"], "--replay gone.json: there is no such file"),
        ([*SCALE, "--replay", "given.py"], "--replay given.py: this is no JSON"),
        ([*SCALE, "--replay", "."], "--replay .: there is no such file"),
        ([*SCALE, "--replay", "{}"], "--replay: case: missing key 'kind'"),
        ([*SCALE, "--replay", '{"smallest": []}'], "there is no failing case in this report"),
        ([*SCALE, "--replay", "{}", "--seed", "0"], "--replay: asks one case, without --cases"),
        ([*SCALE, "--replay", "{}", "--noise", "laplace"], "the case has its own noise and laws"),
        ([*SCALE, "--replay", "{}", "--epsilons", "1,2"], "--replay: the case has its own epsilon"),
        ([*SCALE, "--epsilons", "2"], "--epsilons: '2' is no range, expected LOW,HIGH"),
        ([*SCALE, "--epsilons", "2,1"], "epsilons: (2.0, 1.0) is no range"),
        ([*SCALE, "--absolute", "1e-9"], "absolute: only for the claim nearest"),
        (["given", "--kind", "scale"], "given: expected MODULE:FUNCTION"),
        (["gone.py:scale", "--kind", "scale"], "there is no file gone.py"),
        (["--kind", "loss", "--vectors", "v.json", "--json"], "expected MODULE:FUNCTION, or"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code, out, err = run(capfd, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert sorted(path.name for path in folder.iterdir()) == ["given.py"]


@pytest.mark.parametrize(
    ("function", "words"),
    [("given:number", "given:number: it is int, not a function"),
     ("given:other", "given:other: wrong signature, expected scale(atoms, p, q, epsilon, delta=")],
)  # fmt: skip
def test_a_function_that_cannot_be_asked_is_one_line(
    folder: Path, capfd: pytest.CaptureFixture[str], function: str, words: str
) -> None:
    code, out, err = run(capfd, function, "--kind", "scale")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_an_interrupt_leaves_no_process(folder: Path) -> None:
    """Exit code 130, one line, and the process that hangs in a call is gone."""
    (folder / "hangs.py").write_text(
        "import os, time\ndef scale(a, p, q, e):\n open('new', 'w').write(str(os.getpid()))\n"
        " os.rename('new', 'ready')\n time.sleep(99)\n"
    )
    command = [sys.executable, "-m", "pfverify", "crosscheck", "hangs:scale", "--kind", "scale"]
    started = subprocess.Popen(
        [*command, "--timeout", "90"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        for _ in range(600):
            if (folder / "ready").exists():
                break
            time.sleep(0.05)
        started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=30)
    finally:
        started.kill()
    assert (started.returncode, out, err.count("\n")) == (130, "", 1)
    number = int((folder / "ready").read_text())
    assert not Path(f"/proc/{number}").exists()


# ---------------------------------------------------------------- in a test suite


def longest(atoms: Any, p: Any, q: Any, epsilon: float) -> float:
    """Sound: no mass moves farther than from end to end."""
    return float(np.nextafter(np.nextafter(atoms[-1] - atoms[0], np.inf) / epsilon, np.inf))


def half(atoms: Any, p: Any, q: Any, epsilon: float) -> float:
    return longest(atoms, p, q, epsilon) / 2


def test_a_sound_function_passes_in_a_test() -> None:
    assert_sound(longest, "scale", cases=8)


def test_an_unsound_one_fails_with_words_and_the_case_that_fails_again() -> None:
    with pytest.raises(AssertionError) as error:
        assert_sound(half, kind="scale", cases=12)
    text = str(error.value)
    assert text.startswith("half is not sound: unsound (")
    case = re.search(r"case='(.*)'\)", text)
    assert case is not None
    with pytest.raises(AssertionError, match="1 unsound"):
        assert_sound(half, case=case[1])
    with pytest.raises(AssertionError, match=r"test_crosscheck:half is not sound: unsound \("):
        assert_sound(half, case=case[1], isolated=True)


def test_what_it_raises_fails_the_test_and_an_interrupt_stops_it() -> None:
    def raises(*values: object) -> None:
        raise error

    for error in (ValueError("no root"), SystemExit(3)):
        with pytest.raises(AssertionError, match=f"crash: it raised {type(error).__name__}"):
            assert_sound(raises, "scale", cases=1)
    error = KeyboardInterrupt()  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        assert_sound(raises, "scale", cases=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"function": 3}, "a function: expected one, got int"),
        ({"kind": None}, "kind: expected str, got NoneType"),
        ({"kind": "sale"}, "kind: 'sale' is unknown"),
        ({"kind": "loss", "function": lambda a: 0}, "wrong signature, expected loss"),
        ({"cases": 0}, "cases: 0 is not"), ({"claim": "best"}, "claim: 'best'"),
        ({"isolated": True, "function": lambda *a: 0}, "another process cannot import it"),
        ({"isolated": True, "timeout": -1}, "timeout: -1 is not"), ({"case": "{"}, "no JSON"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)  # fmt: skip
def test_bad_arguments_of_a_test(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        assert_sound(**{"function": longest, "kind": "scale", "cases": 1, **arguments})
