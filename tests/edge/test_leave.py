"""How a run ends, through real pipes: 1 is a verdict, and nothing else has that code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from pfverify.__main__ import run as start
from pfverify.certificate import checking
from pfverify.edge.cli import commands, main
from pfverify.edge.leave import coded
from pfverify.exact.search import UndecidedError

BASH = ["bash", "-c"]
RUN = f"{sys.executable} -m pfverify"


def shell(line, **extra):
    """The exit code of the first command of a pipeline, and what came out at the end."""
    run = subprocess.run([*BASH, f"{line}; exit ${{PIPESTATUS[0]}}"], capture_output=True,
                         text=True, check=False, timeout=300, env=os.environ | extra)  # fmt: skip
    return run.returncode, run.stdout, run.stderr


def write_problem(path, secrets=2, scale="9", atoms=2):
    """Secrets whose priors differ a little: private at scale 9, not at scale 1/9."""
    priors = {f"s{k}": {"kind": "discrete", "counts": {str(j): 3 + (j == k % atoms) for j in
                                                       range(atoms)}} for k in range(secrets)}
    path.write_text(json.dumps({"schema": "pfverify/problem/1", "epsilon": "1/9", "priors": priors,
                                "noise": {"kind": "laplace", "scale": scale}}))  # fmt: skip
    return path


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """A certified problem whose answer is longer than the buffer of a pipe."""
    return write_problem(tmp_path_factory.mktemp("big") / "big.json", secrets=15, atoms=5)


@pytest.fixture(scope="module")
def proofs(tmp_path_factory):
    """A folder of proof files that cannot be read."""
    folder = tmp_path_factory.mktemp("proofs") / "paper"
    folder.mkdir()
    for k in range(3):
        (folder / f"N{k:03}.py").write_text(f"import {'x' * 300}\n")
    return folder.parent


# `head` leaves while there is more to come, `true` at once; the last ones write as others do
CLOSED = [
    ("certify {big}", "head -1"),
    ("certify {big} --json", "head -c 1"),
    ("certify example:tie-bernoulli --scale 0.1", "true"),
    ("calibrate example:tie-bernoulli --csv", "true"),
    (f"check example:census {Path(__file__).parents[2] / 'LICENSE'}", "true"),
    ("--help", "true"),
    ("prove N001 --proofs {proofs}", "true"),
    ("loss example:tie-bernoulli --json", "true"),
    ("coupling {big}", "head -1"),
    ("demo --examples", "true"),
]


@pytest.mark.parametrize(
    ("line", "reader"),
    [pytest.param(*one, marks=() if k < 7 else pytest.mark.long) for k, one in enumerate(CLOSED)],
    ids=lambda text: text,
)
def test_a_closed_pipe_has_its_own_code(line, reader, big, proofs):
    # without a buffer Python forgets what a closed pipe cuts off: the first line is run both ways
    place = CLOSED.index((line, reader))
    line = line.format(big=big, proofs=proofs)
    # `true` has left before anything is written
    for unbuffered in ("", "1") if place == 0 else ["1" * (place % 2)]:
        pipeline = f"(sleep 0.2; exec {RUN} {line}) | {reader}"
        code, _, err = shell(pipeline, PYTHONUNBUFFERED=unbuffered)
        assert (code, err) == (141, "")


def test_without_a_closed_pipe_the_codes_are_those_of_the_answer(big):
    for line, expected in (("certify {big}", 0), ("certify example:tie-delta --scale 0.1", 1)):
        code, out, err = shell(f"{RUN} {line.format(big=big)} | cat")
        assert (code, err) == (expected, "")
        assert out


FULL = ["certify example:census", "certify example:tie-delta --scale 0.1 --json", "--help",
        "coupling example:tie-bernoulli"]  # fmt: skip


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("line", FULL)
def test_a_full_disk_is_one_line_and_code_2(line):
    place = FULL.index(line)
    for unbuffered in ("", "1") if place == 0 else ["1" * (place % 2)]:
        code, _, err = shell(f"{RUN} {line} >/dev/full", PYTHONUNBUFFERED=unbuffered)
        assert code == 2
        assert err.count("\n") == 1
        assert "No space left" in err


def test_a_closed_standard_output_is_one_line_and_code_2():
    code, _, err = shell(f"{RUN} certify example:census >&-")
    assert (code, err.count("\n")) == (2, 1)
    assert "standard output is closed" in err


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full", "2> >(true)"])
def test_an_unread_error_keeps_its_code(where):
    code, _, _ = shell(f"{RUN} certify nowhere.toml {where}")
    assert code == 2


def test_where_errors_are_closed_an_answer_keeps_its_code():
    code, out, _ = shell(f"{RUN} certify example:census 2>&-")
    assert code == 0
    assert "certified" in out


def test_what_the_encoding_lacks_is_escaped(tmp_path):
    text = write_problem(tmp_path / "p.json").read_text().replace("s0", "\u5bc6\u00e9")
    (tmp_path / "p.json").write_text(text, "utf-8")
    for more in ("", "--json"):
        code, out, err = shell(f"{RUN} certify {tmp_path}/p.json {more}", PYTHONIOENCODING="ascii")
        assert (code, err) == (0, "")
        assert "\u5bc6\u00e9" in out or "\\u5bc6\\xe9" in out
    assert json.loads(out)["pairs"][0]["from"] in ("\u5bc6\u00e9", "s1")


@pytest.mark.parametrize("name", sorted(commands.commands))
@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.Abort(), 130, "interrupted"),
        (BrokenPipeError(), 141, None),
        (UndecidedError("a tie"), 3, "undecided: a tie"),
        (MemoryError(), 70, "out of memory"),
        (RecursionError("too deep"), 70, "internal error, nothing was decided: RecursionError"),
        (ZeroDivisionError("x\ny"), 70, "ZeroDivisionError: x y"),
        (AssertionError(), 70, "internal error, nothing was decided: AssertionError (set PF"),
        (SystemExit(1), 70, "internal error, nothing was decided: SystemExit: 1"),
        (SystemExit(0), 70, "internal error"),
        (OSError(28, "No space left on device"), 2, "No space left"),
        (OSError(5, "Input/output error", "f.toml"), 2, "f.toml: cannot read or write"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), 70, "UnicodeDecodeError"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_every_command_ends_with_the_code_of_its_error(name, error, code, words, capsys,
                                                       monkeypatch):  # fmt: skip
    def raising(**_):
        raise error

    monkeypatch.setattr(commands.commands[name], "callback", raising)
    needed = {"check": ["p", "c"], "export": ["c", "--problem", "p", "--smtlib"],
              "explain": ["waste"], "report": ["p", "-o", "r.html"],
              "explore": ["p", "-o", "x.html"],
              "enumerate": ["p.py:release", "--inputs", "a,b"],
              "prior": ["d.csv", "--secret", "s", "--public", "p", "-o", "p.toml"]}
    arguments = needed.get(name, [] if name in ("demo", "prove", "start") else ["p"])
    assert main([name, *arguments]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == (words is not None)
    assert (words or "") in err


def test_the_traceback_of_an_internal_error_is_there_for_the_asking(capsys, monkeypatch):
    monkeypatch.setenv("PFVERIFY_TRACEBACK", "1")
    assert coded(lambda: 1 // 0) == 70
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert "set PFVERIFY_TRACEBACK=1" in err


def test_a_kernel_that_does_not_end_leaves_it_undecided(capsys, monkeypatch, tmp_path):
    proof = tmp_path / "c"
    assert main(["certify", "example:census", "-o", str(proof)]) == 0
    capsys.readouterr()
    monkeypatch.setattr(checking, "_TIMEOUT", 1e-4)
    for arguments in (["check", "example:census", str(proof)],
                      ["check", "example:census", str(proof), "--expect", "certified", "--json"],
                      ["certify", "example:census", "-o", str(tmp_path / "d")]):  # fmt: skip
        assert main(arguments) == 3
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert "undecided: the kernel had not finished" in err
    assert not (tmp_path / "d").exists()


def test_an_interruption_while_the_command_line_is_loaded_is_one_line(capsys, monkeypatch):
    class Interrupted:
        def find_spec(self, name, path=None, target=None):
            if name == "pfverify.edge.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "pfverify.edge.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    with pytest.raises(SystemExit) as left:
        start()
    assert left.value.code == 130
    assert capsys.readouterr().err == "pfverify: interrupted; no unfinished file was left\n"
