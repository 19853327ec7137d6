"""How wrong the priors may be: the largest radius of balls around them that a scale tolerates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Literal, get_args

from pfverify.answers.outcome import (
    DEFAULT_DIGITS,
    UNSAID,
    WHERE_SAID,
    checked_digits,
    checked_progress,
    target_text,
)
from pfverify.decide.assumptions import assumed
from pfverify.decide.routes import comparison
from pfverify.decide.verdict import Verdict, joined_lazily, verdict_of
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.decimals import decimal_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Infinite, Real, real
from pfverify.exact.search import least_decimal
from pfverify.model.alone import estimate_of
from pfverify.model.families.balls import TotalVariationBall, WInfinityBall
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem, as_problem
from pfverify.model.sources.families import EVERY, Families, given
from pfverify.results import Shown

Ball = Literal["tv", "winf"]
BALLS: tuple[Ball, ...] = get_args(Ball)
IN_WORDS: dict[Ball, str] = {"tv": "total variation", "winf": "W-infinity"}
_FIRST = Fraction(1, 100)
_STEPS = 40
_TINY = Fraction(1, 10**36)
_BALLS = "each belief is any law in the ball around its prior, of every secret independently"
_EVERY = "all laws on these atoms are private"
_NO_BALL = "the priors themselves are private, no ball with a radius above 0 was found to be"
_NONE = "the priors themselves are not private"


@dataclass(frozen=True, repr=False)
class LargestRadiusResult(Shown, NoTruth, ask="read .radius.lower or .radius.upper"):
    """The largest radius of balls around the priors of all secrets at which a scale is private.

    `radius.lower` is certified and `radius.upper` refuted, neighbouring decimals unless `reason`
    says what is open; both are infinite where every radius is private, and 0 where not even the
    priors are. `ball` is tv (total variation, on the alphabet of a family, else on all places of
    the problem, also those of mass 0) or winf (W-infinity, on the whole line). `alphabet` are the
    places where some law of a ball may have mass; None means the whole line. `problem` is what was
    asked about, `found` the one with the certified radius.
    """

    ball: Ball
    radius: Enclosure
    alphabet: list[str] | None
    reason: str | None
    scale: Real
    noise: str
    epsilon: Real
    delta: Real
    form: str
    assumed: list[str]
    notion: str | None = field(default=None, metadata=WHERE_SAID)
    problem: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)
    found: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)

    @property
    def verdict(self) -> Verdict:
        """Certified; refuted where the priors themselves are not private."""
        return Verdict.REFUTED if self.radius.upper == 0 else Verdict.CERTIFIED

    @property
    def told(self) -> str:
        """The radius that a problem is written with, as its file has it."""
        return f"radius = {self.radius.lower}"

    def _line(self) -> str:
        target = target_text(self.epsilon, self.delta)
        return f"radius {self.radius.text} in {IN_WORDS[self.ball]} for {target}"


def largest_radius(
    problem: Problem | str | Path,
    ball: Ball,
    *,
    digits: int = DEFAULT_DIGITS,
    progress: Callable[[int, int], None] | None = None,
) -> LargestRadiusResult:
    """Return the largest radius of balls around the priors that the problem's scale tolerates.

    The balls are around the priors of all secrets at once, around the centre or the counts of a
    family, in total variation on its alphabet; `ball` says in which distance. A larger ball has
    more members, so that radii are private up to one. `problem` may be the name of its file;
    `progress(done, total)` is called once.
    Raises InputError for priors that are not of atoms or inputs, and UndecidedError where no radius
    is decided.

    Example: ``largest_radius(problem, "tv").radius.lower``.
    Source: design facts F60, F61 and F63.
    """
    checked_progress(progress)
    problem, digits = as_problem(problem), checked_digits(digits)
    if ball not in BALLS:
        raise InputError(f"radius: {ball!r} is unknown, expected {' or '.join(BALLS)}")
    problem.scale()
    if ball == "winf" and problem.delta.sign() != 0:
        raise InputError(
            "--radius winf: W-infinity balls on the whole line are decided for delta = 0"
        )
    point = estimate_of(problem)
    alphabets = _alphabets(problem, point) if ball == "tv" else {}
    every = [place for table in alphabets.values() for one in table.values() for place in one]

    def around(radius: Fraction) -> Problem:
        beliefs = {
            belief: {
                secret: _ball(law, ball, radius, alphabets.get(belief, {}).get(secret))
                for secret, law in table.items()
            }
            for belief, table in point.beliefs.items()
        }
        return Problem.of(given(beliefs), point.release, point.requirement, point.pairs)

    radius, reason = _largest(point, around, ball, digits)
    if progress:
        progress(1, 1)
    found = None
    if radius.upper > 0 and not isinstance(radius.lower, Infinite):
        found = around(Fraction(radius.lower))
    return LargestRadiusResult(
        ball=ball,
        radius=radius,
        alphabet=[*dict.fromkeys(every)] or None,
        reason=reason,
        scale=real(problem.scale()),
        noise=problem.release.noise.kind,
        epsilon=real(problem.epsilon),
        delta=real(problem.delta),
        form=problem.form,
        assumed=[_BALLS if words == EVERY else words for words in assumed(around(_FIRST))],
        notion=problem.named_notion,
        problem=problem,
        found=found,
    )


def _alphabets(problem: Problem, point: Problem) -> dict[str, dict[str, list[str]]]:
    """Where the laws of balls in total variation may have mass: belief -> secret -> places."""
    for table in point.beliefs.values():
        for law in table.values():
            _ball(law, "tv", _FIRST, None)  # InputError for other laws
    source = problem.source
    stated = source if isinstance(source, Families) else Families(point.beliefs)
    return stated.alphabets(getattr(point.release, "inputs", ()))


def _ball(law: Prior, ball: Ball, radius: Fraction, alphabet: list[str] | None) -> Prior:
    if not isinstance(law, Discrete | Finite):
        raise InputError(f"radius: balls are around priors of atoms, not of kind {law.kind}")
    mass = {str(place): amount for place, amount in law.mass.items()}
    if ball == "winf":
        return WInfinityBall(mass, radius)
    return TotalVariationBall(mass, radius, alphabet=alphabet)


def _largest(
    point: Problem, around: Callable[[Fraction], Problem], ball: Ball, digits: int
) -> tuple[Enclosure, str | None]:
    """The certified and the refuted end, and why an end is what it is."""
    undecided: list[Fraction] = []

    def fails(radius: Fraction) -> bool:
        verdict = _verdict(around(radius) if radius else point)
        if verdict is Verdict.UNDECIDED:
            undecided.append(radius)
            raise UndecidedError(f"the verdict at radius {decimal_text(radius)} is undecided")
        return verdict is Verdict.REFUTED

    if fails(Fraction(0)):
        return Enclosure("0", "0"), _NONE
    if ball == "tv" and not fails(Fraction(1)):
        return Enclosure("inf", "inf"), _EVERY
    grid, near = Grid(digits), _near(fails, ball)
    if near < _TINY and fails(near):  # as with epsilon = 0: a search would not end
        return Enclosure("0", decimal_text(grid.above(near), digits)), _NO_BALL
    lower, upper = least_decimal(fails, near, grid)
    between = [one for one in undecided if lower < one < upper]
    reason = f"the verdict at radius {decimal_text(between[-1])} is undecided" if between else None
    return Enclosure(decimal_text(lower, digits), decimal_text(upper, digits)), reason


def _near(fails: Callable[[Fraction], bool], ball: Ball) -> Fraction:
    """A radius near the largest private one, by bisection."""
    low, high = Fraction(0), Fraction(1)
    while ball == "winf" and not fails(high):
        low, high = high, 4 * high
    for _ in range(_STEPS):
        middle = Fraction((float(low) + float(high)) / 2 if low else float(high) / 16)
        try:
            low, high = (low, middle) if fails(middle) else (middle, high)
        except UndecidedError:
            return middle  # as near as the verdicts tell
    return high


def _verdict(problem: Problem) -> Verdict:
    return joined_lazily(
        verdict_of(order.settled().sign)
        for item in problem.questions() for order in comparison(item)
    )  # fmt: skip
