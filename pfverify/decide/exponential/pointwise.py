"""The pointwise form: p(y) <= e**epsilon q(y) + delta at every output (fact F4b).

Between atoms g = p - e**epsilon q is convex wherever it is positive, so its supremum is reached
at an atom (or is 0 at infinity): one inequality per atom. For densities delta has the unit
1/output; for discrete Laplace noise g is a difference of masses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pfverify.decide.exponential.events import signed_sums
from pfverify.decide.exponential.exact_gaps import ExactGaps, signs_at
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.outcome import (
    DEFAULT_DIGITS,
    Verdict,
    exact_enclosure,
    positive_enclosure,
    round_inside,
    verdict_of,
)
from pfverify.exact.ball import Ball, Raw, precision
from pfverify.exact.decimals import margin_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.laws.exponential import at_zero, exact_at_zero
from pfverify.laws.rate import Rate
from pfverify.model.target import Target

START_BITS = 96
_FEW = 8  # this many atoms are written out exactly
_MANY_BITS = 1 << 13  # where more than that are written out as well


@dataclass(frozen=True)
class PointwiseOrder:
    """One order: sign of sup g - delta, the enclosed supremum of g, and its atom."""

    sign: int | None
    delta: Enclosure
    worst: int
    margin: str | None
    reason: str | None = None
    ties: tuple[int, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Certified when the sign is -1 or 0."""
        return verdict_of(self.sign)


def values_at_atoms(pair: Pair, rate: Rate, target: Target, reverse: bool) -> list[Raw]:
    """Return p - e**epsilon q at every atom of the merged support, truly normalised."""
    sums = signed_sums(pair, rate, target, reverse)
    here = at_zero(rate, pair.noise.step)
    inner = [a + b * f for a, b, f in zip(sums.left, sums.right[1:], sums.factors, strict=False)]
    return [value * here for value in [*inner, sums.left[-1]]]


def pointwise_order(
    pair: Pair,
    rate: Rate,
    target: Target,
    reverse: bool,
    pure_sign: int | None,
    digits: int | None = DEFAULT_DIGITS,
) -> PointwiseOrder:
    """Decide sup (p - e**epsilon q) <= delta for one order, and enclose the supremum.

    `pure_sign` is the sign of sup log(p/q) - epsilon where it is known: where it is <= 0 the
    supremum of the positive part is 0. With `digits` None only the verdict is worked out.
    Source: design fact F4b.
    """
    if pure_sign is not None and pure_sign <= 0:
        return PointwiseOrder(target.sign_of_nothing, Enclosure("0", "0"), 0, None)
    found, sign = None, None
    ties: tuple[int, ...] = ()
    worst, final = -1, False
    gaps = _exact_gaps(pair, rate, target, reverse)
    for bits in rising(START_BITS, 2 * CAP_BITS):
        with precision(bits):
            values = values_at_atoms(pair, rate, target, reverse)
            best = values[0]
            for value in values[1:]:
                best = best.max(value)
            kept = [k for k, value in enumerate(values) if not value < best.lower()]
            if worst not in kept:
                worst = max(kept, key=lambda k: values[k].mid())
            if sign is None:
                sign = Ball(best - target.delta.ball().raw).certain_sign()
            if found is None:
                found = positive_enclosure(Ball(best), digits, "inf")
        if sign is None and not final and gaps is not None and bits >= 4 * START_BITS:
            final = len(kept) <= _FEW or bits >= _MANY_BITS
            signs = signs_at(gaps, kept, _FEW, final=final)
            if 1 in signs.values():
                sign, worst = 1, next(iter(signs))
            elif len(signs) == len(kept):
                sign = max(signs.values())
                ties = tuple(sorted(k for k, s in signs.items() if s == 0))
        if found is not None and sign is not None:
            break
    reason = None
    if sign is None:
        reason = "the excess may equal delta, and the tie is outside the exact classes"
    margin = _margin(pair, rate, target, reverse, worst, bits) if sign == 1 and digits else None
    if sign == 0 and digits and (value_ := target.delta.fraction) is not None:
        found = exact_enclosure(value_, digits)
    elif found is not None and digits and (round_ := round_inside(found)) is not None:
        at = _exact_gaps(pair, rate, replace(target, delta=Number.of_rational(round_)), reverse)
        signs = {} if at is None else signs_at(at, kept, _FEW, final=len(kept) <= _FEW)
        if len(signs) == len(kept) and max(signs.values()) == 0:
            found = exact_enclosure(round_, digits)
    enclosure = Enclosure("0", "inf") if found is None else found
    return PointwiseOrder(sign, enclosure, worst, margin, reason, ties if sign == 0 else ())


def _exact_gaps(pair: Pair, rate: Rate, target: Target, reverse: bool) -> ExactGaps | None:
    """Return p - e**epsilon q - delta at the atoms, exactly; None outside the exact classes."""
    epsilon, delta = target.epsilon.formal, target.delta.ratio
    front = exact_at_zero(rate, pair.noise.step)
    if rate.formal is None or epsilon is None or delta is None or front is None:
        return None
    # p - e^eps q <= delta  <=>  sums <= delta / (the noise at 0)
    under, over = front
    top, bottom = delta
    factor, bound = bottom * under, (top * over).times(pair.totals[0] * pair.totals[1])
    sign = factor.sign()
    if sign is None or sign == 0:
        return None
    if sign < 0:
        factor, bound = -factor, -bound
    return ExactGaps(pair, rate.formal, epsilon, reverse, factor, bound)


def _margin(
    pair: Pair, rate: Rate, target: Target, reverse: bool, worst: int, first: int
) -> str | None:
    """A positive decimal below p - e**epsilon q - delta at the worst atom, if one is found."""
    for bits in rising(first):
        with precision(bits):
            value = values_at_atoms(pair, rate, target, reverse)[worst]
            text = margin_text(value - target.delta.ball().raw)
        if text is not None:
            return text
    return None
