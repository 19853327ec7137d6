"""What the symbols of proof files mean: in words of the file, of symbols that it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.proofs import FILES, PROOFS, loaded

from pfverify.proof.files import proof_files
from pfverify.proof.shown import names_of
from pfverify.proof.symbol_words import words_for_symbols, words_in

MISSING = 1359  # symbols without a meaning on the pages of all files: this only falls
SETTINGS = sorted(PROOFS.glob("*/settings/*.py"))


def table(path: Path) -> tuple[set[str], dict[str, str]]:
    """The symbols of a page, without the marks of those that are bound again, and words."""
    file = loaded(path)
    names = {name.rstrip("'") for _, part in file.claim.parts() for name in names_of(part)}
    return names, words_for_symbols(file, path.read_text("utf-8"))


@pytest.mark.long
def test_fewer_and_fewer_symbols_have_no_meaning() -> None:
    missing = sum(len(names - {*words}) for names, words in map(table, FILES))
    assert 0 < missing <= MISSING


@pytest.mark.parametrize("name", ["M06", "G21"])
def test_every_symbol_of_a_page_has_a_meaning(name: str) -> None:
    (path,) = proof_files(PROOFS, [name])
    names, words = table(path)
    assert len(names) > 10
    assert names <= {*words}


def imports(path: Path, setting: Path) -> bool:
    return f"from settings.{setting.stem} import *\n" in path.read_text("utf-8")


@pytest.mark.parametrize("path", SETTINGS, ids=lambda p: p.stem)
def test_every_symbol_of_a_setting_has_a_meaning(path: Path) -> None:
    own = words_in([path.read_text("utf-8")])
    folder = path.parent
    assert any(imports(p, path) for p in [*folder.parent.glob("*.py"), *folder.glob("*.py")])
    declared = re.findall(
        r"\b(?:positive|constants|variables|masses|functions)\(\"([^\"]+)\"\)|"
        r"\b(?:indices|member|draws)\(\"([^\"]+)\", ",
        path.read_text("utf-8"),
    )
    names = {name for pair in declared for text in pair for name in text.split()}
    assert names <= {*own}
    listed = path.read_text("utf-8").partition("\nSymbols:\n")[2].partition('"""')[0]
    for line in listed.splitlines():  # each is an entry, of symbols that are declared here
        assert {*line.partition(": ")[0].split(", ")} <= names, line


def test_what_a_docstring_says() -> None:
    text = '"""About.\n\nc(u) is a chance. x is a letter, z another; d and e are no words.\n{}"""\n'
    assert words_in([text.format("")]) == {"c": "a chance"}
    listed = text.format("\nSymbols:\nx, z: a letter\nc: the chance of an event\n")
    assert words_in([listed]) == {"c": "the chance of an event", "x": "a letter", "z": "a letter"}
    assert words_in([listed, '"""S.\n\nSymbols:\nx: a place\n"""'])["x"] == "a letter"
    assert words_in(["a = 1\n"]) == {}
