"""What is drawn of two laws and of their log ratio, over their outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pfverify.answers.outcome import Place
from pfverify.edge.document import counted
from pfverify.edge.pictures import ZERO_LINE, Axis, Bars, Dots, Line, Mark, Plot, Point
from pfverify.edge.report.laws import Laws
from pfverify.edge.report.named import axis
from pfverify.edge.report.sentences import of_picture, words
from pfverify.model.notion import Notion, OfDivergence
from pfverify.model.problem import Problem
from pfverify.model.steps.step import SUPPRESSED

_BARS = 60  # outputs that have bars


def kind_of(laws: Laws) -> type[Bars | Line]:
    """Return how laws are drawn: masses as bars where these are few enough to be told apart."""
    return Bars if laws.masses and len(laws.y) <= _BARS else Line


def height_words(laws: Laws) -> str:
    """Return what is drawn upwards."""
    if laws.stems:
        return "density, and probability of single outputs"
    return "probability" if laws.masses else "density"


def law_plot(
    laws: Laws, x: Axis, high: float | None, more: Sequence[Mark], told: Mapping[str, Any]
) -> Plot:
    """Return the picture of two laws and more marks; `told`: its words, as `of_picture` has them.
    """
    y = Axis(height_words(laws), 0, high)
    return Plot(x=x, y=y, marks=[*_law_marks(laws), *more], **told)


def ratio_plot(
    laws: Laws, x: Axis, top: float, bounds: Sequence[Mark], more: Sequence[Mark],
    told: Mapping[str, Any],
) -> Plot:  # fmt: skip
    """Return the picture of the log ratio from -`top` to `top`, against its bounds."""
    marks = [*_ratio_marks(laws, top), *bounds, ZERO_LINE, *more]
    return Plot(x=x, y=Axis("log ratio", -top, top), marks=marks, **told)


def words_of_laws(laws: Laws) -> dict[str, Any]:
    """Return what sentences about both pictures say of laws."""
    bars = kind_of(laws) is Bars
    endless = any(math.isinf(ratio) for points in ratios_of(laws) for _, ratio in points)
    return {
        "what": height_words(laws),
        "marks": "rows of bars" if bars else "curves",
        "ways": ("full", "pale") if bars else ("solid", "dashed"),
        "left_out": f" Not drawn: {counted(laws.left_out, 'output')}." if laws.left_out else "",
        "beyond": words("pictures.log-ratio.beyond") if endless else "",
    }


def words_of_ratio(
    told: Mapping[str, Any], notion: Notion, delta: object, value: str = ""
) -> dict[str, Any]:
    """Return the words of the picture of the log ratio; `value`: what its dashed lines stand at."""
    averaged = isinstance(notion, OfDivergence)
    bounded = "averaged" if averaged else "strict" if delta == "0" else "loose"
    found = of_picture(
        "log-ratio", **told, bounded=words(f"pictures.log-ratio.{bounded}"),
        dashed="" if averaged else words("pictures.log-ratio.dashed", value=value),
    )  # fmt: skip
    found["keys"] = [key for key in found["keys"] if not averaged or key[0] != "dashes"]
    return found


def _law_marks(laws: Laws) -> list[Mark]:
    """Both laws, that of the first secret in the first colour."""
    kind = kind_of(laws)
    marks: list[Mark] = [
        kind([(y, math.exp(log)) for y, log in zip(laws.y, logs, strict=True)], style)
        for logs, style in ((laws.first, "s0"), (laws.second, "s1"))
    ]
    for style, which in (("s0", 0), ("s1", 1)):
        marks += [Line([(at, 0.0), (at, mass)], style, 4.0) for at, mass in _stems(laws, which)]
        marks += [Dots(_stems(laws, which), style)] * bool(laws.stems)
    return marks


def _stems(laws: Laws, which: int) -> list[Point]:
    """The masses of single outputs, those of both laws side by side."""
    width = (laws.y[-1] - laws.y[0]) / 250 if laws.y else 0.0
    return [(one.y + (2 * which - 1) * width, math.exp((one.first, one.second)[which]))
            for one in laws.stems]  # fmt: skip


def ratios_of(laws: Laws) -> tuple[list[Point], list[Point]]:
    """Return the log ratio at every place of two laws, and at the single outputs beside them.

    Where neither law is, there is none.
    """
    along = zip(laws.y, laws.first, laws.second, strict=True)
    single = [(one.y, one.first, one.second) for one in laws.stems]
    found, beside = (
        [(y, p - q) for y, p, q in places if max(p, q) > -math.inf] for places in (along, single)
    )
    return found, beside


def sizes_of(laws: Laws) -> list[float]:
    """Return how far from 0 the finite log ratios of two laws are."""
    return [abs(ratio) for points in ratios_of(laws) for _, ratio in points if math.isfinite(ratio)]


def _ratio_marks(laws: Laws, top: float) -> list[Mark]:
    """The log ratio; what is infinite has a triangle near the ends, `top` and -`top`."""
    along, single = ratios_of(laws)
    stems = _finite(single)
    marks: list[Mark] = [kind_of(laws)(_finite(along), "s0")]
    marks += [Dots(stems, "s0")] * bool(stems)
    marks += [Line([(y, 0.0), (y, r)], "s0", 4.0) for y, r in stems]
    marks += [Dots([(y, math.copysign(top * 0.95, r))], "bad", "up" if r > 0 else "down")
              for y, r in (*along, *single) if math.isinf(r)]  # fmt: skip
    return marks


def _finite(points: Sequence[Point]) -> list[Point]:
    return [(y, ratio) for y, ratio in points if math.isfinite(ratio)]


def output_axis(
    problem: Problem, laws: Laws, numbered: str = "number of the output, see the table"
) -> Axis:
    """Return the axis of the outputs of laws; what it is called where outputs have names."""
    if laws.names:
        labels = [(y, f"{y:.0f}") for y in laws.y]
        return Axis(numbered, labels=labels)
    if not laws.stems:
        return Axis(axis(problem, "published number y"))
    hidden = any(one.name == SUPPRESSED for one in laws.stems)
    ends = [*laws.y, *(one.y for one in laws.stems)]
    low, high = min(ends), max(ends)
    aside = (high - low) / 40 or 1.0
    apart = "; suppressed stands apart, on the left" if hidden else ""
    return Axis(axis(problem, "published number y", apart), low - aside, high + aside)


def place_in(laws: Laws, output: Fraction | Place) -> float | None:
    """Return where an output stands among those that are drawn, None where it does not."""
    place: float | None = None
    if isinstance(output, Fraction):
        place = float(output)
    elif str(output) in laws.names:
        place = laws.y[list(laws.names).index(str(output))]
    stem = next((one.y for one in laws.stems if one.name == str(output)), None)
    if stem is not None and not isinstance(output, Fraction):
        return stem
    return place if place is not None and laws.y[0] <= place <= laws.y[-1] else None
