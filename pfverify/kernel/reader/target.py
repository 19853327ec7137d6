"""What is to hold of every pair: a notion with its epsilon and delta, in a form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Number
from reader.tables import RELATED

if TYPE_CHECKING:
    from core.rules import Names
    from reader.protocols import Notion


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


def written(stated: Any, name: str) -> dict[str, Any]:
    """The keys of a notion without a metric as they go into a digest."""
    return {"notion": name, **{key: stated[key] for key in RELATED if key in stated}}


def notion(stated: Any, name: str, release: object, source: object) -> Uniform:
    """The notion that a table states, which has no metric."""
    return Uniform(name, written(stated, name))
