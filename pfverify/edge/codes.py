"""The exit code of an answer: tables by verdict, in which a verdict without a row is an error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pfverify.decide.verdict import Verdict
from pfverify.edge.leave import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_USAGE

if TYPE_CHECKING:
    from pfverify.answers.dummies import DummiesResult
    from pfverify.answers.methods import CalibrateResult
    from pfverify.answers.outcome import CertifyResult
    from pfverify.answers.sized import SizedResult
    from pfverify.crosscheck.run import CrosscheckFindings
    from pfverify.crosscheck.samplers.result import SamplerFindings

_DECIDED = {
    Verdict.CERTIFIED: 0,
    Verdict.REFUTED: EXIT_REFUTED,
    Verdict.UNDECIDED: EXIT_UNDECIDED,
    Verdict.OBSERVED: EXIT_UNDECIDED,
}
_MINIMUM = {
    Verdict.CERTIFIED: 0,
    Verdict.REFUTED: 0,  # that no scale or number of dummies works is an answer
    Verdict.UNDECIDED: EXIT_UNDECIDED,
}
# by the text of what a cross-check found, whose modules are loaded where there is one
_FOUND = {
    "unsound": EXIT_REFUTED,
    "failed": EXIT_REFUTED,
    "undecided": EXIT_UNDECIDED,
    "no failure found": 0,
    "refuted": EXIT_REFUTED,
    "not refuted": 0,
}
_FIRST = (EXIT_USAGE, EXIT_REFUTED, EXIT_UNDECIDED, 0)  # of several the first of these counts


def decided(verdict: Verdict) -> int:
    """Return the exit code of one verdict."""
    return _DECIDED[verdict]


def certify_code(results: Iterable[CertifyResult]) -> int:
    """Return the exit code of a sweep: one refuted problem makes it 1, else an undecided one 3."""
    return several_code(_DECIDED[result.verdict] for result in results)


def calibrate_code(results: Iterable[CalibrateResult | DummiesResult]) -> int:
    """Return the exit code of a sweep: 3 where nothing could be decided about a minimum."""
    return several_code(_MINIMUM[result.minimum.verdict] for result in results)


def size_code(results: Iterable[SizedResult]) -> int:
    """Return the exit code of a sweep over what stands in place of scales, as `calibrate_code`."""
    return several_code(_MINIMUM[result.verdict] for result in results)


def found_code(found: CrosscheckFindings | SamplerFindings) -> int:
    """Return the exit code of a cross-check: 1 for a failure of the function, and for a sampler
    that its draws refute."""
    return _FOUND[found.value]


def case_code(verdict: Verdict | None) -> int:
    """Return the exit code of a case: 2 where nothing was decided, as its problem failed."""
    return EXIT_USAGE if verdict is None else _DECIDED[verdict]


def several_code(codes: Iterable[int]) -> int:
    """Return the exit code of several problems: 2 where one failed, else 1, else 3, else 0."""
    found = set(codes)
    return next(code for code in _FIRST if code in found)


def held(holds: bool) -> int:
    """Return the exit code of a check: 1 where it fails."""
    return {True: 0, False: EXIT_REFUTED}[holds]
