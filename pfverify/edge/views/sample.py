"""The view of exact draws: what stands behind them, then the draws."""

from __future__ import annotations

from pfverify.answers.released import has_names
from pfverify.edge.document import Inline, toned
from pfverify.edge.views.released import ReleasedView
from pfverify.edge.views.view import Row
from pfverify.edge.words import release_words
from pfverify.sampling.sample import SampleResult

_DRAWN = {"noise": "Noise to add to X", "release": "Released (X + noise)", "output": "Output"}


class SampleView(ReleasedView[SampleResult]):
    """Draws of noise, of a release, or of a channel's output."""

    schema = "sample"

    def rows(self) -> list[Row]:
        """Return one row per draw, with the verdict; where nothing was drawn, the verdict alone."""
        result = self.result
        nothing: Row = {"verdict": str(result.verdict), "drawn": result.drawn, "draw": ""}
        return super().rows() or [nothing]

    def verdict(self) -> Inline:
        """The verdict, if there is one."""
        return "no verdict" if self.result.verdict is None else toned(self.result.verdict)

    def proved(self) -> str:
        """By what it is proved."""
        return f" (by a {self.result.proved_by})" if self.result.proved_by else ""

    def source(self) -> str:
        """What is drawn from what."""
        step = self.result.step
        lattice = "" if step is None else f", on multiples of {step}"
        exactly = "" if has_names(self.result) else f"{lattice}, drawn exactly"
        return f"{release_words(self.result)}{exactly}"

    def draws(self) -> str:
        """What was drawn; of tuples the names joined by commas."""
        shown = ", ".join(str(self.cell(draw)) for draw in self.result.draws)
        return f"{_DRAWN[self.result.drawn]}: {shown}"
