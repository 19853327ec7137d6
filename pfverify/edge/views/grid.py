"""The view of what a grid saw, which proves nothing."""

from __future__ import annotations

from pfverify.answers.grid import GridResult, Observation
from pfverify.answers.sampled_outputs import DIGITS
from pfverify.edge.document import Section, Text, say, title, toned
from pfverify.edge.views.pairs import ROWS, pair_table
from pfverify.edge.views.view import View
from pfverify.edge.words import plain

_HEADER = ("largest log ratio", "at y", "largest p - e^epsilon p'", "at y ")
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


class GridView(View[GridResult]):
    """Observations on a grid."""

    schema = "grid"

    def sections(self) -> list[Section]:
        """Return what was seen, and that it proves nothing."""
        result = self.result
        own = any(pair.epsilon is not None for pair in result.pairs)
        looked = (_EVERY if result.every else _SOME).format(result.points)
        rounding = [say(_ROUNDING)] if any(pair.rounding for pair in result.pairs[:ROWS]) else []
        return [
            Section(
                headline=say(title(self.name), ": ", toned(result.verdict), level=0),
                said=[say(looked), *rounding],
                tables=[
                    pair_table(
                        result.pairs, [*["epsilon"] * own, *_HEADER], map(_cells, result.pairs)
                    )
                ],
            )
        ]


def _cells(pair: Observation) -> list[Text]:
    own = [] if pair.epsilon is None else [plain(pair.epsilon)]
    excess = f"{pair.excess} (rounding)" if pair.rounding else pair.excess
    return [(text,) for text in (*own, pair.log_ratio, pair.y, excess, pair.excess_y)]
