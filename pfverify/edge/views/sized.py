"""The views of what stands in place of a scale: a size, its two ends, or why there is none."""

from __future__ import annotations

from dataclasses import fields
from typing import ClassVar, TypeVar

from pfverify.answers.dummies import DummiesResult
from pfverify.answers.largest_radius import IN_WORDS, LargestRadiusResult
from pfverify.answers.least_size import LeastSizeResult
from pfverify.answers.most_releases import MostReleasesResult
from pfverify.answers.sized import SizedResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, Section, say, title
from pfverify.edge.views.data import as_data
from pfverify.edge.views.view import Columns, SingleView
from pfverify.edge.words import (
    closed_form,
    counted,
    inequality,
    noise_words,
    notion_words,
    plain,
)
from pfverify.errors import shorten
from pfverify.model.releases.repeated import SAME

Found = TypeVar("Found", bound=SizedResult | DummiesResult)
Sized = TypeVar("Sized", bound=SizedResult)
_SHARED = {one.name for one in fields(SizedResult)}


class _FoundView(SingleView[Found]):
    """A least or a largest size for a target."""

    exact: ClassVar[tuple[str, ...]] = ("epsilon", "delta")

    def _section(
        self, asked: str, found: list[str], around: list[str], *, is_open: bool = False
    ) -> Section:
        """What was asked for, what was found, and what that is about; `is_open`: nothing was."""
        result = self.result
        formula = inequality(result.form, result.epsilon, result.delta, result.notion)
        return Section(
            headline=say(title(self.name), f": {asked} for {formula}", level=0),
            said=[] if is_open else [say(words) for words in (*found, *around)],
            assumed=result.assumed,
            undecided=[say(words) for words in found] if is_open else [],
        )

    def _point(self, ends: dict[str, object]) -> dict[str, Inline]:
        """The target and the two ends."""
        target = {"epsilon": plain(self.result.epsilon), "delta": plain(self.result.delta)}
        return {**target, **{name: str(end) for name, end in ends.items()}}


class _SizedView(_FoundView[Sized]):
    """A size at the scale of a problem."""

    exact: ClassVar[tuple[str, ...]] = ("epsilon", "delta", "scale")

    def data(self) -> object:
        """Return the result, with what is its own before what all of them have."""
        data = as_data(self.result)
        return {key: data[key] for key in sorted(data, key=_SHARED.__contains__)}

    @property
    def _noise(self) -> str:
        noise = self.result.noise
        return f"Noise: {noise}, {noise_words(noise, self.result.scale)}"


class LeastSizeView(_SizedView[LeastSizeResult]):
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
        result, said = self.result, [self.found()]
        if result.exact is not None:
            form = closed_form(result.exact)
            said.append(f"It is exactly {form}, which meets delta with equality.")
        is_open = result.verdict is Verdict.UNDECIDED
        return self._section(f"the least {result.size}", said, [self._noise], is_open=is_open)

    def point(self) -> dict[str, Inline]:
        """Return the two ends."""
        minimum = self.result.minimum
        return self._point({f"least {self.result.size}": minimum.upper, "refuted": minimum.lower})

    def found(self) -> str:
        """Return what is known of the least value, in words."""
        size, minimum = self.result.size, self.result.minimum
        why = _because(minimum.reason)
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


class LargestRadiusView(_SizedView[LargestRadiusResult]):
    """The largest radius of balls around the priors that a scale tolerates."""

    schema = "largest-radius"
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "scale": "scale", "ball": "ball",
        "lower": "radius.lower", "upper": "radius.upper", "reason": "reason",
    }

    def section(self) -> Section:
        """Return the radius, or why there is none, and where the laws of balls have mass."""
        places, problem = self.result.alphabet, self.result.problem
        around = [] if problem is not None and problem.release.named else [self._noise]
        if places is not None:
            count, named = counted(len(places), "place"), shorten(", ".join(places), 120)
            around.insert(0, f"The laws have mass on {count} (the alphabet): {named}")
        return self._section("how wrong the priors may be", [self.found()], around)

    def point(self) -> dict[str, Inline]:
        """Return the two ends."""
        radius, ball = self.result.radius, IN_WORDS[self.result.ball]
        return self._point({f"radius in {ball}": radius.lower, "refuted": radius.upper})

    def found(self) -> str:
        """Return what is known of the radius, in words."""
        radius, ball = self.result.radius, IN_WORDS[self.result.ball]
        why = _because(self.result.reason)
        if self.result.verdict is Verdict.REFUTED:
            return f"No radius is private{why}."
        if radius.lower == "inf":
            return f"Every radius in {ball} is private{why}."
        return (
            f"Private for all laws within {radius.lower} of the priors in {ball} (certified); not "
            f"for all within {radius.upper} (refuted){why}."
        )


class MostReleasesView(_SizedView[MostReleasesResult]):
    """How many releases are private at one scale."""

    schema = "most-releases"
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "scale": "scale", "draws": "draws",
        "lower": "most.lower", "upper": "most.upper", "reason": "most.reason",
    }

    def section(self) -> Section:
        """Return the number, or two around it."""
        of = "one X" if self.result.draws == SAME else "fresh draws of X"
        noise = f"{self._noise} in every release"
        is_open = self.result.verdict is Verdict.UNDECIDED
        return self._section(
            f"how many releases of {of}", [self.found()], [noise], is_open=is_open
        )

    def point(self) -> dict[str, Inline]:
        """Return the two ends."""
        return self._point(
            {"releases": self.result.most.lower, "at most": self.result.most.upper}
        )

    def found(self) -> str:
        """Return what is known of the number, in words."""
        most = self.result.most
        why = _because(most.reason)
        if most.lower == "inf":
            return f"Any number of releases is private{why}."
        if most.upper == 0:
            return "Not even one release is private (refuted)."
        allowed = counted(int(most.lower), "release")
        if most.lower == most.upper:
            return f"At most {allowed} (certified); {int(most.lower) + 1} are refuted."
        known = f"At least {allowed} (certified)"
        if most.lower == 0:
            known = "One release is undecided"
        if most.upper == "inf":
            return f"{known}; no number is refuted{why}."
        return f"{known}; {int(most.upper) + 1} are refuted{why}."


class DummiesView(_FoundView[DummiesResult]):
    """How many dummies a tupling mechanism needs."""

    schema = "dummies"
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "lower": "dummies.lower", "upper": "dummies.upper",
        "reason": "dummies.reason",
    }

    def section(self) -> Section:
        """Return the number, or why there is none."""
        channel = f"Channel: {self.result.channel}{notion_words(self.result.notion)}"
        return self._section("dummies", [self.number()], [channel])

    def point(self) -> dict[str, Inline]:
        """Return the number, or the bounds of it that are known."""
        found = self.result.dummies
        return self._point({
            "dummies": f"more than {found.lower}" if found.upper is None else found.upper,
            "refuted": "" if found.upper == found.lower else found.lower,
        })  # fmt: skip

    def number(self) -> str:
        """Return the least number in words."""
        found = self.result.dummies
        why = "" if found.reason is None else f" ({found.reason})"
        if found.upper is None:
            return f"More than {found.lower} dummies are needed{why}."
        if found.upper == found.lower:
            return f"{found.upper} dummies are enough{why}."
        return (
            f"The least number of dummies is above {found.lower} (refuted) and at most "
            f"{found.upper} (certified){why}."
        )


def _because(reason: str | None) -> str:
    return "" if reason is None else f": {reason}"
