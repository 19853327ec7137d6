"""What one output tells of points, for a Renyi divergence: in closed form.

With points x_j of powers w_j that sum to a, and a point 0 of the power 1 - a, the product of their
densities is e**(E(y)/scale) up to a constant, E(y) = (a-1) |y| - sum of w_j |y - x_j|, which is
straight between the points. So its integral, or sum over a lattice, is a sum over the points by the
slopes beside them (design fact F111); with normal noise it is one exponential (F112).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pfverify.decide.renyi.moment import Quotient
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.rate import Rate

Powers = Mapping[Fraction, Fraction]
"""The powers of points, by how far each of them is from the point of the power 1 - a."""
_ONE = ExpSum.constant(1)


class Bend(NamedTuple):
    """A place where the exponent turns: minus what it is there, and the slopes on both sides."""

    far: Fraction
    before: Fraction
    behind: Fraction


def cuts(powers: Powers) -> list[Bend]:
    """Return where the exponent turns, in order.

    Example: ``cuts({Fraction(1): Fraction(2)})`` is ``[Bend(2, 1, 3), Bend(-1, 3, -1)]``.
    """
    spare = sum(powers.values(), Fraction(-1))
    found, before = [], Fraction(1)
    for place in sorted({Fraction(0), *powers}):
        turn = powers.get(place, Fraction(0)) - (spare if place == 0 else 0)
        if turn:
            apart = (power * abs(place - x) for x, power in powers.items())
            far = sum(apart, Fraction(0)) - spare * abs(place)
            found.append(Bend(far, before, before - 2 * turn))
            before -= 2 * turn
    return found


@dataclass(frozen=True)
class OneOutput(ABC):
    """So many outputs of one kind: the coordinate of X that they tell of, and their number."""

    place: int
    times: int

    @abstractmethod
    def ball(self, powers: Powers) -> Raw:
        """Return an enclosure of what one tells, at the current precision."""

    @abstractmethod
    def exact(self, powers: Powers, slopes: Sequence[Fraction]) -> Quotient | None:
        """Return it exactly, over what is the same for all points; None where there is no such.

        `slopes` are those that the points may have beside 1 and -1.
        """


@dataclass(frozen=True)
class LaplaceOutput(OneOutput):
    """With Laplace noise, which may live on a lattice."""

    rate: Rate
    step: Fraction | None

    def ball(self, powers: Powers) -> Raw:
        """Return the sum over the cuts."""
        rate, total = self.rate.ball().raw, raw(0)
        for cut in cuts(powers):
            turn = self._tail(cut.behind, rate) - self._tail(cut.before, rate)
            total += (-rate * raw(cut.far)).exp() * turn
        if self.step is None:
            return total / 2
        t = (-rate * raw(self.step)).exp()
        return total * (1 - t) / (1 + t)

    def _tail(self, slope: Fraction, rate: Raw) -> Raw:
        """The integral from a place on of what falls with a slope < 0, continued to others."""
        if self.step is None:
            return raw(-1 / slope)
        falling = 1 / (1 - (-rate * raw(abs(slope) * self.step)).exp())
        return falling if slope < 0 else 1 - falling

    def exact(self, powers: Powers, slopes: Sequence[Fraction]) -> Quotient | None:
        """Return the sum over the cuts."""
        rate = self.rate.formal
        if rate is None:
            return None
        total = ExpSum({})
        for cut in cuts(powers):
            at = ExpSum.power(rate.times(-cut.far))
            if self.step is None:
                total += at.times((1 / cut.before - 1 / cut.behind) / 2)
            else:
                total += at * self._over(cut.behind, slopes, rate)
                total += (at * self._over(cut.before, slopes, rate)).times(Fraction(-1))
        if self.step is None:
            return total, _ONE
        return total, (_ONE + self._t(Fraction(1), rate)) * self._others(None, slopes, rate)

    def _t(self, power: Fraction, rate: Exponent) -> ExpSum:
        """e**(-power step/scale)."""
        return ExpSum.power(rate.times(-power * (self.step or 0)))

    def _over(self, slope: Fraction, slopes: Sequence[Fraction], rate: Exponent) -> ExpSum:
        """A tail times what all are over."""
        size = abs(slope)
        found = self._others(size, slopes, rate)
        if size != 1:
            found = found * (_ONE - self._t(Fraction(1), rate))
        return found if slope < 0 else (found * self._t(size, rate)).times(Fraction(-1))

    def _others(
        self, size: Fraction | None, slopes: Sequence[Fraction], rate: Exponent
    ) -> ExpSum:
        """The product of 1 - e**(-slope step/scale) over all slopes but one."""
        found = _ONE
        for slope in slopes:
            if slope != size:
                found = found * (_ONE - self._t(slope, rate))
        return found


@dataclass(frozen=True)
class NormalOutput(OneOutput):
    """With normal noise of a variance."""

    variance: Fraction

    def _power(self, powers: Powers) -> Fraction:
        whole = sum((power * x for x, power in powers.items()), Fraction(0))
        squares = sum((power * x * x for x, power in powers.items()), Fraction(0))
        return (whole * whole - squares) / (2 * self.variance)

    def ball(self, powers: Powers) -> Raw:
        """Return the exponential."""
        return raw(self._power(powers)).exp()

    def exact(self, powers: Powers, slopes: Sequence[Fraction]) -> Quotient:
        """Return the exponential."""
        del slopes
        return ExpSum.power(Exponent.rational(self._power(powers))), _ONE
