"""Pictures to a file, by matplotlib: SVG, PNG or PDF."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pfverify.edge.plots.facts import NOTE, Ladder, LogRatio, Picture
from pfverify.edge.plots.names import check_file
from pfverify.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = {"certified": "#2b6cb0", "refuted": "#c05621", "undecided": "#718096"}
_OUTPUTS = 40  # that are drawn


def save(picture: Picture, name: str) -> None:
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
        if isinstance(picture, Ladder):
            _ladder(axes, picture)
        elif picture.outputs is None:
            _curve(axes, picture)
        else:
            _bars(axes, picture, picture.outputs)
        axes.set_title(picture.title, parse_math=False, fontsize=10, wrap=True)
        figure.supxlabel(NOTE, fontsize=8)
        out = io.BytesIO()
        stamp = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[suffix]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph")  # a letter that the font lacks is a box
            figure.savefig(out, format=suffix, dpi=150, metadata=stamp)
    write_bytes(Path(name), out.getvalue())


def _curve(axes: Axes, picture: LogRatio) -> None:
    top = _top(picture)
    axes.plot(picture.xs, [_inside(y, top) for y in picture.ys], label="log p(y)/q(y)")
    _epsilons(axes, picture)
    axes.axhline(0, color="grey", linewidth=0.5)
    axes.set_xlabel("y")
    axes.legend(fontsize=8)


def _bars(axes: Axes, picture: LogRatio, outputs: Sequence[str]) -> None:
    top = _top(picture)
    rows = sorted(zip(picture.ys, outputs, strict=True), key=lambda row: -abs(row[0]))[:_OUTPUTS]
    places = range(len(rows))
    axes.bar(places, [_inside(y, top) for y, _ in rows], label="log p(y)/q(y)")
    axes.set_xticks(places, [name for _, name in rows], rotation=60, fontsize=7,
                    parse_math=False)  # fmt: skip
    _epsilons(axes, picture)
    if len(picture.ys) > _OUTPUTS:
        axes.set_xlabel(f"and {len(picture.ys) - _OUTPUTS} more outputs, all closer to 0")
    axes.legend(fontsize=8)


def _epsilons(axes: Axes, picture: LogRatio) -> None:
    for sign in (1, -1):
        axes.axhline(sign * picture.epsilon, linestyle="--", color="black", linewidth=1,
                     label="epsilon, -epsilon" if sign > 0 else None)  # fmt: skip


def _top(picture: LogRatio) -> float:
    """Where what is infinite is drawn: above everything else."""
    finite = [abs(y) for y in picture.ys if math.isfinite(y)]
    return 1.25 * max([picture.epsilon, *finite]) or 1.0


def _inside(y: float, top: float) -> float:
    return math.copysign(top, y) if math.isinf(y) else y


def _ladder(axes: Axes, picture: Ladder) -> None:
    rungs = [rung for rung in picture.rungs if math.isfinite(rung.scale)]
    axes.barh([rung.name for rung in rungs], [rung.scale for rung in rungs],
              color=[_COLOURS[rung.verdict.value] for rung in rungs])  # fmt: skip
    for place, rung in enumerate(rungs):
        axes.text(rung.scale, place, f" {rung.scale:.4g} {rung.verdict.value}", va="center",
                  fontsize=7)  # fmt: skip
    axes.margins(x=0.25)
    never = [rung.name for rung in picture.rungs if math.isinf(rung.scale)]
    axes.set_xlabel(f"{picture.size} (none works: {', '.join(never)})" if never else picture.size)
    axes.tick_params(axis="y", labelsize=7)
