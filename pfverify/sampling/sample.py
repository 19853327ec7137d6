"""Draws of what a problem releases, once it is certified, and what stands behind them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from pfverify.answers.certify import certify
from pfverify.answers.outcome import WHERE_SAID
from pfverify.answers.released import released_by
from pfverify.certificate.checking import check
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, require, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import printable, rational
from pfverify.exact.published import Exact, Real, real
from pfverify.model.channels.channel import Channel
from pfverify.model.kinds import NOISES, of_a_kind
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import EXAMPLE, Problem, as_problem
from pfverify.model.releases.release import Noise
from pfverify.model.releases.stepped import Stepped
from pfverify.model.steps.kinds import through
from pfverify.model.steps.step import published
from pfverify.outward import outward
from pfverify.results import Shown
from pfverify.sampling.bits import Bits
from pfverify.sampling.channels import Output, sampler
from pfverify.sampling.noises import drawer

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
_UNCERTIFIED = "NOT certified: the promise of the problem is not known to hold for this draw"
_ALONE = "noise alone: nothing is claimed about what it is added to"


@dataclass(frozen=True, repr=False)
class SampleResult(Shown, NoTruth, ask="read .draws, and .verdict for what was proved"):
    """Exact draws, and what is known about the problem that they belong to.

    `drawn` says what `draws` are: "noise" to be added to X, a "release" X + noise (exact
    fractions), or the "output" of a channel (its name, or a tuple of names with dummies). There are
    none where the problem is not certified. `verdict` is that on the problem, None for noise alone;
    `proved_by` says where it comes from: "decision" or "certificate". Attributes are the JSON keys.
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
    draw: Callable[[Bits], Fraction | Output]

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
            bits = Bits()
            draws = [_published(self.draw(bits)) for _ in range(self.count)]
            warnings += [_SEPARATE if self.drawn == NOISE else _ONCE]
        return _drawn_of(
            problem.release.noise,
            verdict=verdict,
            proved_by=proved_by,
            drawn=self.drawn,
            draws=draws,
            assumed=[*assumed(problem), *SAMPLED],
            warnings=warnings,
            channel=problem.release.named_kind,
        )


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
    - count: how many draws of noise. - value: the true value of X, for one draw of X + noise, or
      the input of a channel, for one draw of its output.
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
    if value is not None and count > 1:
        raise InputError(
            f"count: {count} draws for one value are {count} releases, whose average shows it; "
            "one release is what is decided"
        )
    if isinstance(problem.release, Channel):
        if not isinstance(value, str):
            raise InputError("value: missing, expected the name of an input of the channel")
        draw = sampler(problem.release, value)
        _check_covered(problem, value)
        return SamplePlan(problem, OUTPUT, 1, draw)
    if value is None:
        return SamplePlan(problem, NOISE, count, drawer(problem.release.noise))
    exact = through(problem.source.steps, _checked_value(problem, value))
    noise = drawer(problem.release.noise, exact)
    match problem.release:
        case Stepped(steps=all_):
            return SamplePlan(problem, OUTPUT, 1, lambda bits: published(all_, exact + noise(bits)))
        case Noise():
            return SamplePlan(problem, RELEASE, 1, lambda bits: exact + noise(bits))
        case _:
            raise InputError(f"{problem.release.kind}: such a release is not drawn")


def checked_count(count: object) -> int:
    """Return how many draws are asked for, or raise InputError.

    Example: ``checked_count(0)`` raises.
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_COUNT:
        raise InputError(f"count: {shorten(count, 30)!r} is no whole number from 1 to {MAX_COUNT}")
    return count


def _alone(noise: Noise, count: int) -> SampleResult:
    draw, bits = drawer(noise), Bits()
    return _drawn_of(
        noise,
        verdict=None,
        proved_by=None,
        drawn=NOISE,
        draws=[_published(draw(bits)) for _ in range(count)],
        assumed=list(SAMPLED),
        warnings=[_ALONE, _SEPARATE],
    )


def _published(draw: Fraction | Output) -> Exact | Output:
    return Exact(draw) if isinstance(draw, Fraction) else draw


def _drawn_of(noise: Noise, **found: Any) -> SampleResult:
    """What was found, with the noise that it is about."""
    if noise.scale is None:
        raise TypeError("noise without a scale is not drawn")
    step = None if noise.step is None else Exact(str(noise.step))
    return SampleResult(noise=noise.kind, scale=real(noise.scale), step=step, **found)


def _checked_value(problem: Problem, value: object) -> Fraction:
    """The true value, which a prior covers wherever the problem says what X may be."""
    try:
        exact = rational(printable(value, "value"), "value")
    except InputError:
        raise InputError("value: expected an exact rational number, as 3, 0.25 or 1/3") from None
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > _VALUE_BITS:
        raise InputError("value: it has more than 600 digits")
    if not problem.source.part_alone:  # else the others add what they want
        _check_covered(problem, exact)
    return exact


def _check_covered(problem: Problem, value: Fraction | str) -> None:
    """Raise InputError where no prior that is compared has a mass at the true value."""
    compared = list(dict.fromkeys(name for pair in problem.pairs for name in pair))
    tables = problem.source.origin.laws.values()
    if not any(_covers(table[name], value) for table in tables for name in compared):
        raise InputError(
            "value: it has mass 0 under every prior that is compared, so that the problem says "
            "nothing about it"
        )


def _covers(prior: Prior, value: Fraction | str) -> bool:
    if isinstance(prior, Finite) and isinstance(value, str):
        return value in prior.support
    if isinstance(prior, Discrete) and isinstance(value, Fraction):
        point = value * prior.denominator
        at = bisect_left(prior.points, point)
        return at < len(prior.points) and prior.points[at] == point
    if isinstance(prior, Nothing) and isinstance(value, Fraction):
        return any(value == atom for atom, _ in prior.atoms())
    raise TypeError(f"a {prior.kind} prior has no mass at a {type(value).__name__}")
