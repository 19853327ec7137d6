"""The kinds of channel, by their names in files: the rest is refused."""

from __future__ import annotations

from typing import Any

from pfverify.model.channels.channel import CHANNELS as CHANNELS
from pfverify.model.channels.channel import Channel as Channel
from pfverify.model.channels.channel import read_channel as read_channel
from pfverify.model.channels.combined import Cascade, ChannelMixture, Composition, Product
from pfverify.model.channels.exponential import ExponentialMechanism
from pfverify.model.channels.local_hashing import LocalHashing
from pfverify.model.channels.matrix import Matrix
from pfverify.model.channels.planar import Planar
from pfverify.model.channels.randomized_response import RandomizedResponse
from pfverify.model.channels.rappor import Rappor
from pfverify.model.channels.subset_selection import SubsetSelection
from pfverify.model.channels.truncated_geometric import TruncatedGeometric
from pfverify.model.channels.tupling import Tupling
from pfverify.model.channels.unary import Unary
from pfverify.model.keys import table_of_kinds

_KINDS: tuple[type[Channel], ...] = (
    Matrix, RandomizedResponse, Rappor, Unary, SubsetSelection, LocalHashing, TruncatedGeometric,
    ExponentialMechanism, Planar, Composition, Product, Cascade, ChannelMixture, Tupling,
)  # fmt: skip
CHANNELS.update((kind.kind, kind) for kind in _KINDS)


def channel_schema() -> dict[str, Any]:
    """Return the definitions of the published schema: `channel`, and one per kind.

    Every kind stands under its name after "channel-"; its table has the key `kind` besides.
    Example: ``channel_schema()["channel"]["properties"]["kind"]["enum"][0]`` is ``"matrix"``.
    """
    kinds = {f"channel-{name}": kind.schema() for name, kind in CHANNELS.items()}
    return {"channel": table_of_kinds(CHANNELS, "channel-"), **kinds}
