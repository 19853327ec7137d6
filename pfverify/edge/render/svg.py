"""Pictures of pages as SVG that takes its colours from the page's style sheet.

Names of secrets and outputs never enter a plot: its keys and tables name them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

from pfverify.edge.pictures import (
    Axis,
    Band,
    BarChart,
    Bars,
    Dots,
    Ends,
    Graph,
    GuideLine,
    Line,
    Plot,
    Point,
)
from pfverify.edge.render.layers import layered

_WIDE = 480  # units of a picture, small enough for its text to be read on a phone
_LETTER, _TALL_LETTER = 8.2, 16  # room for a letter
_ROW, _NAME_LETTER = 26, 7.0  # of a chart
_BOX, _TALL, _GAP, _LAYER = 62, 26, 12, 60
_TICKS = 5


@dataclass(frozen=True)
class _Frame:
    """Where the axes are: the ends of x and y, and the edges of what is drawn between them."""

    xs: Ends
    ys: Ends
    left: float
    right: float
    top: float
    bottom: float
    log: bool = False

    def across(self, x: float) -> float:
        low, high = self.xs
        share = math.log(x / low) / math.log(high / low) if self.log else (x - low) / (high - low)
        return self.left + share * (self.right - self.left)

    def up(self, y: float) -> float:
        low, high = self.ys
        return self.bottom - (min(max(y, low), high) - low) / (high - low) * (
            self.bottom - self.top)  # fmt: skip

    def points(self, points: Sequence[Point]) -> str:
        return " ".join(f"{self.across(x):.1f},{self.up(y):.1f}" for x, y in points)


def plot(picture: Plot, place: str) -> str:
    """Return a plot as SVG; `place` makes its ids."""
    xs, ys = picture.ends()
    beside, below = _labels(picture.y, ys), _labels(picture.x, xs)
    left = 10 + _LETTER * max(len(text) for _, text in beside) + _TALL_LETTER * bool(picture.y.name)
    right, bottom = _WIDE - 16.0, picture.high - 28.0 - _TALL_LETTER * bool(picture.x.name)
    if picture.square:
        right = min(right, left + bottom - 12)
    frame = _Frame(xs, ys, left, right, 12, bottom)
    parts = [_axes(frame, picture.x.name, below), *_beside(frame, beside, picture.y.name)]
    bars = [mark for mark in picture.marks if isinstance(mark, Bars)]
    for mark in picture.marks:
        if isinstance(mark, Bars):
            parts.append(_bars(frame, mark, bars.index(mark), len(bars)))
        else:
            parts.append(_MARKS[type(mark)](frame, mark))
    return _svg(_WIDE, picture.high, "img", (picture.title, picture.description), place, parts)


def _line(frame: _Frame, mark: Line) -> str:
    return (f'<polyline class="curve {mark.style}" stroke-width="{mark.width:.1f}" '
            f'points="{frame.points(mark.points)}"/>')  # fmt: skip


def _band(frame: _Frame, mark: Band) -> str:
    low, high = ([(x, ends[k]) for x, *ends in mark.points] for k in (0, 1))
    return f'<polygon class="band {mark.style}" points="{frame.points([*low, *high[::-1]])}"/>'


def _bars(frame: _Frame, mark: Bars, k: int, of: int) -> str:
    """The bars of one of several rows that stand side by side."""
    places = sorted({x for x, _ in mark.points})
    step = min((b - a for a, b in pairwise(places)), default=1.0)
    width = max(min(0.7 * (frame.across(step) - frame.across(0)) / of, 28), 1)
    bars = []
    for x, y in mark.points:
        start, ends = frame.across(x) + (k - of / 2) * width, sorted((frame.up(0), frame.up(y)))
        bars.append(f'<rect class="bar {mark.style}" x="{start:.1f}" y="{ends[0]:.1f}" '
                    f'width="{max(width - 1, 1):.1f}" height="{ends[1] - ends[0]:.1f}"/>'
                    )  # fmt: skip
    return "".join(bars)


def _dots(frame: _Frame, mark: Dots) -> str:
    return "".join(_dot(frame.across(x), frame.up(y), mark.style, mark.shape, mark.size)
                   for x, y in mark.points)  # fmt: skip


def _dot(x: float, y: float, style: str, shape: str, size: float) -> str:
    if shape == "dot":
        return f'<circle class="spot {style}" cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"/>'
    corners = " ".join(f"{x + size * a:.1f},{y + size * b:.1f}" for a, b in _CORNERS[shape])
    return f'<polygon class="spot {style}" points="{corners}"/>'


_CORNERS: dict[str, Sequence[Point]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    "up": ((0, -1), (1, 1), (-1, 1)),
    "down": ((0, 1), (1, -1), (-1, -1)),
    "cross": ((-1.2, -0.7), (-0.7, -1.2), (0, -0.5), (0.7, -1.2), (1.2, -0.7), (0.5, 0),
              (1.2, 0.7), (0.7, 1.2), (0, 0.5), (-0.7, 1.2), (-1.2, 0.7), (-0.5, 0)),
}  # fmt: skip


def _rule(frame: _Frame, mark: GuideLine) -> str:
    if not mark.upright:
        y = frame.up(mark.at)
        return _path(mark.style, f"M{frame.left:.1f} {y:.1f}H{frame.right:.1f}")
    if not frame.xs[0] <= mark.at <= frame.xs[1]:
        return ""
    x = frame.across(mark.at)
    return _path(mark.style, f"M{x:.1f} {frame.top:.1f}V{frame.bottom:.1f}")


def _path(style: str, drawn: str) -> str:
    return f'<path class="curve {style}" stroke-width="1.4" d="{drawn}"/>'


_MARKS: dict[type, Callable[..., str]] = {Line: _line, Band: _band, Dots: _dots, GuideLine: _rule}


# ---------------------------------------------------------------- axes


def _labels(axis: Axis, ends: Ends) -> list[tuple[float, str]]:
    if axis.labels is not None:
        return list(axis.labels)
    return [(value, _number(value)) for value in ticks(*ends)]


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "\u2212")


def ticks(low: float, high: float) -> list[float]:
    """Return some round numbers between the ends: 1, 2 or 5 times a power of ten apart."""
    power = 10.0 ** math.floor(math.log10((high - low) / _TICKS))
    step = next(k * power for k in (1, 2, 5, 10) if k * power * _TICKS >= (high - low) * 0.99)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    """Return the numbers 1, 2 and 5 times a power of ten between the ends."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [k * 10.0**power for power in powers for k in (1, 2, 5)]
    return [value for value in found if low <= value <= high]


def _axes(frame: _Frame, name: str, labels: Sequence[tuple[float, str]]) -> str:
    """Both axes, and what stands below: of labels those that do not touch the one before."""
    parts = [f'<path class="axis" d="M{frame.left:.1f} {frame.top:.1f}V{frame.bottom:.1f}'
             f'H{frame.right:.1f}"/>']  # fmt: skip
    end = -math.inf
    for x, text in sorted(labels):
        middle, half = frame.across(x), _LETTER * len(text) / 2
        if middle - half >= end + _LETTER / 2:
            parts.append(_text(middle, frame.bottom + 18, text))
            end = middle + half
    parts.append(_text((frame.left + frame.right) / 2, frame.bottom + 36, name))
    return "".join(parts)


def _beside(frame: _Frame, labels: Sequence[tuple[float, str]], name: str) -> Iterator[str]:
    for y, text in labels:
        yield _text(frame.left - 6, frame.up(y) + 4, text, "end")
    if name:
        x, y = 12.0, (frame.top + frame.bottom) / 2
        yield (f'<text transform="translate({x:.1f} {y:.1f}) rotate(-90)" '
               f'text-anchor="middle">{escape(name)}</text>')  # fmt: skip


def _text(x: float, y: float, text: str, anchor: str = "middle", kind: str = "") -> str:
    kind = f' class="{kind}"' if kind else ""
    return (f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
            if text else "")  # fmt: skip


def legend(rows: Sequence[tuple[str, str, str]]) -> str:
    """Return the keys of a picture: (class of the style sheet, mark, words)."""
    keys = (f'<li><span class="key {kind}" aria-hidden="true">{mark}</span>{escape(words)}</li>'
            for kind, mark, words in rows)  # fmt: skip
    return f'<ul class="keys">{"".join(keys)}</ul>'


def _svg(
    width: float, height: float, role: str, words: tuple[str, str], place: str, parts: Sequence[str]
) -> str:
    title, description = words
    more = f'<desc id="{place}-desc">{escape(description)}</desc>' if description else ""
    ids = f"{place}-title {place}-desc" if description else f"{place}-title"
    return (f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="{role}" aria-labelledby="{ids}">'
            f'<title id="{place}-title">{escape(title)}</title>{more}{"".join(parts)}</svg>'
            )  # fmt: skip


# ---------------------------------------------------------------- charts and graphs


def chart(picture: BarChart, place: str) -> str:
    """Return named values as marks at the ends of lines; infinite ones are left out."""
    bars = [bar for bar in picture.bars if math.isfinite(bar.value)]
    values = [bar.value for bar in bars]
    high, low = max(values) or 1.0, 0.7 * min(values) if picture.log else min([0.0, *values])
    left = 14 + _NAME_LETTER * max(len(bar.name) for bar in bars)
    bottom = 12.0 + _ROW * len(bars)
    ends = (low, (1.4 if picture.log else 1.08) * high)
    frame = _Frame(ends, (0, 1), left, _WIDE - 16, 12, bottom, picture.log)
    values = _log_ticks(*ends) if picture.log else ticks(*ends)
    parts = [_axes(frame, picture.axis, [(value, _number(value)) for value in values])]
    if picture.bound is not None:
        parts.append(_rule(frame, GuideLine(picture.bound, "ink dashes")))
    for k, bar in enumerate(bars):
        shape, style = KINDS[bar.kind]
        x, y = frame.across(bar.value), bottom - _ROW * (k + 0.5)
        start = frame.left if picture.log else frame.across(0)
        parts += [_path("soft", f"M{start:.1f} {y:.1f}H{x:.1f}"),
                  _dot(x, y, style, shape, 5), _text(left - 8, y + 4, bar.name, "end", "name")]
    tall = bottom + 28 + _TALL_LETTER
    return _svg(_WIDE, tall, "img", (picture.title, picture.description), place, parts)


DRAWN: dict[type, Callable[[Any, str], str]] = {Plot: plot, BarChart: chart}
"""What draws a picture whose ids begin with a text."""
KINDS = {
    "": ("dot", "s0"), "certified": ("dot", "good"), "refuted": ("cross", "bad"),
    "undecided": ("diamond", "soft"), "observed on a grid": ("diamond", "soft"),
}  # fmt: skip
"""The verdict on a value -> its shape and its style."""


def graph(picture: Graph, place: str, address: Callable[[str], str]) -> str:
    """Return a graph as SVG whose boxes are links; `address` gives the address of a page."""
    spots = layered(len(picture.nodes), picture.arrows)
    where = [(column * (_BOX + _GAP) + 8.0, row * _LAYER + 8.0) for column, row in spots]
    width = max((x for x, _ in where), default=0) + _BOX + 8
    height = max((y for _, y in where), default=0) + _TALL + 8
    parts = []
    for start, end in picture.arrows:
        (x, y), (u, v) = where[start], where[end]
        a, b, c, d = x + _BOX / 2, y + _TALL, u + _BOX / 2, v
        bend = (d - b) / 2
        parts.append(f'<path class="arrow" d="M{a:.0f} {b:.0f}C{a:.0f} {b + bend:.0f} {c:.0f} '
                     f'{d - bend:.0f} {c:.0f} {d - 4:.0f}" marker-end="url(#{place}-tip)"/>'
                     )  # fmt: skip
    kinds = [name for name, _ in picture.kinds]
    for node, (x, y) in zip(picture.nodes, where, strict=True):
        k = kinds.index(node.kind)
        label = f"{escape(node.text)}: {escape(node.title)}"
        parts.append(f'<a href="{escape(address(node.page))}" aria-label="{label}" '
                     f'class="node k{k}"><title>{label}</title>'
                     f'<rect x="{x:.0f}" y="{y:.0f}" width="{_BOX}" height="{_TALL}" rx="5"/>'
                     f'<text x="{x + _BOX / 2:.0f}" y="{y + 17:.0f}" text-anchor="middle">'
                     f"{_SIGNS[k]} {escape(node.text)}</text></a>")  # fmt: skip
    tip = (f'<defs><marker id="{place}-tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" '
           'markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8Z"/></marker></defs>')
    drawn = _svg(width, height, "group", (picture.caption, ""), place, [tip, *parts])
    keys = legend([
        (f"k{k}", _SIGNS[k], f"{name}: {words}") for k, (name, words) in enumerate(picture.kinds)
    ])
    return (f'{keys}<div class="wide" tabindex="0" role="group" '
            f'aria-label="{escape(picture.caption)}">{drawn}</div>')  # fmt: skip


_SIGNS = "✓✗↻⇄?!"  # beside the colours, by kind
