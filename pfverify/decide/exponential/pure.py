"""Pure epsilon for discrete priors and exponential noise (fact F1), both orders, all outputs.

Between atoms p/q is a monotone function of the output, and outside the hull it is constant, so
its supremum is reached at an atom of either prior: one inequality per atom and order.
"""

from __future__ import annotations

from dataclasses import dataclass

from pfverify.decide.exponential.exact_gaps import ExactGaps, signs_at
from pfverify.decide.exponential.filter import Survivors, surviving_atoms
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.outcome import (
    DEFAULT_DIGITS,
    Verdict,
    exact_enclosure,
    positive_enclosure,
    round_inside,
    verdict_of,
)
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.decimals import margin_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.expsum import CAP_BITS, ZERO_TEST_BITS, Exponent
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.laws.exponential import running_sums
from pfverify.laws.rate import Rate

PASS_BITS = 64
_SETTLED = 1000  # atoms up to which a round loss is tested exactly
_ALL_AT_ONCE = 200  # atoms below which balls take all of them rather than one by one
_FEW = 8  # this many candidate atoms are evaluated one by one
_MANY_BITS = 1 << 13  # where more candidates than that are written out exactly as well


@dataclass(frozen=True)
class PureOrder:
    """One order: sign of sup log(p/q) - epsilon, its worst atom, and the enclosed supremum."""

    sign: int | None
    worst: int
    loss: Enclosure
    margin: str | None
    ties: tuple[int, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Certified when the sign is -1 or 0."""
        return verdict_of(self.sign)


class _Supremum:
    """The atoms that can still carry the supremum of log(p/q) in one order."""

    def __init__(self, pair: Pair, rate: Rate, reverse: bool, candidates: dict[int, Raw]) -> None:
        self.pair = pair
        self.rate = rate
        self.reverse = reverse
        self.logs = candidates

    @classmethod
    def at(cls, pair: Pair, rate: Rate, reverse: bool, atoms: list[int]) -> _Supremum:
        """Return the supremum over a few atoms, each evaluated."""
        top = cls(pair, rate, reverse, {})
        with precision(PASS_BITS):
            top.logs = top._evaluated(atoms)
        return top

    def _evaluated(self, atoms: list[int]) -> dict[int, Raw]:
        rate = self.rate.ball().raw
        logs = {k: self.pair.log_ratio(k, rate) for k in atoms}
        return {k: -value for k, value in logs.items()} if self.reverse else logs

    def refine(self, bits: int) -> None:
        """Evaluate the candidates again at `bits` bits and drop those that are surely smaller."""
        with precision(bits):
            if len(self.logs) > _FEW:
                found = _candidates(self.pair, self.rate)[self.reverse]
                # atoms beyond the reach of the pass (powers too small for it) one by one
                again = [k for k, value in found.items() if not value.is_finite()]
            else:
                found, again = dict(self.logs), list(self.logs)
            self.logs = found | self._evaluated(again)
            self._prune()

    def _prune(self) -> None:
        best = None
        for value in self.logs.values():
            if value.is_finite() and (best is None or value > best):
                best = value
        if best is not None:
            self.logs = {k: v for k, v in self.logs.items() if not v < best}

    def enclosure(self) -> Ball:
        """Return one ball that contains the supremum (the largest of the candidates)."""
        values = list(self.logs.values())
        floor_ = values[0].lower()
        total = values[0]
        for value in values[1:]:
            total = total.union(value)
            floor_ = floor_.max(value.lower())
        if len(values) > 1 and total.is_finite() and floor_ < total.upper():
            # the maximum is at least the best lower end
            total = floor_.union(total.upper())
        return Ball(total)

    def worst(self) -> int:
        """Return a candidate atom whose midpoint is largest."""
        best, chosen = None, next(iter(self.logs))
        for k, value in self.logs.items():
            middle = value.mid()
            if value.is_finite() and (best is None or middle > best):
                best, chosen = middle, k
        return chosen


def _candidates(pair: Pair, rate: Rate) -> tuple[dict[int, Raw], dict[int, Raw]]:
    """One pass over all atoms: those whose log ratio may be the largest, for both orders."""
    factors = pair.factors(rate.ball().raw)
    left = [running_sums(weights, factors) for weights in pair.weights]
    ratios: list[Raw] = []
    append = ratios.append
    first, second = pair.weights
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


def pure_orders(
    pair: Pair,
    rate: Rate,
    epsilons: tuple[Number, Number],
    digits: int | None = DEFAULT_DIGITS,
) -> tuple[PureOrder, PureOrder]:
    """Decide p <= e**epsilon q and q <= e**epsilon p everywhere, each with its own epsilon.

    Returns the outcome of each order, first prior over second first. `loss` encloses the
    supremum of the log ratio to `digits` significant digits; with `digits` None only the verdict
    is worked out.

    Example: ``pure_orders(points, Rate(number(1)), (number(1), number(1)))[0].ties`` is ``(0,)``
    for point masses at 0 and 1: both losses are 1.
    Source: design facts F1 and F3.
    """
    if pair.equal:
        first, second = (_of_equal(epsilon) for epsilon in epsilons)
        return first, second
    with precision(PASS_BITS):
        survivors = surviving_atoms(pair, rate.ball().raw)
    if survivors is None:
        return _by_balls(pair, rate, epsilons, digits)
    found = [_by_floats(*one, digits) for one in zip(survivors, epsilons, strict=True)]
    if None in found and len(pair) < _ALL_AT_ONCE:
        return _by_balls(pair, rate, epsilons, digits)
    first, second = (
        known or _decided(_Supremum.at(pair, rate, reverse, left.atoms), epsilon, digits)
        for reverse, known, left, epsilon in zip(
            (False, True), found, survivors, epsilons, strict=True
        )
    )
    return first, second


def _by_balls(
    pair: Pair, rate: Rate, epsilons: tuple[Number, Number], digits: int | None
) -> tuple[PureOrder, PureOrder]:
    """Return both orders from one pass of balls over all atoms."""
    with precision(PASS_BITS):
        tables = _candidates(pair, rate)
    first, second = (
        _decided(_Supremum(pair, rate, reverse, logs), epsilon, digits)
        for reverse, logs, epsilon in zip((False, True), tables, epsilons, strict=True)
    )
    return first, second


def _of_equal(epsilon: Number) -> PureOrder:
    """One order of two equal priors, of which the log ratio is 0 everywhere."""
    sign = epsilon.sign()
    return PureOrder(None if sign is None else -sign, 0, Enclosure("0", "0"), None)


def _by_floats(left: Survivors, epsilon: Number, digits: int | None) -> PureOrder | None:
    """Return the order where the float pass alone leaves no doubt, with the answer that balls give.

    That is where one atom is left, its loss is surely below epsilon, and both ends of its enclosure
    are neighbours among the decimals of so many digits, neither of which may be the loss itself.
    """
    if len(left.atoms) > 1:
        return None
    with precision(PASS_BITS):
        if (left.loss - epsilon.ball()).certain_sign() != -1:
            return None
        loss = positive_enclosure(left.loss, digits, "inf", 1)
    if loss is None or (digits and round_inside(loss) is not None):
        return None
    return PureOrder(-1, left.atoms[0], loss, None)


def _decided(top: _Supremum, epsilon: Number, digits: int | None) -> PureOrder:
    rate = top.rate
    loss, sign = None, None
    ties: tuple[int, ...] = ()
    gaps, tested = None, False
    if rate.formal is not None and epsilon.formal is not None:
        gaps = ExactGaps(top.pair, rate.formal, epsilon.formal, top.reverse)
    for bits in rising(PASS_BITS, 2 * CAP_BITS):
        if bits > PASS_BITS:
            top.refine(bits)
        with precision(bits):
            bound = top.enclosure()
            if sign is None:
                sign = (bound - epsilon.ball()).certain_sign()
            if loss is None:
                loss = positive_enclosure(bound, digits, "inf")
        if sign is None and not tested and bits >= ZERO_TEST_BITS:
            tested = bits >= _MANY_BITS or (gaps is not None and len(top.logs) <= _FEW)
            if gaps is not None:
                sign, ties = _exact_sign(gaps, top, final=tested)
        if loss is not None and (sign is not None or tested):
            break
    if sign == 0 and digits and (value := epsilon.fraction) is not None:
        # a tie: the supremum is epsilon itself
        loss = exact_enclosure(value, digits)
    elif loss is not None and digits:
        loss = _settled(top, loss, digits)
    margin = _margin(top, epsilon, bits) if sign == 1 and digits else None
    known = Enclosure("0", "inf") if loss is None else loss
    return PureOrder(sign, top.worst(), known, margin, ties)


def _settled(top: _Supremum, loss: Enclosure, digits: int) -> Enclosure:
    """Return the supremum exactly where it is proved to be the round decimal in its enclosure."""
    value, rate = round_inside(loss), top.rate.exponent
    if value is None or rate is None or len(top.pair) > _SETTLED:
        return loss
    gaps = ExactGaps(top.pair, rate, Exponent.rational(value), top.reverse)
    again = _Supremum(top.pair, top.rate, top.reverse, dict(top.logs))
    sign, _ = _exact_sign(gaps, again, final=len(again.logs) <= _FEW)
    return exact_enclosure(value, digits) if sign == 0 else loss


def _exact_sign(
    gaps: ExactGaps, top: _Supremum, *, final: bool
) -> tuple[int | None, tuple[int, ...]]:
    """Decide the remaining candidates, ties by the zero test."""
    signs = signs_at(gaps, top.logs, _FEW, final=final)
    if 1 in signs.values():
        top.logs = {k: top.logs[k] for k in signs}
        return 1, ()
    if len(signs) < len(top.logs):
        return None, ()
    ties = tuple(sorted(k for k, sign in signs.items() if sign == 0))
    return (0 if ties else -1), ties


def _margin(top: _Supremum, epsilon: Number, bits: int) -> str | None:
    """A positive decimal below log(p/q) - epsilon at the worst atom; None if none is found."""
    worst = top.worst()
    value = top.logs[worst]
    for finer in rising(bits):
        with precision(finer):
            if finer > bits:
                value = top.pair.log_ratio(worst, top.rate.ball().raw)
                value = -value if top.reverse else value
            text = margin_text(value - epsilon.ball().raw)
        if text is not None:
            return text
    return None
