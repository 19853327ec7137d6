"""Pictures as SVG that stands in a page: its colours come from the page, its text is text.

Names of secrets and outputs never enter a picture: its keys and tables name them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDE, _HIGH = 480, 300  # units of a picture, small enough for its text to be read on a phone
_APART = 4.0  # units between two labels of an axis
_COLOURS = {
    "#010101": "var(--ink)", "#020202": "var(--s0)", "#030303": "var(--s1)",
    "#040404": "var(--bad)", "#050505": "var(--soft)", "#060606": "var(--good)",
}  # fmt: skip
"""What matplotlib is told -> what the page says instead."""
INK, FIRST, SECOND, BAD, SOFT, GOOD = _COLOURS
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "pfverify", "font.size": 13.0,
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "text.color": INK,
    "axes.edgecolor": SOFT, "axes.labelcolor": INK, "axes.facecolor": "none",
    "axes.spines.top": False, "axes.spines.right": False, "axes.unicode_minus": True,
    "xtick.major.pad": 6.0, "ytick.major.pad": 6.0,  # apart where both axes begin
    "xtick.color": SOFT, "ytick.color": SOFT, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "figure.facecolor": "none", "lines.linewidth": 2.0, "path.simplify": True,
}  # fmt: skip
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}

Draw = Callable[["Axes"], None]


def picture(draw: Draw, title: str, description: str, place: str, high: int = _HIGH) -> str:
    """Return what `draw` puts on axes as SVG with a title and a description.

    `place` makes its ids; the same drawing gives the same text.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # whatever the reader's own settings are
        matplotlib.rcParams.update(_STYLE)
        figure = Figure(figsize=(_WIDE / 72, high / 72), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        draw(axes)
        figure.draw_without_rendering()
        for axis, side in ((axes.xaxis, 0), (axes.yaxis, 1)):
            _apart(axis, side)
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata=_NO_METADATA)
    return _embedded(out.getvalue(), title, description, place)


def _apart(axis: Any, side: int) -> None:
    """Keep of the labels of an axis those that do not touch the one before."""
    end = -float("inf")
    ends = [(label.get_window_extent().get_points()[:, side], label)
            for label in axis.get_ticklabels() if label.get_text()]  # fmt: skip
    shown: list[tuple[float, str]] = []
    for (low, high), label in sorted(ends, key=lambda one: float(one[0][0])):
        fits = low >= end + _APART
        shown.append((label.get_position()[side], label.get_text() if fits else ""))
        end = max(end, high) if fits else end
    if any(not text for _, text in shown):
        axis.set_ticks([place for place, _ in shown], [text for _, text in shown])


def _embedded(text: str, title: str, description: str, place: str) -> str:
    """An SVG file as an element of a page: no header, ids of its own, the page's colours."""
    inside = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
    inside = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>", "", inside, flags=re.DOTALL)
    used = set(re.findall(r"(?:url\(#|href=\"#)([\w-]+)", inside))
    inside = re.sub(
        r' id="([\w.-]+)"',
        lambda m: f' id="{place}-{m[1]}"' if m[1] in used else "", inside,
    )  # fmt: skip
    inside = re.sub(r"(url\(#|href=\"#)", rf"\1{place}-", inside)
    inside = re.sub(r"font-family: [^;\"]*", "font-family: system-ui, sans-serif", inside)
    for colour, said in _COLOURS.items():
        inside = inside.replace(colour, said)
    box = re.search(r'viewBox="([\d. ]+)"', text)
    if box is None:
        raise ValueError("the picture has no size")
    return (
        f'<svg viewBox="{box[1]}" role="img" aria-labelledby="{place}-title {place}-desc">'
        f'<title id="{place}-title">{escape(title)}</title>'
        f'<desc id="{place}-desc">{escape(description)}</desc>{inside.strip()}</svg>'
    )
