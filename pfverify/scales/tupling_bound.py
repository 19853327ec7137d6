"""The published bound on the tupling mechanism, as exact numbers, beside what is exact.

Theorem 3 promises (epsilon_alpha, delta_alpha) for every alpha; the best alpha for a target has a
closed form, because epsilon rises and delta falls in alpha.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor

from pfverify.decide.tupling.laws import TupleLaws
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.model.channels.entries import as_number, folded

_ONE, _TWO = Number.of_rational(1), Number.of_rational(2)


@dataclass(frozen=True)
class TuplingBound(NoTruth, ask="read .epsilon and .delta"):
    """What Theorem 3 promises at one alpha: (epsilon, delta)-DistP of the tupling mechanism."""

    alpha: Number
    epsilon: Number
    delta: Number


class Reading(StrEnum):
    """Which outputs the class of priors of Theorem 3 counts: y uniform on Y, or released."""

    UNIFORM = "y uniform on the outputs, as printed"
    RELEASED = "y of the released law"


def published_bound(
    outputs: int, dummies: int, beta: Number, eta: Number, alpha: Number
) -> TuplingBound:
    """Return (epsilon_alpha, delta_alpha) for uniform dummies over `outputs` outputs.

    epsilon = log((k + (alpha + beta) m)/(k - alpha m)), delta = 2 exp(-2 alpha**2/(k beta**2)) +
    eta. For eta > 0 it fails in both readings of the class of priors; for eta = 0 it is loose.
    Raises InputError unless 0 < alpha < dummies/outputs and beta > 0.
    Example: ``published_bound(2, 3, number("3/4"), number(0), number(1)).epsilon`` is
    ``number("log(13/2)")``.
    Source: distribution-privacy paper, Theorem 3.
    """
    return _bound(outputs, dummies, beta, eta, alpha, Number.of_rational(dummies))


def repaired_bound(
    outputs: int, dummies: int, beta: Number, eta: Number, alpha: Number
) -> TuplingBound:
    """Return what holds where outputs of mass above beta are released with chance at most eta.

    As `published_bound`, with k (1 - eta) for k in the denominator: those outputs are left out of
    what the dummies are sure to give.
    Raises InputError unless 0 < alpha < dummies (1 - eta)/outputs and beta > 0.
    Example: ``repaired_bound(2, 3, number("3/4"), number(0), number(1)).epsilon`` is
    ``number("log(13/2)")``.
    Source: row D24 of the ledger of claims, proved in proofs/distribution-privacy.
    """
    left = Number.of_rational(dummies) * (_ONE - eta)
    return _bound(outputs, dummies, beta, eta, alpha, left)


def _bound(
    outputs: int, dummies: int, beta: Number, eta: Number, alpha: Number, left: Number
) -> TuplingBound:
    _check(outputs, dummies, beta, eta)
    k, m = Number.of_rational(dummies), Number.of_rational(outputs)
    rest = left - alpha * m
    if _sign(alpha) != 1 or _sign(rest) != 1:
        raise InputError(f"alpha: {alpha.text} is not between 0 and ({left.text})/{outputs}")
    epsilon = ((k + (alpha + beta) * m) / rest).log()
    delta = _TWO * (-(_TWO * alpha * alpha / (k * beta * beta))).exp() + eta
    return TuplingBound(alpha, epsilon, delta)


def bound_at_delta(
    outputs: int, dummies: int, beta: Number, eta: Number, delta: Number
) -> TuplingBound | None:
    """Return the bound with the least epsilon that Theorem 3 promises at a delta in (0, 1].

    Its alpha is beta sqrt(k log(2/(delta - eta))/2); None where that is no alpha of the theorem:
    for delta <= eta, or too few dummies.
    Example: ``bound_at_delta(2, 3, number("3/4"), number(0), number("1/100"))`` is None.
    Source: distribution-privacy paper, Theorem 3.
    """
    _check(outputs, dummies, beta, eta)
    left = delta - eta
    if _sign(left) != 1:
        return None
    k = Number.of_rational(dummies)
    alpha = beta * (k * (_TWO / left).log() / _TWO).sqrt()
    if _sign(k - alpha * Number.of_rational(outputs)) != 1:
        return None
    return TuplingBound(alpha, published_bound(outputs, dummies, beta, eta, alpha).epsilon, delta)


def bound_at_epsilon(
    outputs: int, dummies: int, beta: Number, eta: Number, epsilon: Number
) -> TuplingBound | None:
    """Return the bound with the least delta that Theorem 3 promises at an epsilon.

    Its alpha is (k (e**epsilon - 1) - beta m)/(m (e**epsilon + 1)); None where that is not
    positive. A delta above 1 promises nothing.
    Example: ``bound_at_epsilon(2, 3, number("3/4"), number(0), number("log(13/2)")).alpha`` is
    ``number(1)``.
    Source: distribution-privacy paper, Theorem 3.
    """
    _check(outputs, dummies, beta, eta)
    k, m, growth = Number.of_rational(dummies), Number.of_rational(outputs), epsilon.exp()
    above = k * (growth - _ONE) - beta * m
    if _sign(above) != 1:
        return None
    alpha = as_number(folded(above / (m * (growth + _ONE))))
    return TuplingBound(
        alpha, epsilon, published_bound(outputs, dummies, beta, eta, alpha).delta
    )


def in_class(law: Sequence[Fraction], beta: Number, eta: Number, reading: Reading) -> bool:
    """Say whether a prior whose released law is `law` is one that Theorem 3 speaks of.

    The class asks that an output y has a mass of at most beta with probability at least 1 - eta.
    As printed y is uniform on the outputs; the bound is false then (ledger row D23), and no
    violation is known where y is drawn from the released law.
    Raises UndecidedError where a mass cannot be told from beta.
    Example: ``in_class([Fraction(1), Fraction(0), Fraction(0)], number("1/20"), number("1/3"),
    Reading.UNIFORM)`` is True.
    Source: distribution-privacy paper, section 6.2.
    """
    low = [mass for mass in law if _sign(Number.of_rational(mass) - beta) != 1]
    match reading:
        case Reading.UNIFORM:
            chance = Fraction(len(low), len(law))
        case Reading.RELEASED:
            chance = sum(low, Fraction(0))
    return _sign(Number.of_rational(chance) - (_ONE - eta)) != -1


def worst_delta(outputs: int, dummies: int, beta: Fraction, growth: Fraction) -> Fraction:
    """Return the exact delta at e**epsilon = `growth` over all released laws with masses <= beta.

    These are the laws of the class for eta = 0, in both readings. The divergence is jointly
    convex, so that it is largest at two extreme laws (masses beta, one rest, zeros); dummies are
    uniform, so that only how the two overlap matters.
    Raises InputError where no law has masses <= beta.
    Example: ``worst_delta(2, 3, Fraction(3, 4), Fraction(13, 2))`` is 0.
    Source: distribution-privacy paper, section 6.2; ledger row D22.
    """
    if not Fraction(1, outputs) <= beta <= 1:
        raise InputError(f"beta: {beta} is not between {Fraction(1, outputs)} and 1")
    dummy = (Fraction(1, outputs),) * outputs
    largest = Fraction(0)
    for first, second in _extreme_pairs(outputs, beta):
        p, q = TupleLaws(first, second, dummy, dummies).event(growth, reverse=False)
        largest = max(largest, p - growth * q)
    return largest


def _extreme_pairs(
    outputs: int, beta: Fraction
) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """Yield two extreme laws for every way in which they overlap."""
    full = floor(1 / beta)
    rest = 1 - full * beta
    first = [beta] * full + [rest] * bool(rest) + [Fraction(0)] * (outputs - full - bool(rest))
    for shared in range(max(0, 2 * full - outputs), full + 1):
        if not rest:
            if 2 * full - shared <= outputs:
                yield first, _placed(outputs, beta, range(full - shared, 2 * full - shared))
            continue
        for on_rest in (0, 1):  # whether the second law is full where the first has its rest
            free = [k for k in range(outputs) if k > full]
            away = full - shared - on_rest
            if not 0 <= away <= len(free):
                continue
            taken = [*range(shared), *([full] if on_rest else []), *free[:away]]
            kinds = {("shared" if k < full else "rest" if k == full else "free"): k
                     for k in range(outputs) if k not in taken}  # fmt: skip
            for place in kinds.values():
                second = _placed(outputs, beta, taken)
                second[place] = rest
                yield first, second


def _placed(outputs: int, mass: Fraction, places: Sequence[int]) -> list[Fraction]:
    return [mass if k in places else Fraction(0) for k in range(outputs)]


def _check(outputs: int, dummies: int, beta: Number, eta: Number) -> None:
    for name, value in (("outputs", outputs), ("dummies", dummies)):
        if value < 1:
            raise InputError(f"{name}: {value} is not at least 1")
    if _sign(beta) != 1 or _sign(beta - _ONE) == 1:
        raise InputError(f"beta: {beta.text} is not above 0 and at most 1")
    if _sign(eta) == -1 or _sign(eta - _ONE) == 1:
        raise InputError(f"eta: {eta.text} is not between 0 and 1")


def _sign(value: Number) -> int:
    sign = value.sign()
    if sign is None:
        raise UndecidedError(f"the sign of {value.text} is not decided")
    return sign
