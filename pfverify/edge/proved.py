"""What the kernel accepts of a certificate, step by step, for exports to other provers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pfverify.certificate.checking import check
from pfverify.errors import InputError
from pfverify.model.question import Question


def accepted_steps(problem: Path, certificate: Path) -> tuple[str, list[Any]]:
    """Return what a certificate proves of a problem, in the kernel's word, and its steps.

    Raises InputError where the kernel does not accept it.
    Example: ``accepted_steps(Path("census.toml"), Path("census.cert"))[0]`` is ``"certified"``.
    """
    outcome = check(problem, certificate)
    if not outcome.accepted:
        raise InputError(f"{certificate}: {outcome.word}: {outcome.message}")
    data: Any = json.loads(certificate.read_text("utf-8"))
    return outcome.word, data.get("predicate", data)["steps"]


def is_about(step: Any, item: Question) -> bool:
    """Say whether a step is about this pair, in either order."""
    return item.belief == step["belief"] and {item.first, item.second} == {step["from"], step["to"]}
