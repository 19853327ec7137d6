"""What the command line says about packaged problems, whole: every word of it is stored."""

from __future__ import annotations

import pytest
from support.texts import QUICK, STORED, WIDTH, stored


@pytest.mark.parametrize("name", QUICK)
def test_every_word_is_as_it_is_stored(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change that is meant: python tests/support/texts.py, and look at the difference."""
    monkeypatch.setenv("COLUMNS", WIDTH)
    assert stored(name) == (STORED / f"{name}.txt").read_text("utf-8")


def test_there_is_a_text_for_each_and_for_no_other() -> None:
    assert {path.stem for path in STORED.glob("*.txt")} == {*QUICK}
