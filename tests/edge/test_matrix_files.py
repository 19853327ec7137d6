"""Problems whose matrix is in a file of its own, from the command line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from support.matrix_files import Stated, arrow_bytes, csv_bytes, matrix_npz

from pfverify import Problem
from pfverify.edge.cli import main

COUNTS = Stated(["a", "b", "c"], ["x", "y"], [[3, 1], [1, 3], [1, 1]])
HEAD = 'schema = "pfverify/problem/1"\nepsilon = "log(3)"\n\n[channel]\nkind = "matrix"\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")  # lines are whole
    Path("in").mkdir()
    for name, data in (
        ("m.csv", csv_bytes(COUNTS)), ("m.npz", matrix_npz(COUNTS, "u1")),
        ("m.arrow", arrow_bytes(COUNTS)),
    ):  # fmt: skip
        (Path("in") / name).write_bytes(data)
        stated = f'{HEAD}file = "{name}"\nnormalise = true\n'
        (Path("in") / f"{name[2:]}.toml").write_text(stated)


@pytest.mark.parametrize("name", ["csv", "npz"])
def test_a_certificate_of_a_file(name: str, kernel_here: None) -> None:
    assert main(["certify", f"in/{name}.toml", "-o", "mine.cert"]) == 0
    assert main(["check", f"in/{name}.toml", "mine.cert", "--expect", "certified"]) == 0
    Problem.load(f"in/{name}.toml").save("inline.json")
    assert main(["check", "inline.json", "mine.cert", "--expect", "certified"]) == 0
    assert main(["certify", f"in/{name}.toml", "--attest", "-o", "mine.json"]) == 0
    assert main(["check", f"in/{name}.toml", "mine.json"]) == 0


def test_no_certificate_of_an_arrow_file_is_told_before_the_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["certify", "in/arrow.toml"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["certify", "in/arrow.toml", "-o", "mine.cert"]) == 3
    said = capsys.readouterr()
    assert said.out.startswith("in/arrow.toml: certified")
    first, last = said.err.splitlines()
    why = (
        "the kernel reads no Arrow file, such as m.arrow; write the matrix as CSV or npz and name "
        "that"
    )
    assert first == f"pfverify: no certificate will be written: {why}; the answer follows"
    assert last == f"pfverify: certified, but without a certificate: {why}"
    assert not Path("mine.cert").exists()
    assert main(["certify", "in/csv.toml", "in/arrow.toml", "-o", "certificates"]) == 3
    assert [path.name for path in Path("certificates").iterdir()] == ["csv.cert"]
    assert main(["certify", "in/arrow.toml", "--epsilon", "2", "-o", "mine.cert"]) == 3
    assert not Path("mine.cert.toml").exists()


def test_what_an_arrow_file_states_has_a_certificate_inline(kernel_here: None) -> None:
    from pfverify import certify, check

    certify("in/arrow.toml").write("mine.cert")  # beside no file: about the problem itself
    assert check("in/npz.toml", "mine.cert").certified


def test_from_standard_input_names_are_from_here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path("in/csv.toml").read_bytes()

    class Input:
        buffer = io.BytesIO(text)

        @staticmethod
        def isatty() -> bool:
            return False

    def given(data: bytes) -> None:
        Input.buffer = io.BytesIO(data)
        monkeypatch.setattr(sys, "stdin", Input)

    given(text)
    assert main(["certify", "-"]) == 2
    assert "standard input: channel.file: m.csv: there is no such file" in capsys.readouterr().err
    there = text.replace(b"m.csv", b"in/m.csv")
    given(there)
    assert main(["certify", "-", "-o", "mine.cert"]) == 0
    given(there)
    assert main(["check", "-", "mine.cert"]) == 0


def test_a_changed_problem_names_the_same_file_from_its_own_folder(kernel_here: None) -> None:
    Path("out/deep").mkdir(parents=True)
    options = ["--epsilon", "2", "-o", "out/deep/mine.cert"]
    assert main(["certify", "in/csv.toml", *options]) == 0
    written = Path("out/deep/mine.cert.toml")
    assert 'file = "../../in/m.csv"' in written.read_text()
    assert main(["check", str(written), "out/deep/mine.cert"]) == 0
    assert main(["certify", "in/csv.toml", "--epsilon", "2", "-o", "in/mine.cert"]) == 0
    assert 'file = "m.csv"' in Path("in/mine.cert.toml").read_text()
    assert Problem.load("in/mine.cert.toml") == Problem.load(written)
    full = Path("in/m.csv").resolve()
    Path("in/full.toml").write_text(Path("in/csv.toml").read_text().replace("m.csv", str(full)))
    assert main(["certify", "in/full.toml", *options]) == 0
    assert f'file = "{full}"' in written.read_text()


def test_other_processes_are_sent_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["certify", "in/csv.toml", "in/npz.toml", "--jobs", "2", "--epsilon", "1,2", "--json"]
    assert main(asked) == 1
    found: Any = json.loads(capsys.readouterr().out)
    text = json.dumps(found)
    assert text.count('"verdict": "refuted"') > 0 < text.count('"verdict": "certified"')
    assert "error" not in text


def test_other_processes_are_sent_the_rows_of_a_key_in_escapes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """They would look for it in the working directory, where another matrix may lie."""
    Path("m.csv").write_text("input,x,y\na,1,0\nb,0,1\nc,0,1\n")
    stated = Path("in/csv.toml").read_text().replace("file =", '"fil\\u0065" =')
    Path("in/escaped.toml").write_text(stated)
    assert main(["certify", "in/escaped.toml", "in/csv.toml", "--jobs", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert json.dumps(found).count('"verdict": "certified"') > 1


def test_a_name_behind_a_link_is_written_as_it_is_read(kernel_here: None) -> None:
    """What is behind `lk/..` is not beside the problem."""
    Path("other/deep").mkdir(parents=True)
    Path("out").mkdir()
    Path("in/lk").symlink_to("../other/deep")
    Path("other/h.csv").write_bytes(csv_bytes(COUNTS))
    Path("in/h.csv").write_text("input,x,y\na,1,0\nb,0,1\nc,0,1\n")
    Path("in/linked.toml").write_text(f'{HEAD}file = "lk/../h.csv"\nnormalise = true\n')
    assert main(["certify", "in/linked.toml", "--epsilon", "3", "-o", "out/mine.cert"]) == 0
    assert main(["check", "out/mine.cert.toml", "out/mine.cert", "--expect", "certified"]) == 0


def test_other_commands_read_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loss", "in/npz.toml"]) == 0
    assert "1.09861228867" in capsys.readouterr().out
    assert main(["sample", "in/csv.toml", "--value", "a"]) == 0
    assert main(["report", "in/arrow.toml", "-o", "mine.html"]) == 0


@pytest.mark.parametrize(("data", "said"), [
    (b"input,x,y\na,0.1,0.8\nb,1,0\n", "sums to 9/10, which is 1/10 less than 1, expected exactly "
     "1; floats and counts seldom do: normalise = true divides each row by its sum"),
    (b"input,x,y\na,nan,0.8\nb,1,0\n", "channel.file: in/m.csv: rows[0]: "),
])  # fmt: skip
def test_bad_files_are_one_line(
    data: bytes, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("in/m.csv").write_bytes(data)
    Path("in/csv.toml").write_text(f'{HEAD}file = "m.csv"\n')
    assert main(["certify", "in/csv.toml"]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert said in err
