"""Theorems about small problems: accepted, rejected because they are false, or not understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import coq

pytestmark = pytest.mark.coq

HERE = Path(__file__).parent
FALSE = 'Unable to unify "true" with "false"'
ANOTHER = "while it is expected to have type"
NOT_UNDERSTOOD = ("Syntax error", "Cannot interpret", "was not found", "There are pending proofs")


def texts(folder: str) -> list[Path]:
    return sorted((HERE / folder).glob("*.v"))


def name(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", texts("accept"), ids=name)
def test_what_is_true_is_accepted(theory: Path, tmp_path: Path, path: Path) -> None:
    done = coq.run(tmp_path, coq.HEAD + path.read_text("utf-8"))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("path", texts("reject"), ids=name)
def test_what_is_false_or_unproved_is_rejected(theory: Path, tmp_path: Path, path: Path) -> None:
    done = coq.run(tmp_path, coq.HEAD + path.read_text("utf-8"))
    assert done.returncode == 1
    assert (FALSE if path.stem != "another-statement" else ANOTHER) in done.stderr


@pytest.mark.parametrize("path", texts("malformed"), ids=name)
def test_what_is_not_understood_is_rejected(theory: Path, tmp_path: Path, path: Path) -> None:
    done = coq.run(tmp_path, coq.HEAD + path.read_text("utf-8"))
    assert done.returncode == 1
    assert any(words in done.stderr for words in NOT_UNDERSTOOD), done.stderr


def test_there_are_texts_of_every_kind() -> None:
    assert [len(texts(kind)) for kind in ("accept", "reject", "malformed")] == [10, 28, 6]
