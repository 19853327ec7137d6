"""Sums over points of several numbers with (discrete) Laplace noise on each, written out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from pfverify.decide.grid.axes import GridAxis, Point
from pfverify.decide.grid.compared import GridComparison
from pfverify.edge.words import brief, plain
from pfverify.edge.written.asked import (
    SENTENCES,
    Worst,
    added,
    event_lines,
    rounded,
    rounding_line,
)
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.laws.exponential import at_zero
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint, point_text

_NAME = 24  # characters of a coordinate's name


def lines(worst: Worst) -> list[str]:
    """Return both densities at the worst point, term by term; for events the divergence."""
    if worst.compared.target.bound is Bound.DIVERGENCE:
        return event_lines(worst, [], ".")
    compared = worst.compared
    if not isinstance(compared, GridComparison):
        raise InputError("--explain: these are no sums over points with Laplace noise")
    axes, y = compared.pair.axes, compared.supremum.worst
    laws = [law for law in worst.priors if isinstance(law, Joint)]
    front: Raw = prod((at_zero(axis.rate, axis.step) for axis in axes), start=raw(1))
    scales = ", ".join(
        f"{plain(axis.rate.scale.text)} on {shorten(name, _NAME)}"
        for name, axis in zip(laws[0].names, axes, strict=True)
    )
    told = [
        f"The worst output is y = {point_text(y)}, {worst.pair}.",
        f"Noise on each coordinate by itself, of the scales {scales}. At a distance |y-x|: "
        f"{SENTENCES['noise'][worst.problem.release.noise.kind]}; in front of all: "
        f"{rounded(front)}.",
    ]
    values = []
    for name, law in zip(worst.names, laws, strict=True):
        total, shown = added([_term(axes, x, mass, y) for x, mass in law.mass.items()])
        values.append(total * front)
        told.append(f"p(y | {name}) = {rounded(front)} * [ {shown} ]")
        told.append(f"  = {rounded(front)} * {rounded(total)} = {rounded(values[-1])}")
    bound, more = worst.bounded(values[1])
    told += [*more, worst.verdict_line(rounded(values[0]), rounded(bound))]
    return [*told, SENTENCES["why"]["grid"], rounding_line("atoms")]


def _term(
    axes: Sequence[GridAxis], x: Point, mass: Fraction, y: Point
) -> tuple[Raw, str]:
    """What a point gives the output y, without what stands in front, and how it is written."""
    exponent, texts = raw(0), []
    for axis, a, b in zip(axes, x, y, strict=True):
        if distance := abs(a - b):
            exponent += axis.rate.ball().raw * raw(distance)
            scale = plain(axis.rate.scale.text)
            below = scale if scale.isdecimal() else f"({scale})"
            texts.append(f"-{decimal_text(distance)}/{below}")
    text = brief(str(mass))
    if texts:
        text += f" e^({''.join(texts)})"
    return raw(mass) * (-exponent).exp(), text
