"""The release of a table `post`: steps after noise, of one number or behind several, or a choice
among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.grammar import Malformed
from reader.noise import SEVERAL
from reader.tables import Row

if TYPE_CHECKING:
    from reader.protocols import Release


def _is_several(value: Any) -> bool:
    """Whether steps are behind several numbers, or many releases, or a sum known in part."""
    noise, post, system = value["noise"], value["post"], value.get("system")
    return (
        (
            type(noise) is dict
            and (type(noise.get("scale")) is list or not SEVERAL.isdisjoint(noise))
        )
        or (type(system) is dict and system.get("rest") == "any")
        or (type(post) is list and any(type(x) is dict and "coordinate" in x for x in post))
    )


def _is_choice(post: Any) -> bool:
    """Whether a step chooses one of several numbers."""
    choices = {"select", "first-above", "first-below"}
    return type(post) is list and any(
        type(step) is dict and not choices.isdisjoint(step) for step in post
    )


def release(value: Any) -> Release:
    """The noise and the steps of a problem."""
    if "noise" not in value:
        raise Malformed("post needs noise")
    if _is_choice(value["post"]):
        chosen: Release = Row("reader.choices", ()).reader("release")(value)
        return chosen
    module = "reader.unprocessed" if _is_several(value) else "reader.stepped"
    found: Release = Row(module, ()).reader("release")(value)
    return found
