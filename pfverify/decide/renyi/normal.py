"""Normal laws, with normal noise or as they are: R of a pair in closed form (design fact F96)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import inf, isfinite, log

from pfverify.decide.charts.compared import compared as charts_compared
from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.renyi.compared import PROVED, WorkedOut, both, of_events, order_of
from pfverify.decide.renyi.moment import Moment, Quotient
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.grid import Grid
from pfverify.exact.search import float_root, polished
from pfverify.laws.kinds import forms_of
from pfverify.laws.law import NormalForm
from pfverify.laws.normal import NormalMixture
from pfverify.model.priors.prior import Component
from pfverify.model.question import Question
from pfverify.model.target import Target

_SEVERAL = (
    "form: renyi is not decided of mixtures of normal laws, or of atoms, with Gaussian noise, nor "
    "of normal laws with Laplace noise; expected one normal law, or one point, for each secret, "
    "with Gaussian noise or none"
)
_BITS = 64
_CLOSE = 1e-15  # of a logarithm to 0, that of a proposal
_FAR = 2.0**400


class OfNormals(Moment):
    """Of two normal laws with these variances; of variance 0 one is a point."""

    def __init__(self, p: Component, q: Component, added: Fraction, order: Fraction) -> None:
        self.order = order
        self.first, self.second = p.variance + added, q.variance + added
        self.square = (p.mean - q.mean) ** 2
        self.mixed = (1 - order) * self.first + order * self.second
        self.infinite = self.mixed <= 0 or not (self.first and self.second)

    @property
    def _exponent(self) -> Exponent:
        """The logarithm of R."""
        a = self.order
        spread = (
            Exponent.log(self.first).times((1 - a) / 2)
            + Exponent.log(self.second).times(a / 2)
            + Exponent.log(self.mixed).times(Fraction(-1, 2))
        )
        return Exponent.rational(a * (a - 1) * self.square / (2 * self.mixed)) + spread

    def ball(self) -> Raw:
        """Return e to that logarithm."""
        return self._exponent.ball().raw.exp()

    def divergence_ball(self) -> Raw:
        """Return the logarithm over order - 1."""
        return self._exponent.ball().raw / raw(self.order - 1)

    def exact(self) -> Quotient:
        """Return it exactly."""
        return ExpSum.power(self._exponent), ExpSum.constant(1)


def compared(first: NormalForm, second: NormalForm, target: Target) -> Orders:
    """Return both orders of two normal laws; InputError for mixtures of them."""
    one, two, added = _pair(first, second)
    pure = charts_compared(first, second, of_events(target))
    return both(
        pure,
        lambda turned, order: OfNormals(*((two, one) if turned else (one, two)), added, order),
        target,
    )


def _pair(first: NormalForm, second: NormalForm) -> tuple[Component, Component, Fraction]:
    if not (isinstance(first, NormalMixture) and isinstance(second, NormalMixture)):
        raise InputError(_SEVERAL)
    if len(first.components) > 1 or len(second.components) > 1:
        raise InputError(_SEVERAL)
    return first.components[0], second.components[0], first.added


class NormalScaled(Scaled):
    """One pair of normal laws, to be decided at any scale of Gaussian noise."""

    def __init__(self, item: Question) -> None:
        super().__init__(item, target_of(item))
        laws = forms_of(item.under(item.release.with_scale(1)))
        self.parts = _pair(*laws)[:2]

    def _orders(self, added: Fraction) -> Orders:
        first, second = (NormalMixture([part], added) for part in self.parts)
        return compared(first, second, self.target)

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a scale."""
        return self._orders(scale * scale)

    def bare(self) -> Orders:
        """Return both orders of the laws themselves."""
        return self._orders(Fraction(0))

    @property
    def met(self) -> WorkedOut:
        """The rule of the divergence."""
        return PROVED

    def _divergence(self, scale: Fraction) -> Ball | None:
        """The larger divergence of both orders at the current precision; None where infinite."""
        order = order_of(self.target)
        one, two = (OfNormals(*parts, scale * scale, order)
                    for parts in (self.parts, self.parts[::-1]))  # fmt: skip
        if one.infinite or two.infinite:
            return None
        return Ball(one.divergence_ball().max(two.divergence_ball()))

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one, in floats."""
        del grid
        epsilon = float(self.target.epsilon.at_most())

        @cache
        def gap(scale: float) -> float:
            with precision(_BITS):
                ball = self._divergence(Fraction(scale))
            found = inf if ball is None else ball.midpoint()
            if not isfinite(found) or epsilon <= 0:
                return inf
            over = log(found / epsilon) if found > 0 else -inf
            return 0.0 if abs(over) < _CLOSE else over

        high = 1.0
        while gap(high) > 0 and high < _FAR:
            high *= 4
        low = high
        while gap(low) <= 0:
            low /= 4
            if low < 1 / _FAR:
                return Fraction(0)
        return Fraction(float_root(gap, low, high))

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a positive proposal by secant steps."""

        def over(scale: Fraction) -> Ball:
            ball = self._divergence(scale)
            return Ball(raw(1) / raw(0)) if ball is None else ball - self.target.epsilon.ball()

        return polished(over, guess, grid) or guess
