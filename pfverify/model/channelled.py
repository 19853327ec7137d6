"""What a channel makes of a problem: its priors and pairs, and the reading of its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.kinds import CHANNELS, read_channel
from pfverify.model.channels.planar import Planar
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import EXTENDED, KEYS, Protection

MAX_PAIRS = 1_000_000
"""Of inputs that are compared."""


class Compared(NamedTuple):
    """The priors over the inputs, belief -> secret -> prior, and the pairs that are compared."""

    beliefs: dict[str, dict[str, Finite]]
    pairs: object


def single_inputs(channel: Channel, protection: Protection, belief: str) -> Compared:
    """Return the single inputs as priors, and the related pairs.

    Raises InputError where nothing is compared, or far too much.
    """
    if len(channel.inputs) < 2:
        raise InputError("channel: it has one input, expected at least two to compare")
    if protection.related is None and len(channel.inputs) ** 2 > 2 * MAX_PAIRS:
        raise InputError(
            f"channel.inputs_related: all pairs of {len(channel.inputs)} inputs are more than "
            f"{MAX_PAIRS}; list the related ones"
        )
    points = {name: Finite({name: 1}) for name in channel.inputs}
    return Compared({belief: points}, protection.pairs_of(channel.inputs))


def over_inputs(
    channel: Channel, beliefs: Mapping[str, Mapping[str, Prior]], pairs: object
) -> Compared:
    """Return priors in the order of the channel's inputs.

    Raises InputError for a prior that is not over named inputs, one that names an unknown input,
    and an input that no prior names.
    """
    found = {
        belief: {secret: _ordered(prior, secret, channel) for secret, prior in table.items()}
        for belief, table in beliefs.items()
    }
    covered = {
        name for table in beliefs.values() for prior in table.values()
        if isinstance(prior, Finite) for name in prior.mass
    }  # fmt: skip
    for name in channel.inputs:
        if name not in covered:
            raise InputError(
                f"priors: no prior covers the input {shorten(name, 30)!r} of the channel; give it "
                "a mass, which may be 0"
            )
    return Compared(found, pairs)


def _ordered(prior: Prior, secret: str, channel: Channel) -> Finite:
    if not isinstance(prior, Finite):
        raise InputError(
            f"prior of {shorten(secret)!r}: a channel takes priors over its named inputs, of kind "
            f"finite, not {prior.kind}"
        )
    try:
        return prior.in_order_of(channel.inputs)
    except InputError as error:
        raise InputError(f"prior of {shorten(secret)!r}: {error}") from None


def read_channelled(table: Mapping[str, Any], *, with_priors: bool) -> tuple[Channel, Protection]:
    """Return the channel and what it protects, from the table `[channel]` of a problem file.

    Raises InputError that begins with "channel" and names the key.
    """
    kind = CHANNELS.get(str(table.get("kind")))
    own = () if kind is None else kind.table_keys
    channel = read_channel("channel", {k: v for k, v in table.items() if k in own or k not in KEYS})
    try:
        notion = table.get("notion", "distp" if with_priors else "dp")
        given = {key: table[key] for key in KEYS if key in table and key != "notion"}
        if "points" in own and not _uses_points(notion, given):
            given.pop("points", None)  # they are the channel's alone
        protection = Protection(notion, inputs=channel.inputs, **given)
    except InputError as error:
        raise InputError(f"channel.{error}") from None
    return channel, protection


def check_distances(channel: Channel | None, protection: Protection) -> None:
    """Raise InputError unless distances of inputs are between the inputs of the problem's channel.

    A file states the channel's inputs and places once: a protection that is made elsewhere must
    not know others.
    """
    ground = protection.ground
    if channel is None:
        if ground is not None:
            raise InputError("protection: with noise there are no inputs, expected none")
        return
    if ground is None:
        if isinstance(protection.metric, str):
            raise InputError("protection: it was made without inputs, expected the channel's")
        return
    names = {name for pair in ground.table for name in pair} | ground.places.keys()
    if not names <= set(channel.inputs) or (ground.places and len(names) < len(channel.inputs)):
        raise InputError("protection: it was made for other inputs than the channel's")
    if isinstance(channel, Planar) and ground.places not in ({}, channel.points):
        raise InputError("protection: it was made for other points than the channel's")


def _uses_points(notion: object, given: Mapping[str, Any]) -> bool:
    """Say whether a distance of points multiplies epsilon."""
    tables = any(not isinstance(given.get(key), str | None) for key in ("metric", "distance"))
    return isinstance(notion, str) and notion in EXTENDED and not tables


def channel_to_table(channel: Channel, protection: Protection) -> dict[str, Any]:
    """Return the table `[channel]` that is read as this channel and protection."""
    return {**protection.to_table(), **channel.to_table()}
