"""A Dask cluster over TCP: the same answers, whatever becomes of a worker."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.questions import asking, many_pairs

from pfverify.edge.cli import main
from pfverify.errors import InputError, PfverifyError
from pfverify.many import cluster
from pfverify.many.answering import answer
from pfverify.many.question import VERSIONS

PATIENCE = 60


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                   "--scheduler-file", str(file))  # fmt: skip
        end = time.monotonic() + PATIENCE
        while not (file.exists() and file.read_text()):
            assert time.monotonic() < end
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def start(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        code = f"from distributed.cli.dask_{kind} import main; main()"
        self.running.append(
            subprocess.Popen(
                [sys.executable, "-c", code, *words],
                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        )
        return self.running[-1]

    def worker(self, threads: int = 1) -> subprocess.Popen[bytes]:
        return self.start("worker", self.address, "--nthreads", str(threads), "--no-nanny",
                          "--no-dashboard")  # fmt: skip

    def stop(self) -> None:
        for process in self.running[::-1]:
            process.kill()
            process.wait(PATIENCE)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    try:
        yield found
    finally:
        found.stop()


@pytest.fixture
def in_threads() -> Iterator[str]:
    """The address of a scheduler with one worker, both in this process."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as found:
        yield found.scheduler_address


def test_a_worker_that_is_killed_loses_nothing(started: Cluster) -> None:
    workers = [started.worker(), started.worker()]
    problem = many_pairs(16)  # 120 pairs in 8 parts
    asked = [question.data() for question in asking("certify", problem, digits=100)]
    said: list[str] = []
    arriving = cluster.answered(asked, started.address, said.append)
    found = dict([next(arriving)])
    workers[0].kill()
    found |= dict(arriving)
    assert found == dict(enumerate(map(answer, asked)))
    assert said == []


def test_answers_that_are_lost_on_the_way_are_asked_for_again(
    in_threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [question.data() for question in asking("certify", many_pairs(3))]
    arrived, losses = cluster._answer_of, [False, True, True]  # popped from the end
    monkeypatch.setattr(
        cluster,
        "_answer_of",
        lambda future: None if losses and losses.pop() else arrived(future),
    )
    found = dict(cluster.answered(asked, in_threads, print))
    assert found == dict(enumerate(map(answer, asked)))
    assert losses == []
    monkeypatch.setattr(cluster, "_answer_of", lambda _future: None)
    with pytest.raises(PfverifyError, match="is gone"):
        dict(cluster.answered(asked[:1], in_threads, print))


@pytest.mark.long
def test_the_command_prints_what_it_prints_without_a_cluster(
    started: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    started.worker(threads=2)
    many_pairs(8).save("p.toml")
    words = ["certify", "p.toml", "example:census", "missing.toml", "--json"]
    assert main(words) == 2
    alone = capsys.readouterr()
    assert main([*words, "--scheduler", started.address, "--results", "out.jsonl"]) == 2
    found = capsys.readouterr()
    assert found.out == alone.out
    told, *errors = found.err.splitlines()
    assert told.startswith("pfverify: 1 of 1 workers have several threads, of which one works")
    assert errors == alone.err.splitlines()
    assert main([*words, "--results", "here.jsonl"]) == 2
    assert Path("out.jsonl").read_bytes() == Path("here.jsonl").read_bytes()


@pytest.mark.long
def test_a_question_on_which_every_worker_is_lost_is_an_error(
    started: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        started.worker()
    monkeypatch.setattr(cluster, "answer", os._exit)
    ((place, found),) = cluster.answered([9], started.address, print)
    assert (place, found["kind"]) == (0, "lost")


@pytest.mark.long
def test_workers_with_other_versions_cannot_answer(
    started: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started.worker()
    monkeypatch.setitem(VERSIONS, "pfverify", "9")
    assert main(["certify", "example:census", "--scheduler", started.address]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "another process cannot answer: it runs pfverify" in err


@pytest.mark.long
def test_a_worker_is_no_scheduler(started: Cluster) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    started.start("worker", started.address, "--no-nanny", "--no-dashboard", "--nthreads", "1",
                  "--worker-port", str(port), "--host", "127.0.0.1")  # fmt: skip
    with pytest.raises(InputError, match=f"at {address} there is a Worker of Dask, and no sched"):
        dict(cluster.answered([{}], address, print))


@pytest.mark.long
def test_a_scheduler_that_goes_away_is_an_error(started: Cluster) -> None:
    started.worker()
    asked = [question.data() for question in asking("certify", many_pairs(16), digits=300)]
    arriving = cluster.answered(asked, started.address, print)
    next(arriving)
    started.running[0].kill()
    with pytest.raises(PfverifyError, match="is gone"):
        dict(arriving)


@pytest.mark.long
def test_a_scheduler_without_workers_is_an_error(
    started: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_TIMEOUT", 1)
    with pytest.raises(InputError, match="has no workers; start some with: dask worker tcp://"):
        dict(cluster.answered([{}], started.address, print))


def test_what_does_not_answer_is_no_scheduler(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster, "_TIMEOUT", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert main(["certify", "example:census", "--scheduler", f"tcp://127.0.0.1:{port}"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"pfverify: scheduler: tcp://127.0.0.1:{port} does not answer within 1 s")


@pytest.mark.parametrize(
    "address",
    ["", "localhost", "localhost:8786", "tcp://", "tcp://host", "tcp://host:", "tcp://a b:1",
     "tcp://host:8786/", "inproc://1/2/3", "tcp://host:\u0661"],
)  # fmt: skip
def test_an_address_that_is_none(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "example:census", "--scheduler", address]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "is no address, expected one such as tcp://" in err


def test_without_dask_the_remedy_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["certify", "example:census", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err == (
        "pfverify: scheduler: Dask is not installed: in the checkout, pip install '.[dask]'\n"
    )
