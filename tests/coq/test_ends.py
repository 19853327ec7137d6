"""The tests in Coq for a smallest scale of 0 or infinite, and for a lattice: what they accept."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import coq

pytestmark = pytest.mark.coq

HEAD = """
From Pfverify Require Import Bare Lattice EveryScale.
Definition even := Table 1 2 [(0, 1); (1, 1)]%Z.
Definition odd := Table 1 4 [(0, 1); (1, 3)]%Z.
Definition twice := Table 1 4 [(0, 2); (1, 2)]%Z.
Definition half := Table 2 2 [(0, 1); (2, 1)]%Z.
Definition apart := Table 1 4 [(0, 1); (2, 3)]%Z.
Definition no_law := Table 1 4 [(0, 1); (1, 2)]%Z.
Definition negative := Table 1 2 [(0, 3); (1, -1)]%Z.
"""
EVERY = [
    ("1", "even, odd", True),
    ("(Log 2)", "even, odd", True),  # a tie: 1/2 against 1/4
    ("(Log (199 / 100))", "even, odd", False),
    ("(Log (199 / 100))", "odd, even", False),
    ("0", "even, twice", True),
    ("9", "even, apart", False),
    ("9", "even, no_law", False),
    ("9", "negative, even", False),
    ("9", "even, half", False),  # another unit: not looked into
    ("(1 / 0)", "even, even", False),
]
NONE = [
    ("0", "even, odd", True),
    ("(Log 1)", "odd, even", True),
    ("0", "even, twice", False),
    ("(1 / 1000000)", "even, odd", False),
    ("0", "even, no_law", False),
    ("0", "negative, odd", False),
]
ANSWER = "true", "false"


def evaluated(folder: Path, tests: list[str]) -> list[str]:
    lines = "".join(f"Eval vm_compute in {test}.\n" for test in tests)
    done = coq.run(folder, coq.HEAD + HEAD + lines)
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split()[1] for line in done.stdout.splitlines() if line.lstrip().startswith("=")]


def test_what_is_private_without_noise(theory: Path, tmp_path: Path) -> None:
    tests = [f"private_without_noise 64 [2%positive] {e} [({pair})]" for e, pair, _ in EVERY]
    assert evaluated(tmp_path, tests) == [ANSWER[not holds] for *_, holds in EVERY]


def test_what_is_not_private_without_noise(theory: Path, tmp_path: Path) -> None:
    cases = [*((e, pair, False) for e, pair, holds in EVERY if holds),
             ("(Log (199 / 100))", "even, odd", True), ("(Log (199 / 100))", "odd, even", True),
             ("9", "even, apart", True), ("9", "even, no_law", False), ("9", "even, half", False),
             ("0", "negative, odd", False), ("(1 / 0)", "even, apart", False)]  # fmt: skip
    tests = [f"violated_without_noise 64 {e} [({pair})]" for e, pair, _ in cases]
    assert evaluated(tmp_path, tests) == [ANSWER[not holds] for *_, holds in cases]


def test_what_is_private_at_no_scale(theory: Path, tmp_path: Path) -> None:
    tests = [f"different [] {e} [({pair})]" for e, pair, _ in NONE]
    assert evaluated(tmp_path, tests) == [ANSWER[not holds] for *_, holds in NONE]


def test_which_atoms_are_on_a_lattice(theory: Path, tmp_path: Path) -> None:
    cases = [("1", "even, half", True), ("2", "even, even", False), ("(1 / 2)", "even, half", True),
             ("(2 / 3)", "even, apart", False), ("(1 / 0)", "even, even", False),
             ("(- 1)", "even, even", False), ("(Log 3)", "even, even", False)]  # fmt: skip
    tests = [f"on_lattice {step} (Problem 1 1 [({pair})])" for step, pair, _ in cases]
    assert evaluated(tmp_path, tests) == [ANSWER[not holds] for *_, holds in cases]
