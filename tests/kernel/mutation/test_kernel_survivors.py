"""The committed mutation score: every survivor has a reason, and the record is consistent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from mutants import HERE, Mutant, source_of
from run_mutants import KINDS, OPEN, RESULT, SUMMARY, digest_of, explained, modules, summary


def test_every_survivor_is_explained(record_property: Callable[[str, Any], None]) -> None:
    result = json.loads(RESULT.read_text())
    assert SUMMARY.read_text() == summary(result)
    reasons = explained()
    mutants = killed = told = 0
    for module, score in result["modules"].items():
        survivors = {Mutant(**mutant) for mutant in score["survivors"]}
        assert score["mutants"] - score["killed"] == len(survivors)
        lines = {line.strip() for line in source_of(module).splitlines()}
        known = {mutant for mutant in reasons if mutant.module == module}
        assert known <= survivors
        assert (survivors == known) == (module not in OPEN)
        # an edited line needs its mutants tried again
        assert {mutant.line for mutant in survivors} <= lines
        mutants, killed = mutants + score["mutants"], killed + score["killed"]
        told += len(known)
    edited = [m for m, score in result["modules"].items() if score["sha256"] != digest_of(m)]
    share = 100 * killed / mutants
    said = f"{killed} of {mutants} ({share:.1f} %) in {len(result['modules'])} modules"
    said += f"; {told} of the {mutants - killed} survivors are explained"
    record_property("kernel mutants", said + "".join(f"; {m} edited since" for m in edited))


def test_modules_with_open_survivors_are_modules() -> None:
    assert set(OPEN) <= set(modules())


def test_every_reason_is_given() -> None:
    for mutant, reason in explained().items():
        kind, _, why = reason.partition(": ")
        assert kind in KINDS, mutant
        assert len(why) > 20, mutant


UNCHANGED = """
from mutants import Change, Mutant, source_of
from trials import TESTS, with_bench

def work(bench):
    bench.look(None, 1)
    bench.limit = 4.0
    source = source_of("finite") + "UNUSED = 0\\n"
    change = Change(Mutant("finite", "", "", "", 0), source, frozenset({1}), "")
    assert bench.checks(change) and bench.patches(change) is None
    print("noticed:", bench.kills(change))

with_bench(work, [TESTS / "test_kernel_finite.py"])
"""


@pytest.mark.long
def test_nothing_notices_that_all_is_imported_anew() -> None:
    """Else every change of what is run at import would count as noticed."""
    pytest.importorskip("cosmic_ray")
    done = subprocess.run(
        [sys.executable, "-c", UNCHANGED],
        capture_output=True, text=True, check=False, cwd=HERE.parents[2],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parents[2])])},
    )  # fmt: skip
    assert "noticed: None" in done.stdout, done.stdout + done.stderr


@pytest.mark.long
def test_a_sample_of_the_mutants() -> None:
    """Some mutants of each module whose survivors are explained, drawn with a fixed seed."""
    pytest.importorskip("cosmic_ray")
    closed = [m for m in json.loads(RESULT.read_text())["modules"] if m not in OPEN]
    command = [sys.executable, str(HERE / "run_mutants.py"), *closed, "--sample", "15"]
    done = subprocess.run([*command, "--seed", "7"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
