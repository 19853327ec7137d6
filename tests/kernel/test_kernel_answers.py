"""Near misses of the accepted cases get the word that is on record."""

from __future__ import annotations

import json

import pytest
from recorded_answers import COUNT, LETTERS, NOT_ASKED, RECORD, cases, words

CASES, KNOWN = cases(), json.loads(RECORD.read_text())


@pytest.mark.parametrize("name", CASES)
def test_near_misses_get_their_words(name: str) -> None:
    assert words(name, CASES[name], KNOWN[name]) == KNOWN[name]


def test_the_record_has_every_case_and_every_word() -> None:
    assert KNOWN.keys() == CASES.keys()
    together = "".join(KNOWN.values())
    assert len(together) > 100 * len(KNOWN)
    assert {*together} == {*LETTERS.values(), NOT_ASKED}
    assert together.count(NOT_ASKED) < COUNT
    assert min(map(together.count, LETTERS.values())) > 20
