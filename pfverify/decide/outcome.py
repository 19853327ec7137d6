"""What a decision says: verdicts, enclosures, witnesses. Attributes are the JSON keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NoReturn

from pfverify.decide.step import Evidence
from pfverify.door import outward
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Ball
from pfverify.exact.decimals import decimal_lower, decimal_upper, enclosure_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended, Infinite, Real, extended
from pfverify.model.problem import Problem
from pfverify.results import Brief, Certifiable

DEFAULT_DIGITS = 12
WHERE_SAID = {"optional": True}
"""Of a field that JSON has only where it is not None."""
MAX_DIGITS = 1000
_EXACTLY, _HALF = Context(prec=MAX_DIGITS + 10), Decimal("0.5")
_ROUND = 3  # so many digits shorter is an end of an enclosure that may be the number itself


def checked_progress(progress: object) -> None:
    """Raise InputError unless `progress` can be called, or is None."""
    if progress is not None and not callable(progress):
        raise InputError(f"progress: {shorten(progress)!r} cannot be called")


def checked_digits(digits: int) -> int:
    """Return the number of significant digits to print, or raise InputError."""
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MAX_DIGITS:
        raise InputError(f"digits: {shorten(digits)!r} is not an integer from 1 to {MAX_DIGITS}")
    return digits


class Verdict(StrEnum):
    """The outcome of a decision. It has no truth value: compare with `is`."""

    CERTIFIED = "certified"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    OBSERVED = "observed on a grid"

    def __bool__(self) -> NoReturn:  # text is true unless empty: "refuted" would be true
        raise TypeError(
            "Verdict has no truth value: compare it, as in `verdict is Verdict.CERTIFIED`, or use "
            ".certified, .refuted or .undecided of the result"
        )


class Decided(NoTruth, ask="use .certified, .refuted or .undecided"):
    """Base of the results that carry a `verdict`."""

    verdict: Verdict

    @property
    def certified(self) -> bool:
        """Whether the target is proved."""
        return self.verdict is Verdict.CERTIFIED

    @property
    def refuted(self) -> bool:
        """Whether the target is disproved."""
        return self.verdict is Verdict.REFUTED

    @property
    def undecided(self) -> bool:
        """Whether the target is neither proved nor disproved."""
        return self.verdict is Verdict.UNDECIDED


@dataclass(frozen=True, init=False)
class Witness(NoTruth, ask="use `is None`"):
    """Where a refuted target fails.

    `y` is an output (an exact atom) or `event` a list of intervals of outputs, [low, high];
    `margin` is a decimal below the true excess: log ratio - epsilon at `y` for delta = 0,
    P(B) - e**epsilon Q(B) - delta for an event, p - e**epsilon q - delta for pointwise. Without
    noise an interval [a, a] of one atom has a mass. Outputs of a channel have names: there it is
    one `output` or an event of `outputs`, and of tuples with dummies the event is where the ratio
    of the masses is above `growth`.
    """

    margin: Extended
    y: Extended | None = None
    event: list[list[Extended]] | None = None
    output: str | None = None
    outputs: list[str] | None = None
    growth: Extended | None = None

    def __init__(
        self,
        margin: str | Extended,
        y: str | Extended | None = None,
        event: Sequence[Sequence[str | Extended]] | None = None,
        output: str | None = None,
        outputs: list[str] | None = None,
        growth: str | Extended | None = None,
    ) -> None:
        """Take the numbers, as text too."""
        values = {
            "margin": extended(margin),
            "y": None if y is None else extended(y),
            "event": None if event is None else [list(map(extended, span)) for span in event],
            "output": output,
            "outputs": outputs,
            "growth": None if growth is None else extended(growth),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, repr=False)
class Directed(Brief, Decided):
    """The outcome for one ordered pair: p is the law under `from_`, q the one under `to`.

    `worst_y` is the output with the largest log ratio (infinite: the limit of a tail; of a channel
    the output's name).
    `rule` names what proves it (None when undecided), `ties` the atoms at which the bound holds
    with equality, and `proof` the rest of what a certificate needs. `epsilon` is that of this pair
    where it differs from pair to pair (None: it is the problem's).
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
    proof: Evidence | None = field(default=None, metadata={"json": False}, repr=False)

    def _line(self) -> str:
        excess = "" if self.delta is None else f", delta {self.delta.text}"
        loss = "" if self.loss is None else f", loss {self.loss.text}"
        return ordered_line(self.from_, self.to, f"{self.verdict.value}{loss}{excess}")


@dataclass(frozen=True, repr=False)
class CertifyResult(Certifiable, Decided):
    """The verdict on a problem, with one `Directed` outcome per ordered pair, worst first.

    `channel` is the kind of the channel that releases, None where noise is added; `notion` what is
    kept apart, None where it is the priors with one epsilon; `problem` what was asked about.
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
    problem: Problem | None = field(
        default=None, metadata={"json": False}, repr=False, compare=False
    )

    def _line(self) -> str:
        released = released_by(self.noise, self.scale, self.channel)
        return f"{self.verdict.value} for {target_text(self.epsilon, self.delta)}, {released}"

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


def ordered_line(source: str, to: str, said: str) -> str:
    """Return a line about an ordered pair.

    Example: ``ordered_line("a", "b", "certified")`` is ``"'a' against 'b': certified"``.
    """
    return f"{shorten(source, 24)!r} against {shorten(to, 24)!r}: {said}"


def target_text(epsilon: Real, delta: Real) -> str:
    """Return a target in a line."""
    return f"epsilon {shorten(epsilon, 24)}, delta {shorten(delta, 24)}"


def released_by(noise: str, scale: Real, channel: str | None) -> str:
    """Return what releases, in a few words."""
    return f"{noise} scale {shorten(scale, 24)}" if channel is None else f"channel {channel}"


def verdict_of(sign: int | None) -> Verdict:
    """Return the verdict on "excess <= 0" from the sign of the excess."""
    if sign is None:
        return Verdict.UNDECIDED
    return Verdict.REFUTED if sign > 0 else Verdict.CERTIFIED


Place = Extended | str
"""An output: a number, infinite for the limit of a tail, or the name of a channel's output."""


def place(where: Fraction | str, *, named: bool) -> Place:
    """Return an output as results have it; `named`: outputs are names, and no numbers.

    Example: ``place("inf", named=False)`` is ``"inf"``.
    """
    return where if named and isinstance(where, str) else extended(where)


def positive_enclosure(
    ball: Ball, digits: int | None, anything: str, widest: int = 2
) -> Enclosure | None:
    """Return decimals around a number known to be > 0, or None while the ball is too wide.

    `anything` is what the number cannot exceed ("1" for a probability, "inf"), and so the upper end
    does not either; `widest` is as in `enclosure_text`. With `digits` None nothing is worked out:
    the ends are 0 and `anything`.
    """
    if digits is None:
        return Enclosure("0", anything)
    found = enclosure_text(ball, digits, widest)
    if found is None or found[0].startswith("-"):
        return None
    ends = Enclosure(*found)
    return ends if ends.upper <= extended(anything) else Enclosure(ends.lower, anything)


def exact_enclosure(value: Fraction, digits: int) -> Enclosure:
    """Return decimals around an exact number."""
    return Enclosure(decimal_lower(value, digits), decimal_upper(value, digits))


def round_inside(enclosure: Enclosure, shorter: int = 0) -> Fraction | None:
    """Return the decimal in an enclosure that may well be the number itself, else None.

    Balls around an exact decimal cannot tell on which side of it the number lies: the enclosure
    then has it in its middle (or at an end, where it is far shorter than the other), and it is
    the one value worth an exact test. `shorter`: by how many digits a middle has to be so.
    Example: ``round_inside(Enclosure("0.499999999999", "0.500000000001"))`` is ``1/2``.
    """
    ends = enclosure.lower, enclosure.upper
    if ends[0] == ends[1] or any(isinstance(end, Infinite) for end in ends):
        return None
    low, high = (Decimal(str(end)) for end in ends)
    middle = _EXACTLY.multiply(_EXACTLY.add(low, high), _HALF)
    sizes = {x: len(x.normalize(_EXACTLY).as_tuple().digits) for x in (middle, low, high)}
    longest = max(sizes[low], sizes[high])
    best = min(sizes, key=lambda x: sizes[x])
    limit = longest - shorter if best == middle else longest - _ROUND
    return Fraction(best) if low > 0 and sizes[best] <= limit else None


def joined(verdicts: list[Verdict]) -> Verdict:
    """Return the verdict on a conjunction: one refutation refutes it all.

    Raises ValueError for none at all, which would prove nothing.
    """
    if not verdicts:
        raise ValueError("there is no verdict to join")
    for verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
        if verdict in verdicts:
            return verdict
    return Verdict.CERTIFIED
