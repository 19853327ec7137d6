"""What a refuting step about several numbers, or several releases, shows, in words."""

from __future__ import annotations

import failures
from grammar import shown
from rules import Step

MARGINS = {
    "grid-refuted": "log p(y)/q(y) - epsilon",
    "grid-event-refuted": "P(B) - e^epsilon Q(B) - delta",
    "product-refuted": "log p(y)/q(y) - epsilon",
    **dict.fromkeys(("one-refuted", "part-refuted"), ""),  # that of the step inside it
}


def failure_of_many(step: Step) -> str:
    """As `failures.failure`."""
    rule = step["rule"]
    if rule == "one-refuted":
        told = f"one release alone (of the different scales number {step['release'] + 1})"
        return f"{failures.failure(step['step'])}; {told}"
    if rule == "part-refuted":
        of = step["part"]
        named = ", ".join(of) if type(of) is list else "one release"
        if type(of) is dict:
            named = f"the others adding {of['rest']}, one release"
        return f"{failures.failure(step['step'])}; {shown(named, 60)[1:-1]} alone"
    if rule == "grid-event-refuted":
        sizes = " x ".join(str(len(cuts)) for cuts in step["cuts"])
        at = f"on B={{cells with P > e^epsilon Q of the grid of all points and {sizes} cuts}}"
    elif rule == "product-refuted":
        found = ", ".join(part["step"]["y"] for part in step["parts"])
        at = f"at y=({shown(found, 100)[1:-1]}), a coordinate for each different scale"
    else:
        at = f"at y=({shown(', '.join(step['y']), 100)[1:-1]})"
    margin = (failures.MARGINS | MARGINS)[rule]
    return f"fails {at}: {margin} >= {shown(step['margin'])[1:-1]}"
