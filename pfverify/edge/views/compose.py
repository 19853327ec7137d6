"""The view of several problems together: each alone, what adding says, and all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pfverify.answers.composed import Adding, ComposedPart, ComposeResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import (
    Column,
    Paragraph,
    Section,
    Table,
    Toned,
    bad,
    say,
    title,
    toned,
)
from pfverify.edge.views.certify import CertifyView
from pfverify.edge.views.view import Columns, View
from pfverify.edge.words import between, inequality, plain
from pfverify.exact.enclosure import Enclosure

_ADDING = {
    Adding.RIGHT: "as far as the digits show, they add to what all lose together",
    Adding.TOO_SMALL: "less than all lose together: adding is unsound here",
    Adding.WASTEFUL: "more than all lose together: adding is wasteful here",
    Adding.OPEN: "what all lose together is not known well enough to tell whether adding is right",
}


class ComposeView(View[ComposeResult]):
    """Parts, their sum, and all together; then the verdict as of certify."""

    schema = "compose"
    exact = ("epsilon", "delta", "parts.scale")
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "part": "parts.name", "scale": "parts.scale",
        "loss_lower": "parts.loss.lower", "loss_upper": "parts.loss.upper",
        "ranges": "parts.ranges", "added_lower": "added.loss.lower",
        "added_upper": "added.loss.upper", "together_lower": "together.loss.lower",
        "together_upper": "together.loss.upper", "verdict": "verdict",
    }

    def sections(self) -> list[Section]:
        """Return the comparison, and the verdict."""
        result = self.result
        found = [self._compared()]
        if result.certified_by is not None:
            found += CertifyView(result.certified_by, self.name, self.asked).sections()
        return found

    def word(self) -> Toned:
        """Return the verdict."""
        return toned(self.result.verdict)

    def _compared(self) -> Section:
        result = self.result
        formula = inequality(result.form, result.epsilon, result.delta)
        counted = any(part.times is not None for part in result.parts)
        rows = [
            [
                (part.name,), *([(str(part.times),)] if counted else []), (_scale(part),),
                (str(part.loss.upper),), ("" if part.ranges is None else str(part.ranges),),
            ]
            for part in result.parts
        ]  # fmt: skip
        count = sum(1 if part.times is None else part.times for part in result.parts)
        share = "" if result.delta == "0" else f", each at delta / {count}"
        if counted:
            share = f", of one release{share}"
        heads = ["part", *(["times"] if counted else []), "scale", "loss", "ranges"]
        return Section(
            headline=say(title(self.name), f": together, for {formula}", level=0),
            said=list(self._said()),
            tables=[Table([Column(head) for head in heads], rows)],
            notes=[say(f"loss: alone, rounded up{share}; ranges: the largest distance / scale.")],
        )

    def _said(self) -> Iterator[Paragraph]:
        result = self.result
        added, together = result.added, result.together
        yield say("All together lose ", between(together.loss), ": ", toned(result.verdict), ".")
        words = _ADDING[added.adding]
        unsound = added.verdict is Verdict.CERTIFIED and result.verdict is Verdict.REFUTED
        yield say(
            f"The losses alone sum to {_told(added.loss)}, ",
            bad(words) if added.adding is Adding.TOO_SMALL else words,
            "; it would call this private, and it is not." if unsound else ".",
        )
        if result.ranges is not None:
            yield say(f"Whatever the joint law, they lose at most {result.ranges} (ranges).")


def _scale(part: ComposedPart) -> str:
    """Its scale; of different problems nothing where there is no noise."""
    return "" if part.times is not None and part.scale == "0" else plain(part.scale)


def _told(loss: Enclosure) -> str:
    return between(loss).removeprefix("exactly ")
