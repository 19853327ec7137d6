"""The pointwise form: p(y) <= e**epsilon q(y) + delta at every output (fact F4b).

Between atoms g = p - e**epsilon q is convex wherever it is positive, so its supremum is reached
at an atom (or is 0 at infinity): one inequality per atom. For densities delta has the unit
1/output; for discrete Laplace noise g is a difference of masses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from pfverify.decide.breach import no_gap
from pfverify.decide.excess import positive_margin
from pfverify.decide.exponential.events import signed_sums
from pfverify.decide.exponential.exact_gaps import ExactGaps, signs_at
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.ball import Ball, Raw, largest, precision
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, ByBalls, Refined, exactly
from pfverify.exact.rising import MOST_BITS, rising
from pfverify.laws.exponential import at_zero, exact_at_zero
from pfverify.laws.rate import Rate
from pfverify.model.target import Target

START_BITS = 96
_FEW = 8  # this many atoms are written out exactly
_MANY_BITS = 1 << 13  # where more than that are written out as well


@dataclass(frozen=True)
class PointwiseOrder:
    """One order: sign of sup g - delta, the supremum of g, and its atom.

    `gap` is a ball of g - delta there, proved to be > 0, where the sign is 1.
    """

    sign: int | None
    delta: Refined
    worst: int
    gap: Callable[[], Raw | None] = no_gap
    reason: str | None = None
    ties: tuple[int, ...] = ()


def values_at_atoms(pair: Pair, rate: Rate, target: Target, reverse: bool) -> list[Raw]:
    """Return p - e**epsilon q at every atom of the merged support, truly normalised."""
    sums = signed_sums(pair, rate, target, reverse)
    here = at_zero(rate, pair.noise.step)
    inner = [a + b * f for a, b, f in zip(sums.left, sums.right[1:], sums.factors, strict=False)]
    return [value * here for value in [*inner, sums.left[-1]]]


class _Largest:
    """The atoms at which g can still have its supremum, at a precision."""

    def __init__(self, pair: Pair, rate: Rate, target: Target, reverse: bool) -> None:
        self.pair, self.rate, self.target, self.reverse = pair, rate, target, reverse
        self.worst = -1
        self.refine(START_BITS)

    def refine(self, bits: int) -> None:
        """Evaluate every atom at `bits` bits."""
        self.bits = bits
        with precision(bits):
            values = values_at_atoms(self.pair, self.rate, self.target, self.reverse)
            best = largest(values)
            self.best = Ball(best)
            self.kept = [k for k, value in enumerate(values) if not value < best.lower()]
            if self.worst not in self.kept:
                self.worst = max(self.kept, key=lambda k: values[k].mid())

    def balls(self, bits: int) -> Iterator[Ball]:
        """Yield enclosures of the supremum, from what is known on."""
        del bits
        for working in rising(self.bits, 2 * CAP_BITS):
            if working > self.bits:
                self.refine(working)
            yield self.best

    def is_exactly(self, value: Fraction) -> bool:
        """Say whether the supremum is proved to be a number."""
        target = replace(self.target, delta=Number.of_rational(value))
        gaps = _exact_gaps(self.pair, self.rate, target, self.reverse)
        if gaps is None:
            return False
        signs = signs_at(gaps, self.kept, _FEW, final=len(self.kept) <= _FEW)
        return len(signs) == len(self.kept) and max(signs.values()) == 0


def pointwise_order(
    pair: Pair, rate: Rate, target: Target, reverse: bool, pure_sign: int | None
) -> PointwiseOrder:
    """Decide sup (p - e**epsilon q) <= delta for one order.

    `pure_sign` is the sign of sup log(p/q) - epsilon where it is known: where it is <= 0 the
    supremum of the positive part is 0.
    Source: design fact F4b.
    """
    if pure_sign is not None and pure_sign <= 0:
        return PointwiseOrder(target.sign_of_nothing, ZERO, 0)
    sign: int | None = None
    ties: tuple[int, ...] = ()
    gaps = _exact_gaps(pair, rate, target, reverse)
    top = _Largest(pair, rate, target, reverse)
    for bits in rising(START_BITS, 2 * CAP_BITS):
        if bits > START_BITS:
            top.refine(bits)
        with precision(bits):
            sign = (top.best - target.delta.ball()).certain_sign()
        if sign is None and gaps is not None and bits >= 4 * START_BITS:
            final = len(top.kept) <= _FEW or bits >= _MANY_BITS
            signs = signs_at(gaps, top.kept, _FEW, final=final)
            if 1 in signs.values():
                sign, top.worst = 1, next(iter(signs))
            elif len(signs) == len(top.kept):
                sign = max(signs.values())
                ties = tuple(sorted(k for k, s in signs.items() if s == 0))
            elif final:
                break
        if sign is not None:
            break
    reason = None
    if sign is None:
        reason = "the excess may equal delta, and the tie is outside the exact classes"
    amount: Refined = ByBalls(top.balls, is_exactly=top.is_exactly)
    if sign == 0 and (value := target.delta.fraction) is not None:
        amount = exactly(value)
    worst = top.worst
    return PointwiseOrder(
        sign,
        amount,
        worst,
        lambda: _gap(pair, rate, target, reverse, worst),
        reason,
        ties if sign == 0 else (),
    )


def _exact_gaps(pair: Pair, rate: Rate, target: Target, reverse: bool) -> ExactGaps | None:
    """Return p - e**epsilon q - delta at the atoms, exactly; None outside the exact classes."""
    epsilon, delta = target.epsilon.formal, target.delta.ratio
    front = exact_at_zero(rate, pair.noise.step)
    if rate.formal is None or epsilon is None or delta is None or front is None:
        return None
    # p - e^eps q <= delta  <=>  sums <= delta / (the noise at 0)
    under, over = front
    top, bottom = delta
    factor, bound = bottom * under, (top * over).times(pair.whole)
    sign = factor.sign()
    if sign is None or sign == 0:
        return None
    if sign < 0:
        factor, bound = -factor, -bound
    return ExactGaps(pair, rate.formal, epsilon, reverse, factor, bound)


def _gap(pair: Pair, rate: Rate, target: Target, reverse: bool, worst: int) -> Raw | None:
    """Return p - e**epsilon q - delta at the worst atom, proved to be > 0, if that is found."""

    def gap() -> Raw:
        return values_at_atoms(pair, rate, target, reverse)[worst] - target.delta.ball().raw

    return positive_margin(gap, START_BITS, MOST_BITS)
