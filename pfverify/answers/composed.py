"""What several problems are together, beside what adding up their losses would have said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import NoReturn

from pfverify.answers.certify import certify
from pfverify.answers.loss import loss
from pfverify.answers.outcome import CertifyResult, checked_digits, checked_progress, target_text
from pfverify.decide.verdict import Decided, Verdict
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_lower, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.exact.published import Extended, Infinite, Real, extended, real
from pfverify.model.composed import NamedPart, NamedTimes
from pfverify.model.problem import Problem
from pfverify.model.releases.repeated import Repeated
from pfverify.results import UNSAID, WHERE_SAID, Brief, Shown
from pfverify.scales.closed_form import Value, largest_upper
from pfverify.scales.parts import marginal, reaches_of

_SPARE_DIGITS = 6


class Adding(StrEnum):
    """What a sum of losses is beside that of all together. It has no truth value: use `is`."""

    RIGHT = "right to these digits"
    TOO_SMALL = "too small"
    WASTEFUL = "wasteful"
    OPEN = "not known"

    def __bool__(self) -> NoReturn:
        raise TypeError("Adding has no truth value: compare it, as in `adding is Adding.RIGHT`")


@dataclass(frozen=True, repr=False)
class ComposedPart(Brief, NoTruth, ask="compare .loss.upper"):
    """One part alone: its `loss`, and what that is at most whatever is beside it (`ranges`).

    `times`: how many independent releases there are of it, where the parts are different problems.
    """

    name: str
    scale: Real
    loss: Enclosure
    ranges: Extended | None
    times: int | None = field(default=None, metadata=WHERE_SAID)

    def _line(self) -> str:
        return f"{self.name}: scale {self.scale}, loss {self.loss.text}"


@dataclass(frozen=True)
class AddedLosses(NoTruth, ask="compare .adding"):
    """What adding says: the sum of the losses, and the verdict that one would take it for."""

    loss: Enclosure
    adding: Adding
    verdict: Verdict


@dataclass(frozen=True)
class Together(NoTruth, ask="compare .verdict"):
    """What all parts lose together, and the ordered pair that the verdict is about."""

    verdict: Verdict
    loss: Enclosure
    belief: str
    from_: str
    to: str
    reason: str | None


@dataclass(frozen=True, repr=False)
class ComposeResult(Shown, Decided):
    """The verdict on all parts together, beside the parts alone, their sum, and `ranges`.

    Losses are epsilon* for delta = 0; else the least epsilon at delta, of each of k parts at delta
    over k; of the form renyi divergences. `ranges` is what the loss is at most whatever the joint
    law, rounded up (None where a prior or the noise has no such bound). `certified_by` is the whole
    verdict, `problem` what was composed.
    """

    verdict: Verdict
    epsilon: Real
    delta: Real
    form: str
    noise: str
    parts: list[ComposedPart]
    added: AddedLosses
    ranges: Extended | None
    together: Together
    assumed: list[str]
    draws: str | None = field(default=None, metadata=WHERE_SAID)
    certified_by: CertifyResult | None = field(
        default=None, metadata=UNSAID, repr=False, compare=False
    )
    problem: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)

    def _line(self) -> str:
        target = target_text(self.epsilon, self.delta)
        return f"{self.verdict.value} together for {target}, loss {self.together.loss.text}"

    def _parts(self) -> Sequence[Brief]:
        return self.parts


def composed(
    problem: Problem,
    parts: Sequence[NamedPart],
    *,
    digits: int = 12,
    progress: Callable[[int, int], None] | None = None,
) -> ComposeResult:
    """Decide a composed problem, and tell the losses of its parts and of all beside it.

    `problem` is what `jointly` or `repeatedly` made of the parts.
    Raises InputError as `certify`.
    Source: design facts F40 to F43.
    """
    checked_progress(progress)
    checked_digits(digits)
    found = certify(problem, digits=digits, progress=progress)
    alone = [_alone(problem, part) for part in parts]
    losses = [_loss(one, digits, len(parts)) for one in alone]
    shown = [
        ComposedPart(part.name, real(one.scale()), lost, ranges_of(one, digits))
        for part, one, lost in zip(parts, alone, losses, strict=True)
    ]
    return _result(problem, found, shown, losses, ranges_of(problem, digits), digits)


def composed_apart(
    problem: Problem,
    parts: Sequence[NamedTimes],
    *,
    digits: int = 12,
    progress: Callable[[int, int], None] | None = None,
) -> ComposeResult:
    """Decide what `separately` made of different problems, and tell the losses of each alone.

    Raises InputError as `certify`.
    Source: design facts F43 and F70.
    """
    checked_progress(progress)
    checked_digits(digits)
    found = certify(problem, digits=digits, progress=progress)
    count = sum(part.times for part in parts)
    shown, losses, reaches = list[ComposedPart](), list[Enclosure](), list[Fraction | None]()
    for part in parts:
        one = part.problem.replaced(epsilon=problem.epsilon, delta=problem.delta)
        lost, finer = _loss(one, digits, count), ranges_of(one, digits + _SPARE_DIGITS)
        reach = None if finer is None else Fraction(finer)
        ranges = None if reach is None else extended(decimal_upper(reach, digits))
        shown.append(ComposedPart(part.name, real(one.scale()), lost, ranges, part.times))
        losses += [lost] * part.times
        reaches.append(None if reach is None else reach * part.times)
    known = [reach for reach in reaches if reach is not None]
    together = None
    if len(known) == len(reaches):
        together = extended(decimal_upper(sum(known, Fraction(0)), digits))
    return _result(problem, found, shown, losses, together, digits)


def _result(
    problem: Problem, found: CertifyResult, shown: list[ComposedPart], losses: Sequence[Enclosure],
    ranges: Extended | None, digits: int,
) -> ComposeResult:  # fmt: skip
    """All parts together beside the sum of their losses, one for each release."""
    whole, worst = _loss(problem, digits), found.pairs[0]
    total = _sum(losses, digits)
    release = problem.release
    return ComposeResult(
        verdict=found.verdict,
        epsilon=found.epsilon,
        delta=found.delta,
        form=found.form,
        noise=found.noise,
        parts=shown,
        added=AddedLosses(total, _adding(total, whole), _verdict(total, problem.epsilon)),
        ranges=ranges,
        together=Together(
            found.verdict, whole, worst.belief, worst.from_, worst.to, worst.reason
        ),
        assumed=found.assumed,
        draws=release.draws if isinstance(release, Repeated) else None,
        certified_by=found,
        problem=problem,
    )


def ranges_of(problem: Problem, digits: int) -> Extended | None:
    """Return what a loss is at most whatever the joint law of the parts, rounded up; None for none.

    Example: ``ranges_of(problem, 12)``.
    Source: design fact F43.
    """
    if not problem.release.noise.exponential:
        return None
    try:
        values = [Value.of(reach) for reach in reaches_of(problem)]
    except InputError:  # a prior has a density
        return None
    grid = Grid(digits)
    return extended(grid.text(largest_upper(values, grid)[0]))


def bound_of_unknown(parts: Sequence[NamedPart], digits: int = 12) -> str | None:
    """Return what parts lose together at most where nothing is known of their joint law.

    Rounded up; None where one of them has no such bound.
    Source: design fact F43.
    """
    finer = digits + _SPARE_DIGITS
    bounds = [ranges_of(part.problem.under(part.noise), finer) for part in parts]
    known = [Fraction(one) for one in bounds if one is not None]
    total = sum(known, Fraction(0))
    return decimal_upper(total, digits) if len(known) == len(bounds) else None


def _alone(problem: Problem, part: NamedPart) -> Problem:
    """One part of a composed problem, held to its target."""
    names = problem.numbers
    return marginal(problem, [names.index(part.name)], part.noise) if names else (
        problem.under(part.noise)
    )  # fmt: skip


def _loss(problem: Problem, digits: int, shares: int = 1) -> Enclosure:
    """The loss of a problem, with its share of delta."""
    if problem.delta.sign() != 0 and shares > 1:
        problem = problem.replaced(delta=problem.delta / Number.of_rational(shares))
    found = loss(problem, digits=digits)
    if found.divergence is not None:
        return found.divergence
    return found.epsilon_star if found.epsilon_at_delta is None else found.epsilon_at_delta


def _sum(losses: Sequence[Enclosure], digits: int) -> Enclosure:
    if any(isinstance(one.upper, Infinite) for one in losses):
        lower = "inf" if any(isinstance(one.lower, Infinite) for one in losses) else "0"
        return Enclosure(lower, "inf")
    return Enclosure(
        decimal_lower(sum((Fraction(one.lower) for one in losses), Fraction(0)), digits),
        decimal_upper(sum((Fraction(one.upper) for one in losses), Fraction(0)), digits),
    )


def _adding(total: Enclosure, whole: Enclosure) -> Adding:
    """What the sum is beside the loss of all; right where no digit tells them apart."""
    if total.upper < whole.lower:
        return Adding.TOO_SMALL
    if total.lower > whole.upper:
        return Adding.WASTEFUL
    near = whole.width <= 1000 * total.width or whole.width == 0
    return Adding.RIGHT if near else Adding.OPEN


def _verdict(total: Enclosure, epsilon: Number) -> Verdict:
    """What one would say who takes the sum for the loss."""
    upper, lower = total.upper, total.lower
    finite = not isinstance(upper, Infinite)
    if finite and (epsilon - Number.of_rational(Fraction(upper))).sign() in (0, 1):
        return Verdict.CERTIFIED
    if isinstance(lower, Infinite) or (Number.of_rational(Fraction(lower)) - epsilon).sign() == 1:
        return Verdict.REFUTED
    return Verdict.UNDECIDED
