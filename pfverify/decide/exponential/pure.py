"""Pure epsilon for discrete priors and exponential noise (fact F1), both orders, all outputs.

Between atoms p/q is a monotone function of the output, and outside the hull it is constant, so
its supremum is reached at an atom of either prior: one inequality per atom and order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

from pfverify.decide.breach import no_gap, proved
from pfverify.decide.exponential.exact_gaps import ExactGaps, signs_at
from pfverify.decide.exponential.filter import Survivors, surviving_atoms, survivors_of
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.expsum import CAP_BITS, ZERO_TEST_BITS, Exponent
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, Between, ByBalls, exactly
from pfverify.exact.rising import rising
from pfverify.laws.exponential import running_sums
from pfverify.laws.rate import Rate

PASS_BITS = 64
_SETTLED = 1000  # atoms up to which a round loss is tested exactly
_ALL_AT_ONCE = 200  # atoms below which balls take all of them rather than one by one
_FEW = 8  # this many candidate atoms are evaluated one by one
_THINNED = 7 / 8  # of the candidates left by a pass: so few, and the next one drops more
_MANY_BITS = 1 << 13  # where more candidates than that are written out exactly as well


@dataclass(frozen=True)
class PureOrder:
    """One order: sign of sup log(p/q) - epsilon, how to find its worst atom, and the supremum.

    `gap` is the ball of log(p/q) - epsilon there where the sign is 1.
    """

    sign: int | None
    find_worst: Callable[[], int]
    loss: ByBalls | Between
    gap: Callable[[], Raw | None] = no_gap
    ties: tuple[int, ...] = ()

    @cached_property
    def worst(self) -> int:
        """The worst atom, found when it is asked for: a verdict alone does not need it."""
        return self.find_worst()


class _Supremum:
    """The atoms that can still carry the supremum of log(p/q) in one order, and its `enclosure`.

    Made where the precision is `PASS_BITS`.
    """

    def __init__(self, pair: Pair, rate: Rate, reverse: bool, candidates: dict[int, Raw]) -> None:
        self.pair = pair
        self.rate = rate
        self.reverse = reverse
        self.logs = candidates
        self.bits = PASS_BITS  # at which they were evaluated
        self.enclosure = _largest_of(list(candidates.values()))

    @classmethod
    def at(cls, pair: Pair, rate: Rate, reverse: bool, atoms: list[int]) -> _Supremum:
        """Return the supremum over a few atoms, each evaluated."""
        with precision(PASS_BITS):
            return cls(pair, rate, reverse, _log_ratios(pair, rate, reverse, atoms))

    def refine(self, bits: int) -> None:
        """Evaluate the candidates again at `bits` bits and drop those that are surely smaller."""
        self.bits = bits
        with precision(bits):
            if len(self.logs) > _FEW:
                found = _candidates(self.pair, self.rate)[self.reverse]
                # atoms beyond the reach of the pass (powers too small for it) one by one
                again = [k for k, value in found.items() if not value.is_finite()]
            else:
                found, again = dict(self.logs), list(self.logs)
            self.logs = found | _log_ratios(self.pair, self.rate, self.reverse, again)
            self._prune()
            self.enclosure = _largest_of(list(self.logs.values()))

    def _prune(self) -> None:
        best = None
        for value in self.logs.values():
            if value.is_finite() and (best is None or value > best):
                best = value
        if best is not None:
            self.logs = {k: v for k, v in self.logs.items() if not v < best}

    def balls(self, bits: int) -> Iterator[Ball]:
        """Yield enclosures of the supremum, from what is known on."""
        del bits  # every pass drops candidates: it begins with what the last one left
        for working in rising(self.bits, 2 * CAP_BITS):
            if working > self.bits:
                self.refine(working)
            yield self.enclosure

    def is_exactly(self, value: Fraction) -> bool:
        """Say whether the supremum is proved to be a number; not of many atoms."""
        if self.rate.exponent is None or len(self.pair) > _SETTLED:
            return False
        gaps = ExactGaps(self.pair, self.rate.exponent, Exponent.rational(value), self.reverse)
        return _exact_sign(gaps, self.logs, final=len(self.logs) <= _FEW)[0] == 0

    def worst(self) -> int:
        """Return a candidate atom whose midpoint is largest."""
        best, chosen = None, next(iter(self.logs))
        for k, value in self.logs.items():
            middle = value.mid()
            if value.is_finite() and (best is None or middle > best):
                best, chosen = middle, k
        return chosen


def _log_ratios(pair: Pair, rate: Rate, reverse: bool, atoms: list[int]) -> dict[int, Raw]:
    """Return log(p/q), or with `reverse` log(q/p), at a few atoms."""
    inverse = rate.ball().raw
    logs = {k: pair.log_ratio(k, inverse) for k in atoms}
    return {k: -value for k, value in logs.items()} if reverse else logs


def _largest_of(values: list[Raw]) -> Ball:
    """Return one ball that contains the largest of some numbers."""
    floor_ = values[0].lower()
    total = values[0]
    for value in values[1:]:
        total = total.union(value)
        floor_ = floor_.max(value.lower())
    if len(values) > 1 and total.is_finite() and floor_ < total.upper():
        # the maximum is at least the best lower end
        total = floor_.union(total.upper())
    return Ball(total)


def _candidates(pair: Pair, rate: Rate) -> tuple[dict[int, Raw], dict[int, Raw]]:
    """One pass over all atoms: those whose log ratio may be the largest, for both orders."""
    factors = pair.factors(rate.ball().raw)
    first, second = pair.rounded_weights()
    left = [running_sums(weights, factors) for weights in (first, second)]
    ratios: list[Raw] = []
    append = ratios.append
    p, q = raw(0), raw(0)
    for a, b, weight, other, factor in zip(
        reversed(left[0]),
        reversed(left[1]),
        reversed(first),
        reversed(second),
        [*reversed(factors), raw(0)],
        strict=True,
    ):
        append((a + p) / (b + q))
        p = (p + weight) * factor
        q = (q + other) * factor
    ratios.reverse()
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


def pure_orders(pair: Pair, rate: Rate, epsilon: Number) -> tuple[PureOrder, PureOrder]:
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
        from pfverify.decide.exponential.whole_sums import whole_ratios

        ratios = whole_ratios(pair, rate)
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
        known or _decided(_Supremum.at(pair, rate, reverse, left.atoms), epsilon)
        for reverse, known, left in zip((False, True), found, survivors, strict=True)
    )
    return first, second


def _by_balls(pair: Pair, rate: Rate, epsilon: Number) -> tuple[PureOrder, PureOrder]:
    """Return both orders from one pass of balls over all atoms."""
    with precision(PASS_BITS):
        tables = zip((False, True), _candidates(pair, rate), strict=True)
        first, second = (_Supremum(pair, rate, reverse, logs) for reverse, logs in tables)
    return _decided(first, epsilon), _decided(second, epsilon)


def _of_equal(epsilon: Number) -> PureOrder:
    """One order of two equal priors, of which the log ratio is 0 everywhere."""
    sign = epsilon.sign()
    return PureOrder(None if sign is None else -sign, lambda: 0, ZERO)


def _by_floats(
    pair: Pair, rate: Rate, reverse: bool, left: Survivors, epsilon: Number
) -> PureOrder | None:
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
    def top() -> tuple[_Supremum, int]:
        found = _Supremum.at(pair, rate, reverse, left.atoms)
        return found, found.worst()

    def balls(bits: int) -> Iterator[Ball]:
        yield left.loss
        yield from top()[0].balls(bits)

    def worst() -> int:
        return left.atoms[0] if len(left.atoms) == 1 else top()[1]

    return PureOrder(-1, worst, ByBalls(balls, is_exactly=lambda value: top()[0].is_exactly(value)))


def _decided(top: _Supremum, epsilon: Number) -> PureOrder:
    rate, sign = top.rate, None
    atoms: tuple[int, ...] = ()
    gaps = None
    if rate.formal is not None and epsilon.formal is not None:
        gaps = ExactGaps(top.pair, rate.formal, epsilon.formal, top.reverse)
    for bits in rising(PASS_BITS, 2 * CAP_BITS):
        before = len(top.logs)
        if bits > PASS_BITS:
            top.refine(bits)
        with precision(bits):
            sign = (top.enclosure - epsilon.ball()).certain_sign()
        dropping = 1 < len(top.logs) <= before * _THINNED and bits < _MANY_BITS
        if sign is None and dropping and bits >= ZERO_TEST_BITS:
            continue  # a pass is cheaper than exact sums at the atoms that it drops
        if sign is None and bits >= ZERO_TEST_BITS:
            final = bits >= _MANY_BITS or (gaps is not None and len(top.logs) <= _FEW)
            if gaps is not None:
                sign, atoms = _exact_sign(gaps, top.logs, final=final)
            if final:
                break
        if sign is not None:
            break
    loss: ByBalls | Between = ByBalls(top.balls, is_exactly=top.is_exactly)
    if sign == 0 and (value := epsilon.fraction) is not None:
        loss = exactly(value)  # a tie: the supremum is epsilon itself
    worst = atoms[0] if sign == 1 and atoms else top.worst()
    ties = atoms if sign == 0 else ()
    return PureOrder(sign, lambda: worst, loss, lambda: _gap(top, worst, epsilon), ties)


def _exact_sign(
    gaps: ExactGaps, candidates: Collection[int], *, final: bool
) -> tuple[int | None, tuple[int, ...]]:
    """Decide the remaining candidates, ties by the zero test.

    Returns the sign with the atoms that have it, of a sign of -1 none.
    """
    signs = signs_at(gaps, candidates, _FEW, final=final)
    if 1 in signs.values():
        return 1, tuple(signs)
    if len(signs) < len(candidates):
        return None, ()
    ties = tuple(sorted(k for k, sign in signs.items() if sign == 0))
    return (0 if ties else -1), ties


def _gap(top: _Supremum, worst: int, epsilon: Number) -> Raw | None:
    """Return log(p/q) - epsilon at the worst atom, proved to be > 0; None if that is not found.

    Where it is exact a little less, which enclosures of p and q prove.
    """
    value = top.logs.get(worst)
    for bits in rising(top.bits):
        with precision(bits):
            if bits > top.bits or value is None:
                value = top.pair.log_ratio(worst, top.rate.ball().raw)
                value = -value if top.reverse else value
            gap = value - epsilon.ball().raw
            if proved(gap):
                return gap * (1 - raw(Fraction(1, 1 << 40))) if gap.is_exact() else gap
    return None
