"""Near misses of the accepted cases get the word that is on record, and answers turn where they
did."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from recorded_answers import LETTERS, NOT_ASKED, RECORD, cases, said, words

CASES, KNOWN = cases(), json.loads(RECORD.read_text())


@pytest.mark.parametrize("name", CASES)
def test_some_near_misses_get_their_words(name: str) -> None:
    known = KNOWN[name]["near"]
    found = words(name, CASES[name], known, share=8)
    asked = [(one, two) for one, two in zip(found, known, strict=True) if one != NOT_ASKED]
    assert asked
    assert all(one == two for one, two in asked)


@pytest.mark.parametrize("name", CASES)
def test_near_misses_get_their_words(name: str) -> None:
    assert words(name, CASES[name], KNOWN[name]["near"]) == KNOWN[name]["near"]


@pytest.mark.parametrize("name", [name for name, known in KNOWN.items() if known["edges"]])
def test_answers_turn_where_they_did(name: str) -> None:
    case = CASES[name]
    accepted = case["certificate"]["result"]
    for place, (good, bad) in KNOWN[name]["edges"].items():
        key, *where = json.loads(place)
        assert said(case, key, tuple(where), good) == accepted, place
        assert said(case, key, tuple(where), bad) != accepted, place


def test_the_record_has_every_case_and_every_word() -> None:
    assert KNOWN.keys() == CASES.keys()
    near = "".join(known["near"] for known in KNOWN.values())
    assert len(near) > 100 * len(KNOWN)
    assert {*near} == {*LETTERS.values(), NOT_ASKED}
    assert near.count(NOT_ASKED) < len(KNOWN)
    assert min(map(near.count, LETTERS.values())) > 20
    turns = Counter(json.loads(place)[-1] for known in KNOWN.values() for place in known["edges"])
    assert min(turns[one] for one in ("epsilon", "delta", "margin")) > 20
