"""The page of ``pfverify crosscheck --shipped``: every subject and its verdict."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from math import floor, isfinite
from pathlib import Path
from platform import python_version

from pfverify.answers.certify import certify
from pfverify.answers.loss import loss
from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.isolated import crosscheck_isolated
from pfverify.crosscheck.question import FunctionQuestion, question
from pfverify.crosscheck.run import CheckedCase, CrosscheckFindings, CrosscheckResult
from pfverify.crosscheck.samplers.called import DRAWS
from pfverify.edge import shipped_draws
from pfverify.edge.progress import Report, each
from pfverify.edge.shipped_draws import row
from pfverify.edge.thresholded import claimed, published
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
from pfverify.workers.function import Limits

_FORMATS = (4, 6, 8)
_THRESHOLDS = ((1, 5), (1, 10), (2, 28))
_FILE = files("pfverify.edge") / "shipped.toml"
_TEXTS: dict[str, str] = tomllib.loads(_FILE.read_text("utf-8"))
_ABSOLUTE = ("delta", "accountant")  # kinds whose answer is a divergence
_FLOAT64 = 1.693147180557204  # an output of one input alone


@dataclass(frozen=True)
class SubjectVerdict:
    """What became of one subject."""

    subject: Subject
    version: str
    result: CrosscheckResult


def write_page(
    name: str, cases: int, seed: int, limits: Limits, report: Report
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
    subjects: Iterable[Subject], cases: int, seed: int, limits: Limits, report: Report
) -> list[SubjectVerdict]:
    """Ask subjects; `report` is called with the numbers of subjects done and planned.

    Raises InputError with the remedy, before anything is asked, where a library is absent.
    """
    asked = [(one, asked_of(one, cases, seed), installed(one.library)) for one in subjects]
    return [
        SubjectVerdict(one, version, crosscheck_isolated(one.target, about, limits))
        for one, about, version in each(asked, report)
    ]


def asked_of(subject: Subject, cases: int, seed: int) -> FunctionQuestion:
    """Return what a subject is asked.

    Example: ``asked_of(SUBJECTS["pot:monotone_plan"], 20, 0).count`` is 20.
    """
    claim = Promised(subject.claim, tolerance=subject.tolerance)
    noise = subject.noise or None
    return question(subject.kind, noise=noise, count=min(cases, subject.most), seed=seed,
                    claim=claim)  # fmt: skip


def page(
    found: Iterable[SubjectVerdict], cases: int, seed: int, draws: int = DRAWS
) -> str:
    """Return the page as Markdown; `draws`: of each secret, in the section about draws."""
    every = list(found)
    return _TEXTS["page"].format(
        cases=cases,
        seed=seed,
        python=python_version(),
        numpy=installed("numpy"),
        scipy=installed("scipy"),
        rows="\n".join(map(_row, every)),
        sections="\n".join(map(section, every)),
        thresholded=thresholded(),
        draws=drawn(draws),
        sampler=sampler(),
    )


def section(one: SubjectVerdict) -> str:
    """Return what was found of one subject, as Markdown."""
    subject, result = one.subject, one.result
    text = _TEXTS["subject"].format(
        subject=subject,
        result=result,
        version=one.version,
        noise=f", {subject.noise} noise" if subject.noise else "",
        asked=_asked(result),
        outcomes=", ".join(f"{one.count} {one.outcome}" for one in result.outcomes),
        worst=_worst(result),
        waste=_waste(result),
    )
    return text + "".join(
        _TEXTS["smallest"].format(case=case, words=_short(case.words))
        for case in result.smallest
        if case.outcome is not CaseOutcome.WASTEFUL
    )


def thresholded() -> str:
    """Return the section about OpenDP's thresholded counts, as Markdown.

    Raises InputError where OpenDP is not installed.
    """
    return _TEXTS["thresholded"].format(
        version=installed("opendp"),
        rows="\n".join(_threshold_row(*one) for one in _THRESHOLDS),
        problem=claimed(*_THRESHOLDS[0])[0].to_toml(),
    )


def drawn(count: int) -> str:
    """Return the section about OpenDP's draws, as Markdown; InputError where it is absent."""
    return _TEXTS["draws"].format(
        version=installed("opendp"), draws=f"{count:,}", **shipped_draws.rows(count)
    )


def sampler() -> str:
    """Return the section about samplers in floating point, as Markdown."""
    points = {str(x): Discrete(mass={x: 1}) for x in (0, 1)}
    first, second = (mass(Fraction(_FLOAT64), Fraction(x), Fraction(1), 53) for x in (0, 1))
    return _TEXTS["sampler"].format(
        rows="\n".join(map(_format_row, _FORMATS)),
        ideal=certify(Problem(points, noise=Laplace(1), epsilon=1)).verdict,
        y=_FLOAT64,
        first=_power(first),
        second=_power(second),
    )


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


def _row(one: SubjectVerdict) -> str:
    subject, result = one.subject, one.result
    library = f"{subject.library} {one.version}"
    return row(subject.function, library, result.found, _gap(result))


def _asked(result: CrosscheckResult) -> str:
    asked = f"{result.asked} of {result.planned} cases"
    return asked if result.stopped is None else f"{asked} ({result.stopped})"


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
            if result.kind not in _ABSOLUTE:
                error = error / low if low else Fraction(0)
            found.append((error, one))
    return found


def _gap(result: CrosscheckResult) -> str:
    if errors := _errors(result):
        error = max(error for error, _ in errors)
        return f"{float(error):.2g} ({'absolute' if result.kind in _ABSOLUTE else 'relative'})"
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


def _short(words: str) -> str:
    """Words with numbers of hundreds of digits cut."""
    return re.sub(r"(\d{12})\d{30,}", r"\1...", words)


def _threshold_row(scale: int, threshold: int) -> str:
    said, true = map(certify, claimed(scale, threshold))
    delta, exact = float(Fraction(str(said.delta))), published(scale, threshold)
    least = max(pair.delta.lower for pair in said.pairs if pair.delta is not None)
    decimal = f"{float(least):.6g}"
    return row(scale, threshold, delta, said.verdict, f"`{exact}`", decimal, true.verdict)


def _format_row(bits: int) -> str:
    zero, one = (law(Fraction(x), Fraction(1), bits).keys() for x in (0, 1))
    problem = sampled(bits)
    delta = floor(loss(problem.replaced(delta="1/2")).delta.lower * 10**4) / 10**4
    return row(f"{bits} bits", len(zero | one), len(zero ^ one), certify(problem).verdict, delta)


def _power(part: Fraction) -> str:
    return f"{part.numerator}/2^{part.denominator.bit_length() - 1}" if part else "0"
