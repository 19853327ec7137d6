"""Pictures of pages: plots, and graphs in layers, as SVG that takes its colours from the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise

from pfverify.edge.pictures import Bars, Graph, Plot
from pfverify.edge.render.layers import layered

_WIDE, _HIGH, _LEFT, _BELOW, _TOP = 640, 280, 56, 40, 16
_BOX, _TALL, _GAP, _LAYER = 62, 26, 12, 60
_TICKS = 5


def plot(picture: Plot, place: str) -> str:
    """Return a plot as SVG; `place` makes its ids."""
    xs = [x for one in picture.series for x, _ in one.points]
    ys = [y for one in picture.series for _, y in one.points]
    left, right = min(xs), max(xs)
    if any(isinstance(one, Bars) for one in picture.series) or left == right:
        left, right = left - 0.5, right + 0.5
    high = max([*ys, 0.0]) * 1.05 or 1.0
    low = min([*ys, 0.0])

    def across(x: float) -> float:
        return _LEFT + (x - left) / (right - left) * (_WIDE - _LEFT - 16)

    def up(y: float) -> float:
        return _HIGH - _BELOW - (y - low) / (high - low) * (_HIGH - _BELOW - _TOP)

    parts = [_axes(across, up, (left, right), (low, high), picture.axis)]
    if picture.mark is not None and left <= picture.mark <= right:
        x = across(picture.mark)
        parts.append(f'<path class="mark" d="M{x:.1f} {_TOP}V{_HIGH - _BELOW}"/>')
    for k, one in enumerate(picture.series):
        if isinstance(one, Bars):
            parts.append(_bars(one.points, across, up, k, len(picture.series)))
        else:
            points = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in one.points)
            parts.append(f'<polyline class="curve s{k % 4}" points="{points}"/>')
    drawn = _svg(_WIDE, _HIGH, "img", picture.caption, place, "".join(parts))
    return drawn + legend([(f"s{k % 4}", "", s.name) for k, s in enumerate(picture.series)])


def legend(rows: Sequence[tuple[str, str, str]]) -> str:
    """Return the keys of a picture: (class of the style sheet, mark, words)."""
    keys = (f'<li><span class="key {kind}" aria-hidden="true">{mark}</span>{escape(words)}</li>'
            for kind, mark, words in rows)  # fmt: skip
    return f'<ul class="keys">{"".join(keys)}</ul>'


Scale = Callable[[float], float]


def _bars(
    points: Sequence[tuple[float, float]], across: Scale, up: Scale, k: int, of: int
) -> str:
    places = sorted({x for x, _ in points})
    step = min((b - a for a, b in pairwise(places)), default=1.0)
    width = min(0.7 * (across(step) - across(0)) / of, 28)
    bars = []
    for x, y in points:
        start = across(x) + (k - of / 2) * width
        bars.append(f'<rect class="bar s{k % 4}" x="{start:.1f}" y="{up(y):.1f}" '
                    f'width="{max(width - 1, 1):.1f}" height="{up(0) - up(y):.1f}"/>')  # fmt: skip
    return "".join(bars)


def _axes(
    across: Scale, up: Scale, xs: tuple[float, float], ys: tuple[float, float], name: str
) -> str:
    parts = [f'<path class="axis" d="M{_LEFT} {_TOP}V{_HIGH - _BELOW}H{_WIDE - 8}"/>']
    for x in ticks(*xs):
        parts.append(f'<text x="{across(x):.1f}" y="{_HIGH - _BELOW + 16}" '
                     f'text-anchor="middle">{x:.4g}</text>')  # fmt: skip
    for y in ticks(*ys):
        parts.append(f'<text x="{_LEFT - 6}" y="{up(y) + 4:.1f}" text-anchor="end">{y:.4g}</text>')
    middle = (_LEFT + _WIDE) / 2
    parts.append(f'<text x="{middle}" y="{_HIGH - 6}" text-anchor="middle">{escape(name)}</text>')
    return "".join(parts)


def ticks(low: float, high: float) -> list[float]:
    """Return some round numbers between the ends: 1, 2 or 5 times a power of ten apart."""
    power = 10.0 ** math.floor(math.log10((high - low) / _TICKS))
    step = next(k * power for k in (1, 2, 5, 10) if k * power * _TICKS >= (high - low) * 0.99)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _svg(width: float, height: float, role: str, caption: str, place: str, inside: str) -> str:
    return (f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="{role}" aria-labelledby="{place}-title">'
            f'<title id="{place}-title">{escape(caption)}</title>{inside}</svg>')  # fmt: skip


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
                     f"{_MARKS[k]} {escape(node.text)}</text></a>")  # fmt: skip
    tip = (f'<defs><marker id="{place}-tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" '
           'markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8Z"/></marker></defs>')
    drawn = _svg(width, height, "group", picture.caption, place, "".join([tip, *parts]))
    keys = legend([
        (f"k{k}", _MARKS[k], f"{name}: {words}") for k, (name, words) in enumerate(picture.kinds)
    ])
    return (f'{keys}<div class="wide" tabindex="0" role="group" '
            f'aria-label="{escape(picture.caption)}">{drawn}</div>')  # fmt: skip


_MARKS = "✓✗↻⇄?!"  # beside the colours, by kind
