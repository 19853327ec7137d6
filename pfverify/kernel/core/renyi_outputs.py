"""How much of R one output tells, of points that are given: the noise is Laplace, on a lattice too,
or normal.

For points x_j of powers w_j that sum to a, and a point 0 of the power 1-a, the product of their
densities is e^(E(y) rho) up to a constant, E(y) = (a-1) |y| - sum of w_j |y - x_j|.  Between places
where a point is E is straight, and with the slopes l and r beside a place v its integral, or sum
over the lattice, is

    C sum over v of e^(E(v) rho) (g(r) - g(l))     g(s) = -1/s, C = 1/2, or
                                                   g(s) = 1/(1 - t^-s), C = (1-t)/(1+t)    (F111)

as the slopes are 1 before all places, -1 behind them, and never 0 for a whole a, or one point.
Of normal noise of the variance V it is e^(((sum w_j x_j)^2 - sum w_j x_j^2)/(2V))    (F112).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, Protocol

from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.grammar import bounded
from core.work import spend
from core.zero import NIL, Form, Sum, accumulate, add, constant, exp_form, multiply, times

Powers = Mapping[Fraction, Fraction]  # of points, by how far each is from that of Q
WHOLE: Sum = {NIL: Fraction(1)}


class Output(Protocol):
    """One output of X, or so many of one kind."""

    @property
    def place(self) -> int:
        """The coordinate of X that it tells of."""

    @property
    def many(self) -> int:
        """How many there are."""

    @property
    def by(self) -> str:
        """The fact by which it is known what they tell."""

    def enclosed(self, powers: Powers, ar: Arithmetic) -> Interval:
        """An enclosure of what one tells."""

    def exact(self, powers: Powers, slopes: list[Fraction]) -> tuple[Sum, Sum]:
        """The same exactly, over what does not depend on the points: of all `slopes` but 1 and -1
        that they may have."""


class Cut(NamedTuple):
    """A place: -E there, and the slopes before and behind it."""

    far: Fraction
    before: Fraction
    behind: Fraction


def cuts(powers: Powers) -> list[Cut]:
    """Those of some points; a place where the slope does not change is none."""
    found, before = list[Cut](), Fraction(1)
    spare = sum(powers.values(), Fraction(-1))
    spend(16 * len(powers) * len(powers))
    for v in sorted({Fraction(0), *powers}):
        turn = powers.get(v, Fraction(0)) - (0 if v else spare)
        if turn:
            far = sum((w * abs(v - x) for x, w in powers.items()), -spare * abs(v))
            found.append(Cut(bounded(far), before, before - 2 * turn))
            before -= 2 * turn
    return found


class Laplace(NamedTuple):
    """Laplace noise of a rate, which may live on a lattice."""

    place: int
    many: int
    rate: Form
    step: Fraction | None
    by: str = "F111"

    def enclosed(self, powers: Powers, ar: Arithmetic) -> Interval:
        """As in `Output`."""
        total = ZERO
        for cut in cuts(powers):
            turn = ar.sub(self._tail(cut.behind, ar), self._tail(cut.before, ar))
            total = ar.add(total, ar.mul(_exp(times(self.rate, -cut.far), ar), turn))
        if self.step is None:
            return ar.mul(total, (1, 1, -1))
        t = _exp(times(self.rate, -self.step), ar)
        return ar.div(ar.mul(total, ar.sub(ONE, t)), ar.add(ONE, t))

    def _tail(self, slope: Fraction, ar: Arithmetic) -> Interval:
        """g(slope)."""
        if self.step is None:
            return ar.of(-1 / slope)
        power = _exp(times(self.rate, -abs(slope) * self.step), ar)
        found = ar.div(ONE, ar.sub(ONE, power))
        return found if slope < 0 else ar.sub(ONE, found)

    def exact(self, powers: Powers, slopes: list[Fraction]) -> tuple[Sum, Sum]:
        """As in `Output`."""
        top: Sum = {}
        for cut in cuts(powers):
            at = times(self.rate, -cut.far)
            if self.step is None:
                accumulate(top, at, (1 / cut.before - 1 / cut.behind) / 2)
                continue
            turn = add(self._over(cut.behind, slopes), self._over(cut.before, slopes), Fraction(-1))
            top = add(top, multiply({at: Fraction(1)}, turn))
        if self.step is None:
            return top, WHOLE
        return top, self._without(Fraction(1), slopes, {NIL: Fraction(1), self._t(1): Fraction(1)})

    def _t(self, power: Fraction | int) -> Form:
        if self.step is None:
            return NIL
        return times(self.rate, -power * self.step)

    def _over(self, slope: Fraction, slopes: list[Fraction]) -> Sum:
        """C g(slope) times 1+t and all 1 - t^s for the slopes s."""
        size = abs(slope)
        start = WHOLE if size == 1 else {NIL: Fraction(1), self._t(1): Fraction(-1)}
        found = self._without(size, slopes, start)
        return found if slope < 0 else multiply(found, {self._t(size): Fraction(-1)})

    def _without(self, size: Fraction, slopes: list[Fraction], start: Sum) -> Sum:
        found = start
        for s in slopes:
            if s != size:
                spend(64)
                found = multiply(found, {NIL: Fraction(1), self._t(s): Fraction(-1)})
        return found


class Normal(NamedTuple):
    """Normal noise of a variance."""

    place: int
    many: int
    variance: Fraction
    by: str = "F112"

    def _power(self, powers: Powers) -> Form:
        whole = sum((w * x for x, w in powers.items()), Fraction(0))
        squares = sum((w * x * x for x, w in powers.items()), Fraction(0))
        return constant(bounded((whole * whole - squares) / (2 * self.variance)))

    def enclosed(self, powers: Powers, ar: Arithmetic) -> Interval:
        """As in `Output`."""
        return _exp(self._power(powers), ar)

    def exact(self, powers: Powers, slopes: list[Fraction]) -> tuple[Sum, Sum]:
        """As in `Output`."""
        return {self._power(powers): Fraction(1)}, WHOLE


def _exp(f: Form, ar: Arithmetic) -> Interval:
    if f not in ar.memo:
        ar.memo[f] = exp_form(f, ar)
    return ar.memo[f]

