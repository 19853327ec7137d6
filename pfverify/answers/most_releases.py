"""How many releases of one X the scale of a problem allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from pfverify.answers.methods import Minimum
from pfverify.answers.sized import SizedResult, asked_at_scale
from pfverify.answers.stated import stated_at_scale
from pfverify.decide.assumptions import assumed
from pfverify.decide.routes import at_any_scale
from pfverify.decide.verdict import Verdict, joined_lazily
from pfverify.errors import InputError
from pfverify.model.problem import Problem
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import (
    MOST_RELEASES,
    SAME,
    Repeated,
)
from pfverify.scales.minimum import without_noise
from pfverify.scales.search import Search, settled_verdict

_FEW = 4  # releases that are asked about first
_BARE = "X itself meets the target, and releases of it reveal no more"
_EQUAL = "the priors of every pair are equal"
_NOTHING = "delta = 1 bounds nothing"
_MANY = f"a problem states at most {MOST_RELEASES} releases, which are certified"
_OPEN = (
    "with delta > 0 all releases together are known between two bounds, which leave the numbers "
    "between open; where X is a point under either secret a smaller --gap tells more"
)


@dataclass(frozen=True, repr=False, kw_only=True)
class MostReleasesResult(SizedResult, ask="read .most.lower or .most.upper"):
    """The largest number of releases that a scale allows; `draws` says of how many draws of X.

    `most.lower` are certified, and one more than `most.upper` is refuted; the two are the same
    number where it is known: for delta = 0, for gaussian noise, and nearly always where X is a
    point under either secret. Both are infinite where any number is private. `problem` is what was
    asked about, `found` the same with the certified number.
    """

    most: Minimum
    draws: str

    @property
    def verdict(self) -> Verdict:
        """Certified; refuted where even one release fails; undecided where none is certified."""
        if self.most.upper == 0:
            return Verdict.REFUTED
        return Verdict.UNDECIDED if self.most.lower == 0 else Verdict.CERTIFIED

    @property
    def told(self) -> str:
        """The number that a problem is written with, as its file has it."""
        return f"releases = {self.most.lower}"

    @property
    def reason(self) -> str:
        """Why there is no such number, or none is known."""
        return self.most.reason or "not even one release is private"

    def _ends(self) -> str:
        return f"at most {self.most.text} releases"


def most_releases(
    problem: Problem | str | Path,
    *,
    digits: int = 12,
    progress: Callable[[int, int], None] | None = None,
) -> MostReleasesResult:
    """Return how many releases of one X the scale of a problem allows, of fresh draws where it
    says so; the number that it states is ignored.

    `problem` may be the name of its file; `digits` changes nothing. `progress(done, total)` is
    called once.
    Raises InputError for releases of several scales, and for a total.

    Example: ``most_releases(problem).most.lower``.
    Source: design facts F40, F41, F43 and F70 to F74.
    """
    problem = asked_at_scale(problem, digits, progress)
    one, draws = _one(problem)
    most, bare = _most(problem, one, draws)
    if progress:
        progress(1, 1)
    many = _with(problem, one, draws, 2)  # the number is what is asked: no assumption
    counted = not bare and most.lower > 0
    found = _with(problem, one, draws, int(most.lower)) if counted else None
    return MostReleasesResult(
        most=most,
        draws=draws,
        assumed=[words for words in assumed(many) if words != many.release.several],
        found=found,
        **stated_at_scale(problem),
    )


def _one(problem: Problem) -> tuple[Noise | Coordinates, str]:
    """One release, and of how many draws several are."""
    release = problem.release
    problem.scale()
    match release:
        case Repeated() if len(release.shares) == 1:
            return release.one, release.draws
        case Noise() | Coordinates():
            return release, SAME
        case _:
            what = "scales" if isinstance(release, Repeated) else release.kind
            raise InputError(f"--releases: expected one release, or some of one scale, not {what}")


def _with(problem: Problem, one: Noise | Coordinates, draws: str, count: int) -> Problem:
    return problem.under(Repeated(one, count=count, draws=draws))


def _most(problem: Problem, one: Noise | Coordinates, draws: str) -> tuple[Minimum, bool]:
    """The ends, and whether any number is private."""
    items = list(problem.under(one).questions())
    if all(item.first_prior == item.second_prior for item in items):
        return Minimum("inf", "inf", _EQUAL), True
    if problem.delta.fraction == 1:
        return Minimum("inf", "inf", _NOTHING), True
    if draws == SAME and one.more_scale is not None:  # else more noise may say more
        bare = joined_lazily(without_noise(at_any_scale(item)) for item in items)
        if bare is Verdict.CERTIFIED:
            return Minimum("inf", "inf", _BARE), True

    @cache
    def verdict(count: int) -> Verdict:
        return settled_verdict(_with(problem, one, draws, count))

    few = [count for count in range(1, _FEW + 1) if verdict(count) is Verdict.REFUTED]

    def decide(count: Fraction) -> Verdict:
        if few and count >= few[0]:
            return Verdict.REFUTED
        if count < 1:
            return Verdict.CERTIFIED
        return Verdict.UNDECIDED if count > MOST_RELEASES else verdict(int(count))

    search = Search("of {} releases", decide, later=Verdict.REFUTED)
    low, high = search.integers(1, MOST_RELEASES)
    lower = max(low or 0, 0)
    if high is None:
        full = lower == MOST_RELEASES
        return Minimum(str(lower), "inf", _MANY if full else _OPEN), False
    return Minimum(str(lower), str(high - 1), None if high - 1 == lower else _OPEN), False
