"""The view of several problems together: each alone, what adding says, and all of them."""

from __future__ import annotations

from pfverify.answers.composed import Adding, ComposedPart, ComposeResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, Section, bad
from pfverify.edge.views.certify import CertifyView
from pfverify.edge.views.view import View
from pfverify.edge.words import between, plain

_ADDING = {
    Adding.RIGHT: "as far as the digits show, they add to what all lose together",
    Adding.TOO_SMALL: "less than all lose together: adding is unsound here",
    Adding.WASTEFUL: "more than all lose together: adding is wasteful here",
    Adding.OPEN: "what all lose together is not known well enough to tell whether adding is right",
}


class ComposeView(View[ComposeResult]):
    """Parts, their sum, and all together; then the verdict as of certify."""

    schema = "compose"

    def sections(self) -> list[Section]:
        """Return the comparison, and the verdict."""
        result, found = self.result, super().sections()
        if result.certified_by is not None:
            found += CertifyView(result.certified_by, self.name, self.asked).sections()
        return found

    def is_counted(self) -> bool:
        """Say whether parts are released several times."""
        return any(part.times is not None for part in self.result.parts)

    def share(self) -> str:
        """Return what the loss of a part is of."""
        parts = self.result.parts
        count = sum(1 if part.times is None else part.times for part in parts)
        share = "" if self.result.delta == "0" else f", each at delta / {count}"
        return f", of one release{share}" if self.is_counted() else share

    def scale(self, part: ComposedPart) -> str:
        """Return its scale; of different problems nothing where there is no noise."""
        return "" if part.times is not None and part.scale == "0" else plain(part.scale)

    def added(self) -> str:
        """Return what the losses alone add up to."""
        return between(self.result.added.loss).removeprefix("exactly ")

    def adding(self) -> Inline:
        """Return what adding is worth."""
        adding = self.result.added.adding
        return bad(_ADDING[adding]) if adding is Adding.TOO_SMALL else _ADDING[adding]

    def unsound(self) -> str:
        """Return whether adding would have been wrong."""
        added, all_ = self.result.added.verdict, self.result.verdict
        unsound = added is Verdict.CERTIFIED and all_ is Verdict.REFUTED
        return "; it would call this private, and it is not." if unsound else "."
