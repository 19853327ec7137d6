"""The pointwise form: p(y) <= e**epsilon q(y) + delta at every output (fact F4b).

Between atoms g = p - e**epsilon q is convex wherever it is positive, so its supremum is reached
at an atom (or is 0 at infinity): one inequality per atom. For densities delta has the unit
1/output; for discrete Laplace noise g is a difference of masses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pfverify.decide.exponential.events import signed_sums
from pfverify.decide.exponential.exact_gaps import ExactGaps, signs_at
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.largest import FEW, AtPlaces, Largest, Signs
from pfverify.exact.ball import Raw, precision
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO
from pfverify.laws.exponential import at_zero, exact_at_zero
from pfverify.laws.rate import Rate
from pfverify.model.target import Target

START_BITS = 96


def values_at_atoms(pair: Pair, rate: Rate, target: Target, reverse: bool) -> list[Raw]:
    """Return p - e**epsilon q at every atom of the merged support, truly normalised."""
    sums = signed_sums(pair, rate, target, reverse)
    here = at_zero(rate, pair.step)
    return [value * here for value in sums.around()]


def pointwise_order(
    pair: Pair, rate: Rate, target: Target, reverse: bool, pure_sign: int | None
) -> AtPlaces[int]:
    """Decide sup (p - e**epsilon q) <= delta for one order.

    `pure_sign` is the sign of sup log(p/q) - epsilon where it is known: where it is <= 0 the
    supremum of the positive part is 0.
    Source: design fact F4b.
    """
    if pure_sign is not None and pure_sign <= 0:
        return AtPlaces(target.sign_of_nothing, ZERO, lambda: 0)

    def numbers(kept: Mapping[int, Raw]) -> dict[int, Raw]:
        del kept  # one pass tells all
        return dict(enumerate(values_at_atoms(pair, rate, target, reverse)))

    def exact(bound: Number) -> Signs[int] | None:
        gaps = _exact_gaps(pair, rate, replace(target, delta=bound), reverse)
        return None if gaps is None else (
            lambda places, final: signs_at(gaps, places, FEW, final=final)
        )  # fmt: skip

    with precision(START_BITS):
        top = Largest(numbers, START_BITS, numbers({}), exact, lambda: True)
    return top.decided(target.delta)


def _exact_gaps(pair: Pair, rate: Rate, target: Target, reverse: bool) -> ExactGaps | None:
    """Return p - e**epsilon q - delta at the atoms, exactly; None outside the exact classes."""
    epsilon, delta = target.epsilon.formal, target.delta.ratio
    front = exact_at_zero(rate, pair.step)
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
