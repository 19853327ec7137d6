"""The view of enclosed losses, largest first."""

from __future__ import annotations

from pfverify.answers.loss import LossResult
from pfverify.answers.released import has_names, of_parts
from pfverify.edge.views.released import PairsView
from pfverify.edge.views.view import Row
from pfverify.edge.words import sizes_words
from pfverify.model.noises.none import NoNoise
from pfverify.model.releases.stepped import Stepped

_PER_UNIT = ("epsilon_star_per_unit_lower", "epsilon_star_per_unit_upper")


class LossView(PairsView):
    """The privacy loss of a problem: the largest and where it is reached, then the pairs."""

    schema = "loss"
    result: LossResult

    def rows(self) -> list[Row]:
        """Return one row per ordered pair; losses per unit of distance where there is one."""
        rows = super().rows()
        if not self._is_own():
            rows = [{k: v for k, v in row.items() if k not in _PER_UNIT} for row in rows]
        return rows

    def where(self) -> str:
        """Where the largest loss is reached."""
        where = self.place(self.worst().y)
        return where if where.startswith("in") else f"reached at y = {where}"

    def released(self) -> str:
        """What releases, as a sentence begins."""
        result = self.result
        if of_parts(result):
            return f"of {result.several}"
        if has_names(result) and result.channel != Stepped.kind:
            return f"through the channel ({result.channel})"
        size = "without noise"
        if result.noise != NoNoise.kind:
            size = f"at {sizes_words(result.noise, result.scale, result.several)}"
        return f"{size} and the steps in post" if has_names(result) else size

    def own(self) -> tuple[str, str]:
        """What epsilon is of, and what the smallest one is called."""
        if self._is_own():
            return " per unit of distance", "epsilon times the distance of a pair"
        return "", "epsilon"

    def _is_own(self) -> bool:
        """Whether every pair has an epsilon of its own."""
        return any(pair.epsilon is not None for pair in self.result.pairs)
