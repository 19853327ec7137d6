"""The view of the least threshold, and of the least bound of truncated noise."""

from __future__ import annotations

from typing import ClassVar

from pfverify.answers.least_size import LeastSizeResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, Section, say, title
from pfverify.edge.views.view import Columns, SingleView
from pfverify.edge.words import closed_form, inequality, noise_words, plain


class LeastSizeView(SingleView[LeastSizeResult]):
    """How high the last threshold has to be, or how large the bound of the noise."""

    schema = "least-size"
    exact = ("epsilon", "delta", "scale", "exact")
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "scale": "scale", "size": "size",
        "lower": "minimum.lower", "upper": "minimum.upper", "exact": "exact",
        "reason": "minimum.reason",
    }

    def section(self) -> Section:
        """Return the two ends, or why there is none."""
        result = self.result
        formula = inequality(result.form, result.epsilon, result.delta, result.notion)
        said = [say(self.found())]
        if result.exact is not None:
            said.append(say(f"It is exactly {closed_form(result.exact)}, which meets delta with "
                            "equality."))  # fmt: skip
        is_open = result.verdict is Verdict.UNDECIDED
        noise = f"{result.noise}, {noise_words(result.noise, result.scale)}"
        return Section(
            headline=say(title(self.name), f": the least {result.size} for {formula}", level=0),
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
            f"least {result.size}": str(result.minimum.upper),
            "refuted": str(result.minimum.lower),
        }

    def found(self) -> str:
        """Return what is known of the least value, in words."""
        size, minimum = self.result.size, self.result.minimum
        why = "" if minimum.reason is None else f": {minimum.reason}"
        match self.result.verdict:
            case Verdict.UNDECIDED:
                return f"The least {size} is undecided{why}."
            case Verdict.REFUTED:
                return f"No {size} works{why}."
        if minimum.lower == minimum.upper:
            return f"Every {size} is private{why}."
        if minimum.lower == "-inf":
            return f"From {minimum.upper} on (certified) every {size} is private{why}."
        return (
            f"The least {size} is above {minimum.lower} (refuted) and at most {minimum.upper} "
            f"(certified){why}."
        )
