"""One canonical byte string per problem, and its digest."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pfverify.model.problem import Problem
from pfverify.model.releases.kinds import beside
from pfverify.model.schema import SCHEMA


def canonical_problem(problem: Problem) -> dict[str, Any]:
    """Return the problem as plain data: numbers as canonical text, secrets in file order."""
    return {
        "schema": SCHEMA,
        "epsilon": problem.epsilon.text,
        "delta": problem.delta.text,
        **problem.notion.to_table(),
        **beside(
            problem.release.canonical_tables(problem.protection), problem.source.canonical_tables()
        ),
        "pairs": [list(pair) for pair in problem.pairs],
    }


def problem_digest(problem: Problem) -> str:
    """Return the sha256 (hex) of the canonical JSON of a problem.

    Two files that write 0.5 and "1/2" have the same digest.
    Example: ``problem_digest(problem) == problem_digest(problem.replaced(epsilon="1.0"))`` is True
    where epsilon is 1.
    """
    text = json.dumps(
        canonical_problem(problem), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return hashlib.sha256(text.encode()).hexdigest()
