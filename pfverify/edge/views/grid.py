"""The view of what a grid saw, which proves nothing."""

from __future__ import annotations

from pfverify.decide.grid import GridResult
from pfverify.edge.views.pairs import pair_table
from pfverify.edge.views.view import Section, View, say, title, toned

_HEADER = ("largest log ratio", "at y", "largest p - e^epsilon p'", "at y ")


class GridView(View[GridResult]):
    """Observations on a grid."""

    schema = "grid"

    def sections(self) -> list[Section]:
        """Return what was seen, and that it proves nothing."""
        result = self.result
        cells = [
            [(text,) for text in (pair.log_ratio, pair.y, pair.excess, pair.excess_y)]
            for pair in result.pairs
        ]
        return [
            Section(
                headline=say(title(self.name), ": ", toned(result.verdict), level=0),
                said=[
                    say(
                        f"{result.points} points were looked at, in floating point. This proves "
                        "nothing about the outputs between them; run certify without --grid for a "
                        "proof."
                    )
                ],
                tables=[pair_table(result.pairs, _HEADER, cells)],
            )
        ]
