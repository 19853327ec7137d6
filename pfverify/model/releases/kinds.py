"""The tables of a problem file that state a release: nothing by default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pfverify.errors import InputError, told_at
from pfverify.model.channels.channel import Channel, exact_channel
from pfverify.model.channels.kinds import CHANNELS, read_channel
from pfverify.model.choices.stated import states_choice
from pfverify.model.keys import NUMBER, NUMBERS
from pfverify.model.kinds import NOISES, OTHER_NOISES, OtherName, of_a_kind, read_noise
from pfverify.model.noises.none import NoNoise
from pfverify.model.protection import (
    EXTENDED,
    PUFFERFISH,
    Protection,
    protection_keys,
    protection_schema,
)
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.merged import MergedOutputs
from pfverify.model.releases.processed import Processed, names_coordinates
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import KEYS as SEVERAL_KEYS
from pfverify.model.releases.repeated import Budget, Repeated, Several, read_several
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped


class StatedRelease(NamedTuple):
    """What a table of a problem file states: the release, and what it is to keep apart."""

    release: Release
    protection: Protection


class ReleaseTable(NamedTuple):
    """One table that states a release.

    `read` reads a problem file, told whether it states priors; `given` checks what Python callers
    give under the same name; `schema` is its part of the published schema.
    """

    read: Callable[[Mapping[str, Any], bool], StatedRelease]
    given: Callable[[object], Release]
    schema: Callable[[], dict[str, Any]]


def read_release(table: Mapping[str, Any], *, with_priors: bool) -> StatedRelease:
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


def followed(release: Release, post: object) -> Release:
    """Return noise, or a channel whose outputs are numbers, with steps after it.

    Raises InputError for any other release.
    Example: ``followed(Laplace(1), [{"round": {"to": 1}}]).kind`` is ``"steps"``.
    """
    if states_choice(post):
        return Selected(release, post)
    match release:
        case Coordinates() | Several():
            return Processed(release, post)
        case Noise() if names_coordinates(post):
            return Processed(release, post)
        case Noise():
            return Stepped(release, post)
        case Channel():
            return MergedOutputs(release, post)
        case _:
            raise InputError(f"post: steps follow noise or a channel, not {release.kind}")


def of_a_part(release: Release) -> Release:
    """Return a release of X as it is known where the laws are of a part of X alone.

    Steps on one noisy number are then decided as those on several are: what is added to the part
    says where they act.
    Example: ``of_a_part(Stepped(Laplace(1), [{"round": {"to": 1}}])).kind`` is ``"processed"``.
    """
    if type(release) is Stepped:
        return Processed(release.noise, release.steps, of_a_part=True)
    if type(release) is Processed:
        return Processed(release.before, release.steps, of_a_part=True)
    return release


def beside(released: Mapping[str, Any], stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of what is released with those of a source; lists of parts part by part.

    Example: ``beside({"parts": [{"times": 2}]}, {"parts": [{"priors": {}}]})`` is
    ``{"parts": [{"times": 2, "priors": {}}]}``.
    """
    found = {**released, **stated}
    for key in released.keys() & stated.keys():
        pairs = zip(released[key], stated[key], strict=True)
        found[key] = [{**one, **other} for one, other in pairs]
    return found


def _read_noise(table: Mapping[str, Any], with_priors: bool) -> StatedRelease:
    """Noise, whose notion stands beside it, and so do steps after it."""
    del with_priors
    noise = read_several(table["noise"], read_noise)
    release = followed(noise, table["post"]) if "post" in table else noise
    return StatedRelease(release, noise_protection(table))


def noise_protection(table: Mapping[str, Any]) -> Protection:
    """Return the notion whose keys stand beside noise; InputError naming the key."""
    given = {key: table[key] for key in protection_keys() if key in table and key != "notion"}
    return Protection(table.get("notion", PUFFERFISH.notion), **given)


def _read_channel(whole: Mapping[str, Any], with_priors: bool) -> StatedRelease:
    """A channel, whose table has the notion too."""
    for key in protection_keys():
        if key in whole:
            raise InputError(f"{key}: a channel has its own; put it in the table [channel]")
    table, keys = whole["channel"], protection_keys()
    kind = CHANNELS.get(str(table.get("kind")))
    own = () if kind is None else kind.known_keys()
    channel = read_channel("channel", {k: v for k, v in table.items() if k in own or k not in keys})
    with told_at("channel."):
        notion = table.get("notion", channel.notion(with_priors=with_priors))
        given = {key: table[key] for key in keys if key in table and key != "notion"}
        if "points" in own and not _uses_points(notion, given):
            given.pop("points", None)  # they are the channel's alone
        protection = Protection(notion, inputs=channel.inputs, **given)
    release = followed(channel, whole["post"]) if "post" in whole else channel
    return StatedRelease(release, protection)


def _uses_points(notion: object, given: Mapping[str, Any]) -> bool:
    """Say whether a distance of points multiplies epsilon."""
    tables = any(not isinstance(given.get(key), str | None) for key in ("metric", "distance"))
    return isinstance(notion, str) and notion in EXTENDED and not tables


def noise_schema() -> dict[str, Any]:
    """Return one table for every kind of noise; which keys belong to which, each says itself."""
    told: dict[str, list[str]] = {}
    stated: list[type[Noise] | OtherName] = [*NOISES.values(), *OTHER_NOISES.values()]
    for noise in stated:
        for key in noise.keys:
            told.setdefault(key.name, []).append(key.description)
    told["scale"].append(
        ">= 0, and 0 releases X itself; calibrate ignores it; a list has one for every coordinate"
    )
    shapes = {key.name: key.shape for noise in stated for key in noise.keys}
    shapes["scale"] = {"anyOf": [NUMBER, NUMBERS]}
    keys = {key: "; ".join(dict.fromkeys(texts)) for key, texts in told.items()}
    kind = "none: X itself is released, as at scale 0; it takes no other key"
    return {
        "type": "object",
        "required": ["kind"],
        "additionalProperties": False,
        "not": {"required": ["scale", "variance"]},
        "properties": {
            "kind": {"enum": [*NOISES, *OTHER_NOISES], "description": kind},
            **{key: {**shapes[key], "description": text} for key, text in keys.items()},
            **{key.name: key.schema() for key in SEVERAL_KEYS},
        },
    }


def _channel_schema() -> dict[str, Any]:
    return {
        "description": "a finite channel, instead of noise, and what it protects",
        "allOf": [{"$ref": "#/$defs/channel"}, {"properties": protection_schema()}],
    }


OF_NOISE: dict[str, type[Release]] = {
    kind.kind: kind for kind in (Coordinates, Repeated, Budget)
}
"""What a table `noise` may state besides noise: releases that are made of it."""
RELEASES: dict[str, ReleaseTable] = {
    "noise": ReleaseTable(
        _read_noise, lambda value: of_a_kind(value, {**NOISES, **OF_NOISE}, "noise"), noise_schema
    ),
    "channel": ReleaseTable(
        _read_channel, lambda value: exact_channel(value, "channel"), _channel_schema
    ),
}
"""Name of a table of a problem file, and of an argument of `Problem` -> what it states."""
