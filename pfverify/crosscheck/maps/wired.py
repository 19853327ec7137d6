"""A measurement's text, and what its map says, on their way out of its process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pfverify.bridges.opendp_library import MapRefusedError, said_by, tree_of_measurement
from pfverify.crosscheck.maps.stated import Distance, MapValue
from pfverify.crosscheck.plain import NoNumberError
from pfverify.crosscheck.reply import End, Reply, reply_of
from pfverify.errors import InputError, shorten
from pfverify.workers.function import words_of
from pfverify.workers.wire import BODY_MOST, BrokenFrameError

_MAP = "map"


@dataclass(frozen=True)
class AskedMap:
    """What a measurement serializes to, as a tree, and what its map says."""

    tree: object
    values: list[MapValue]


def asked_map(measurement: object, distances: Sequence[Distance], delta: float | None) -> AskedMap:
    """Ask the map of an OpenDP measurement; what it refuses is told of each distance.

    Raises InputError for what is no measurement, or does not serialize, and for a delta that it
    does not take.
    Example: ``asked_map("{}", [], None).tree`` is ``{}``.
    """
    tree = tree_of_measurement(measurement)
    return AskedMap(tree, [_asked(measurement, d_in, delta) for d_in in distances])


def _asked(measurement: object, d_in: Distance, delta: float | None) -> MapValue:
    try:
        epsilon, least = said_by(measurement, d_in, delta)
    except MapRefusedError as error:
        return MapValue(d_in, refused=str(error))
    for said in (epsilon, least):
        if isinstance(said, bool) or not isinstance(said, int | float):
            return MapValue(d_in, refused=f"its map says {shorten(said)}, which is no number")
    return MapValue(d_in, epsilon, least)


def written_map(
    value: object, distances: Sequence[Distance], delta: float | None
) -> tuple[dict[str, Any], bytes]:
    """Return the head and the body that stand for a measurement and its map.

    Raises NoNumberError, whose words say what was returned instead of a measurement.
    Example: ``written_map("{}", [], None)[0]`` is ``{"map": True}``.
    """
    try:
        found = asked_map(value, distances, delta)
    except InputError as error:
        raise NoNumberError(f"what cannot be asked: {error}") from None
    said = [[one.epsilon, one.delta, one.refused] for one in found.values]
    body = json.dumps({"tree": found.tree, "values": said}).encode("ascii")
    if len(body) > BODY_MOST:
        raise NoNumberError(f"a measurement of {len(body)} bytes, more than is read at once")
    return {_MAP: True}, body


def read_map(head: dict[str, Any], body: bytes, distances: Sequence[Distance]) -> AskedMap | Reply:
    """Return the measurement behind a head and a body, or what came instead of it.

    Raises BrokenFrameError where they state nothing of the kind.
    Example: ``read_map(*written_map("{}", [], None), []).tree`` is ``{}``.
    """
    if _MAP not in head:
        reply = reply_of(head, body)
        if reply.end is End.ANSWERED:
            raise BrokenFrameError("an answer that is no measurement")
        return reply
    try:
        said = json.loads(body)
        rows = [*zip(distances, said["values"], strict=True)]
        return AskedMap(said["tree"], [_read(d_in, *row) for d_in, row in rows])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BrokenFrameError("a measurement that is none") from None


def _read(d_in: Distance, epsilon: object, delta: object, refused: object) -> MapValue:
    numbers = (epsilon, delta)
    if not all(type(one) in (int, float) for one in numbers):
        raise BrokenFrameError("a map without numbers")
    words = None if refused is None else words_of(refused)
    return MapValue(d_in, *numbers, words)  # type: ignore[arg-type]
