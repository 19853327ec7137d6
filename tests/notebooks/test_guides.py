"""Whoever does what a guide says gets what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.guides import Reader, blocks

import pfverify
from pfverify.edge.cli import main

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
GUIDES = [NOTEBOOKS / "index.md", *sorted((NOTEBOOKS / "guides").glob("*.md"))]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Somebody in a folder beside the package, as in a checkout."""
    (tmp_path / "pfverify").symlink_to(Path(pfverify.__file__).parent)
    (tmp_path / "proofs").symlink_to(NOTEBOOKS.parent / "proofs")
    monkeypatch.chdir(tmp_path)
    return Reader(tmp_path, main)


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_guide_works_as_shown(path: Path, reader: Reader) -> None:
    reader.read(path.read_text("utf-8"))
    assert reader.ran or reader.names or path.stem == "add-a-noise-kind"  # which shows a test


def test_the_commands_of_the_reference_work(reader: Reader) -> None:
    """Those of its tables and sentences, about the problem and the plan of a guide."""
    reader.read((NOTEBOOKS / "guides/couplings.md").read_text("utf-8"))
    table = (NOTEBOOKS / "reference/commands.md").read_text("utf-8")
    asked = re.findall(r"^\| [^|]* \| `(pfverify [^`]*)` \|$", table, re.MULTILINE)
    assert len(asked) > 10
    page = (NOTEBOOKS / "reference/certificates.md").read_text("utf-8")
    reader.read(page)
    page = page.replace("--coq`", "`")
    asked += re.findall(r"`((?:pfverify|python) [^`]*mine\.cert[^`]*)`", page)
    assert "pfverify export mine.cert --problem mine.toml --smtlib" in asked
    assert "python -I -S pfverify/kernel mine.toml mine.cert" in asked
    for line in asked:
        reader.command(line, 0)


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("```shell\npfverify certify nothing.toml\n```\n", "exit code 2"),
        ("```shell\npfverify demo --examples\n```\n\n```text\nrefuted\n```\n", "not printed"),
        ("```shell\nrm -rf mine\n```\n", "a guide runs 'rm'"),
        ("```python\nassert 1 == 2\n```\n", None),
    ],
)
def test_a_guide_that_is_wrong_fails(page: str, message: str | None, reader: Reader) -> None:
    with pytest.raises(AssertionError, match=message):
        reader.read(page)


def test_blocks_that_nobody_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="no known kind"):
        list(blocks("```ruby\nputs 1\n```\n"))
    with pytest.raises(ValueError, match="no `FILE`: above it"):
        list(blocks("```toml\na = 1\n```\n"))
    assert [*blocks("`a.toml`:\n\n```toml\na = 1\n```\n")] == [("toml", "a.toml", "a = 1\n")]
