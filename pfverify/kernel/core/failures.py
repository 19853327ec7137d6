"""What a refuting step shows, in words."""

from __future__ import annotations

from typing import Any

from core.grammar import shown
from core.rules import Step

SHOWN = 8  # parts in a message
RATIO, MASSES = "log P(y)/Q(y) - epsilon", "P(B) - e^epsilon Q(B) - delta"
DENSITIES = RATIO.lower()
MARGINS = {  # P, p: the law under the first secret; Q, q: under the second
    **dict.fromkeys(
        ("pure-refuted", "spread-refuted", "grid-refuted", "product-refuted"), DENSITIES
    ),
    "output-refuted": RATIO,
    "pointwise-refuted": "p(y) - e^epsilon q(y) - delta",
    "mass-refuted": "P(y) - e^epsilon Q(y) - delta",
    **dict.fromkeys(
        ("event-refuted", "outputs-refuted", "tupling-refuted", "grid-event-refuted",
         "composed-refuted"), MASSES
    ),
    "renyi-refuted": "D - epsilon",  # of no place, as the next one
    "zcdp-refuted": "D/order - epsilon",
    **dict.fromkeys(("one-refuted", "part-refuted"), ""),  # that of the step inside it
}


def failure(step: Step, *, behind: bool, collapsed: bool) -> str:
    """Where a refuting step shows that its goal fails, and of what its margin is a lower bound.
    Behind steps an event is one of the noisy numbers before them.  Where one release stands for
    several (F40, `collapsed`) its ratios are theirs, but its events may show more than theirs."""
    if "release" in step:
        number = f"(of the different scales number {step['release'] + 1})"
        inner = failure(step["step"], behind=behind, collapsed=collapsed)
        return f"{inner}; one release alone {number}"
    if "part" in step:
        alone = _named(step["part"], "one")
        return f"{failure(step['step'], behind=behind, collapsed=collapsed)}; {alone} alone"
    shows = f"{MARGINS[step['rule']]} >= {_cut(step['margin'])}"
    if collapsed and MARGINS[step["rule"]] not in (RATIO, DENSITIES):
        shows += ", with one release where it stands for several"
    divergence = step["rule"] in ("renyi-refuted", "zcdp-refuted")
    where = "" if divergence else f" {place(step, behind=behind)}"
    if "order" in step:
        large = step["order"] == "inf"
        where = " for large orders" if large else f" for the order {_cut(step['order'])}"
    return f"fails{where}: {shows}"


def place(step: Step, *, behind: bool) -> str:
    """The output, or the event, of a refuting step."""
    if "event" in step:
        spans = [
            f"{'(' if a == '-inf' else '['}{a}, {b}{')' if b == 'inf' else ']'}"
            for a, b in step["event"]
        ]
        event = _cut(" or ".join(spans), 200)
        return f"on B={{X+N in {event}}}, before the steps" if behind else f"on B={event}"
    if "outputs" in step:
        return f"on B={{{_first([shown(y, 30) for y in step['outputs']], 5)}}}"
    if "growth" in step:
        return f"on B={{tuples with P > {_cut(step['growth'])} Q}}".replace("inf Q", "0 = Q")
    if "cuts" in step:
        sizes = " x ".join(str(len(cuts)) for cuts in step["cuts"])
        return f"on B={{cells with P > e^epsilon Q of the grid of all points and {sizes} cuts}}"
    if "grid" in step:
        return f"on B={{outputs whose labels, {_cut(step['grid'])} apart, sum to P > e^epsilon Q}}"
    if "parts" in step:
        parts = step["parts"]
        if "part" in parts[0]:
            places = [place(part["step"], behind=behind) for part in parts]
            of = [
                f"{at} of {_named(part['part'], 'each')}"
                for at, part in zip(places, parts, strict=True)
            ]
            return _first(of, SHOWN)
        found = _cut(", ".join(part["step"]["y"] for part in parts), 100)
        return f"at y=({found}), a coordinate for each different scale"
    if "output" in step:
        return f"at y={shown(step['output'])}"  # a name, in quotes: it may look like other words
    y = step["y"]
    return f"at y=({_cut(', '.join(y), 100)})" if type(y) is list else f"at y={_cut(y)}"


def _cut(text: str, limit: int = 60) -> str:
    return shown(text, limit)[1:-1]


def _first(texts: list[str], limit: int) -> str:
    more = f" and {len(texts) - limit} more" if len(texts) > limit else ""
    return ", ".join(texts[:limit]) + more


def _named(part: Any, how_many: str) -> str:
    """Some coordinates, or releases of one scale, in a message."""
    if type(part) is list:
        return _cut(", ".join(part))
    if type(part) is dict and "direction" in part:
        return f"the sum of all numbers with the weights {_cut(', '.join(part['direction']), 100)}"
    if type(part) is dict:
        return f"the others adding {part['rest']}, {how_many} release"
    return f"{how_many} release" + (f" of the scale of number {part + 1}" if part else "")
