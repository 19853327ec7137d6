"""Certificates of answers, where an answer has something to prove."""

from __future__ import annotations

from pathlib import Path

from pfverify.certificate.build import write_scales, write_verdict
from pfverify.decide.outcome import CertifyResult, Verdict
from pfverify.model.problem import Problem
from pfverify.scales.outcome import CalibrateResult

_PROVES = {Verdict.CERTIFIED: True, Verdict.REFUTED: True, Verdict.UNDECIDED: False}


def save_verdict(
    output: str, path: Path, problem: Problem, result: CertifyResult, *, attest: bool
) -> None:
    """Write the certificate of a verdict on the problem file; nothing where it is undecided."""
    if _PROVES[result.verdict]:
        write_verdict(Path(output), path, problem, result, attest=attest)


def save_scales(output: str, path: Path, problem: Problem, result: CalibrateResult) -> None:
    """Write the certificate of all scales; nothing where the minimum is undecided."""
    if _PROVES[result.minimum.verdict]:
        write_scales(Path(output), path, problem, result)
