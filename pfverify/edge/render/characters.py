"""Pictures in plain characters, 76 columns wide: for every terminal, encoding and printer."""

from __future__ import annotations

import math
from collections.abc import Callable

from pfverify.edge.document import counted
from pfverify.edge.pictures import BarChart, GuideLine, Plot, points_of

WIDE, _HIGH = 76, 13
_LABEL = 9  # columns of a number on the left
_LEVELS = ".-'"  # heights in a row, from below
_NAME = 24  # columns of an output's name
_BARS = 20  # of a signed chart that are drawn
_RULES = {"ink dashes": "=", "soft": ":", "bad dots": "!"}
_MARKS = {"certified": "#", "refuted": "x", "undecided": "?", "observed on a grid": "?"}


def lines(picture: Plot | BarChart) -> list[str]:
    """Return a picture as lines of ASCII, none longer than 76.

    Example: ``lines(BarChart("t", "note", "scale", [], signed=True))[-1]`` is ``'(note)'``.
    """
    return [*_DRAWN[type(picture)](picture), f"({picture.caption})"]


def _number(value: float) -> str:
    return f"{value:.4g}"


# ---------------------------------------------------------------- plots


def _plot(picture: Plot) -> list[str]:
    """Points over an axis, with lines at what they are seen against."""
    wide = WIDE - _LABEL - 2
    (left, right), (low, high) = picture.ends()
    levels = _HIGH * len(_LEVELS)

    def up(value: float) -> int:
        inside = min(max(value, low), high)
        return min(levels - 1, int((inside - low) / (high - low) * levels))

    def row(value: float) -> int:
        return _HIGH - 1 - up(value) // len(_LEVELS)

    grid = [[" "] * wide for _ in range(_HIGH)]
    rules = [mark for mark in picture.marks if isinstance(mark, GuideLine) and not mark.upright]
    for rule in rules:
        grid[row(rule.at)] = [_RULES[rule.style]] * wide
    for x, y in (point for mark in picture.marks for point in points_of(mark)):
        column = round((x - left) / (right - left) * (wide - 1))
        shown = _LEVELS[up(y) % len(_LEVELS)]
        grid[row(y)][column] = ("^" if y > 0 else "v") if math.isinf(y) else shown
    shown_at = (low, high, *(rule.at for rule in reversed(rules)))
    labels = {row(value): _number(value) for value in shown_at}
    rows = [f"{labels.get(k, ''):>{_LABEL}} |{''.join(line)}" for k, line in enumerate(grid)]
    ends = f"{_number(left)}{_number(right):>{wide - len(_number(left))}}"
    drawn = {rule.style for rule in rules}
    keys = [f"{_RULES[style]} {words}" for style, words in picture.keys if style in drawn]
    return [
        *(line.rstrip() for line in rows),
        f"{'':{_LABEL}} +{'-' * wide}",
        f"{picture.x.name:>{_LABEL}}  {ends}",
        ", ".join(keys),
    ]


# ---------------------------------------------------------------- charts


def _chart(picture: BarChart) -> list[str]:
    return _signed(picture) if picture.signed else _unsigned(picture)


def _signed(picture: BarChart) -> list[str]:
    """One bar for each value, with | at the bound and below 0 at its negative."""
    half = (WIDE - _NAME - _LABEL - 3) // 2
    bound = picture.bound or 0.0
    finite = [abs(bar.value) for bar in picture.bars if math.isfinite(bar.value)]
    top = max([bound, *finite]) or 1.0
    at = min(half - 1, round(bound / top * (half - 1)))
    told = []
    for bar in picture.bars[:_BARS]:
        size = half if math.isinf(bar.value) else round(abs(bar.value) / top * (half - 1))
        left, right = [" "] * half, [" "] * half
        side = left if bar.value < 0 else right
        side[:size] = ["#"] * size
        left[at] = right[at] = "|"
        cells = f"{''.join(reversed(left))}:{''.join(right)}"
        told.append(f"{_cut(bar.name):{_NAME}} {cells} {_number(bar.value):>{_LABEL}}")
    if len(picture.bars) > _BARS:
        told.append(f"... and {counted(len(picture.bars) - _BARS, 'more output')}, closer to 0")
    return [*told, f"| {', '.join(words for _, words in picture.keys)}, : 0"]


def _cut(name: str) -> str:
    shown = name.encode("ascii", "backslashreplace").decode("ascii")
    return shown if len(shown) <= _NAME else f"{shown[: _NAME - 3]}..."


def _unsigned(picture: BarChart) -> list[str]:
    """One bar for each value, with the verdict on it."""
    names = max(len(bar.name) for bar in picture.bars)
    wide = WIDE - names - 2 * (_LABEL + 2)
    top = max([0.0, *(bar.value for bar in picture.bars if math.isfinite(bar.value))]) or 1.0
    told = []
    for bar in picture.bars:
        if math.isinf(bar.value):
            told.append(f"{bar.name:{names}} |{' ' * wide} {picture.never}")
            continue
        drawn = _MARKS[bar.kind] * max(round(bar.value / top * wide), bar.value > 0)
        told.append(f"{bar.name:{names}} |{drawn:{wide}} {_number(bar.value):>{_LABEL}} {bar.kind}")
    return told


_DRAWN: dict[type, Callable[..., list[str]]] = {Plot: _plot, BarChart: _chart}
