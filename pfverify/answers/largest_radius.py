"""How wrong the priors may be: the largest radius of balls around them that a scale tolerates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, get_args

from pfverify.answers.sized import SizedResult, asked_at_scale
from pfverify.answers.stated import stated_at_scale
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid
from pfverify.exact.published import Infinite
from pfverify.model.alone import estimate_of
from pfverify.model.families.balls import TotalVariationBall, WInfinityBall
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.sources.families import EVERY, Families, given
from pfverify.results import DEFAULT_DIGITS
from pfverify.scales.search import Search, settled_verdict

Ball = Literal["tv", "winf"]
BALLS: tuple[Ball, ...] = get_args(Ball)
IN_WORDS: dict[Ball, str] = {"tv": "total variation", "winf": "W-infinity"}
_FIRST = Fraction(1, 100)
_TINY = Fraction(1, 1 << 160)
_BALLS = "each belief is any law in the ball around its prior, of every secret independently"
_EVERY = "all laws on these atoms are private"
_NO_BALL = "the priors themselves are private, no ball with a radius above 0 was found to be"
_NONE = "the priors themselves are not private"


@dataclass(frozen=True, repr=False, kw_only=True)
class LargestRadiusResult(SizedResult, ask="read .radius.lower or .radius.upper"):
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

    @property
    def verdict(self) -> Verdict:
        """Certified; refuted where the priors themselves are not private."""
        return Verdict.REFUTED if self.radius.upper == 0 else Verdict.CERTIFIED

    @property
    def told(self) -> str:
        """The radius that a problem is written with, as its file has it."""
        return f"radius = {self.radius.lower}"

    def _ends(self) -> str:
        return f"radius {self.radius.text} in {IN_WORDS[self.ball]}"


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
    problem = asked_at_scale(problem, digits, progress)
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
        assumed=[_BALLS if words == EVERY else words for words in assumed(around(_FIRST))],
        found=found,
        **stated_at_scale(problem),
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
    grid = Grid(digits)

    def decide(radius: Fraction) -> Verdict:
        if ball == "tv":
            radius = min(radius, Fraction(1))  # all laws are within 1
        return settled_verdict(around(radius) if radius else point)

    search = Search("at radius {}", decide, grid.text, later=Verdict.REFUTED)
    if search.holds(Fraction(0)):
        return Enclosure("0", "0"), _NONE
    if ball == "tv" and not search.holds(Fraction(1)):
        return Enclosure("inf", "inf"), _EVERY
    if search.answer(_TINY):  # as with epsilon = 0: a search would not end
        return Enclosure("0", grid.text(grid.above(_TINY))), _NO_BALL
    lower, upper, between = search.decimals(None, grid)
    return Enclosure(grid.text(lower), grid.text(upper)), between
