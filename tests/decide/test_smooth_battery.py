"""Random problems with densities: no wrong verdict, none undecided, every certificate accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from support.kernel_run import kernel_answer
from support.smooth_cases import KINDS, random_problem
from support.smooth_problems import answered, contradictions

DEFAULT = 0, 3  # which problems of each kind: together they need every rule
ISSUE = 250
LONG = 800
BLOCK = 20
PROVING = {"equal", "components", "chart"}
REFUTING = {"pure-refuted", "event-refuted", "pointwise-refuted"}

Record = Callable[[str, Any], None]


def run(seeds: Iterable[tuple[Any, str | None]], thorough: bool) -> Counter[str]:
    """Decide every problem and check each answer; the counts of verdicts and rules."""
    counts: Counter[str] = Counter()
    for seed, kind in seeds:
        problem = random_problem(Random(seed), kind)
        result = answered(problem)
        counts["problems"] += 1
        counts[result.verdict.value] += 1
        counts.update(str(found.rule) for found in result.pairs)
        counts.update(f"{problem.noise.kind} {found.rule}" for found in result.pairs)
        assert contradictions(problem, result, thorough) == [], seed
        assert result.verdict.value != "undecided", (seed, result.reasons)
        word, message = kernel_answer(problem, result)
        assert word == result.verdict.value, (seed, message)
        counts["accepted"] += 1
    return counts


def report(counts: Counter[str], record: Record) -> None:
    for name in ("problems", "undecided", "accepted"):
        record(f"kernel smooth {name}", counts[name])
    record("smooth verdicts", str(dict(counts)))


def test_battery(record_property: Record) -> None:
    seeds = [(f"battery {kind} {k}", kind) for kind in KINDS for k in DEFAULT]
    counts = run(seeds, thorough=False)
    assert counts["problems"] == counts["accepted"] == len(DEFAULT) * len(KINDS)
    assert min(counts["certified"], counts["refuted"]) > 5
    for rule in PROVING | REFUTING:
        assert counts[rule] > 0, rule
    for noise in ("laplace", "gaussian"):
        for rule in ("chart", "pure-refuted", "event-refuted"):
            assert counts[f"{noise} {rule}"] > 0, (noise, rule)
    report(counts, record_property)


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, LONG, BLOCK))
def test_long_battery(start: int, record_property: Record) -> None:
    assert LONG >= ISSUE
    counts = run(((seed, None) for seed in range(start, start + BLOCK)), thorough=True)
    assert counts["accepted"] == BLOCK
    report(counts, record_property)
