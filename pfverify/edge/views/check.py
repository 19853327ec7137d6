"""The view of the kernel's answer about a certificate."""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.edge.checked import Checked, Confirmed
from pfverify.edge.document import Toned, bad, good
from pfverify.edge.views.view import View


class CheckView(View[Checked]):
    """What the kernel said, and what that rests on; of several problems, each is named."""

    schema = "check"

    def word(self) -> Toned:
        """Return what was proved, and what was expected instead."""
        result = self.result
        other = result.valid and not result.ok
        text = f"{result.result}, expected {result.expected}" if other else result.result
        return good(text) if result.ok else bad(text)

    def message(self) -> str:
        """The kernel's word and message, with what changed since where that is known."""
        result, name = self.result, "" if self.asked is None else f"{self.name}: "
        message = f"{name}{result.result}: {result.message}"
        if result.changed:
            message += f": {', '.join(result.changed)}"
        return message if result.remedy is None else f"{message}; run `{result.remedy}`"

    def facts(self, names: Sequence[str]) -> str:
        """Return the facts of a rule."""
        return ", ".join(names) or "no named fact"

    def beside(self) -> tuple[str, str, str] | None:
        """What stands beside the files: of the two, one is enough."""
        found = self.result.coq
        if self.result.trusts is None or found is None:
            return None
        *others, last = found.definitions
        return " but for what is taken below" if found.taken else "", ", ".join(others), last

    def accepted(self) -> Confirmed | None:
        """What Coq accepts, if it does."""
        found = self.result.coq
        return found if found is not None and found.accepted else None
