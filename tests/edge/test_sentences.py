"""The sentences that views, pages and reports share: each is said, and none is missing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pfverify.edge
from pfverify.edge.sentences import sentence, sentences

ROOT = Path(pfverify.edge.__file__).parent


def asked() -> set[str]:
    """The names after which sentences are asked for, of one that is put together its beginning."""
    found = set()
    for path in ROOT.rglob("*.py"):
        text = path.read_text("utf-8")
        if "edge.sentences import sentence" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "sentence":
                name = node.args[0]
                for one in [name.body, name.orelse] if isinstance(name, ast.IfExp) else [name]:
                    part = one.values[0] if isinstance(one, ast.JoinedStr) else one
                    assert isinstance(part, ast.Constant), path
                    found.add(str(part.value))
    return found


def test_every_sentence_is_said_and_every_one_that_is_said_is_there() -> None:
    names = {f"{topic}.{name}" for topic, told in sentences().items() for name in told}
    found = asked()
    assert len(found) > 40
    begun = {name for name in found if name.endswith(".")}
    assert found - begun <= names
    assert all(any(name.startswith(start) for name in names) for start in begun)
    assert {name for name in names - found if not name.startswith(tuple(begun))} == set()


@pytest.mark.parametrize("name", ["footing.nothing", "nothing.taken", "footing", ""])
def test_one_that_there_is_not_is_an_error(name: str) -> None:
    with pytest.raises(KeyError):
        sentence(name)


def test_so_is_a_name_without_a_value() -> None:
    assert sentence("region.taken", size="{x}").startswith("The smallest {x} takes")
    with pytest.raises(KeyError, match="size"):
        sentence("region.taken")
