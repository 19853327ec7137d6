"""The tables of a problem file that state a release: nothing by default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pfverify.errors import InputError
from pfverify.model.channels.channel import exact_channel
from pfverify.model.channels.kinds import CHANNELS, read_channel
from pfverify.model.kinds import NOISES, of_a_kind, read_noise
from pfverify.model.noises.none import NoNoise
from pfverify.model.protection import EXTENDED, KEYS, PUFFERFISH, Protection
from pfverify.model.releases.release import Release


class Stated(NamedTuple):
    """What a table of a problem file states: the release, and what it is to keep apart."""

    release: Release
    protection: Protection


class Kind(NamedTuple):
    """One table that states a release.

    `read` reads a problem file, told whether it states priors; `given` checks what Python callers
    give under the same name.
    """

    read: Callable[[Mapping[str, Any], bool], Stated]
    given: Callable[[object], Release]


def read_release(table: Mapping[str, Any], *, with_priors: bool) -> Stated:
    """Return what a problem file releases, and the notion; InputError naming the key.

    Example: ``read_release({"noise": {"kind": "laplace"}}, with_priors=True).release.kind`` is
    ``"laplace"``.
    """
    stated = [name for name in RELEASES if name in table]
    if len(stated) != 1:
        raise InputError(f"expected exactly one of {' and '.join(RELEASES)}, got {len(stated)}")
    return RELEASES[stated[0]].read(table, with_priors)


def given_release(**given: object) -> Release:
    """Return what is released, from the arguments of `Problem`: exactly one is not None.

    Raises InputError for none, for several, and for another type.
    Example: ``given_release(noise=Laplace(1), channel=None).kind`` is ``"laplace"``.
    """
    named = {name: value for name, value in given.items() if value is not None}
    if type(named.get("noise")) is NoNoise and len(named) > 1:  # nothing is added to the other
        del named["noise"]
    if not named:
        raise InputError("noise: missing, expected a kind of noise, or a channel")
    if len(named) > 1:
        raise InputError("a problem has noise or a channel, not both")
    ((name, value),) = named.items()
    return RELEASES[name].given(value)


def _read_noise(table: Mapping[str, Any], with_priors: bool) -> Stated:
    """Noise, whose notion stands beside it."""
    del with_priors
    notion = table.get("notion", PUFFERFISH.notion)
    protection = Protection(notion, metric=table.get("metric"))
    return Stated(read_noise(table["noise"]), protection)


def _read_channel(whole: Mapping[str, Any], with_priors: bool) -> Stated:
    """A channel, whose table has the notion too."""
    for key in ("notion", "metric"):
        if key in whole:
            raise InputError(f"{key}: a channel has its own; put it in the table [channel]")
    table = whole["channel"]
    kind = CHANNELS.get(str(table.get("kind")))
    own = () if kind is None else kind.table_keys
    channel = read_channel("channel", {k: v for k, v in table.items() if k in own or k not in KEYS})
    try:
        notion = table.get("notion", channel.notion(with_priors=with_priors))
        given = {key: table[key] for key in KEYS if key in table and key != "notion"}
        if "points" in own and not _uses_points(notion, given):
            given.pop("points", None)  # they are the channel's alone
        protection = Protection(notion, inputs=channel.inputs, **given)
    except InputError as error:
        raise InputError(f"channel.{error}") from None
    return Stated(channel, protection)


def _uses_points(notion: object, given: Mapping[str, Any]) -> bool:
    """Say whether a distance of points multiplies epsilon."""
    tables = any(not isinstance(given.get(key), str | None) for key in ("metric", "distance"))
    return isinstance(notion, str) and notion in EXTENDED and not tables


RELEASES: dict[str, Kind] = {
    "noise": Kind(_read_noise, lambda value: of_a_kind(value, NOISES, "noise")),
    "channel": Kind(_read_channel, lambda value: exact_channel(value, "channel")),
}
"""Name of a table of a problem file, and of an argument of `Problem` -> what it states."""
