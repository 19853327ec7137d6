"""Sums over atoms with (discrete) Laplace noise, written out."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.exponential.compared import ExponentialComparison
from pfverify.decide.exponential.pair import Pair
from pfverify.edge.words import brief
from pfverify.edge.written.asked import (
    OF_ENCLOSURES,
    Worst,
    divergence_line,
    event_lines,
    rounded,
    summed,
)
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.laws.exponential import at_zero
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.notion import Bound
from pfverify.model.releases.release import Noise

NOISES: dict[type[Noise], str] = {
    Laplace: "1/(2 scale) e^(-|y-x|/scale)",
    DiscreteLaplace: "(1-t)/(1+t) t^(|y-x|/step), t = e^(-step/scale)",
}
"""Kind of noise -> what it gives an atom at x."""
_ROUNDING = (
    "Rounding: numbers beside = are rounded down to 10 digits (or the shorter decimal that they "
    "are next to); y, masses and distances are exact, but a mass with ... is cut."
)


def lines(worst: Worst) -> list[str]:
    """Return both densities at the worst output, term by term; for events the divergence."""
    match worst.compared.target.bound:
        case Bound.RATIO | Bound.EXCESS:
            return [*worst.own_epsilon(), *_point(worst), _ROUNDING]
        case Bound.DIVERGENCE:
            told = [*event_lines(worst), divergence_line(worst)]
            return [*worst.own_epsilon(), *told, f"{OF_ENCLOSURES}."]


def _point(worst: Worst) -> list[str]:
    compared = worst.compared
    if not isinstance(compared, ExponentialComparison):
        raise InputError("--explain: these are no sums over atoms with Laplace noise")
    pair, rate, y = compared.pair, compared.rate.ball().raw, worst.y
    front = at_zero(compared.rate, pair.noise.step)
    sides = (1, 0) if compared.reverse else (0, 1)
    told = [
        f"The worst output is y = {decimal_text(y)}, {worst.pair}.",
        f"Noise at distance |y-x|: {NOISES[type(pair.noise)]}; in front: {rounded(front)}.",
    ]
    values = []
    for name, which in zip(worst.names, sides, strict=True):
        total, terms = _terms(pair, which, y, rate)
        values.append(total * front)
        told.append(f"p(y | {name}) = {rounded(front)} * [ {summed(terms)} ]")
        told.append(f"  = {rounded(front)} * {rounded(total)} = {rounded(values[-1])}")
    bound, lines = worst.bounded(values[1])
    told += [*lines, worst.verdict_line(rounded(values[0]), rounded(bound))]
    if (worst.directed.rule or "").startswith("pointwise"):
        why = "Between atoms the excess is convex wherever it is positive"
    else:
        why = "Between atoms the ratio of the densities is monotone"
    return [*told, f"{why}, so no other output is worse."]


def _terms(
    pair: Pair, which: int, y: Fraction, rate: Raw
) -> tuple[Raw, list[tuple[float, str]]]:
    """The sum of the weighted powers of one prior at y, and each with its size."""
    total = raw(0)
    parts: list[tuple[float, str]] = []
    for point, weight in zip(pair.points, pair.weights[which], strict=True):
        if not weight:
            continue
        atom = Fraction(point, pair.denominator)
        mass = Fraction(weight, pair.totals[which])
        power = (-rate * raw(abs(y - atom))).exp()
        term = raw(mass) * power
        total += term
        distance = decimal_text(abs(y - atom))
        shown = brief(str(mass))
        text = f"{shown} e^(-{distance}/scale)" if y != atom else shown
        parts.append((Ball(term).midpoint(), text))
    return total, parts
