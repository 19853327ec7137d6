"""The view of terms that are explained."""

from __future__ import annotations

from itertools import groupby

from pfverify.edge.document import Section, say, title
from pfverify.edge.glossary.entries import Entry, Terms
from pfverify.edge.views.view import View


class TermsView(View[Terms]):
    """Terms with all that there is to say, or one line for each."""

    schema = "explain"

    def sections(self) -> list[Section]:
        """Return a section for each term, or for each family of a list."""
        terms = self.result.terms
        if self.result.whole:
            return [_whole(entry, apart=k > 0) for k, entry in enumerate(terms)]
        return [
            _listed(family, list(group))
            for family, group in groupby(terms, key=lambda entry: entry.family)
        ]


def _whole(entry: Entry, *, apart: bool) -> Section:
    parts = (
        ("", entry.sentence),
        ("", entry.definition),
        ("Formula: ", entry.formula),
        ("Source: ", entry.source),
        ("Where: ", "; ".join(entry.where)),
        ("Also called: ", ", ".join(entry.aliases)),
        ("See also: ", ", ".join(entry.see)),
    )
    return Section(
        headline=say(title(entry.term), f" ({entry.family})", level=0, folds=True),
        said=[say(f"{name}{text}", folds=True) for name, text in parts if text],
        apart=apart,
    )


def _listed(family: str, entries: list[Entry]) -> Section:
    return Section(
        headline=say(title(family), level=0, folds=True),
        said=[say(f"{entry.term}: {entry.sentence}", folds=True) for entry in entries],
        apart=True,
    )
