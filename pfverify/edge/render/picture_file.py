"""Pictures to a file, by matplotlib: SVG, PNG or PDF."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pfverify.edge.document import counted
from pfverify.edge.pictures import Band, BarChart, Bars, Dots, GuideLine, Line, Plot
from pfverify.edge.render.picture_names import check_file
from pfverify.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = {
    "s0": "#2b6cb0", "s1": "#c05621", "s2": "#2f855a", "s3": "#6b2d91", "ink": "black",
    "soft": "grey", "good": "#2f855a", "bad": "#c53030", "certified": "#2b6cb0",
    "refuted": "#c05621", "undecided": "#718096", "observed on a grid": "#718096",
}  # fmt: skip
_DASHES = {"": "-", "solid": "-", "dashes": "--", "dots": ":"}
_SHAPES = {"dot": "o", "square": "s", "cross": "X", "diamond": "D", "up": "^", "down": "v"}
_BARS = 40  # of a signed chart that are drawn


def save(picture: Plot | BarChart, name: str) -> None:
    """Write a picture to a file, whole or not at all.

    Raises InputError as `check_file`, OSError where it cannot be written.
    """
    check_file(name)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    suffix = Path(name).suffix.lower().removeprefix(".")
    # text stays text, ids do not change from run to run, and names are no TeX
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "pfverify"}):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot()
        _DRAWN[type(picture)](axes, picture)
        axes.set_title(picture.title, parse_math=False, fontsize=10, wrap=True)
        figure.supxlabel(picture.caption, fontsize=8)
        out = io.BytesIO()
        stamp = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[suffix]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph")  # a letter that the font lacks is a box
            figure.savefig(out, format=suffix, dpi=150, metadata=stamp)
    write_bytes(Path(name), out.getvalue())


def _plot(axes: Axes, picture: Plot) -> None:
    words = dict(picture.keys)
    top = 1.25 * max(map(abs, picture.ends()[1]))  # where what is infinite is drawn
    for mark in picture.marks:
        colour, _, dashes = mark.style.partition(" ")
        look = {"color": _COLOURS[colour], "label": words.pop(mark.style, None)}
        _MARKS[type(mark)](axes, mark, look, _DASHES[dashes], top)
    axes.set_xlabel(picture.x.name)
    axes.set_ylabel(picture.y.name)
    axes.legend(fontsize=8)


def _line(axes: Axes, mark: Line, look: dict[str, Any], dashes: str, top: float) -> None:
    ys = [_inside(y, top) for _, y in mark.points]
    axes.plot([x for x, _ in mark.points], ys, linewidth=mark.width, linestyle=dashes, **look)


def _band(axes: Axes, mark: Band, look: dict[str, Any], dashes: str, top: float) -> None:
    xs, low, high = zip(*mark.points, strict=True)
    axes.fill_between(xs, low, high, alpha=0.35, **look)


def _bars(axes: Axes, mark: Bars, look: dict[str, Any], dashes: str, top: float) -> None:
    axes.bar(*zip(*mark.points, strict=True), **look)


def _dots(axes: Axes, mark: Dots, look: dict[str, Any], dashes: str, top: float) -> None:
    axes.plot(*zip(*mark.points, strict=True), _SHAPES[mark.shape], **look)


def _rule(axes: Axes, mark: GuideLine, look: dict[str, Any], dashes: str, top: float) -> None:
    draw = axes.axvline if mark.upright else axes.axhline
    draw(mark.at, linewidth=1, linestyle=dashes, **look)


_MARKS: dict[type, Callable[..., None]] = {
    Line: _line, Band: _band, Bars: _bars, Dots: _dots, GuideLine: _rule,
}  # fmt: skip


def _inside(value: float, top: float) -> float:
    return math.copysign(top, value) if math.isinf(value) else value


def _chart(axes: Axes, picture: BarChart) -> None:
    (_signed if picture.signed else _unsigned)(axes, picture)


def _signed(axes: Axes, picture: BarChart) -> None:
    finite = [abs(bar.value) for bar in picture.bars if math.isfinite(bar.value)]
    bound = picture.bound or 0.0
    top = 1.25 * max([bound, *finite]) or 1.0
    bars = picture.bars[:_BARS]
    places = range(len(bars))
    axes.bar(places, [_inside(bar.value, top) for bar in bars], label=picture.axis)
    axes.set_xticks(places, [bar.name for bar in bars], rotation=60, fontsize=7, parse_math=False)
    for sign, words in ((1, picture.keys[0][1]), (-1, None)):
        axes.axhline(sign * bound, linestyle="--", color="black", linewidth=1, label=words)
    if len(picture.bars) > _BARS:
        axes.set_xlabel(f"and {counted(len(picture.bars) - _BARS, 'more output')}, closer to 0")
    axes.legend(fontsize=8)


def _unsigned(axes: Axes, picture: BarChart) -> None:
    bars = [bar for bar in picture.bars if math.isfinite(bar.value)]
    axes.barh([bar.name for bar in bars], [bar.value for bar in bars],
              color=[_COLOURS[bar.kind] for bar in bars])  # fmt: skip
    for place, bar in enumerate(bars):
        axes.text(bar.value, place, f" {bar.value:.4g} {bar.kind}", va="center", fontsize=7)
    axes.margins(x=0.25)
    never = [bar.name for bar in picture.bars if math.isinf(bar.value)]
    axes.set_xlabel(f"{picture.axis} (none works: {', '.join(never)})" if never else picture.axis)
    axes.tick_params(axis="y", labelsize=7)


_DRAWN: dict[type, Callable[..., None]] = {Plot: _plot, BarChart: _chart}
