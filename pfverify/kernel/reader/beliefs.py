"""The source of several beliefs: priors, chains or networks, in all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reader import priors
from reader.tables import SOURCES

if TYPE_CHECKING:
    from reader.protocols import Release, Source

MODELS = ("chain", "hmm", "network")  # rows of SOURCES, each of which may be every belief's


def source(value: Any, release: Release) -> Source:
    """The laws of a table `beliefs`; each reader refuses what is not of its kind."""
    found = value["beliefs"]
    tables = list(found.values()) if type(found) is dict else []
    for kind in MODELS:
        if any(type(one) is dict and kind in one for one in tables):
            read: Source = SOURCES[kind].reader("source")(value, release)
            return read
    return priors.source(value, release)
