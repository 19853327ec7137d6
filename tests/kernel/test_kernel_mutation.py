"""Single-leaf mutations: whatever the kernel still accepts must be true at 60 digits."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import composed_truth
import kernel_builder as kb
import pytest
import smooth_cases as sc
from joint_truth import TooLargeError, Unjudged
from support.leaves import leaves, others, replaced

ACCEPTED = sorted((kb.CORPUS / "accept").glob("*.json"))
# beyond what the oracle can add up, or knows
SKIP = ("enormous", "long-gap", "part-refuted", "any-rest", "renyi", "zcdp")  # the last: own tests
WORDS = {"certified", "refuted", "scales", "coupling"}


def mutate(path: Path, rng: random.Random, share: float, tally: Counter[str]) -> None:
    case = json.loads(path.read_text())
    problem, cert = case["problem"], case["certificate"]
    if isinstance(problem, str) or isinstance(cert, str):
        return
    for where in leaves(cert):
        old = cert
        for key in where:
            old = old[key]
        for new in others(old, rng):
            if rng.random() < share:
                check(problem, replaced(cert, where, new), (path.stem, where, new), tally)
    for where in leaves(problem):
        old = problem
        for key in where:
            old = old[key]
        for new in others(old, rng):
            if rng.random() < share:
                changed = replaced(problem, where, new)
                try:
                    identity = kb.digest(changed)
                except Exception:  # malformed: only the kernel's own answer matters
                    identity = cert["problem"]
                check(changed, {**cert, "problem": identity}, (path.stem, where, new), tally)


def check(problem: Any, cert: Any, what: Any, tally: Counter[str]) -> None:
    word, message = kb.run(problem, cert)
    tally[word] += 1
    assert "beyond this kernel" not in message, (what, message)
    if word in WORDS:
        assert word == cert["result"]
        truth = composed_truth.is_true if composed_truth.is_composed(cert) else kb.is_true
        try:
            assert truth(problem, cert, word), (what, message)
        except (TooLargeError, ZeroDivisionError):  # or of a scale 0
            tally["accepted, too large to be told"] += 1
        except Unjudged:
            tally["accepted, not judged"] += 1
        else:
            tally["accepted and true"] += 1


def battery(share: float) -> Counter[str]:
    rng, tally = random.Random(11), Counter[str]()
    for path in ACCEPTED:
        problem = json.loads(path.read_text())["problem"]
        smooth = sc.is_smooth(problem)  # in test_kernel_smooth
        composed = path.stem.startswith("composed")  # has an oracle of its own
        if (composed or not smooth) and not any(s in path.stem for s in SKIP):
            mutate(path, rng, share, tally)
    return tally


def report(tally: Counter[str], record_property: Callable[[str, Any], None]) -> None:
    tried = sum(v for k, v in tally.items() if not k.startswith("accepted"))
    print("mutations tried:", tried, dict(tally))
    record_property("kernel leaves tried", tried)
    record_property("kernel leaves accepted", tally["accepted and true"])


@pytest.mark.slow
def test_single_leaf_mutations(record_property: Callable[[str, Any], None]) -> None:
    tally = battery(0.006)
    report(tally, record_property)
    assert tally["rejected"] > 100
    assert tally["malformed"] > 100
    assert tally["accepted and true"] > 10
    assert tally["accepted, not judged"] < tally["accepted and true"] / 10


@pytest.mark.long
def test_single_leaf_mutations_all(record_property: Callable[[str, Any], None]) -> None:
    tally = battery(1.0)
    report(tally, record_property)
    assert tally["accepted and true"] > 300
    assert tally["accepted, not judged"] < tally["accepted and true"] / 10
