"""The view of a problem that was counted from a file."""

from __future__ import annotations

from pfverify.edge.names import distinct
from pfverify.edge.table.prior import Prior
from pfverify.edge.views.data import as_data
from pfverify.edge.views.view import Section, Sentence, View, say, title

_SHOWN = 12  # secrets


class PriorView(View[Prior]):
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
        notes = [say(f"Assumed: {told.warning}", level=0, folds=True)]
        notes += [say(remark, level=0, folds=True) for remark in prior.remarks]
        if not prior.epsilon_given:
            notes.append(say("epsilon = 1 is no recommendation: choose your own with --epsilon.",
                             level=0))  # fmt: skip
        command = "calibrate" if prior.problem.noise.scale is None else "certify"
        notes.append(say(f"Next: pfverify {command} {prior.output}", level=0))
        return [Section(headline=headline, said=said, notes=notes)]

    def _cells(self) -> list[Sentence]:
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
        return {
            "output": prior.output,
            "digest": prior.digest,
            "rows": prior.rows,
            "provenance": as_data(prior.provenance.to_table()),
            "problem_file": prior.table,
        }
