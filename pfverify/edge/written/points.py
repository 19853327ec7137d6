"""Several numbers with (discrete) Laplace noise on each: the worst point, or two sums over a grid.

Source: design facts F42 and F42b.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.grid.axes import Masses, Point, size_of
from pfverify.decide.grid.compared import GridComparison
from pfverify.decide.grid.sandwich import Sandwich, growth_of
from pfverify.edge.words import brief, counted, plain
from pfverify.edge.written.asked import (
    DIGITS,
    SENTENCES,
    SHOWN,
    Worst,
    and_more,
    event_lines,
    rounded,
    rounding_line,
)
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.exact.refined import Between
from pfverify.exact.written import written
from pfverify.laws.exponential import at_zero
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint, point_text

_LONG = 24  # characters of a name
_CUTS = 4  # places of an axis that are written out


def lines(worst: Worst) -> list[str]:
    """Return both densities at the worst point, atom by atom; for events both bounds."""
    if not isinstance(worst.compared, GridComparison):
        raise InputError("--explain: these are no points with Laplace noise")
    if worst.compared.target.bound is Bound.DIVERGENCE:
        return enclosed_lines(worst)
    if worst.compared.equal:
        same = f"Both priors are the same law ({worst.pair}), so p(y) = q(y) everywhere."
        return [same, worst.verdict_line("p(y)", "e^epsilon q(y)")]
    return _point(worst, worst.compared)


# ---------------------------------------------------------------- the worst point


def _point(worst: Worst, compared: GridComparison) -> list[str]:
    pair, witness = compared.pair, worst.directed.witness
    y = compared.supremum.worst
    if witness is not None and witness.point is not None:
        y = tuple(Fraction(str(x)) for x in witness.point)
    front = raw(1)
    for axis in pair.axes:
        front *= at_zero(axis.rate, axis.step)
    kind = worst.problem.release.noise.kind
    told = [
        f"The worst output is y = {point_text(y)}, {worst.pair}.",
        f"Every number has noise of its own; at distance |y-x|: {SENTENCES['noise'][kind]}; "
        f"all in front: {rounded(front)}. {_scales(worst, compared)}.",
    ]
    values = []
    for name, law in zip(worst.names, _laws(compared), strict=True):
        terms = _terms(compared, law, y)
        told += [f"p(y | {name}) is {rounded(front)} times the sum of",
                 *(f"  {text} = {rounded(size)}" for size, text in terms[:SHOWN]),
                 *and_more(terms, "smaller terms")]  # fmt: skip
        total = sum((size for size, _ in terms), raw(0))
        values.append(front * total)
        told.append(f"  = {rounded(front)} * {rounded(total)} = {rounded(values[-1])}")
    one, two = worst.names
    ratio, epsilon = rounded((values[0] / values[1]).log()), compared.target.epsilon.text
    told.append(f"log p(y | {one})/p(y | {two}) = {ratio}, and epsilon = {plain(epsilon)}")
    told += worst.compared_lines(values)
    return [*told, *_why(worst, compared), rounding_line("points")]


def _why(worst: Worst, compared: GridComparison) -> list[str]:
    if why := worst.not_certified():
        return why
    if compared.pair.sure:
        return [SENTENCES["why"]["points"]]
    return [SENTENCES["why"]["grid"].format(points=counted(size_of(compared.pair.whole), "point"))]


def _laws(compared: GridComparison) -> tuple[Masses, Masses]:
    first, second = compared.pair.laws
    return (second, first) if compared.reverse else (first, second)


def _terms(compared: GridComparison, law: Masses, y: Point) -> list[tuple[Raw, str]]:
    """What every atom gives a point, up to what stands in front: the largest first."""
    found = []
    for atom, mass in law.items():
        size, text = raw(mass), f"x = {point_text(atom)}: {brief(str(mass))}"
        for k, (axis, x, at) in enumerate(zip(compared.pair.axes, atom, y, strict=True), 1):
            if x != at:
                size *= axis.power(abs(x - at))
                text += f" * e^(-{decimal_text(abs(x - at))}/scale_{k})"
        found.append((size, text))
    return sorted(found, key=lambda term: -float(term[0].mid()))


def _scales(worst: Worst, compared: GridComparison) -> str:
    scales = [
        f"scale_{k} = {plain(axis.rate.scale.text)} ({name})"
        for k, (axis, name) in enumerate(
            zip(compared.pair.axes, _names(worst, compared), strict=True), 1
        )
    ]
    return ", ".join(scales)


def _names(worst: Worst, compared: GridComparison) -> Sequence[str]:
    """The coordinates; those of many releases of one number have none in a file."""
    prior = worst.priors[0]
    if isinstance(prior, Joint):
        return [shorten(name, _LONG) for name in prior.names]
    return [f"release {k}" for k in range(1, len(compared.pair.axes) + 1)]


# ---------------------------------------------------------------- two sums


def enclosed_lines(worst: Worst) -> list[str]:
    """Return both bounds of the divergence, and the sums over a grid that they are."""
    compared = worst.compared
    if not isinstance(compared, GridComparison):
        raise InputError("--explain: there is no grid")
    return event_lines(worst, _sums(worst, compared), ".", shown=False)


def _sums(worst: Worst, compared: GridComparison) -> list[str]:
    settled = compared.settled()
    if compared.equal or (settled.evidence is not None and settled.evidence.rule == "grid"):
        why = ["Both priors are the same law."] if compared.equal else _why(worst, compared)
        return ["No output has p(y) > e^epsilon q(y): B is empty.", *why]
    found = compared.bounded
    bounds = written(Between(Fraction(found.ends.lower), Fraction(found.ends.upper)), DIGITS)
    size = " x ".join(str(axis.size) for axis in found.axes)
    told = [
        f"Two sums over a grid enclose it (F42b). {_scales(worst, compared)}.",
        f"The grid has {size} points: the numbers of the atoms{_cuts(worst, compared)}.",
        SENTENCES["cells"][worst.problem.release.noise.kind],
    ]
    if found.ends.lower > 0:  # else no cell is known to, and they may be too many to look at
        cells = Sandwich(compared.pair, found.axes).exceeding(
            growth_of(compared.target), reverse=compared.reverse
        )
        told.append(
            f"Sum over the cells of [sum over corners of weight g]_+, of which {cells} "
            f"{'is' if cells == 1 else 'are'} > 0: {bounds.lower}"
        )
    told.append(f"Sum over the points of W [g]_+: {bounds.upper}")
    if (witness := worst.directed.witness) is not None:
        told.append(f"These cells exceed delta together by at least {witness.margin}")
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
