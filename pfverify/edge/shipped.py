"""The page of ``pfverify crosscheck --shipped``: every subject and its verdict."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor, isfinite
from pathlib import Path
from platform import python_version

from pfverify.answers.certify import certify
from pfverify.answers.loss import loss
from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.process import Limits
from pfverify.crosscheck.question import FunctionQuestion, question
from pfverify.crosscheck.run import CheckedCase, CrosscheckFindings, CrosscheckResult, Smallest
from pfverify.edge.crosschecked import crosschecked
from pfverify.edge.thresholded import one_row, published, reported
from pfverify.errors import InputError, shorten
from pfverify.exact.published import Extended
from pfverify.files import write_text
from pfverify.model.channels.kinds import Channel
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.subjects.optional import installed
from pfverify.subjects.registry import SUBJECTS, Subject
from pfverify.subjects.small_floats import law, mass

_HEAD = """\
# Implementations held to the exact answer

<!-- generated: pfverify crosscheck --shipped notebooks/reference/implementations.md
     --cases {cases} --seed {seed} -->

Other people's ways of computing what pfverify decides, each asked {cases} questions (seed {seed})
by [`pfverify crosscheck`](../guides/check-a-faster-implementation.md), each answer decided exactly
for the floats that were passed. Made with Python {python}, numpy {numpy} and scipy {scipy}.

How to read it:

- An answer is **unsound** where it is on the wrong side of the truth, by however little: most are
  off by some units in the last place, which no library here promises to avoid. *Worst* says the
  largest error; read it first.
- *Promise* is what the library's documentation, or the paper, says of the number. Where it names no
  side or no error bound, the claim is ours: what one would need in order to rely on the number.
- The cases are chosen to break implementations: masses of 1e-300, scales from 1e-6 to 1e6. A
  library may well be right wherever it is used.
- *Waste* is the answer divided by the truth. It is mostly that of describing two laws by one
  sensitivity (W-infinity), which is our choice, not the library's.
- What a library takes or gives in another unit (a sensitivity, a parameter 1/scale) is rounded to
  the side that favours it; the table of a mixture to nearest.
- The worst of Algorithm 1 here is an overflow of float64. What is the algorithm's own, without
  overflow or rounding, is in [notebook 8](../08-catching-an-unsound-implementation.ipynb).
- A crash, or no answer in time, says that an input was refused or too large, not that anything is
  unsound. How many there are depends on the machine. Below 200 cases none is of 10^5 atoms.
"""
_SAMPLER = """\
## What a Laplace sampler in floating point releases

The textbook sampler, Y = x + s * (scale * log(U)) with a fair sign s, in a format of few
significant bits: every U is enumerated, the logarithm is correctly rounded, so is each operation.
The law of Y is then a finite table of exact numbers, and `certify` decides it as a channel; x is 0
or 1, the scale and epsilon are 1. (Mironov, "On significance of the least significant bits for
differential privacy", 2012.) *delta* is the least one at epsilon 1, rounded down.

| noise | outputs | possible for one x only | verdict for delta = 0 | delta |
|---|---|---|---|---|
"""
_FORMATS = (4, 6, 8)
_THRESHOLDED = """\
## The delta of a thresholded count

OpenDP's `make_laplace_threshold` publishes a key where its count with discrete Laplace noise is at
least the threshold. A key that one row alone has is never published without that row, and with it
as often as 1 + Z is at least the threshold: that chance is the delta of one row, for every epsilon.
The delta that OpenDP {version} reports is the chance that Z is at least the threshold, as if the
count were 0 (its issue 2922). As a channel of two inputs and two outputs `certify` decides both
numbers: epsilon is the one that OpenDP reports with its delta, and the exact delta is met with
equality.

| scale | threshold | OpenDP's delta | verdict | exact delta | decimal | verdict |
|---|---|---|---|---|---|---|
"""
_THRESHOLDS = ((1, 5), (1, 10), (2, 28))


@dataclass(frozen=True)
class Verdict:
    """What became of one subject."""

    subject: Subject
    version: str
    result: CrosscheckResult


def write_page(
    name: str, cases: int, seed: int, limits: Limits, report: Callable[[int, int], None]
) -> str:
    """Ask every subject and write the page; return the sentence about it.

    Raises InputError for a name that no page can have, or a library that is absent.
    """
    path = Path(name)
    if path.suffix != ".md" or not path.parent.is_dir() or path.is_dir():
        raise InputError(f"--shipped: cannot write {shorten(name)!r}, expected a new file PAGE.md")
    found = verdicts(SUBJECTS.values(), cases, seed, limits, report)
    write_text(path, page(found, cases, seed))
    return f"wrote {name}: {len(found)} subjects, a section each"


def verdicts(
    subjects: Iterable[Subject],
    cases: int,
    seed: int,
    limits: Limits,
    report: Callable[[int, int], None],
) -> list[Verdict]:
    """Ask subjects; `report` is called with the numbers of subjects done and planned.

    Raises InputError with the remedy, before anything is asked, where a library is absent.
    """
    asked = list(subjects)
    versions = [installed(subject.library) for subject in asked]
    found = []
    for done, (subject, number_) in enumerate(zip(asked, versions, strict=True)):
        report(done, len(asked))
        about = asked_of(subject, cases, seed)
        result = crosschecked(subject.target, about, limits, None, lambda done, total: None)
        found.append(Verdict(subject, number_, result))
    return found


def asked_of(subject: Subject, cases: int, seed: int) -> FunctionQuestion:
    """Return what a subject is asked.

    Example: ``asked_of(SUBJECTS["pot:monotone_plan"], 20, 0).count`` is 20.
    """
    claim = Promised(subject.claim, tolerance=subject.tolerance)
    noise = subject.noise or None
    return question(subject.kind, noise=noise, count=cases, seed=seed, claim=claim)


def page(found: Iterable[Verdict], cases: int, seed: int) -> str:
    """Return the page as Markdown."""
    each = list(found)
    rows = ["## Verdicts\n", "| subject | computed with | found | worst |", "|---|---|---|---|"]
    rows += [_row(one) for one in each]
    head = _HEAD.format(
        cases=cases, seed=seed, python=python_version(),
        numpy=installed("numpy"), scipy=installed("scipy"),
    )  # fmt: skip
    return "\n".join([head, *rows, "", *map(section, each), thresholded(), sampler()])


def section(one: Verdict) -> str:
    """Return what was found of one subject, as Markdown."""
    subject, result = one.subject, one.result
    noise = f", {subject.noise} noise" if subject.noise else ""
    lines = [
        f"### {subject.function}\n",
        f"- asked: `{result.signature}`{noise}; {_asked(result)}",
        f"- computed with: {subject.library} {one.version}",
        f"- promise: {subject.promise}",
        f"- held to: {subject.claim}",
        f"- outcomes: {_outcomes(result)}",
        f"- worst: {_worst(result)}",
        f"- waste: {_waste(result)}",
    ]
    for case in result.smallest:
        if case.outcome is not CaseOutcome.WASTEFUL:
            lines += _smallest(case)
    return "\n".join(lines) + "\n"


def thresholded() -> str:
    """Return the section about OpenDP's thresholded counts, as Markdown.

    Raises InputError where OpenDP is not installed.
    """
    rows = [_threshold_row(*one) for one in _THRESHOLDS]
    problem = one_row(1, 5, *map(Fraction, reported(1, 5))).to_toml()
    return (
        _THRESHOLDED.format(version=installed("opendp")) + "\n".join(rows) + "\n\n"
        f"The first of them, refuted:\n\n```toml\n{problem}```\n"
    )


def sampler() -> str:
    """Return the section about samplers in floating point, as Markdown."""
    return _SAMPLER + "\n".join([*map(_format_row, _FORMATS), _ideal_row(), _float64()]) + "\n"


def sampled(bits: int) -> Problem:
    """Return the release of the sampler in a format: x is 0 or 1, scale and epsilon are 1.

    Example: ``certify(sampled(4)).verdict.value`` is ``"refuted"``.
    """
    laws = [law(Fraction(x), Fraction(1), bits) for x in (0, 1)]
    outputs = sorted(laws[0] | laws[1])
    rows = [[str(one.get(y, Fraction(0))) for y in outputs] for one in laws]
    return Problem(
        channel=Channel.of(
            {"kind": "matrix", "inputs": ["0", "1"], "outputs": [str(y) for y in outputs],
             "rows": rows}
        ),
        epsilon=1,
    )  # fmt: skip


def _row(one: Verdict) -> str:
    subject = one.subject
    return (
        f"| {subject.function} | {subject.library} {one.version} | {one.result.found} "
        f"| {_gap(one.result)} |"
    )


def _asked(result: CrosscheckResult) -> str:
    asked = f"{result.asked} of {result.planned} cases"
    return asked if result.stopped is None else f"{asked} ({result.stopped})"


def _outcomes(result: CrosscheckResult) -> str:
    return ", ".join(f"{one.count} {one.outcome}" for one in result.outcomes)


def _waste(result: CrosscheckResult) -> str:
    if result.largest_factor is None or result.median_factor is None:
        return "not asked"
    return f"{_times(result.median_factor)} in the middle, {_times(result.largest_factor)} at most"


def _times(factor: Extended) -> str:
    return "infinite" if str(factor) == "inf" else f"{float(factor):.4g}"


def _errors(result: CrosscheckResult) -> list[tuple[Fraction, CheckedCase]]:
    """The unsound numbers with their errors: of a divergence absolute, else relative."""
    found = []
    for one in result.answers:
        if one.outcome is CaseOutcome.UNSOUND and one.truth is not None and one.answer is not None:
            answer, low, high = float(one.answer), one.truth.lower, one.truth.upper
            if not (isfinite(answer) and isinstance(low, Fraction) and isinstance(high, Fraction)):
                continue
            error = max(low - Fraction(answer), Fraction(answer) - high, Fraction(0))
            if result.kind != "delta":
                error = error / low if low else Fraction(0)
            found.append((error, one))
    return found


def _gap(result: CrosscheckResult) -> str:
    if errors := _errors(result):
        error = max(error for error, _ in errors)
        return f"{float(error):.2g} ({'absolute' if result.kind == 'delta' else 'relative'})"
    if result.claim == "nearest":
        return f"{result.least_digits} digits right"
    return "none" if result.found is not CrosscheckFindings.UNSOUND else "no number"


def _worst(result: CrosscheckResult) -> str:
    """The worst answer of all, in words; of plans the first unsound one."""
    errors = _errors(result)
    if errors:
        worst = max(errors, key=lambda pair: pair[0])[1]
    else:
        bad = (CaseOutcome.UNSOUND, CaseOutcome.WRONG_DIGITS)
        failed = [one for one in result.answers if one.outcome in bad]
        if not failed:
            return "no answer was on the wrong side"
        worst = min(failed, key=lambda one: (one.digits or 0, one.number))
    return f"{_short(worst.words)} ({worst.origin})"


def _smallest(case: Smallest) -> list[str]:
    return [
        f"- smallest case, {case.outcome} ({case.count} times): {_short(case.words)}\n",
        "  ```shell",
        f"  {case.replay}",
        "  ```\n",
    ]


def _short(words: str) -> str:
    """Words with numbers of hundreds of digits cut."""
    return re.sub(r"(\d{12})\d{30,}", r"\1...", words)


def _threshold_row(scale: int, threshold: int) -> str:
    epsilon, delta = reported(scale, threshold)
    exact = published(scale, threshold)
    said, true = (
        certify(one_row(scale, threshold, Fraction(epsilon), bound))
        for bound in (Fraction(delta), exact)
    )
    least = max(pair.delta.lower for pair in said.pairs if pair.delta is not None)
    return (
        f"| {scale} | {threshold} | {delta!r} | {said.verdict} "
        f"| `{exact}` | {float(least):.6g} | {true.verdict} |"
    )


def _format_row(bits: int) -> str:
    laws = [law(Fraction(x), Fraction(1), bits) for x in (0, 1)]
    least = loss(sampled(bits).replaced(delta="1/2")).delta
    one_sided = len(laws[0].keys() ^ laws[1].keys())
    count = len(laws[0] | laws[1])
    return (
        f"| {bits} bits | {count} | {one_sided} | {certify(sampled(bits)).verdict} "
        f"| {floor(least.lower * 10**4) / 10**4} |"
    )


def _ideal_row() -> str:
    points = {str(x): Discrete(mass={x: 1}) for x in (0, 1)}
    ideal = Problem(points, noise=Laplace(1), epsilon=1)
    return f"| ideal, real-valued | a continuum | 0 | {certify(ideal).verdict} | 0 |\n"


def _float64() -> str:
    y = 1.693147180557204
    first, second = (mass(Fraction(y), Fraction(x), Fraction(1), 53) for x in (0, 1))
    return (
        "At 53 bits, which is float64, not every U can be enumerated, but one output can be\n"
        f"decided: y = {y!r} has mass {_power(second)} for x = 1 and mass {_power(first)} for\n"
        "x = 0. Whoever sees it knows x, whatever epsilon was promised."
    )


def _power(part: Fraction) -> str:
    return f"{part.numerator}/2^{part.denominator.bit_length() - 1}" if part else "0"
