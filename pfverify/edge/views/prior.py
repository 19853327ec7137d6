"""The view of a problem that was counted from a file."""

from __future__ import annotations

import shlex
from pathlib import Path

from pfverify.edge.document import Paragraph, Section, bad, say, title
from pfverify.edge.footing_words import footing_data, footing_words
from pfverify.edge.names import distinct
from pfverify.edge.views.data import as_data
from pfverify.edge.views.view import View
from pfverify.edge.words import size_word
from pfverify.model.provenance import CONFIDENTIAL, WARNING
from pfverify.records.prior import CountedPrior

_SHOWN = 12  # secrets


class PriorView(View[CountedPrior]):
    """What was read, what was left out, and what was written."""

    schema = "prior"

    def sections(self) -> list[Section]:
        """Return how many rows there were of what, and what to do next."""
        prior, told = self.result, self.result.provenance
        said = [say(f"{told.rows_read} rows read, {told.rows_used} used.", level=0)]
        for reason, rows in (told.dropped or {}).items():
            said.append(say(f"left out ({reason}): {rows}"))
        names = distinct(prior.rows)
        said += [say(f"{names[name]}: {rows}") for name, rows in list(prior.rows.items())[:_SHOWN]]
        if len(prior.rows) > _SHOWN:
            said.append(say(f"… and {len(prior.rows) - _SHOWN} more"))
        said += self._cells()
        headline = say(title(f"{self.name} -> {prior.output}"), level=0)
        notes = [say(bad("Confidential as the records are. "), CONFIDENTIAL, level=0, folds=True)]
        notes += [] if told.rest is None else [say(f"rest: {told.rest}", level=0, folds=True)]
        notes += [say(f"Assumed: {WARNING}", level=0, folds=True)]
        rests, noise = prior.rests_on, prior.problem.noise
        words = [] if rests is None else footing_words(rests, size_word(noise.kind))
        notes += [say(said, level=0, folds=True) for said in words]
        notes += [say(remark, level=0, folds=True) for remark in prior.remarks]
        if not prior.epsilon_given:
            notes.append(say("epsilon = 1 is no recommendation: choose your own with --epsilon.",
                             level=0))  # fmt: skip
        notes.append(say(f"Next: {self._next()}", level=0))
        return [Section(headline=headline, said=said, notes=notes)]

    def _next(self) -> str:
        """The command that goes on from the file."""
        path = Path(self.result.output or "problem.toml")
        scaled = path.with_name(f"{path.stem}-scaled{path.suffix}")
        if self.result.problem.noise.scale is None:
            return shlex.join(["pfverify", "calibrate", str(path), "--write", str(scaled)])
        return shlex.join(["pfverify", "certify", str(path)])

    def _cells(self) -> list[Paragraph]:
        told = self.result.provenance
        if told.smallest_cell is None:
            return []
        cell = told.smallest_cell
        text = f"smallest cell: {cell['records']} of value {cell['value']}, {cell['secret']}"
        empty = told.empty_cells
        if empty:
            text += "; 1 cell is empty" if empty == 1 else f"; {empty} cells are empty"
        return [say(text, folds=True)]

    def data(self) -> object:
        """Return the digest, the rows of each secret, and the problem file with its provenance."""
        prior = self.result
        rests, noise = prior.rests_on, prior.problem.noise
        on = {} if rests is None else {"rests_on": footing_data(rests, size_word(noise.kind))}
        return {
            "output": prior.output,
            "digest": prior.digest,
            "rows": prior.rows,
            "provenance": as_data(prior.provenance.to_table()),
            "problem_file": prior.table,
            **on,
        }
