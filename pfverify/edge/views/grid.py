"""The view of what a grid saw, which proves nothing."""

from __future__ import annotations

from pfverify.answers.grid import GridResult, Observation
from pfverify.answers.sampled_outputs import DIGITS
from pfverify.edge.document import Section, say, title, toned
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
_SOME = (
    "{} points were looked at, in floating point. This proves nothing about the outputs between "
    "them; run certify without --grid for a proof."
)
_EVERY = (
    "Every output was looked at ({} of a pair at most), in floating point. This proves nothing: "
    "it does not tell equality, or add up sets of outputs; run certify without --grid for a proof."
)
_ROUNDING = (
    "(rounding): this number is below the rounding error of the arithmetic, which has "
    f"{DIGITS} digits; the true one may be 0, or have the other sign."
)


class GridView(SingleView[GridResult]):
    """Observations on a grid."""

    schema = "grid"

    def section(self) -> Section:
        """Return what was seen, and that it proves nothing."""
        result = self.result
        looked = (_EVERY if result.every else _SOME).format(result.points)
        rounding = [say(_ROUNDING)] if any(pair.rounding for pair in result.pairs[:ROWS]) else []
        return Section(
            headline=say(title(self.name), ": ", toned(result.verdict), level=0),
            said=[say(looked), *rounding],
            tables=[pair_table(result.pairs, _COLUMNS)[0]],
        )
