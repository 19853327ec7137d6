"""The checker in Coq against the verdicts of Python, on the same 1,000 problems in every run."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from support import coq_problems
from support.coq_text import answers, data_of

from pfverify import Problem, certify
from pfverify.answers.outcome import CertifyResult
from pfverify.decide.verdict import Verdict

pytestmark = pytest.mark.coq
COUNT, BATCH = 1_000, 100
FEW = 200  # of which CI asks; the batteries ask of all
PARTS = [
    first if first < FEW else pytest.param(first, marks=pytest.mark.long)
    for first in range(0, COUNT, BATCH)
]


@cache
def decided() -> list[tuple[Problem, CertifyResult]]:
    return [(problem, certify(problem)) for problem in coq_problems.random_problems(COUNT)]


def test_there_are_ties_of_all_kinds_and_both_verdicts() -> None:
    ties = [p for p, r in decided() if any(pair.tie for pair in r.pairs)]
    certified = sum(r.verdict is Verdict.CERTIFIED for _, r in decided())
    refuted = sum(r.verdict is Verdict.REFUTED for _, r in decided())
    assert certified + refuted == COUNT
    assert min(certified, refuted) > 300
    assert len(ties) > 250
    assert sum("log" in p.epsilon.text for p in ties) > 100
    assert sum("exp" in p.scale().text for p in ties) > 50


@pytest.mark.parametrize("first", PARTS)
def test_the_checker_answers_as_python(theory: Path, tmp_path: Path, first: int) -> None:
    part = list(islice(decided(), first, first + BATCH))
    found = answers(tmp_path, (data_of(problem) for problem, _ in part), limit=120)
    expected = [
        (result.verdict is Verdict.CERTIFIED, result.verdict is Verdict.REFUTED)
        for _, result in part
    ]
    wrong = [first + k for k in range(BATCH) if found[k] != expected[k]]
    assert wrong == []
