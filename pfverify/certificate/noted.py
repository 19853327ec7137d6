"""What a certificate notes of its problem, so that people can be told what has changed since.

A convenience that proves nothing: the kernel compares the digest, and reads none of this.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pfverify.certificate.statement import canonical_text
from pfverify.model.digest import canonical_problem
from pfverify.model.problem import Problem

KEY = "problem"
"""The key of `produced_by` that holds it."""
MAX_TEXT = 20_000  # characters
_WHOLE = 100  # characters up to which a text is noted as it is
_PRIORS = 64  # of which each is noted
_TABLES = ("noise", "beliefs")


def noted(problem: Problem) -> str:
    """Return the numbers of a problem, and digests of its larger parts, as JSON text.

    Example: ``noted(problem)[:14]`` is ``'{"epsilon":"1"'``.
    """
    found: dict[str, Any] = {}
    for key, part in canonical_problem(problem).items():
        if key == "noise":
            found[key] = {name: _short(text) for name, text in part.items() if text is not None}
        elif key == "beliefs" and sum(len(table) for _, table in part) <= _PRIORS:
            found[key] = {
                belief: {secret: _short(prior) for secret, prior in table} for belief, table in part
            }
        elif key != "schema":
            found[key] = _short(part)
    text = json.dumps(found, separators=(",", ":"))  # in file order, which counts
    return text if len(text) <= MAX_TEXT else "{}"  # such as names of thousands of characters


def read(text: object) -> dict[str, Any]:
    """Return what a text notes, {} for any other text: nothing rests on it.

    Example: ``read('{"epsilon": "1/2", "noise": {"scale": "2"}}')["noise"]["scale"]`` is ``"2"``.
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: part for key, part in found.items() if _known(key, part)}


def _known(key: str, part: object) -> bool:
    """Whether a part has the shape that is written: a text, or tables of texts."""
    if key not in _TABLES:
        return isinstance(part, str)
    if key == "beliefs" and isinstance(part, dict):
        return all(isinstance(table, dict) and _texts(table) for table in part.values())
    return isinstance(part, str) or (isinstance(part, dict) and _texts(part))


def _texts(table: dict[str, object]) -> bool:
    return all(isinstance(text, str) for text in table.values())


def _short(part: Any) -> str:
    if isinstance(part, str) and len(part) <= _WHOLE:
        return part
    return f"sha256:{hashlib.sha256(canonical_text(part).encode()).hexdigest()[:16]}"
