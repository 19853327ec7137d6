"""Problems about channels that once were decided wrongly, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from support.kernel_run import accepted_certificate

from pfverify import Problem, certify


def _table(rows: list[list[str]], **more: Any) -> dict[str, Any]:
    return {
        "schema": "pfverify/problem/1",
        "epsilon": "0",
        "channel": {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["x", "y"], "rows": rows},
        **more,
    }


@pytest.mark.parametrize(
    "rows",
    [
        [["exp(log(3))/4", "1/4"], ["3/4", "1/4"]],
        [["exp(0)/2", "1/2"], ["1/2", "sqrt(4)/4"]],
        [["1-exp(0)", "exp(0)"], ["0", "1"]],
    ],
)
def test_the_kernel_reads_entries_that_are_fractions_in_disguise(rows: list[list[str]]) -> None:
    table = _table(rows)
    problem = Problem.from_table(table)
    assert accepted_certificate(table, problem, certify(problem))[1] == "certified"


@pytest.mark.parametrize(
    "rows",
    [
        [["sqrt(2)/2", "1-sqrt(2)/2"], ["1/sqrt(2)", "1-1/sqrt(2)"]],
        [["exp(-1)", "1-exp(-1)"], ["1/exp(1)", "1-1/exp(1)"]],
    ],
)
@pytest.mark.parametrize("delta", ["0", "1/1000"])
def test_laws_that_are_equal_but_written_otherwise_lose_nothing(
    rows: list[list[str]], delta: str
) -> None:
    (first, second) = certify(Problem.from_table(_table(rows, delta=delta))).pairs
    assert {(o.loss.lower, o.loss.upper) for o in (first, second)} == {("0", "0")}


def test_what_only_one_law_gives_is_decided_at_any_epsilon() -> None:
    rows = [["1", "0"], ["exp(-1)", "1-exp(-1)"]]
    table = _table(rows, epsilon="1e300", delta="1-exp(-1)")
    problem = Problem.from_table(table)
    result = certify(problem)
    assert result.verdict.value == "certified"
    assert accepted_certificate(table, problem, result)[1] == "certified"
