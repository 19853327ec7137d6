"""Most density of one W-infinity ball and least of another, between the points where they turn.

At an output y the members with most density move every atom towards y, up to the radius, and those
with least away from it. So with rate = 1/scale, up to the constant of the noise,

    most(y)  = sum of P(x) e^(-rate max(|y-x| - r, 0))
    least(y) = e^(-rate s) sum of Q(x) e^(-rate |y-x|),  r and s the radii.

Between two turning points b, b' the first is L u + C + R/u and the second, without its constant
factor, L' u + R'/u, with u = e^(-rate (y-b)) between e^(-rate (b'-b)) and 1.
Source: design facts F63 and F63b.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.sweep.decays import Apart, Decays, Distance, decayed
from pfverify.laws.sweep.ring import BothSides
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.priors.prior import Prior

Atoms = dict[Fraction, Fraction]


class Turning(NamedTuple):
    """Both at one turning point and up to the next: what is on the left, here, and on the right.

    `tau` is e^(-rate gap) to the next one, 0 behind the last.
    """

    left: Raw
    here: Fraction
    right: Raw
    other_left: Raw
    other_right: Raw
    tau: Raw


def spread_of(prior: Prior) -> tuple[Atoms, Fraction]:
    """Return the centre and the radius of a W-infinity ball; TypeError for another prior.

    Example: ``spread_of(WInfinityBall({0: 1}, 2))[1]`` is 2.
    """
    if not isinstance(prior, WInfinityBall):
        raise TypeError(f"{type(prior).__name__} is no W-infinity ball")
    return prior.centre, prior.radius


class Envelopes:
    """Most density of `first` and least of `second`, W-infinity balls.

    `points`: where one of the two turns, sorted; `shift`: the radius that falls to the second.
    """

    def __init__(self, first: Prior, second: Prior) -> None:
        (self.law, self.radius), (self.other, self.shift) = spread_of(first), spread_of(second)
        starts = {x - self.radius for x in self.law}
        ends = {x + self.radius for x in self.law}
        self.points = sorted(starts | ends | self.other.keys())

    @cached_property
    def gaps(self) -> list[Fraction]:
        """The distances between neighbouring points."""
        return [b - a for a, b in zip(self.points, self.points[1:], strict=False)]

    @cached_property
    def _arriving(self) -> list[tuple[Fraction, Fraction, Fraction]]:
        """Of every point: the mass left behind, the one that comes within reach, the other's."""
        r, none = self.radius, Fraction(0)
        return [
            (self.law.get(y - r, none), self.law.get(y + r, none), self.other.get(y, none))
            for y in self.points
        ]

    def here(self, k: int) -> Fraction:
        """Return the mass that is within the radius from a point to the next one."""
        return self._here[k]

    @cached_property
    def _here(self) -> list[Fraction]:
        """Of every point: the mass that is within the radius from there to the next point."""
        return list(accumulate(entered - left for left, entered, _ in self._arriving))

    def pieces(self, rate: Raw) -> list[Turning]:
        """Return what is around every point at a rate, in balls of the current precision."""
        taus = Decays(-rate).over(self.gaps)
        left_behind, entered, other = zip(*self._arriving, strict=True)
        left, _ = _around(left_behind, taus)
        _, right = _around(entered, taus)
        sides = left, self._here, right, *_around(other, taus), [*taus, raw(0)]
        return [Turning(*piece) for piece in zip(*sides, strict=True)]

    def sums(self, k: int, rate: Exponent) -> tuple[ExpSum, ExpSum, ExpSum, ExpSum]:
        """Return left, right, other left and other right around a point, as exact sums."""
        y, r = self.points[k], self.radius
        return (
            decayed(rate, ((y - x - r, mass) for x, mass in self.law.items() if x + r <= y)),
            decayed(rate, ((x - r - y, mass) for x, mass in self.law.items() if x - r > y)),
            decayed(rate, ((y - x, mass) for x, mass in self.other.items() if x <= y)),
            decayed(rate, ((x - y, mass) for x, mass in self.other.items() if x > y)),
        )

    def log_ratio(self, y: Fraction, rate: Raw) -> Raw:
        """Return log most(y)/least(y) at an output, at the current precision.

        The nearest atoms' distances are taken out, so that nothing underflows.
        """
        apart = []
        for law, radius in ((self.law, self.radius), (self.other, Fraction(0))):
            placed: list[tuple[Distance, Raw]] = [
                (max(abs(y - x) - radius, Fraction(0)), raw(mass)) for x, mass in law.items()
            ]
            apart.append(Apart.of(placed, -rate))
        most, least = apart
        return most.log_over(Apart(least.distance + self.shift, least.rest), -rate)


def _around(masses: Sequence[Fraction], taus: Sequence[Raw]) -> tuple[list[Raw], list[Raw]]:
    """At every point the sum of what is up to it, and of what is behind it."""
    sums = BothSides.of([raw(mass) for mass in masses], taus)
    return sums.left, [*(behind * tau for _, behind, tau in sums.gaps()), raw(0)]
