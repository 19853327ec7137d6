"""What a test prints that failed: what was promised, what was found, and what would do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from pfverify.answers.calibrate import least_scale
from pfverify.answers.loss import loss
from pfverify.answers.outcome import CertifyResult, Directed
from pfverify.crosscheck.samplers.result import SamplerResult
from pfverify.edge.document import Paragraph, text_of
from pfverify.edge.explain import explained
from pfverify.edge.ordered import against, pair_of
from pfverify.edge.views.registry import view_of
from pfverify.edge.words import brief, inequality, witness_words
from pfverify.errors import InputError, PfverifyError, shorten
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.published import Extended, Infinite
from pfverify.laws.exponential import ExponentialAtoms
from pfverify.laws.gaussian_lattice import GaussianAtoms
from pfverify.laws.kinds import law_of
from pfverify.laws.law import Law, Smooth
from pfverify.model.problem import Problem

_DIGITS, _BITS = 6, 192


def refuted_lines(result: CertifyResult) -> list[str]:
    """Return a refutation as a diff: - what was promised, + where it fails, then what would do.

    Raises ValueError for a result that refutes nothing, or of no problem.
    Example: ``refuted_lines(certify(problem.replaced(epsilon="1/100", delta=0)))[0][0]`` is
    ``"-"``.
    """
    problem, failed = result.problem, [pair for pair in result.pairs if pair.refuted]
    if problem is None or not failed:
        raise ValueError("a result that refutes a problem was expected")
    worst = failed[0]
    promised = inequality(result.form, result.epsilon, result.delta, result.notion)
    found = witness_words(worst.witness, result.delta) or "an output or event that exceeds it"
    lines = [f"- {promised}", f"+ {against(worst, result.pairs)}: {found}"]
    with suppress(PfverifyError):
        lines += [f"    {line}" for line in [*_chances(problem, worst)]]
    if result.pairs[0] is worst:
        with suppress(PfverifyError):  # what no one writes out is left out
            lines += [f"    {line}" for line in explained(problem, result).lines]
    if len(failed) > 1:
        lines.append(f"  {len(failed)} of {len(result.pairs)} ordered pairs fail")
    return [*lines, *(f"  {line}" for line in _would_do(problem))]


def _chances(problem: Problem, pair: Directed) -> Iterator[str]:
    """What both laws give the event at which a pair fails, where it is one of plain outputs."""
    witness = pair.witness
    if witness is None or witness.about is not None or (witness.event and witness.outputs):
        return
    item, reverse = pair_of(problem, pair)
    priors = [item.first_prior, item.second_prior]
    with precision(_BITS):
        ordered = priors[::-1] if reverse else priors
        for secret, prior in zip((pair.from_, pair.to), ordered, strict=True):
            law = law_of(prior, item.release)
            if witness.event is not None:
                found = sum((_mass(law, *span) for span in witness.event), raw(0))
            elif witness.outputs is not None:
                found = sum(map(law.at_precision().value, witness.outputs), raw(0))
            else:
                return
            yield f"P(B | {shorten(secret, 24)}) = {float(found.mid()):.10g}, to some ten digits"


def _mass(law: Law[Any], low: Extended, high: Extended) -> Raw:
    """The mass of an interval with its ends."""
    first, last = (None if isinstance(end, Infinite) else Fraction(end) for end in (low, high))
    at = law.at_precision()
    if isinstance(at, Smooth):
        return at.between(first, last)
    if not isinstance(law, ExponentialAtoms | GaussianAtoms):
        raise InputError("no law of one number on a line, or on a lattice")
    until = raw(1) if last is None else at.below(last)
    before = Fraction(0) if law.step is None else law.step / 2  # on a line no number has a mass
    return until if first is None else until - at.below(first - before)


def _would_do(problem: Problem) -> Iterator[str]:
    """The least epsilon, delta and scale that would do, each with the others as they are."""
    with suppress(PfverifyError):
        found = loss(problem, digits=_DIGITS)
        least = found.epsilon_star if found.epsilon_at_delta is None else found.epsilon_at_delta
        if isinstance(least.upper, Infinite):
            yield "no finite epsilon would do at this delta"
        else:
            yield f"epsilon = {brief(least.upper)} would do"
        if found.delta.upper < 1:
            yield f"delta = {brief(found.delta.upper)} would do at this epsilon"
    with suppress(PfverifyError):
        scale = least_scale(problem, _DIGITS)
        if not isinstance(scale.upper, Infinite):
            yield f"scale = {brief(scale.upper)} would do (the least is above {scale.lower})"


def said_of_draws(result: SamplerResult) -> list[str]:
    """Return what was found of a sampler, in the sentences that a terminal prints."""
    return [
        text_of(part.text)
        for section in view_of(result, result.function).sections()
        for part in (section.headline, *section.blocks) if isinstance(part, Paragraph)
    ]  # fmt: skip
