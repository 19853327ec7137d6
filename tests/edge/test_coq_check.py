"""`check --coq` with stand-ins for Coq's programs: what is not confirmed is never accepted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.proofs import PROOFS

from pfverify import Discrete, Laplace, Problem
from pfverify.edge.checked import AXIOMS
from pfverify.edge.cli import main
from pfverify.edge.coq import theory
from pfverify.edge.coq.process import run
from pfverify.edge.coq.statements import IMPORTED

FOUR = "\n".join(["Axioms:", *(f"{name} : forall P : Prop,\n    P" for name in AXIOMS)])
FALSE = """File "./exported.v", line 37, characters 2-6:
Error:
The term "eq_refl" has type "true = true" while it is expected to have type
 "certify 64 [] d = true".
"""
SCHEMA = json.loads((files("pfverify.edge") / "schemas/check.schema.json").read_text("utf-8"))


def program(place: Path, body: str) -> None:
    place.write_text(f"#!/bin/sh\n{body}\n")
    place.chmod(0o755)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel_here: None) -> None:
    """A problem with its certificate, and a theory of which two files have to be compiled."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "500")
    monkeypatch.setattr(theory, "_compiled", {})  # as in a new process
    Path("bin").mkdir()
    copytree(PROOFS / "coq", "proofs/coq", ignore=ignore_patterns("*.vo*", "*.glob", ".*"))
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    Problem(priors=priors, noise=Laplace(2), epsilon=1).save("mine.toml")
    assert main(["certify", "mine.toml", "-o", "mine.cert"]) == 0
    program(Path("bin/coqdep"), f"echo '{RULES}'")
    coq(out=FOUR)


RULES = "\n".join([
    "Check.vo x: Check.v ./Problems.vo", *(f"{name}.vo x: {name}.v" for name in IMPORTED)
])  # fmt: skip
TOUCH = 'for file; do :; done; touch "${file}o"'


def coq(*, out: str = "", err: str = "", code: int = 0, theory: str = TOUCH) -> None:
    """A coqc that compiles the theory so, and answers so about the exported file."""
    Path("out").write_text(out)
    Path("err").write_text(err)
    here = Path().resolve()
    program(
        Path("bin/coqc"),
        f'case "$*" in *exported.v) cat {here}/out; cat {here}/err >&2; exit {code};;\n'
        f'*) echo "$*" >> {here}/compiled; {theory};; esac',
    )


def checked(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, Any, str]:
    capsys.readouterr()
    code = main(["check", "mine.toml", "mine.cert", "--coq", "--json", *more])
    out, err = capsys.readouterr()
    data = json.loads(out) if out else None
    if data is not None:
        Draft202012Validator(SCHEMA).validate(data)
    return code, data, err


def test_what_coq_accepts_is_said_with_the_axioms(capsys: pytest.CaptureFixture[str]) -> None:
    code, data, err = checked(capsys)
    assert (code, err, data["result"], data["ok"]) == (0, "", "certified", True)
    words = {"mine_is_private": "private at scale 2: every output, both orders"}
    place = str(Path("proofs/coq").resolve())
    expected = {"accepted": True, "theorems": words, "axioms": sorted(AXIOMS), "theory": place,
                "definitions": ["Release.v", "Numbers.v", "Problems.v"], "taken": []}  # fmt: skip
    assert data["coq"] == expected
    assert main(["check", "mine.toml", "mine.cert", "--coq", "--trusts"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("certified: ")
    assert "or, without all of these, on Coq's kernel, the axioms below" in out
    assert f"Coq accepts, with the definitions in {place}:\n" in out
    assert "\n  mine_is_private: private at scale 2" in out
    assert "Classical_Prop.classic" in out.splitlines()[-1]


def test_what_is_taken_from_python_is_said_in_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    user = {"yes": {"point": 1}, "no": {"point": 0}}
    asked = {"schema": "pfverify/problem/1", "epsilon": 1, "delta": "1/9",
             "noise": {"kind": "laplace", "scale": "3/4"},
             "system": {"others": [{"bernoulli": "1/2", "count": 2}], "user": user}}  # fmt: skip
    Problem.from_table(asked).save("mine.toml")
    assert main(["certify", "mine.toml", "-o", "mine.cert"]) in (0, 1)
    modules = ("DivergenceCheck", "Divergence")
    rules = "".join(f"\n{name}.vo x: {name}.v" for name in modules)
    program(Path("bin/coqdep"), f"echo '{RULES}{rules}'")
    code, data, _ = checked(capsys)
    (taken,) = data["coq"]["taken"]
    assert (code, taken.startswith("that the tables are the laws of what")) == (0, True)
    assert data["coq"]["definitions"][3:] == ["Divergence.v", "Integrals.v"]
    assert main(["check", "mine.toml", "mine.cert", "--coq", "--trusts"]) == 0
    out = capsys.readouterr().out
    assert "or, without all of these but for what is taken below, on Coq's kernel" in out
    assert f"and takes from pfverify, without a proof: {taken}\n" in out


def test_nothing_that_lies_compiled_in_the_folder_is_taken(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It does not say what it was compiled from, however new it is."""
    for name in (*IMPORTED, "Check"):
        planted = Path("proofs/coq", f"{name}.vo")
        planted.write_text("planted")
        os.utime(planted, ns=(2**62, 2**62))
    for _ in range(2):  # by one process once
        assert checked(capsys)[0] == 0
        compiled = Path("compiled").read_text().splitlines()
        assert sorted(line.split()[-1] for line in compiled) == sorted(
            f"{name}.v" for name in (*IMPORTED, "Check")
        )
        assert compiled.index("-q -R . Pfverify Problems.v") < compiled.index(
            "-q -R . Pfverify Check.v"
        )
    assert planted.read_text() == "planted"
    (found,) = theory._compiled.values()
    assert Path(found.name).stat().st_mode & 0o777 == 0o700
    program(Path("bin/coqdep"), "echo Low.vo x: Low.v")
    assert "the theory has no " in checked(capsys)[2]


@pytest.mark.parametrize("name", ["Release.v", "Bernoulli.v"])
def test_a_theory_of_other_texts_is_refused(capsys: pytest.CaptureFixture[str], name: str) -> None:
    with Path("proofs/coq", name).open("a") as file:
        file.write("\n")
    code, data, err = checked(capsys)
    assert (code, data, err.count("\n")) == (2, None, 1)
    assert f"coq/{name} is not the file that pfverify" in err
    assert not Path("compiled").exists()
    Path("proofs/coq", name).unlink()
    assert f"cannot read {Path('proofs/coq', name).resolve()}: No such file" in checked(capsys)[2]


def test_files_that_are_not_of_the_theory_are_not_looked_at(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("proofs/coq/Mine.v").write_text("Axiom wrong : False.")
    assert checked(capsys)[0] == 0
    (found,) = theory._compiled.values()
    assert not Path(found.name, "Mine.v").exists()


REJECTED = {
    "another axiom": {"out": f"{FOUR}\nMine.wrong : False"},
    "a name that ends alike": {"out": f"{FOUR}\nMine.classic : False"},
    "something else": {"out": f"{FOUR}\nTheory: Set is impredicative"},
}


@pytest.mark.parametrize("answer", REJECTED.values(), ids=REJECTED)
def test_what_rests_on_other_axioms_is_loudly_rejected(
    capsys: pytest.CaptureFixture[str], answer: dict[str, Any]
) -> None:
    coq(**answer)
    code, data, err = checked(capsys, "--expect", "certified")
    assert (code, err, data["result"]) == (1, "", "rejected")
    assert (data["valid"], data["ok"]) == (False, False)
    assert data["message"].startswith("IN COQ IT RESTS ON ")
    assert data["coq"]["accepted"] is False


UNDECIDED: dict[str, dict[str, Any]] = {
    "no axioms listed": {"out": ""},
    "another error": {"err": "Error: Stack overflow.", "code": 1},
    "killed": {"code": "7; kill -9 $$"},
}


@pytest.mark.parametrize("answer", UNDECIDED.values(), ids=UNDECIDED)
def test_what_coq_does_not_decide_is_no_answer(
    capsys: pytest.CaptureFixture[str], answer: dict[str, Any]
) -> None:
    coq(**answer)
    code, data, err = checked(capsys)
    assert (code, data, err.count("\n")) == (3, None, 1)
    assert err.startswith("pfverify: undecided: Coq ")


def test_what_the_checker_leaves_open_is_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    coq(err=FALSE, code=1)
    code, data, err = checked(capsys)
    assert (code, data, err.count("\n")) == (3, None, 1)
    assert "its checker does not show what the kernel accepts; it may leave it open" in err


def test_nothing_is_confirmed_late(capsys: pytest.CaptureFixture[str]) -> None:
    program(Path("bin/coqc"), f'case "$*" in *exported.v) sleep 999;; *) {TOUCH};; esac')
    code, data, err = checked(capsys, "--coq-timeout", "0.01")
    assert (code, data, err.count("\n")) == (3, None, 1)
    assert "had not finished after 0.01 s, and confirms nothing" in err


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e300", "1000001"])
def test_a_time_that_no_clock_can_add_is_one_line(
    capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    code, data, err = checked(capsys, "--coq-timeout", seconds)
    assert (code, data, err.count("\n")) == (2, None, 1)
    assert err.endswith("is no time in seconds up to 1000000\n")


def test_a_compilation_that_is_ended_by_sigterm_leaves_no_folder() -> None:
    coq(theory=f"echo half > Check.vo; pwd > {Path().resolve()}/where; sleep 999")
    code = "import sys; from pfverify.edge.cli import main; " \
           "sys.exit(main(['check', 'mine.toml', 'mine.cert', '--coq']))"  # fmt: skip
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    wait(lambda: Path("where").exists() and Path("where").read_text().endswith("\n"))
    folder = Path(Path("where").read_text().strip())
    assert folder.is_dir()
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 130
    assert not folder.exists()


THEORIES = {
    "Error: Cannot find a physical path bound to logical path Float.Basic": "apt-get install coq",
    'Error: The reference x was not found.': "Coq does not compile ",
}


@pytest.mark.parametrize(("error", "words"), THEORIES.items(), ids=["library", "broken"])
def test_a_theory_that_does_not_compile_is_one_line(
    capsys: pytest.CaptureFixture[str], error: str, words: str
) -> None:
    coq(theory=f"{TOUCH}; echo '{error}' >&2; exit 1")
    code, data, err = checked(capsys)
    assert (code, data, err.count("\n")) == (2, None, 1)
    assert words in err
    (found,) = theory._compiled.values()
    assert not list(Path(found.name).glob("*.vo"))


def test_a_rejected_certificate_and_a_wrong_expectation_do_not_reach_coq(
    capsys: pytest.CaptureFixture[str],
) -> None:
    program(Path("bin/coqc"), "touch ran")
    code, data, _ = checked(capsys, "--expect", "refuted")
    assert (code, "coq" in data, data["ok"]) == (1, False, False)
    Path("mine.cert").write_text(Path("mine.cert").read_text().replace("128", "1"))
    code, data, _ = checked(capsys)
    assert (code, "coq" in data) == (2, False)
    assert not list(Path().rglob("ran"))


def test_a_folder_of_problems_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("all").mkdir()
    for name in ("mine.toml", "mine.cert"):
        Path("all", name).write_bytes(Path(name).read_bytes())
    assert main(["check", "all", "--coq", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    assert found["coq"]["accepted"] is True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_running(number: signal.Signals) -> None:
    """The whole process group ends, a child of the program too."""
    program(Path("bin/slow"), "sleep 999 & echo $! > child; wait")
    code = "from pathlib import Path; from pfverify.edge.coq.process import run; " \
           "run(['slow'], Path('.'), 99)"  # fmt: skip
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    wait(lambda: Path("child").exists() and Path("child").read_text().endswith("\n"))
    process.send_signal(number)
    process.wait(60)
    child = int(Path("child").read_text())
    wait(lambda: not alive(child))


STARTING = """
import os, signal, subprocess, time
from pathlib import Path
from pfverify.edge.coq.process import run

class Signalled(subprocess.Popen):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        while not Path("child").exists() or not Path("child").read_text().endswith("\\n"):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

subprocess.Popen = Signalled
run(["slow"], Path("."), 99)
"""


def test_a_signal_that_comes_while_a_program_starts_ends_it_too() -> None:
    program(Path("bin/slow"), "sleep 999 & echo $! > child; wait")
    process = subprocess.Popen([sys.executable, "-c", STARTING], stderr=subprocess.DEVNULL)
    assert process.wait(60) != 0
    child = int(Path("child").read_text())
    wait(lambda: not alive(child))


def wait(for_what: Any) -> None:
    for _ in range(600):
        if for_what():
            return
        time.sleep(0.1)
    pytest.fail("it did not come")


def alive(number: int) -> bool:
    stat = Path(f"/proc/{number}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_program_that_takes_too_long_is_no_result() -> None:
    assert run(["sleep", "999"], Path(), 0.01) is None
