"""What calibrate says. Attributes are the JSON keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pfverify.answers.decided import DecidedScale
from pfverify.answers.outcome import Directed, Witness, target_text
from pfverify.decide.verdict import Decided, Verdict
from pfverify.errors import shorten
from pfverify.exact.ball import Ball, Raw
from pfverify.exact.decimals import decimal_lower, decimal_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.exact.published import Exact, Extended, Infinite, Real, extended
from pfverify.exact.refined import ByBalls, rising_balls
from pfverify.exact.rising import MOST_BITS
from pfverify.exact.simplify import rational_value, simple_text
from pfverify.exact.written import written
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise
from pfverify.results import UNSAID, WHERE_SAID, Brief, Certifiable


@dataclass(frozen=True, kw_only=True)
class MethodWitness(Witness):
    """Where a recipe's scale fails: the ordered pair, and the output or event."""

    belief: str
    from_: str
    to: str


@dataclass(frozen=True, repr=False)
class Method(Brief, Decided):
    """One recipe: its scale (a decimal rounded up), and the verdict on exactly that scale.

    `exact` is the closed form where there is one; `waste` is scale / minimum, rounded down, None
    when the minimum is 0; `sd` and `mean_abs` describe the noise of that scale, rounded up;
    `witness` says where a refuted scale fails (None unless refuted); `bound` is the bound of
    truncated noise where the recipe has its own.
    """

    scale: Extended
    exact: str | None
    verdict: Verdict
    waste: Extended | None
    sd: Extended
    mean_abs: Extended
    witness: MethodWitness | None = field(default=None, kw_only=True)
    bound: Extended | None = field(default=None, kw_only=True, metadata=WHERE_SAID)

    def _line(self) -> str:
        return f"scale {self.scale}, {self.verdict.value}"


@dataclass(frozen=True, repr=False)
class MinimumMethod(Method):
    """The least private scale as a row among the methods: `scale` is the certified upper end."""

    lower: Extended
    upper: Extended
    reason: str | None


@dataclass(frozen=True, init=False, repr=False)
class Minimum(Enclosure):
    """The least private scale lies in (lower, upper]: lower refuted (or 0), upper certified.

    Both are infinite when no scale works; 0 and infinite when nothing could be decided. `reason`
    says why an end is 0 or infinite, or what between the ends is undecided.
    """

    reason: str | None

    def __init__(self, lower: str | Extended, upper: str | Extended, reason: str | None) -> None:
        """Take the ends, as text too, and the reason."""
        super().__init__(lower, upper)
        object.__setattr__(self, "reason", reason)

    def __repr__(self) -> str:
        why = "" if self.reason is None else f", {shorten(self.reason)!r}"
        return f"Minimum({str(self.lower)!r}, {str(self.upper)!r}{why})"

    @property
    def verdict(self) -> Verdict:
        """Certified; refuted where no scale works; undecided where nothing could be decided."""
        if not isinstance(self.upper, Infinite):
            return Verdict.CERTIFIED
        return Verdict.REFUTED if isinstance(self.lower, Infinite) else Verdict.UNDECIDED


@dataclass(frozen=True)
class RecordCell(NoTruth, ask="read its attributes"):
    """A value under a secret: its mass, and how many of the secret's records have it.

    `records` and `of` are None where the problem tells nothing of records.
    """

    secret: str
    value: str
    mass: Fraction
    records: int | None = None
    of: int | None = None


@dataclass(frozen=True)
class Closest(NoTruth, ask="read its attributes"):
    """The value at which two secrets differ most without noise: `ratio` is that of its masses."""

    cell: RecordCell
    other: RecordCell
    ratio: Fraction


@dataclass(frozen=True)
class WideCell(NoTruth, ask="read its attributes"):
    """A value that a law of the region has much oftener under one secret than under the other.

    `most` is its mass under `secret`, of whose `of` records `records` have it; `least` that under
    `other`, with `other_records` of `other_of`.
    """

    value: str
    secret: str
    most: Fraction
    records: int
    of: int
    other: str
    least: Fraction
    other_records: int
    other_of: int


@dataclass(frozen=True)
class MergedScales(NoTruth, ask="read its attributes"):
    """The smallest scales where neighbouring values are merged until each has enough records.

    `values` are left; one value tells nothing, and `counts` and `region` are then None.
    """

    records: int
    values: int
    counts: Minimum | None = None
    region: Minimum | None = None


@dataclass(frozen=True)
class RegionScale(NoTruth, ask="read .least.upper"):
    """The smallest scale for the confidence region of the counts of a problem.

    `least` is None where it was not worked out: `why` says so, and `long` that it only takes long.
    `problem` is the one about the region; `cells` are what makes its scale larger than that of the
    counts, and `merged` what merging does about it, where it is much larger.
    """

    level: Fraction
    least: Minimum | None = None
    why: str | None = None
    long: bool = False
    problem: Problem | None = None
    cells: tuple[WideCell, ...] = ()
    merged: MergedScales | None = None


@dataclass(frozen=True)
class Footing(NoTruth, ask="read its attributes"):
    """What the smallest scale of a problem rests on.

    `rare`: the cells of fewer than `few` records, the fewest first and the first 1,000 of `cells`;
    `rarest` of them have the fewest, and `rows` records are in them all. `least` is the smallest
    scale, and `without_rarest`, `without_rare` what it is without these records. `alone`: cells
    whose value another compared secret never has, where the smallest scale is another one without
    them (`without_alone`). `closest`: what a scale of 0 rests on where delta is 0. Each is empty or
    None where there is none, or it was not worked out: `why`
    says so. `odd`: secrets whose prior cannot come from the records that are told. `every_value`:
    of a sum, what needs no law. `region`: the smallest scale for all laws that the counts leave
    possible, where priors are counts.
    """

    few: int
    least: Minimum | None = None
    rare: tuple[RecordCell, ...] = ()
    rarest: int = 0
    cells: int = 0
    rows: int = 0
    without_rarest: Minimum | None = None
    without_rare: Minimum | None = None
    alone: tuple[tuple[RecordCell, str], ...] = ()
    without_alone: Minimum | None = None
    closest: Closest | None = None
    odd: tuple[str, ...] = ()
    why: str | None = None
    region: RegionScale | None = None
    every_value: EveryValue | None = None


@dataclass(frozen=True)
class EveryValue(NoTruth, ask="read its attributes"):
    """From which scale on every value of one record between two bounds is hidden in a sum,
    whatever is believed of it and of all others.

    `bounds`: None for a histogram, where it is every category. `stated`: whether they bound all
    values, not only those that some record has. `absent`: not being there is hidden too. `rest`
    and `regions` tell what a smaller scale rests on: what the problem takes as known of the others,
    and whether its laws are those of confidence regions.
    """

    bounds: tuple[str, str] | None
    least: Minimum
    stated: bool
    absent: bool
    rest: str
    regions: bool


@dataclass(frozen=True, repr=False)
class CalibrateResult(Certifiable, NoTruth, ask="read .minimum and .methods[name].certified"):
    """Every applicable scale with its verdict, and the bracketed minimum.

    `decisions` keeps what proves the verdict on each scale of a recipe, for a certificate;
    `problem` is what was asked about. `pairs_decided` counts the pairs of secrets that were
    decided, at one scale or more; `pairs_bounded` those that were not, because W-infinity over
    epsilon proves every scale private that was asked for: none of them is the worst. `rests_on` is
    what the minimum rests on, where that was asked for. Beside families `estimate` is the smallest
    scale for the laws alone that they are around, where there are such.
    """

    epsilon: Real
    delta: Real
    form: str
    noise: str
    methods: dict[str, Method]
    minimum: Minimum
    not_applicable: dict[str, str]
    pairs_decided: int
    pairs_bounded: int
    assumed: list[str]
    decisions: dict[str, DecidedScale] = field(
        default_factory=dict, metadata=UNSAID, repr=False, compare=False
    )
    notion: str | None = field(default=None, metadata=WHERE_SAID)
    several: str | None = field(default=None, metadata=WHERE_SAID)
    estimate: Minimum | None = field(default=None, metadata=WHERE_SAID)
    problem: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)
    rests_on: Footing | None = field(default=None, metadata=UNSAID, repr=False, compare=False)

    def _line(self) -> str:
        target = target_text(self.epsilon, self.delta)
        return f"minimum {self.minimum.text} of {self.noise} noise for {target}"

    def _parts(self) -> Sequence[Brief]:
        return [_Named(name, method) for name, method in self.methods.items()]


@dataclass(frozen=True, repr=False)
class _Named(Brief):
    """A method with its name."""

    name: str
    method: Method

    def _line(self) -> str:
        return f"{self.name}: {self.method._line()}"


def waste_of(scale: str | Extended, minimum: Extended) -> Extended | None:
    """Return scale / minimum as a decimal rounded down, or None when the minimum is 0."""
    if isinstance(minimum, Infinite) or minimum == 0:
        return None
    return Exact(decimal_lower(Fraction(scale) / minimum, 6))


def spread(
    noise: Noise, scale: str | Extended, digits: int
) -> tuple[Extended, Extended]:
    """Return (standard deviation, mean absolute value) of the noise, decimals rounded up.

    Whichever of the two is the scale itself is returned as it was written.
    """
    scale = extended(scale)
    if isinstance(scale, Infinite) or scale == 0:
        return scale, scale
    theta = Fraction(scale)

    def upward(of: Callable[[Fraction], Fraction | Raw]) -> Extended:
        value = of(theta)
        if isinstance(value, Fraction) and value == theta:
            return scale
        balls = rising_balls(lambda: Ball(of(theta)).raw, 64, MOST_BITS)
        return written(ByBalls(balls), digits).upper

    return upward(noise.sd), upward(noise.mean_abs)


def method_of(
    noise: Noise,
    scale: str | Extended,
    verdict: Verdict,
    digits: int,
    *,
    exact: Number | None = None,
    waste: Extended | None = None,
    worst: Directed | None = None,
    bound: Extended | None = None,
) -> Method:
    """Return the row of a scale that was decided; `worst` is the ordered pair at which it fails.

    Example: ``method_of(Laplace(), "2", Verdict.CERTIFIED, 12).mean_abs`` is ``Exact("2")``.
    """
    sd, mean = spread(noise, scale, digits)
    return Method(
        extended(scale),
        None if exact is None else closed_text(exact),
        verdict,
        waste,
        sd,
        mean,
        witness=method_witness(worst),
        bound=bound,
    )


def closed_text(exact: Number) -> str:
    """Return a closed form as it is published: a decimal or a fraction where it is rational.

    Example: ``closed_text(number("1/2"))`` is ``"0.5"``.
    """
    value = rational_value(exact)
    return simple_text(exact) if value is None else decimal_text(value)


def method_witness(worst: Directed | None) -> MethodWitness | None:
    """Return where a refuted scale fails, from the outcome of the worst ordered pair."""
    if worst is None or worst.witness is None:
        return None
    return MethodWitness(
        **vars(worst.witness), belief=worst.belief, from_=worst.from_, to=worst.to
    )
