"""Certificates on disk: built from verdicts, re-checked by the kernel before they are written."""

from __future__ import annotations

import json
import platform
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pfverify.answers.certify import certify
from pfverify.answers.coupling import Couplings
from pfverify.answers.curves.orders import OrdersPair
from pfverify.answers.curves.pair import KnownPair
from pfverify.answers.curves.proof import ProvedPlace, proved_places
from pfverify.answers.curves.result import CurveResult
from pfverify.answers.decided import decided_scale
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.outcome import CertifyResult, Directed
from pfverify.certificate.checking import (
    CertificateError,
    CheckResult,
    TooLargeError,
    bytes_of,
    check,
    run_kernel,
)
from pfverify.certificate.couplings import coupling_steps
from pfverify.certificate.noted import KEY, noted
from pfverify.certificate.statement import canonical_text, statement
from pfverify.decide.routes import at_any_scale
from pfverify.decide.step import Step, goal_keys
from pfverify.decide.verdict import Verdict
from pfverify.errors import UndecidedError
from pfverify.exact.ball import FLINT_VERSION
from pfverify.exact.decimals import decimal_text
from pfverify.exact.rising import rising
from pfverify.files import save_text
from pfverify.model.digest import problem_digest
from pfverify.model.named_files import beyond_kernel, may_name
from pfverify.model.problem import Problem
from pfverify.model.problem_file import table_of_text
from pfverify.version import __version__

SCHEMA = "pfverify/certificate/1"
_FIRST_BITS, _LAST_BITS = 128, 1 << 17
_LOOK = 20.0  # seconds of a kernel that only reads a problem: more than its budget for a small one
_WORK = "too much work"  # how the kernel begins where its budget ends


def write_verdict(
    path: Path, problem_path: Path, problem: Problem, result: CertifyResult, *, attest: bool
) -> None:
    """Write the certificate of a verdict (or, with `attest`, an in-toto Statement around it).

    The kernel accepts it before it is written; the file is complete or not there.
    Raises CertificateError when there is nothing to certify (undecided).
    """
    if result.verdict is Verdict.UNDECIDED:
        raise CertificateError("the verdict is undecided, so there is no certificate to write")

    def steps(bits: int) -> list[Step]:
        if result.verdict is Verdict.REFUTED:
            return [_refuting_step(result, bits)]
        return _certifying_steps(problem, result, bits)

    _write_accepted(path, problem_path, problem, str(result.verdict), steps, attest=attest)


def write_scales(
    path: Path, problem_path: Path, problem: Problem, result: CalibrateResult
) -> None:
    """Write the certificate of every scale that calibrate decided, and of the minimum.

    Raises CertificateError when the minimum is undecided.
    """
    if result.minimum.verdict is Verdict.UNDECIDED:
        raise CertificateError("the minimum is undecided, so there is no certificate to write")
    decisions = dict(result.decisions)

    def proof(scale: str, bits: int) -> list[Step]:
        if scale not in decisions:
            decisions[scale] = decided_scale(problem, scale)
        steps = decisions[scale].steps(bits)
        if steps is None:
            raise CertificateError(f"the verdict at scale {scale} is undecided")
        return _as_one(steps)

    def steps(bits: int) -> list[Step]:
        out: list[Step] = [
            {
                "rule": "scale",
                "method": name,
                "scale": str(method.scale),
                "verdict": str(method.verdict),
                "steps": proof(str(method.scale), bits),
            }
            for name, method in result.methods.items()
            if name != "minimum" and not method.undecided
        ]
        low, high = str(result.minimum.lower), str(result.minimum.upper)
        if high == "inf":
            low, upper_steps = "0", [_never_step(problem, bits)]
        else:
            upper_steps = proof(high, bits)
        lower_step = None if low == "0" else proof(low, bits)[0]
        out.append(
            {
                "rule": "minimum",
                "lower": low,
                "upper": high,
                "lower_step": lower_step,
                "upper_steps": upper_steps,
            }
        )
        return out

    _write_accepted(path, problem_path, problem, "scales", steps)


def write_couplings(path: Path, problem_path: Path, problem: Problem, result: Couplings) -> None:
    """Write the certificate of the couplings of a problem's pairs, on the line."""
    steps = [step for pair in result.solved for step in coupling_steps(pair)]

    def at(bits: int) -> list[Step]:
        return [s | {"bits": max(bits, s["bits"])} if "bits" in s else s for s in steps]

    _write_accepted(path, problem_path, problem, "coupling", at)


def write_curve(path: Path, problem_path: Path, problem: Problem, result: CurveResult) -> None:
    """Write the certificate of a curve: of each ordered pair, at every place that was looked at.

    Raises UndecidedError where a place has no proof, CertificateError as `write_verdict`.
    """
    proofs = [
        (pair.names(order), _places(pair, order)) for pair in result.known for order in (0, 1)
    ]

    def steps(bits: int) -> list[Step]:
        pairs = [
            {**goal_keys(*names), "points": [_point(place, names, bits) for place in places]}
            for names, places in proofs
        ]
        return [{"rule": "curve", **result.stated, "pairs": pairs}]

    _write_accepted(path, problem_path, problem, "curve", steps)


def _places(pair: KnownPair | OrdersPair, order: int) -> list[ProvedPlace]:
    return pair.proved(order) if isinstance(pair, OrdersPair) else proved_places(pair, order)


def _point(place: ProvedPlace, names: tuple[str, str, str], bits: int) -> Step:
    """A place of a curve, with the verdicts that prove both ends there."""
    known = place.known
    return {
        "at": str(known.gamma),
        "lower": decimal_text(known.lower),
        "upper": decimal_text(known.upper),
        **{
            name: None if proof is None else {**goal_keys(*names), **proof.step(bits)}
            for name, proof in (("below", place.below), ("above", place.above))
        },
    }


def _certifying_steps(problem: Problem, result: CertifyResult, bits: int) -> list[Step]:
    """One step per goal, in the order of the problem: beliefs, pairs, both directions."""
    found = {(pair.belief, pair.from_, pair.to): pair for pair in result.pairs}
    return [
        _goal_step(found[item.belief, *names], bits)
        for item in problem.questions()
        for names in ((item.first, item.second), (item.second, item.first))
    ]


def _goal_step(outcome: Directed, bits: int) -> Step:
    """The step that proves the verdict on one ordered pair."""
    if outcome.proof is None:
        raise CertificateError("an undecided pair has no proof")
    return {**goal_keys(outcome.belief, outcome.from_, outcome.to), **outcome.proof.step(bits)}


def _as_one(steps: list[Step]) -> list[Step]:
    """Return one sentence where every pair needs no noise at all."""
    one: Step = {"rule": "no-noise"}
    return [one] if all(step["rule"] == "no-noise" for step in steps) else steps


def _refuting_step(result: CertifyResult, bits: int) -> Step:
    return _goal_step(next(pair for pair in result.pairs if pair.refuted), bits)


def _never_step(problem: Problem, bits: int) -> Step:
    """Return the step that proves that no scale works, for a problem where that is so."""
    for item in problem.questions():
        never = at_any_scale(item).never()
        if never is not None:
            return never.step(bits)
    raise CertificateError("no pair is known to fail at every scale")


def _write_accepted(
    path: Path,
    problem_path: Path,
    problem: Problem,
    word: str,
    steps: Callable[[int], list[Step]],
    *,
    attest: bool = False,
) -> None:
    """Write the certificate that the kernel accepts; it and a Statement see the same bytes."""
    stated = bytes_of(problem_path)
    why = problem.source.uncertified or _unread(problem_path, stated)
    if why is not None:
        raise TooLargeError(f"{word}, but without a certificate: {why}")
    data = _accepted(problem_path, stated, problem, word, steps)
    if attest:
        data = statement(problem_path.name, stated, data)
    save_text(path, canonical_text(data) + "\n")


def _accepted(
    problem_path: Path,
    stated: bytes,
    problem: Problem,
    word: str,
    steps: Callable[[int], list[Step]],
) -> dict[str, Any]:
    """Build the certificate at rising working precision until the kernel accepts it."""
    for bits in rising(_FIRST_BITS, _LAST_BITS, factor=4):
        certificate = _certificate(problem, word, steps(bits))
        outcome = run_kernel(problem_path, stated, _bytes(certificate))
        if outcome.word == word:
            return certificate
        if outcome.word != "rejected" or outcome.message.startswith(_WORK):
            break
    if outcome.message.startswith(_WORK):
        raise TooLargeError(f"{word}, but without a certificate: {_too_large(problem, outcome)}")
    refused = f"the kernel does not accept the proof: {outcome.message}"
    raise CertificateError(
        f"{word}, but without a certificate: {refused}; the verdict is the package's alone"
    )


def refused_ahead(problem_path: Path, problem: Problem) -> str | None:
    """Return why the kernel will accept no certificate of a problem, where a short look tells.

    A sum of users that is too large is refused before any step of a proof is read, and so is a
    file that it does not read.
    """
    why = problem.source.uncertified or _unread(problem_path, bytes_of(problem_path))
    if why is not None:
        return why
    if not problem.source.worked_out:  # the kernel works out no sum of users
        return None
    empty = _bytes(_certificate(problem, str(Verdict.CERTIFIED), []))
    try:
        outcome = run_kernel(problem_path, bytes_of(problem_path), empty, seconds=_LOOK)
    except UndecidedError:  # a sum that the kernel works at
        return None
    return _too_large(problem, outcome) if outcome.message.startswith(_WORK) else None


def _unread(problem_path: Path, stated: bytes) -> str | None:
    """Why the kernel cannot read a problem file that this package reads, None where it can."""
    text, is_json = stated.decode("utf-8"), problem_path.suffix.lower() == ".json"
    if not may_name(text):
        return None
    return beyond_kernel(table_of_text(text, json_format=is_json))


def _too_large(problem: Problem, outcome: CheckResult) -> str:
    return f"{outcome.message}{problem.source.remedy}"


def _certificate(problem: Problem, word: str, steps: list[Step]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "problem": problem_digest(problem),
        "produced_by": {
            "pfverify": __version__,
            "python-flint": FLINT_VERSION,
            "python": platform.python_version(),
            KEY: noted(problem),
        },
        "result": word,
        "steps": steps,
    }


def _bytes(certificate: Mapping[str, Any]) -> bytes:
    return (canonical_text(certificate) + "\n").encode("ascii")


def kernel_word(data: Mapping[str, Any]) -> str:
    """Return the verdict that the kernel accepts for a problem in the shape of a problem file.

    "undecided" where there is no certificate. Raises InputError for a problem that cannot be read.
    Example: ``kernel_word(problem.to_table())`` is ``"certified"``.
    """
    with tempfile.TemporaryDirectory(prefix="pfverify-") as folder:
        path, proof = Path(folder) / "problem.json", Path(folder) / "certificate.json"
        path.write_text(json.dumps(data), "utf-8")
        problem = Problem.load(path)
        result = certify(problem)
        if result.verdict is Verdict.UNDECIDED:
            return "undecided"
        write_verdict(proof, path, problem, result, attest=False)
        return check(path, proof).word
