"""Sums over atoms with (discrete) Laplace noise, written out."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.exponential.compared import ExponentialComparison
from pfverify.decide.exponential.pair import Pair
from pfverify.edge.words import brief
from pfverify.edge.written.asked import (
    SENTENCES,
    Worst,
    added,
    event_lines,
    rounded,
    rounding_line,
)
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.laws.exponential import at_zero
from pfverify.model.notion import Bound


def lines(worst: Worst) -> list[str]:
    """Return both densities at the worst output, term by term; for events the divergence."""
    match worst.compared.target.bound:
        case Bound.RATIO | Bound.EXCESS:
            return _point(worst)
        case Bound.DIVERGENCE:
            return event_lines(worst, [], ".")
        case Bound.RENYI | Bound.ZCDP:
            raise TypeError("what is written of a divergence is written elsewhere")


def _point(worst: Worst) -> list[str]:
    compared = worst.compared
    if not isinstance(compared, ExponentialComparison):
        raise InputError("--explain: these are no sums over atoms with Laplace noise")
    pair, rate, y = compared.pair, compared.rate.ball().raw, worst.y
    front = at_zero(compared.rate, pair.step)
    sides = (1, 0) if compared.reverse else (0, 1)
    noise = SENTENCES["noise"][worst.item.release.noise.kind]
    told = [
        f"The worst output is y = {decimal_text(y)}, {worst.pair}.",
        f"Noise at distance |y-x|: {noise}; in front: {rounded(front)}.",
    ]
    values = []
    for name, which in zip(worst.names, sides, strict=True):
        total, shown = added(_terms(pair, which, y, rate))
        values.append(total * front)
        told.append(f"p(y | {name}) = {rounded(front)} * [ {shown} ]")
        told.append(f"  = {rounded(front)} * {rounded(total)} = {rounded(values[-1])}")
    why = "pointwise" if (worst.directed.rule or "").startswith("pointwise") else "ratio"
    told += worst.compared_lines(values)
    return [*told, SENTENCES["why"][why], rounding_line("atoms")]


def _terms(pair: Pair, which: int, y: Fraction, rate: Raw) -> list[tuple[Raw, str]]:
    """The weighted powers of one prior at y."""
    found = []
    for point, weight in zip(pair.points, pair.weights[which], strict=True):
        if weight:
            distance = abs(y - Fraction(point, pair.denominator))
            mass = Fraction(weight, pair.totals[which])
            text = brief(str(mass))
            if distance:
                text += f" e^(-{decimal_text(distance)}/scale)"
            found.append((raw(mass) * (-rate * raw(distance)).exp(), text))
    return found
