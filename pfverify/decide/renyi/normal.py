"""Normal laws, with normal noise or as they are: R of a pair in closed form (design fact F96)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.charts.compared import compared as charts_compared
from pfverify.decide.comparison import Orders
from pfverify.decide.renyi.compared import both, of_events
from pfverify.decide.renyi.moment import Moment, Quotient
from pfverify.decide.renyi.scaled import ByDivergence
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent, ExpSum
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


class NormalScaled(ByDivergence):
    """One pair of normal laws, at any scale of Gaussian noise."""

    def __init__(self, item: Question) -> None:
        super().__init__(item)
        laws = forms_of(item.under(item.release.with_scale(1)))
        self.parts = _pair(*laws)[:2]

    def moments(self, scale: Fraction) -> Sequence[Moment]:
        """Return the numbers of both orders at a scale."""
        one, two = self.parts
        added = scale * scale
        return [OfNormals(one, two, added, self.order), OfNormals(two, one, added, self.order)]

    def _orders(self, added: Fraction) -> Orders:
        first, second = (NormalMixture([part], added) for part in self.parts)
        return compared(first, second, self.target)

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a scale."""
        return self._orders(scale * scale)

    def bare(self) -> Orders:
        """Return both orders of the laws themselves."""
        return self._orders(Fraction(0))
