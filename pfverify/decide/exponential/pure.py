"""Pure epsilon for discrete priors and exponential noise (fact F1), both orders, all outputs.

Between atoms p/q is a monotone function of the output, and outside the hull it is constant, so
its supremum is reached at an atom of either prior: one inequality per atom and order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property

from pfverify.decide.exponential.exact_gaps import ExactGaps, signs_at
from pfverify.decide.exponential.filter import Survivors, surviving_atoms, survivors_of
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.largest import FEW, AtPlaces, Largest, Signs
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, ByBalls
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.ring import sums_around

PASS_BITS = 64
_SETTLED = 1000  # atoms up to which a round loss is tested exactly
_ALL_AT_ONCE = 200  # atoms below which balls take all of them rather than one by one


def _largest(pair: Pair, rate: Rate, reverse: bool, atoms: Mapping[int, Raw]) -> Largest[int]:
    """The atoms that can still carry the supremum of log(p/q) in one order."""

    def numbers(kept: Mapping[int, Raw]) -> dict[int, Raw]:
        if len(kept) <= FEW:
            return _log_ratios(pair, rate, reverse, list(kept))
        found = _candidates(pair, rate)[reverse]
        # atoms beyond the reach of the pass (powers too small for it) one by one
        again = [k for k, value in found.items() if not value.is_finite()]
        return found | _log_ratios(pair, rate, reverse, again)

    def exact(bound: Number) -> Signs[int] | None:
        if rate.formal is None or bound.formal is None:
            return None
        gaps = ExactGaps(pair, rate.formal, bound.formal, reverse)
        return lambda places, final: signs_at(gaps, places, FEW, final=final)

    def settles() -> bool:
        return rate.exponent is not None and len(pair) <= _SETTLED

    return Largest(numbers, PASS_BITS, atoms, exact, settles)


def _log_ratios(pair: Pair, rate: Rate, reverse: bool, atoms: list[int]) -> dict[int, Raw]:
    """Return log(p/q), or with `reverse` log(q/p), at a few atoms."""
    inverse = rate.ball().raw
    logs = {k: pair.log_ratio(k, inverse) for k in atoms}
    return {k: -value for k, value in logs.items()} if reverse else logs


def _candidates(pair: Pair, rate: Rate) -> tuple[dict[int, Raw], dict[int, Raw]]:
    """One pass over all atoms: those whose log ratio may be the largest, for both orders."""
    factors = pair.factors(rate.ball().raw)
    p, q = (sums_around(raw(0), weights, factors) for weights in pair.rounded_weights())
    ratios = [a / b for a, b in zip(p, q, strict=True)]
    shift = (raw(pair.totals[1]) / pair.totals[0]).log()
    high, low = raw(0), None
    largest, smallest = [], []
    for k, ratio in enumerate(ratios):
        if not ratio < high:  # kept unless surely smaller: an undecided comparison keeps it
            largest.append(k)
            if ratio > high:
                high = ratio
        if low is None or not ratio > low:
            smallest.append(k)
            if ratio > 0 and ratio.is_finite() and (low is None or ratio < low):
                low = ratio
    up = {k: ratios[k].log() + shift for k in largest if not ratios[k] < high}
    down = {
        k: -(ratios[k].log() + shift) for k in smallest if low is None or not ratios[k] > low
    }
    return up, down


class PureRatios:
    """The log ratios at the atoms of a pair at one rate: what all epsilons share."""

    def __init__(self, pair: Pair, rate: Rate) -> None:
        self.pair, self.rate = pair, rate
        self._logs: dict[bool, dict[int, Raw]] = {}

    @cached_property
    def survivors(self) -> tuple[Survivors, Survivors] | None:
        """The atoms that floats leave in either order; None where they do not apply."""
        pair = self.pair
        with precision(PASS_BITS):
            found = surviving_atoms(pair, self.rate.ball().raw)
        deferred = any(prior.is_deferred for prior in pair.priors)
        if pair.lattice is None and len(pair) >= _ALL_AT_ONCE and not deferred:
            ratios = pair.whole_ratios(self.rate)
            found = None if ratios is None else survivors_of(ratios)
        return found

    @cached_property
    def _tables(self) -> tuple[dict[int, Raw], dict[int, Raw]]:
        """The log ratios of the atoms that one pass of balls over all of them leaves."""
        with precision(PASS_BITS):
            return _candidates(self.pair, self.rate)

    def order(self, epsilon: Number, *, reverse: bool) -> AtPlaces[int]:
        """Decide p <= e**epsilon q everywhere, or with `reverse` q <= e**epsilon p.

        Source: design facts F1 and F3.
        """
        if self.pair.equal:
            return _of_equal(epsilon)
        if self.survivors is None:
            return self.by_balls(epsilon, reverse=reverse)
        known = self.by_floats(epsilon, reverse=reverse)
        if len(self.pair) < _ALL_AT_ONCE and (
            known is None or self.by_floats(epsilon, reverse=not reverse) is None
        ):
            return self.by_balls(epsilon, reverse=reverse)
        return self._few(reverse).decided(epsilon) if known is None else known

    def by_balls(self, epsilon: Number, *, reverse: bool) -> AtPlaces[int]:
        """Return an order from one pass of balls over all atoms."""
        with precision(PASS_BITS):
            found = _largest(self.pair, self.rate, reverse, self._tables[reverse])
        return found.decided(epsilon)

    def _few(self, reverse: bool) -> Largest[int]:
        """An order over the atoms that floats leave, each evaluated."""
        if self.survivors is None:
            raise RuntimeError("floats do not apply")
        with precision(PASS_BITS):
            if reverse not in self._logs:
                atoms = self.survivors[reverse].atoms
                self._logs[reverse] = _log_ratios(self.pair, self.rate, reverse, atoms)
            return _largest(self.pair, self.rate, reverse, self._logs[reverse])

    def by_floats(self, epsilon: Number, *, reverse: bool) -> AtPlaces[int] | None:
        """Return an order where the float pass alone leaves no doubt of the sign.

        That is where its loss is surely below epsilon: the ball of floats around the largest ratio
        that they find encloses the supremum, whichever atom has it.
        """
        if self.survivors is None:
            return None
        left = self.survivors[reverse]
        if len(left.atoms) > 1 and len(self.pair) < _ALL_AT_ONCE:
            return None
        with precision(PASS_BITS):
            if (left.loss - epsilon.ball()).certain_sign() != -1:
                return None

        @cache
        def top() -> tuple[Largest[int], int]:
            found = self._few(reverse)
            return found, found.worst

        def balls(bits: int) -> Iterator[Ball]:
            yield left.loss
            yield from top()[0].balls(bits)

        def worst() -> int:
            return left.atoms[0] if len(left.atoms) == 1 else top()[1]

        amount = ByBalls(balls, is_exactly=lambda value: top()[0].is_exactly(value))
        return AtPlaces(-1, amount, worst)

def pure_orders(pair: Pair, rate: Rate, epsilon: Number) -> tuple[AtPlaces[int], AtPlaces[int]]:
    """Decide p <= e**epsilon q and q <= e**epsilon p everywhere.

    Returns the outcome of each order, first prior over second first. `loss` is the supremum of the
    log ratio.

    Example: ``pure_orders(points, Rate(number(1)), number(1))[0].ties`` is ``(0,)``
    for point masses at 0 and 1: both losses are 1.
    Source: design facts F1 and F3.
    """
    ratios = PureRatios(pair, rate)
    return ratios.order(epsilon, reverse=False), ratios.order(epsilon, reverse=True)


def _of_equal(epsilon: Number) -> AtPlaces[int]:
    """One order of two equal priors, of which the log ratio is 0 everywhere."""
    sign = epsilon.sign()
    return AtPlaces(None if sign is None else -sign, ZERO, lambda: 0)
