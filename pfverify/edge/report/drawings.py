"""The pictures of a report, each with words for those who do not see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from pfverify.answers.methods import CalibrateResult, Method
from pfverify.decide.verdict import Verdict
from pfverify.edge.pictures import (
    ZERO_LINE,
    Axis,
    Band,
    Bar,
    BarChart,
    Bars,
    Dots,
    GuideLine,
    Line,
    Mark,
    Plot,
    Point,
)
from pfverify.edge.report.facts import CURVE_DIGITS, Facts, PlanFacts, ProfileFacts
from pfverify.edge.report.labels import ALPHA, Names
from pfverify.edge.report.laws import Laws
from pfverify.edge.report.profile import band, least_miss, line_between, reached
from pfverify.edge.words import place_words
from pfverify.exact.decimals import decimal_lower, decimal_upper

_EDGES = 60  # of a plan that are drawn one by one
_WIDE = 20  # largest over smallest scale from which their axis is logarithmic
_STEPS = 2000  # of a plan that are drawn as a staircase
_FINE = 8  # points drawn between two known ones
_BARS = 60  # outputs that have bars
_LABELLED = 8  # values that have their labels
_ROWS = [(1.0, "first"), (0.0, "second")]


def densities(facts: Facts, laws: Laws, names: Names) -> Plot:
    """Return both laws of the published output, the worst output marked."""
    first, second = _pair(facts, names)
    what = "probability" if laws.masses else "density"
    worst = _worst_words(facts)
    kind = _kind(laws)
    marks = [kind([(y, math.exp(log)) for y, log in zip(laws.y, logs, strict=True)], style)
             for logs, style in ((laws.first, "s0"), (laws.second, "s1"))]  # fmt: skip
    title = f"The {what} of what is published, under both secrets"
    drawn = ("rows of bars", "full", "pale") if kind is Bars else ("curves", "solid", "dashed")
    description = (
        f"Two {drawn[0]}: the {what} of each output y under {first} ({drawn[1]}) and under "
        f"{second} ({drawn[2]}). {worst}"
    )
    keys = [("s0", f"under {first}"), ("s1", f"under {second}")]
    caption = (
        f"{description} Drawn in floating point, to look at: it proves nothing."
        f"{_left_out(laws)}"
    )
    return Plot(title, caption, _outputs(laws), Axis(what, low=0),
                [*marks, *_worst(facts, laws)], keys, description)  # fmt: skip


def log_ratio(facts: Facts, laws: Laws, names: Names) -> Plot:
    """Return the log ratio of both laws, against plus and minus epsilon."""
    first, second = _pair(facts, names)
    epsilon = facts.drawn.epsilon.ball().midpoint()
    ratios = [_difference(p, q) for p, q in zip(laws.first, laws.second, strict=True)]
    finite = [(y, r) for y, r in zip(laws.y, ratios, strict=True) if math.isfinite(r)]
    endless = [(y, r) for y, r in zip(laws.y, ratios, strict=True) if math.isinf(r)]
    top = max([epsilon, *(abs(r) for _, r in finite)]) * 1.15 or 1.0
    marks: list[Mark] = [_kind(laws)(finite, "s0")]
    marks += [Dots([(y, math.copysign(top * 0.95, r))], "bad", "up" if r > 0 else "down")
              for y, r in endless]  # fmt: skip
    marks += [GuideLine(level, "ink dashes", upright=False) for level in (epsilon, -epsilon)]
    marks += [ZERO_LINE, *_worst(facts, laws)]
    beyond = " Triangles: outputs that only one of both secrets can give." if endless else ""
    description = (
        f"The log ratio log p(y)/q(y) of the laws under {first} and under {second}, over the "
        f"output y. Dashed lines stand at plus and minus epsilon = {epsilon:.4g}. "
        f"{_worst_words(facts)}{beyond}"
    )
    bounded = "With δ = 0 the target is met exactly where the curve stays between the dashed lines."
    if str(facts.decided.delta) != "0":
        bounded = "With δ > 0 the curve may leave the dashed lines, where little probability is."
    caption = (
        f"{description} {bounded} Drawn in floating point; that the bound holds between the points "
        f"is what the proof is for.{_left_out(laws)}"
    )
    return Plot(
        "The log ratio at every output", caption, _outputs(laws), Axis("log ratio", -top, top),
        marks, [("s0", "log ratio"), ("dashes", "plus and minus epsilon")], description,
    )  # fmt: skip


def plan(facts: Facts, moved: PlanFacts, names: Names) -> Plot:
    """Return the plan: lines from the values of one prior to those of the other."""
    first, second = _pair(facts, names)
    few = len(moved.moves) <= _EDGES
    moves = [(float(x), float(y), float(mass)) for x, y, mass in moved.moves]
    skip = -(-len(moves) // _STEPS)
    most = max((mass for x, y, mass in moves if x != y), default=1.0)
    marks: list[Mark] = []
    if few:
        marks += [_move(x, y, mass / most) for x, y, mass in moves]
        places = [sorted({move[side] for move in moves}) for side in (0, 1)]
        marks += [Dots([(x, 1) for x in places[0]], "s0"),
                  Dots([(x, 0) for x in places[1]], "s1", "square")]  # fmt: skip
        x, y = _few_whole(sorted({*places[0], *places[1]})), Axis("", -0.15, 1.15, _ROWS)
    else:
        ends = [min(moves[0][:2]), max(moves[-1][:2])]
        marks += [Line(_staircase([(x, y) for x, y, _ in moves[::skip]]), "s0"),
                  Line([(end, end) for end in ends], "soft dots", 1.2)]  # fmt: skip
        x, y = Axis("value under the first secret"), Axis("value under the second")
    if few:
        description = (
            f"The values under {first} stand in the upper row, those under {second} in the lower "
            "row. A line carries probability from a value above to one below, the thicker the "
            "more; dotted lines are probability that stays."
        )
    else:
        description = (
            f"The plan as a staircase: for each value under {first} (across) the value under "
            f"{second} (up) to which its probability goes. Where it runs on the dotted diagonal, "
            "nothing is moved."
        )
    largest_text = place_words(moved.largest)
    caption = (
        f"{description} The farthest move is {largest_text}; {len(moves)} moves in all"
        f"{f', of which every {skip}th is drawn' if skip > 1 else ''}."
    )
    keys = [("s0", f"{first}"), ("s1", f"{second}")] if few else [("s0", "the plan")]
    return Plot("How one prior is moved onto the other", caption, x, y, marks, keys, description)


def _move(x: float, y: float, share: float) -> Line:
    """Probability on its way from the upper row to the lower one, or staying."""
    ends = [(x, 1.0), (y, 0.0)]
    return Line(ends, "soft dots", 1.2) if x == y else Line(ends, "s0 solid", 0.6 + 5 * share)


def _staircase(points: Sequence[Point]) -> list[Point]:
    steps = [(after[0], before[1]) for before, after in pairwise(points)]
    return [point for pair in zip(points, [*steps, points[-1]], strict=True) for point in pair]


_SAID = {
    Verdict.CERTIFIED: ("dot", "private"),
    Verdict.REFUTED: ("cross", "refuted: not private"),
    Verdict.UNDECIDED: ("diamond", "undecided"),
}


def ladder(scales: CalibrateResult, size: str) -> BarChart | None:
    """Return every recipe's scale on one line of its own; None where none is finite.

    A logarithmic axis has no place for a scale of 0: the caption names the recipes left out.
    Names of recipes are the toolkit's own.
    """
    finite = {name: row for name, row in scales.methods.items() if _placed(row) < math.inf}
    if not finite:
        return None
    positive = [value for value in map(_placed, finite.values()) if value > 0]
    wide = bool(positive) and max(positive) > _WIDE * min(positive)
    rungs = [(name, row) for name, row in finite.items() if not wide or _placed(row) > 0]
    rungs.sort(key=lambda rung: _placed(rung[1]))
    values = [_placed(row) for _, row in rungs]
    least = float(str(scales.minimum.upper))
    bounded = 0 < least < math.inf
    bars = [Bar(name, value, row.verdict.value)
            for (name, row), value in zip(rungs, values, strict=True)]  # fmt: skip
    words = "; ".join(f"{name} {value:.4g}, {_SAID[row.verdict][1]}"
                      for (name, row), value in zip(rungs, values, strict=True))  # fmt: skip
    keys = [_SAID[verdict] for verdict in _SAID if verdict in {row.verdict for _, row in rungs}]
    keys += [("dashes", f"the smallest private {size}")] if bounded else []
    description = f"Each recipe's {size}, smallest first: {words}."
    caption = (
        f"Every recipe's {size}, each decided by itself"
        f"{', on a logarithmic scale' if wide else ''}. The table has the numbers."
        f"{_not_on_the_axis(scales, rungs, size)}"
    )
    return BarChart(
        f"The {size} that each recipe asks for", caption, size, bars, keys, description,
        bound=least if bounded else None, log=wide,
    )  # fmt: skip


def delta_curve(facts: Facts, profile: ProfileFacts, names: Names) -> Plot:
    """Return delta at every epsilon, between proved bounds."""
    first, second = _pair(facts, names)
    known = [one for one in profile.larger if one.gamma >= 1]
    places = _between([one.gamma for one in known])
    bounds = [band(profile.larger, gamma) for gamma in places]
    xs = [math.log(gamma) for gamma in places]
    epsilon, delta = facts.drawn.epsilon.ball().midpoint(), facts.problem.delta.ball().midpoint()
    low, high = ([float(ends[k]) for ends in bounds] for k in (0, 1))
    marks: list[Mark] = [
        Band([*zip(xs, low, high, strict=True)], "s0"),
        Line([*zip(xs, high, strict=True)], "s0", 1.4),
        Line([*zip(xs, low, strict=True)], "s0 dots", 1.0),
        Dots([(math.log(one.gamma), float(one.upper)) for one in known], "s0", size=2.5),
        Dots([(epsilon, delta)], "bad", "cross", 6),
    ]
    some = [known[0], known[len(known) // 2], known[-1]]
    words = "; ".join(f"{float(k.upper):.3g} at ε = {math.log(k.gamma):.3g}" for k in some)
    description = (
        f"The smallest δ for each ε, of {first} and {second} in both orders. It falls: {words}. "
        f"The target, ε = {epsilon:.4g} with δ = {delta:.4g}, is marked with a cross."
    )
    caption = (
        f"{description} At the {len(known)} dots δ is enclosed to {CURVE_DIGITS} digits. Between "
        "them it is convex in e^ε and falls, so that it lies in the band: below the chord of two "
        "dots, above the lines through dots farther left and right. All of that is proved. It is "
        "about this pair alone; other pairs may have a larger δ at another ε."
    )
    keys = [("s0", "δ(ε) lies in this band"), ("cross", "the target")]
    x = Axis("ε", 0, max(xs[-1], 1.05 * epsilon))
    return Plot("δ at every ε", caption, x, Axis("δ", low=0), marks, keys, description)


def trade_off(facts: Facts, profile: ProfileFacts, names: Names) -> Plot:
    """Return the trade-off of tests between both laws, between proved bounds."""
    first, second = _pair(facts, names)
    corners = reached(profile.trade_off)
    alarms = sorted({Fraction(k, 200) for k in range(201)} | {alarm for alarm, _ in corners})
    lower = [float(least_miss(profile.trade_off, alarm)) for alarm in alarms]
    upper = [float(line_between(corners, alarm)) for alarm in alarms]
    xs = [float(alarm) for alarm in alarms]
    marks: list[Mark] = [
        Line([(0, 1), (1, 0)], "soft dots", 1.4),
        Band([*zip(xs, lower, upper, strict=True)], "s1"),
        Line([*zip(xs, upper, strict=True)], "s1"),
        Line([*zip(xs, lower, strict=True)], "s0"),
    ]
    at = Fraction(1, 20)
    ends = decimal_lower(least_miss(profile.trade_off, at), 3), decimal_upper(
        line_between(corners, at), 3)  # fmt: skip
    description = (
        f"Somebody tests from the output whether {first} is true and not {second}. For each chance "
        f"{ALPHA} of a false alarm the least chance f({ALPHA}) of a miss, between a proved lower "
        "bound (solid) and a proved upper one (dashed). The dotted diagonal is guessing. At "
        f"{ALPHA} = 0.05 the miss has a chance between {ends[0]} and {ends[1]}."
    )
    caption = (
        f"{description} Below: f({ALPHA}) is at least 1 - δ(ε) - e^ε {ALPHA} for every ε, taken at "
        "the dots of δ(ε), both orders. Above: at each dot the slopes of δ on either side bound a "
        "best test's two chances, and tests may be mixed."
    )
    keys = [("s0", "no test is better than this"), ("s1", "some test is as good as this"),
            ("dots", "guessing")]  # fmt: skip
    return Plot(
        "How well a test tells both secrets apart", caption, Axis(f"false alarms {ALPHA}", 0, 1),
        Axis(f"misses f({ALPHA})", 0, 1), marks, keys, description, high=420, square=True,
    )  # fmt: skip


def _pair(facts: Facts, names: Names) -> tuple[str, str]:
    order = facts.drawn.order
    return names.of(order.from_), names.of(order.to)


def _kind(laws: Laws) -> type[Bars | Line]:
    """Masses are drawn as bars where these are few enough to be told apart."""
    return Bars if laws.masses and len(laws.y) <= _BARS else Line


def _outputs(laws: Laws) -> Axis:
    if laws.names:
        labels = [(y, f"{y:.0f}") for y in laws.y]
        return Axis("number of the output, see the table", labels=labels)
    return Axis("published number y")


def _few_whole(values: Sequence[float]) -> Axis:
    """Labels at the values themselves where they are few."""
    few = len(values) <= _LABELLED
    labels = [(value, f"{value:.4g}") for value in values] if few else None
    aside = (values[-1] - values[0]) / 25 or 1.0
    return Axis("value", values[0] - aside, values[-1] + aside, labels)


def _worst(facts: Facts, laws: Laws) -> list[Mark]:
    """A line at the worst output where it is in the picture."""
    worst = facts.drawn.order.worst_y
    place: float | None = None
    if isinstance(worst, Fraction):
        place = float(worst)
    elif str(worst) in laws.names:
        place = laws.y[list(laws.names).index(str(worst))]
    inside = place is not None and laws.y[0] <= place <= laws.y[-1]
    return [GuideLine(place, "bad dots")] if place is not None and inside else []


def _worst_words(facts: Facts) -> str:
    worst = facts.drawn.order.worst_y
    if facts.problem.release.named:
        return "A dotted line marks the output of the largest ratio."
    words = place_words(worst)
    if words.startswith("in the limit"):
        return f"The largest ratio is approached {words}."
    return f"A dotted line marks the worst output, y = {words}."


def _left_out(laws: Laws) -> str:
    if not laws.left_out:
        return ""
    return f" {laws.left_out} more outputs are not drawn."


def _difference(p: float, q: float) -> float:
    if p == -math.inf and q == -math.inf:
        return math.nan
    return p - q


def _placed(row: Method) -> float:
    """Where a recipe stands on the axis."""
    return float(str(row.scale))


def _not_on_the_axis(
    scales: CalibrateResult, rungs: Sequence[tuple[str, Method]], size: str
) -> str:
    """Say which recipes the ladder leaves out, and why."""
    left = scales.methods.keys() - {name for name, _ in rungs}
    reasons = {
        "a logarithmic axis has no 0": [n for n in left if _placed(scales.methods[n]) == 0],
        f"no finite {size}": [n for n in left if _placed(scales.methods[n]) == math.inf],
    }
    said = [f"{', '.join(sorted(names))} ({why})" for why, names in reasons.items() if names]
    return f" Not drawn: {'; '.join(said)}." if said else ""


def _between(gammas: Sequence[Fraction]) -> list[Fraction]:
    found = []
    for a, b in pairwise(gammas):
        found += [a + (b - a) * k / _FINE for k in range(_FINE)]
    return [*found, gammas[-1]]
