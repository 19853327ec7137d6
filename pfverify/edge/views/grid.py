"""The view of what a grid saw, which proves nothing."""

from __future__ import annotations

from pfverify.answers.grid import GridResult, Observation
from pfverify.answers.sampled_outputs import DIGITS
from pfverify.edge.document import Section, say, title, toned
from pfverify.edge.sentences import sentence
from pfverify.edge.views.pairs import ROWS, Cells, pair_table
from pfverify.edge.views.view import SingleView
from pfverify.edge.words import plain

_COLUMNS: Cells[Observation] = {
    "epsilon": lambda pair: None if pair.epsilon is None else plain(pair.epsilon),
    "largest log ratio": lambda pair: pair.log_ratio,
    "at y": lambda pair: pair.y,
    "largest p - e^epsilon p'": lambda pair: f"{pair.excess}{' (rounding)' * pair.rounding}",
    "at y ": lambda pair: pair.excess_y,
}


class GridView(SingleView[GridResult]):
    """Observations on a grid."""

    schema = "grid"

    def section(self) -> Section:
        """Return what was seen, and that it proves nothing."""
        result = self.result
        looked = sentence(f"grid.{'every' if result.every else 'some'}", points=result.points)
        rounding = [sentence("grid.rounding", digits=DIGITS)]
        lines = [looked, *rounding * any(pair.rounding for pair in result.pairs[:ROWS])]
        return Section(
            headline=say(title(self.name), ": ", toned(result.verdict), level=0),
            said=[say(line) for line in lines],
            tables=[pair_table(result.pairs, _COLUMNS)[0]],
        )
