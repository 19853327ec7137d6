"""The exact least scale for two priors on the same two points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.exact.search import UndecidedError
from pfverify.model.priors.discrete import Discrete


@dataclass(frozen=True)
class BernoulliScale(NoTruth, ask="compare .scale with None"):
    """The least private scale: `scale` None means that no noise is needed."""

    scale: Number | None


def bernoulli_scale(first: Discrete, second: Discrete, epsilon: Number) -> BernoulliScale | None:
    """Return the least pure-epsilon Laplace scale of a two-point pair, in closed form.

    With masses p < q at the upper point, E = e**epsilon and h the distance of the points,
    e**(h/scale) is the smaller of (E q - p)/((1-p) - E (1-q)) and (E (1-p) - (1-q))/(q - E p),
    each only where its denominator is positive; without either no noise is needed. Both are
    1 + (E-1)/denominator and the denominators differ by (E-1)(p+q-1), so p + q tells which one
    it is. It stays exact when independent finite priors are added to both.
    None when the supports together are not exactly two points (or one: equal priors).

    Example: ``bernoulli_scale(Discrete({0: "1/2", 1: "1/2"}), Discrete({1: 1}), number(1))
    .scale.ball()``, which is 1/log((E - 1/2)/(1/2)), contains 0.6711949...
    Source: multi-user paper, Lemma 5 and (15), sharpened; audit row M28.
    """
    if max(first.size, second.size) > 2:
        return None
    atoms = sorted({*first.atoms, *second.atoms})
    if len(atoms) > 2:
        return None
    if first == second:
        return BernoulliScale(None)
    low, high = atoms
    p, q = (prior.mass.get(high, Fraction(0)) for prior in (first, second))
    if p > q:
        p, q = q, p
    grown = epsilon.exp()
    if p + q >= 1:
        numerator, base, divisor_top, divisor = q, p, 1 - p, 1 - q
    else:
        numerator, base, divisor_top, divisor = 1 - p, 1 - q, q, p
    below = Number.of_rational(divisor_top)
    if divisor:
        below = below - grown_minus(grown, divisor, Fraction(0))
    sign = below.sign()
    if sign is None:
        raise UndecidedError("the Bernoulli closed form cannot be decided for this epsilon")
    if sign <= 0:
        return BernoulliScale(None)
    least = grown_minus(grown, numerator, base)
    least = least if below.fraction == 1 else least / below
    return BernoulliScale(Number.of_rational(high - low) / least.log())


def grown_minus(grown: Number, factor: Fraction, minus: Fraction) -> Number:
    """Return factor * grown - minus, written without trivial factors and terms."""
    rational = Number.of_rational
    if factor == 0:
        return rational(-minus)
    value = grown if factor == 1 else grown * rational(factor)
    return value if minus == 0 else value - rational(minus)
