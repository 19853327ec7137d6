"""The pictures of a report, each with words for those who do not see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pfverify.answers.curves.alarms import above, below
from pfverify.answers.curves.pair import KnownPair
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.profile import band
from pfverify.edge.pictures import (
    Axis,
    Band,
    BarChart,
    Dots,
    GuideLine,
    Line,
    Mark,
    Plot,
    Point,
    enclosed,
)
from pfverify.edge.report.facts import CURVE_PLACES, Facts, PlanFacts
from pfverify.edge.report.labels import ALPHA, Names
from pfverify.edge.report.law_marks import (
    law_plot,
    output_axis,
    place_in,
    ratio_plot,
    sizes_of,
    words_of_laws,
    words_of_ratio,
)
from pfverify.edge.report.laws import Laws
from pfverify.edge.report.named import axis
from pfverify.edge.report.sentences import of_picture, words
from pfverify.edge.views.calibrate import CalibrateView
from pfverify.edge.words import place_words
from pfverify.exact.decimals import decimal_lower, decimal_upper
from pfverify.model.notion import Bound, OfDivergence

_EDGES = 60  # of a plan that are drawn one by one
_WIDE = 20  # largest over smallest scale from which their axis is logarithmic
_STEPS = 2000  # of a plan that are drawn as a staircase
_FINE = 8  # points drawn between two known ones
_LABELLED = 8  # values that have their labels
_ROWS = [(1.0, "first"), (0.0, "second")]


def densities(facts: Facts, laws: Laws, names: Names) -> Plot:
    """Return both laws of the published output, the worst output marked."""
    told = of_picture("densities", **_told(facts, laws, names))
    return law_plot(laws, output_axis(facts.problem, laws), None, _worst(facts, laws), told)


def log_ratio(facts: Facts, laws: Laws, names: Names) -> Plot:
    """Return the log ratio of both laws, against plus and minus epsilon where that bounds it."""
    epsilon, notion = facts.drawn.epsilon.ball().midpoint(), facts.problem.notion
    levels = [] if isinstance(notion, OfDivergence) else [epsilon, -epsilon]
    top = max([*levels, *sizes_of(laws)], default=0.0) * 1.15 or 1.0
    bounds = [GuideLine(level, "ink dashes", upright=False) for level in levels]
    told = words_of_ratio(
        _told(facts, laws, names), notion, facts.decided.delta, f" = {epsilon:.4g}"
    )
    x = output_axis(facts.problem, laws)
    return ratio_plot(laws, x, top, bounds, _worst(facts, laws), told)


def plan(facts: Facts, moved: PlanFacts, names: Names) -> Plot:
    """Return the plan: lines from the values of one prior to those of the other."""
    moves = [(float(x), float(y), float(mass)) for x, y, mass in moved.moves]
    about = {
        **names.both(facts.drawn.order), "largest": place_words(moved.largest),
        "count": len(moves),
    }  # fmt: skip
    if len(moves) > _EDGES:
        return _long_plan(facts, moves, about)
    most = max((mass for x, y, mass in moves if x != y), default=1.0)
    above, below = (sorted({move[side] for move in moves}) for side in (0, 1))
    marks: list[Mark] = [
        *(_move(x, y, mass / most) for x, y, mass in moves),
        Dots([(x, 1) for x in above], "s0"),
        Dots([(x, 0) for x in below], "s1", "square"),
    ]
    x, y = _few_whole(facts, sorted({*above, *below})), Axis("", -0.15, 1.15, _ROWS)
    return Plot(x=x, y=y, marks=marks, **of_picture("plan", **about))


def _move(x: float, y: float, share: float) -> Line:
    """Probability on its way from the upper row to the lower one, or staying."""
    ends = [(x, 1.0), (y, 0.0)]
    return Line(ends, "soft dots", 1.2) if x == y else Line(ends, "s0 solid", 0.6 + 5 * share)


def _long_plan(
    facts: Facts, moves: Sequence[tuple[float, float, float]], about: dict[str, Any]
) -> Plot:
    """The plan as a staircase, where it has too many moves for lines."""
    skip = -(-len(moves) // _STEPS)
    ends = [min(moves[0][:2]), max(moves[-1][:2])]
    marks = [Line(_staircase([(x, y) for x, y, _ in moves[::skip]]), "s0"),
             Line([(end, end) for end in ends], "soft dots", 1.2)]  # fmt: skip
    some = words("pictures.long-plan.some", skip=skip) if skip > 1 else ""
    told = of_picture("long-plan", **about, some=some)
    x = Axis(axis(facts.problem, "value under the first secret"))
    y = Axis("value under the second")
    return Plot(x=x, y=y, marks=marks, **told)


def _staircase(points: Sequence[Point]) -> list[Point]:
    steps = [(after[0], before[1]) for before, after in pairwise(points)]
    return [point for pair in zip(points, [*steps, points[-1]], strict=True) for point in pair]


_SAID = {
    "certified": ("dot", "private"),
    "refuted": ("cross", "refuted: not private"),
    "undecided": ("diamond", "undecided"),
}


def ladder(scales: CalibrateResult, size: str, name: str = "") -> BarChart | None:
    """Return every recipe's scale on one line of its own; None where none is finite.

    `name` is that of the axis; default: the size.

    A logarithmic axis has no place for a scale of 0: the caption names the recipes left out.
    Names of recipes are the toolkit's own. Those of the same numbers share a line.
    """
    bars = CalibrateView(scales).bars()
    finite = sorted((bar for bar in bars if bar.value < math.inf), key=lambda bar: bar.value)
    if not finite:
        return None
    positive = [bar for bar in finite if bar.value > 0]
    wide = bool(positive) and positive[-1].value > _WIDE * positive[0].value
    drawn = positive if wide else finite
    left_out = {
        "a logarithmic axis has no 0": [bar.name for bar in bars if wide and bar.value == 0],
        f"no finite {size}": [bar.name for bar in bars if bar.value == math.inf],
    }
    unseen = [f"{', '.join(sorted(names))} ({why})" for why, names in left_out.items() if names]
    told = of_picture(
        "scales", size=size, axis=words("pictures.scales.logarithmic") if wide else "",
        bars="; ".join(f"{bar.name} {bar.value:.4g}, {_SAID[bar.kind][1]}" for bar in drawn),
        left_out=f" Not drawn: {'; '.join(unseen)}." if unseen else "",
    )  # fmt: skip
    told["keys"] = [key for kind, key in _SAID.items() if any(bar.kind == kind for bar in drawn)]
    least = float(scales.minimum.upper)
    if not 0 < least < math.inf:
        return BarChart(axis=name or size, bars=drawn, log=wide, **told)
    told["keys"].append(("dashes", f"the smallest private {size}"))
    return BarChart(axis=name or size, bars=drawn, bound=least, log=wide, **told)


def delta_curve(facts: Facts, pair: KnownPair, names: Names) -> Plot:
    """Return delta at every epsilon, between proved bounds of the larger one of both orders."""
    both = [pair.known(order) for order in (0, 1)]
    growths = sorted(pair.found[0])
    bounds = []
    for growth in _between(growths):
        ends = [band(known, growth) for known in both]
        low, high = (float(max(end[k] for end in ends)) for k in (0, 1))
        bounds.append((math.log(growth), low, high))
    epsilon, delta = facts.drawn.epsilon.ball().midpoint(), facts.problem.delta.ball().midpoint()
    of_events = facts.drawn.compared.target.bound in (Bound.RATIO, Bound.DIVERGENCE)
    dots = [(x, high) for x, _, high in bounds[::_FINE]]
    marks: list[Mark] = [
        *enclosed(bounds),
        Dots(dots, "s0", size=2.5),
        *[Dots([(epsilon, delta)], "bad", "cross", 6)] * of_events,
    ]
    some = [dots[0], dots[len(dots) // 2], dots[-1]]
    told = of_picture(
        "delta", **names.both(facts.drawn.order), count=len(dots),
        target=words("pictures.delta.target", epsilon=epsilon, delta=delta) if of_events else "",
        some="; ".join(f"{y:.3g} at ε = {x:.3g}" for x, y in some), places=CURVE_PLACES,
    )  # fmt: skip
    told["keys"] = [key for key in told["keys"] if of_events or key[0] != "cross"]
    x = Axis("ε", 0, max(dots[-1][0], 1.05 * epsilon * of_events))
    return Plot(x=x, y=Axis("δ", low=0), marks=marks, **told)


def trade_off(facts: Facts, pair: KnownPair, names: Names) -> Plot:
    """Return the trade-off of tests between both laws, between proved bounds."""
    low, high = below(pair.known(0)), above(pair.known(0))
    at = Fraction(1, 20)
    kinks = {kink for kink in (*low.kinks, *high.kinks) if 0 <= kink <= 1}
    alarms = sorted(kinks | {Fraction(k, 200) for k in range(201)})
    bounds = [(float(alarm), float(low.at(alarm)), float(min(high.at(alarm), 1 - alarm)))
              for alarm in alarms]  # to guess misses with chance 1 - alarm
    marks: list[Mark] = [
        Line([(0, 1), (1, 0)], "soft dots", 1.4),
        Band(bounds, "s1"),
        Line([(alarm, most) for alarm, _, most in bounds], "s1"),
        Line([(alarm, least) for alarm, least, _ in bounds], "s0"),
    ]
    told = of_picture(
        "trade-off", **names.both(facts.drawn.order), alpha=ALPHA,
        low=decimal_lower(low.at(at), 3), high=decimal_upper(min(high.at(at), 1 - at), 3),
    )  # fmt: skip
    x, y = Axis(f"false alarms {ALPHA}", 0, 1), Axis(f"misses f({ALPHA})", 0, 1)
    return Plot(x=x, y=y, marks=marks, high=420, square=True, **told)


def _few_whole(facts: Facts, values: Sequence[float]) -> Axis:
    """Labels at the values themselves where they are few."""
    few = len(values) <= _LABELLED
    labels = [(value, f"{value:.4g}") for value in values] if few else None
    aside = (values[-1] - values[0]) / 25 or 1.0
    return Axis(axis(facts.problem, "value"), values[0] - aside, values[-1] + aside, labels)


def _worst(facts: Facts, laws: Laws) -> list[Mark]:
    """A line at the worst output where it is in the picture."""
    place = place_in(laws, facts.drawn.order.worst_y)
    return [] if place is None else [GuideLine(place, "bad dots")]


def _told(facts: Facts, laws: Laws, names: Names) -> dict[str, Any]:
    """What sentences call the drawn secrets, and what they say of both laws."""
    return {**names.both(facts.drawn.order), **words_of_laws(laws), "at": "",
            "worst": _worst_words(facts)}  # fmt: skip


def _worst_words(facts: Facts) -> str:
    if facts.problem.release.named:
        return words("pictures.worst.channel")
    place = place_words(facts.drawn.order.worst_y)
    limit = place.startswith("in the limit")
    return words(f"pictures.worst.{'limit' if limit else 'output'}", place=place)


def _between(gammas: Sequence[Fraction]) -> list[Fraction]:
    found = []
    for a, b in pairwise(gammas):
        found += [a + (b - a) * k / _FINE for k in range(_FINE)]
    return [*found, gammas[-1]]
