"""Certificates of answers, where an answer has something to prove."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pfverify.answers.curves.result import CurveResult
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.outcome import CertifyResult
from pfverify.certificate.build import (
    refused_ahead,
    write_curve,
    write_scales,
    write_verdict,
)
from pfverify.certificate.checking import CertificateError
from pfverify.decide.verdict import Verdict
from pfverify.edge.codes import several_code
from pfverify.edge.leave import EXIT_UNDECIDED, warn
from pfverify.model.changed_file import write_changed
from pfverify.model.problem import Problem

Provable = CertifyResult | CalibrateResult | CurveResult
_PROVES = {Verdict.CERTIFIED: True, Verdict.REFUTED: True, Verdict.UNDECIDED: False}


def tell_refused(path: Path, problem: Problem) -> None:
    """Say on standard error, before the work, that the kernel will take no certificate of it."""
    why = refused_ahead(path, problem)
    if why is not None:
        warn(f"no certificate will be written: {why}; the answer follows")


def save(
    output: str, path: Path, problem: Problem, result: Provable, *, attest: bool = False
) -> CertificateError | None:
    """Write the certificate of a verdict on the problem file, of all its scales, or of a curve.

    Nothing is written where the verdict or the minimum is undecided.
    Returns why nothing was written where the kernel takes no certificate, for `ended`.
    """
    try:
        match result:
            case CertifyResult() if _PROVES[result.verdict]:
                write_verdict(Path(output), path, problem, result, attest=attest)
            case CalibrateResult() if _PROVES[result.minimum.verdict]:
                write_scales(Path(output), path, problem, result)
            case CurveResult():
                write_curve(Path(output), path, problem, result)
    except CertificateError as refused:
        return refused
    return None


def ended(code: int, refused: CertificateError | None) -> int:
    """Return the code of an answer that stands, where its certificate was refused 3 at least.

    Then a line on standard error says why. Example: ``ended(0, None)`` is ``0``.
    """
    if refused is None:
        return code
    warn(str(refused))
    return several_code((code, EXIT_UNDECIDED))


def save_both(
    output: str, path: Path, source: Path, problem: Problem, result: CertifyResult, *, attest: bool
) -> CertificateError | None:
    """Write the certificate of a verdict on what no file states, and then that problem to a path.

    It is as in the file `source` but for its numbers. Nothing is written where there is nothing to
    prove, or the kernel takes no certificate; returns what `save` does.
    """
    if not _PROVES[result.verdict]:
        return None
    with tempfile.TemporaryDirectory(prefix="pfverify-") as folder:
        copy = Path(folder) / path.name
        write_changed(copy, source, problem)
        refused = save(output, copy, problem, result, attest=attest)
    if refused is None:
        write_changed(path, source, problem)
        warn(f"wrote {path}, the problem that {output} is about")
    return refused
