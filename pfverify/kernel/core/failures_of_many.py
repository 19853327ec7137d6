"""What a refuting step about several numbers, or several releases, shows, in words."""

from __future__ import annotations

from typing import Any

from core import failures
from core.grammar import shown
from core.rules import Step

MARGINS = {
    "grid-refuted": "log p(y)/q(y) - epsilon",
    "grid-event-refuted": "P(B) - e^epsilon Q(B) - delta",
    "product-refuted": "log p(y)/q(y) - epsilon",
    **dict.fromkeys(("one-refuted", "part-refuted"), ""),  # that of the step inside it
}
SHOWN = 8  # parts in a message


def failure_of_many(step: Step) -> str:
    """As `failures.failure`."""
    rule = step["rule"]
    if rule == "one-refuted":
        told = f"one release alone (of the different scales number {step['release'] + 1})"
        return f"{failures.failure(step['step'])}; {told}"
    if rule == "part-refuted":
        return f"{failures.failure(step['step'])}; {_named(step['part'], 'one')} alone"
    if rule == "grid-event-refuted":
        sizes = " x ".join(str(len(cuts)) for cuts in step["cuts"])
        at = f"on B={{cells with P > e^epsilon Q of the grid of all points and {sizes} cuts}}"
    elif rule == "product-refuted" and "part" in step["parts"][0]:
        parts = step["parts"]
        places = [f"{failures.place(x['step'])} of {_named(x['part'], 'each')}" for x in parts]
        more = f" and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
        at = ", ".join(places[:SHOWN]) + more
    elif rule == "product-refuted":
        found = ", ".join(part["step"]["y"] for part in step["parts"])
        at = f"at y=({shown(found, 100)[1:-1]}), a coordinate for each different scale"
    else:
        at = f"at y=({shown(', '.join(step['y']), 100)[1:-1]})"
    margin = (failures.MARGINS | MARGINS)[rule]
    return f"fails {at}: {margin} >= {shown(step['margin'])[1:-1]}"


def _named(part: Any, how_many: str) -> str:
    """Some coordinates, or releases of one scale, in a message."""
    if type(part) is list:
        return shown(", ".join(part), 60)[1:-1]
    if type(part) is dict:
        return f"the others adding {part['rest']}, {how_many} release"
    return f"{how_many} release" + (f" of the scale of number {part + 1}" if part else "")
