"""Normal laws, and mixtures of them: R of a pair is in closed form (design fact F96)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.charts.compared import compared as charts_compared
from pfverify.decide.comparison import Comparison, Never, NoScale, Orders
from pfverify.decide.renyi.bells import OfBells
from pfverify.decide.renyi.beyond import by_distance, by_ratio
from pfverify.decide.renyi.both import both
from pfverify.decide.renyi.chords import AtOrder, Far
from pfverify.decide.renyi.compared import of_events
from pfverify.decide.renyi.masses import atoms_compared
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
from pfverify.model.notion import Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Point
from pfverify.model.priors.prior import Component
from pfverify.model.question import Question
from pfverify.model.target import Target

Parts = Sequence[Component]
_SEVERAL = (
    "form: zcdp is not decided of normal laws of several variances in a mixture; expected atoms "
    "with Gaussian noise, or one normal law each with Gaussian noise or none"
)
_LAPLACE = (
    "form: {} is not decided of normal laws with Laplace noise; expected atoms with Laplace "
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
    events = of_events(target)
    pure = charts_compared(first, second, events)
    first, second = (
        NormalMixture(x.prior.components, Fraction(0)) if isinstance(x, BareAtoms) else x
        for x in (first, second)
    )
    if not (isinstance(first, NormalMixture) and isinstance(second, NormalMixture)):
        raise InputError(_LAPLACE.format(target.notion.name))
    laws, added = (first.components, second.components), first.added
    if target.bound is Bound.ZCDP:
        _ = _one_variance(*laws, added)  # refused at once, if it is

    def moment(turned: bool, order: Fraction) -> RenyiMoment:
        return _moment(laws[turned], laws[not turned], added, order)

    def far(turned: bool) -> Far:
        p, q = laws[turned], laws[not turned]
        variance = _one_variance(p, q, added)
        if variance is None:
            return by_ratio(pure[turned])

        def moved(parts: Parts) -> Comparison:
            return charts_compared(NormalMixture(parts, added), NormalMixture(q, added), events)[0]

        return by_distance(p, q, variance, moved)

    return both(pure, moment, target, far)


def _one_variance(p: Parts, q: Parts, added: Fraction) -> Fraction | None:
    """The one variance of both, with noise; None where two normal laws have two, or are points.

    Raises InputError for mixtures of several.
    """
    (variance, *others) = {part.variance + added for part in (*p, *q)}
    several = bool(others) or not variance
    if several and (len(p) > 1 or len(q) > 1):
        raise InputError(_SEVERAL)
    return None if several else variance


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
            raise InputError(_LAPLACE.format(self.target.notion.name))
        self.laws = [law.components for law in laws if isinstance(law, NormalMixture)]
        if self.target.bound is Bound.ZCDP:
            one, two = self.laws
            _ = _one_variance(one, two, Fraction(1))  # refused at once, if it is

    def never(self) -> Never | None:
        """Return why no scale meets the target: of all orders, that one law is wider."""
        widths = [{part.variance for part in law} for law in self.laws]
        if self.target.bound is Bound.ZCDP and widths[0] != widths[1]:
            return NoScale(
                f"the laws of {self.item.first!r} and {self.item.second!r} have different "
                "variances, so that of one of them a divergence is infinite with any noise"
            )
        return super().never()

    def at_orders(self, scale: Fraction) -> Sequence[AtOrder]:
        """Return what has the numbers of both orders at a scale."""
        one, two = self.laws
        added = scale * scale
        return [
            lambda order: _moment(one, two, added, order),
            lambda order: _moment(two, one, added, order),
        ]

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a scale."""
        first, second = (NormalMixture(law, scale * scale) for law in self.laws)
        return compared(first, second, self.target)

    def bare(self) -> Orders:
        """Return both orders of the laws themselves."""
        one, two = self.item.priors
        if isinstance(one, Discrete) and isinstance(two, Discrete):
            first, second = (NormalMixture(law, Fraction(0)) for law in self.laws)
            pure = charts_compared(first, second, of_events(self.target))  # as the kernel does
            return atoms_compared(BareAtoms(one), BareAtoms(two), self.target, pure)
        return self.at(Fraction(0))
