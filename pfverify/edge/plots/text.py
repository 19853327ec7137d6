"""Pictures in plain characters, 76 columns wide: for every terminal, encoding and printer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pfverify.edge.document import Section, say, title
from pfverify.edge.plots.facts import NOTE, Ladder, LogRatio, Picture
from pfverify.edge.views.view import View

WIDE, _HIGH = 76, 13
_LABEL = 9  # columns of a number on the left
_LEVELS = ".-'"  # heights in a row, from below
_NAME = 24  # columns of an output's name
_OUTPUTS = 20  # that are drawn
_MARKS = {"certified": "#", "refuted": "x", "undecided": "?", "observed on a grid": "?"}


def lines(picture: Picture) -> list[str]:
    """Return a picture as lines of ASCII, none longer than 76.

    Example: ``lines(LogRatio("t", 1.0, [0.0], [0.5], None))[-1]`` is
    ``'(drawn from floats; the verdict is exact)'``.
    """
    if isinstance(picture, Ladder):
        drawn = _ladder(picture)
    elif picture.outputs is None:
        drawn = _curve(picture)
    else:
        drawn = _bars(picture, picture.outputs)
    return [*drawn, f"({NOTE})"]


class PictureView(View[Picture]):
    """A picture in plain characters."""

    def sections(self) -> list[Section]:
        """Return the title and the lines, after a blank one."""
        return [
            Section(
                headline=say(title(self.result.title), folds=True),
                said=[say(line) for line in lines(self.result)],
                apart=True,
            )
        ]


def _number(value: float) -> str:
    return f"{value:.4g}"


# ---------------------------------------------------------------- the log ratio


def _curve(picture: LogRatio) -> list[str]:
    """A curve between lines at epsilon and -epsilon; what is infinite is at the edge."""
    wide = WIDE - _LABEL - 2
    up, shown = _rows(picture)
    left, right = min(picture.xs), max(picture.xs)
    grid = [[" "] * wide for _ in range(_HIGH)]
    for bound, mark in ((picture.epsilon, "="), (-picture.epsilon, "="), (0.0, ":")):
        grid[_HIGH - 1 - up(bound) // len(_LEVELS)] = [mark] * wide
    for x, y in zip(picture.xs, picture.ys, strict=True):
        column = round((x - left) / (right - left) * (wide - 1)) if right > left else 0
        level = up(y)
        grid[_HIGH - 1 - level // len(_LEVELS)][column] = (
            ("^" if y > 0 else "v") if math.isinf(y) else _LEVELS[level % len(_LEVELS)]
        )
    labels = {_HIGH - 1 - up(value) // len(_LEVELS): text for value, text in shown}
    rows = [f"{labels.get(k, ''):>{_LABEL}} |{''.join(row)}" for k, row in enumerate(grid)]
    ends = f"{_number(left)}{_number(right):>{wide - len(_number(left))}}"
    return [
        *(row.rstrip() for row in rows),
        f"{'':{_LABEL}} +{'-' * wide}",
        f"{'y':>{_LABEL}}  {ends}",
        f"= epsilon = {_number(picture.epsilon)} and -epsilon, : 0",
    ]


def _rows(picture: LogRatio) -> tuple[Callable[[float], int], list[tuple[float, str]]]:
    """From a value to its level, and the values that have a label."""
    finite = [y for y in picture.ys if math.isfinite(y)]
    high = max([picture.epsilon, 0.0, *finite]) or 1.0
    low = min([-picture.epsilon, 0.0, *finite]) or -1.0
    levels = _HIGH * len(_LEVELS)

    def up(value: float) -> int:
        inside = min(max(value, low), high)
        return min(levels - 1, int((inside - low) / (high - low) * levels))

    shown = [(low, _number(low)), (high, _number(high)), (0.0, "0")]
    shown += [(sign * picture.epsilon, _number(sign * picture.epsilon)) for sign in (1, -1)]
    return up, shown


def _bars(picture: LogRatio, outputs: Sequence[str]) -> list[str]:
    """One bar for each output, the largest first, with | at epsilon and -epsilon."""
    rows = sorted(zip(picture.ys, outputs, strict=True), key=lambda row: -abs(row[0]))
    half = (WIDE - _NAME - _LABEL - 3) // 2
    finite = [abs(y) for y, _ in rows if math.isfinite(y)]
    top = max([picture.epsilon, *finite]) or 1.0
    at = min(half - 1, round(picture.epsilon / top * (half - 1)))
    told = []
    for y, name in rows[:_OUTPUTS]:
        size = half if math.isinf(y) else round(abs(y) / top * (half - 1))
        left, right = [" "] * half, [" "] * half
        side = left if y < 0 else right
        side[:size] = ["#"] * size
        left[at] = right[at] = "|"
        cells = f"{''.join(reversed(left))}:{''.join(right)}"
        told.append(f"{_cut(name):{_NAME}} {cells} {_number(y):>{_LABEL}}")
    if len(rows) > _OUTPUTS:
        told.append(f"... and {len(rows) - _OUTPUTS} more outputs, all closer to 0")
    return [*told, f"| epsilon = {_number(picture.epsilon)} and -epsilon, : 0"]


def _cut(name: str) -> str:
    shown = name.encode("ascii", "backslashreplace").decode("ascii")
    return shown if len(shown) <= _NAME else f"{shown[: _NAME - 3]}..."


# ---------------------------------------------------------------- the ladder


def _ladder(picture: Ladder) -> list[str]:
    """One bar for each method, the smallest scale first."""
    names = max(len(rung.name) for rung in picture.rungs)
    wide = WIDE - names - 2 * (_LABEL + 2)
    top = max([0.0, *(rung.scale for rung in picture.rungs if math.isfinite(rung.scale))]) or 1.0
    told = []
    for rung in picture.rungs:
        if math.isinf(rung.scale):
            told.append(f"{rung.name:{names}} |{' ' * wide} no {picture.size} works")
            continue
        bar = _MARKS[rung.verdict.value] * max(round(rung.scale / top * wide), rung.scale > 0)
        told.append(f"{rung.name:{names}} |{bar:{wide}} {_number(rung.scale):>{_LABEL}} "
                    f"{rung.verdict.value}")  # fmt: skip
    return told
