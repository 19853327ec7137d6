"""The theory in proofs/coq: all of it is proved, from the axioms of the real numbers alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import coq

FILES = sorted(coq.THEORY.glob("*.v"))
UNPROVED = re.compile(r"\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?)\b")
UNCHECKED = re.compile(
    r"bypass_check|Unset (Guard|Positivity|Universe) Checking|Type[- ]in[- ]Type"
)


def commands(text: str) -> str:
    """The text of a Coq file without its comments and strings."""
    kept, depth = [], 0
    for part in re.split(r'("[^"]*"|\(\*|\*\))', text):
        if part == "(*":
            depth += 1
        elif part == "*)":
            depth -= 1
        elif depth == 0 and not part.startswith('"'):
            kept.append(part)
    return "".join(kept)


def test_comments_and_strings_are_left_out() -> None:
    text = 'Lemma a. (* Axiom (* admit *) Axiom *) Notation "Axiom" := b. admit.'
    assert UNPROVED.findall(commands(text)) == ["admit"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_leaves_nothing_unproved(file: Path) -> None:
    text = commands(file.read_text("utf-8"))
    assert UNPROVED.findall(text) == []
    assert UNCHECKED.findall(text) == []
    assert "Print Assumptions" not in text


@pytest.mark.coq
def test_the_theory_compiles(theory: Path) -> None:
    assert all((theory / f"{file.stem}.vo").is_file() for file in FILES)
