"""The attack corpus of the kernel: tests/certificates, as the two files of a check."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

CORPUS = Path(__file__).parents[1] / "certificates"
CASES = sorted(CORPUS.glob("*/*.json"))
MIXED = Random(53).sample(CASES, len(CASES))  # for as many as there is time for


def load(path: Path) -> dict[str, Any]:
    """A case: the problem and the certificate, each as data or as text, and what is expected."""
    return dict(json.loads(path.read_text("utf-8")))


def files(case: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    """Write the problem and the certificate of a case; data as JSON, the second as canonical."""
    problem, certificate = folder / f"p{case['problem_suffix']}", folder / "c.json"
    canonical = {"sort_keys": True, "separators": (",", ":")}
    for path, value, how in (
        (problem, case["problem"], {}),
        (certificate, case["certificate"], canonical),
    ):
        text = value if isinstance(value, str) else json.dumps(value, **how)
        path.write_bytes(text.encode())
    return problem, certificate
