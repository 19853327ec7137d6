"""What each coordinate, each pair of coordinates or one of many releases loses alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from pfverify.decide.routes import comparison
from pfverify.exact.decimals import decimal_lower, decimal_upper
from pfverify.exact.enclosure import Enclosure, largest_of
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Infinite
from pfverify.exact.written import written
from pfverify.model.priors.joint import Joint
from pfverify.model.problem import Problem
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.repeated import Repeated
from pfverify.model.releases.selected import Selected
from pfverify.scales.parts import marginal, parts_of

_DIGITS = 6
_MOST_POINTS = 1 << 16  # of the grid of a pair of coordinates
_MOST_PARTS = 8  # coordinates that are looked at alone


@dataclass(frozen=True)
class Leak(NoTruth, ask="compare .loss.upper"):
    """What something loses alone, and what its own parts lose alone in sum (None of one part)."""

    names: tuple[str, ...]
    loss: Enclosure
    parts: Enclosure | None = None

    @property
    def more(self) -> bool:
        """Whether it is proved to lose more than its parts alone in sum."""
        return self.parts is not None and bool(self.loss.lower > self.parts.upper)


@dataclass(frozen=True)
class Leaks(NoTruth, ask="read .alone and .whole"):
    """What parts lose alone, and what `whole`, all of them, does.

    `of_delta`: losses are epsilon*, or where that is infinite delta at the problem's epsilon.
    `pairs` are those of three or more coordinates that are proved to lose more than both alone in
    sum. `releases`: how many there are, None of coordinates.
    """

    alone: tuple[Leak, ...]
    pairs: tuple[Leak, ...]
    whole: Leak
    of_delta: bool
    releases: int | None = None


def leaks(problem: Problem) -> Leaks | None:
    """Return what the coordinates or releases of a problem lose alone; None where there is one.

    None too where there are more than `_MOST_PARTS` coordinates: to name them all tells little.

    Example: ``leaks(problem)`` is None.
    Source: design facts F40 to F43.
    """
    release, names = problem.release, problem.numbers
    if isinstance(release, Processed | Selected):  # what follows makes no part of each number alone
        return None
    if isinstance(release, Repeated) and not names and release.count > 1:
        singles = [problem.under(share.release) for share in release.shares]
        of_delta = isinstance(_loss(singles[0]).lower, Infinite)
        alone = tuple(
            Leak((f"{release.noise.size_name} {one.scale().text}",), _loss(one, of_delta=of_delta))
            for one in singles
        )
        summed = _sum([leak.loss for leak, share in zip(alone, release.shares, strict=True)
                       for _ in range(share.times)])  # fmt: skip
        whole = Leak(("all",), _loss(problem, of_delta=of_delta), summed)
        return Leaks(alone, (), whole, of_delta, release.count)
    few = 2 <= len(names) <= _MOST_PARTS
    if not few or not problem.release.noise.exponential or isinstance(release, Repeated):
        return None
    if not problem.release.noise.has_size:
        return None
    alone = tuple(
        Leak((name,), _loss(part.problem))
        for name, part in zip(names, parts_of(problem), strict=True)
    )
    pairs = tuple(_pairs(problem, names, alone)) if len(names) > 2 else ()
    whole = Leak(names, _loss(problem), _sum([leak.loss for leak in alone]))
    return Leaks(alone, pairs, whole, of_delta=False)


def _pairs(problem: Problem, names: Sequence[str], alone: Sequence[Leak]) -> list[Leak]:
    """The pairs of coordinates that lose more than both alone, the one that loses most first."""
    found, release = [], problem.release
    for i, j in combinations(range(len(names)), 2):
        if _points(problem, i) * _points(problem, j) > _MOST_POINTS:
            continue
        noise = release.noise
        two = Coordinates(noise, [release.scales[k] for k in (i, j)]) if (
            isinstance(release, Coordinates)
        ) else noise  # fmt: skip
        loss = _loss(marginal(problem, [i, j], two))
        leak = Leak((names[i], names[j]), loss, _sum([alone[i].loss, alone[j].loss]))
        if leak.more:
            found.append(leak)
    return sorted(found, key=lambda leak: -float(leak.loss.upper))


def _points(problem: Problem, index: int) -> int:
    return len({
        x for table in problem.beliefs.values() for law in table.values()
        if isinstance(law, Joint) for x in law.axis(index)
    })  # fmt: skip


def _loss(problem: Problem, *, of_delta: bool = False) -> Enclosure:
    """The largest loss over all ordered pairs, or the largest delta at epsilon."""
    return largest_of([
        written(order.exceeding() if of_delta else order.loss().value, _DIGITS)
        for item in problem.questions() for order in comparison(item)
    ])  # fmt: skip


def _sum(losses: Sequence[Enclosure]) -> Enclosure:
    ends = [
        "inf" if any(isinstance(end, Infinite) for end in side)
        else rounded(sum((Fraction(end) for end in side), Fraction(0)), _DIGITS)
        for side, rounded in (
            ([one.lower for one in losses], decimal_lower),
            ([one.upper for one in losses], decimal_upper),
        )
    ]  # fmt: skip
    return Enclosure(*ends)
