"""The pictures of a report, each with words for those who do not see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from pfverify.answers.methods import CalibrateResult, Method
from pfverify.decide.verdict import Verdict
from pfverify.edge.pictures import Picture
from pfverify.edge.report import pictures
from pfverify.edge.report.facts import CURVE_DIGITS, Facts, PlanFacts, ProfileFacts
from pfverify.edge.report.labels import ALPHA, Names
from pfverify.edge.report.laws import Laws
from pfverify.edge.report.pictures import BAD, FIRST, GOOD, INK, SECOND, SOFT
from pfverify.edge.report.profile import band, least_miss, line_between, reached
from pfverify.edge.words import place_words
from pfverify.exact.decimals import decimal_lower, decimal_upper

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EDGES = 60  # of a plan that are drawn one by one
_WIDE = 20  # largest over smallest scale from which their axis is logarithmic
_STEPS = 2000  # of a plan that are drawn as a staircase
_FINE = 8  # points drawn between two known ones
_DASHES = (0, (5, 2))
_DOTS = (0, (1, 1.6))


def densities(facts: Facts, laws: Laws, names: Names) -> Picture:
    """Return both laws of the published output, the worst output marked."""
    first, second = _pair(facts, names)
    what = "probability" if laws.masses else "density"
    worst = _worst_words(facts)

    def draw(axes: Axes) -> None:
        for logs, colour, dashes, shift, mark in (
            (laws.first, FIRST, "solid", -0.15, "o"), (laws.second, SECOND, _DASHES, 0.15, "s"),
        ):  # fmt: skip
            heights = [math.exp(log) for log in logs]
            if laws.masses:
                aside = shift * _gap(laws.y)
                places = [y + aside for y in laws.y]
                axes.vlines(places, 0, heights, color=colour, linestyle=dashes, linewidth=2)
                axes.plot(places, heights, mark, color=colour, markersize=4)
            else:
                axes.plot(laws.y, heights, color=colour, linestyle=dashes)
        _mark_worst(axes, facts, laws)
        axes.set_ylim(bottom=0)
        axes.set_ylabel(what)
        _label_outputs(axes, laws)

    title = f"The {what} of what is published, under both secrets"
    description = (
        f"Two {'rows of bars' if laws.masses else 'curves'}: the {what} of each output y under "
        f"{first} (solid) and under {second} (dashed). {worst}"
    )
    keys = [("s0", f"under {first}"), ("s1", f"under {second}")]
    return _picture(
        draw, title, description, "laws", keys,
        f"{description} Drawn in floating point, to look at: it proves nothing."
        f"{_left_out(laws)}",
    )  # fmt: skip


def log_ratio(facts: Facts, laws: Laws, names: Names) -> Picture:
    """Return the log ratio of both laws, against plus and minus epsilon."""
    first, second = _pair(facts, names)
    epsilon = facts.drawn.epsilon.ball().midpoint()
    ratios = [_difference(p, q) for p, q in zip(laws.first, laws.second, strict=True)]
    finite = [(y, r) for y, r in zip(laws.y, ratios, strict=True) if math.isfinite(r)]
    endless = [(y, r) for y, r in zip(laws.y, ratios, strict=True) if math.isinf(r)]
    top = max([epsilon, *(abs(r) for _, r in finite)]) * 1.15 or 1.0

    def draw(axes: Axes) -> None:
        ys, rs = [y for y, _ in finite], [r for _, r in finite]
        if laws.masses:
            axes.vlines(ys, 0, rs, color=FIRST, linewidth=2)
            axes.plot(ys, rs, "o", color=FIRST, markersize=4)
        else:
            axes.plot(ys, rs, color=FIRST)
        for y, r in endless:
            axes.plot([y], [math.copysign(top * 0.97, r)], "^" if r > 0 else "v", color=BAD)
        for level in (epsilon, -epsilon):
            axes.axhline(level, color=INK, linestyle=_DASHES, linewidth=1.4)
        axes.axhline(0, color=SOFT, linewidth=0.8)
        _mark_worst(axes, facts, laws)
        axes.set_ylim(-top, top)
        axes.set_ylabel("log ratio")
        _label_outputs(axes, laws)

    beyond = " Triangles: outputs that only one of both secrets can give." if endless else ""
    description = (
        f"The log ratio log p(y)/q(y) of the laws under {first} and under {second}, over the "
        f"output y. Dashed lines stand at plus and minus epsilon = {epsilon:.4g}. "
        f"{_worst_words(facts)}{beyond}"
    )
    bounded = "With δ = 0 the target is met exactly where the curve stays between the dashed lines."
    if str(facts.decided.delta) != "0":
        bounded = "With δ > 0 the curve may leave the dashed lines, where little probability is."
    return _picture(
        draw, "The log ratio at every output", description, "ratio",
        [("s0", "log ratio"), ("dashes", "plus and minus epsilon")],
        f"{description} {bounded} Drawn in floating point; that the bound holds between the points "
        f"is what the proof is for.{_left_out(laws)}",
    )  # fmt: skip


def plan(facts: Facts, moved: PlanFacts, names: Names) -> Picture:
    """Return the plan: lines from the values of one prior to those of the other."""
    first, second = _pair(facts, names)
    few = len(moved.moves) <= _EDGES
    moves = [(float(x), float(y), float(mass)) for x, y, mass in moved.moves]
    skip = -(-len(moves) // _STEPS)
    most = max((mass for x, y, mass in moves if x != y), default=1.0)

    def draw(axes: Axes) -> None:
        if not few:
            axes.plot([x for x, _, _ in moves[::skip]], [y for _, y, _ in moves[::skip]],
                      color=FIRST, drawstyle="steps-post")  # fmt: skip
            ends = [min(moves[0][:2]), max(moves[-1][:2])]
            axes.plot(ends, ends, color=SOFT, linestyle=_DOTS, linewidth=1.2)
            axes.set_xlabel("value under the first secret")
            axes.set_ylabel("value under the second")
            return
        for x, y, mass in moves:
            if x == y:
                axes.plot([x, y], [1, 0], color=SOFT, linestyle=_DOTS, linewidth=1.2)
            else:
                axes.plot([x, y], [1, 0], color=FIRST, linewidth=0.6 + 5 * mass / most,
                          solid_capstyle="round")  # fmt: skip
        for side, colour, mark in ((0, FIRST, "o"), (1, SECOND, "s")):
            places = sorted({move[side] for move in moves})
            axes.plot(places, [1 - side] * len(places), mark, color=colour, markersize=6)
        axes.set_yticks([1, 0], ["first", "second"])
        axes.set_xlabel("value")
        axes.margins(y=0.15)
        _few_whole(axes, sorted({end for x, y, _ in moves for end in (x, y)}))

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
    return _picture(
        draw, "How one prior is moved onto the other", description, "plan", keys, caption
    )


_MARKS = {
    Verdict.CERTIFIED: ("o", GOOD),
    Verdict.REFUTED: ("X", BAD),
    Verdict.UNDECIDED: ("D", SOFT),
}
_SAID = {
    Verdict.CERTIFIED: ("dot", "private"),
    Verdict.REFUTED: ("cross", "refuted: not private"),
    Verdict.UNDECIDED: ("diamond", "undecided"),
}


def ladder(scales: CalibrateResult, size: str) -> Picture | None:
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
    farthest = max(values) or 1.0
    least = float(str(scales.minimum.upper))
    bounded = 0 < least < math.inf

    def draw(axes: Axes) -> None:
        if wide:
            axes.set_xscale("log")
        start = 0.7 * min(values) if wide else 0
        if bounded:
            axes.axvline(least, color=INK, linestyle=_DASHES, linewidth=1.4)
        for height, ((_, row), value) in enumerate(zip(rungs, values, strict=True)):
            mark, colour = _MARKS[row.verdict]
            axes.plot([start, value], [height, height], color=SOFT, linewidth=1)
            axes.plot([value], [height], mark, color=colour, markersize=8, clip_on=False, zorder=3)
        axes.set_yticks(range(len(rungs)), [name for name, _ in rungs])
        axes.tick_params(axis="y", labelsize=11)
        axes.set_xlim(left=start, right=(1.4 if wide else 1.08) * farthest)
        axes.set_ylim(-0.6, len(rungs) - 0.4)
        axes.set_xlabel(size)

    words = "; ".join(f"{name} {value:.4g}, {_SAID[row.verdict][1]}"
                      for (name, row), value in zip(rungs, values, strict=True))  # fmt: skip
    keys = [_SAID[verdict] for verdict in _SAID if verdict in {row.verdict for _, row in rungs}]
    keys += [("dashes", f"the smallest private {size}")] if bounded else []
    description = f"Each recipe's {size}, smallest first: {words}."
    return _picture(
        draw, f"The {size} that each recipe asks for", description, "ladder", keys,
        f"Every recipe's {size}, each decided by itself"
        f"{', on a logarithmic scale' if wide else ''}. The table has the numbers."
        f"{_not_on_the_axis(scales, rungs, size)}",
        high=90 + 26 * len(rungs),
    )  # fmt: skip


def delta_curve(facts: Facts, profile: ProfileFacts, names: Names) -> Picture:
    """Return delta at every epsilon, between proved bounds."""
    first, second = _pair(facts, names)
    known = [one for one in profile.larger if one.gamma >= 1]
    places = _between([one.gamma for one in known])
    bounds = [band(profile.larger, gamma) for gamma in places]
    xs = [math.log(gamma) for gamma in places]
    epsilon, delta = facts.drawn.epsilon.ball().midpoint(), facts.problem.delta.ball().midpoint()

    def draw(axes: Axes) -> None:
        lower, upper = ([float(b[k]) for b in bounds] for k in (0, 1))
        axes.fill_between(xs, lower, upper, color=FIRST, alpha=0.35, linewidth=0)
        axes.plot(xs, upper, color=FIRST, linewidth=1.4)
        axes.plot(xs, lower, color=FIRST, linewidth=1.0, linestyle=_DOTS)
        axes.plot([math.log(one.gamma) for one in known], [float(one.upper) for one in known], "o",
                  color=FIRST, markersize=3.5)  # fmt: skip
        axes.plot([epsilon], [delta], "X", color=BAD, markersize=10, clip_on=False, zorder=5)
        axes.set_xlim(left=0, right=max(xs[-1], 1.05 * epsilon))
        axes.set_ylim(bottom=0)
        axes.set_xlabel("ε")
        axes.set_ylabel("δ")

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
    return _picture(draw, "δ at every ε", description, "delta", keys, caption)


def trade_off(facts: Facts, profile: ProfileFacts, names: Names) -> Picture:
    """Return the trade-off of tests between both laws, between proved bounds."""
    first, second = _pair(facts, names)
    corners = reached(profile.trade_off)
    alarms = sorted({Fraction(k, 200) for k in range(201)} | {alarm for alarm, _ in corners})
    lower = [float(least_miss(profile.trade_off, alarm)) for alarm in alarms]
    upper = [float(line_between(corners, alarm)) for alarm in alarms]
    xs = [float(alarm) for alarm in alarms]

    def draw(axes: Axes) -> None:
        axes.plot([0, 1], [1, 0], color=SOFT, linestyle=_DOTS, linewidth=1.4)
        axes.fill_between(xs, lower, upper, color=SECOND, alpha=0.3, linewidth=0)
        axes.plot(xs, upper, color=SECOND, linestyle=_DASHES)
        axes.plot(xs, lower, color=FIRST)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_aspect("equal")
        axes.set_xlabel(f"false alarms {ALPHA}")
        axes.set_ylabel(f"misses f({ALPHA})")

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
    return _picture(
        draw, "How well a test tells both secrets apart", description, "tests", keys, caption,
        high=420,
    )  # fmt: skip


def _picture(
    draw: pictures.Draw, title: str, description: str, place: str,
    keys: Sequence[tuple[str, str]], caption: str, high: int = 300,
) -> Picture:
    markup = pictures.picture(draw, title, description, f"picture-{place}", high)
    return Picture(markup, caption, keys, f"{title}. {description}")


def _pair(facts: Facts, names: Names) -> tuple[str, str]:
    order = facts.drawn.order
    return names.of(order.from_), names.of(order.to)


def _gap(ys: Sequence[float]) -> float:
    return min((b - a for a, b in pairwise(ys)), default=1.0)


def _label_outputs(axes: Axes, laws: Laws) -> None:
    axes.set_xlabel("number of the output, see the table" if laws.names else "published number y")
    if laws.names:
        axes.set_xticks([int(y) for y in laws.y])


def _few_whole(axes: Axes, values: Sequence[float]) -> None:
    """Ticks at the values themselves where they are few."""
    if len(values) <= 8:
        axes.set_xticks(values, [f"{value:.4g}" for value in values])


def _mark_worst(axes: Axes, facts: Facts, laws: Laws) -> None:
    """A line at the worst output where it is in the picture."""
    worst = facts.drawn.order.worst_y
    place: float | None = None
    if isinstance(worst, Fraction):
        place = float(worst)
    elif str(worst) in laws.names:
        place = laws.y[list(laws.names).index(str(worst))]
    if place is not None and laws.y[0] <= place <= laws.y[-1]:
        axes.axvline(place, color=BAD, linestyle=_DOTS, linewidth=1.8)


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



