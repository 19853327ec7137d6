"""One pair with densities at any scale: verdicts, and a proposal for the least private scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf, isfinite

from pfverify.decide.charts.chart import Chart, Ends
from pfverify.decide.charts.compared import both
from pfverify.decide.charts.float_start import start_of
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.moments import Moment, refuting_moment
from pfverify.decide.charts.order import OneOrder, orders_of
from pfverify.decide.comparison import Never, NoScale, Orders, Scaled
from pfverify.decide.step import Step, goal_keys
from pfverify.decide.targets import target_of
from pfverify.exact.ball import Ball, Raw, precision, raw, rising_sign
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import fall, float_root, polished
from pfverify.laws.kinds import forms_of
from pfverify.model.notion import Bound
from pfverify.model.question import Question

_ROUNDS = 24
_CREEPS = 4  # rounds of small steps after which all witnesses are looked at again at every scale
_CREEP = 1000  # steps below 1/this of the scale are no creeping: the error is squared from there
_CLOSE = 1e-8  # in the logarithm of the excess: near enough for the error to be squared
_WORSE = -100.0  # the excess where nothing exceeds, in the logarithm
_UP = (4.0,) * 40  # factors of a scale on the way to a change of sign, and on the way down
_DOWN = (*(1 - 2.0**-k for k in (30, 24, 18, 12, 8, 5, 3, 2)), *[0.5] * 6)
_STEPS = tuple(1.25 ** 2**k for k in range(11))  # factors between scales that are worked out anew
_LEAP = 256  # the largest factor on the way down to where there is a witness

Size = Callable[[Measured], Raw]
Gap = Callable[[Fraction], Ball]
"""How much one witness (an output, a tail, an event) breaks the target at a scale, in logarithms:

with them steep and tiny excesses are next to straight lines in the logarithm of the scale.
"""


@dataclass(frozen=True)
class ByMoment(Never):
    """A place at which moment generating functions forbid every scale of normal noise."""

    belief: str
    source: str
    to: str
    place: Moment

    @property
    def words(self) -> str:
        """The reason in words, with the order and the place."""
        return (
            f"delta = 0, and E e^(tX) of {self.source!r} is at least e^epsilon times that of "
            f"{self.to!r} at {self.place.words}, where Gaussian noise of any scale would keep it "
            "below"
        )

    def step(self, bits: int) -> Step:
        """Return the order and the place."""
        base = None if self.place.base is None else str(self.place.base)
        return {
            "rule": "moment",
            **goal_keys(self.belief, self.source, self.to),
            "bits": bits,
            "t": str(self.place.factor),
            "log": base,
        }


class ChartScaled(Scaled):
    """One pair of which a prior or the noise has a density, at any scale.

    No bound is at hand that covers every density, and there may be no atoms to measure by.
    """

    def __init__(self, item: Question) -> None:
        super().__init__(item, target_of(item))
        laws = forms_of(item.under(item.release.with_scale(1)))
        self.orders = orders_of(*laws, self.target)

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a scale."""
        return both(*(order.at_scale(scale) for order in self.orders))

    def bare(self) -> Orders:
        """Return both orders of the priors themselves."""
        return both(*(order.without_noise() for order in self.orders))

    def never(self) -> Never | None:
        """Return why no scale at all meets the target, or None where no reason was found."""
        found = super().never()
        if found is not None or self.orders[0].release.rate is not None or self.equal:
            return found
        return self._never_normal()

    def _never_normal(self) -> Never | None:
        """Return what normal noise of any scale leaves as it is: a tail, or a moment."""
        names = self.item.first, self.item.second
        if self.target.bound is not Bound.RATIO:
            return None
        asked = list(zip(self.orders, (names, names[::-1]), strict=True))
        if any(_dominates(order, side) for order, _ in asked for side in (-1, 1)):
            return NoScale(
                f"delta = 0, and far out the ratio of the laws of {names[0]!r} and {names[1]!r} "
                "exceeds e^epsilon under Gaussian noise of any scale"
            )
        for order, (source, to) in asked:
            place = refuting_moment(order.p, order.q, order.target)
            if place is not None:
                return ByMoment(self.item.belief, source, to, place)
        return None

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one: the witness of one scale gives the next.

        A proposal only; 0 where nothing was found to need noise.
        """
        scale = start_of(self.orders[0]) or self.orders[0].without_noise().unit
        orders: tuple[bool, ...] = (False, True)
        creeping, down, half = 0, 2, Grid(grid.digits // 2 + 2)
        for _ in range(_ROUNDS):
            found = self._worst(scale, orders, grid)
            new = None if found is None else _root(found[1], scale, grid)
            if found is None or (new is None and found[0] <= 0):
                # this witness says nothing of smaller scales: look for another there
                scale, down = scale / down, min(down * down, _LEAP)
                continue
            if new is None:
                scale, orders = self._between(scale, grid), (False, True)
                continue
            worse, down = found[2], 2
            # the error is squared in every round, so half of the digits are enough to stop
            if abs(new - scale) < half.step(new):
                if len(orders) == 2:
                    return new
                orders = (False, True)  # is it still the other order that needs less?
            else:
                orders = (worse,)
            creeping += scale < new * 2 < scale * 4 and abs(new - scale) * _CREEP > scale
            scale = new
            if creeping == _CREEPS:  # a witness may say little even of scales close by
                scale, creeping = self._between(scale, grid), _CREEPS + 1
                orders = (False, True)
        return scale

    def _between(self, scale: Fraction, grid: Grid) -> Fraction:
        """Return a scale near the least one, with the worst witness of every scale on the way."""

        def size(factor: float) -> float:
            found = self._worst(scale * Fraction(factor), (False, True), grid)
            if found is None:
                return -inf
            return 0.0 if abs(found[0]) < _CLOSE else found[0]

        ends = fall(size, _STEPS, [1 / step for step in _STEPS])
        return scale if ends is None else scale * Fraction(float_root(size, *ends))

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Return the proposal as it is: it has its digits already."""
        del grid
        return guess

    def _worst(
        self, scale: Fraction, orders: Sequence[bool], grid: Grid
    ) -> tuple[float, Gap, bool] | None:
        """Return how much the worst witness of some orders breaks the target at a scale, its gap

        at any scale, and its order.
        """
        found: list[tuple[float, Gap, bool]] = []
        for reverse in orders:
            order = self.orders[reverse].at_scale(scale)
            with precision(max(128, 64 + grid.bits) + order.extra_bits):
                measured = order.measured(order.target)
                chart = measured.chart(2.0 ** -max(50, grid.bits // 2))  # errors are squared
                found += [
                    (float(size(measured).mid()), self._gap(size, reverse), reverse)
                    for size in _witnesses(measured, chart)
                ]
        finite = [one for one in found if isfinite(one[0])]
        return max(finite, key=lambda one: one[0]) if finite else None

    def _gap(self, size: Size, reverse: bool) -> Gap:
        def gap(scale: Fraction) -> Ball:
            order = self.orders[reverse].at_scale(scale)
            return Ball(size(order.measured(order.target)))

        return gap


def _witnesses(measured: Measured, chart: Chart) -> Iterator[Size]:
    """Yield the sizes of the worst output of a chart and of the tails, or of its event."""

    def log_ratio(y: Fraction) -> float:
        p, q = measured.values(y)
        return float(measured.log_ratio(y).mid()) if p > 0 and q > 0 else -inf

    match measured.signed.target.bound:
        case Bound.RATIO | Bound.EXCESS:
            best = max(chart.worth_looking(), key=log_ratio, default=None)
            if best is not None:
                yield lambda measured: measured.log_ratio(best)
            for side in measured.tails():
                yield partial(_tail, side=side)
        case Bound.DIVERGENCE:
            if runs := chart.runs(1):
                yield partial(_event_size, runs=runs)


def _tail(measured: Measured, side: int) -> Raw:
    return measured.tails()[side]


def _event_size(measured: Measured, runs: list[Ends]) -> Raw:
    total = raw(0)
    for low, high in runs:
        p, q = measured.mass(low, high)
        total += p - measured.factor * q
    for _, atom in measured.bare_atoms():
        total += atom if atom > 0 else raw(0)
    if not total > 0:
        return raw(Fraction(_WORSE))
    return (Ball(total).log() - measured.signed.target.delta.ball().log()).raw


def _root(gap: Gap, scale: Fraction, grid: Grid) -> Fraction | None:
    """Return the scale at which a falling gap is 0, looked for around `scale`, or None."""

    def at(factor: float) -> float:
        with precision(128):
            return gap(scale * Fraction(factor)).midpoint()

    ends = fall(at, _UP, _DOWN)
    return None if ends is None else polished(gap, scale * Fraction(float_root(at, *ends)), grid)


def _dominates(order: OneOrder, side: int) -> bool:
    """Whether the term of the signed measure that dominates a tail is proved positive."""
    signed = order.signed(order.target)
    terms = [*signed.terms, *signed.atoms]
    if not terms:
        return False
    top = max(terms, key=lambda term: (term.variance, side * term.mean))
    if not top.q:
        return True
    ratio = Number.of_rational(top.p / top.q)

    def gap() -> Ball:
        return ratio.ball() - Ball(order.target.exp_epsilon())

    return rising_sign(gap, 128, 1024) == 1
