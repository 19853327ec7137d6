"""What a problem's pairs are, and how many may be asked of."""

from __future__ import annotations

from typing import Any

import kernel_builder as kb
import pytest
from core.grammar import Malformed
from core.shapes import MAX_PAIRS
from core.work import checking
from reader import reader
from reader.reader import problem_of

P, Q = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}


@pytest.mark.parametrize("count", [1_415, 1_732, 5_000])
def test_too_many_pairs_cost_nothing(count: int) -> None:
    secrets: dict[str, Any] = dict.fromkeys(map(str, range(count)))
    assert count**2 > 2 * MAX_PAIRS
    with checking(0) as check, pytest.raises(Malformed) as refused:
        reader._pairs({}, {"d": secrets}, False)
    assert (str(refused.value), check.spent) == ("too many pairs", 0)


def test_all_pairs_are_asked_of_once() -> None:
    secrets: dict[str, Any] = dict.fromkeys(map(str, range(141)))
    found = reader._pairs({}, {"d": secrets}, False)
    assert len(found) == 141 * 140 // 2
    assert found[:2] == [("0", "1"), ("0", "2")]
    assert found[-1] == ("139", "140")


@pytest.mark.parametrize("pairs", [[["a", "c"]], [["a", "b"], ["c", "b"]]])
def test_every_belief_has_the_secrets_of_pairs(pairs: list[list[str]]) -> None:
    value = kb.problem(P, Q)
    laws = value.pop("priors")
    more = {**laws, "c": laws["a"]}
    for beliefs, name in (({"d": laws}, "d"), ({"d": more, "e": laws}, "e")):
        stated = {k: {"priors": of} for k, of in beliefs.items()}
        with pytest.raises(Malformed) as refused:
            problem_of({**value, "beliefs": stated, "pairs": pairs})
        assert str(refused.value) == f'belief "{name}" has no secret "c"'
    stated = {"d": {"priors": more}, "e": {"priors": more}}
    assert len(problem_of({**value, "beliefs": stated, "pairs": pairs}).pairs) == len(pairs)
