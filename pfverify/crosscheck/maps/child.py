"""The process in which a measurement is made, and its map is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pfverify.bridges.opendp_library import is_measurement, rebuilt
from pfverify.crosscheck.calling import replied
from pfverify.crosscheck.maps.wired import written_map
from pfverify.workers import serving


def serve() -> None:
    """Answer requests until there are none, then end this process."""
    serving.serve(_answered, maker_of)


def same(text: str) -> str:
    """Return the text of a measurement, which stands in for a function where there is a file.

    Example: ``same("{}")`` is ``"{}"``.
    """
    return text


def maker_of(named: object) -> object:
    """Return a function that returns a measurement, where one, or its text, is what was named.

    Example: ``maker_of("{}")()`` is ``"{}"``.
    """
    if isinstance(named, str | Mapping) or is_measurement(named):
        return lambda: named
    return named


def _answered(
    function: Callable[..., object], head: dict[str, Any], body: bytes
) -> tuple[dict[str, Any], bytes]:
    given = [body.decode("utf-8")] if head["text"] else []
    ask = partial(written_map, distances=head["d_in"], delta=head["delta"])
    return replied(lambda *values: rebuilt(function(*values)), given, {}, written=ask)
