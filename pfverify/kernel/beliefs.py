"""The source of several beliefs: priors, or chains, in all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import priors

if TYPE_CHECKING:
    from protocols import Release, Source


def source(value: Any, release: Release) -> Source:
    """The laws of a table `beliefs`; each reader refuses what is not of its kind."""
    found = value["beliefs"]
    chains = type(found) is dict and any(
        type(one) is dict and one.keys() & {"chain", "hmm"} for one in found.values()
    )
    if not chains:
        return priors.source(value, release)
    import chain

    return chain.source(value, release)
