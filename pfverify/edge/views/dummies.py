"""The view of the least number of dummies."""

from __future__ import annotations

from typing import ClassVar

from pfverify.answers.dummies import DummiesResult
from pfverify.edge.document import Inline, Section, say, title
from pfverify.edge.views.view import Columns, SingleView
from pfverify.edge.words import inequality, notion_words, plain


class DummiesView(SingleView[DummiesResult]):
    """How many dummies a tupling mechanism needs."""

    schema = "dummies"
    exact = ("epsilon", "delta")
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "lower": "dummies.lower", "upper": "dummies.upper",
        "reason": "dummies.reason",
    }

    def section(self) -> Section:
        """Return the number, or why there is none."""
        result = self.result
        formula = inequality(result.form, result.epsilon, result.delta, result.notion)
        words = f"Channel: {result.channel}{notion_words(result.notion)}"
        return Section(
            headline=say(title(self.name), f": dummies for {formula}", level=0),
            said=[say(self.number()), say(words)],
            assumed=result.assumed,
        )

    def point(self) -> dict[str, Inline]:
        """Return the number, or the bounds of it that are known."""
        result, found = self.result, self.result.dummies
        upper = f"more than {found.lower}" if found.upper is None else str(found.upper)
        return {
            "epsilon": plain(result.epsilon),
            "delta": plain(result.delta),
            "dummies": upper,
            "refuted": str(found.lower) if found.upper != found.lower else "",
        }

    def number(self) -> str:
        """Return the least number in words."""
        found = self.result.dummies
        why = "" if found.reason is None else f" ({found.reason})"
        if found.upper is None:
            return f"More than {found.lower} dummies are needed{why}."
        if found.upper == found.lower:
            return f"{found.upper} dummies are enough{why}."
        return (
            f"The least number of dummies is above {found.lower} (refuted) and at most "
            f"{found.upper} (certified){why}."
        )
