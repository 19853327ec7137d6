"""Pure epsilon for discrete priors and exponential noise (fact F1), both orders, all outputs.

Between atoms p/q is a monotone function of the output, and outside the hull it is constant, so
its supremum is reached at an atom of either prior: one inequality per atom and order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

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


def _few(pair: Pair, rate: Rate, reverse: bool, atoms: list[int]) -> Largest[int]:
    """The same over a few atoms, each evaluated."""
    with precision(PASS_BITS):
        return _largest(pair, rate, reverse, _log_ratios(pair, rate, reverse, atoms))


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


def pure_orders(pair: Pair, rate: Rate, epsilon: Number) -> tuple[AtPlaces[int], AtPlaces[int]]:
    """Decide p <= e**epsilon q and q <= e**epsilon p everywhere.

    Returns the outcome of each order, first prior over second first. `loss` is the supremum of the
    log ratio.

    Example: ``pure_orders(points, Rate(number(1)), number(1))[0].ties`` is ``(0,)``
    for point masses at 0 and 1: both losses are 1.
    Source: design facts F1 and F3.
    """
    if pair.equal:
        return _of_equal(epsilon), _of_equal(epsilon)
    with precision(PASS_BITS):
        survivors = surviving_atoms(pair, rate.ball().raw)
    deferred = any(prior.is_deferred for prior in pair.priors)
    if pair.lattice is None and len(pair) >= _ALL_AT_ONCE and not deferred:
        ratios = pair.whole_ratios(rate)
        survivors = None if ratios is None else survivors_of(ratios)
    if survivors is None:
        return _by_balls(pair, rate, epsilon)
    found = [
        _by_floats(pair, rate, reverse, left, epsilon)
        for reverse, left in zip((False, True), survivors, strict=True)
    ]
    if None in found and len(pair) < _ALL_AT_ONCE:
        return _by_balls(pair, rate, epsilon)
    first, second = (
        _few(pair, rate, reverse, left.atoms).decided(epsilon) if known is None else known
        for reverse, known, left in zip((False, True), found, survivors, strict=True)
    )
    return first, second


def _by_balls(pair: Pair, rate: Rate, epsilon: Number) -> tuple[AtPlaces[int], AtPlaces[int]]:
    """Return both orders from one pass of balls over all atoms."""
    with precision(PASS_BITS):
        tables = zip((False, True), _candidates(pair, rate), strict=True)
        first, second = (_largest(pair, rate, reverse, logs) for reverse, logs in tables)
    return first.decided(epsilon), second.decided(epsilon)


def _of_equal(epsilon: Number) -> AtPlaces[int]:
    """One order of two equal priors, of which the log ratio is 0 everywhere."""
    sign = epsilon.sign()
    return AtPlaces(None if sign is None else -sign, ZERO, lambda: 0)


def _by_floats(
    pair: Pair, rate: Rate, reverse: bool, left: Survivors, epsilon: Number
) -> AtPlaces[int] | None:
    """Return the order where the float pass alone leaves no doubt of the sign.

    That is where its loss is surely below epsilon: the ball of floats around the largest ratio that
    they find encloses the supremum, whichever atom has it.
    """
    if len(left.atoms) > 1 and len(pair) < _ALL_AT_ONCE:
        return None
    with precision(PASS_BITS):
        if (left.loss - epsilon.ball()).certain_sign() != -1:
            return None

    @cache
    def top() -> tuple[Largest[int], int]:
        found = _few(pair, rate, reverse, left.atoms)
        return found, found.worst

    def balls(bits: int) -> Iterator[Ball]:
        yield left.loss
        yield from top()[0].balls(bits)

    def worst() -> int:
        return left.atoms[0] if len(left.atoms) == 1 else top()[1]

    amount = ByBalls(balls, is_exactly=lambda value: top()[0].is_exactly(value))
    return AtPlaces(-1, amount, worst)
