"""What is to hold of every pair: a notion with its epsilon and delta, in a form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from grammar import Malformed, Number

if TYPE_CHECKING:
    from protocols import Notion, Release, Source
    from rules import Names


class Uniform:
    """A notion that has one epsilon for all pairs."""

    def __init__(self, name: str, written: dict[str, Any]) -> None:
        self.name, self.written = name, written  # its keys as they go into a digest

    def words(self) -> str:
        """The notion, in a message."""
        return f"notion={self.name}"

    def epsilon(self, stated: Number, names: Names) -> Number:
        """The epsilon of a belief and two secrets."""
        return stated


class Target(NamedTuple):
    """P(B) <= e^epsilon Q(B) + delta for every event B, or that of every output."""

    notion: Notion
    epsilon: Number
    delta: Number
    form: str


def written(stated: Any, name: str, source: Source) -> dict[str, Any]:
    """The keys of a notion without a metric as they go into a digest."""
    related = {key: stated[key] for key in ("inputs_related",) if key in stated}
    if related and source.of != "inputs":
        raise Malformed(f"the notion {name} has pairs of secrets, not of inputs")
    return {"notion": name, **related}


def notion(stated: Any, name: str, release: Release, source: Source) -> Uniform:
    """The notion that a table states, which has no metric."""
    for key in ("metric", "distance", "points"):
        if key in stated and key not in release.own:
            raise Malformed(f"the notion {name} has no {key}")
    return Uniform(name, written(stated, name, source))
