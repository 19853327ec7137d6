"""The view of how wrong the priors may be."""

from __future__ import annotations

from typing import ClassVar

from pfverify.answers.largest_radius import IN_WORDS, LargestRadiusResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, Paragraph, Section, say, title
from pfverify.edge.views.view import Columns, SingleView
from pfverify.edge.words import inequality, noise_words, plain
from pfverify.errors import shorten


class LargestRadiusView(SingleView[LargestRadiusResult]):
    """The largest radius of balls around the priors that a scale tolerates."""

    schema = "largest-radius"
    exact = ("epsilon", "delta", "scale")
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "scale": "scale", "ball": "ball",
        "lower": "radius.lower", "upper": "radius.upper", "reason": "reason",
    }

    def section(self) -> Section:
        """Return the radius, or why there is none."""
        result = self.result
        formula = inequality(result.form, result.epsilon, result.delta, result.notion)
        return Section(
            headline=say(title(self.name), f": how wrong the priors may be for {formula}", level=0),
            said=[say(self.found()), *self._alphabet(), *self._noise()],
            assumed=result.assumed,
        )

    def _alphabet(self) -> list[Paragraph]:
        """Where the laws of balls have mass, and nowhere else."""
        places = self.result.alphabet
        if places is None:
            return []
        count = "1 place" if len(places) == 1 else f"{len(places)} places"
        named = shorten(", ".join(places), 120)
        return [say(f"The laws have mass on {count} (the alphabet): {named}")]

    def _noise(self) -> list[Paragraph]:
        result = self.result
        if result.problem is not None and result.problem.release.named:
            return []
        return [say(f"Noise: {result.noise}, {noise_words(result.noise, result.scale)}")]

    def point(self) -> dict[str, Inline]:
        """Return the two ends."""
        result = self.result
        return {
            "epsilon": plain(result.epsilon),
            "delta": plain(result.delta),
            f"radius in {IN_WORDS[result.ball]}": str(result.radius.lower),
            "refuted": str(result.radius.upper),
        }

    def found(self) -> str:
        """Return what is known of the radius, in words."""
        radius, ball = self.result.radius, IN_WORDS[self.result.ball]
        why = "" if self.result.reason is None else f": {self.result.reason}"
        if self.result.verdict is Verdict.REFUTED:
            return f"No radius is private{why}."
        if radius.lower == "inf":
            return f"Every radius in {ball} is private{why}."
        return (
            f"Private for all laws within {radius.lower} of the priors in {ball} (certified); not "
            f"for all within {radius.upper} (refuted){why}."
        )
