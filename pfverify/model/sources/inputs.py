"""Single inputs of a channel in place of laws: no prior is assumed."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any

from pfverify.errors import InputError
from pfverify.model.channels.channel import Channel
from pfverify.model.priors.finite import Finite
from pfverify.model.protection import Protection
from pfverify.model.releases.release import Laws, Release
from pfverify.model.requirement import Requirement
from pfverify.model.sources.source import DEFAULT_BELIEF, OfLaws

ANY_PRIOR = "single inputs are compared, so that no prior is assumed"


def _for_sure(names: Iterable[str]) -> Laws:
    return {DEFAULT_BELIEF: {name: Finite({name: 1}) for name in names}}


class SingleInputs(OfLaws):
    """Every input of a release for sure, and the pairs that a notion of inputs relates.

    No table states it: the notion does.
    Raises InputError for a release without named inputs, and where nothing, or far too much, is
    compared.
    Source: distribution-privacy paper, Definitions 1 and 4.
    """

    names_pairs = True  # the notion says which inputs are related
    pairs_stand_for: str | None  # where some are images of others
    _pairs: tuple[tuple[str, str], ...]

    def __init__(self, release: Release, protection: Protection) -> None:
        names, pairs, stand = release.inputs_compared(protection), None, None
        if isinstance(release, Channel):
            pairs = release.representatives(protection)
        if isinstance(release, Channel) and pairs is not None:
            about, verb = release.decided_output, "stands" if len(pairs) == 1 else "stand"
            stand = f"which {verb} for all {comb(len(release.inputs), 2)} by symmetry"
            stand += "" if about is None else f" (y: {about})"
        if pairs is None:
            pairs = protection.pairs_of(names)
        self._keep(laws=_for_sure(names), _pairs=pairs, pairs_stand_for=stand)

    def every_law(self, release: Release) -> Laws:
        """Return the laws of all inputs, also where one pair stands for all."""
        if self.pairs_stand_for is None or not isinstance(release, Channel):
            return self.laws
        return _for_sure(release.inputs)

    def for_release(self, release: Release, required: Requirement) -> SingleInputs:
        """Return the inputs of that release."""
        return SingleInputs(release, required.protection)

    def pairs(self, stated: object) -> object:
        """Return the related pairs."""
        if stated is not None:
            raise InputError("pairs: not with a notion of inputs; inputs_related says which pairs")
        return self._pairs

    def assumed(self) -> list[str]:
        """Return that no prior is assumed."""
        return [ANY_PRIOR]

    def stated(self) -> list[tuple[str, str, str]]:
        """Return nothing: no law is stated."""
        return []

    def tables(self) -> dict[str, Any]:
        """Return nothing: the notion says it."""
        return {}
