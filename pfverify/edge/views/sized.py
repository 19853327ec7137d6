"""The views of what stands in place of a scale: a size, its two ends, or why there is none."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar, TypeVar

from pfverify.answers.dummies import DummiesResult
from pfverify.answers.largest_radius import IN_WORDS, LargestRadiusResult
from pfverify.answers.least_size import LeastSizeResult
from pfverify.answers.most_releases import MostReleasesResult
from pfverify.answers.sized import SizedResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import counted
from pfverify.edge.views.data import as_data
from pfverify.edge.views.view import View
from pfverify.edge.words import (
    closed_form,
    noise_words,
    notion_words,
)
from pfverify.errors import shorten
from pfverify.model.releases.repeated import SAME

Sized = TypeVar("Sized", bound=SizedResult)
_SHARED = {one.name for one in fields(SizedResult)}


def _undecided(view: View[Any]) -> bool:
    return view.result.verdict is Verdict.UNDECIDED


class _SizedView(View[Sized]):
    """A size at the scale of a problem."""

    is_open: ClassVar[Any] = False  # whether nothing was found, which is told apart

    def data(self) -> object:
        """Return the result, with what is its own before what all of them have."""
        data = as_data(self.result)
        return {key: data[key] for key in sorted(data, key=_SHARED.__contains__)}

    def around(self) -> list[str]:
        """Return what the size is about."""
        noise = self.result.noise
        return [f"Noise: {noise}, {noise_words(noise, self.result.scale)}"]


class LeastSizeView(_SizedView[LeastSizeResult]):
    """How high the last threshold has to be, or how large the bound of the noise."""

    schema = "least-size"
    is_open: ClassVar[Any] = _undecided

    def asked_for(self) -> str:
        """Return what was asked for."""
        return f"the least {self.result.size}"

    def found(self) -> list[str]:
        """Return what is known of the least value, in words."""
        exact = self.result.exact
        equal = [] if exact is None else [
            f"It is exactly {closed_form(exact)}, which meets delta with equality."
        ]  # fmt: skip
        return [self._ends(), *equal]

    def _ends(self) -> str:
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
        return _between(f"The least {size}", minimum.lower, minimum.upper, why)


class LargestRadiusView(_SizedView[LargestRadiusResult]):
    """The largest radius of balls around the priors that a scale tolerates."""

    schema = "largest-radius"
    asked_for = "how wrong the priors may be"

    def around(self) -> list[str]:
        """Return where the laws of balls have mass, and the noise."""
        places, problem = self.result.alphabet, self.result.problem
        around = [] if problem is not None and problem.release.named else super().around()
        if places is not None:
            count, named = counted(len(places), "place"), shorten(", ".join(places), 120)
            around.insert(0, f"The laws have mass on {count} (the alphabet): {named}")
        return around

    def ball(self) -> str:
        """Return what the radius is of."""
        return IN_WORDS[self.result.ball]

    def found(self) -> list[str]:
        """Return what is known of the radius, in words."""
        radius, ball = self.result.radius, self.ball()
        why = _because(self.result.reason)
        if self.result.verdict is Verdict.REFUTED:
            return [f"No radius is private{why}."]
        if radius.lower == "inf":
            return [f"Every radius in {ball} is private{why}."]
        return [
            f"Private for all laws within {radius.lower} of the priors in {ball} (certified); not "
            f"for all within {radius.upper} (refuted){why}."
        ]


class MostReleasesView(_SizedView[MostReleasesResult]):
    """How many releases are private at one scale."""

    schema = "most-releases"
    is_open: ClassVar[Any] = _undecided

    def asked_for(self) -> str:
        """Return what was asked for."""
        of = "one X" if self.result.draws == SAME else "fresh draws of X"
        return f"how many releases of {of}"

    def around(self) -> list[str]:
        """Return the noise."""
        return [f"{noise} in every release" for noise in super().around()]

    def found(self) -> list[str]:
        """Return what is known of the number, in words."""
        most = self.result.most
        why = _because(most.reason)
        if most.lower == "inf":
            return [f"Any number of releases is private{why}."]
        if most.upper == 0:
            return ["Not even one release is private (refuted)."]
        allowed = counted(int(most.lower), "release")
        if most.lower == most.upper:
            return [f"At most {allowed} (certified); {int(most.lower) + 1} are refuted."]
        known = f"At least {allowed} (certified)"
        if most.lower == 0:
            known = "One release is undecided"
        if most.upper == "inf":
            return [f"{known}; no number is refuted{why}."]
        return [f"{known}; {int(most.upper) + 1} are refuted{why}."]


class DummiesView(View[DummiesResult]):
    """How many dummies a tupling mechanism needs."""

    schema = "dummies"
    asked_for = "dummies"
    is_open: ClassVar[Any] = False

    def around(self) -> list[str]:
        """Return the channel."""
        return [f"Channel: {self.result.channel}{notion_words(self.result.notion)}"]

    def enough(self) -> str:
        """Return the number, or the bound of it that is known."""
        found = self.result.dummies
        return f"more than {found.lower}" if found.upper is None else str(found.upper)

    def refuted(self) -> str:
        """Return a number that is too small."""
        found = self.result.dummies
        return "" if found.upper == found.lower else str(found.lower)

    def found(self) -> list[str]:
        """Return the least number in words."""
        found = self.result.dummies
        why = "" if found.reason is None else f" ({found.reason})"
        if found.upper is None:
            return [f"More than {found.lower} dummies are needed{why}."]
        if found.upper == found.lower:
            return [f"{found.upper} dummies are enough{why}."]
        return [_between("The least number of dummies", found.lower, found.upper, why)]


def _between(what: str, lower: object, upper: object, why: str) -> str:
    return f"{what} is above {lower} (refuted) and at most {upper} (certified){why}."


def _because(reason: str | None) -> str:
    return "" if reason is None else f": {reason}"
