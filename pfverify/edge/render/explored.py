"""The page of an explored problem: sliders, the texts and pictures they choose among, and tables.

The script (`explore.js`) chooses among what stands here and works out nothing. Names come to it as
JSON in which no character can end an element.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from pfverify.edge.explore.page import ExploreWords
from pfverify.edge.explore.pictures import State
from pfverify.edge.render.html import Writer, alone, read_text
from pfverify.edge.sentences import sentence
from pfverify.version import __version__

_STYLE, _SCRIPT, _CHOICE = "explore.css", "explore.js", "explore.html"
_MARKS = 30  # values of a slider up to which each has a mark below it


def html_of_explored(said: ExploreWords, states: Sequence[State]) -> str:
    """Return the page as one file. The same words and pictures give the same file."""
    write, data = Writer(""), said.data()
    main = [
        f"<h1>{escape(said.title())}</h1>",
        write.marked("lead", said.lead()), write.marked("banner", said.banner()),
        _moved(said, data, states, write), *map(write.section, said.parts()),
        f'<script type="application/json" id="explored">{json_text(data)}</script>',
    ]  # fmt: skip
    styles = [read_text(_STYLE), _chosen_epsilon(len(data["epsilons"]))]
    foot = sentence("explore.foot", version=__version__)
    return alone(said.title(), main, foot, styles, read_text(_SCRIPT))


def json_text(data: object) -> str:
    """Return JSON for an element of a page: ASCII, without characters that mean something there.

    Example: ``"<" in json_text("</script>")`` is False.
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _moved(
    said: ExploreWords, data: dict[str, Any], states: Sequence[State], write: Writer
) -> str:
    """What is moved, which without a script is nothing, and what it chooses among.

    All but the first pictures are hidden.
    """
    value = data["values"][said.found.start]
    scale, epsilon = divmod(said.found.start, len(data["epsilons"]))
    options = (f'<option value="{k}">{escape(name)}</option>'
               for k, name in enumerate(data["pairs"]))  # fmt: skip
    return read_text(_CHOICE).strip().format(
        sliders="".join(_slider(*slider) for slider in said.sliders()), options="".join(options),
        value=value, at=escape(value["at"]), whole=escape(value["said"]),
        one=escape(value["pairs"][0]["said"]), epsilon=epsilon,
        states="\n".join(_state(state, scale, write) for state in states),
    )  # fmt: skip


def _slider(name: str, label: str, values: Sequence[str], start: int) -> str:
    """A slider: its even places are values, its odd ones lie between two of them."""
    last = 2 * (len(values) - 1)
    marks = '<span class="mark"></span>' * (len(values) if last < 2 * _MARKS else 0)
    return (
        f'<div class="control"><label for="{name}">{escape(label)}</label> '
        f'<output id="{name}-at" for="{name}" aria-live="off">{escape(values[start])}</output>'
        f'<input type="range" id="{name}" min="0" max="{last}" step="1" '
        f'value="{2 * start}" autocomplete="off"{" disabled" * (not last)}>'
        f'<div class="marks" data-of="{name}" aria-hidden="true">{marks}</div></div>'
    )


def _state(state: State, scale: int, write: Writer) -> str:
    hidden = "" if (state.scale, state.pair) == (scale, 0) else " hidden"
    inside = write.blocks(state.plots) if state.plots else f"<p>Not drawn: {escape(state.why)}</p>"
    return (f'<div class="state" data-scale="{state.scale}" data-pair="{state.pair}"{hidden}>'
            f"{inside}</div>")  # fmt: skip


def _chosen_epsilon(count: int) -> str:
    """Rules that show what belongs to the epsilon that is chosen, or to both on either side."""
    shown: Sequence[str] = [
        f'#pictures[data-low="{k}"] .e{k}, #pictures[data-high="{k}"] .e{k}' for k in range(count)
    ]
    return f"{', '.join(shown)} {{ display: inline; }}\n"
