"""What a decision says: verdicts, enclosures, witnesses. Attributes are the JSON keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from pfverify.answers.released import released_by
from pfverify.decide.breach import Breach, Direction, Span, WithRest
from pfverify.decide.step import Evidence, Step
from pfverify.decide.verdict import Decided, Verdict
from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.decimals import decimal_lower, decimal_text, margin_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended, Infinite, Real, extended
from pfverify.exact.written import MAX_DIGITS
from pfverify.model.problem import Problem
from pfverify.outward import outward
from pfverify.results import UNSAID, WHERE_SAID, Brief, Certifiable

_ALONE = "one release alone"
_EACH = "each release"
_FAR = "the noisy numbers, where all others add enough"
_EVERY = "every release, those of one scale at the same output"
_MARGIN_DIGITS = 6


def checked_progress(progress: object) -> None:
    """Raise InputError unless `progress` can be called, or is None."""
    if progress is not None and not callable(progress):
        raise InputError(f"progress: {shorten(progress)!r} cannot be called")


def checked_digits(digits: int) -> int:
    """Return the number of significant digits to print, or raise InputError."""
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MAX_DIGITS:
        raise InputError(f"digits: {shorten(digits)!r} is not an integer from 1 to {MAX_DIGITS}")
    return digits


@dataclass(frozen=True, init=False)
class Witness(NoTruth, ask="use `is None`"):
    """Where a refuted target fails.

    `y` is an output (an exact atom) or `event` a list of intervals of outputs, [low, high];
    `margin` is a decimal below the true excess: log ratio - epsilon at `y` for delta = 0,
    P(B) - e**epsilon Q(B) - delta for an event, p - e**epsilon q - delta for pointwise. Without
    noise an interval [a, a] of one atom has a mass. Outputs of a channel have names: there it is
    one `output` or an event of `outputs`, and of tuples with dummies the event is where the ratio
    of the masses is above `growth`. Where steps publish densities beside single outputs an event
    may have both, and the ends of its intervals are not in it. Of several numbers it is a `point`,
    one number for each, or (with neither) a union of so many `cells`, boxes of outputs. Of many
    outputs that are independent, maybe given X, it is the event in which their losses, each about a
    multiple of `loss_step`, add up to more than epsilon. `about` says of which outputs that is,
    where there are several and it is not of all of them. Where outputs are independent behind steps
    each of the `parts` is where one of them exceeds its share of epsilon, and `margin` below the
    log ratio of all of them - epsilon. Of a divergence it is nowhere: `margin` is below it less
    epsilon, and infinite where it is; where those of all orders are bounded that is of its `order`,
    and of the divergence over it.
    """

    margin: Extended
    y: Extended | None = None
    event: list[list[Extended]] | None = None
    output: str | None = None
    outputs: list[str] | None = None
    growth: Extended | None = None
    point: list[Extended] | None = field(default=None, metadata=WHERE_SAID)
    cells: int | None = field(default=None, metadata=WHERE_SAID)
    about: str | None = field(default=None, metadata=WHERE_SAID)
    parts: list[Witness] | None = field(default=None, metadata=WHERE_SAID)
    loss_step: Extended | None = field(default=None, metadata=WHERE_SAID)
    order: Extended | None = field(default=None, metadata=WHERE_SAID)

    def __init__(
        self,
        margin: str | Extended,
        y: str | Extended | None = None,
        event: Sequence[Sequence[str | Extended]] | None = None,
        output: str | None = None,
        outputs: list[str] | None = None,
        growth: str | Extended | None = None,
        point: Sequence[str | Extended] | None = None,
        cells: int | None = None,
        about: str | None = None,
        parts: list[Witness] | None = None,
        loss_step: str | Extended | None = None,
        order: str | Extended | None = None,
    ) -> None:
        """Take the numbers, as text too."""
        values = {
            "margin": extended(margin),
            "y": None if y is None else extended(y),
            "event": None if event is None else [list(map(extended, span)) for span in event],
            "output": output,
            "outputs": outputs,
            "growth": None if growth is None else extended(growth),
            "point": None if point is None else list(map(extended, point)),
            "cells": cells,
            "about": about,
            "parts": parts,
            "loss_step": None if loss_step is None else extended(loss_step),
            "order": None if order is None else extended(order),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)


def witness_of(found: Breach, about: str | None = None) -> Witness:
    """Return where a target fails with its numbers as text: the margin rounded down, others exact.

    `about`: which output a decision is about, where a release has many.

    Raises ValueError where the margin is not proved to be positive.
    """
    if isinstance(found.margin, float):
        margin: str | None = str(found.margin)
    elif isinstance(found.margin, Fraction):
        margin = decimal_lower(found.margin, _MARGIN_DIGITS)
    else:
        margin = margin_text(found.margin, _MARGIN_DIGITS)
    if margin is None:
        raise ValueError("a margin is not proved to be positive")
    return Witness(
        margin=margin,
        y=None if found.y is None else _text(found.y),
        event=None if found.event is None else event_text(found.event),
        output=found.output,
        outputs=None if found.outputs is None else list(found.outputs),
        growth=None if found.growth is None else str(found.growth),
        point=None if found.point is None else [_text(x) for x in found.point],
        cells=None if found.cells is None else found.cells.number,
        about=_about(found) or (None if _of_all(found) else about),
        parts=_parts_of(found),
        loss_step=None if found.labels is None else str(found.labels["grid"]),
        order=None if found.order is None else str(found.order),
    )


def _of_all(found: Breach) -> bool:
    """Whether a breach is of all outputs together as they are."""
    return any(one is not None for one in (found.cells, found.parts, found.labels))


def _parts_of(found: Breach) -> list[Witness] | None:
    """Where each of several outputs exceeds its share, if they are named."""
    named = [
        (one, one.part) for _, one in found.parts or ()
        if one.part is not None and not isinstance(one.part, WithRest | Direction)
    ]  # fmt: skip

    def about(part: Sequence[str] | int) -> str:
        if not isinstance(part, int):
            return ", ".join(part)
        return _EACH if len(named) == 1 else f"releases like number {part + 1}"

    return [witness_of(replace(one, part=None), about(part)) for one, part in named] or None


def _about(found: Breach) -> str | None:
    """Of which outputs a breach is, as far as itself says that."""
    if found.far:
        return _FAR
    if isinstance(found.part, WithRest):
        return f"one release, where all others add {shorten(found.part.rest, 24)}"
    if isinstance(found.part, Direction):
        weights = ", ".join(shorten(weight, 24) for weight in found.part.weights)
        return f"the sum of all numbers with the weights {weights}"
    if found.part is not None and not isinstance(found.part, int):
        return f"{', '.join(shorten(name, 24) for name in found.part)} alone"
    if found.release is not None or found.part is not None:
        return _ALONE
    named = any(one.part is not None for _, one in found.parts or ())
    return None if found.parts is None or named else _EVERY


@dataclass(frozen=True)
class Refutation(Evidence):
    """An output or event that breaks the bound by a margin, as its rule names it.

    `noisy`: it is an event of the number before steps that keep densities; `cuts`: of the cells of
    a grid with these further places on every axis; `parts`: about each kind of fresh release, at
    its own epsilon. One that is about a single one of several releases names it (`release`), one
    that is about some outputs behind steps their coordinates, or the release, maybe with what all
    others add (`part`), and what refutes these `alone`. `labels`: what the kernel needs to see that
    outputs of all releases together fail, those whose losses add up to more.
    """

    rule: str
    witness: Witness
    noisy: Sequence[Span] | None = None
    cuts: Sequence[Sequence[Fraction]] | None = None
    parts: Sequence[tuple[str, Refutation]] | None = None
    release: int | None = None
    alone: Refutation | None = None
    part: Sequence[str] | int | WithRest | Direction | None = None
    labels: Mapping[str, Any] | None = None

    def step(self, bits: int) -> Step:
        """Return the rule, its precision, the margin, and the output or event."""
        if self.labels is not None:
            return {"rule": self.rule, **self.labels, "margin": str(self.witness.margin)}
        if self.parts is not None:
            parts = [{"epsilon": epsilon, **one.of_part(bits)} for epsilon, one in self.parts]
            return {"rule": self.rule, "parts": parts, "margin": str(self.witness.margin)}
        if self.part is not None:
            return {"rule": self.rule, **self.of_part(bits)}
        if self.alone is not None:
            return {"rule": self.rule, "release": self.release, "step": self.alone.step(bits)}
        return self._of_one(bits)

    def of_part(self, bits: int) -> Step:
        """Return the step inside, with the outputs that it is about where they are named."""
        if self.part is None or self.alone is None:
            return {"step": self.step(bits)}
        if isinstance(self.part, WithRest):
            return {
                "part": {"release": self.part.release, "rest": str(self.part.rest)},
                "step": self.alone.step(bits),
            }
        if isinstance(self.part, Direction):
            weights = [str(weight) for weight in self.part.weights]
            return {"part": {"direction": weights}, "step": self.alone.step(bits)}
        part = self.part if isinstance(self.part, int) else list(self.part)
        return {"part": part, "step": self.alone.step(bits)}

    def _of_one(self, bits: int) -> Step:
        step: Step = {"rule": self.rule, "bits": bits, "margin": str(self.witness.margin)}
        if self.witness.order is not None:
            step["order"] = _end(self.witness.order)
        elif self.noisy is not None:
            step["event"] = [[str(low), str(high)] for low, high in self.noisy]
        elif self.cuts is not None:
            step["cuts"] = [[str(x) for x in own] for own in self.cuts]
        elif self.witness.outputs is not None:
            step["outputs"] = self.witness.outputs
        elif self.witness.output is not None:
            step["output"] = self.witness.output
        elif self.witness.growth is not None:
            step["growth"] = str(self.witness.growth)
        elif self.witness.event is not None:
            step["event"] = [[_end(low), _end(high)] for low, high in self.witness.event]
        elif self.witness.point is not None:
            step["y"] = [_end(x) for x in self.witness.point]
        elif self.witness.y is not None:
            step["y"] = _end(self.witness.y)
        return step


def refutation_of(found: Breach, about: str | None = None) -> Refutation:
    """Return what proves that a target fails; `about` as of `witness_of`.

    Raises ValueError as `witness_of`.
    """
    witness, parts, cells = witness_of(found, about), found.parts, found.cells
    if found.part is not None:
        alone = refutation_of(replace(found, part=None))
        return Refutation("part-refuted", witness, alone=alone, part=found.part)
    if found.release is not None:
        alone = refutation_of(replace(found, release=None))
        return Refutation("one-refuted", witness, release=found.release, alone=alone)
    return Refutation(
        found.rule, witness, found.noisy, None if cells is None else cells.cuts,
        None if parts is None else [(epsilon, refutation_of(one)) for epsilon, one in parts],
        labels=found.labels,
    )  # fmt: skip


def _end(end: Extended) -> str:
    return str(end) if isinstance(end, Infinite) else str(Fraction(end))


def event_text(event: Sequence[Span]) -> list[list[str]]:
    """Return intervals of outputs with their ends as exact text.

    Example: ``event_text([("-inf", Fraction(1, 2))])`` is ``[["-inf", "0.5"]]``.
    """
    return [[_text(low), _text(high)] for low, high in event]


def _text(end: Fraction | str) -> str:
    return end if isinstance(end, str) else decimal_text(end)


@dataclass(frozen=True, repr=False)
class Directed(Brief, Decided):
    """The outcome for one ordered pair: p is the law under `from_`, q the one under `to`.

    `worst_y` is the output with the largest log ratio (infinite: the limit of a tail; of a channel
    the output's name).
    `rule` names what proves it (None when undecided), `ties` the atoms at which the bound holds
    with equality, and `proof` the rest of what a certificate needs. `epsilon` is that of this pair
    where it differs from pair to pair (None: it is the problem's). `divergence` is what the form
    renyi bounds, of the problem's order, or of the form zcdp the largest over its order.
    """

    belief: str
    from_: str
    to: str
    verdict: Verdict
    loss: Enclosure | None
    delta: Enclosure | None
    tie: bool
    worst_y: Place
    witness: Witness | None = None
    reason: str | None = None
    rule: str | None = None
    ties: tuple[Fraction, ...] = ()
    epsilon: Real | None = field(default=None, metadata=WHERE_SAID)
    divergence: Enclosure | None = field(default=None, metadata=WHERE_SAID)
    proof: Evidence | None = field(default=None, metadata=UNSAID, repr=False)

    def _line(self) -> str:
        excess = "" if self.delta is None else f", delta {self.delta.text}"
        loss = "" if self.loss is None else f", loss {self.loss.text}"
        if self.divergence is not None:
            loss = f", divergence {self.divergence.text}{loss}"
        return ordered_line(self.from_, self.to, f"{self.verdict.value}{loss}{excess}")


@dataclass(frozen=True, repr=False)
class CertifyResult(Certifiable, Decided):
    """The verdict on a problem, with one `Directed` outcome per ordered pair, worst first.

    `channel` is the kind of the channel that releases, None where noise is added; `notion` what is
    kept apart, None where it is the priors with one epsilon; `several` what is said of many
    releases, or of scales by coordinate; `order` that of the divergence of the form renyi;
    `problem` what was asked about.
    """

    verdict: Verdict
    epsilon: Real
    delta: Real
    form: str
    scale: Real
    noise: str
    pairs: list[Directed]
    assumed: list[str] = field(default_factory=list)
    channel: str | None = field(default=None, metadata=WHERE_SAID)
    notion: str | None = field(default=None, metadata=WHERE_SAID)
    several: str | None = field(default=None, metadata=WHERE_SAID)
    order: Real | None = field(default=None, metadata=WHERE_SAID)
    problem: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)

    def _line(self) -> str:
        target = target_text(self.epsilon, self.delta)
        return f"{self.verdict.value} for {target}, {released_by(self)}"

    def _parts(self) -> Sequence[Brief]:
        return self.pairs

    def _repr_latex_(self) -> str | None:
        if self.problem is None:
            return None
        text: str = outward("latex_of_certified")(self.problem, self)
        return text

    @property
    def reasons(self) -> list[str]:
        """Why undecided pairs are undecided."""
        return [pair.reason for pair in self.pairs if pair.reason]


def asked_within(gap: AnyNumber | None) -> AbstractContextManager[None]:
    """Return a context in which bounds are that near each other; None: as near as outside.

    Raises InputError as `decide.gap.within`. Example: ``asked_within(None)``.
    """
    if gap is None:
        return nullcontext()
    from pfverify.decide.gap import within

    return within(gap)


def ordered_line(source: str, to: str, said: str) -> str:
    """Return a line about an ordered pair.

    Example: ``ordered_line("a", "b", "certified")`` is ``"'a' against 'b': certified"``.
    """
    return f"{shorten(source, 24)!r} against {shorten(to, 24)!r}: {said}"


def target_text(epsilon: Real, delta: Real) -> str:
    """Return a target in a line."""
    return f"epsilon {shorten(epsilon, 24)}, delta {shorten(delta, 24)}"


Place = Extended | str
"""An output: a number, infinite for the limit of a tail, the name of a channel's output, or a point
of several numbers, written ``"(0, 1/2)"``."""


def place(where: Fraction | str, *, named: bool) -> Place:
    """Return an output as results have it; `named`: outputs are names, and no numbers.

    Example: ``place("inf", named=False)`` is ``"inf"``.
    """
    of_many = isinstance(where, str) and where.startswith("(")
    return where if isinstance(where, str) and (named or of_many) else extended(where)
