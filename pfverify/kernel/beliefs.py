"""The source of several beliefs: priors, chains or networks, in all of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import priors

if TYPE_CHECKING:
    from protocols import Release, Source

MODELS = {"chain": "chain", "hmm": "chain", "network": "network"}  # table -> module


def source(value: Any, release: Release) -> Source:
    """The laws of a table `beliefs`; each reader refuses what is not of its kind."""
    found = value["beliefs"]
    tables = list(found.values()) if type(found) is dict else []
    for kind, module in MODELS.items():
        if any(type(one) is dict and kind in one for one in tables):
            read: Source = import_module(module).source(value, release)
            return read
    return priors.source(value, release)
