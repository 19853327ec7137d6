"""Whether most density of one W-infinity ball is at most e^epsilon times least of another."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Comparison, Orders, Settled, Supremum
from pfverify.decide.evidence import AtAtoms
from pfverify.decide.spread.envelope import Envelopes, Turning
from pfverify.exact.ball import Raw, dyadic, fraction_of, largest, precision, raw
from pfverify.exact.expsum import ExpSum
from pfverify.exact.refined import (
    ANYTHING,
    PROBABILITY,
    ZERO,
    Between,
    ByBalls,
    Refined,
    ends_of,
    rising_balls,
)
from pfverify.exact.rising import MOST_BITS
from pfverify.laws.forms import NoisyBall
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.priors.prior import Prior
from pfverify.model.target import Target

_BITS = (64, 256)
_LOSS_BITS = 128
_BREACH_BITS = (128, 512, 2048)
_CLOSE = 1e-15  # of logarithms: the first of such outputs is the one that is told
_KEPT = Fraction(99_999, 100_000)  # of a margin that may be a short decimal, which none exceeds
_MOST_TERMS = 400  # atoms up to which what balls leave open is written out
_OPEN = (
    "most of one density may equal e^epsilon times least of the other, and epsilon or 1/scale is "
    "outside the classes with a complete zero test, or the laws are too large for it"
)

_WITH_DELTA = (
    "W-infinity balls on the whole line are decided by bounds of the ratio, as for delta = 0, and "
    "that bound fails; on an alphabet there may be few extreme laws, which decide every delta"
)


class BallSign(NamedTuple):
    """The sign of what exceeds the target, and the points where that is 0."""

    sign: int | None
    ties: tuple[Fraction, ...] = ()


def compared(first: NoisyBall, second: NoisyBall, target: Target) -> Orders:
    """Return both orders of two W-infinity balls with noise of one scale."""
    return both_orders((first.prior, second.prior), first.rate, target)


def both_orders(balls: tuple[Prior, Prior], rate: Rate, target: Target) -> Orders:
    """Return both orders at a rate of Laplace noise; TypeError for priors that are no balls."""
    return (
        SpreadComparison(Envelopes(*balls), rate, target),
        SpreadComparison(Envelopes(*balls[::-1]), rate, target),
    )


class SpreadComparison(Comparison):
    """Most density of one ball against least of the other, under Laplace noise.

    Source: design facts F63 and F63b.
    """

    no_witness = f"the excess is > 0, but no margin > 0 is proved at {_BREACH_BITS[-1]} bits"

    def __init__(self, envelopes: Envelopes, rate: Rate, target: Target) -> None:
        self.envelopes, self.rate, self.target = envelopes, rate, target

    @property
    def equal(self) -> bool:
        """False: a ball has members that differ."""
        return False

    def against(self, target: Target) -> SpreadComparison:
        """Return the same balls, held to another target."""
        return SpreadComparison(self.envelopes, self.rate, target)

    # ---------------------------------------------------------------- the target

    def _signs(self, bits: int) -> list[int | None]:
        """Of every point and the piece behind it: the sign of what exceeds, None where unknown."""
        with precision(bits):
            rate = self.rate.ball().raw
            factor = (self.target.epsilon.ball().raw - rate * raw(self.envelopes.shift)).exp()
            return [_sign(piece, factor) for piece in self.envelopes.pieces(rate)]

    @cached_property
    def _found(self) -> BallSign:
        signs: list[int | None] = []
        for bits in _BITS:
            signs = self._signs(bits)
            if 1 in signs:
                return BallSign(1)
            if None not in signs:
                return BallSign(-1)
        ties = []
        for k, sign in enumerate(signs):
            if sign is None:
                exact = self._exact_sign(k)
                if exact != -1:
                    if exact != 0:
                        return BallSign(exact)
                    ties.append(self.envelopes.points[k])
        return BallSign(0 if ties else -1, tuple(ties))

    def _exact_sign(self, k: int) -> int | None:
        """The sign at a point, and of the largest value of the piece behind it."""
        rate, epsilon = self.rate.exponent, self.target.epsilon.formal
        of = self.envelopes
        if rate is None or epsilon is None or len(of.law) + len(of.other) > _MOST_TERMS:
            return None
        left, right, other_left, other_right = of.sums(k, rate)
        factor = ExpSum.power(epsilon - rate.times(of.shift))
        here = of.here(k)
        a, b = left - factor * other_left, right - factor * other_right
        at_point = (a + b + ExpSum.constant(here)).sign()
        if at_point in (1, None) or not here or k == len(of.gaps):
            return at_point
        tau = ExpSum.power(rate.times(-2 * of.gaps[k]))
        for below_0 in (a, b, a - b, b - tau * a):  # else the largest value is at an end
            sign = below_0.sign()
            if sign != -1:
                return None if sign is None else at_point
        inside = (ExpSum.constant(here * here) - (a * b).times(4)).sign()
        return None if inside is None else max(at_point, inside)

    def settled(self) -> Settled:
        """Decide the target, ties included: a bound of the ratio, which proves it with a delta."""
        sign, ties = self._found
        bounds_ratio = self.target.bound is Bound.RATIO
        if sign in (-1, 0):
            told = sign if bounds_ratio else -1
            return Settled(told, AtAtoms("spread", ties), None, ties if told == 0 else ())
        if not bounds_ratio:
            return Settled(None, None, _WITH_DELTA)
        return Settled(sign, None, _OPEN if sign is None else None, breach=self._breach)

    def _breach(self) -> Breach | None:
        """An output at which the bound fails: a proposal, and the proof."""
        y = self._worst
        for bits in _BREACH_BITS:
            with precision(bits):
                margin = self.envelopes.log_ratio(y, self.rate.ball().raw)
                margin -= self.target.epsilon.ball().raw
            if margin > 0:
                return Breach("spread-refuted", margin * raw(_KEPT), y=y)
        return None

    # ---------------------------------------------------------------- the loss

    def loss(self) -> Supremum:
        """Return epsilon*, the supremum over all outputs and members."""
        return Supremum(self._loss, lambda: self._worst)

    @cached_property
    def _loss(self) -> Refined:
        balls = rising_balls(self._log_ratio, _BITS[0], MOST_BITS)
        return ByBalls(balls, is_exactly=self._is_exactly)

    def _is_exactly(self, value: Fraction) -> bool:
        target = self.target.at_epsilon(value)
        return self.against(target).settled().sign == 0

    def _log_ratio(self) -> Raw:
        """Enclose the supremum of the log ratio, at the current precision."""
        rate = self.rate.ball().raw
        values = []
        for piece in self.envelopes.pieces(rate):
            value, u = _ratio(piece, raw(1)), _summit(piece)
            if u is not None:
                inside = value.max(_ratio(piece, u))
                certain = bool(u < 1) and bool(u > piece.tau)
                value = inside if certain else value.union(inside)
            values.append(value)
        return largest(values).log() + rate * raw(self.envelopes.shift)

    @cached_property
    def _worst(self) -> Fraction:
        """An output with about the largest ratio."""
        with precision(_LOSS_BITS):
            rate = self.rate.ball().raw
            best, where = None, self.envelopes.points[0]
            for k, piece in enumerate(self.envelopes.pieces(rate)):
                for u in (raw(1), _summit(piece)):
                    if u is None:
                        continue
                    size = float(_ratio(piece, u).log().mid())
                    if best is None or size > best + _CLOSE * max(1.0, abs(best)):
                        best, where = size, self._output(k, u, rate)
        return where

    def _output(self, k: int, u: Raw, rate: Raw) -> Fraction:
        point = self.envelopes.points[k]
        if u == 1:
            return point
        step = fraction_of(dyadic((-u.log() / rate).mid()))
        return point + step.limit_denominator(10**12)

    def exceeding(self) -> Refined:
        """Return what delta bounds: 0 where the ratio is bounded, else it is not worked out."""
        if self._found.sign in (-1, 0):
            return ZERO
        return ANYTHING if self.target.notion.exceeding is Bound.EXCESS else PROBABILITY

    def least_epsilon(self) -> Refined:
        """Return the loss, which is what delta = 0 needs, as an upper end."""
        if self.target.bound is Bound.RATIO:
            return self._loss
        return Between(Fraction(0), ends_of(self._loss)[1])


def _sign(piece: Turning, factor: Raw) -> int | None:
    """The sign of most - factor * least at a point and behind it, where balls tell it."""
    a = piece.left - factor * piece.other_left
    b = piece.right - factor * piece.other_right
    here = raw(piece.here)
    at_point = a + b + here
    if at_point > 0:
        return 1
    below = -1 if at_point < 0 else None
    if not piece.here or piece.tau == 0:
        return below
    inside = here * here - 4 * a * b
    needed = (-a, -b, b - a, piece.tau * piece.tau * a - b)  # else the largest value is at an end
    if any(x <= 0 for x in needed) or inside < 0:
        return below
    return 1 if inside > 0 and all(x > 0 for x in needed) else None


def _ratio(piece: Turning, u: Raw) -> Raw:
    """most/least behind a point, without the constant factor."""
    above = piece.left * u + raw(piece.here) + piece.right / u
    return above / (piece.other_left * u + piece.other_right / u)


def _summit(piece: Turning) -> Raw | None:
    """Where the ratio has its one maximum inside a piece; None where that is proved to be none."""
    if not piece.here or piece.other_left == 0 or piece.other_right == 0 or piece.tau == 0:
        return None
    here = raw(piece.here)
    turn = piece.left * piece.other_right - piece.other_left * piece.right
    root = (turn * turn + here * here * piece.other_left * piece.other_right).sqrt()
    if turn > 0:
        u = (turn + root) / (here * piece.other_left)
    else:
        u = here * piece.other_right / (root - turn)
    return None if u >= 1 or u <= piece.tau else u
