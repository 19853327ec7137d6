"""Densities, masses, distribution functions and log ratios of released laws at outputs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Generic, TypeVar, Unpack, overload

from pfverify.errors import InputError, shorten
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw
from pfverify.exact.expsum import ExpSum
from pfverify.exact.number import Number
from pfverify.exact.published import Infinite
from pfverify.keywords import taking
from pfverify.laws.law import EXACT_TERMS, Law
from pfverify.model.channels.channel import Channel
from pfverify.model.releases.release import Release
from pfverify.oracle.answers import Enclosed, Floats, Known, Quantity, answered
from pfverify.oracle.arguments import (
    AnyPrior,
    AskedValues,
    Enclosing,
    EnclosingBoth,
    Numbers,
    Rounding,
    RoundingBoth,
    Wanted,
    WantedBoth,
    names,
    rationals,
)
from pfverify.oracle.released import ReleasedPair

Y = TypeVar("Y")


@overload
def density(p: AnyPrior, noise: Release, y: Numbers, **more: Unpack[Rounding]) -> Floats: ...
@overload
def density(p: AnyPrior, noise: Release, y: Numbers, **more: Unpack[Enclosing]) -> Enclosed: ...
@taking(Wanted)
def density(p: AnyPrior, noise: Release, y: Numbers, **options: Any) -> Enclosed | Floats:
    """Return the density of Y at outputs y, where Y has one.

    Parameters
    - p: the prior of X; noise: a noise, whose scale `scale` replaces (or several of them).
    - y: an output, or many (a sequence, or an array of numpy of any shape).
    - digits: each `Enclosure` is at most two units wide in this significant digit.
    - nearest: floats in place of enclosures, correctly rounded (half-way to even).
    - exact: a float is the rational number that it is, and arrays (atoms, masses) or (weights,
      means, variances) are priors, divided by their exact sum.

    Returns an `Enclosure` or a float; for many scales or outputs `Enclosures` or an array of
    float64 of shape (scales..., outputs...).
    Raises InputError where Y has no density: for masses ask `mass`.
    Example: ``density(Discrete({0: 1}), Laplace(1), [0, 1], nearest=True)[0]`` is 0.5.
    Source: design facts F1, F6, F12.
    """
    return _at_outputs(ReleasedPair.of(p, p, noise, Wanted(**options)), y, _density)


@overload
def mass(p: AnyPrior, noise: Release, y: Numbers, **more: Unpack[Rounding]) -> Floats: ...
@overload
def mass(p: AnyPrior, noise: Release, y: Numbers, **more: Unpack[Enclosing]) -> Enclosed: ...
@taking(Wanted)
def mass(p: AnyPrior, noise: Release, y: Numbers, **options: Any) -> Enclosed | Floats:
    """Return P(Y = y), where Y has masses: on a lattice, without noise, or of a channel.

    `noise` may be a channel; y is then a name of an output, or several. The other parameters and
    what is returned are as of `density`. A number that is no output has mass 0.
    Raises InputError where Y has a density.
    Example: ``mass(Discrete({0: 1}), DiscreteLaplace(1), "1/2", nearest=True)`` is 0.0.
    Source: design fact F12.
    """
    return _at_outputs(ReleasedPair.of(p, p, noise, Wanted(**options)), y, _mass)


@overload
def cdf(p: AnyPrior, noise: Release, y: Numbers, **more: Unpack[Rounding]) -> Floats: ...
@overload
def cdf(p: AnyPrior, noise: Release, y: Numbers, **more: Unpack[Enclosing]) -> Enclosed: ...
@taking(Wanted)
def cdf(p: AnyPrior, noise: Release, y: Numbers, **options: Any) -> Enclosed | Floats:
    """Return the distribution function P(Y <= y) at outputs y.

    The parameters and what is returned are as of `density`.
    Raises InputError for a channel, whose outputs have no order.
    Example: ``cdf(Discrete({0: 1}), Laplace(1), 0).text`` is ``"0.5"``.
    Source: design facts F6, F12.
    """
    return _at_outputs(ReleasedPair.of(p, p, noise, Wanted(**options)), y, _below)


@overload
def log_ratio(
    p: AnyPrior, q: AnyPrior, noise: Release, y: Numbers, **more: Unpack[RoundingBoth]
) -> Floats: ...
@overload
def log_ratio(
    p: AnyPrior, q: AnyPrior, noise: Release, y: Numbers, **more: Unpack[EnclosingBoth]
) -> Enclosed: ...
@taking(WantedBoth)
def log_ratio(
    p: AnyPrior, q: AnyPrior, noise: Release, y: Numbers, **options: Any
) -> Enclosed | Floats:
    """Return log(p(y)/q(y)) of the densities, or masses, of Y under two priors.

    `both`: the larger of both orders, |log(p(y)/q(y))|. The other parameters and what is returned
    are as of `density`. Infinite where one mass is 0.
    Raises InputError where neither law has the output, and where the laws are of different kinds.
    Example: ``log_ratio(Discrete({0: 1}), Discrete({1: 1}), Laplace(2), 0).text`` is ``"0.5"``.
    Source: design fact F1.
    """
    asked = WantedBoth(**options)
    return _at_outputs(
        ReleasedPair.of(p, q, noise, asked), y,
        lambda p, q: _LogRatio(p, q, both=asked.both).quantity(),
    )  # fmt: skip


def _at_outputs(
    pair: ReleasedPair, y: object, quantity: Callable[[Law[Any], Law[Any]], Quantity[Any]]
) -> Enclosed | Floats:
    """A number of both laws at all outputs that are asked for, at every scale."""
    named = isinstance(pair.releases.values[0], Channel)
    places: AskedValues[Any] = (
        names(y, "y") if named else rationals(y, "y", exact=pair.asked.exact)
    )
    return pair.answers(
        lambda release: answered(quantity(*pair.laws(release)), places.values, pair.asked),
        places.shape,
    )


def _density(law: Law[Y], _: Law[Y]) -> Quantity[Y]:
    if law.no_density is not None:
        raise InputError(_no_density(law))
    return Quantity("the density", law.known_weight, lambda: law.at_precision().value, law.weighs)


def _mass(law: Law[Y], _: Law[Y]) -> Quantity[Y]:
    if law.no_mass is not None:
        raise InputError(_no_mass(law))
    return Quantity(
        "the mass", law.known_weight, lambda: law.at_precision().value, law.weighs,
        probability=True,
    )  # fmt: skip


def _below(law: Law[Y], _: Law[Y]) -> Quantity[Y]:
    if law.no_order is not None:
        raise InputError(f"y: {law.no_order}; ask for oracle.mass")
    return Quantity(
        "the distribution function", law.known_below, lambda: law.at_precision().below, law.reaches,
        probability=True,
    )  # fmt: skip


class _LogRatio(Generic[Y]):
    """The logarithm of a ratio of densities, or of masses; with `both` its size."""

    def __init__(self, p: Law[Y], q: Law[Y], *, both: bool) -> None:
        if not p.is_beside(q):
            neither = [law for law in (p, q) if law.no_density and law.no_mass]
            raise InputError(_no_density(neither[0]) if neither else _KINDS)
        self.p, self.q, self.both = p, q, both

    def quantity(self) -> Quantity[Y]:
        """Return it as what is worked out at places."""
        name = "the log ratio"
        return Quantity(name, self.known, self.evaluator, self.equals, positive=self.both)

    def known(self, y: Y) -> Known | None:
        p, q = self.p.known_weight(y), self.q.known_weight(y)
        if p == q == 0:
            raise InputError(f"y: {shorten(y)} is no output: neither law has it")
        found = None
        if p is not None and q is not None:
            found = _known_log_ratio(p, q)
        elif p == 0 or q == 0:
            found = _known_log_ratio(*(Fraction(1) if w is None else w for w in (p, q)))
        if self.both and isinstance(found, Infinite):
            return Infinite("inf")
        return found

    def evaluator(self) -> Callable[[Y], Raw]:
        first, second = self.p.at_precision(), self.q.at_precision()

        def value(y: Y) -> Raw:
            p, q = first.weight(y), second.weight(y)
            found = p.offset - q.offset + (p.size / q.size).log()
            return abs(found) if self.both else found

        return value

    def equals(self, y: Y, value: Fraction) -> Answer:
        if not value and (around := self.p.around(y)) is not None and around == self.q.around(y):
            return Answer.YES
        p, q = self.p.shape(y), self.q.shape(y)
        if p is None or q is None:
            return Answer.UNKNOWN
        found = _is_log(p, q, value)
        if self.both and found is not Answer.YES:
            return _is_log(q, p, value)
        return found


_KINDS = "y: one law has masses and the other a density: there is no ratio of the two"
_NEITHER = "its cdf, delta, epsilon and loss are there"


def _no_density(law: Law[Any]) -> str:
    other = _NEITHER if law.no_mass is not None else "ask for oracle.mass"
    return f"y: {law.no_density}; {other}"


def _no_mass(law: Law[Any]) -> str:
    other = _NEITHER if law.no_density is not None else "ask for oracle.density"
    return f"y: {law.no_mass}; {other}"


def _known_log_ratio(p: Fraction, q: Fraction) -> Fraction | Infinite | None:
    """log(p/q) where it is 0 or infinite, else None; not both are 0."""
    if not q:
        return Infinite("inf")
    if not p:
        return Infinite("-inf")
    return Fraction(0) if p == q else None


def _is_log(p: ExpSum, q: ExpSum, value: Fraction) -> Answer:
    """Whether log(p/q) is exactly a number: p = e**value q."""
    if len(p.terms) + len(q.terms) > EXACT_TERMS:
        return Answer.UNKNOWN
    power = Number.of_rational(value).linear
    return Answer.UNKNOWN if power is None else (p - ExpSum.power(power) * q).is_zero()
