"""in-toto Statements around certificates: written by ``certify --attest``, opened by ``check``."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pfverify.errors import InputError, shorten

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:pfverify:certificate:1"
_KEYS = {"_type", "subject", "predicateType", "predicate"}


def statement(name: str, problem: bytes, certificate: dict[str, Any]) -> dict[str, Any]:
    """Return an in-toto Statement v1 whose one subject is a problem file's own bytes.

    Example: ``statement("mine.toml", b"", {})["subject"][0]["name"]`` is ``"mine.toml"``.
    """
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": name, "digest": {"sha256": hashlib.sha256(problem).hexdigest()}}],
        "predicateType": PREDICATE_TYPE,
        "predicate": certificate,
    }


def canonical_text(data: Any) -> str:
    """Return the one canonical JSON text of a certificate."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def opened(data: bytes, name: str, problem: bytes) -> bytes:
    """Return the certificate inside a Statement about these problem bytes under this file name.

    What is no Statement is returned as it is: the kernel says what it is. Whatever calls itself one
    (a table with the key ``_type``) must have exactly the shape that ``statement`` writes.
    Raises InputError naming what differs: keys, type, number of subjects, name or digest.
    """
    if b'"_type"' not in data:
        return data
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=_table, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        return data
    if not isinstance(found, dict) or "_type" not in found:
        return data
    if found["_type"] != STATEMENT_TYPE or found.get("predicateType") != PREDICATE_TYPE:
        raise InputError(f"expected a {STATEMENT_TYPE} with the predicate type {PREDICATE_TYPE}")
    if set(found) != _KEYS:
        raise InputError(f"the statement must have the keys {', '.join(sorted(_KEYS))}")
    subjects = found["subject"]
    if not isinstance(subjects, list) or len(subjects) != 1:
        raise InputError("the statement must have exactly one subject")
    if subjects != statement(name, problem, {})["subject"]:
        raise InputError(_difference(subjects[0], name))
    return (canonical_text(found["predicate"]) + "\n").encode("ascii")


def _difference(subject: Any, name: str) -> str:
    known = isinstance(subject, dict) and set(subject) == {"name", "digest"}
    if known and subject["name"] != name:
        return f"the statement is about a file named {shorten(subject['name'], 40)!r}, not {name!r}"
    if known and isinstance(subject["digest"], dict) and set(subject["digest"]) == {"sha256"}:
        return f"the statement is about another file than {name!r}: other bytes (sha256)"
    return "the subject of the statement must have a name and the one digest sha256"


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise InputError("the statement has a key twice")
    return table


def _refuse(name: str) -> Any:
    raise InputError(f"the statement has the number {name}")
