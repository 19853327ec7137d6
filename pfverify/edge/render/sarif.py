"""Views as SARIF 2.1.0, which code-scanning services show beside the lines of problem files."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from pfverify.decide.verdict import Verdict
from pfverify.edge.codes import case_code, several_code
from pfverify.edge.problem_lines import ProblemLines
from pfverify.edge.render.shape import Shape
from pfverify.edge.views.view import DecidedCase, View
from pfverify.version import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


_FILE = files("pfverify.edge.render") / "sarif.toml"


def _rule(rule: dict[str, str]) -> dict[str, Any]:
    return {
        "id": rule["id"],
        "name": rule["name"],
        "shortDescription": {"text": rule["short"]},
        "fullDescription": {"text": rule["full"]},
        "help": {"text": rule["full"]},
        "defaultConfiguration": {"level": rule["level"]},
        "properties": {"tags": ["privacy", "pufferfish-privacy"]},
    }


RULES = tuple(map(_rule, tomllib.loads(_FILE.read_text("utf-8"))["rules"]))
"""The rules. Their ids stay: services and baselines refer to them."""
_OF_VERDICT: dict[Verdict | None, tuple[int, str]] = {
    Verdict.REFUTED: (0, "fail"),
    Verdict.UNDECIDED: (1, "fail"),  # of another kind it could not be a warning
    Verdict.OBSERVED: (1, "fail"),
    Verdict.CERTIFIED: (2, "pass"),
    None: (3, "fail"),
}
"""Verdict -> place of its rule, and kind of the result. Every verdict has a row."""


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print one log with one run, whatever the shape."""
    results, codes = [], []
    for view in views:
        lines = ProblemLines(Path(view.name))
        for case in view.cases():
            results.append(_result(view, case, lines.of(case.belief, case.from_)))
            codes.append(case_code(case.verdict))
    read = not any(view.failed for view in views)
    driver = {
        "name": "pfverify",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": list(RULES),
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": read, "exitCode": several_code(codes)}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the sources."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    click.echo(json.dumps(log, indent=2))


def _result(view: View[Any], case: DecidedCase, line: int) -> dict[str, Any]:
    place, kind = _OF_VERDICT[case.verdict]
    rule = RULES[place]
    digest = (view.asked.digest if view.asked is not None else None) or view.name
    goal = json.dumps([digest, case.belief, case.from_, case.to])
    found = {
        "ruleId": rule["id"],
        "ruleIndex": place,
        "kind": kind,
        "level": rule["defaultConfiguration"]["level"],
        "message": {"text": case.words},
        "locations": [_location(Path(view.name), line)],
        "partialFingerprints": {"goal/v1": hashlib.sha256(goal.encode()).hexdigest()},
    }
    about = {"belief": case.belief, "from": case.from_, "to": case.to, "target": case.target}
    return found | {"properties": {key: text for key, text in about.items() if text}}


def _location(path: Path, line: int) -> dict[str, Any]:
    artifact = {"uri": quote(path.as_posix()), "uriBaseId": _ROOT}
    if path.is_absolute():
        artifact = {"uri": path.as_uri()}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}}}
