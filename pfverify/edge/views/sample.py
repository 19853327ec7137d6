"""The view of exact draws: what stands behind them, then the draws."""

from __future__ import annotations

from pfverify.edge.sampled import SampleResult
from pfverify.edge.views.view import Row, Section, Sentence, View, bad, say, title, toned
from pfverify.edge.words import noise_words
from pfverify.exact.published import Exact
from pfverify.sampling.channels import Output

_DRAWN = {"noise": "Noise to add to X", "release": "Released (X + noise)", "output": "Output"}


class SampleView(View[SampleResult]):
    """Draws of noise, of a release, or of a channel's output."""

    schema = "sample"
    exact = ("scale", "step", "draws")
    exact_columns = ("draw",)

    def sections(self) -> list[Section]:
        """Return the verdict, what is drawn from what, and the draws."""
        result = self.result
        verdict = "no verdict" if result.verdict is None else toned(result.verdict)
        named = f" (by a {result.proved_by})" if result.proved_by else ""
        return [
            Section(
                headline=say(title(self.name or "noise"), ": ", verdict, named, level=0),
                said=[self._source(), self._draws()],
                assumed=result.assumed,
                notes=[say(f"Warning: {warning}") for warning in result.warnings],
            )
        ]

    def rows(self) -> list[Row]:
        """Return one row per draw, with the verdict; where nothing was drawn, the verdict alone."""
        result = self.result
        verdict = None if result.verdict is None else result.verdict.value
        return [
            {"verdict": verdict, "drawn": result.drawn, "draw": draw}
            for draw in map(_shown, result.draws or [""])
        ]

    def named(self) -> frozenset[str]:
        """Return the draws of a channel, which are names."""
        return frozenset() if self.result.channel is None else frozenset({"draw", "draws"})

    def _source(self) -> Sentence:
        result = self.result
        if result.channel is not None:
            return say(f"Channel: {result.channel}")
        size = noise_words(result.noise, result.scale)
        return say(f"Noise: {result.noise}, {size}, on multiples of {result.step}, drawn exactly")

    def _draws(self) -> Sentence:
        result = self.result
        if not result.draws:
            return say(bad("Nothing was drawn"))
        shown = ", ".join(str(_shown(draw)) for draw in result.draws)
        return say(f"{_DRAWN[result.drawn]}: {shown}", folds=True)


def _shown(draw: Exact | Output) -> Exact | str:
    """A draw, of tuples the names joined by commas."""
    return ",".join(draw) if isinstance(draw, tuple) else draw
