"""The views of checked claims: words, results and, where one fails, the step and why."""

from __future__ import annotations

from pfverify.edge.document import (
    Column,
    Paragraph,
    Section,
    Table,
    Text,
    bad,
    good,
    say,
    title,
)
from pfverify.edge.proofs import Counts, Proofs, kept_words
from pfverify.edge.views.view import View
from pfverify.edge.words import counted
from pfverify.proof.outcome import Outcome, StatedPart

_COLUMNS = (
    Column("id", breaks=False, whole=True),
    Column("source", whole=True),
    Column("claim", whole=True),
    Column("result", whole=True),
    Column("s", right=True),
)


class ProofsView(View[Proofs]):
    """The claims of proof files."""

    schema = "prove"

    def sections(self) -> list[Section]:
        """Return the table of claims, their steps if asked for, what failed, and how many."""
        found = self.result
        changed = found.change is not None
        sections = []
        if not changed:
            table = Table(_COLUMNS, [_cells(claim) for claim in found.claims], ruled=False)
            sections.append(Section(tables=[table]))
        for claim in found.claims:
            if found.steps:
                sections.append(_steps(claim))
            if claim.reason and not changed:
                sections.append(_reason(claim))
            if claim.failure:
                sections.append(_failure(claim))
            elif changed:
                words = f"{claim.id} still checks with this change: {claim.result}"
                sections.append(Section(said=[say(words, level=0, folds=True)]))
        if not changed:
            sections.append(self._total())
        return sections

    def _total(self) -> Section:
        claims = self.result.claims
        failed = sum(bool(claim.failure) for claim in claims)
        held = f"{len(claims) - failed} with the result declared"
        words: Text = (f"{counted(len(claims), 'claim')}, {held}",)
        if failed:
            words += (", ", bad(f"{failed} failed"))
        said = [say(*words, level=0, folds=True)]
        if kept := kept_words(claims):
            said.append(say(kept, level=0, folds=True))
        return Section(said=said, apart=True)


def _cells(claim: Outcome) -> list[Text]:
    word = claim.result or "FAILED"
    result = bad(word) if claim.failure else good(word)
    return [(claim.id,), (claim.source,), (claim.words,), (result,), (f"{claim.seconds:.1f}",)]


def _steps(claim: Outcome) -> Section:
    said = [sentence for part in claim.stated for sentence in _stated(part)]
    if claim.uses:
        said.append(say(f"it uses {', '.join(claim.uses)}", folds=True))
    if claim.comparison:
        said.append(say(f"what is corrected is {claim.comparison}", folds=True))
    said += [say(line) for line in claim.steps]
    headline = say(title(claim.id), f": {claim.words}", level=0, folds=True)
    return Section(headline=headline, said=said, apart=True)


def _stated(part: StatedPart) -> list[Paragraph]:
    words = f": {part.words}" if part.words else ""
    said = [say(f"{part.part} ({part.kind}{words})")]
    said += [say(f"if    {formula}    [{name}]", level=2) for name, formula in part.given.items()]
    said.append(say(f"claim {part.statement}", level=2))
    word = "fails in" if part.kind == "refuted" else "holds in"
    return said + [say(f"{word} {one}", level=2) for one in part.instances if one]


def _reason(claim: Outcome) -> Section:
    words = say(title(claim.id), f" is not checkable: {claim.reason}", level=0, folds=True)
    return Section(said=[words], apart=True)


def _failure(claim: Outcome) -> Section:
    where = f" at: {claim.failed_step or 'the file'}"
    said = [say(f"because: {claim.failure}")]
    if claim.counterexample:
        said.append(say(f"for example where: {claim.counterexample}"))
    headline = say(bad(f"{claim.id} fails"), where, level=0, folds=True)
    return Section(headline=headline, said=said, apart=True)


class CountsView(View[Counts]):
    """The counts alone."""

    def sections(self) -> list[Section]:
        """Return the lines of the table, and which claims have no file."""
        lines = [say(line, level=0) for line in self.result.table.splitlines()]
        sections = [Section(said=lines)]
        if self.result.coverage is not None:
            sections.append(Section(said=[say(self.result.coverage, level=0)], apart=True))
        if self.result.kept is not None:
            sections.append(Section(said=[say(self.result.kept, level=0, folds=True)]))
        return sections
