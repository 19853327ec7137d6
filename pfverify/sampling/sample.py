"""Draws of what a problem releases, once it is certified, and what stands behind them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any

from pfverify.answers.certify import certify
from pfverify.answers.released import released_by
from pfverify.certificate.checking import check
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, listed, require, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import printable, rational
from pfverify.exact.published import Exact, Real, real
from pfverify.model.channels.channel import Channel
from pfverify.model.kinds import NOISES, of_a_kind
from pfverify.model.lattices import largest_step
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import EXAMPLE, Problem, as_problem
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped
from pfverify.model.steps.kinds import through
from pfverify.model.steps.step import published
from pfverify.outward import outward
from pfverify.results import WHERE_SAID, Shown
from pfverify.sampling.bits import Bits, bits_for
from pfverify.sampling.channels import Output, sampler
from pfverify.sampling.noises import Draw as NoiseDraw
from pfverify.sampling.noises import drawer

Value = Fraction | str | tuple[Fraction, ...]
"""A true value, an input, or the true values of several numbers."""
Drawn = Fraction | Output | tuple[Fraction, ...]
Draw = Callable[[Bits], Iterator[Drawn]]
MAX_COUNT = 1_000_000
_SHOWN = 4  # draws in a repr
_VALUE_BITS = 2000  # with noise it can still be printed
NOISE, RELEASE, OUTPUT = "noise", "release", "output"
DECISION, CERTIFICATE = "decision", "certificate"
SAMPLED = (
    "the random bits of the operating system are ideal",
    "nobody sees how long a draw takes, or the memory that it works in",
)
"""What a draw takes for granted besides what the verdict does."""
_SEPARATE = "each draw is for a release of its own; an average of several is other noise"
_ONCE = "this is the one release: a second draw for the same value would be a second release"
_ALL = "these are all {count} releases, in order: one draw more would be one release more"
_UNCERTIFIED = "NOT certified: the promise of the problem is not known to hold for this draw"
_ALONE = "noise alone: nothing is claimed about what it is added to"


@dataclass(frozen=True, repr=False)
class SampleResult(Shown, NoTruth, ask="read .draws, and .verdict for what was proved"):
    """Exact draws, and what is known about the problem that they belong to.

    `drawn` says what `draws` are: "noise" to be added to X, a "release" X + noise (exact
    fractions; of several numbers a tuple of texts), or the "output" of a channel (its name, or a
    tuple of names with dummies). There are none where the problem is not certified. `verdict` is
    that on the problem, None for noise alone; `proved_by` says where it comes from: "decision" or
    "certificate". Attributes are the JSON keys.
    """

    verdict: Verdict | None
    proved_by: str | None
    drawn: str
    draws: list[Exact | Output]
    noise: str
    scale: Real
    step: Exact | None
    assumed: list[str]
    warnings: list[str]
    channel: str | None = field(default=None, metadata=WHERE_SAID)
    several: str | None = field(default=None, metadata=WHERE_SAID)

    def _line(self) -> str:
        verdict = "no verdict" if self.verdict is None else self.verdict.value
        shown = ", ".join(shorten(draw, 24) for draw in self.draws[:_SHOWN]) or "nothing drawn"
        more = ", ..." if len(self.draws) > _SHOWN else ""
        return f"{verdict}, {self.drawn} {shown}{more}, {released_by(self)}"


@dataclass(frozen=True)
class SamplePlan:
    """What is to be drawn of a problem, how often, and how; nothing was drawn yet."""

    problem: Problem
    drawn: str
    count: int
    draws: Sequence[Draw]
    """What draws each of them, as an endless row; the last one all that are left."""

    def done(
        self, verdict: Verdict, proved_by: str = DECISION, *, uncertified: bool = False
    ) -> SampleResult:
        """Return the draws; none where the verdict is another than certified.

        `uncertified`: draw all the same, with a warning.
        Example: ``planned(problem.on_lattice(1)).done(Verdict.REFUTED).draws`` is ``[]``.
        """
        problem = self.problem
        draws: list[Exact | Output] = []
        warnings: list[str] = []
        if verdict is not Verdict.CERTIFIED:
            warnings.append(_UNCERTIFIED)
        if verdict is Verdict.CERTIFIED or uncertified:
            bits = bits_for(self.count)
            rows = [draw(bits) for draw in self.draws]
            each = chain(rows[:-1], repeat(rows[-1], self.count - len(rows) + 1))
            draws = [_published(next(row)) for row in each]
            warnings.append(self._warning)
        return _drawn_of(
            problem.release.noise,
            verdict=verdict,
            proved_by=proved_by,
            drawn=self.drawn,
            draws=draws,
            assumed=[*assumed(problem), *SAMPLED],
            warnings=warnings,
            channel=problem.release.named_kind,
            several=problem.release.several,
        )

    @property
    def _warning(self) -> str:
        if isinstance(self.problem.release, Repeated):
            return _ALL.format(count=self.count)
        return _SEPARATE if self.drawn == NOISE else _ONCE


def sample(
    source: Problem | Noise | str | Path,
    count: int = 1,
    *,
    value: object | None = None,
    certificate: str | Path | None = None,
    uncertified: bool = False,
) -> SampleResult:
    """Draw exactly the noise (or the channel's output) that a problem is about.

    Parameters
    - source: a `Problem` or the name of its file, which is certified first; or noise alone, about
      which nothing is claimed. The noise is on a lattice, or from a table: `Problem.on_lattice`
      makes discrete Laplace noise of Laplace noise.
    - count: how many draws of noise; of a problem about k releases all k are drawn. - value: the
      true value of X (of several numbers a list of them), for one draw of X + noise, or the input
      of a channel, for one draw of its output.
    - certificate: checked by the kernel in place of a decision; source is then a file's name.
    - uncertified: draw even where the problem is refuted or undecided.

    Random bits are the operating system's; there is no seed, since noise that can be repeated hides
    nothing. No float is involved.
    Raises InputError for a problem that is not certified (unless `uncertified`) or a certificate
    that does not prove it, for noise that is continuous, for several draws for one value, and for a
    value that the priors exclude, which the message does not repeat.
    Example: ``sample(DiscreteLaplace("5/2"), 3).drawn`` is ``"noise"``.
    Source: Canonne, Kamath and Steinke 2020 (discrete Laplace and discrete Gaussian noise).
    """
    require(uncertified, bool, "uncertified")
    if isinstance(source, Noise):
        if value is not None or certificate is not None:
            raise InputError("value: noise alone is about no value, and about no certificate")
        return _alone(of_a_kind(source, NOISES, "the noise"), checked_count(count))
    plan = planned(as_problem(source), count, value)
    if certificate is not None:
        if isinstance(source, Problem):
            raise InputError("certificate: it is about a problem file, expected the file's name")
        found = check(_file(source), certificate)
        if not found.certified:
            raise InputError(f"certificate: it does not prove the problem: {found.message}")
        return plan.done(Verdict.CERTIFIED, CERTIFICATE)
    verdict = certify(plan.problem, digits=1).verdict
    if verdict is not Verdict.CERTIFIED and not uncertified:
        raise InputError(
            f"the problem is {verdict.value}: nothing was drawn (uncertified=True draws all the "
            "same)"
        )
    return plan.done(verdict, uncertified=uncertified)


def _file(name: str | Path) -> str | Path:
    """The file of a problem: a packaged one goes by its name."""
    if isinstance(name, str) and name.startswith(EXAMPLE):
        path: Path = outward("example_path")(name.removeprefix(EXAMPLE))
        return path
    return name


def planned(problem: Problem, count: int = 1, value: object | None = None) -> SamplePlan:
    """Return what is to be drawn, after everything is checked but the problem's verdict.

    Raises InputError as `sample`.
    Example: ``planned(problem.on_lattice("1/4"), 2).count`` is 2.
    """
    count = checked_count(count)
    _require_drawn(problem)
    if value is not None and count > 1:
        raise InputError(
            f"count: {count} draws for one value are {count} releases, whose average shows it; "
            "one release is what is decided"
        )
    if isinstance(problem.release, Channel):
        if not isinstance(value, str):
            raise InputError("value: missing, expected the name of an input of the channel")
        draw = sampler(problem.release, value)
        if problem.source.pairs_stand_for is None:  # else every input is compared
            _check_covered(problem, value)
        return SamplePlan(problem, OUTPUT, 1, [lambda bits: iter([draw(bits)])])
    if problem.release.several is not None or problem.numbers:
        return _of_several(problem, count, value)
    if value is None:
        return SamplePlan(problem, NOISE, count, [drawer(problem.release.noise)])
    exact = through(problem.source.steps, _checked_value(problem, value))
    noise = drawer(problem.release.noise, exact)
    match problem.release:
        case Stepped(steps=all_):
            return SamplePlan(
                problem, OUTPUT, 1,
                [lambda bits: (published(all_, exact + drawn) for drawn in noise(bits))],
            )  # fmt: skip
        case Noise():
            return SamplePlan(problem, RELEASE, 1, [_around(exact, noise)])
        case _:
            raise InputError(f"{problem.release.kind}: such a release is not drawn")


def _require_drawn(problem: Problem) -> None:
    """Raise InputError for Laplace noise, with the step of discrete Laplace noise in its place."""
    if problem.release.named or type(problem.release.noise) is not Laplace:
        return
    said = (
        "noise.kind: laplace noise is continuous, and what a floating-point sampler draws is not "
        "what was decided"
    )
    try:
        step = largest_step(problem.beliefs, problem.pairs) or 1
    except InputError as error:
        raise InputError(f"{said}; {error}") from None
    raise InputError(
        f"{said}. Next: --lattice {step} takes discrete Laplace noise of this scale on multiples "
        f"of {step} (or of {step} divided by a whole number), which is decided and drawn exactly; "
        f'in Python problem.on_lattice("{step}")'
    )


def _of_several(problem: Problem, count: int, value: object | None) -> SamplePlan:
    """Draws of several numbers, or all releases of one."""
    release, size = problem.release, len(problem.numbers)
    if isinstance(release, Selected):
        if value is None:
            raise InputError("value: missing, expected the true numbers, of which one is named")
        chosen = _choice_among(release, problem.numbers, _checked_point(problem, value))
        return SamplePlan(problem, OUTPUT, 1, [chosen])
    if isinstance(release, Processed):
        raise InputError(
            "post: steps behind several numbers are not drawn; leave them out, draw the noise, "
            "and do them to the noisy numbers"
        )
    if isinstance(release, Budget):
        raise InputError(
            "total: each scale may depend on what came out before, so that no release is drawn "
            "ahead; draw each from noise of its scale, alone"
        )
    each: Iterable[Release] = [release]
    if isinstance(release, Repeated):
        if count > 1:
            raise InputError(f"count: the problem is about {release.count} releases: all are drawn")
        if value is not None and release.fresh:
            raise InputError("value: each release is of its own draw of X; draw the noise alone")
        each, count = release.each, release.count
    at: list[Fraction] = []
    if value is not None:
        at = _checked_point(problem, value) if size else [_checked_value(problem, value)]
    made: dict[Release, Draw] = {}
    draws = [made.setdefault(one, _drawer_of(one, size, at)) for one in each]
    return SamplePlan(problem, NOISE if value is None else RELEASE, count, draws)


def _choice_among(release: Selected, names: Sequence[str], at: Sequence[Fraction]) -> Draw:
    """What draws the name that is published of some numbers."""
    choice, draw = release.choice, _drawer_of(release.before, len(names), at)
    limit = choice.threshold
    noise: NoiseDraw = lambda bits: repeat(Fraction(0))  # noqa: E731
    if limit is not None and limit.scale is not None:
        noise = drawer(release.noise.with_scale(limit.scale))

    def drawn(bits: Bits) -> Iterator[str]:
        thresholds = ((Fraction(0) if limit is None else limit.at) + n for n in noise(bits))
        for numbers in draw(bits):
            if not isinstance(numbers, tuple):
                raise TypeError("a choice is among several numbers")
            yield choice.named(names, [*map(Fraction, numbers)], thresholds, bits.below)

    return drawn


def _drawer_of(release: Release, size: int, at: Sequence[Fraction]) -> Draw:
    """What draws one release of so many numbers (0: of one), around a point if one is given."""
    match release:
        case Coordinates(scales=scales):
            noises = [release.noise.with_scale(scale) for scale in scales]
        case Noise():
            noises = [release] * max(size, 1)
        case _:
            raise InputError(f"{release.kind}: such a release is not drawn")
    places: Sequence[Fraction | None] = at or [None] * len(noises)
    around = [
        _around(x or Fraction(0), drawer(noise, x)) for noise, x in zip(noises, places, strict=True)
    ]
    return (lambda bits: zip(*(draw(bits) for draw in around), strict=True)) if size else around[0]


def _around(x: Fraction, noise: NoiseDraw) -> NoiseDraw:
    """What draws x + noise."""
    return lambda bits: (x + drawn for drawn in noise(bits))


def _checked_point(problem: Problem, value: object) -> list[Fraction]:
    """The true values of several numbers."""
    size = len(problem.numbers)
    parts = value.split(",") if isinstance(value, str) else value
    given = listed(parts, "value", f"{size} numbers: {', '.join(problem.numbers)}")
    if len(given) != size:
        raise InputError(
            f"value: {len(given)} numbers, expected {size}: {', '.join(problem.numbers)}"
        )
    point = [_exact(part) for part in given]
    if not problem.source.part_alone:
        _check_covered(problem, tuple(point))
    return point


def checked_count(count: object) -> int:
    """Return how many draws are asked for, or raise InputError.

    Example: ``checked_count(0)`` raises.
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_COUNT:
        raise InputError(f"count: {shorten(count, 30)!r} is no whole number from 1 to {MAX_COUNT}")
    return count


def _alone(noise: Noise, count: int) -> SampleResult:
    drawn = drawer(noise)(bits_for(count))
    return _drawn_of(
        noise,
        verdict=None,
        proved_by=None,
        drawn=NOISE,
        draws=[*map(_published, islice(drawn, count))],
        assumed=list(SAMPLED),
        warnings=[_ALONE, _SEPARATE],
    )


def _published(draw: Drawn) -> Exact | Output:
    if isinstance(draw, Fraction):
        return Exact(draw)
    if isinstance(draw, tuple):
        return tuple(map(str, draw))  # of numbers their exact text
    return draw


def _drawn_of(noise: Noise, **found: Any) -> SampleResult:
    """What was found, with the noise that it is about."""
    if noise.scale is None:
        raise TypeError("noise without a scale is not drawn")
    step = None if noise.step is None else Exact(str(noise.step))
    return SampleResult(noise=noise.kind, scale=real(noise.scale), step=step, **found)


def _checked_value(problem: Problem, value: object) -> Fraction:
    """The true value, which a prior covers wherever the problem says what X may be."""
    exact = _exact(value)
    if not problem.source.part_alone:  # else the others add what they want
        _check_covered(problem, exact)
    return exact


def _exact(value: object) -> Fraction:
    try:
        exact = rational(printable(value, "value"), "value")
    except InputError:
        raise InputError("value: expected an exact rational number, as 3, 0.25 or 1/3") from None
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > _VALUE_BITS:
        raise InputError("value: it has more than 600 digits")
    return exact


def _check_covered(problem: Problem, value: Value) -> None:
    """Raise InputError where no prior that is compared has a mass at the true value."""
    compared = list(dict.fromkeys(name for pair in problem.pairs for name in pair))
    tables = problem.source.origin.laws.values()
    if not any(_covers(table[name], value) for table in tables for name in compared):
        raise InputError(
            "value: it has mass 0 under every prior that is compared, so that the problem says "
            "nothing about it"
        )


def _covers(prior: Prior, value: Value) -> bool:
    if isinstance(prior, Joint) and isinstance(value, tuple):
        return value in prior.mass
    if isinstance(prior, Finite) and isinstance(value, str):
        return value in prior.support
    if isinstance(prior, Discrete) and isinstance(value, Fraction):
        point = value * prior.denominator
        at = bisect_left(prior.points, point)
        return at < len(prior.points) and prior.points[at] == point
    if isinstance(prior, Nothing) and isinstance(value, Fraction):
        return any(value == atom for atom, _ in prior.atoms())
    raise TypeError(f"a {prior.kind} prior has no mass at a {type(value).__name__}")
