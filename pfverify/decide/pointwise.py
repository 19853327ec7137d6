"""The pointwise form: p(y) <= e**epsilon q(y) + delta at every output (fact F4b).

Between atoms g = p - e**epsilon q is convex wherever it is positive, so its supremum is reached
at an atom (or is 0 at infinity): one inequality per atom. For densities delta has the unit
1/output; for discrete Laplace noise g is a difference of masses.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.decide.events import signed_sums
from pfverify.decide.outcome import (
    DEFAULT_DIGITS,
    Enclosure,
    Verdict,
    exact_enclosure,
    positive_enclosure,
    verdict_of,
)
from pfverify.decide.pair import Pair, Rate, Target
from pfverify.decide.pure import exact_gap
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.decimals import lower_bound_text
from pfverify.exact.expsum import CAP_BITS, ExpSum

START_BITS = 96
_FEW = 8  # atoms that go to the exact test


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


def normalisation(pair: Pair, rate: Rate) -> Raw:
    """Return the noise at 0: 1/(2 scale), or (1-s)/(1+s) on a lattice with s = e**(-step rate)."""
    if pair.noise.step is None:
        return rate.ball().raw / 2
    s = (-rate.ball().raw * raw(pair.noise.step)).exp()
    return (1 - s) / (1 + s)


def values_at_atoms(pair: Pair, rate: Rate, target: Target, reverse: bool) -> list[Raw]:
    """Return p - e**epsilon q at every atom of the merged support, truly normalised."""
    sums = signed_sums(pair, rate, target, reverse)
    here = normalisation(pair, rate)
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
        delta_sign = target.delta.sign()
        sign = None if delta_sign is None else -delta_sign
        return PointwiseOrder(sign, Enclosure("0", "0"), 0, None)
    bits, found, sign = START_BITS, None, None
    ties: tuple[int, ...] = ()
    tested = False
    while True:
        with precision(bits):
            values = values_at_atoms(pair, rate, target, reverse)
            best = values[0]
            for value in values[1:]:
                best = best.max(value)
            kept = [k for k, value in enumerate(values) if not value < best.lower()]
            if sign is None:
                sign = Ball(best - target.delta.ball().raw).certain_sign()
            if found is None:
                found = positive_enclosure(Ball(best), digits, "inf")
        if sign is None and not tested and bits >= 4 * START_BITS and len(kept) <= _FEW:
            signs = _exact_signs(pair, rate, target, reverse, kept)
            sign, tested = _largest(signs), True
            ties = tuple(k for k, s in zip(kept, signs, strict=True) if s == 0)
        if found is not None and sign is not None:
            break
        if bits > CAP_BITS:
            break
        bits *= 2
    reason = None
    if sign is None:
        reason = "the excess may equal delta, and the tie is outside the exact classes"
    margin = _margin(pair, rate, target, reverse, bits) if sign == 1 and digits else None
    if sign == 0 and digits and (value_ := target.delta.fraction) is not None:
        found = exact_enclosure(value_, digits)
    enclosure = Enclosure("0", "inf") if found is None else found
    return PointwiseOrder(sign, enclosure, kept[0], margin, reason, ties if sign == 0 else ())


def _largest(signs: list[int | None]) -> int | None:
    """Sign of a maximum: one positive sign settles it, an undecided one leaves it open."""
    if 1 in signs:
        return 1
    return None if None in signs else max(s for s in signs if s is not None)


def _exact_signs(
    pair: Pair, rate: Rate, target: Target, reverse: bool, atoms: list[int]
) -> list[int | None]:
    """Decide the remaining atoms by exact sums (rational scale or lattice noise)."""
    undecided: list[int | None] = [None] * len(atoms)
    if rate.exponent is None or target.delta.ratio is None:
        return undecided
    top, bottom = target.delta.ratio
    one = ExpSum.constant(1)
    if pair.noise.step is None:
        if rate.scale.ratio is None:
            return undecided
        # p - e^eps q <= delta  <=>  sums <= delta * 2 scale
        over, under = rate.scale.ratio
        factor, bound = bottom * under, top * over.times(2)
    else:
        s = ExpSum.power(rate.exponent.times(-pair.noise.step))
        factor, bound = bottom * (one - s), top * (one + s)
    bound = bound.times(pair.totals[0] * pair.totals[1])
    gaps = [exact_gap(pair, rate, target.epsilon, k, reverse) for k in atoms]
    return [None if gap is None else (gap * factor - bound).sign() for gap in gaps]


def _margin(pair: Pair, rate: Rate, target: Target, reverse: bool, bits: int) -> str:
    """A positive decimal below sup (p - e**epsilon q) - delta, known to be positive."""
    while True:
        with precision(bits):
            values = values_at_atoms(pair, rate, target, reverse)
            gaps = [value - target.delta.ball().raw for value in values]
            texts = [lower_bound_text(gap, 6) for gap in gaps if gap > 0]
        found = [text for text in texts if Fraction(text) > 0]
        if found:
            return max(found, key=Fraction)
        bits *= 2
