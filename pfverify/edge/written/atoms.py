"""Atoms of one number, or of several, with (discrete) Laplace noise on each: sums of exponentials.

Source: design facts F42 and F42b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import prod

from pfverify.decide.exponential.compared import ExponentialComparison
from pfverify.decide.grid.axes import Masses, Point, size_of
from pfverify.decide.grid.compared import GridComparison
from pfverify.decide.grid.sandwich import Sandwich, growth_of
from pfverify.edge.document import counted
from pfverify.edge.words import brief, plain
from pfverify.edge.written.asked import (
    DIGITS,
    SENTENCES,
    Term,
    Worst,
    event_lines,
    of_kind,
    rounded,
    rounding_line,
    sum_lines,
    summed,
)
from pfverify.errors import shorten
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.exact.refined import Between
from pfverify.exact.written import written
from pfverify.laws.exponential import at_zero
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint, point_text

_LONG = 24  # characters of a name
_CUTS = 4  # places of an axis that are written out
_SAID, _WHY = SENTENCES["grid"], SENTENCES["why"]


def lines(worst: Worst) -> list[str]:
    """Return both densities at the worst output, atom by atom; for events the divergence."""
    compared = of_kind(worst.compared, ExponentialComparison)
    if compared.target.bound is Bound.DIVERGENCE:
        return event_lines(worst, [], ".")
    pair, rate, y = compared.pair, compared.rate.ball().raw, worst.y
    front = at_zero(compared.rate, pair.step)
    noise = SENTENCES["noise"][worst.item.release.noise.kind]
    told = [
        f"The worst output is y = {decimal_text(y)}, {worst.pair}.",
        f"Noise at distance |y-x|: {noise}; in front: {rounded(front)}.",
    ]
    values = []
    for name, which in zip(worst.names, (1, 0) if compared.reverse else (0, 1), strict=True):
        law = zip(map(pair.atom, range(len(pair))), pair.weights[which], strict=True)
        shown, total = summed(
            _term(Fraction(weight, pair.totals[which]), [(abs(y - x), rate, "")], " ")
            for x, weight in law if weight
        )  # fmt: skip
        values.append(total * front)
        told.append(f"p(y | {name}) = {rounded(front)} * [ {shown} ]")
        told.append(f"  = {rounded(front)} * {rounded(total)} = {rounded(values[-1])}")
    pointwise = (worst.directed.rule or "").startswith("pointwise")
    told += [*worst.compared_lines(values), _WHY["pointwise" if pointwise else "ratio"]]
    return [*told, rounding_line("atoms")]


def _term(mass: Fraction, moved: Sequence[tuple[Fraction, Raw, str]], times: str) -> Term:
    """What an atom of a mass gives a place, without what stands in front.

    `moved`: how far it is, over which rate, and what the scale of that is called.
    """
    size = prod((-rate * raw(far)).exp() for far, rate, _ in moved if far) * raw(mass)
    powers = [f"e^(-{decimal_text(far)}/scale{label})" for far, _, label in moved if far]
    return size, lambda: times.join([brief(str(mass)), *powers])


# ---------------------------------------------------------------- several numbers


def point_lines(worst: Worst) -> list[str]:
    """Return both densities at the worst point, atom by atom; for events both bounds."""
    compared = of_kind(worst.compared, GridComparison)
    if compared.target.bound is Bound.DIVERGENCE:
        return enclosed_lines(worst)
    if compared.equal:
        return worst.same_lines(_WHY["same"])
    pair, witness, y = compared.pair, worst.directed.witness, compared.supremum.worst
    if witness is not None and witness.point is not None:
        y = tuple(Fraction(str(x)) for x in witness.point)
    front = prod((at_zero(axis.rate, axis.step) for axis in pair.axes), start=raw(1))
    noise = SENTENCES["noise"][worst.problem.release.noise.kind]
    told = [
        f"The worst output is y = {point_text(y)}, {worst.pair}.",
        _SAID["noise"].format(noise=noise, front=rounded(front), scales=_scales(worst, compared)),
    ]
    values = []
    laws = pair.laws[::-1] if compared.reverse else pair.laws
    for name, law in zip(worst.names, laws, strict=True):
        shown, total = sum_lines(_terms(compared, law, y))
        values.append(front * total)
        told += [f"p(y | {name}) is {rounded(front)} times the sum of", *shown]
        told.append(f"  = {rounded(front)} * {rounded(total)} = {rounded(values[-1])}")
    one, two = worst.names
    ratio, epsilon = rounded((values[0] / values[1]).log()), compared.target.epsilon.text
    told.append(f"log p(y | {one})/p(y | {two}) = {ratio}, and epsilon = {plain(epsilon)}")
    told += [*worst.compared_lines(values), *_why(worst, compared)]
    return [*told, rounding_line("points")]


def _terms(compared: GridComparison, law: Masses, y: Point) -> Iterator[Term]:
    """What every atom gives a point, with how much that is."""
    for atom, mass in law.items():
        moved = [
            (abs(x - at), axis.rate.ball().raw, f"_{k}")
            for k, (axis, x, at) in enumerate(zip(compared.pair.axes, atom, y, strict=True), 1)
        ]
        yield _told(f"x = {point_text(atom)}", *_term(mass, moved, " * "))


def _told(name: str, size: Raw, text: Callable[[], str]) -> Term:
    return size, lambda: f"{name}: {text()} = {rounded(size)}"


def _why(worst: Worst, compared: GridComparison) -> list[str]:
    points = counted(size_of(compared.pair.whole), "point")
    told = worst.why("points" if compared.pair.sure else "grid")
    return [line.replace("{points}", points) for line in told]


def _scales(worst: Worst, compared: GridComparison) -> str:
    named = enumerate(zip(compared.pair.axes, _names(worst, compared), strict=True), 1)
    return ", ".join(
        f"scale_{k} = {plain(axis.rate.scale.text)} ({name})" for k, (axis, name) in named
    )


def _names(worst: Worst, compared: GridComparison) -> Sequence[str]:
    """The coordinates; those of many releases of one number have none in a file."""
    prior = worst.priors[0]
    if isinstance(prior, Joint):
        return [shorten(name, _LONG) for name in prior.names]
    return [f"release {k}" for k in range(1, len(compared.pair.axes) + 1)]


# ---------------------------------------------------------------- two sums


def enclosed_lines(worst: Worst) -> list[str]:
    """Return both bounds of the divergence, and the sums over a grid that they are."""
    told = _sums(worst, of_kind(worst.compared, GridComparison))
    return event_lines(worst, told, ".", shown=False)


def _sums(worst: Worst, compared: GridComparison) -> list[str]:
    settled = compared.settled()
    if compared.equal:
        return [_WHY["empty"], "Both priors are the same law."]
    if settled.evidence is not None and settled.evidence.rule == "grid":
        return [_WHY["empty"], *_why(worst, compared)]
    found = compared.bounded
    bounds = written(Between(Fraction(found.ends.lower), Fraction(found.ends.upper)), DIGITS)
    size = " x ".join(str(axis.size) for axis in found.axes)
    told = [
        _SAID["sums"].format(_scales(worst, compared)),
        _SAID["size"].format(size=size, cuts=_cuts(worst, compared)),
        SENTENCES["cells"][worst.problem.release.noise.kind],
    ]
    if found.ends.lower > 0:  # else no cell is known to, and they may be too many to look at
        cells = Sandwich(compared.pair, found.axes).exceeding(
            growth_of(compared.target), reverse=compared.reverse
        )
        are = "is" if cells == 1 else "are"
        told.append(_SAID["least"].format(cells=cells, are=are, least=bounds.lower))
    told.append(_SAID["most"].format(bounds.upper))
    if (witness := worst.directed.witness) is not None:
        told.append(_SAID["margin"].format(witness.margin))
    return told


def _cuts(worst: Worst, compared: GridComparison) -> str:
    """The places between the numbers of the atoms, in words."""
    told = []
    for name, axis in zip(_names(worst, compared), compared.bounded.axes, strict=True):
        if cuts := axis.cuts:
            shown = ", ".join(brief(str(x)) for x in cuts[:_CUTS])
            more = len(cuts) - _CUTS
            told.append(f"{name}: {shown}" + (f" and {more} more" if more > 0 else ""))
    return f", and the cuts between them ({'; '.join(told)})" if told else ""
