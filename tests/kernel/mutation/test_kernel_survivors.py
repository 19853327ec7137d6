"""The committed mutation score: every survivor has a reason, and the record is consistent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_mutants import (
    KINDS,
    MODULES,
    RESULT,
    SUMMARY,
    Mutant,
    digest_of,
    explained,
    run,
    source_of,
    summary,
)


def test_every_survivor_is_explained(record_property: Callable[[str, Any], None]) -> None:
    result = json.loads(RESULT.read_text())
    assert set(MODULES) <= set(result["modules"])
    assert SUMMARY.read_text() == summary(result)
    reasons = explained()
    scores = []
    for module, score in result["modules"].items():
        survivors = {Mutant(**mutant) for mutant in score["survivors"]}
        assert score["mutants"] - score["killed"] == len(survivors)
        lines = {line.strip() for line in source_of(module).splitlines()}
        if module in MODULES:
            assert survivors == {mutant for mutant in reasons if mutant.module == module}
            # an edited line needs its mutants tried again
            assert {mutant.line for mutant in survivors} <= lines
        changed = "" if score["sha256"] == digest_of(module) else ", edited since"
        share = 100 * score["killed"] / score["mutants"]
        scores.append(
            f"{module} {score['killed']} of {score['mutants']} ({share:.1f} %)"
            f" on {score['date']}{changed}"
        )
    record_property("kernel mutants", "; ".join(scores))


def test_every_reason_is_given() -> None:
    for mutant, reason in explained().items():
        kind, _, why = reason.partition(": ")
        assert kind in KINDS, mutant
        assert len(why) > 20, mutant


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES)
def test_a_sample_of_the_mutants(module: str, tmp_path: Path) -> None:
    """Forty mutants drawn with a fixed seed: whatever survives is in the list."""
    pytest.importorskip("cosmic_ray")
    outcomes = run(module, tmp_path, sample=40, seed=7)
    assert len(outcomes) == 40
    survivors = {outcome.mutant for outcome in outcomes if outcome.survived}
    assert survivors <= set(explained())
