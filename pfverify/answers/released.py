"""What a result says of the release: the kind of noise and its scale, or the kind of a channel."""

from __future__ import annotations

from typing import Protocol

from pfverify.errors import shorten
from pfverify.exact.published import Real
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.kinds import NOISES
from pfverify.model.noises.table import TableNoise
from pfverify.model.releases.composition import ComposedReleases
from pfverify.model.releases.release import Release
from pfverify.model.releases.stepped import Stepped


class Released(Protocol):
    """An answer about a release, which it states by the names of kinds."""

    @property
    def noise(self) -> str:
        """The kind of noise that is added, which may be none."""

    @property
    def scale(self) -> Real:
        """The scale of that noise."""

    @property
    def several(self) -> str | None:
        """What is said of more than one noisy number."""

    @property
    def channel(self) -> str | None:
        """The kind of the channel that releases, where one does."""


def has_names(result: Released) -> bool:
    """Say whether outputs have names, and are no numbers: the kind that releases says so.

    Raises KeyError for a kind that is in no table.
    Example: ``has_names(certify("example:census"))`` is False.
    """
    kinds: dict[str, type[Release]] = {
        **NOISES, **CHANNELS, Stepped.kind: Stepped, ComposedReleases.kind: ComposedReleases,
    }  # fmt: skip
    return kinds[result.channel or result.noise].named


def of_parts(result: Released) -> bool:
    """Say whether several parts release: a channel may be a composition too, and is one release.

    Example: ``of_parts(certify("example:census"))`` is False.
    """
    return result.channel == ComposedReleases.kind and result.several is not None


def released_by(result: Released) -> str:
    """Return what releases, in a few words."""
    scaled = f"{result.noise} scale {shorten(result.scale, 24)}"
    noise = "a noise table" if result.noise == TableNoise.kind else scaled
    if result.channel == Stepped.kind:
        return f"{noise}, with steps after it"
    more = "" if result.several is None else f", {result.several}"
    return f"channel {result.channel}" if has_names(result) else f"{noise}{more}"
