"""The view of how many releases a scale allows."""

from __future__ import annotations

from typing import ClassVar

from pfverify.answers.most_releases import MostReleasesResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, Section, say, title
from pfverify.edge.views.view import Columns, SingleView
from pfverify.edge.words import counted, inequality, noise_words, plain
from pfverify.model.releases.repeated import SAME


class MostReleasesView(SingleView[MostReleasesResult]):
    """How many releases are private at one scale."""

    schema = "most-releases"
    exact = ("epsilon", "delta", "scale")
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "scale": "scale", "draws": "draws",
        "lower": "most.lower", "upper": "most.upper", "reason": "most.reason",
    }

    def section(self) -> Section:
        """Return the number, or two around it."""
        result = self.result
        formula = inequality(result.form, result.epsilon, result.delta, result.notion)
        of = "one X" if result.draws == SAME else "fresh draws of X"
        said, is_open = [say(self.found())], result.verdict is Verdict.UNDECIDED
        noise = f"{result.noise}, {noise_words(result.noise, result.scale)} in every release"
        return Section(
            headline=say(title(self.name), f": how many releases of {of} for {formula}", level=0),
            said=[] if is_open else [*said, say(f"Noise: {noise}")],
            assumed=result.assumed,
            undecided=said if is_open else [],
        )

    def point(self) -> dict[str, Inline]:
        """Return the two ends."""
        result = self.result
        return {
            "epsilon": plain(result.epsilon),
            "delta": plain(result.delta),
            "releases": str(result.most.lower),
            "at most": str(result.most.upper),
        }

    def found(self) -> str:
        """Return what is known of the number, in words."""
        most = self.result.most
        why = "" if most.reason is None else f": {most.reason}"
        if most.lower == "inf":
            return f"Any number of releases is private{why}."
        if most.upper == 0:
            return "Not even one release is private (refuted)."
        if most.lower == most.upper:
            allowed = counted(int(most.lower), "release")
            return f"At most {allowed} (certified); {int(most.lower) + 1} are refuted."
        known = f"At least {counted(int(most.lower), 'release')} (certified)"
        if most.lower == 0:
            known = "One release is undecided"
        if most.upper == "inf":
            return f"{known}; no number is refuted{why}."
        return f"{known}; {int(most.upper) + 1} are refuted{why}."
