"""Normal laws, and mixtures of them: R of a pair is in closed form (design fact F96)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.charts.compared import compared as charts_compared
from pfverify.decide.comparison import Orders
from pfverify.decide.renyi.bells import OfBells
from pfverify.decide.renyi.compared import atoms_compared, both, of_events
from pfverify.decide.renyi.mixtures import OfMixtures
from pfverify.decide.renyi.moment import Quotient, RenyiMoment
from pfverify.decide.renyi.outputs import NormalOutput
from pfverify.decide.renyi.points import OfTuples, is_sum
from pfverify.decide.renyi.scaled import ByDivergence
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.kinds import forms_of
from pfverify.laws.law import NormalForm
from pfverify.laws.masses import BareAtoms
from pfverify.laws.normal import NormalMixture
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Point
from pfverify.model.priors.prior import Component
from pfverify.model.question import Question
from pfverify.model.target import Target

Parts = Sequence[Component]
_LAPLACE = (
    "form: renyi is not decided of normal laws with Laplace noise; expected atoms with Laplace "
    "noise, or normal laws with Gaussian noise or none"
)


class OfNormals(RenyiMoment):
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
        return self._first_order if self.order == 1 else self._exponent.ball().raw.exp()

    def divergence_ball(self) -> Raw:
        """Return the logarithm over order - 1."""
        if self.order == 1:
            return self._first_order
        return self._exponent.ball().raw / raw(self.order - 1)

    @property
    def _first_order(self) -> Raw:
        """(v + d^2 - w)/(2 w) - log(v/w)/2, of order 1."""
        v, w = self.first, self.second
        return raw((v + self.square - w) / (2 * w)) - raw(v / w).log() / 2

    def exact(self) -> Quotient:
        """Return it exactly."""
        return ExpSum.power(self._exponent), ExpSum.constant(1)


def compared(first: NormalForm, second: NormalForm, target: Target) -> Orders:
    """Return both orders of two laws; InputError for Laplace noise."""
    pure = charts_compared(first, second, of_events(target))
    first, second = (
        NormalMixture(x.prior.components, Fraction(0)) if isinstance(x, BareAtoms) else x
        for x in (first, second)
    )
    if not (isinstance(first, NormalMixture) and isinstance(second, NormalMixture)):
        raise InputError(_LAPLACE)
    laws, added = (first.components, second.components), first.added

    def moment(turned: bool, order: Fraction) -> RenyiMoment:
        return _moment(laws[turned], laws[not turned], added, order)

    return both(pure, moment, target)


def _moment(p: Parts, q: Parts, added: Fraction, order: Fraction) -> RenyiMoment:
    """That of two laws with normal noise of this variance."""
    if len(p) == len(q) == 1:
        return OfNormals(p[0], q[0], added, order)
    (variance, *others) = {part.variance + added for part in (*p, *q)}
    if variance and not others and order > 1:
        points = _points(p), _points(q)
        if is_sum(*points, order):
            return OfTuples(*points, [NormalOutput(0, 1, variance)], order)
        return OfBells(p, q, variance, order)
    one, two = ([x._replace(variance=x.variance + added) for x in law] for law in (p, q))
    return OfMixtures(one, two, order)


def _points(law: Parts) -> dict[Point, Fraction]:
    return {(part.mean,): part.weight for part in law}


class NormalScaled(ByDivergence):
    """One pair of normal laws, or of atoms, at any scale of Gaussian noise."""

    def __init__(self, item: Question) -> None:
        super().__init__(item)
        laws = forms_of(item.under(item.release.with_scale(1)))
        if not all(isinstance(law, NormalMixture) for law in laws):
            raise InputError(_LAPLACE)
        self.laws = [law.components for law in laws if isinstance(law, NormalMixture)]

    def moments(self, scale: Fraction) -> Sequence[RenyiMoment]:
        """Return the numbers of both orders at a scale."""
        one, two = self.laws
        added = scale * scale
        return [_moment(one, two, added, self.order), _moment(two, one, added, self.order)]

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a scale."""
        first, second = (NormalMixture(law, scale * scale) for law in self.laws)
        return compared(first, second, self.target)

    def bare(self) -> Orders:
        """Return both orders of the laws themselves."""
        one, two = self.item.priors
        if isinstance(one, Discrete) and isinstance(two, Discrete):
            return atoms_compared(BareAtoms(one), BareAtoms(two), self.target)
        return self.at(Fraction(0))
