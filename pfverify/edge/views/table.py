"""The view of a problem that was made of a noise table."""

from __future__ import annotations

import shlex

from pfverify.edge.document import Section, say, title
from pfverify.edge.views.data import as_data
from pfverify.edge.views.view import SingleView
from pfverify.edge.words import counted
from pfverify.model.noises.table import ASSUMED
from pfverify.records.ptable import PtableProblem


class TableView(SingleView[PtableProblem]):
    """What was read, what was done to it, and what was written."""

    schema = "table"

    def section(self) -> Section:
        """Return how many counts have how many perturbations, and what to do next."""
        made = self.result
        rows = sum(made.rows.values())
        what = "row" if made.keys is None else "perturbation"
        read = f"{counted(len(made.rows), 'count')}, {counted(rows, what)} read."
        written = shlex.join(["pfverify", "certify", str(made.output or "problem.toml")])
        notes = [*made.said[1:], f"Assumed: {ASSUMED}.", f"Next: {written}"]
        return Section(
            headline=say(title(f"{self.name} -> {made.output}"), level=0),
            said=[say(read, level=0)],
            notes=[say(words, level=0, folds=True) for words in notes],
        )

    def data(self) -> object:
        """Return the digest, what was read and rescaled, and the problem file."""
        made = self.result
        return {
            "output": made.output,
            "digest": made.digest,
            "data": made.data,
            "sha256": made.sha256,
            "rows": made.rows,
            "keys": made.keys,
            "rescaled": made.rescaled,
            "assumed": [ASSUMED],
            "problem_file": as_data(made.table),
        }
