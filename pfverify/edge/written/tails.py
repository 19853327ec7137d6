"""What noise around one component of a prior gives an interval of Y, or the density at one y."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from pfverify.edge.words import brief
from pfverify.edge.written.asked import SENTENCES, Term, rounded
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.laws.kinds import law_of
from pfverify.laws.laplace import LaplaceLaw
from pfverify.laws.law import AtPrecision
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Gaussian
from pfverify.model.priors.prior import Component
from pfverify.model.releases.release import Noise
from pfverify.model.steps.cells import steps_to
from pfverify.model.steps.places import End

_LONG = 24  # characters of a number
_NONE = Fraction(0)
_SIZES = ("step", "bound", "low", "high", "variance")  # that a noise may have beside its scale
Found = tuple[Raw, str]
"""A number, and how it comes about."""


def short(value: Fraction) -> str:
    """Return an exact number as a decimal, or a fraction; a long one is cut, with dots."""
    text = decimal_text(value)
    return text if len(text) <= _LONG else brief(str(value))


def name_of(part: Component) -> str:
    """Return a component in symbols, with its weight unless that is 1."""
    law = f"N({brief(str(part.mean))}, {brief(str(part.variance))})"
    if not part.variance:
        law = f"the atom {brief(str(part.mean))}"
    return law if part.weight == 1 else f"{brief(str(part.weight))} of {law}"


class OneCell(NamedTuple):
    """Numbers of Y between two cuts (None: no end), and after how much they come again, if so."""

    low: End
    high: End
    period: Fraction | None = None


def tails_of(noise: Noise) -> Tails:
    """Return the tails of noise."""
    return WindowTails(noise) if isinstance(noise, BoundedLaplace) else Tails(noise)


class Tails:
    """The noise around one component: its tails, and its weight at one place.

    Tails are those of a law that is symmetric around the mean, taken from the side where they are
    small.
    """

    def __init__(self, noise: Noise) -> None:
        self.noise, self.step = noise, noise.step or _NONE
        self._centred = cache(self._law)
        self._tail = cache(self._tail_of)

    def _law(self, variance: Fraction) -> AtPrecision[Fraction]:
        prior = Gaussian(0, variance=variance) if variance else Discrete({0: 1})
        return law_of(prior, self.noise).at_precision()

    def _tail_of(self, distance: Fraction, variance: Fraction) -> Raw:
        bound = self.noise.bound
        if bound is not None and distance >= bound + self.step:  # the bound itself is on a lattice
            return raw(0)
        return self._centred(variance).below(-distance)

    def said(self, topic: str, *, normal: bool) -> str:
        """Return what the noise is, and what it gives: an interval ("chance") or one y ("density").

        `normal`: for priors with normal laws.
        """
        sizes = {name: getattr(self.noise, name, None) for name in _SIZES}
        words = {name: short(size) for name, size in sizes.items() if size is not None}
        if (scale := self.noise.scale) is not None:
            words["scale"] = scale.text if scale.fraction is None else short(scale.fraction)
        kind, known = "none" if self.noise.adds_nothing else self.noise.kind, SENTENCES[topic]
        both = f"{kind}-normal"
        return known[both if normal and both in known else kind].format(**words)

    def _share(self, component: Component, value: Raw, how: Callable[[], str]) -> Term:
        """A number times the weight of a component."""
        size, weight = raw(component.weight) * value, component.weight

        def text() -> str:
            weighted = "" if weight == 1 else f", weighted {rounded(size)}"
            return f"{name_of(component)}: {how()}{rounded(value)}{weighted}"

        return size, text

    # ---------------------------------------------------------------- intervals

    def points(self, part: OneCell, mean: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Return the ends of an interval, on a lattice the first and the last point in it."""
        if not self.step:
            return (None if part.low is None else part.low.at,
                    None if part.high is None else part.high.at)  # fmt: skip
        first, behind = (
            None if cut is None else mean + self.step * steps_to(cut, mean, self.step)
            for cut in part[:2]
        )
        return first, None if behind is None else behind - self.step

    def of(self, component: Component, parts: list[OneCell]) -> Term:
        """Return the weighted mass of intervals around a component."""
        found = [self._in(component, part) for part in parts]
        shown = " + ".join(text for _, text in found if text) or "0"
        return self._share(component, sum((x for x, _ in found), raw(0)), lambda: f"{shown} = ")

    def _in(self, component: Component, part: OneCell) -> Found:
        (low, high), mean = self.points(part, component.mean), component.mean
        if part.period is not None and low is not None and high is not None:
            return self._again(component, low, high, part.period)
        if low is not None and low == high:
            return self._at(abs(low - mean), component.variance)
        above, below = None if low is None else low - mean, None if high is None else mean - high
        before, beyond = (None if x is None else self.step - x for x in (above, below))
        if above is not None and above >= 0:
            return self._less(component.variance, above, beyond)
        if below is not None and below >= 0:
            return self._less(component.variance, below, before)
        (a, text), (b, more) = (self._one(component.variance, x) for x in (before, beyond))
        return 1 - a - b, " - ".join(["1", *filter(None, (text, more))])

    def _at(self, distance: Fraction, variance: Fraction) -> Found:
        """The weight of one point of a lattice."""
        return self._centred(variance).value(distance), f"w({short(distance)})"

    def _one(self, variance: Fraction, distance: Fraction | None) -> Found:
        """A tail, 0 infinitely far out."""
        if distance is None:
            return raw(0), ""
        return self._tail(distance, variance), f"T({short(distance)})"

    def _less(self, variance: Fraction, near: Fraction, far: Fraction | None) -> Found:
        """The mass between two distances on one side."""
        (a, text), (b, more) = (self._one(variance, x) for x in (near, far))
        return a - b, " - ".join(filter(None, (text, more)))

    def _again(
        self, component: Component, low: Fraction, high: Fraction, period: Fraction
    ) -> Found:
        """The mass of an interval within a period, and of those that lie periods away.

        With distances from 0 to the period, every further one to either side is a factor
        e**(-period/scale) less.
        """
        turns = (low - component.mean) // period * period + component.mean
        low, high, v = low - turns, high - turns, component.variance
        scale = self.noise.scale
        factor = (-raw(period) / (raw(1) if scale is None else scale.ball().raw)).exp()
        if low == high:
            found = [self._at(x, v) for x in (low, period - low)]
        else:
            found = [
                self._less(v, *ends)
                for near, far in ((low, min(high, period)), (_NONE, high - period)) if near < far
                for ends in ((near, far), (period - far, period - near))
            ]  # fmt: skip
        shown = " + ".join(text for _, text in found)
        total = sum((x for x, _ in found), raw(0))
        return total / (1 - factor), f"({shown})/(1 - e^(-{short(period)}/b))"

    # ---------------------------------------------------------------- densities

    def jumps(self, components: Iterable[Component], y: Fraction) -> bool:
        """Say whether the density around one of some components jumps at y."""
        bound = self.noise.bound
        return bound is not None and any(abs(y - part.mean) == bound for part in components)

    def density(self, component: Component, y: Fraction, side: int = 1) -> Term:
        """Return the weighted density around a component just beside y (1: above, -1: below)."""
        away, bound = y - component.mean, self.noise.bound
        law, found = self._centred(component.variance), raw(0)
        if bound is None or (abs(away) <= bound and away != side * bound):
            found = law.value(away)

        def how() -> str:
            if not component.variance or not isinstance(law, LaplaceLaw):
                return ""
            z, (a, b) = raw(away) / raw(component.variance).sqrt(), law.sides(away)
            return f"z = {_signed(z)}, A = {rounded(a)}, B = {rounded(b)}, (A + B)/(2b) = "

        return self._share(component, found, how)


def _signed(value: Raw) -> str:
    """A number of either sign, its size rounded down."""
    return f"-{rounded(-value)}" if value < 0 else rounded(value)


class WindowTails(Tails):
    """Laplace noise that is renormalised in a window: tails and densities over C(x)."""

    def __init__(self, noise: BoundedLaplace) -> None:
        super().__init__(noise)
        self.window, self._bare = (noise.low, noise.high), Laplace(noise.scale)

    def _law(self, variance: Fraction) -> AtPrecision[Fraction]:
        return law_of(Discrete({0: 1}), self._bare).at_precision()

    def _within(self, x: Fraction) -> Raw:
        """C(x)."""
        tails = (self._tail(far, _NONE) for far in (x - self.window[0], self.window[1] - x))
        return 1 - sum(tails, raw(0))

    def _in(self, component: Component, part: OneCell) -> Found:
        found, text = super()._in(component, part)
        within = self._within(component.mean)
        return found / within, f"({text}) / {rounded(within)}"

    def density(self, component: Component, y: Fraction, side: int = 1) -> Term:
        """Return the weighted density around a component."""
        bare, within = self._centred(_NONE).value(y - component.mean), self._within(component.mean)
        return self._share(
            component, bare / within, lambda: f"{rounded(bare)} / {rounded(within)} = "
        )
