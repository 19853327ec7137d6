"""What certify decides, certify -o writes: the kernel accepts it, or certify says before that not.

Random problems of every kind. That the packaged problems are written is in `tests/certificate`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from support.every_kind import MAKERS, cut, some_table
from support.problems import limited

from pfverify import InputError, Problem, certify
from pfverify.certificate.build import refused_ahead, write_verdict
from pfverify.certificate.checking import TooLargeError, check
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Verdict
from pfverify.model.sources import families

pytestmark = pytest.mark.usefixtures("kernel_here")

SECONDS = 60


def written(table: dict[str, object], folder: Path) -> str:
    """The verdict, whose certificate was written, or that it is announced that there is none."""
    path, proof = folder / "problem.json", folder / "certificate.json"
    path.write_text(json.dumps(table))
    problem = Problem.load(path)
    with limited(SECONDS):
        try:
            result = certify(problem)
        except InputError:  # no route
            return "refused"
    if result.verdict is Verdict.UNDECIDED:
        return "undecided"
    announced = refused_ahead(path, problem)
    proof.unlink(missing_ok=True)
    try:
        write_verdict(proof, path, problem, result, attest=False)
    except TooLargeError:
        assert announced is not None
        return "announced"
    assert announced is None
    assert check(path, proof).word == str(result.verdict)
    return str(result.verdict)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(
    ("first", "count"),
    [(0, 3), *(pytest.param(k, 10, marks=pytest.mark.long) for k in range(3, 103, 10))],
)
def test_what_is_decided_is_written(kind: str, first: int, count: int, tmp_path: Path) -> None:
    seen = Counter(
        written(some_table(Random(f"{kind} {k}"), kind), tmp_path)
        for k in range(first, first + count)
    )
    assert seen["certified"] + seen["refuted"] >= count // 2, seen
    assert seen["announced"] == 0, seen


@pytest.mark.parametrize("delta", ["1e-6", "1/2"])
def test_a_row_of_many_quotients_of_one_sum_is_written(delta: str, tmp_path: Path) -> None:
    target = {"schema": "pfverify/problem/1", "epsilon": "1", "delta": delta}
    assert written(cut(12, target), tmp_path) == ("refuted" if delta == "1e-6" else "certified")


def regions(records: int, rare: int) -> dict[str, object]:
    """Two confidence regions of two atoms, alike."""
    region = {"kind": "confidence", "counts": {"0": records - rare, "1": rare}, "level": "0.95"}
    return {
        "schema": "pfverify/problem/1", "epsilon": "1", "priors": {"a": region, "b": region},
        "noise": {"kind": "laplace", "scale": "3"},
    }  # fmt: skip


def test_regions_of_very_many_records_are_announced_in_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = regions(10**9, 30), regions(7_000_000, 4_000)
    assert not any("no certificate" in words for words in assumed(Problem.from_table(few)))
    monkeypatch.setattr(families, "MOST_CHECKED", 100_000)  # a hundredth: as for 3,000,000
    assert written(few, tmp_path) == "certified"
    assert written(many, tmp_path) == "announced"
    said = assumed(Problem.from_table(many))[-1]
    assert said.startswith("no certificate is written for this: the kernel works out every")


@pytest.mark.long
def test_regions_just_small_enough_are_written(tmp_path: Path) -> None:
    for records, rare in ((10**9, 3_000), (10**9, 1_600_000), (4_000_000, 1_600_000)):
        assert written(regions(records, rare), tmp_path) == "certified"
