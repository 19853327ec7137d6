"""Noise tables in files of their own, from the file that an office publishes to the kernel."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pfverify import InputError, Problem, TableNoise
from pfverify.certificate.checking import check
from pfverify.edge.cli import main
from pfverify.model.digest import problem_digest

MOVES = {0: [0] * 8, 1: [-1, 1] * 4, 2: [-1, 0, 0, 1] * 2}
BY = {0: {0: 1}, 1: {-1: "1/2", 1: "1/2"}, 2: {-1: "1/4", 0: "1/2", 1: "1/4"}}
OFFICE = '"pcv","ckey","pvalue"\n' + "".join(
    f"{count},{key},{move}\n" for count, moves in MOVES.items() for key, move in enumerate(moves)
)
RANGES = "ckey,pvalue,pcv\r\n1,0,0\r\n0.5,-1,1\r\n1.0,1,1\r\n\r\n0.25,-1,2\r\n3/4,0,2\r\n1,1,2\r\n"


def stated(noise: dict[str, Any], delta: str = "3/4") -> dict[str, Any]:
    return {
        "schema": "pfverify/problem/1", "epsilon": 1, "delta": delta,
        "noise": {"kind": "table", **noise},
        "priors": {str(x): {"kind": "discrete", "mass": {str(x): 1}} for x in range(4)},
        "pairs": [["0", "1"], ["1", "2"], ["2", "3"]],
    }  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of problems beside the one that commands run in."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "run").mkdir()
    monkeypatch.chdir(tmp_path / "run")
    return tmp_path / "mine"


def put(here: Path, table: dict[str, Any], text: str | bytes = OFFICE) -> str:
    data = text if isinstance(text, bytes) else text.encode()
    (here / "ptable.csv").write_bytes(data)
    (here / "p.json").write_text(json.dumps(table))
    return str(here / "p.json")


@pytest.mark.parametrize("text", [OFFICE, RANGES, "\ufeff" + OFFICE, OFFICE.replace("\n", "\r\n")])
@pytest.mark.parametrize(("delta", "word"), [("1", "certified"), ("1/4", "refuted")])
def test_a_file_is_read_from_the_folder_of_the_problem(
    text: str, delta: str, word: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(here, stated({"file": "ptable.csv"}, delta), text)
    inline = Problem.from_table(stated({"by": BY, "larger": BY[2]}, delta))
    assert problem_digest(Problem.load(path)) == problem_digest(inline)
    assert main(["certify", path, "-o", "p.cert"]) == (word == "refuted")
    assert main(["check", path, "p.cert", "--expect", word]) == 0
    inline.save("inline.toml")  # a certificate is about the table, wherever it stands
    assert check("inline.toml", "p.cert").word == word
    capsys.readouterr()


def test_another_table_needs_another_certificate(here: Path) -> None:
    path = put(here, stated({"file": "ptable.csv"}, "1"))
    assert main(["certify", path, "-o", "p.cert"]) == 0
    put(here, stated({"file": "ptable.csv"}, "1"), OFFICE.replace("2,7,1", "2,7,0"))
    found = check(path, "p.cert")
    assert (found.word, "another problem" in found.message) == ("rejected", True)
    (here / "ptable.csv").unlink()
    found = check(path, "p.cert")
    assert (found.word, "is no regular file" in found.message) == ("malformed", True)


def test_a_digest_is_held_to(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    digest = f"sha256:{hashlib.sha256(OFFICE.encode()).hexdigest()}"
    path = put(here, stated({"file": "ptable.csv", "digest": digest}, "1"))
    assert main(["certify", path, "-o", "p.cert"]) == 0
    assert check(path, "p.cert").certified
    wrong = digest[:-1] + ("0" if digest[-1] != "0" else "1")
    path = put(here, stated({"file": "ptable.csv", "digest": wrong}, "1"))
    assert main(["certify", path]) == 2
    assert f"have another one: {digest}" in capsys.readouterr().err
    assert check(path, "p.cert").word == "malformed"


def test_a_part_may_name_a_file_and_a_changed_problem_names_it_from_its_folder(here: Path) -> None:
    whole = stated({"file": "ptable.csv"}, "9/10")
    part = {key: whole.pop(key) for key in ("noise", "priors")}
    path = put(here, {**whole, "parts": [{**part, "times": 2}]})
    assert main(["certify", path, "-o", "p.cert"]) in (0, 1)
    assert check(path, "p.cert").valid
    alone = put(here, stated({"file": "ptable.csv"}))
    assert main(["certify", alone, "--delta", "1", "-o", "one.cert"]) == 0
    assert 'file = "../mine/ptable.csv"' in Path("one.cert.toml").read_text()
    assert check("one.cert.toml", "one.cert").certified


@pytest.mark.parametrize(
    ("noise", "text", "said"),
    [
        ({"file": "gone.csv"}, OFFICE, "noise: file: {here}/gone.csv: there is no such file"),
        ({"file": "p.json"}, OFFICE, "expected a name that ends in .csv"),
        ({"file": "ptable.csv", "larger": {"0": 1}}, OFFICE, "larger: not beside file"),
        ({"file": "ptable.csv", "weights": {"0": 1}}, OFFICE, "weights: not beside file"),
        ({"digest": "sha256:0", "weights": {"0": 1}}, OFFICE, "digest: it is that of a file"),
        ({"file": "ptable.csv"}, "i,v,p\n0,0,1\n", "the columns pcv, ckey and pvalue alone"),
        ({"file": "ptable.csv"}, "", "its first line is ''"),
        ({"file": "ptable.csv"}, "pcv,ckey,pvalue\n", "there are none, expected some"),
        ({"file": "ptable.csv"}, "pcv,ckey,pvalue\n0,0\n", "line 2: 2 cells, expected 3"),
        ({"file": "ptable.csv"}, "pcv,ckey,pvalue\n0,0,a\n", "line 1: pvalue: "),
        ({"file": "ptable.csv"}, 'pcv,ckey,pvalue\n0,0,"0\n', "this is no CSV"),
        ({"file": "ptable.csv"}, b"pcv,ckey,pvalue\n\xff", "the file is not UTF-8 text"),
        ({"file": "ptable.csv"}, OFFICE + "2,8,0\n", "count 0: its cell keys are not 0 to 8"),
    ],
)
def test_what_is_no_such_file(
    noise: dict[str, Any], text: str | bytes, said: str, here: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = put(here, stated(noise), text)
    assert main(["certify", path]) == 2
    err = capsys.readouterr().err
    assert said.format(here=here) in err
    assert err.count("\n") == 1
    Path("p.cert").write_text("{}\n")
    assert check(path, "p.cert").word == "malformed"


def test_in_python_names_are_from_the_working_directory(here: Path) -> None:
    put(here, {})
    with pytest.raises(InputError, match=r"file: ptable\.csv: there is no such file"):
        TableNoise.from_table({"kind": "table", "file": "ptable.csv"})
    noise = TableNoise.from_table({"kind": "table", "file": "../mine/ptable.csv"})
    assert noise.canonical() == TableNoise(by=BY, larger=BY[2]).canonical()
