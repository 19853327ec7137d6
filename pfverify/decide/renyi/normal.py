"""Normal laws, and atoms with normal noise: R of a pair is in closed form (design fact F96)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.charts.compared import compared as charts_compared
from pfverify.decide.comparison import Orders
from pfverify.decide.renyi.bells import OfBells
from pfverify.decide.renyi.compared import atoms_compared, both, of_events
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
_SEVERAL = (
    "form: renyi is not decided of normal laws of several variances in a mixture, nor of normal "
    "laws with Laplace noise; expected atoms with Gaussian noise, or one normal law each "
    "with Gaussian noise or none"
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
        return self._exponent.ball().raw.exp()

    def divergence_ball(self) -> Raw:
        """Return the logarithm over order - 1."""
        return self._exponent.ball().raw / raw(self.order - 1)

    def exact(self) -> Quotient:
        """Return it exactly."""
        return ExpSum.power(self._exponent), ExpSum.constant(1)


def compared(first: NormalForm, second: NormalForm, target: Target) -> Orders:
    """Return both orders of two laws; InputError for mixtures of several variances."""
    if not (isinstance(first, NormalMixture) and isinstance(second, NormalMixture)):
        raise InputError(_SEVERAL)
    laws, added = (first.components, second.components), first.added
    pure = charts_compared(first, second, of_events(target))

    def moment(turned: bool, order: Fraction) -> RenyiMoment:
        return _moment(laws[turned], laws[not turned], added, order)

    return both(pure, moment, target)


def _moment(p: Parts, q: Parts, added: Fraction, order: Fraction) -> RenyiMoment:
    """That of two laws with normal noise of this variance."""
    if len(p) == len(q) == 1:
        return OfNormals(p[0], q[0], added, order)
    (variance, *others) = {part.variance + added for part in (*p, *q)}
    if others or not variance:
        raise InputError(_SEVERAL)
    one, two = _points(p), _points(q)
    if is_sum(one, two, order):
        return OfTuples(one, two, [NormalOutput(0, 1, variance)], order)
    return OfBells(p, q, variance, order)


def _points(law: Parts) -> dict[Point, Fraction]:
    return {(part.mean,): part.weight for part in law}


class NormalScaled(ByDivergence):
    """One pair of normal laws, or of atoms, at any scale of Gaussian noise."""

    def __init__(self, item: Question) -> None:
        super().__init__(item)
        laws = forms_of(item.under(item.release.with_scale(1)))
        if not all(isinstance(law, NormalMixture) for law in laws):
            raise InputError(_SEVERAL)
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
