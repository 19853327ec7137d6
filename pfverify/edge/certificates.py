"""Certificates of answers, where an answer has something to prove."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from pfverify.answers.methods import CalibrateResult
from pfverify.answers.outcome import CertifyResult
from pfverify.certificate.build import refused_ahead, write_scales, write_verdict
from pfverify.certificate.checking import TooLargeError
from pfverify.decide.verdict import Verdict
from pfverify.model.changed_file import write_changed
from pfverify.model.problem import Problem

_PROVES = {Verdict.CERTIFIED: True, Verdict.REFUTED: True, Verdict.UNDECIDED: False}


def tell_refused(path: Path, problem: Problem) -> None:
    """Say on standard error, before the work, that the kernel will take no certificate of it."""
    why = refused_ahead(path, problem)
    if why is not None:
        click.echo(f"pfverify: no certificate will be written: {why}; the answer follows", err=True)


def save_verdict(
    output: str, path: Path, problem: Problem, result: CertifyResult, *, attest: bool
) -> TooLargeError | None:
    """Write the certificate of a verdict on the problem file; nothing where it is undecided.

    Returns the error to end with, behind the verdict, where its check is too much work.
    """
    try:
        if _PROVES[result.verdict]:
            write_verdict(Path(output), path, problem, result, attest=attest)
    except TooLargeError as refused:
        return refused
    return None


def save_both(
    output: str, path: Path, source: Path, problem: Problem, result: CertifyResult, *, attest: bool
) -> TooLargeError | None:
    """Write the certificate of a verdict on what no file states, and then that problem to a path.

    It is as in the file `source` but for its numbers. Nothing is written where there is nothing to
    prove, or the kernel takes no certificate; returns what `save_verdict` does.
    """
    if not _PROVES[result.verdict]:
        return None
    with tempfile.TemporaryDirectory(prefix="pfverify-") as folder:
        copy = Path(folder) / path.name
        write_changed(copy, source, problem)
        refused = save_verdict(output, copy, problem, result, attest=attest)
    if refused is None:
        write_changed(path, source, problem)
        told = f"pfverify: wrote {path}, the problem that {output} is about"
        click.echo(told, err=True)
    return refused


def save_scales(
    output: str, path: Path, problem: Problem, result: CalibrateResult
) -> TooLargeError | None:
    """Write the certificate of all scales; nothing where the minimum is undecided.

    Returns the error to end with, behind the scales, where its check is too much work.
    """
    try:
        if _PROVES[result.minimum.verdict]:
            write_scales(Path(output), path, problem, result)
    except TooLargeError as refused:
        return refused
    return None
