"""The only module that loads networkx, and only when a graph is asked for."""

from __future__ import annotations

from typing import Any


def library() -> Any:
    """Return the networkx module (heavy: not loaded by ``import pfverify``)."""
    import networkx  # type: ignore[import-untyped,unused-ignore]

    return networkx
