"""What noise around one component of a prior gives an interval of Y, or the density at one y."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from pfverify.edge.words import brief
from pfverify.edge.written.asked import SENTENCES, rounded
from pfverify.edge.written.normal import name_of
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.laws.kinds import law_of
from pfverify.laws.law import AtPrecision
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Gaussian
from pfverify.model.priors.prior import Component
from pfverify.model.releases.release import Noise
from pfverify.model.steps.cells import steps_to
from pfverify.model.steps.places import End

_LONG = 24  # characters of a number

Term = tuple[Raw, str]
"""A number, and how it comes about."""
Share = tuple[Raw, Callable[[], str]]
"""A number, and how it comes about where that is asked for."""


def short(value: Fraction) -> str:
    """Return an exact number as a decimal, or a fraction; a long one is cut, with dots."""
    text = decimal_text(value)
    return text if len(text) <= _LONG else brief(str(value))


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
        self.noise, self.step = noise, noise.step or Fraction(0)
        self._centred = cache(self._law)
        self._tail = cache(self._tail_of)

    def _law(self, variance: Fraction) -> AtPrecision[Fraction]:
        prior = Gaussian(0, variance=variance) if variance else Discrete({0: 1})
        return law_of(prior, self.noise).at_precision()

    def _tail_of(self, distance: Fraction, variance: Fraction) -> Raw:
        noise = self.noise
        if noise.bound is not None and distance >= noise.bound:
            return raw(0)
        return self._centred(variance).below(-distance)

    @property
    def _words(self) -> dict[str, str]:
        """The numbers of the noise, as they are written."""
        noise, words = self.noise, {"step": short(self.step)}
        if noise.scale is not None:
            exact = noise.scale.fraction
            words["scale"] = noise.scale.text if exact is None else short(exact)
        if noise.bound is not None:
            words["bound"] = short(noise.bound)
        if isinstance(noise, GaussianNoise | DiscreteGaussian) and noise.variance is not None:
            words["variance"] = short(noise.variance)
        return words

    def said(self, *, normal: bool) -> str:
        """Return what the noise is, with its tails; `normal`: for priors with normal laws."""
        both = f"{self.noise.kind}-normal"
        kind = both if normal and both in SENTENCES["chance"] else self.noise.kind
        return f"Y = X + N, {SENTENCES['chance'][kind].format(**self._words)}"

    def density_said(self) -> str:
        """Return what the noise is, with its density around an atom."""
        return SENTENCES["density"][self.noise.kind].format(**self._words)

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

    def of(self, component: Component, parts: list[OneCell]) -> Share:
        """Return the weighted mass of intervals around a component."""
        total, texts = raw(0), list[str]()
        for part in parts:
            found, text = self._in(component, part)
            total += found
            texts.append(text)
        shown = " + ".join(text for text in texts if text) or "0"
        return self._share(component, total, f"{shown} = ")

    def _share(self, component: Component, value: Raw, how: str) -> Share:
        """A number times the weight of a component."""
        size, weight = raw(component.weight) * value, component.weight

        def text() -> str:
            weighted = "" if weight == 1 else f", weighted {rounded(size)}"
            return f"{name_of(component)}: {how}{rounded(value)}{weighted}"

        return size, text

    def _in(self, component: Component, part: OneCell) -> Term:
        low, high = self.points(part, component.mean)
        if part.period is not None and low is not None and high is not None:
            return self._again(component, low, high, part.period)
        if low is not None and low == high:
            return self._at(abs(low - component.mean), component.variance)
        right = None if low is None else low - component.mean
        beyond = None if high is None else high + self.step - component.mean
        left = None if high is None else component.mean - high
        before = None if low is None else component.mean - low + self.step
        if right is not None and right >= 0:
            return self._less(component.variance, right, beyond)
        if left is not None and left >= 0:
            return self._less(component.variance, left, before)
        (a, text), (b, more) = (self._one(component.variance, x) for x in (before, beyond))
        return 1 - a - b, " - ".join(["1", *filter(None, (text, more))])

    def _at(self, distance: Fraction, variance: Fraction) -> Term:
        """The weight of one point of a lattice."""
        found = self._centred(variance).weight(distance).value()
        return found, f"w({short(distance)})"

    def _one(self, variance: Fraction, distance: Fraction | None) -> Term:
        """A tail, 0 infinitely far out."""
        if distance is None:
            return raw(0), ""
        return self._tail(distance, variance), f"T({short(distance)})"

    def _less(self, variance: Fraction, near: Fraction, far: Fraction | None) -> Term:
        """The mass between two distances on one side."""
        (a, text), (b, more) = (self._one(variance, x) for x in (near, far))
        return a - b, " - ".join(filter(None, (text, more)))

    def _again(self, component: Component, low: Fraction, high: Fraction, period: Fraction) -> Term:
        """The mass of an interval within a period, and of those that lie periods away.

        With distances from 0 to the period, every further one to either side is a factor
        e**(-period/scale) less.
        """
        turns = (low - component.mean) // period * period + component.mean
        low, high, v = low - turns, high - turns, component.variance
        factor = (-raw(period) / self._scale()).exp()
        under = f"/(1 - e^(-{short(period)}/b))"
        if low == high:
            (a, text), (b, more) = (self._at(x, v) for x in (low, period - low))
            return (a + b) / (1 - factor), f"({text} + {more}){under}"
        total, texts = raw(0), list[str]()
        for near, far in ((low, min(high, period)), (Fraction(0), high - period)):
            if near < far:
                first, text = self._less(v, near, far)
                other, more = self._less(v, period - far, period - near)
                total += first + other
                texts += [text, more]
        return total / (1 - factor), f"({' + '.join(texts)}){under}"

    def _scale(self) -> Raw:
        scale = self.noise.scale
        return raw(1) if scale is None else scale.ball().raw

    # ---------------------------------------------------------------- densities

    def jumps(self, components: Iterable[Component], y: Fraction) -> bool:
        """Say whether the density around one of some components jumps at y."""
        noise = self.noise
        return noise.bound is not None and any(
            abs(y - part.mean) == noise.bound for part in components
        )

    def density(self, component: Component, y: Fraction, side: int) -> Share:
        """Return the weighted density around a component just beside y (1: above, -1: below)."""
        away = y - component.mean
        found = raw(0)
        bound = self.noise.bound
        if bound is None or (abs(away) <= bound and away != side * bound):
            found = self._centred(component.variance).weight(away).value()
        return self._share(component, found, "")


class WindowTails(Tails):
    """Laplace noise that is renormalised in a window: tails and densities over C(x)."""

    def __init__(self, noise: BoundedLaplace) -> None:
        super().__init__(noise)
        self.window, self._bare = (noise.low, noise.high), Laplace(noise.scale)

    def _law(self, variance: Fraction) -> AtPrecision[Fraction]:
        return law_of(Discrete({0: 1}), self._bare).at_precision()

    @property
    def _words(self) -> dict[str, str]:
        low, high = map(short, self.window)
        return {**super()._words, "low": low, "high": high}

    def _within(self, x: Fraction) -> Raw:
        """C(x)."""
        tails = (self._tail(far, Fraction(0)) for far in (x - self.window[0], self.window[1] - x))
        return 1 - sum(tails, raw(0))

    def _in(self, component: Component, part: OneCell) -> Term:
        found, text = super()._in(component, part)
        within = self._within(component.mean)
        return found / within, f"({text}) / {rounded(within)}"

    def density(self, component: Component, y: Fraction, side: int) -> Share:
        """Return the weighted density around a component."""
        away, within = y - component.mean, self._within(component.mean)
        bare = self._centred(component.variance).weight(away).value()
        return self._share(component, bare / within, f"{rounded(bare)} / {rounded(within)} = ")
