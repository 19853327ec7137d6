"""Several processes: the same answers as one, whatever becomes of the processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.questions import asking, many_pairs

from pfverify.edge.cli import main
from pfverify.many import processes
from pfverify.many.answering import answer

DIES = (
    "import os, signal, sys; mark = {mark!r}; first = not os.path.exists(mark); "
    "open(mark, 'a').close(); {when} and os.kill(os.getpid(), signal.SIGKILL); "
)
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")


def start_that_dies(monkeypatch: pytest.MonkeyPatch, folder: Path, when: str) -> None:
    before = DIES.format(mark=str(folder / "started"), when=when)
    monkeypatch.setattr(processes, "_SERVE", before + processes._SERVE)


def test_jobs_change_neither_output_nor_certificate_even_where_a_process_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    many_pairs(8).save("p.toml")
    assert main(["certify", "p.toml", "--json", "-o", "one.cert"]) == 0
    alone = capsys.readouterr()
    start_that_dies(monkeypatch, tmp_path, "first")
    assert main(["certify", "p.toml", "--json", "-o", "two.cert", "--jobs", "2"]) == 0
    assert capsys.readouterr() == alone
    assert (tmp_path / "started").exists()
    assert Path("two.cert").read_bytes() == Path("one.cert").read_bytes()


def test_a_question_that_every_process_is_lost_on_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_that_dies(monkeypatch, tmp_path, "True")
    (question,) = asking("certify", many_pairs(2))
    ((place, found),) = processes.answered([question.data()], 4)
    assert (place, found["kind"]) == (0, "lost")
    assert "ended 3 times (signal 9;" in found["error"]


@pytest.mark.long
def test_whoever_stops_asking_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    begin = subprocess.Popen

    def noted(*words, **more):  # type: ignore[no-untyped-def]
        started.append(begin(*words, **more))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    asked = [q.data() for q in asking("loss", many_pairs(8))]
    arriving = processes.answered(asked, 2)
    place, found = next(arriving)
    assert found == answer(asked[place])
    arriving.close()
    assert started
    assert all(process.poll() is not None for process in started)


@pytest.mark.parametrize(
    "how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.long)]
)
def test_an_interrupted_run_leaves_no_process(tmp_path: Path, how: signal.Signals) -> None:
    many_pairs(60).save(tmp_path / "p.toml")  # far more than are answered until it is interrupted
    words = ["certify", "p.toml", "--digits", "900", "--jobs", "2", "--csv"]
    names = tmp_path / "names"
    code = (
        "import signal, sys; from pfverify.many import processes; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "  # else as we have it: ignored
        "processes._SERVE = 'import os; open(' + repr(sys.argv[1]) + "
        "', \"a\").write(str(os.getpid()) + chr(10)); ' + processes._SERVE; "
        "from pfverify.edge.cli import run; run(sys.argv[2:])"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", code, str(names), *words],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for(lambda: names.exists() and len(names.read_text().splitlines()) == 2)
    run.send_signal(how)
    _, said = run.communicate(timeout=60)
    assert run.returncode == {signal.SIGINT: 130, signal.SIGKILL: -9}[how]
    assert said.count("\n") == (how is signal.SIGINT)
    wait_for(lambda: not any(map(alive, names.read_text().split())))


def alive(number: str) -> bool:
    """Whether a process still works; one that nobody waits for may remain as a zombie."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_for(happened) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.mark.parametrize("jobs", ["0", "-1", "1025", "two"])
def test_a_number_of_jobs_that_there_is_not(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "example:census", "--jobs", jobs]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert jobs in said


@pytest.mark.parametrize("option", ["--explain", "--grid=9", "--plot"])
def test_jobs_are_not_for_what_looks_at_one_pair(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["certify", "example:census", "--jobs", "2", option]) == 2
    name = option.partition("=")[0]
    assert capsys.readouterr().err == f"pfverify: {name}: not with --jobs\n"
