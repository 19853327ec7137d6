"""What is said of files that are empty, absent or in another encoding, and of full disks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pfverify import InputError, Problem
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_text
from pfverify.model.problem_file import near_file

FULL = Path("/dev/full")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a command that is refused."""
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


@pytest.mark.parametrize("text", ["", " \n\n", "# nothing yet\n", "\ufeff"])
def test_a_file_with_nothing_in_it_is_called_that(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    """It was a file without a schema, or no JSON."""
    for name in ("mine.toml", "mine.json"):
        if name == "mine.json" and "#" in text:
            text = "{}"
        path = tmp_path / name
        path.write_text(text, "utf-8")
        line = said(capsys, "certify", str(path))
        assert "it is empty" in line or "it has no keys" in line
        assert "pfverify demo --write" in line


@pytest.mark.parametrize(
    ("asked", "there", "near"),
    [
        ("nosuch.toml", "bin.toml", None),
        ("x.toml", "y.toml", None),
        ("bim.toml", "bin.toml", "bin.toml"),
        ("bin.tml", "bin.toml", "bin.toml"),
        ("Census", "census.toml", "census.toml"),
        ("people.csb", "people.csv", "people.csv"),
    ],
)
def test_another_file_is_meant_where_its_name_is_near_and_not_its_suffix(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, asked: str, there: str, near: str | None
) -> None:
    """Nosuch.toml was bin.toml, by the five letters of their suffix."""
    (tmp_path / there).write_text("", "utf-8")
    hint = f"; did you mean {near}?" if near else ""
    assert near_file(tmp_path / asked) == hint
    assert said(capsys, "certify", str(tmp_path / asked)).endswith(f"no such file{hint}\n")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_text_of_wider_letters_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(example_text("census").encode(encoding))
    assert f"seems to be {encoding[:6].upper()} text, expected UTF-8" in said(
        capsys, "certify", str(path)
    )
    table = tmp_path / "people.csv"
    table.write_bytes("a,b\n1,2\n3,4\n".encode(encoding))
    if encoding in ("utf-16", "utf-32"):
        line = said(capsys, "prior", str(table), "--secret", "a", "--public", "b", "-o",
                    str(tmp_path / "new.toml"))  # fmt: skip
        assert line.endswith(f"--encoding {encoding}\n")


def test_bytes_are_no_text_of_a_problem(tmp_path: Path) -> None:
    """They were a TypeError; null bytes were a wrong statement of TOML."""
    with pytest.raises(InputError, match="expected str, got bytes; decode them first"):
        Problem.from_text(example_text("census").encode())  # type: ignore[arg-type]
    (tmp_path / "bin.toml").write_bytes(b"ab = 1\n\0\0\0")
    with pytest.raises(InputError, match="null bytes"):
        Problem.load(tmp_path / "bin.toml")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", ["certify example:tie-delta", "loss example:tie-delta --json"])
def test_a_full_standard_output_is_named(command: str) -> None:
    """It was 'cannot read or write', without what."""
    with FULL.open("w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "pfverify", *command.split()],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert found.returncode == 2
    assert found.stderr == (
        "pfverify: standard output: cannot write: No space left on device\n"
    )


@pytest.mark.parametrize(
    ("form", "name"), [("junit", "x.xml"), ("sarif", "x.sarif"), ("markdown", "x.md")]
)
def test_a_report_is_not_what_o_writes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str, name: str
) -> None:
    """The certificate went into a file of that name."""
    path = tmp_path / name
    line = said(capsys, "certify", "example:tie-delta", "--format", form, "-o", str(path))
    assert f"standard output: > {path}" in line
    assert not path.exists()
    assert main(["certify", "example:tie-delta", "--format", form, "-o", f"{path}.cert"]) == 0
