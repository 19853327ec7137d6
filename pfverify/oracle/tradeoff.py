"""The trade-off function of two released laws: the least type II error of a test at a level.

With H(t) = sup over B of Q(B) - t P(B), f(alpha) = sup over t of g(t) = 1 - H(t) - alpha t, which
is concave. Every value of g is a lower bound; a chord of g, prolonged, is an upper bound.
Source: Dong, Roth and Su, Gaussian differential privacy (2022), Propositions 1 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Any, Unpack, overload

from pfverify.decide.charts.compared import ChartComparison
from pfverify.decide.charts.signed import power_of_two_near_root
from pfverify.decide.comparison import Comparison
from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_lower, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import Number
from pfverify.exact.written import written
from pfverify.keywords import taking
from pfverify.laws.kinds import law_of
from pfverify.model.channels.channel import Channel
from pfverify.model.releases.release import Release
from pfverify.model.target import Target
from pfverify.oracle.answers import FEW_DIGITS, Enclosed, Floats, given, refined
from pfverify.oracle.arguments import (
    AnyPrior,
    EnclosingBoth,
    Numbers,
    RoundingBoth,
    Wanted,
    WantedBoth,
    rationals,
)
from pfverify.oracle.released import ReleasedPair

_ZERO = Number.of_rational(0)
_ROUNDS = 200
_REFINEMENTS = 6
_FARTHEST = Fraction(1, 10**3000)  # a growth below which nothing is looked for
Ends = tuple[Fraction, Fraction]


@overload
def tradeoff(
    p: AnyPrior, q: AnyPrior, noise: Release, alpha: Numbers, **more: Unpack[RoundingBoth]
) -> Floats: ...
@overload
def tradeoff(
    p: AnyPrior, q: AnyPrior, noise: Release, alpha: Numbers, **more: Unpack[EnclosingBoth]
) -> Enclosed: ...
@taking(WantedBoth)
def tradeoff(
    p: AnyPrior, q: AnyPrior, noise: Release, alpha: Numbers, **options: Any
) -> Enclosed | Floats:
    """Return the trade-off function f(alpha) of P against Q.

    It is the least type II error, under Q, of all (randomised) tests of "the law is P" whose type
    I error is at most alpha: f(alpha) is the largest 1 - delta(epsilon) - e**epsilon alpha over
    all real epsilon, with delta of Q against P. `alpha` is a rational number in [0, 1] or many;
    `both` means the smaller of both orders. The other parameters are as of `delta`.
    Returns an `Enclosure` or a float; for many scales or alphas `Enclosures` or an array of float64
    of shape (scales..., alphas...). Where epsilon would have to be in the hundreds or more, for a
    number that is almost 0, an enclosure may be wide, but is right.
    Raises InputError naming what is wrong with the arguments, and at alpha = 0 for a channel whose
    masses are not all rational.
    Example: ``tradeoff(Discrete({0: 1}), Discrete({0: 1}), Laplace(1), "1/4").text`` is ``"0.75"``.
    Source: Dong, Roth and Su, Gaussian differential privacy (2022), Definition 2.1.
    """
    asked = WantedBoth(**options)
    alphas = rationals(alpha, "alpha", exact=asked.exact)
    for value in alphas.values:
        if not 0 <= value <= 1:
            raise InputError(f"alpha: {shorten(value)} is outside [0, 1]")
    pair = ReleasedPair.of(p, q, noise, asked)

    def at(release: Release) -> list[Any]:
        curves = _curves(pair, release)[: 2 if asked.both else 1]
        return [_least(curves, value, asked) for value in alphas.values]

    return pair.answers(at, alphas.shape)


def _least(
    curves: Sequence[Rational | Profile], alpha: Fraction, asked: Wanted
) -> Enclosure | float:
    """The smaller of some trade-off functions at one level."""
    known = [value for curve in curves if (value := curve.known(alpha)) is not None]
    if known:  # all of them, or none
        return given(min(known), asked)
    profiles = [curve for curve in curves if isinstance(curve, Profile)]

    def enclosed(n: int) -> Enclosure:
        ends = [profile.enclosed(alpha, n) for profile in profiles]
        low, high = (min(side) for side in zip(*ends, strict=True))
        return Enclosure(decimal_lower(low, n), decimal_upper(high, n))

    return refined(enclosed, "tradeoff", asked, FEW_DIGITS)


def _curves(question: ReleasedPair, release: Release) -> tuple[Rational | Profile, ...]:
    """Both orders."""
    masses = _rational_masses(question, release)
    if masses is not None:
        return Rational(masses), Rational([(b, a) for a, b in masses])
    first, second = question.orders(release)
    everywhere = not release.noise.adds_nothing
    return Profile(first, second, everywhere), Profile(second, first, everywhere)


def _rational_masses(question: ReleasedPair, release: Release) -> list[Ends] | None:
    """Both masses of every output where there are finitely many, all rational; else None."""
    if isinstance(release, Channel) and not release.written_out:
        return None
    p, q = (
        law_of(prior, release)
        for prior in (question.item.first_prior, question.item.second_prior)
    )
    if p.size is None or q.size is None:
        return None
    outputs = dict.fromkeys((*p.outputs, *q.outputs))
    pairs = [(p.known_weight(y), q.known_weight(y)) for y in outputs]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return known if len(known) == len(pairs) else None


class Rational:
    """The trade-off function of finitely many rational masses: the lemma of Neyman and Pearson."""

    def __init__(self, masses: list[Ends]) -> None:
        """Take both masses of every output: those with the largest q/p are rejected first."""
        kept = [(a, b) for a, b in masses if a or b]
        kept.sort(key=lambda both: (bool(both[0]), -both[1] / both[0] if both[0] else 0))
        self.masses = kept
        self.levels = list(accumulate(a for a, _ in kept))
        self.powers = list(accumulate(b for _, b in kept))

    def known(self, alpha: Fraction) -> Fraction:
        """Return f(alpha)."""
        for (p, q), level, power in zip(self.masses, self.levels, self.powers, strict=True):
            if level > alpha:
                return 1 - power + (level - alpha) / p * q
        return Fraction(0)


@dataclass(frozen=True)
class _Knot:
    """A growth t with an enclosure of g there, and of its slopes from t - h and to t + h."""

    t: Fraction
    h: Fraction
    at: Ends
    rising: Ends
    falling: Ends

    def slope(self) -> Fraction:
        """About the slope at t."""
        return (_middle(self.rising) + _middle(self.falling)) / 2


class Profile:
    """The trade-off function from hockey-stick divergences at rational growths t = e**epsilon.

    `forward` is P against Q, `backward` Q against P; `everywhere`: both have a positive density,
    or mass, at every output.
    """

    def __init__(self, forward: Comparison, backward: Comparison, everywhere: bool) -> None:
        self.forward, self.backward, self.everywhere = forward, backward, everywhere
        self.divergence = cache(self._divergence)

    def known(self, alpha: Fraction) -> Fraction | None:
        """Return f at 0 and 1: what Q has outside the support of P is rejected for nothing."""
        if alpha == 1:
            return Fraction(0)
        if alpha:
            return None
        if self.everywhere:
            return Fraction(1)
        if isinstance(self.backward, ChartComparison):
            return 1 - sum((part.weight for part in self.backward.order.alone), Fraction(0))
        raise InputError("alpha: 0 is not worked out for a channel of other than rational masses")

    def enclosed(self, alpha: Fraction, digits: int) -> Ends:
        """Return ends around f(alpha), 0 < alpha < 1, so narrow that `digits` digits are right.

        Wide, but right, where that many are not found.
        """
        return _Search(self, alpha, digits).ends()

    def _divergence(self, t: Fraction, digits: int) -> Ends:
        """Ends around H(t), from epsilon = |log t| in one of the orders."""
        compared, growth = (self.backward, t) if t >= 1 else (self.forward, 1 / t)
        epsilon = Number.of_rational(growth).log() if growth != 1 else _ZERO
        found = written(compared.against(Target(epsilon, _ZERO)).exceeding(), digits)
        low, high = Fraction(found.lower), min(Fraction(1), Fraction(found.upper))
        return (low, high) if t >= 1 else (1 - t + t * low, 1 - t + t * high)


class _Search:
    """The largest g(t) = 1 - H(t) - alpha t, between knots on either side of it."""

    def __init__(self, profile: Profile, alpha: Fraction, digits: int) -> None:
        self.profile, self.alpha, self.digits = profile, alpha, digits
        self.best, self.evaluated = Fraction(0), 2 * digits + 8
        self.step = Fraction(1, 10 ** (digits // 2 + 4))
        self.level: Fraction | None = None
        self.refined = 0

    def value(self, t: Fraction) -> Ends:
        low, high = self.profile.divergence(t, self.evaluated)
        least = 1 - high - self.alpha * t
        self.best = max(self.best, least)
        return least, 1 - low - self.alpha * t

    def knot(self, t: Fraction) -> _Knot:
        t = _short(t, self.digits + 6)
        h = _short(t * self.step, 1)
        before, at, after = (self.value(place) for place in (t - h, t, t + h))
        return _Knot(t, h, at, _slope(before, at, h), _slope(at, after, h))

    def ends(self) -> Ends:
        """Narrow the knots until the bound above is near the best value."""
        left, right = self._around()
        if right is None:
            return self.best, 1 - self.alpha
        if left is None:  # g(t) <= t, as H(t) >= 1 - t
            return self.best, min(1 - self.alpha, max(right.t, self._beyond(right)))
        for turn in range(_ROUNDS):
            top = self.bound(left, right)
            if (top - self.best) * 10**self.digits <= self.best / 2:
                break
            if right.t - left.t <= 8 * self.step * right.t or turn % 20 == 19:
                if self.refined == _REFINEMENTS:
                    break
                self._finer()
                left, right = self.knot(left.t), self.knot(right.t)
            t = self._proposal(left, right, turn)
            left, right = self._narrowed(left, right, t)
        return self.best, min(top, 1 - self.alpha)

    def _proposal(self, left: _Knot, right: _Knot, turn: int) -> Fraction:
        """A growth between two knots: where g has a corner, or where its slope is about 0.

        The latter is moved towards the farther knot by its own change, so that both come nearer.
        """
        middle = (left.t + right.t) / 2
        if right.t > 4 * left.t:
            return power_of_two_near_root(left.t * right.t)
        if turn % 2:
            crossing = _crossing(left, right)
            return crossing if left.t < crossing < right.t else middle
        low, high = left.slope(), right.slope()
        if not low > 0 > high:
            return middle
        level = left.t + (right.t - left.t) * low / (low - high)
        change = abs(level - self.level) if self.level else (right.t - left.t) / 4
        change = max(change, 2 * self.step * level)
        self.level = level
        t = level + change if level - left.t < right.t - level else level - change
        return t if left.t < t < right.t else middle

    def _finer(self) -> None:
        """Twice the digits, for a function that is small or has a corner."""
        self.refined += 1
        self.evaluated += self.digits + 8
        self.step /= 10 ** (self.digits // 2 + 2)

    def _around(self) -> tuple[_Knot | None, _Knot | None]:
        """Knots on both sides of the top, by growing factors from 1; None beyond what is known.

        Where only the left one is None the top is left of the right one.
        """
        here, factor = self.knot(Fraction(1)), Fraction(2)
        side = _side(here)
        if side == 0:
            return self._beside(here)
        while True:
            t = here.t * factor if side < 0 else here.t / factor
            if t < _FARTHEST:
                return None, here
            if t > 1 / _FARTHEST:
                return here, None
            there = self.knot(t)
            if there.at[1] - there.at[0] > min(Fraction(1), t) / 2:  # nothing is known there
                return (here, None) if side < 0 else (None, here)
            other = _side(there)
            if other == 0:
                return self._beside(there)
            if other != side:
                return (here, there) if side < 0 else (there, here)
            here, factor = there, factor * factor

    def _beside(self, peak: _Knot) -> tuple[_Knot, _Knot]:
        return self.knot(peak.t - 2 * peak.h), self.knot(peak.t + 2 * peak.h)

    def _narrowed(self, left: _Knot, right: _Knot, t: Fraction) -> tuple[_Knot, _Knot]:
        found = self.knot(t)
        side = _side(found)
        if side == 0:
            low, high = self._beside(found)
            return (low if low.t > left.t else left), (high if high.t < right.t else right)
        return (found, right) if side < 0 else (left, found)

    def bound(self, left: _Knot, right: _Knot) -> Fraction:
        """Return an upper bound of g everywhere.

        Left of the left knot its chord to the right, prolonged, bounds g; between the knots the
        outer chords of both do; right of the right knot its chord to the left does.
        """
        outside = left.at[1] + max(Fraction(0), -left.falling[0]) * left.t
        outside = max(outside, self._beyond(right))
        up, down = left.rising[1], right.falling[0]
        # the lines left.at + up (t - left.t) and right.at + down (t - right.t)
        gap = right.t - left.t
        ends = left.at[1] + up * gap, right.at[1] - down * gap
        inside = [min(left.at[1], ends[1]), min(ends[0], right.at[1])]
        if up != down:
            at = (right.at[1] - left.at[1] - down * gap) / (up - down)
            if 0 < at < gap:
                inside.append(left.at[1] + up * at)
        return max(outside, *inside)


    def _beyond(self, right: _Knot) -> Fraction:
        """An upper bound of g from a knot on; from t = 1/alpha on g is at most 0."""
        reach = max(Fraction(0), 1 / self.alpha - right.t)
        return right.at[1] + max(Fraction(0), right.rising[1]) * reach


def _side(knot: _Knot) -> int:
    """-1 where g still rises behind the knot, 1 where it falls before it, 0 at a top between."""
    if _middle(knot.falling) > 0:
        return -1
    return 1 if _middle(knot.rising) < 0 else 0


def _middle(ends: Ends) -> Fraction:
    return (ends[0] + ends[1]) / 2


def _slope(low: Ends, high: Ends, h: Fraction) -> Ends:
    return (high[0] - low[1]) / h, (high[1] - low[0]) / h


def _crossing(left: _Knot, right: _Knot) -> Fraction:
    """Where the outer chords cross: a proposal."""
    up, down = _middle(left.rising), _middle(right.falling)
    if up == down:
        return left.t
    start, end = _middle(left.at), _middle(right.at)
    return left.t + (end - start - down * (right.t - left.t)) / (up - down)


def _short(value: Fraction, digits: int) -> Fraction:
    """A positive number to so many digits, as a decimal."""
    return Fraction(decimal_lower(value, digits))
