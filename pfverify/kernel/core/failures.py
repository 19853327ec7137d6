"""What a refuting step shows, in words."""

from __future__ import annotations

from importlib import import_module

from core.grammar import shown
from core.rules import Step

MARGINS = {  # P, p: the law under the first secret; Q, q: under the second
    "pure-refuted": "log p(y)/q(y) - epsilon",
    "spread-refuted": "log p(y)/q(y) - epsilon",
    "pointwise-refuted": "p(y) - e^epsilon q(y) - delta",
    "event-refuted": "P(B) - e^epsilon Q(B) - delta",
    "output-refuted": "log P(y)/Q(y) - epsilon",
    "mass-refuted": "P(y) - e^epsilon Q(y) - delta",
    "outputs-refuted": "P(B) - e^epsilon Q(B) - delta",
    "tupling-refuted": "P(B) - e^epsilon Q(B) - delta",
}


def failure(step: Step) -> str:
    """Where a refuting step shows that its goal fails, and of what its margin is a lower bound."""
    if step["rule"] not in MARGINS or type(step.get("y")) is list:
        words: str = import_module("core.failures_of_many").failure_of_many(step)
        return words
    return f"fails {place(step)}: {MARGINS[step['rule']]} >= {shown(step['margin'])[1:-1]}"


def place(step: Step) -> str:
    """The output, or the event, of a refuting step."""
    if step["rule"] == "event-refuted":
        spans = [
            f"{'(' if a == '-inf' else '['}{a}, {b}{')' if b == 'inf' else ']'}"
            for a, b in step["event"]
        ]
        return f"on B={shown(' or '.join(spans), 200)[1:-1]}"
    if step["rule"] == "outputs-refuted":
        outputs = step["outputs"]
        more = f" and {len(outputs) - 5} more" if len(outputs) > 5 else ""
        return f"on B={{{', '.join(shown(y, 30) for y in outputs[:5])}{more}}}"
    if "output" in step:
        return f"at y={shown(step['output'])}"  # a name, in quotes: it may look like other words
    if step["rule"] == "tupling-refuted":
        found = f"on B={{tuples with P > {shown(step['growth'])[1:-1]} Q}}"
        return found.replace("inf Q", "0 = Q")
    return f"at y={shown(step['y'])[1:-1]}"
