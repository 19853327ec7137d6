"""The view of what was decided at many scales and epsilons of one problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pfverify.answers.explored import Explored, ExploredValue
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import (
    VERDICT_TONES,
    Table,
    Text,
    simple_table,
    toned,
)
from pfverify.edge.views.view import View
from pfverify.edge.words import brief_upper, plain, size_word


class ExploredView(View[Explored]):
    """How many values were decided how, and each of them in a table."""

    schema = "explore"

    def tally(self) -> str:
        """Return how many values have which verdict."""
        tally = Counter(value.verdict.value for value in self.result.values)
        return ", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items()))

    def table(self) -> list[Table]:
        """Return a row for each scale, with the epsilons of each verdict, or one for each epsilon.
        """
        found, count = self.result, len(self.result.epsilons)
        if not found.scales:
            rows: list[list[Text]] = [
                [(plain(one.epsilon),), (toned(one.verdict),), _loss(one)] for one in found.values
            ]
            return [simple_table("", ["epsilon", "verdict", "loss"], rows)]
        verdicts = [verdict for verdict in VERDICT_TONES
                    if any(value.verdict is verdict for value in found.values)]  # fmt: skip
        rows = []
        for k, scale in enumerate(found.scales):
            row = [found.at(k, j) for j in range(count)]
            cells = [_epsilons(row, verdict) for verdict in verdicts]
            rows.append([(plain(scale),), _loss(row[found.start % count]), *cells])
        header = [size_word(found.noise), "loss", *(verdict.value for verdict in verdicts)]
        return [simple_table("", header, rows)]

    def named(self) -> frozenset[str]:
        """Return the key of outputs where these have names."""
        return frozenset({"worst_y"}) if self.result.problem.release.named else frozenset()


def _epsilons(row: Sequence[ExploredValue], verdict: Verdict) -> Text:
    """The epsilons at which a scale has a verdict, in its tone."""
    found = [plain(value.epsilon) for value in row if value.verdict is verdict]
    return (toned(verdict, ", ".join(found)),)


def _loss(value: ExploredValue) -> Text:
    """The largest loss, rounded up."""
    return ("" if value.loss is None else brief_upper(value.loss.upper),)
