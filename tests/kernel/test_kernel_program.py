"""The kernel as a program, in this process: arguments, files, the line and the exit code."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import kernel_builder as kb
import pytest
from core.grammar import Malformed
from reader import files
from reader.reader import canonical_json

Run = tuple[int, list[str]]


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """A problem and a certificate of it, as files."""
    case = json.loads((kb.CORPUS / "accept" / "pure-plain.json").read_text())
    problem, certificate = tmp_path / "p.JSON", tmp_path / "c.json"
    problem.write_text(json.dumps(case["problem"]))
    certificate.write_bytes(canonical_json(case["certificate"]))
    return [str(problem), str(certificate)]


def program(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    monkeypatch.setattr(sys, "argv", ["kernel", *arguments])
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(kb.KERNEL / "__main__.py"), run_name="__main__")
    assert isinstance(ended.value.code, int)
    return ended.value.code, capsys.readouterr().out.splitlines()


def test_the_words_and_their_exit_codes(
    pair: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = program(pair, monkeypatch, capsys)
    assert (code, len(lines)) == (0, 1)
    assert lines[0].startswith("certified: every belief (1), pair (1) and order")
    assert sys.path[0] == str(kb.KERNEL)
    code, lines = program(["--trusts", *pair], monkeypatch, capsys)
    assert code == 0
    assert lines[0].startswith("certified: ")
    assert any(line.startswith("file checker.py: ") for line in lines)
    assert any(line.startswith("rule pure: ") for line in lines)
    other = {**json.loads(Path(pair[0]).read_text()), "epsilon": 7}
    Path(pair[0]).write_text(json.dumps(other))
    code, lines = program(pair, monkeypatch, capsys)
    assert (code, len(lines)) == (1, 1)
    assert lines[0] == "rejected: the certificate belongs to another problem (digest)"
    code, lines = program([pair[0], pair[0] + "x"], monkeypatch, capsys)
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith("malformed: cannot read ")


@pytest.mark.parametrize("count", [0, 1, 3, 4])
@pytest.mark.parametrize("first", ["--trusts", None])
def test_other_arguments_are_malformed(
    count: int,
    first: str | None,
    pair: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rest = [*pair, *pair][: count - (first is not None)] if count else []
    arguments = [first, *rest] if first and count else rest
    if len(arguments) == 3 and first:
        arguments = [*rest, first]  # a flag behind the files is no flag
    code, lines = program(arguments, monkeypatch, capsys)
    assert code == 2
    usage = "malformed: usage: python -I -S pfverify/kernel PROBLEM CERTIFICATE"
    assert lines == [usage]


def test_a_file_may_have_so_many_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 8)
    path = tmp_path / "file"
    path.write_bytes(b"12345678")
    assert files.read_bytes(str(path)) == b"12345678"
    path.write_bytes(b"123456789")
    with pytest.raises(Malformed, match="is larger than 8 bytes"):
        files.read_bytes(str(path))
