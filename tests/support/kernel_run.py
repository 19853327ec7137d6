"""The kernel's answer in this process to the certificate of a result, without files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pfverify
from pfverify import Problem
from pfverify.answers.outcome import CertifyResult
from pfverify.certificate.build import (
    SCHEMA,
    _certifying_steps,
    _refuting_step,
)
from pfverify.certificate.checking import CheckResult, run_kernel
from pfverify.certificate.statement import canonical_text
from pfverify.decide.step import Step
from pfverify.decide.verdict import Verdict
from pfverify.model.digest import problem_digest
from pfverify.model.named_files import folder_of

sys.path.insert(0, str(Path(pfverify.__file__).parent / "kernel"))

import checker
from reader import reader

_BITS = (128, 512, 2048)


def problem_table(problem: Problem) -> dict[str, Any]:
    """A problem in the shape of a problem file."""
    noise = {"kind": problem.noise.kind}
    if problem.noise.kind == "gaussian":
        noise["variance"] = str(problem.noise.variance)
    else:
        noise["scale"] = problem.scale().text
    beliefs = {
        belief: {"priors": {name: _prior_table(prior) for name, prior in priors.items()}}
        for belief, priors in problem.beliefs.items()
    }
    return {
        "schema": "pfverify/problem/1",
        "epsilon": problem.epsilon.text,
        "delta": problem.delta.text,
        "form": problem.form,
        "noise": noise,
        "beliefs": beliefs,
    }


def _prior_table(prior: Any) -> dict[str, Any]:
    keys = ("weight", "mean", "variance")
    parts = [dict(zip(keys, map(str, part), strict=True)) for part in prior.components]
    return {"kind": "mixture", "components": parts}


def certificate_of(problem: Problem, result: CertifyResult, bits: int) -> dict[str, Any]:
    """The certificate of a decided result, not checked."""
    if result.verdict is Verdict.REFUTED:
        steps = [_refuting_step(result, bits)]
    else:
        steps = _certifying_steps(problem, result, bits)
    return _certificate(problem, result.verdict, steps)


def _certificate(problem: Problem, verdict: Verdict, steps: list[Step]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "problem": problem_digest(problem),
        "produced_by": {"tests": "1"},
        "result": str(verdict),
        "steps": steps,
    }


def kernel_said(problem: Problem, verdict: Verdict, steps: list[Step]) -> tuple[str, str]:
    """The kernel's answer to steps that are to prove a verdict on a problem."""
    data = json.dumps(problem.to_table()).encode()
    text = canonical_text(_certificate(problem, verdict, steps))
    word, message = checker.check_bytes(data, True, text.encode())
    return word, message


def accepted_certificate(
    table: dict[str, Any], problem: Problem, result: CertifyResult
) -> tuple[dict[str, Any], str, str]:
    """A certificate of a result at the first precision that will do, and the kernel's answer."""
    data = json.dumps(table).encode()
    word, message, certificate = "", "", {}
    for bits in _BITS:
        certificate = certificate_of(problem, result, bits)
        word, message = checker.check_bytes(data, True, canonical_text(certificate).encode())
        if word == str(result.verdict):
            break
    return certificate, word, message


def kernel_answer(problem: Problem, result: CertifyResult) -> tuple[str, str]:
    """The kernel's word on the certificate of a decided result, and its message."""
    return accepted_certificate(problem_table(problem), problem, result)[1:]


def run_here(problem: Path, stated: bytes, proof: bytes, **asked: Any) -> CheckResult:
    """`run_kernel` in this process, without the 0.05 s of a fresh interpreter."""
    if any(asked.values()):  # a limit in seconds, or what a fresh one has loaded
        return run_kernel(problem, stated, proof, **asked)
    is_json, folder = problem.suffix.lower() == ".json", str(folder_of(problem))
    word, message = checker.check_bytes(stated, is_json, proof, folder)
    return CheckResult(word, message, checker.CODES[word])


def kernel_digest(table: dict[str, Any]) -> str:
    """The digest that the kernel makes of a problem in the shape of a problem file."""
    return str(reader.digest(reader.problem_of(table)))
