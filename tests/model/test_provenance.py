"""Where the numbers come from stays with a problem, and decides nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pfverify
from pfverify import Discrete, InputError, Laplace, Problem
from pfverify.answers.certify import certify
from pfverify.certificate.build import write_verdict
from pfverify.edge.packaged import load_example
from pfverify.model.digest import problem_digest
from pfverify.model.provenance import WARNING, Provenance

TOLD: dict[str, Any] = {
    "data": 'pe"ople.csv', "sha256": "0" * 64, "rows_read": 9, "rows_used": 7,
    "dropped": {"missing": 2}, "smallest_cell": {"records": 1, "secret": "a\tb", "value": "1/2"},
    "empty_cells": 0, "secret": "col", "public": "x y", "unit": "days", "codes": {"é": "-1/2"},
    "where": "a = 'b'", "bins": "[0, 1)", "fit": "gaussian", "release": "value",
    "program": "p.py:f", "program_sha256": "1" * 64, "paths": 3, "warning": WARNING,
}  # fmt: skip
KERNEL = Path(pfverify.__file__).parent / "kernel"


def small(**told: Any) -> Problem:
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    return Problem(priors, noise=Laplace(1), epsilon=1, **told)


def test_it_is_kept_wherever_a_problem_goes(tmp_path: Path) -> None:
    problem = small(provenance=Provenance(**TOLD))
    found = [
        Problem.from_table(problem.to_table()), Problem.from_text(problem.to_toml()),
        problem.replaced(epsilon=1),
    ]  # fmt: skip
    for name in ("p.toml", "p.json"):
        problem.save(tmp_path / name)
        found.append(Problem.load(tmp_path / name))
    for one in found:
        assert one.provenance is not None
        assert one.provenance == problem.provenance
        assert one.provenance.to_table() == TOLD


@pytest.mark.parametrize("name", ["census", "students-mean", "home-and-out"])
def test_the_digest_does_not_look_at_it(name: str) -> None:
    plain = load_example(name)
    told = Problem.from_table({**plain.to_table(), "provenance": TOLD})
    assert told.provenance is not None
    assert told == plain
    assert hash(told) == hash(plain)
    assert problem_digest(told) == problem_digest(plain)


def test_a_certificate_of_the_plain_problem_passes_in_the_kernel(tmp_path: Path) -> None:
    plain, told = tmp_path / "plain.toml", tmp_path / "told.toml"
    small().save(plain)
    small(provenance=Provenance(**TOLD)).save(told)
    assert "[provenance]" in told.read_text("utf-8")
    write_verdict(tmp_path / "c", plain, small(), certify(small()), attest=False)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(KERNEL), str(told), str(tmp_path / "c")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("certified:"), done.stdout


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("text", "provenance: expected a table"),
        ({"rows": 3}, "did you mean 'rows_"),
        ({"data": 3}, "provenance.data: expected"),
        ({"rows_read": "3"}, "provenance.rows_read: expected"),
        ({"rows_read": -1}, "provenance.rows_read"),
        ({"codes": {"a": 1}}, "provenance.codes.a: expected"),
        ({"dropped": 3}, "provenance.dropped: expected a table"),
        ({"dropped": {"a": True}}, "provenance.dropped.a: expected an integer"),
        ({"smallest_cell": {"count": 1}}, "unknown key 'count'"),
    ],
)
def test_a_wrong_one_is_refused_by_its_key(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Problem.from_table({**small().to_table(), "provenance": table})
    with pytest.raises(InputError):
        Provenance.from_table(table)


def test_the_entries_that_the_schema_skips_are_read_too() -> None:
    codes: dict[str, Any] = {str(k): str(k) for k in range(9)} | {"last": 9}
    with pytest.raises(InputError, match=r"provenance.codes.last: expected text"):
        Problem.from_table({**small().to_table(), "provenance": {"codes": codes}})


def test_python_callers_give_a_provenance() -> None:
    with pytest.raises(InputError, match="provenance: expected Provenance"):
        small(provenance=TOLD)
