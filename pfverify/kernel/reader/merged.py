"""Steps of a table `post` after a channel whose outputs are numbers: equal ones are one output."""

from __future__ import annotations

from typing import Any

from core.masses import mass_of_event, outputs_of
from core.shapes import rational
from core.work import spend
from reader.channel_kinds import Channel
from reader.steps import image_of, steps_of


def merged(channel: Channel, value: Any) -> tuple[Channel, tuple[dict[str, Any], ...]]:
    """The channel with the steps, which are functions of its output, and the steps for a digest."""
    steps = steps_of(value)
    places: dict[str, list[int]] = {}
    for k, name in enumerate(channel.outputs):
        image = image_of(steps, rational(name, "an output before steps"))
        places.setdefault(image, []).append(k)
    spend(16 * len(channel.inputs) * len(channel.outputs))
    laws = tuple(
        outputs_of([mass_of_event(law, found) for found in places.values()]) for law in channel.laws
    )
    written = tuple({step.key: step.written} for step in steps)
    return Channel(channel.inputs, tuple(places), laws), written
