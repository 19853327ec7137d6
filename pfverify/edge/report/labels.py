"""Names of secrets and small formulas, as sentences of a report set them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from pfverify.edge.names import distinct
from pfverify.edge.ordered import Ordered
from pfverify.edge.pages import Maths

E_EPSILON = Maths('<msup><mi mathvariant="normal">e</mi><mi>ε</mi></msup>', "e^ε")
ALPHA = "\u03b1"
_FIRST_STRONG, _POP = "\u2068", "\u2069"  # isolate a text from the direction of its neighbours
_FROM_RIGHT = {"R", "AL", "AN"}


class Names:
    """What to print for each name of a problem: no two alike, and none disturbs its neighbours.

    Example: ``Names(["a"]).of("a")`` is ``'“a”'``.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._shown = {name: isolated(text) for name, text in distinct(names).items()}

    def plain(self, name: str) -> str:
        """Return what to print in a table."""
        return self._shown[name]

    def of(self, name: str) -> str:
        """Return what to print in a sentence, in quotes."""
        return f"“{self._shown[name]}”"

    def both(self, pair: Ordered) -> dict[str, str]:
        """Return what sentences call the secrets of an ordered pair: the first, and the second."""
        return {"first": self.of(pair.from_), "second": self.of(pair.to)}


def isolated(text: str) -> str:
    """Return a text that does not turn the direction of what stands beside it.

    Example: ``isolated("a")`` is ``'a'``.
    """
    if any(unicodedata.bidirectional(mark) in _FROM_RIGHT for mark in text):
        return f"{_FIRST_STRONG}{text}{_POP}"
    return text
