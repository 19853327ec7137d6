"""Atoms with discrete Gaussian noise, compared on the lattice.

With atoms a_i, c_i = P(a_i) - e**epsilon Q(a_i) and variance v, all in steps of the lattice, the
mass of g = p - e**epsilon q at k is sum c_i e**(-(k - a_i)**2 / (2v)), up to a factor that both
laws share. Far to the right the last atom with c_i != 0 dominates, and from where it does once it
does on; so the sign of g is known outside a window. The divergence sums g over a window, and bounds
the rest by geometric sums.
Source: design fact F48.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, isqrt, log

from pfverify.decide.breach import Breach, Place
from pfverify.decide.comparison import Comparison, Decision, Orders, Settled, Supremum
from pfverify.decide.evidence import AtAtoms
from pfverify.decide.excess import by_balls
from pfverify.decide.least_epsilon import halved, searched
from pfverify.decide.targets import targets_of
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import Ball, Raw, current_precision, precision, raw
from pfverify.exact.expsum import CAP_BITS, Exponent, ExpSum
from pfverify.exact.grid import Grid
from pfverify.exact.refined import INFINITE, ZERO, OnGrid, Refined
from pfverify.exact.rising import rising
from pfverify.exact.search import least_decimal
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.model.target import Target

_MOST = 4_000_000  # atoms times points of a window
_BITS = 96
_CAP = "g cannot be told from 0 at an output, and epsilon is outside the exact classes"
_NEAR = "the divergence cannot be told from delta; for this noise there is no exact test of a tie"
_WIDE = "the window of outputs that matter is too wide for exact sums"


def compared(item: Question) -> Orders:
    """Return both orders of a pair of priors of atoms, at the noise's variance, which is > 0."""
    first, second = item.discrete_priors("this decision is about atoms")
    noise = item.release.noise
    if not isinstance(noise, DiscreteGaussian):
        raise InputError(f"noise.kind: this decision is not about {noise.kind} noise")
    origin = min(first.atoms[0], second.atoms[0])
    laws = [{int((x - origin) / noise.step): m for x, m in law.mass.items()}
            for law in (first, second)]  # fmt: skip
    variance = noise.stated_variance() / noise.step**2
    pair = LatticePair(laws[0], laws[1], variance, origin, noise.step)
    targets = targets_of(item)
    return GaussianLattice(pair, targets[0]), GaussianLattice(pair.turned(), targets[1])


@dataclass(frozen=True)
class LatticePair:
    """Two laws over whole numbers of steps from an origin, and the variance in square steps."""

    p: dict[int, Fraction]
    q: dict[int, Fraction]
    variance: Fraction
    origin: Fraction
    step: Fraction

    def turned(self) -> LatticePair:
        """Return the same pair, the laws changed over."""
        return LatticePair(self.q, self.p, self.variance, self.origin, self.step)

    def output(self, k: int) -> Fraction:
        """Return the output of a number of steps."""
        return self.origin + k * self.step

    @cached_property
    def atoms(self) -> list[int]:
        """All atoms, sorted."""
        return sorted({*self.p, *self.q})

    def reach(self, bits: int) -> int:
        """Return how far noise reaches with more than about 2**-bits of its mass."""
        return isqrt(ceil(2 * bits * self.variance)) + 2

    def bell(self, distance: int) -> Raw:
        """Return e**(-distance**2 / (2 variance))."""
        return raw(-Fraction(distance * distance) / (2 * self.variance)).exp()

    def beyond(self, distance: int) -> Raw:
        """Return at least the sum of `bell` over all distances > `distance` >= 0."""
        ratio = raw(-Fraction(2 * distance + 1) / (2 * self.variance)).exp()
        return self.bell(distance) * ratio / (1 - ratio)

    def whole(self, reach: int) -> Raw:
        """Enclose the sum of `bell` over all whole numbers, of which those within reach one by one.
        """
        total = raw(1)
        for k in range(1, reach + 1):
            total += 2 * self.bell(k)
        return total + (2 * self.beyond(reach)).union(raw(0))


class GaussianLattice(Comparison):
    """One order of two laws of atoms under discrete Gaussian noise."""

    no_witness = "no margin was proved at the highest precision tried"

    def __init__(self, pair: LatticePair, target: Target) -> None:
        self.pair, self.target = pair, target

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.pair.p == self.pair.q

    def against(self, target: Target) -> GaussianLattice:
        """Return the same laws, held to another target."""
        return GaussianLattice(self.pair, target)

    # ---------------------------------------------------------------- the sign of g

    def _jump(self, atom: int) -> ExpSum | None:
        epsilon = self.target.epsilon.formal
        p, q = self.pair.p.get(atom, Fraction(0)), self.pair.q.get(atom, Fraction(0))
        if epsilon is None and q:
            return None
        gone = ExpSum({}) if epsilon is None else ExpSum.power(epsilon, q)
        return ExpSum.constant(p) - gone

    @cached_property
    def _ends(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """The first and the last atom with c != 0, each with its sign; None: all are 0.

        UndecidedError where one cannot be told from 0.
        """
        found: list[tuple[int, int]] = []
        for order in (self.pair.atoms, self.pair.atoms[::-1]):
            for atom in order:
                jump = self._jump(atom)
                sign = None if jump is None else jump.sign()
                if sign is None:
                    raise UndecidedError(_CAP)
                if sign:
                    found.append((atom, sign))
                    break
        return (found[0], found[1]) if len(found) == 2 else None

    def _jumps(self) -> dict[int, Raw]:
        growth = self.target.exp_epsilon()
        return {
            a: raw(self.pair.p.get(a, Fraction(0))) - growth * raw(self.pair.q.get(a, Fraction(0)))
            for a in self.pair.atoms
        }

    def _edge(self, leading: int, way: int) -> int:
        """Where the leading atom dominates outward (way 1: to the right)."""
        with precision(_BITS):
            jumps = self._jumps()
            others = [
                (a, abs(c)) for a, c in jumps.items() if a != leading and (leading - a) * way > 0
            ]
            distance = 1
            while True:
                k = leading + way * distance
                rest = raw(0)
                for a, c in others:
                    # e**-((k-a)**2 - (k-leading)**2)/(2v): falls outward
                    power = Fraction((k - a) ** 2 - (k - leading) ** 2)
                    rest += c * raw(-power / (2 * self.pair.variance)).exp()
                if abs(jumps[leading]) > rest:
                    return k
                distance *= 2
                if distance * len(self.pair.atoms) > _MOST:
                    raise UndecidedError(_WIDE)

    def _sign_at(self, k: int, jumps: dict[int, Raw]) -> int:
        total = raw(0)
        for a, c in jumps.items():
            total += c * self.pair.bell(k - a)
        if (sign := Ball(total).certain_sign()) is not None:
            return sign
        exact = ExpSum({})
        for a in self.pair.atoms:
            jump = self._jump(a)
            if jump is None:
                raise UndecidedError(_CAP)
            decay = -Fraction((k - a) ** 2) / (2 * self.pair.variance)
            exact = exact + jump * ExpSum.power(Exponent.rational(decay))
        sign = exact.sign()
        if sign is None:
            raise UndecidedError(_CAP)
        return sign

    @cached_property
    def _largest(self) -> tuple[int, int | None]:
        """The sign of the largest g, and an output with this sign (None: every output ties)."""
        ends = self._ends
        if ends is None:
            return 0, None
        (first, left), (last, right) = ends
        window = [self._edge(first, -1), self._edge(last, 1)]
        if left > 0:
            return 1, window[0]
        if right > 0:
            return 1, window[1]
        # an outermost atom with c = 0: in that tail the ratio tends to e**epsilon
        tied = (first, last) != (self.pair.atoms[0], self.pair.atoms[-1])
        best: tuple[int, int | None] = (0 if tied else -1, None)
        if (window[1] - window[0]) * len(self.pair.atoms) > _MOST:
            raise UndecidedError(_WIDE)
        with precision(_BITS):
            jumps = self._jumps()
            for k in range(window[0], window[1] + 1):
                sign = self._sign_at(k, jumps)
                if sign > 0:
                    return 1, k
                best = (0, k) if sign == 0 else best
        return best

    # ---------------------------------------------------------------- the divergence

    def _points(self, bits: int) -> range:
        reach = self.pair.reach(bits)
        found = range(self.pair.atoms[0] - reach, self.pair.atoms[-1] + reach + 1)
        if len(found) * len(self.pair.atoms) > _MOST:
            raise UndecidedError(_WIDE)
        return found

    def _divergence(self, bits: int) -> Raw:
        """Enclose the divergence at the current precision, from a window for so many bits."""
        pair, jumps, points = self.pair, self._jumps(), self._points(bits)
        bells = {d: pair.bell(d) for d in range(points[-1] - pair.atoms[0] + 1)}
        total = raw(0)
        for k in points:
            g = raw(0)
            for a, c in jumps.items():
                g += c * bells[abs(k - a)]
            total += g.nonnegative_part() if not g < 0 else raw(0)
        rest = raw(0)
        for a, c in jumps.items():
            if not c < 0:
                rest += abs(c) * (pair.beyond(a - points[0]) + pair.beyond(points[-1] - a))
        return (total + rest.union(raw(0))) / pair.whole(pair.reach(bits))

    def _against_delta(self) -> tuple[int | None, str | None]:
        delta = self.target.delta
        try:
            if self._largest[0] <= 0:
                return self.target.sign_of_nothing, None
        except UndecidedError:
            pass
        for bits in rising(_BITS, CAP_BITS):
            with precision(bits):
                gap = Ball(self._divergence(bits) - delta.ball().raw)
            if (sign := gap.certain_sign()) is not None:
                return sign, None
        return None, _NEAR

    def _sign(self) -> tuple[int | None, str | None]:
        if self.equal or self.target.allows_everything:
            return -1, None
        try:
            match self.target.bound:
                case Bound.RATIO:
                    return self._largest[0], None
                case Bound.DIVERGENCE:
                    return self._against_delta()
                case Bound.EXCESS:
                    raise InputError("form: discrete Gaussian noise is decided by events")
        except UndecidedError as error:
            return None, str(error)

    def _evidence(self) -> AtAtoms:
        if self.target.bound is Bound.RATIO:
            return AtAtoms("pure", ())
        try:
            pure = self.equal or self._largest[0] <= 0
        except UndecidedError:
            pure = False
        return AtAtoms("pure", ()) if pure else AtAtoms("delta-upper")

    def settled(self) -> Settled:
        """Decide the target."""
        sign, reason = self._sign()
        return Settled(sign, self._evidence(), reason)

    def decided(self) -> Decision:
        """Decide the target, with what is lost, and where it fails."""
        sign, reason = self._sign()
        bounds_ratio = self.target.bound is Bound.RATIO
        return Decision(
            sign=sign,
            loss=self.loss().value,
            delta=None if bounds_ratio else self.exceeding(),
            worst=self.loss().where,
            evidence=self._evidence(),
            breach=self._breach() if sign == 1 else None,
            reason=reason,
        )

    def exceeding(self) -> Refined:
        """Return the divergence at the target's epsilon."""
        if self.equal:
            return ZERO
        try:
            if self._largest[0] <= 0:
                return ZERO
        except UndecidedError:
            pass
        return by_balls(lambda: self._divergence(current_precision()), Fraction(1))

    # ---------------------------------------------------------------- losses

    @cached_property
    def _ratios(self) -> list[tuple[float, Place]]:
        """About log p/q at outputs near the atoms, and its limits in the tails: proposals."""
        pair = self.pair
        first, last = pair.atoms[0], pair.atoms[-1]
        found: list[tuple[float, Place]] = [
            (log(pair.p[a] / pair.q[a]), place)
            for a, place in ((first, "-inf"), (last, "inf"))
            if pair.p.get(a) and pair.q.get(a)
        ]
        wide = min(pair.reach(8), 2000)
        with precision(_BITS):
            for k in range(first - wide, last + wide + 1):
                p, q = (
                    sum((raw(m) * pair.bell(k - a) for a, m in law.items()), raw(0))
                    for law in (pair.p, pair.q)
                )
                value = Ball((p / q).log()).midpoint()
                found.append((value, str(pair.output(k))))
        return found

    def loss(self) -> Supremum:
        """Return epsilon*: infinite unless both laws share their first and their last atom."""
        pair = self.pair
        if self.equal:
            return Supremum(ZERO, lambda: pair.output(pair.atoms[0]))
        for a, place in ((pair.atoms[0], "-inf"), (pair.atoms[-1], "inf")):
            if a not in pair.q:
                return Supremum(INFINITE, _always(place))

        def bracket(grid: Grid) -> tuple[Fraction, Fraction]:
            def holds(epsilon: Fraction) -> bool:
                return self.against(self.target.at_epsilon(epsilon))._largest[0] <= 0

            guess = Fraction(max(value for value, _ in self._ratios))
            return least_decimal(holds, max(guess, Fraction(1, 10**grid.digits)), grid)

        where = max(self._ratios)[1]
        return Supremum(OnGrid(bracket), lambda: where)

    def least_epsilon(self) -> Refined:
        """Return the least epsilon, searched for; infinite where P alone has more mass."""
        return searched(self, self._proposed)

    def _proposed(self, grid: Grid) -> Fraction:
        """About where the divergence is delta, by halving in balls."""
        return halved(self._is_above, grid, 64)

    def _is_above(self, epsilon: Fraction) -> bool:
        one = self.against(self.target.at_epsilon(epsilon))
        with precision(_BITS):
            return Ball(one._divergence(_BITS) - self.target.delta.ball().raw).midpoint() > 0

    # ---------------------------------------------------------------- where it fails

    def _breach(self) -> Breach | None:
        pair = self.pair
        for bits in rising(_BITS, CAP_BITS):
            with precision(bits):
                if self.target.bound is Bound.RATIO:
                    k = self._largest[1]
                    if k is None:
                        return None
                    p, q = (
                        sum((raw(m) * pair.bell(k - a) for a, m in law.items()), raw(0))
                        for law in (pair.p, pair.q)
                    )
                    margin = (p / q).log() - self.target.epsilon.ball().raw
                    if margin > 0:
                        return Breach("pure-refuted", margin, y=pair.output(k))
                    continue
                jumps, total, runs = self._jumps(), raw(0), list[list[int]]()
                for k in self._points(32):
                    g = sum((c * pair.bell(k - a) for a, c in jumps.items()), raw(0))
                    if g > 0:
                        total += g
                        if runs and runs[-1][1] == k - 1:
                            runs[-1][1] = k
                        else:
                            runs.append([k, k])
                whole = pair.whole(pair.reach(bits))
                margin = total / whole - self.target.delta.ball().raw
                if margin > 0:
                    event = [(pair.output(a), pair.output(b)) for a, b in runs]
                    return Breach("event-refuted", margin, event=event)
        return None


def _always(place: Place) -> Callable[[], Place]:
    return lambda: place
