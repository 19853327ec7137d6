"""The view of exact draws: what stands behind them, then the draws."""

from __future__ import annotations

from typing import ClassVar

from pfverify.answers.released import has_names
from pfverify.edge.document import Paragraph, Section, bad, say, title, toned
from pfverify.edge.views.released import ReleasedView
from pfverify.edge.views.view import Columns, Row
from pfverify.edge.words import release_words
from pfverify.exact.published import Exact
from pfverify.sampling.channels import Output
from pfverify.sampling.sample import SampleResult

_DRAWN = {"noise": "Noise to add to X", "release": "Released (X + noise)", "output": "Output"}


class SampleView(ReleasedView[SampleResult]):
    """Draws of noise, of a release, or of a channel's output."""

    schema = "sample"
    exact = ("scale", "step", "draws")
    columns: ClassVar[Columns] = {"verdict": "verdict", "drawn": "drawn", "draw": "draws"}
    outputs = frozenset({"draw", "draws"})

    def section(self) -> Section:
        """Return the verdict, what is drawn from what, and the draws."""
        result = self.result
        verdict = "no verdict" if result.verdict is None else toned(result.verdict)
        named = f" (by a {result.proved_by})" if result.proved_by else ""
        return Section(
            headline=say(title(self.name or "noise"), ": ", verdict, named, level=0),
            said=[self._source(), self._draws()],
            assumed=result.assumed,
            notes=[say(f"Warning: {warning}") for warning in result.warnings],
        )

    def rows(self) -> list[Row]:
        """Return one row per draw, with the verdict; where nothing was drawn, the verdict alone."""
        result = self.result
        nothing: Row = {"verdict": str(result.verdict), "drawn": result.drawn, "draw": ""}
        return super().rows() or [nothing]

    def _source(self) -> Paragraph:
        step = self.result.step
        lattice = "" if step is None else f", on multiples of {step}"
        exactly = "" if has_names(self.result) else f"{lattice}, drawn exactly"
        return say(release_words(self.result), exactly)

    def _draws(self) -> Paragraph:
        result = self.result
        if not result.draws:
            return say(bad("Nothing was drawn"))
        shown = ", ".join(str(_shown(draw)) for draw in result.draws)
        return say(f"{_DRAWN[result.drawn]}: {shown}", folds=True)


def _shown(draw: Exact | Output) -> Exact | str:
    """A draw, of tuples the names joined by commas."""
    return ",".join(draw) if isinstance(draw, tuple) else draw
